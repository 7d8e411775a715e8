from collections.abc import Sequence
from inspect import signature
from pathlib import Path

import pytest
from judged_group import Judging, edits, fast, sections, vetoing
from small_paper import evidence, prune, put, reading

import reviser.revise
from reviser.errors import NoConclusion
from reviser.pipeline.plan import Plan
from reviser.revise.batch import BATCH, certify_group, units
from reviser.revise.gate import Gate
from reviser.revise.rounds import advise
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Purpose, apply
from reviser.verify.model import Label

PAPER = sections(6)
SIX = edits(PAPER.manuscript, 6)


def of(verdicts: Sequence[Verdict], outcome: Outcome) -> set[str]:
    return {verdict.edit.id for verdict in verdicts if verdict.outcome is outcome}


def judged(rubric: Judging, *, size: int = 8, which: Sequence[int] = range(6)):
    gate = Gate(PAPER.reread, evidence({}), rubric=rubric)
    return certify_group(gate, PAPER.manuscript, [SIX[n] for n in which], size=size)


def test_a_good_group_is_scored_once() -> None:
    rubric = vetoing([])
    verdicts, after = judged(rubric)
    assert rubric.asked == [("0", "1", "2", "3", "4", "5")]
    assert of(verdicts, Outcome.ACCEPTED) == set("012345")
    assert after.sources["main.tex"].text.count("is quiet") == 6
    assert verdicts[2].together == ("0", "1", "3", "4", "5")
    assert [v.edit for v in verdicts] == SIX, "in the positions they were made for"


def test_a_bad_one_is_found_and_was_scored_by_itself() -> None:
    rubric = vetoing(["1"])
    verdicts, after = judged(rubric)
    assert of(verdicts, Outcome.REJECTED) == {"1"}
    assert ("1",) in rubric.asked
    assert ("3", "4", "5") in rubric.asked, "nothing is known of the second half"
    assert verdicts[1].together == ()
    applied = apply(PAPER.manuscript.sources, [v.edit for v in verdicts if v.edit.id != "1"])
    assert after.sources["main.tex"].text == applied["main.tex"].text


def test_the_second_half_is_not_scored_whole_where_the_first_was_good() -> None:
    rubric = vetoing(["5"])
    judged(rubric)
    assert rubric.asked == [tuple("012345"), tuple("012"), tuple("34"), ("5",)]


@pytest.mark.parametrize("size", [1, 2, 3, 6])
def test_every_size_gives_the_same_edits_with_a_vetoing_judge(size: int) -> None:
    rubric = vetoing(["0", "4"])
    verdicts, _ = judged(rubric, size=size)
    assert of(verdicts, Outcome.REJECTED) == {"0", "4"}
    assert max(map(len, rubric.asked)) <= size
    if size == 1:
        assert rubric.asked == [(name,) for name in "012345"]


def test_an_unusable_judge_leaves_the_group_undecided() -> None:
    rubric = Judging(lambda _: Outcome.UNDECIDED)
    verdicts, after = judged(rubric)
    assert len(rubric.asked) == 1
    assert of(verdicts, Outcome.UNDECIDED) == set("012345")
    assert after is PAPER.manuscript
    assert {v.layer for v in verdicts} == {Layer.RUBRIC}


def test_a_judge_that_fails_halfway_keeps_what_was_accepted() -> None:
    words = iter([Outcome.REJECTED, Outcome.ACCEPTED, Outcome.UNDECIDED, Outcome.REJECTED])
    verdicts, after = judged(Judging(lambda _: next(words)), which=range(4))
    assert [v.outcome for v in verdicts[:2]] == [Outcome.ACCEPTED] * 2
    assert [v.outcome for v in verdicts[2:]] == [Outcome.UNDECIDED, Outcome.REJECTED]
    assert after.sources["main.tex"].text.count("quiet") == 2


def test_an_outage_of_the_rubric_is_undecided() -> None:
    def gone(names: Sequence[str]) -> Outcome:
        raise NoConclusion("the endpoint is gone")

    verdicts, _ = judged(Judging(gone))
    assert of(verdicts, Outcome.UNDECIDED) == set("012345")
    assert "the endpoint is gone" in verdicts[0].reasons[0]


