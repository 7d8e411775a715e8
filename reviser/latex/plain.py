"""Plain text under construction: each of its characters knows where in the file it comes from."""

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from reviser.latex.sentences import BINDING, OBJECT, split
from reviser.text.source import Span

_READABLE = ((BINDING, " "), (OBJECT, "X"), ("`", "'"))
_LETTER = re.compile(r"[^\W\d_]")
_BLANK = frozenset(" \n\r\t\f\v" + BINDING)


@dataclass(frozen=True, slots=True)
class Plain:
    """One sentence without its markup.

    `runs` are (first offset in `text`, first offset in the file), ascending; within a run both
    advance together, and every offset of `text` lands within `at`. `at` covers the citations of
    the sentence. `balanced` is False when braces open in it and close outside, or the reverse:
    such a sentence must not be replaced as a whole.
    """

    at: Span
    text: str
    runs: tuple[tuple[int, int], ...]
    balanced: bool = True


class Draft:
    """The plain text of one block, written from left to right."""

    __slots__ = (
        "_begins",
        "_ends",
        "_following",
        "_length",
        "_parts",
        "_runs",
        "_text",
        "braces",
        "cuts",
        "marks",
    )

    def __init__(self, text: str) -> None:
        self._text = text
        self._parts: list[str] = []
        self._length = 0
        self._runs: list[tuple[int, int]] = []
        self._begins: dict[int, int] = {}
        self._ends: dict[int, int] = {}
        self._following = -1
        self.braces: list[tuple[int, int, int]] = []
        """What opens and closes: (offset, +1 or -1, edge). The edge of an opening is the start of
        the command whose argument it opens, that of a closing is its end."""
        self.cuts: list[int] = []
        """Plain offsets where a sentence ends whatever the words say."""
        self.marks: list[int] = []
        """Plain offsets of citations."""

    def __len__(self) -> int:
        return self._length

    @property
    def last(self) -> str:
        """The last character, or a blank at the start."""
        return self._parts[-1][-1] if self._parts else " "

    def copy(self, start: int, stop: int) -> None:
        """Append `text[start:stop]` as it stands, but for blanks after blanks."""
        text = self._text
        while (double := text.find("  ", start, stop)) >= 0:
            self._copy(start, double + 1)
            start = double + 1
            while start < stop and text[start] == " ":
                start += 1
        self._copy(start, stop)

    def _copy(self, start: int, stop: int) -> None:
        if start < stop and self._text[start] in _BLANK and self.last in _BLANK:
            start += 1
        if start >= stop:
            return
        if start != self._following:
            self._runs.append((self._length, start))
        self._parts.append(self._text[start:stop])
        self._length += stop - start
        self._following = stop

    def put(self, words: str, start: int, stop: int) -> None:
        """Append `words`, which stand for the markup `text[start:stop]` (not empty)."""
        if not words:
            return
        room = stop - start
        runs = range(1) if len(words) <= room else range(len(words))
        self._runs.extend((self._length + i, start + min(i, room - 1)) for i in runs)
        self._parts.append(words)
        self._length += len(words)
        self._ends[self._length - 1] = stop
        self._following = -1

    def enclose(self, first: int, start: int, stop: int) -> None:
        """What was appended from plain offset `first` on stands for all of `text[start:stop]`:
        a sentence that begins or ends with it takes in its delimiters."""
        if first < self._length:
            self._begins[first] = start
            self._ends[self._length - 1] = stop
            self._following = -1

    def space(self, start: int, blank: str = " ") -> None:
        """Append one blank that stands for the character at `start`, unless one is there."""
        if not self._parts or self._parts[-1][-1] in _BLANK:
            return
        if start != self._following:
            self._runs.append((self._length, start))
        self._parts.append(blank)
        self._length += 1
        self._following = start + 1

    def sentences(self) -> tuple[Plain, ...]:
        """What has been written, cut into sentences; those without a word or citation left out."""
        if not self._length:
            return ()
        plain = "".join(self._parts)
        if not self.marks and not _LETTER.search(plain):
            return ()
        spans: list[Span] = []
        previous = 0
        for cut in [*self.cuts, self._length]:
            pieces = split(plain[previous:cut]) if previous or cut < self._length else split(plain)
            spans.extend(Span(previous + s.start, previous + s.stop) for s in pieces)
            previous = cut
        return tuple(self._located(plain, self._merged(plain, spans)))

    def _merged(self, plain: str, spans: list[Span]) -> list[Span]:
        """Sentences that hold a word; a lone citation or closing mark joins the one before."""
        kept: list[Span] = []
        for span in spans:
            worded = _LETTER.search(plain, span.start, span.stop) is not None
            cites = bisect_left(self.marks, span.start) < bisect_left(self.marks, span.stop)
            if worded or (cites and not kept):
                kept.append(span)
            elif cites:
                kept[-1] = Span(kept[-1].start, span.stop)
        return kept

    def _located(self, plain: str, spans: list[Span]) -> list[Plain]:
        firsts = [run[0] for run in self._runs]
        readable = plain
        for private, public in _READABLE:
            readable = readable.replace(private, public)
        edges: list[tuple[int, int]] = []
        for span in spans:
            start = self._begins.get(span.start)
            if start is None:
                start = self._source(firsts, span.start)
            edges.append((start, max(start, self._end(firsts, span.stop - 1))))
        nesting = _Nesting(self.braces)
        found: list[Plain] = []
        floor = edges[0][0] if edges else 0
        if nesting.offsets:
            floor = min(floor, self.braces[0][2])
        for number, span in enumerate(spans):
            following = edges[number + 1][0] if number + 1 < len(edges) else len(self._text)
            at, balanced = nesting.widened(*edges[number], floor, following)
            floor = at.stop
            found.append(
                Plain(
                    at,
                    readable[span.start : span.stop],
                    self._sliced(firsts, span),
                    balanced,
                )
            )
        return found

    def _source(self, firsts: list[int], offset: int) -> int:
        first, source = self._runs[bisect_right(firsts, offset) - 1]
        return source + offset - first

    def _end(self, firsts: list[int], offset: int) -> int:
        end = self._ends.get(offset)
        return self._source(firsts, offset) + 1 if end is None else end

    def _sliced(self, firsts: list[int], span: Span) -> tuple[tuple[int, int], ...]:
        low = bisect_right(firsts, span.start)
        high = bisect_left(firsts, span.stop)
        head = (0, self._source(firsts, span.start))
        return (head, *((first - span.start, source) for first, source in self._runs[low:high]))


