"""An edit seen with the paper before and after it, and what it did to the protected atoms."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reviser.manuscript.model import Manuscript
from reviser.revise.atoms import ENTRY, Atom, is_bibliography, read_atoms, text_atoms
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Span

_PARAGRAPH_END = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)")
_REACH = 6000  # how far a window goes where a paragraph has no end, in code points
_MOST_COMPARED = 400  # atoms of one replacement that are matched with one another

# An allowance may speak of running words: kind "words", with the exact text lost and gained.
WORDS = "words"

#: Purposes whose edits may add whole sentences, beside changing those there are.
ADDING = frozenset({Purpose.POINT, Purpose.HUMAN})


@dataclass(frozen=True, slots=True)
class Difference:
    """An atom that is there only before (`lost`) or only after (`gained`) the edit.

    `at` is in the text before; for a gained atom the replacement that brought it, or the place
    where it now begins to be read.
    """

    atom: Atom
    at: Place
    lost: bool

    def __str__(self) -> str:
        words = " ".join(self.atom.words.split())
        short = words if len(words) <= 60 else f"{words[:57]}..."
        return f"{self.atom.kind} {short!r} {'lost' if self.lost else 'gained'}"


@dataclass(frozen=True)
class Change:
    """What a check judges: the whole paper before and after, both freshly read, and the edit."""

    before: Manuscript
    after: Manuscript
    edit: Edit

    def parts(self, path: str) -> tuple[Replacement, ...]:
        """The edit's replacements in `path`, in reading order."""
        inside = (r for r in self.edit.replacements if r.at.path == path)
        return tuple(sorted(inside, key=lambda r: r.at.span))

    def shifted(self, path: str, start: int, stop: int) -> tuple[int, int] | None:
        """Where start and stop of a stretch of `path` lie after the edit; None inside it."""
        first, last = 0, 0
        for part in self.parts(path):
            span, growth = part.at.span, len(part.after) - len(part.before)
            if span.start < start < span.stop or span.start < stop < span.stop:
                return None
            if span.stop <= start:
                first += growth
            if span.stop <= stop and (span.start < span.stop or span.stop < stop):
                last += growth
        return start + first, max(start + first, stop + last)

    def landed(self, part: Replacement) -> Span:
        """Where the text that one of the edit's replacements brings stands afterwards."""
        start = part.at.span.start
        for other in self.parts(part.at.path):
            if other is part:
                break
            start += len(other.after) - len(other.before)
        return Span(start, start + len(part.after))

    def inserted(self, path: str) -> tuple[Span, ...]:
        """Where text stands afterwards that a written edit puts in without taking any."""
        if self.edit.purpose not in ADDING:
            return ()
        return tuple(self.landed(part) for part in self.parts(path) if not part.before)

    def windows(self, path: str, reach: int = _REACH) -> tuple[tuple[Span, Span], ...]:
        """The paragraphs around the replacements in `path`, before and after, disjoint.

        None goes further than `reach` code points from the text that is replaced.
        """
        text = self.before.sources[path].text
        hulls: list[Span] = []
        for part in self.parts(path):
            wide = _paragraph(text, part.at.span, reach)
            if hulls and wide.start <= hulls[-1].stop:
                wide = Span(hulls.pop().start, max(wide.stop, wide.start))
            hulls.append(wide)
        return tuple((hull, self._after(path, hull)) for hull in hulls)

    def _after(self, path: str, hull: Span) -> Span:
        """The hull's place after the edit; what is inserted at its very ends belongs to it."""
        first, last = hull.start, hull.stop
        for part in self.parts(path):
            growth = len(part.after) - len(part.before)
            if part.at.span.stop < hull.start or (
                part.at.span.stop == hull.start and part.at.span.start < hull.start
            ):
                first += growth
            if part.at.span.stop <= hull.stop:
                last += growth
        return Span(first, max(first, last))

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Every atom lost or gained, word by word, in reading order of each file."""
        found: list[Difference] = []
        for path in self.edit.paths:
            if path in self.before.sources and path in self.after.sources:
                found += self._differences(path)
        return tuple(found)

    @cached_property
    def undeclared(self) -> tuple[Difference, ...]:
        """The differences that the edit's allowances do not cover."""
        return self._settled[0]

    @cached_property
    def undone(self) -> tuple[Allowed, ...]:
        """The allowances that nothing in the text answers to."""
        return self._settled[1]

    @cached_property
    def _settled(self) -> tuple[tuple[Difference, ...], tuple[Allowed, ...]]:
        open_ones = list(self.differences)
        unused = []
        for allowed in self.edit.allows:
            covered = self._covered(allowed, open_ones)
            if covered is None:
                unused.append(allowed)
            else:
                open_ones = [d for d in open_ones if not any(d is c for c in covered)]
        return tuple(open_ones), tuple(unused)

    def _covered(
        self, allowed: Allowed, differences: Sequence[Difference]
    ) -> list[Difference] | None:
        """The differences that `allowed` announces, or None when they are not all there."""
        if allowed.kind == WORDS:
            return self._covered_words(allowed, differences)
        covered: list[Difference] = []
        for said, lost in ((allowed.lost, True), (allowed.gained, False)):
            if said is None:
                continue
            match = next(
                (
                    d
                    for d in differences
                    if d.lost == lost
                    and d.atom.kind == allowed.kind
                    and d.atom.words == said
                    and _touch(d.at, allowed.at)
                    and d not in covered
                ),
                None,
            )
            if match is None:
                return None
            covered.append(match)
            if allowed.kind == ENTRY:
                covered += [d for d in differences if d.lost == lost and _inside(d, match)]
        return covered or None

    def _covered_words(
        self, allowed: Allowed, differences: Sequence[Difference]
    ) -> list[Difference] | None:
        """The differences within a stretch whose exact texts, old and new, were announced."""
        path, span = allowed.at.path, allowed.at.span
        if path not in self.before.sources or path not in self.after.sources:
            return None
        if any(p.at.span.overlaps(span) and not span.covers(p.at.span) for p in self.parts(path)):
            return None
        old, new = (
            self.before.sources[path][span],
            self.after.sources[path][self._after(path, span)],
        )
        if (old, new) != (allowed.lost or "", allowed.gained or "") or old == new:
            return None
        return [d for d in differences if d.at.path == path and span.covers(d.at.span)]

    def _differences(self, path: str) -> Iterator[Difference]:
        before = list(read_atoms(self.before, path))
        after = list(read_atoms(self.after, path))
        for old, new in self.windows(path):
            before += text_atoms(self.before, path, old)
            after += text_atoms(self.after, path, new)
        return self._unmatched(path, before, after)

    def _unmatched(
        self, path: str, before: Sequence[Atom], after: Sequence[Atom]
    ) -> Iterator[Difference]:
        remaining = dict.fromkeys(after)
        lost: list[tuple[Atom, Place]] = []
        for atom in before:
            ends = self.shifted(path, atom.start, atom.stop)
            moved = Atom(*ends, atom.kind, atom.words) if ends else None
            if moved in remaining:
                del remaining[moved]
            else:
                lost.append((atom, Place(path, Span(atom.start, atom.stop))))
        gained = [(atom, self._origin(path, atom)) for atom in remaining]
        # What was put in is new, though the same may have gone just beside it.
        new = [
            number
            for number, (atom, _) in enumerate(gained)
            if any(span.covers(Span(atom.start, atom.stop)) for span in self.inserted(path))
        ]
        kept_before, kept_after = _common(lost, gained, frozenset(new))
        for number, (atom, at) in enumerate(lost):
            if number not in kept_before:
                yield Difference(atom, at, lost=True)
        for number, (atom, at) in enumerate(gained):
            if number not in kept_after:
                yield Difference(atom, at, lost=False)

    def _origin(self, path: str, atom: Atom) -> Place:
        """The place before the edit that an atom of the text after it belongs to."""
        shift = 0
        start = stop = None
        for part in self.parts(path):
            landed = self.landed(part)
            if landed.start <= atom.stop and atom.start <= landed.stop:
                start = part.at.span.start if start is None else start
                stop = part.at.span.stop
            if landed.stop <= atom.start:
                shift += len(part.after) - len(part.before)
        if start is not None and stop is not None:
            return Place(path, Span(start, stop))
        length = len(self.before.sources[path].text)
        origin = min(max(atom.start - shift, 0), length)
        return Place(path, Span(origin, min(origin + atom.stop - atom.start, length)))


