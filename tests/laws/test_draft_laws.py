"""Laws of a text under revision: later edits, told as edits of the first text, give the same."""

from hypothesis import given
from hypothesis import strategies as st

from reviser.revise.draft import Draft
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

TEXTS = st.text(alphabet="ab \n\u00e9", max_size=12)
FILES = ("a.tex", "b.tex")


@st.composite
def edits(draw: st.DrawFn, now: dict[str, Source], name: str) -> Edit:
    """An edit of one to three disjoint spans of the files as they are now."""
    parts: dict[Place, Replacement] = {}
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(FILES))
        text = now[path].text
        start = draw(st.integers(0, len(text)))
        span = Span(start, min(len(text), start + draw(st.integers(0, 6))))
        clash = any(
            p.at.path == path and (p.at.span.overlaps(span) or p.at.span == span)
            for p in parts.values()
        )
        if not clash:
            at = Place(path, span)
            parts[at] = Replacement(at, text[span.start : span.stop], draw(TEXTS))
    allows = tuple(Allowed("number", at, name, None) for at in parts)
    return Edit(name, "rule", tuple(parts.values()), Purpose.POINT, f"why {name}", allows,
                (f"words {name}",), (f"point {name}",))  # fmt: skip


@given(st.data())
def test_edits_one_after_the_other_are_edits_of_the_first_text(data: st.DataObject) -> None:
    start = {path: Source(path, data.draw(st.text("cd\n", max_size=30))) for path in FILES}
    draft = Draft(start, start)
    made: list[Edit] = []
    for number in range(data.draw(st.integers(1, 6))):
        edit = data.draw(edits(dict(draft.now), f"e{number}"))
        made.append(edit)
        expected = {**draft.now, **apply(draft.now, [edit])}
        draft = draft.taken(Verdict(edit, Outcome.ACCEPTED, Layer.RUBRIC))
        assert {p: s.encode() for p, s in draft.now.items()} == {
            p: s.encode() for p, s in expected.items()
        }
        whole = {**start, **apply(start, draft.accepted)}
        assert {p: s.encode() for p, s in whole.items()} == {
            p: s.encode() for p, s in draft.now.items()
        }
        alone_is_possible(draft)
        nothing_is_forgotten(draft, made)


def alone_is_possible(draft: Draft) -> None:
    """No two accepted edits share text, so that each can be applied without the others."""
    parts = [(p.at, edit.id) for edit in draft.accepted for p in edit.replacements]
    for number, (one, mine) in enumerate(parts):
        for other, other_is in parts[number + 1 :]:
            if one.path == other.path:
                assert not one.span.overlaps(other.span), (mine, other_is)
                assert one.span != other.span or len(one.span)
    for edit in draft.accepted:
        apply(draft.start, [edit])


def nothing_is_forgotten(draft: Draft, made: list[Edit]) -> None:
    """Every verdict is kept; what was taken up says so, and its why and answers are held."""
    assert [v.edit.id for v in draft.verdicts] == [edit.id for edit in made]
    held = {name for v in draft.verdicts for name in v.holds}
    taken_back = {v.edit.id for v in draft.verdicts if v.reasons and "puts back" in v.reasons[-1]}
    superseded = {v.edit.id for v in draft.verdicts if v.outcome is Outcome.SUPERSEDED}
    assert superseded == held | taken_back
    for verdict in draft.verdicts:
        if verdict.outcome is Outcome.SUPERSEDED:
            assert verdict.reasons
        for name in verdict.holds if verdict.outcome is Outcome.ACCEPTED else ():
            assert f"why {name}" in verdict.edit.why
            assert f"point {name}" in verdict.edit.answers
            assert f"words {name}" in verdict.edit.evidence


@given(st.data())
def test_untouched_text_is_found_where_it_stood(data: st.DataObject) -> None:
    start = {path: Source(path, data.draw(st.text("cd\n", max_size=30))) for path in FILES}
    draft = Draft(start, start)
    for number in range(data.draw(st.integers(1, 4))):
        edit = data.draw(edits(dict(draft.now), f"e{number}"))
        draft = draft.taken(Verdict(edit, Outcome.ACCEPTED, Layer.RUBRIC))
    path = data.draw(st.sampled_from(FILES))
    text = draft.now[path].text
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    place = draft.origin(Place(path, Span(first, last)))
    assert place.span.stop <= len(start[path].text)
    spans = [p.at.span for e in draft.accepted for p in e.replacements if p.at.path == path]
    if last > first and not any(s.overlaps(place.span) or place.span.covers(s) for s in spans):
        assert start[path][place.span] == text[first:last]