class _Nesting:
    """The braces of a block, to widen a sentence over those that belong to it."""

    __slots__ = ("_braces", "_depths", "offsets")

    def __init__(self, braces: list[tuple[int, int, int]]) -> None:
        self._braces = braces
        self.offsets = [brace[0] for brace in braces]
        depth = 0
        self._depths = [0]
        for _, step, _ in braces:
            depth += step
            self._depths.append(depth)

    def widened(self, start: int, stop: int, floor: int, ceiling: int) -> tuple[Span, bool]:
        """`start:stop` with the markup beside it that balances its braces, if that can be had.

        Never reaches below `floor` or above `ceiling`, where the neighbours begin.
        """
        low, high = bisect_left(self.offsets, start), bisect_left(self.offsets, stop)
        if low == high:
            return Span(start, stop), True
        depths = self._depths[low : high + 1]
        closing = depths[0] - min(depths)
        opening = depths[-1] - min(depths)
        begin, end = start, stop
        while (
            closing and low and self._braces[low - 1][1] > 0 and self._braces[low - 1][2] >= floor
        ):
            low -= 1
            begin = self._braces[low][2]
            closing -= 1
        while opening and high < len(self._braces) and self._braces[high][1] < 0:
            if self._braces[high][0] >= ceiling:
                break
            end = self._braces[high][2]
            high += 1
            opening -= 1
        if closing or opening:
            return Span(start, stop), False
        return Span(begin, end), True
