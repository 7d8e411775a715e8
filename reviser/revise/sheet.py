"""A paragraph on the writer's desk: its sentences as shown, and what new words replace."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from reviser.manuscript.model import Manuscript
from reviser.revise.layout import Layout, layout_of
from reviser.revise.placeholders import (
    Mismatch,
    Piece,
    Protected,
    Token,
    compared,
    gap_before,
    protect,
    tokens,
)
from reviser.revise.placeholders import woven as weave
from reviser.text.edit import Replacement
from reviser.text.source import Place, Span


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence on a sheet: its number there from 1, its index in the manuscript, its place, and
    its pieces. `closed` tells that something sticks to its end, so nothing can be added there."""

    number: int
    sentence: int
    at: Place
    pieces: tuple[Piece, ...]
    closed: bool

    @property
    def text(self) -> str:
        """The sentence as shown."""
        return Protected(self.at, self.pieces).text


@dataclass(frozen=True, slots=True)
class Rewording:
    """New words for the sentences `first` to `last` of a sheet, as one or more sentences."""

    first: int
    last: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Addition:
    """A new sentence in LaTeX, to stand behind the sentence `after`."""

    after: int
    latex: str


@dataclass(frozen=True)
class Sheet:
    """A paragraph of `manuscript` with its sentences in order."""

    manuscript: Manuscript
    paragraph: int
    lines: tuple[Line, ...]
    layout: Layout

    @property
    def at(self) -> Place:
        """The paragraph's place."""
        return self.manuscript.paragraphs[self.paragraph].at

    @cached_property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """What each mark stands for."""
        return tuple((p.shown, p.what) for line in self.lines for p in line.pieces if p.what)

    def line(self, number: int) -> Line | None:
        """The sentence with that number."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else None

    def pieces(self, part: Rewording) -> tuple[Piece, ...]:
        """The pieces of the sentences that a rewording speaks of."""
        return tuple(p for line in self.lines[part.first - 1 : part.last] for p in line.pieces)

    def old(self, part: Rewording) -> str:
        """The words that a rewording takes the place of, as shown."""
        return " ".join(line.text for line in self.lines[part.first - 1 : part.last])

    def mismatch(self, part: Rewording) -> Mismatch | None:
        """What is wrong with the marks of a rewording."""
        given = [piece.number for piece in self.pieces(part) if piece.what]
        return compared(given, " ".join(part.texts))

    def torn(self, part: Rewording) -> bool:
        """Whether something stands between the sentences that would be lost with their border."""
        text = self.manuscript.sources[self.at.path].text
        lines = self.lines[part.first - 1 : part.last]
        return any(
            text[here.pieces[-1].stop : after.pieces[0].start].strip()
            for here, after in pairwise(lines)
        )

    def reworded(self, part: Rewording) -> Replacement | None:
        """The smallest stretch in which a rewording differs; None when it says the same.

        Raises ValueError when its marks do not match.
        """
        pieces = self.pieces(part)
        wrong = self.mismatch(part)
        if wrong is not None:
            raise ValueError(str(wrong))
        said: list[Token] = []
        opens: set[int] = set()
        for text in part.texts:
            opens.add(len(said))
            said += tokens(text)
        woven = weave(pieces, said)
        return _smallest(self, pieces, woven, opens)

    def added(self, additions: Sequence[Addition]) -> tuple[Replacement, ...]:
        """The insertions of new sentences, one for each place, in reading order."""
        found = []
        for line in self.lines:
            new = [one.latex for one in additions if one.after == line.number]
            if new:
                at = Place(self.at.path, Span(line.at.span.stop, line.at.span.stop))
                found.append(Replacement(at, "", self._laid_out(new, line.at.span.stop)))
        return tuple(found)

    def _laid_out(self, sentences: Sequence[str], start: int) -> str:
        layout = self.layout
        if layout.per_sentence:
            return "".join(layout.line_break + one for one in sentences)
        column = self.manuscript.sources[self.at.path].column(start) - 1
        words = [(None, word) for one in sentences for word in one.split(" ")]
        return wrapped(words, column, layout)


def sheet_of(manuscript: Manuscript, paragraph: int) -> Sheet:
    """The sheet of a paragraph."""
    at = manuscript.paragraphs[paragraph].at
    text = manuscript.sources[at.path].text
    own = [(n, s) for n, s in enumerate(manuscript.sentences) if s.paragraph == paragraph]
    protected = protect(manuscript, at, starts={s.at.span.start for _, s in own})
    lines: list[Line] = []
    for number, sentence in own:
        pieces = protected.part(sentence.at.span).pieces
        stop = sentence.at.span.stop
        sticks = text[stop : stop + 1]
        if pieces:
            closed = pieces[-1].stop > stop or bool(sticks.strip("% \t\r\n"))
            lines.append(Line(len(lines) + 1, number, sentence.at, pieces, closed))
    return Sheet(manuscript, paragraph, tuple(lines), layout_of(manuscript, paragraph))


def wrapped(words: Sequence[tuple[str | None, str]], column: int, layout: Layout) -> str:
    """Words with what stands before each, from a 0-based column on. None is a new blank, which
    becomes a line break where the line would be too long."""
    out: list[str] = []
    for before, word in words:
        gap = " " if before is None else before
        if before is None and layout.width and column + 1 + len(word) > layout.width:
            gap = layout.line_break
        for part in (gap, word):
            out.append(part)
            tail = max(part.rfind("\n"), part.rfind("\r"))
            column = len(part) - tail - 1 if tail >= 0 else column + len(part)
    return "".join(out)


def _smallest(
    sheet: Sheet, pieces: Sequence[Piece], laid: Sequence[Token], opens: Collection[int]
) -> Replacement | None:
    """The replacement of the pieces that differ, grown by one where nothing would be left of them
    or nothing stood there: an empty text replaced stands for whole new sentences only."""
    gaps = [gap_before(laid, n) if n else "" for n in range(len(laid))]
    stays = [
        token.kept is not None and (not n or gaps[n] == token.kept.gap)
        for n, token in enumerate(laid)
    ]
    least = min(len(laid), len(pieces))
    if not least:
        return None
    head = tail = 0
    while head < least and stays[head] and laid[head].kept is pieces[head]:
        head += 1
    if head == len(laid) == len(pieces):
        return None
    while tail < least - head and stays[-1 - tail] and laid[-1 - tail].kept is pieces[-1 - tail]:
        tail += 1
    if head == least - tail:
        head, tail = (head - 1, tail) if head else (head, tail - 1)
    path, layout = sheet.at.path, sheet.layout
    span = Span(pieces[head].start, pieces[len(pieces) - tail - 1].stop)
    source = sheet.manuscript.sources[path]
    words: list[tuple[str | None, str]] = []
    for number in range(head, len(laid) - tail):
        gap = gaps[number] if number > head else ""
        if gap is None and number in opens and layout.per_sentence:
            gap = layout.line_break
        words.append((gap, laid[number].source))
    after = wrapped(words, source.column(span.start) - 1, layout)
    return Replacement(Place(path, span), source[span], after)
