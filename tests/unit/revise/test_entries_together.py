"""Entries that edits bring to one place of a bibliography stand one behind the other."""

import pytest
from small_paper import key_at, reading

from reviser.errors import StaleEdit
from reviser.revise.draft import Draft
from reviser.revise.loop import rebased
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span

BIB = "@misc{a, title = {A}}\n"
PAPER = reading("First~\\cite{a}. Second~\\cite{a}.", bib=BIB).manuscript


def entering(key: str, citation: int, at: int = len(BIB) - 1) -> Edit:
    """The edit that cites `key` in place of `a`, and enters it."""
    cited, place = key_at(PAPER, citation, "a"), Place("refs.bib", Span(at, at))
    entry = f"\n\n@misc{{{key}, author = {{B}}, title = {{On {key}}}}}"
    return Edit(
        key,
        "test",
        (Replacement(cited, "a", key), Replacement(place, "", entry)),
        Purpose.REPLACE,
        "because",
        (Allowed("citation key", cited, "a", key), Allowed("entry", place, None, key)),
    )


def accepted(edit: Edit) -> Verdict:
    return Verdict(edit, Outcome.ACCEPTED, Layer.EVIDENCE)


def test_the_later_one_stands_behind_the_earlier() -> None:
    one, two = entering("kites", 0), entering("zebras", 1)
    moved = rebased(two, [one])
    between = {**PAPER.sources, **apply(PAPER.sources, [one])}
    by_steps = apply(between, [moved])["refs.bib"].text
    assert by_steps == apply(PAPER.sources, [one, two])["refs.bib"].text
    assert by_steps.index("@misc{kites") < by_steps.index("@misc{zebras")


def test_a_draft_keeps_them_apart() -> None:
    one, two = entering("kites", 0), entering("zebras", 1)
    draft = Draft(PAPER.sources, PAPER.sources).taken(accepted(one))
    draft = draft.taken(accepted(rebased(two, [one])))
    assert [verdict.outcome for verdict in draft.verdicts] == [Outcome.ACCEPTED] * 2
    assert [edit.id for edit in draft.accepted] == ["kites", "zebras"]
    assert draft.now["refs.bib"].text.count("@misc") == 3
    # Each of them speaks of the start and stands alone.
    for edit in draft.accepted:
        assert apply(PAPER.sources, [edit])["refs.bib"].text.count("@misc") == 2


def test_words_of_the_paper_still_do_not_share_a_place() -> None:
    spot = Place("main.tex", Span(0, 0))
    one, two = (
        Edit(name, "test", (Replacement(spot, "", name),), Purpose.POINT, "because")
        for name in ("one", "two")
    )
    with pytest.raises(StaleEdit):
        rebased(two, [one])
