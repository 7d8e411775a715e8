"""Where a point stands after the text has changed: its quoted words, found again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reviser.manuscript.model import Manuscript
from reviser.review.model import Point, Remedy
from reviser.review.shown import section_places, shown
from reviser.review.treatable import section_at, untreatable
from reviser.text.edit import Edit
from reviser.text.source import Place, Span

CHANGED = "an accepted edit changed the words it speaks of"
SEVERAL = "its words stand in several places now"
UNTREATABLE = "no edit may touch its place any more"


def relocated(manuscript: Manuscript, point: Point, accepted: Sequence[Edit]) -> Point | str:
    """The point at its place in `manuscript`, the text after the `accepted` edits; or why it has
    none there.

    The edits and the point speak of one and the same text. Where the edits left the quoted words
    alone, their new place follows; else the words must stand once in their section, or in their
    file, with only the white space around them changed.
    """
    place = _found(manuscript, point, accepted)
    if isinstance(place, str):
        return place
    if point.remedy is Remedy.TOOL and untreatable(manuscript, place):
        return UNTREATABLE
    return replace(
        point,
        quote=manuscript.text(place),
        place=place,
        section=section_at(manuscript, place),
        lines=manuscript.lines(place),
    )


def _found(manuscript: Manuscript, point: Point, accepted: Sequence[Edit]) -> Place | str:
    source = manuscript.sources.get(point.place.path)
    if source is None or not point.quote:
        return CHANGED
    everywhere = [Place(source.path, span) for span in _spans(source.text, point.quote)]
    moved = _moved(point.place, accepted)
    if moved in everywhere:
        return moved
    in_section = _in_section(manuscript, point)
    within = [
        p for p in everywhere if any(s.path == p.path and s.span.covers(p.span) for s in in_section)
    ]
    for places in (within, everywhere):
        if len(places) == 1:
            return places[0]
    if everywhere:
        return SEVERAL
    respaced = [found for at in in_section for found in shown(manuscript, at).places(point.quote)]
    return respaced[0] if len(respaced) == 1 else SEVERAL if respaced else CHANGED


def _in_section(manuscript: Manuscript, point: Point) -> Sequence[Place]:
    if point.section >= len(manuscript.sections):
        return ()
    return [p for p in section_places(manuscript, point.section) if p.path == point.place.path]


def _spans(text: str, words: str) -> Iterator[Span]:
    start = text.find(words)
    while start >= 0:
        yield Span(start, start + len(words))
        start = text.find(words, start + 1)


def _moved(place: Place, accepted: Iterable[Edit]) -> Place | None:
    """Where the place goes when all `accepted` are applied, None where one of them changes it."""
    shift = 0
    for part in (part for edit in accepted for part in edit.replacements):
        if part.at.path != place.path:
            continue
        if part.at.span.overlaps(place.span):
            return None
        if part.at.span.stop <= place.span.start:
            shift += len(part.after) - len(part.before)
    start = place.span.start + shift
    return Place(place.path, Span(start, start + len(place.span))) if start >= 0 else None
