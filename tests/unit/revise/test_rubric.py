"""The rubric layer on a paper whose truth is known: what passes, and what is said of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.review.model import Scorecard
from reviser.revise.evidence import Weighed
from reviser.revise.judging import Excerpt, Judge
from reviser.revise.rubric import Rubric, Ties, prepare
from reviser.revise.verdict import Outcome
from reviser.text.edit import Edit, Purpose, apply
from tests.fakes.judges import MuteJudge, SeeingJudge, constant, inverted
from tests.unit.revise.judged_paper import edit, long_paper, of, paragraph_numbers
from tests.unit.revise.small_paper import reading

PAPER = long_paper(4, 6)
TEXT = PAPER.manuscript
NUMBERS = paragraph_numbers(TEXT)


def sharp(**faults: float) -> SeeingJudge:
    return SeeingJudge(TEXT, **{"noise": 0.05, "blur": 0.05, **faults})  # type: ignore[arg-type]


def after(*edits: Edit, before: Manuscript = TEXT) -> Manuscript:
    return PAPER.reread(apply(before.sources, edits))


def weighed(rubric: Rubric, *edits: Edit) -> Weighed:
    return rubric.weigh(TEXT, after(*edits), edits)


@pytest.fixture(scope="module")
def rubric() -> Rubric:
    return prepare(TEXT, sharp())


def test_a_sharp_judge_passes_its_trial(rubric: Rubric) -> None:
    report = rubric.report
    assert report.sound
    assert not report.why
    assert report.spread is not None
    assert 0.005 < report.spread < 0.05
    assert report.margin is not None
    assert report.margin < 0.15
    assert (report.trials, report.samples) == (24, 1)
    assert dict(report.controls) == {
        "sentences shuffled": True,
        "citations stripped": True,
        "text padded": True,
        "words made finer": True,
    }


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("better", Outcome.ACCEPTED),
        ("worse", Outcome.REJECTED),
        ("padding", Outcome.REJECTED),
    ],
)
def test_what_is_better_passes(rubric: Rubric, kind: str, outcome: Outcome) -> None:
    for number in NUMBERS[::4]:
        said = weighed(rubric, edit(TEXT, number, kind))
        assert said.outcome is outcome
        assert "margin" in said.reasons[0]
        assert [score.name for score in said.before] == [score.name for score in said.after]
        assert said.before[0].name == "weighted mean"
        assert said.before[0].spread is not None


def test_a_score_is_asked_for_once(rubric: Rubric) -> None:
    judge = sharp()
    rubric = prepare(TEXT, judge)
    one, other = edit(TEXT, NUMBERS[1], "better"), edit(TEXT, NUMBERS[-2], "better")
    weighed(rubric, one, other)
    asked = len(judge.graded)
    weighed(rubric, one)
    weighed(rubric, other)
    rubric.weigh(after(one), after(one, other), [_behind(one, other)])
    assert len(judge.graded) == asked
    assert len(set(judge.graded)) == asked


def _behind(done: Edit, waiting: Edit) -> Edit:
    """The edit in positions of the text after another one that stands before it."""
    part = waiting.replacements[0]
    growth = sum(len(r.after) - len(r.before) for r in done.replacements)
    span = type(part.at.span)(part.at.span.start + growth, part.at.span.stop + growth)
    return replace(waiting, replacements=(replace(part, at=replace(part.at, span=span)),))


def test_a_loss_in_one_passage_is_not_hidden_by_gains_in_others(rubric: Rubric) -> None:
    edits = [edit(TEXT, number, "better") for number in NUMBERS[:-1:4]]
    assert weighed(rubric, *edits).outcome is Outcome.ACCEPTED
    said = weighed(rubric, *edits, edit(TEXT, NUMBERS[-1], "worse"))
    assert said.outcome is Outcome.REJECTED


def test_the_purpose_decides_what_is_asked(rubric: Rubric) -> None:
    plain = edit(TEXT, NUMBERS[2], "nothing")
    worse = edit(TEXT, NUMBERS[2], "worse")
    assert weighed(rubric, plain).outcome is Outcome.REJECTED
    assert weighed(rubric, of(plain, Purpose.HUMAN)).outcome is Outcome.ACCEPTED
    assert weighed(rubric, of(worse, Purpose.HUMAN)).outcome is Outcome.REJECTED
    assert weighed(rubric, of(worse, Purpose.OUTLINE)).outcome is Outcome.REJECTED
    good_enough = prepare(TEXT, sharp(), threshold=2.0)
    assert weighed(good_enough, of(worse, Purpose.OUTLINE)).outcome is Outcome.ACCEPTED
    assert weighed(rubric, of(plain, Purpose.RULE_FIX)).outcome is Outcome.UNDECIDED


@pytest.mark.parametrize(
    ("ties", "outcome"),
    [("reject", Outcome.REJECTED), ("accept", Outcome.ACCEPTED), ("pairwise", Outcome.ACCEPTED)],
)
def test_a_tie_goes_where_it_is_sent(ties: Ties, outcome: Outcome) -> None:
    # Worth little beside the noise of scores, and plain to see in comparison.
    judge = sharp(noise=0.5, worth=0.3, blur=0.01)
    said = [weighed(prepare(TEXT, judge, ties=ties), edit(TEXT, n, "better")) for n in NUMBERS]
    tied = [one for one in said if "tie" in one.reasons[0] or "no gain beyond" in one.reasons[0]]
    assert len(tied) > len(NUMBERS) / 2
    close = [one for one in tied if one.after[0].value > (one.before[0].value or 0) + 0.1]  # type: ignore[operator]
    assert {one.outcome for one in close} == {outcome}


def test_comparisons_that_only_repeat_the_place_decide_nothing() -> None:
    judge = sharp(noise=0.5, worth=0.3, first=3.0)
    rubric = prepare(TEXT, judge)
    for number in NUMBERS[::3]:
        said = weighed(rubric, edit(TEXT, number, "better"))
        assert (
            "preferred in both orders" not in said.reasons[0] or "not preferred" in said.reasons[0]
        )


def test_one_dimension_that_falls_is_enough() -> None:
    class Trader(SeeingJudge):
        def truth(self, text: str):  # type: ignore[no-untyped-def]
            seen = dict(super().truth(text))
            first, *_, last = seen
            return {**seen, first: seen[first] + (2 if "sharper" in text else 0),
                    last: seen[last] - (1.4 if "sharper" in text else 0)}  # fmt: skip

    said = weighed(prepare(TEXT, Trader(TEXT, noise=0.05)), edit(TEXT, NUMBERS[3], "better"))
    assert said.outcome is Outcome.REJECTED
    assert "critical analysis fell by 1.0" in said.reasons[0]


def test_harm_to_the_whole_undoes_a_gain() -> None:
    class Strict(SeeingJudge):
        def truth(self, text: str):  # type: ignore[no-untyped-def]
            harm = 1.0 if "# Part 1" in text and "sharper" in text else 0.0
            return {d: score - harm for d, score in super().truth(text).items()}

    opening = next(n for n in NUMBERS if TEXT.paragraphs[n].section == 2)
    one = edit(TEXT, opening, "better")
    first = next(s for s in TEXT.sentences if s.paragraph == opening)
    part = replace(one.replacements[0], at=first.at, before=TEXT.text(first.at))
    one = replace(one, replacements=(replace(part, after=f"A sharper word. {part.before}"),))
    assert weighed(prepare(TEXT, sharp()), one).outcome is Outcome.ACCEPTED
    said = weighed(prepare(TEXT, Strict(TEXT, noise=0.05)), one)
    assert said.outcome is Outcome.REJECTED
    assert said.reasons[0].startswith("whole paper: mean -")


@pytest.mark.parametrize(
    "judge", [constant(), inverted(sharp()), MuteJudge()], ids=lambda j: j.name
)
def test_a_judge_that_is_not_sound_accepts_nothing(judge: Judge) -> None:
    rubric = prepare(TEXT, judge)
    assert not rubric.report.sound
    assert rubric.report.why
    for purpose in (Purpose.POINT, Purpose.HUMAN, Purpose.OUTLINE):
        said = weighed(rubric, of(edit(TEXT, NUMBERS[3], "better"), purpose))
        assert said.outcome is Outcome.UNDECIDED
        assert rubric.report.why in said.reasons[0]


def test_a_judge_that_falls_silent_decides_nothing() -> None:
    class Silent(SeeingJudge):
        silent = False

        def scores(self, excerpts: Sequence[tuple[Excerpt, int]]) -> list[Scorecard | Unusable]:
            if self.silent:
                return [Unusable("the budget of 9 calls was used up") for _ in excerpts]
            return super().scores(excerpts)

    judge = Silent(TEXT, noise=0.05)
    rubric = prepare(TEXT, judge)
    judge.silent = True
    said = weighed(rubric, edit(TEXT, NUMBERS[3], "better"))
    assert said.outcome is Outcome.UNDECIDED
    assert "used up" in said.reasons[0]


def test_grades_off_the_scale_are_none() -> None:
    class Wild(SeeingJudge):
        def scores(self, excerpts: Sequence[tuple[Excerpt, int]]) -> list[Scorecard | Unusable]:
            wild = []
            for card in super().scores(excerpts):
                assert isinstance(card, Scorecard)
                wild.append(replace(card, grades=tuple(replace(g, score=9.0) for g in card.grades)))
            return list(wild)

    assert "from 1 to 5" in prepare(TEXT, Wild(TEXT)).report.why


def test_a_short_paper_cannot_try_a_judge() -> None:
    small = reading("One sentence~\\cite{a}. Another one.").manuscript
    rubric = prepare(small, sharp())
    assert not rubric.report.sound
    assert rubric.report.spread is None
    assert "too few passages" in rubric.report.why


def test_the_text_must_be_what_the_edits_give(rubric: Rubric) -> None:
    one, other = edit(TEXT, NUMBERS[1], "better"), edit(TEXT, NUMBERS[5], "better")
    said = rubric.weigh(TEXT, after(one, other), [one])
    assert said.outcome is Outcome.UNDECIDED


def test_the_question_never_tells_old_from_new() -> None:
    judge = sharp()
    rubric = prepare(TEXT, judge)
    one = edit(TEXT, NUMBERS[3], "better")
    asked = len(judge.graded)
    weighed(rubric, one)
    (old, first), (new, second) = judge.graded[asked:]
    assert (old.digest, first) == (new.digest, second)
    assert old.text.replace("In case", "In sharper case") == new.text.replace(
        "In case", "In sharper case"
    )