def _paragraph(text: str, span: Span, reach: int) -> Span:
    """The paragraph around `span`, at most `reach` further on each side."""
    floor, roof = max(0, span.start - reach), min(len(text), span.stop + reach)
    ends = [match.end() for match in _PARAGRAPH_END.finditer(text, floor, span.start)]
    following = _PARAGRAPH_END.search(text, span.stop, roof)
    return Span(ends[-1] if ends else floor, following.start() if following else roof)


def _touch(one: Place, other: Place) -> bool:
    return (
        one.path == other.path
        and one.span.start <= other.span.stop
        and other.span.start <= one.span.stop
    )


def _inside(difference: Difference, entry: Difference) -> bool:
    """Whether the difference is a part of a bibliography entry that goes or comes as a whole."""
    return (
        is_bibliography(entry.at.path)
        and difference.at.path == entry.at.path
        and entry.atom.start <= difference.atom.start
        and difference.atom.stop <= entry.atom.stop
    )


def _common(
    lost: Sequence[tuple[Atom, Place]],
    gained: Sequence[tuple[Atom, Place]],
    new: frozenset[int],
) -> tuple[set[int], set[int]]:
    """Atoms of the same replacement that stay in the same order: a longest common subsequence.

    They stand inside replaced text, so their positions alone do not tell that they are kept.
    `new` are numbers of gained ones that were not there before.
    """
    rows, columns = len(lost), len(gained)
    if not rows or not columns or rows > _MOST_COMPARED or columns > _MOST_COMPARED:
        return set(), set()

    def same(row: int, column: int) -> bool:
        (one, here), (other, there) = lost[row], gained[column]
        return (
            one.kind == other.kind
            and one.words == other.words
            and one.kind != ENTRY
            and column not in new
            and _touch(here, there)
        )

    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            best[row][column] = (
                best[row + 1][column + 1] + 1
                if same(row, column)
                else max(best[row + 1][column], best[row][column + 1])
            )
    row = column = 0
    kept_rows, kept_columns = set(), set()
    while row < rows and column < columns:
        if same(row, column):
            kept_rows.add(row)
            kept_columns.add(column)
            row, column = row + 1, column + 1
        elif best[row + 1][column] >= best[row][column + 1]:
            row += 1
        else:
            column += 1
    return kept_rows, kept_columns
