"""How a file lays out its prose in lines, so that new words look as if its authors typed them."""

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import quantiles

from reviser.manuscript.model import Manuscript
from reviser.text.source import Place, Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"[ \t]*")
_ENDS = {"crlf": "\r\n", "cr": "\r"}
_FEW = 3
"""Sentences from which a paragraph shows its own habit; with fewer its file is asked."""
_WIDEST = 140
"""Columns: where lines are longer, nobody wraps them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """`newline` ends the file's lines, `indent` begins those of the paragraph. `per_sentence`:
    every sentence begins a line. `width`: the column at which lines are wrapped, 0 for never."""

    newline: str
    indent: str
    per_sentence: bool
    width: int

    @property
    def line_break(self) -> str:
        """A new line of the paragraph."""
        return self.newline + self.indent

    @property
    def between(self) -> str:
        """What stands between two sentences."""
        return self.line_break if self.per_sentence else " "


def layout_of(manuscript: Manuscript, paragraph: int) -> Layout:
    """The habit of a paragraph, or of its file where the paragraph is too short to tell."""
    at = manuscript.paragraphs[paragraph].at
    source = manuscript.sources[at.path]
    newline = _ENDS.get(source.newline, "\n")
    if source.newline == "mixed":
        following = _LINE_END.search(source.text, at.span.start)
        newline = following[0] if following else newline
    first = source.line_span(source.line(at.span.start)).start
    indent = _INDENT.match(source.text, first, at.span.start)
    spans = _sentences(manuscript, at.path, paragraph)
    if len(spans) < _FEW:
        spans = _sentences(manuscript, at.path, None)
    per_sentence, width = _habit(manuscript, at.path, spans)
    return Layout(newline, indent[0] if indent else "", per_sentence, width)


def _sentences(manuscript: Manuscript, path: str, paragraph: int | None) -> list[tuple[int, Span]]:
    return [
        (sentence.paragraph, sentence.at.span)
        for sentence in manuscript.sentences
        if sentence.at.path == path
        and (sentence.kind == "body" if paragraph is None else sentence.paragraph == paragraph)
    ]


def _habit(manuscript: Manuscript, path: str, spans: list[tuple[int, Span]]) -> tuple[bool, int]:
    text = manuscript.sources[path].text
    gaps = [
        text[here.stop : after.start]
        for (one, here), (other, after) in pairwise(spans)
        if one == other
    ]
    broken = sum(bool(_LINE_END.search(gap)) for gap in gaps)
    inside = sum(bool(_LINE_END.search(text, span.start, span.stop)) for _, span in spans)
    if 2 * inside >= len(spans) and inside:
        return False, _width(manuscript, Place(path, _hull(spans)))
    return bool(gaps) and 5 * broken >= 4 * len(gaps), 0


def _hull(spans: list[tuple[int, Span]]) -> Span:
    return Span(min(s.start for _, s in spans), max(s.stop for _, s in spans))


def _width(manuscript: Manuscript, at: Place) -> int:
    source = manuscript.sources[at.path]
    first, last = source.lines(at.span)
    lengths = [
        len(source[source.line_span(number)].rstrip("\r\n")) for number in range(first, last + 1)
    ]
    if len(lengths) < _FEW:
        return 80
    widest = int(quantiles(lengths, n=20)[-1])
    return widest if widest <= _WIDEST else 0
