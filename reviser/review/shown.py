"""The text of a paper as a model is shown it, and the way back from a quotation to the source.

LaTeX as it is written, floats and formulas included, without what `withheld` names. What a model
quotes of it counts only where it stands exactly once; white space and lookalike quotation marks
and hyphens do not matter, and the place is that of the very source.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviser.latex.quoting import folded, occurrences
from reviser.manuscript.model import Manuscript, OffsetMap
from reviser.review.withheld import COMMENT, DEAD, UNSEEN, Cut, cuts
from reviser.text.source import Place, Span

MARK = "[left out]"
"""Stands where hidden words or orders stood; no quotation may run across it."""

_HARMLESS = {COMMENT: "comments", DEAD: DEAD, UNSEEN: UNSEEN}
"""Told once for a file, without their lines."""
_MOST_PLACES = 50


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown of one place. `offsets` leads from `text` to the file, `marks` are where in
    `text` something is marked as left out; `withheld` tells what was, and where."""

    text: str
    place: Place
    withheld: tuple[str, ...]
    offsets: OffsetMap
    marks: tuple[Span, ...] = ()

    def find(self, quote: str) -> Place | None:
        """The place of words that stand here exactly once, None else."""
        found = self.places(quote)
        return found[0] if len(found) == 1 else None

    def places(self, quote: str) -> tuple[Place, ...]:
        """Every place of these words, whole words only, up to fifty."""
        wanted = folded(quote.strip()).text.strip()
        if not any(char.isalnum() for char in wanted):
            return ()
        within = folded(self.text)
        found = []
        for start in occurrences(within.text, wanted):
            first, last = within.starts[start], within.stops[start + len(wanted) - 1]
            if not any(mark.start < last and first < mark.stop for mark in self.marks):
                found.append(self._source(first, last))
            if len(found) >= _MOST_PLACES:
                break
        return tuple(found)

    def _source(self, first: int, last: int) -> Place:
        start, stop = self.offsets.source(first), self.offsets.source(last - 1) + 1
        return Place(self.place.path, Span(start, stop))


def shown(manuscript: Manuscript, place: Place) -> Shown:
    """What is shown of a place, in one file."""
    source = manuscript.sources[place.path]
    pieces: list[str] = []
    runs: list[tuple[int, int]] = [(0, place.span.start)]
    marks: list[Span] = []
    length, cursor = 0, place.span.start
    left_out = cuts(manuscript, place.path, place.span)
    for cut in left_out:
        if cut.start > cursor:
            pieces.append(source.text[cursor : cut.start])
            length += cut.start - cursor
        if cut.marked:
            mark = f" {MARK} "
            marks.append(Span(length, length + len(mark)))
            pieces.append(mark)
            runs.append((length, cut.start))
            length += len(mark)
        cursor = cut.stop
        runs.append((length, cursor))
    pieces.append(source.text[cursor : place.span.stop])
    return Shown(
        "".join(pieces),
        place,
        _told(manuscript, place.path, left_out),
        OffsetMap(tuple(runs)),
        tuple(marks),
    )


def _told(manuscript: Manuscript, path: str, left_out: Sequence[Cut]) -> tuple[str, ...]:
    """What was left out, in words: the harmless once, the rest with its lines."""
    harmless = sorted({_HARMLESS[cut.why] for cut in left_out if cut.why in _HARMLESS})
    told = [f"{path}: {what}" for what in harmless]
    for cut in left_out:
        if cut.why not in _HARMLESS:
            first, last = manuscript.lines(Place(path, Span(cut.start, cut.stop)))
            lines = f"{first}" if first == last else f"{first}-{last}"
            told.append(f"{path}:{lines}: {cut.why}")
    return tuple(dict.fromkeys(told))


def section_places(manuscript: Manuscript, number: int, *, own: bool = False) -> tuple[Place, ...]:
    """Where the text of a section stands, in reading order, over all files it is spread on.

    Its heading belongs to it, and so do its subsections unless only its `own` text is wanted.
    Section 0 has the title and the abstract too where these stand before the document begins.
    """
    wanted = {number} if own else {number, *_below(manuscript, number)}
    found: list[Place] = list(front_places(manuscript)) if 0 in wanted else []
    for section, place in body(manuscript):
        if section in wanted and not manuscript.text(place).isspace():
            last = found[-1] if found else None
            if last and last.path == place.path and last.span.stop == place.span.start:
                found[-1] = Place(place.path, Span(last.span.start, place.span.stop))
            else:
                found.append(place)
    return tuple(found)


def body(manuscript: Manuscript) -> Iterator[tuple[int, Place]]:
    """The body of the paper in reading order, cut at headings and where files are included;
    each piece with the number of its section."""
    heads: dict[str, list[tuple[int, int]]] = {}
    for number, section in enumerate(manuscript.sections):
        if section.heading is not None:
            at = section.heading.at
            heads.setdefault(at.path, []).append((at.span.start, number))
    for found in heads.values():
        found.sort()
    current = 0
    for stretch in manuscript.stretches:
        here = heads.get(stretch.path, [])
        start, stop = stretch.span.start, stretch.span.stop
        first = bisect_left(here, start, key=lambda head: head[0])
        for offset, number in here[first : bisect_left(here, stop, key=lambda head: head[0])]:
            if offset > start:
                yield current, Place(stretch.path, Span(start, offset))
            start, current = offset, number
        yield current, Place(stretch.path, Span(start, stop))


def front_places(manuscript: Manuscript) -> Iterator[Place]:
    """Title and abstract where they stand outside of what is read as the body."""
    for paragraph in manuscript.paragraphs:
        if paragraph.section == 0 and paragraph.kind in ("title", "abstract"):
            at = paragraph.at
            if not any(s.path == at.path and s.span.covers(at.span) for s in manuscript.stretches):
                yield at


def _below(manuscript: Manuscript, number: int) -> set[int]:
    """The sections below a section; none below section 0."""
    below: set[int] = set()
    for index, section in enumerate(manuscript.sections):
        if section.parent is not None and (section.parent == number or section.parent in below):
            below.add(index)
    return below