def test_edits_of_one_section_wait_for_one_another() -> None:
    paper = reading(
        "The worda is plain. It is so.\n\nThe wordb is dull.\n\\section{Two}\nAll is plain."
    )
    one = put(
        paper.manuscript, "plain", "quiet", at="worda is plain", purpose=Purpose.POINT, name="1"
    )
    two = put(paper.manuscript, "dull", "new", purpose=Purpose.POINT, name="2")
    three = put(
        paper.manuscript, "plain", "quiet", at="All is plain", purpose=Purpose.POINT, name="3"
    )
    rubric = vetoing([])
    gate = Gate(paper.reread, evidence({}), rubric=rubric)
    verdicts, after = certify_group(gate, paper.manuscript, [one, two, three])
    assert rubric.asked == [("1", "3"), ("2",)]
    assert of(verdicts, Outcome.ACCEPTED) == {"1", "2", "3"}
    assert "The wordb is new." in after.sources["main.tex"].text
    assert units(paper.manuscript, one) == units(paper.manuscript, two)


def test_what_a_cheaper_layer_refuses_is_never_scored() -> None:
    bad = put(PAPER.manuscript, "plain", "not plain", at="worda is plain", purpose=Purpose.POINT)
    rubric = vetoing([])
    gate = Gate(PAPER.reread, evidence({}), rubric=rubric)
    verdicts, _ = certify_group(gate, PAPER.manuscript, [bad, SIX[1]])
    assert rubric.asked == [("1",)]
    assert [v.layer for v in verdicts] == [Layer.INVARIANTS, Layer.RUBRIC]


def test_two_edits_of_the_same_words_leave_the_second_stale() -> None:
    gate = Gate(PAPER.reread, evidence({}), rubric=vetoing([]))
    verdicts, _ = certify_group(gate, PAPER.manuscript, [SIX[0], SIX[0]])
    assert [v.outcome for v in verdicts] == [Outcome.ACCEPTED, Outcome.REJECTED]
    assert verdicts[1].layer is Layer.STALE


def test_citation_repairs_go_through_without_a_rubric() -> None:
    paper = reading("Words are many~\\cite{a,b}.\n\\section{Two}\nAll is plain.")
    good = prune(paper.manuscript, 0, "b")
    point = put(paper.manuscript, "plain", "quiet", purpose=Purpose.POINT, name="p")
    rubric = vetoing([])
    known = evidence({"b": Label.OFF_TOPIC}, {"b": 0.1})
    gate = Gate(paper.reread, known, rubric=rubric)
    verdicts, after = certify_group(gate, paper.manuscript, [point, good])
    assert [v.outcome for v in verdicts] == [Outcome.ACCEPTED] * 2
    assert [v.layer for v in verdicts] == [Layer.RUBRIC, Layer.EVIDENCE]
    assert rubric.asked == [("p",)]
    assert "\\cite{a}" in after.sources["main.tex"].text


def test_the_rubric_is_told_edits_of_the_text_it_is_given() -> None:
    seen: list[bool] = []

    class Looking(Judging):
        def weigh(self, before, after, edits):
            there = {**before.sources, **apply(before.sources, edits)}
            seen.append(there["main.tex"].text == after.sources["main.tex"].text)
            return super().weigh(before, after, edits)

    longer = [
        put(PAPER.manuscript, "plain", "ordinary", at=f"word{letter} is plain", name=str(number),
            purpose=Purpose.POINT)
        for number, letter in enumerate("abcdef")
    ]  # fmt: skip
    gate = Gate(PAPER.reread, evidence({}), rubric=Looking(vetoing(["2"]).word))
    verdicts, _ = certify_group(gate, PAPER.manuscript, longer, size=4)
    assert of(verdicts, Outcome.REJECTED) == {"2"}
    assert len(seen) > 3
    assert all(seen)


def test_a_text_that_comes_out_otherwise_is_not_accepted() -> None:
    class Lying(Gate):
        def admit(self, before, edit):
            verdict, _ = super().admit(before, edit)
            return verdict, before

    gate = Lying(PAPER.reread, evidence({}), rubric=vetoing([]))
    verdicts, after = certify_group(gate, PAPER.manuscript, SIX[:1])
    assert verdicts[0].outcome is Outcome.UNDECIDED
    assert after is PAPER.manuscript


def test_twenty_points_of_which_two_are_bad() -> None:
    paper = sections(20)
    rubric = vetoing(["3", "17"])
    made = edits(paper.manuscript, 20)
    verdicts, _ = certify_group(fast(paper, rubric), paper.manuscript, made, size=20)
    assert of(verdicts, Outcome.REJECTED) == {"3", "17"}
    assert len(rubric.asked) + 1 <= 20


def test_all_say_the_same_number_of_edits_that_are_certified_together() -> None:
    said = [signature(certify_group).parameters["size"], signature(advise).parameters["batch"]]
    assert [parameter.default for parameter in said] == [BATCH, BATCH]
    assert Plan().batch == BATCH
    room = Path(reviser.revise.__path__[0])
    where = [path for path in room.glob("*.py") if "\nBATCH = 8" in path.read_text()]
    assert [path.name for path in where] == ["batch.py"]
