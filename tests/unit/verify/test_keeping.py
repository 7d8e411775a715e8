"""When a kept verdict holds: for this claim, this work, this text, this check, and no other."""

from dataclasses import replace

import pytest
from cited_papers import WordEmbedder, paper
from small_field import ENTRIES, SENTENCES
from test_hearing import FULL, Reader, Shelf

from reviser.verify.claim import Claim, claims
from reviser.verify.evidence import ABSTRACT, SOURCE_TEXT, Work, works
from reviser.verify.exempt import TOOL
from reviser.verify.keeping import Keeping
from reviser.verify.kept import Check, check_of, worth_keeping
from reviser.verify.lock import Lock, VerdictLine, WorkLine, read, write
from reviser.verify.model import Label, Passage, Support
from reviser.verify.recall import check_by, recalled, told, verify_once
from reviser.verify.trials import Trial

CHECK = Check("topics", "judge", 3, "one")
LIMITS = "10 by 2"


def work(key: str = "wear", **changes: object) -> Work:
    return replace(works(paper(*SENTENCES, entries=ENTRIES), {})[key], **changes)  # type: ignore[arg-type]


def claim(**changes: object) -> Claim:
    return replace(claims(paper(*SENTENCES, entries=ENTRIES))[0], **changes)  # type: ignore[arg-type]


def said(label: Label = Label.CONTRADICTED, on: Work | None = None) -> Support:
    first = (on or work()).passages[:1]
    return Support(0, "wear", label, 0.9, "entailment (judge)", "it says so", (), first)


def keeping(label: Label = Label.CONTRADICTED, check: Check = CHECK) -> Keeping:
    """What a later run knows of one verdict."""
    first = Keeping(Lock())
    first.keep(claim(), work(), said(label), check)
    return Keeping(read(write(first.lines)))


def longer(text: str = "Dry bearings last.") -> Work:
    whole = work()
    more = Passage("wear", text, SOURCE_TEXT, 0, len(text))
    return replace(whole, passages=(*whole.passages, more), full=True)


def test_it_holds_for_the_same_question() -> None:
    again = keeping().verdict(claim(), work(), CHECK)
    assert again is not None
    assert (again.label, again.score) == (Label.CONTRADICTED, 0.9)


def test_it_holds_while_the_text_is_not_at_hand() -> None:
    assert keeping().verdict(claim(), work(passages=()), CHECK) is not None


@pytest.mark.parametrize(
    "check",
    [
        replace(CHECK, topic="other topics"),
        replace(CHECK, verifier="another"),
        replace(CHECK, reads=4),
        replace(CHECK, version="two"),
    ],
)
def test_no_other_check_says_it(check: Check) -> None:
    assert keeping().verdict(claim(), work(), check) is None
    assert keeping(Label.OFF_TOPIC).verdict(claim(), work(), replace(check, topic="x")) is None


def test_the_topic_alone_does_not_answer_for_a_verifier() -> None:
    by_topic = CHECK.by_topic
    assert keeping(Label.ON_TOPIC, by_topic).verdict(claim(), work(), CHECK) is None
    assert keeping(Label.ON_TOPIC, by_topic).verdict(claim(), work(), by_topic) is not None
    assert keeping(Label.OFF_TOPIC, by_topic).verdict(claim(), work(), CHECK) is not None
    assert by_topic.verifier == by_topic.version == ""


def test_no_other_work_under_the_same_key_inherits_it() -> None:
    other = work(title="On Bread", passages=())
    assert keeping().verdict(claim(), other, CHECK) is None
    assert keeping().work(other) is None
    assert keeping().work(work()) is not None


def test_a_verdict_without_its_work_is_nobodys() -> None:
    known = read(write(keeping().lines))
    assert Keeping(replace(known, works=())).verdict(claim(), work(), CHECK) is None


def test_another_text_is_judged_anew() -> None:
    first, *rest = work().passages
    changed = replace(first, text="Steel bearings wear faster when they are wet.")
    assert keeping().verdict(claim(), work(passages=(changed, *rest)), CHECK) is None
    assert keeping().verdict(claim(), work(passages=(first,)), CHECK) is None


def test_words_that_stand_nowhere_in_the_text_at_hand_are_not_told() -> None:
    known = read(write(keeping().lines))
    (line,) = known.verdicts
    assert line.quote is not None
    quote = line.quote.model_copy(update={"words": "Steel bearings never wear."})
    forged = line.model_copy(update={"quote": quote})
    later = Keeping(replace(known, verdicts=(forged,)))
    assert later.verdict(claim(), work(), CHECK) is None
    assert later.verdict(claim(), work(passages=()), CHECK) is not None, "nothing to look it up in"


