"""What a model is shown around the points of a section: as much as is useful and fits."""

from collections.abc import Iterator, Sequence

from reviser.budget import tokens_of
from reviser.manuscript.model import Manuscript
from reviser.review.model import Point
from reviser.review.shown import section_places, shown
from reviser.review.treatable import paragraph_at
from reviser.text.source import Place, Span

GAP = "[...]"
"""Stands where paragraphs were passed over."""
_RADII = (3, 1, 0)


def surroundings(manuscript: Manuscript, points: Sequence[Point], tokens: int) -> str | None:
    """The text of the section that `points` stand in, without its subsections; where that takes
    more than so many `tokens`, the paragraphs around each point, the fewer the less room there is,
    at last the quoted words alone. None when not even these fit. All points stand in one section.
    """
    for places in _choices(manuscript, points):
        text = f"\n{GAP}\n".join(shown(manuscript, place).text.strip() for place in places)
        if tokens_of(text) <= tokens:
            return text
    return None


def heading(manuscript: Manuscript, section: int) -> str:
    """The titles from the outermost section to this one, as a model is shown them."""
    titles: list[str] = []
    number: int | None = section
    while number is not None:
        found = manuscript.sections[number].heading
        if found is not None:
            titles.append(shown(manuscript, found.title).text.strip())
        number = manuscript.sections[number].parent
    return " / ".join(reversed(titles)) or "(before the first heading)"


def _choices(manuscript: Manuscript, points: Sequence[Point]) -> Iterator[Sequence[Place]]:
    whole = section_places(manuscript, points[0].section, own=True)
    quoted = [point.place for point in points]
    if all(
        any(place.path == q.path and place.span.covers(q.span) for place in whole) for q in quoted
    ):
        yield whole
    for radius in _RADII:
        yield _joined([_around(manuscript, place, radius) for place in quoted])
    yield _joined(quoted)


def _around(manuscript: Manuscript, place: Place, radius: int) -> Place:
    """From so many paragraphs before to so many after, in the same section and file."""
    number = paragraph_at(manuscript, place)
    if number is None:
        return place
    section = manuscript.paragraphs[number].section
    near = [
        p.at.span
        for p in manuscript.paragraphs[max(0, number - radius) : number + radius + 1]
        if p.section == section and p.at.path == place.path
    ]
    return Place(place.path, Span(min(s.start for s in near), max(s.stop for s in near)))


def _joined(places: Sequence[Place]) -> Sequence[Place]:
    """The places in order, those that overlap as one."""
    found: list[Place] = []
    for place in sorted(set(places)):
        last = found[-1] if found else None
        if last and last.path == place.path and place.span.start <= last.span.stop:
            stop = max(last.span.stop, place.span.stop)
            found[-1] = Place(last.path, Span(last.span.start, stop))
        else:
            found.append(place)
    return found
