"""Laws of edits as values: they change what they name, nothing else, and can be taken back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.errors import StaleEdit
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

TEXTS = st.text(alphabet="ab {}%\\\r\n\u00e9\ufeff", max_size=60)


def edit(replacements: list[Replacement], name: str = "e1") -> Edit:
    return Edit(name, "rule", tuple(replacements), Purpose.RULE_FIX, "because")


@st.composite
def changes(draw: st.DrawFn) -> tuple[Source, Edit]:
    """A file and an edit of one to four disjoint spans of it."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=8)))
    spans = [Span(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    parts = [
        Replacement(Place("a.tex", span), text[span.start : span.stop], draw(TEXTS))
        for span in spans
    ]
    return Source("a.tex", text), edit(draw(st.permutations(parts)))


def reverse(source: Source, change: Edit) -> Edit:
    """The edit that takes `change` back, in positions of the changed text."""
    shift = 0
    back = []
    for part in sorted(change.replacements, key=lambda r: r.at.span):
        start = part.at.span.start + shift
        span = Span(start, start + len(part.after))
        back.append(Replacement(Place(source.path, span), part.after, part.before))
        shift += len(part.after) - len(part.before)
    return edit(back)


@given(changes())
def test_taking_an_edit_back_restores_every_byte(change: tuple[Source, Edit]) -> None:
    source, forth = change
    changed = apply({"a.tex": source}, [forth])["a.tex"]
    # Two empty spans at one place have no order of their own, so they cannot be told apart.
    spans = [r.at.span for r in forth.replacements]
    if len(set(spans)) < len(spans):
        return
    restored = apply({"a.tex": changed}, [reverse(source, forth)])["a.tex"]
    assert restored.encode() == source.encode()


@given(changes())
def test_text_outside_the_spans_is_untouched(change: tuple[Source, Edit]) -> None:
    source, forth = change
    changed = apply({"a.tex": source}, [forth])["a.tex"].text
    cursor = 0
    for part in sorted(forth.replacements, key=lambda r: r.at.span):
        kept = source.text[cursor : part.at.span.start]
        assert changed.startswith(kept)
        changed = changed[len(kept) :]
        if sum(r.at.span == part.at.span for r in forth.replacements) > 1:
            return
        assert changed.startswith(part.after)
        changed = changed[len(part.after) :]
        cursor = part.at.span.stop
    assert changed == source.text[cursor:]


@given(changes())
def test_several_edits_at_once_equal_one_with_all_their_parts(change: tuple[Source, Edit]) -> None:
    source, whole = change
    ordered = sorted(whole.replacements, key=lambda r: r.at.span)
    singles = [edit([part], f"e{i}") for i, part in enumerate(ordered)]
    together = apply({"a.tex": source}, singles)
    assert together == apply({"a.tex": source}, [edit(list(ordered))])


@given(changes(), st.integers(0, 60), TEXTS)
def test_an_edit_whose_text_has_gone_is_stale(
    change: tuple[Source, Edit], where: int, noise: str
) -> None:
    source, forth = change
    text = source.text[:where] + noise + source.text[where:]
    stale = any(text[r.at.span.start : r.at.span.stop] != r.before for r in forth.replacements)
    if not stale:
        return
    with pytest.raises(StaleEdit):
        apply({"a.tex": Source("a.tex", text)}, [forth])


@given(changes())
def test_the_source_itself_never_changes(change: tuple[Source, Edit]) -> None:
    source, forth = change
    text = source.text
    apply({"a.tex": source}, [forth])
    assert source.text == text