def test_silence_ends_when_a_full_text_comes_and_a_contradiction_does_not() -> None:
    assert keeping(Label.SILENT).verdict(claim(), longer(), CHECK) is None
    assert keeping(Label.CONTRADICTED).verdict(claim(), longer(), CHECK) is not None


def test_a_verdict_on_a_full_text_ends_with_that_text() -> None:
    whole = longer()
    support = replace(said(), passages=whole.passages[-1:])
    first = Keeping(Lock())
    first.keep(claim(), whole, support, CHECK)
    known = read(write(first.lines))
    assert Keeping(known).verdict(claim(), whole, CHECK) is not None
    assert Keeping(known).verdict(claim(), work(), CHECK) is not None, "the abstract is the same"
    assert Keeping(known).verdict(claim(), longer("Dry bearings last. Not."), CHECK) is None
    assert known.verdicts[0].read == "full text"


def test_one_object_sees_that_a_text_changed() -> None:
    known = keeping()
    assert known.verdict(claim(), work(), CHECK) is not None
    first, *rest = work().passages
    changed = (replace(first, text="Steel bearings never wear."), *rest)
    assert known.verdict(claim(), work(passages=changed), CHECK) is None


def test_a_claim_that_is_exempt_now_is_another_claim() -> None:
    assert keeping().verdict(claim(exempt="a table cell"), work(), CHECK) is None


def test_the_first_verdict_on_the_same_words_stays() -> None:
    known = keeping()
    again = known.keep(claim(), work(), said(Label.SUPPORTED), CHECK)
    assert again.label is Label.CONTRADICTED
    assert known.uses.new == 0


def test_a_new_work_takes_nothing_over_from_the_old_one_of_its_key() -> None:
    known = read(write(keeping().lines))
    (line,) = known.works
    old = Keeping(replace(known, works=(line.model_copy(update={"none": "no abstract in A"}),)))
    other = work(title="On Bread")
    old.keep(claim(), other, said(), CHECK)
    (now,) = [one for one in old.lines if isinstance(one, WorkLine)]
    assert (now.title, now.none) == ("On Bread", "")
    bare = replace(other, passages=())
    assert Keeping(known).verdict(claim(), bare, CHECK) is None


def test_another_works_full_text_is_no_part_of_what_was_read() -> None:
    first = Keeping(Lock())
    first.keep(claim(), longer(), said(Label.SILENT, longer()), CHECK)
    other = work(title="On Bread")
    first.keep(claim(), other, said(Label.SILENT), CHECK)
    alone = Keeping(Lock())
    alone.keep(claim(), other, said(Label.SILENT), CHECK)
    texts = [one.text for one in (*first.lines, *alone.lines) if isinstance(one, VerdictLine)]
    assert texts[0] == texts[1]


def test_a_search_holds_for_the_same_work_check_and_limits() -> None:
    first = Keeping(Lock())
    first.keep(claim(), work(), said(), CHECK)
    first.keep_search(claim(), work(), Trial(0, "wear", (("oil",),), (), None), CHECK, LIMITS)
    known = read(write(first.lines))
    assert Keeping(known).search(claim(), work(), CHECK, LIMITS) is not None
    for other in (
        (claim(), work(), CHECK, "3 by 1"),
        (claim(), work(), replace(CHECK, verifier="another"), LIMITS),
        (claim(), work(), replace(CHECK, topic="other topics"), LIMITS),
        (claim(), work(title="On Bread"), CHECK, LIMITS),
        (claim(text="Bearings wear."), work(), CHECK, LIMITS),
    ):
        assert Keeping(known).search(*other) is None


def test_what_works_say_together_holds_for_their_texts_and_the_check() -> None:
    both = (work(), work("oil"))
    first = Keeping(Lock())
    first.keep_together(claim(), both, CHECK, entailed=True)
    known = read(write(first.lines))
    assert Keeping(known).together(claim(), both, CHECK) is True
    assert Keeping(known).together(claim(), both, replace(CHECK, version="two")) is None
    less = replace(both[1], passages=both[1].passages[1:])
    assert Keeping(known).together(claim(), (both[0], less), CHECK) is None
    assert Keeping(known).together(claim(), both[:1], CHECK) is None


def test_no_long_words_of_a_work_are_kept_in_a_reason() -> None:
    long = "word " * 200
    support = replace(said(), why=f'it says so; it points at the words "{long}"')
    first = Keeping(Lock())
    first.keep(claim(), work(), support, CHECK)
    (line,) = [one for one in first.lines if isinstance(one, VerdictLine)]
    assert len(line.why) < 300


