"""The passages of a paper that a judge is shown: whole paragraphs of one section, run by run.

The runs are the same before and after an edit, and from one edit to the next, so that a score is
asked for once and what an edit did to a run can be told.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TypeAlias

from reviser.budget import tokens_of
from reviser.manuscript.model import Manuscript, Paragraph
from reviser.review.shown import MARK, shown
from reviser.revise.controls import Stretch
from reviser.text.edit import Edit, Replacement
from reviser.text.source import Place, Span

PASSAGE = 400
"""Tokens of a passage: two or three paragraphs. A section that has more is cut into equal runs."""

_RUNNING = frozenset({"body", "abstract", "item"})


Plan: TypeAlias = tuple[tuple[int, int], ...]
"""Runs of a paper: indices of the first and last paragraph of each."""


@dataclass(frozen=True, slots=True)
class Run:
    """Paragraphs that are graded together; `section` is an index into `Manuscript.sections`."""

    section: int
    place: Place


@dataclass(frozen=True, slots=True)
class Pair:
    """A run before and after some edits, whose indices are `edits`; `hides` tells that something
    in the new text may not be shown to a judge."""

    section: int
    before: str
    after: str
    edits: tuple[int, ...]
    hides: bool

    @property
    def growth(self) -> float:
        """By which share the text has grown; 0 where it has not."""
        return max(0.0, len(self.after.split()) / max(1, len(self.before.split())) - 1)


def cut(manuscript: Manuscript, tokens: int = PASSAGE) -> Plan:
    """Every paragraph of running text in a run of about so many tokens, in reading order.

    A section is cut into equal shares; a paragraph belongs to that in which its middle lies.
    """
    found: list[tuple[int, int]] = []
    for row in _rows(manuscript):
        sizes = [tokens_of(manuscript.text(manuscript.paragraphs[n].at)) for n in row]
        share = sum(sizes) / max(1, round(sum(sizes) / tokens))
        ends = list(accumulate(sizes))
        shares = [int((end - size / 2) / share) for end, size in zip(ends, sizes, strict=True)]
        for _, group in groupby(zip(shares, row, strict=True), key=lambda pair: pair[0]):
            numbers = [number for _, number in group]
            found.append((numbers[0], numbers[-1]))
    return tuple(found)


def runs(manuscript: Manuscript, plan: Plan) -> tuple[Run, ...]:
    """The runs of a paper that has the paragraphs that `plan` was made for."""
    found = []
    for first, last in plan:
        one, other = manuscript.paragraphs[first], manuscript.paragraphs[last]
        span = Span(one.at.span.start, other.at.span.stop)
        found.append(Run(one.section, Place(one.at.path, span)))
    return tuple(found)


def fits(one: Manuscript, other: Manuscript) -> bool:
    """Whether two papers have the same sections and paragraphs, whatever these say."""

    def shape(paper: Manuscript) -> Sequence[object]:
        return [(p.at.path, p.section, p.kind) for p in paper.paragraphs]

    return len(one.sections) == len(other.sections) and shape(one) == shape(other)


def _rows(manuscript: Manuscript) -> Iterator[list[int]]:
    """Paragraphs that follow one another in one section of one file, by their indices."""
    row: list[int] = []
    last: Paragraph | None = None
    for number, paragraph in enumerate(manuscript.paragraphs):
        if paragraph.kind not in _RUNNING:
            continue
        if last is not None and _same_row(last, paragraph):
            if last.at.span.covers(paragraph.at.span):
                continue
        elif row:
            yield row
            row = []
        row.append(number)
        last = paragraph
    if row:
        yield row


def _same_row(one: Paragraph, other: Paragraph) -> bool:
    return (one.at.path, one.section) == (other.at.path, other.section) and (
        one.at.span.stop <= other.at.span.start or one.at.span.covers(other.at.span)
    )


def pairs(
    before: Manuscript, after: Manuscript, edits: Sequence[Edit], known: Sequence[Run]
) -> tuple[Pair, ...] | None:
    """The runs of `before` that `edits` touch, as they are before and after; None where an edit
    touches no running text. `known` are all runs of `before`."""
    touched: dict[int, set[int]] = {}
    hulls: dict[int, Place] = {}
    for number, edit in enumerate(edits):
        places = [part.at for part in edit.replacements if part.at.path not in before.bibliography]
        if not places:
            return None
        for place in places:
            run = _nearest(known, place)
            if run is None:
                return None
            touched.setdefault(run, set()).add(number)
            hull = hulls.get(run, known[run].place)
            start = min(hull.span.start, place.span.start)
            hulls[run] = Place(hull.path, Span(start, max(hull.span.stop, place.span.stop)))
    found = []
    for run in sorted(touched):
        old = shown(before, hulls[run]).text
        new = shown(after, moved(hulls[run], edits)).text
        hides = new.count(MARK) > old.count(MARK)
        inside = tuple(sorted(touched[run]))
        found.append(Pair(known[run].section, old.strip(), new.strip(), inside, hides))
    return tuple(found)


def _nearest(known: Sequence[Run], place: Place) -> int | None:
    """The run that holds the place, or else the one before or behind it in its file."""
    best: tuple[int, int] | None = None
    for number, run in enumerate(known):
        if run.place.path == place.path:
            span = run.place.span
            away = max(span.start - place.span.stop, place.span.start - span.stop, 0)
            if best is None or away < best[0]:
                best = away, number
    return None if best is None else best[1]


def moved(place: Place, edits: Iterable[Edit]) -> Place:
    """Where a place is after edits of the same text; what is put in at its ends belongs to it."""
    first, last = place.span.start, place.span.stop
    for part in _parts(edits, place.path):
        growth = len(part.after) - len(part.before)
        span = part.at.span
        if span.stop < place.span.start or (
            span.stop == place.span.start and span.start < span.stop
        ):
            first += growth
        if span.stop <= place.span.stop:
            last += growth
    return Place(place.path, Span(first, max(first, last)))


def _parts(edits: Iterable[Edit], path: str) -> Iterator[Replacement]:
    return (part for edit in edits for part in edit.replacements if part.at.path == path)


def stretch(manuscript: Manuscript, run: Run) -> Stretch:
    """A run with the places of its sentences and citations, to make controls of."""
    one = shown(manuscript, run.place)
    origins = [one.offsets.source(offset) for offset in range(len(one.text))]

    def inside(places: Iterable[Place]) -> tuple[Span, ...]:
        found: list[Span] = []
        for place in places:
            if place.path != run.place.path or not run.place.span.covers(place.span):
                continue
            start = bisect_left(origins, place.span.start)
            stop = bisect_left(origins, place.span.stop)
            if start < stop and (not found or found[-1].stop <= start):
                found.append(Span(start, stop))
        return tuple(found)

    return Stretch(
        one.text,
        inside(s.at for s in manuscript.sentences if s.kind in _RUNNING),
        inside(citation.at for citation in manuscript.citations),
    )
