"""A text under revision, tried on sentences."""

import pytest

from reviser.errors import StaleEdit
from reviser.revise.change import WORDS
from reviser.revise.draft import Draft
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

TEXT = "We train models. They are large. Some are small."
START = {"a.tex": Source("a.tex", TEXT)}


def change(
    draft: Draft, name: str, before: str, after: str, *allows: Allowed, insert: bool = False
) -> Edit:
    text = draft.now["a.tex"].text
    first = text.index(before)
    at = Place("a.tex", Span(first, first + len(before)))
    if insert:
        at, before = Place("a.tex", Span(at.span.stop, at.span.stop)), ""
    return Edit(
        name, "rule", (Replacement(at, before, after),), Purpose.POINT, f"why {name}", allows,
        answers=(f"p-{name}",),
    )  # fmt: skip


def accepted(edit: Edit) -> Verdict:
    return Verdict(edit, Outcome.ACCEPTED, Layer.RUBRIC, ("it is better",))


def taken(draft: Draft, *edit: object, **more: bool) -> Draft:
    return draft.taken(accepted(change(draft, *edit, **more)))  # type: ignore[arg-type]


def now(draft: Draft) -> str:
    return draft.now["a.tex"].text


def test_an_edit_of_other_words_keeps_to_itself() -> None:
    draft = taken(Draft(START, START), "one", "train models", "train many models")
    draft = taken(draft, "two", "small", "tiny")
    assert [(e.id, e.replacements[0].before) for e in draft.accepted] == [
        ("one", "train models"),
        ("two", "small"),
    ]
    assert draft.accepted[1].replacements[0].at.span.start == TEXT.index("small")
    assert not any(v.holds for v in draft.verdicts)


def test_an_edit_of_new_words_takes_up_the_one_that_brought_them() -> None:
    draft = taken(Draft(START, START), "one", "train models", "train many models")
    draft = taken(draft, "two", "many models. They", "forty models, which")
    (edit,) = draft.accepted
    assert edit.id == "two"
    assert edit.replacements[0].before == "train models. They"
    assert edit.replacements[0].after == "train forty models, which"
    assert edit.why == "why two; why one"
    assert edit.answers == ("p-two", "p-one")
    first, second = draft.verdicts
    assert first.outcome is Outcome.SUPERSEDED
    assert "taken up into edit two" in first.reasons[-1]
    assert first.edit.replacements[0].after == "train many models"
    assert second.holds == ("one",)
    assert draft.changed == apply(START, [edit])


def test_a_second_sentence_at_the_same_place_joins_the_first() -> None:
    draft = taken(Draft(START, START), "one", "large.", " So be it.", insert=True)
    draft = taken(draft, "two", "So be it.", " Twice.", insert=True)
    (edit,) = draft.accepted
    assert edit.replacements[0].before == ""
    assert edit.replacements[0].after == " So be it. Twice."


def test_an_edit_that_puts_all_back_leaves_nothing() -> None:
    draft = taken(Draft(START, START), "one", "large", "huge")
    draft = taken(draft, "two", "huge", "large")
    assert draft.accepted == ()
    assert draft.changed == {}
    assert [v.outcome for v in draft.verdicts] == [Outcome.SUPERSEDED, Outcome.SUPERSEDED]
    assert "puts back" in draft.verdicts[1].reasons[-1]


def test_what_both_may_change_becomes_one_allowance() -> None:
    draft = Draft(START, START)
    place = Place("a.tex", Span(TEXT.index("large"), TEXT.index("large") + 5))
    draft = taken(draft, "one", "large", "huge", Allowed("number", place, "3", "4"))
    there = change(draft, "two", "huge", "big").replacements[0].at
    draft = taken(draft, "two", "huge", "big", Allowed("number", there, "4", "5"))
    assert draft.accepted[0].allows == (Allowed("number", place, "3", "5"),)


def test_words_that_were_announced_are_announced_as_they_come_to_be() -> None:
    draft = Draft(START, START)
    place = Place("a.tex", Span(TEXT.index("They"), TEXT.index("Some")))
    words = Allowed(WORDS, place, "They are large. ", "They are huge. ")
    draft = taken(draft, "one", "large", "huge", words)
    draft = taken(draft, "two", "huge. Some", "huge. A few")
    (allowed,) = draft.accepted[0].allows
    assert (allowed.lost, allowed.gained) == ("They are large. Some", "They are huge. A few")
    assert START["a.tex"][allowed.at.span] == allowed.lost


def test_a_group_is_judged_in_positions_of_the_text_it_was_made_for() -> None:
    draft = Draft(START, START)
    one, two = change(draft, "one", "train", "teach"), change(draft, "two", "Some", "A few")
    no = change(draft, "no", "large", "vast")
    refused = Verdict(no, Outcome.REJECTED, Layer.RUBRIC, ("worse",))
    draft = draft.judged([accepted(one), refused, accepted(two)])
    assert now(draft) == "We teach models. They are large. A few are small."
    assert [v.edit.id for v in draft.verdicts] == ["one", "no", "two"]
    assert draft.verdicts[1].edit.replacements[0].at.span.start == TEXT.index("large")


def test_a_refused_edit_is_told_in_words_of_the_first_text() -> None:
    draft = taken(Draft(START, START), "one", "large", "huge")
    no = change(draft, "no", "are huge", "might be huge")
    draft = draft.judged([Verdict(no, Outcome.REJECTED, Layer.RUBRIC, ("worse",))])
    edit = draft.verdicts[1].edit
    assert (edit.replacements[0].before, edit.replacements[0].after) == (
        "are large",
        "might be huge",
    )
    assert draft.verdicts[0].outcome is Outcome.ACCEPTED


def test_text_that_is_not_there_is_no_place_for_an_edit() -> None:
    draft = Draft(START, START)
    edit = change(draft, "one", "large", "huge")
    draft = draft.taken(accepted(edit))
    with pytest.raises(StaleEdit):
        draft.taken(accepted(edit))


def test_a_place_leads_back_to_where_its_words_stood() -> None:
    draft = taken(Draft(START, START), "one", "models. They", "many and good models. These")
    text = now(draft)
    small = Place("a.tex", Span(text.index("small"), text.index("small") + 5))
    assert START["a.tex"][draft.origin(small).span] == "small"
    good = Place("a.tex", Span(text.index("good"), text.index("good") + 4))
    assert START["a.tex"][draft.origin(good).span] == "models. They"