def test_what_is_no_verdict_on_a_text_is_not_worth_keeping() -> None:
    assert worth_keeping(claim(), work(), said())
    assert not worth_keeping(claim(), work(), replace(said(), label=Label.UNCHECKED))
    assert not worth_keeping(claim(), work(passages=()), said())


def test_a_check_is_named_by_all_that_its_verdicts_follow_from() -> None:
    whole = check_of("embedder", "limits", "judge", 3, "one")
    for other in (
        check_of("another", "limits", "judge", 3, "one"),
        check_of("embedder", "others", "judge", 3, "one"),
        check_of("embedder", "limits", "another", 3, "one"),
        check_of("embedder", "limits", "judge", 4, "one"),
        check_of("embedder", "limits", "judge", 3, "two"),
    ):
        assert other != whole


@pytest.mark.parametrize("label", [Label.OFF_TOPIC, Label.CONTRADICTED, Label.SILENT])
def test_a_line_that_accuses_without_a_quotation_is_not_read(label: Label) -> None:
    first = Keeping(Lock())
    first.keep(claim(), work(), said(label), CHECK)
    (line,) = [one for one in first.lines if isinstance(one, VerdictLine)]
    bare = line.model_copy(update={"quote": None})
    known = read(write([bare]))
    assert known.verdicts == ()
    assert "accuses without a quotation" in known.damage[0].why


def test_a_line_that_is_no_verdict_or_hides_signs_is_not_read() -> None:
    (line,) = [one for one in keeping().lines if isinstance(one, VerdictLine)]
    assert line.quote is not None
    hidden = "Steel \u202e bearings"
    for changed in (
        line.model_copy(update={"label": Label.UNCHECKED}),
        line.model_copy(update={"why": hidden}),
        line.model_copy(update={"quote": line.quote.model_copy(update={"words": hidden})}),
    ):
        known = read(write([changed]))
        assert known.verdicts == ()
        assert len(known.damage) == 1


def test_two_lines_that_contradict_each_other_are_both_left_out() -> None:
    (line,) = [one for one in keeping().lines if isinstance(one, VerdictLine)]
    known = read(write([line, line.model_copy(update={"label": Label.SUPPORTED})]))
    assert known.verdicts == ()
    assert "contradicts" in known.damage[0].why


def test_lines_of_another_version_are_told_as_such() -> None:
    known = read(b'{"reviser-lock":2}\n')
    assert known.damage[0].why == "it is of version 2, this is 1"


def test_the_passages_here_are_an_abstract() -> None:
    assert {one.where for one in work().passages} == {ABSTRACT}


def test_a_claim_that_asserts_nothing_is_accused_by_no_lock() -> None:
    named = claim(exempt=TOOL)
    forged = Keeping(Lock())
    forged.keep(named, work(), said(), CHECK)
    later = Keeping(read(write(forged.lines)))
    assert later.verdict(named, work(), CHECK) is not None, "the line is there"
    assert recalled(later, [named], {"wear": work()}, CHECK) == {}


def test_claims_that_no_verifier_is_asked_about_are_known_by_topic() -> None:
    known = keeping(Label.ON_TOPIC, CHECK.by_topic)
    found = {"wear": work()}
    assert recalled(known, [claim()], found, CHECK, asked=()).keys() == {(0, "wear")}
    assert recalled(known, [claim()], found, CHECK, asked=(0,)) == {}
    told(known, [claim()], found, [said(Label.ON_TOPIC)], CHECK, asked=())
    assert known.uses.new == 0


def test_a_full_text_that_was_fetched_is_part_of_what_was_read() -> None:
    made = paper(*SENTENCES, entries=ENTRIES)
    known = Keeping(Lock())
    verify_once(
        made,
        claims(made),
        works(made, {}),
        kept=known,
        embedder=WordEmbedder(),
        entailment=Reader(),
        more=Shelf({"noise": FULL}),
    )
    (line,) = [one for one in known.lines if isinstance(one, WorkLine) and one.work == "noise"]
    assert line.full
    whole = works(made, {"noise": FULL})["noise"]
    by = check_by(WordEmbedder(), Reader())
    about = next(one for one in claims(made) if "noise" in one.keys)
    again = Keeping(read(write(known.lines)))
    assert again.verdict(about, whole, by) is not None
    assert again.verdict(about, works(made, {})["noise"], by) is not None
    other = replace(whole, passages=whole.passages[:-1])
    assert again.verdict(about, other, by) is None
