"""Cutting a scanned text into tokens that tile it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from reviser.latex.structure import KIND_BITS, Kind, Recording


class TokenKind(StrEnum):
    """What a token is."""

    TEXT = "text"
    SPACE = "space"  # blanks and line ends
    WORD = "control word"  # \name
    SYMBOL = "control symbol"  # \% and the like
    OPEN = "open"
    CLOSE = "close"
    MATH = "math"  # $ or $$
    PARAMETER = "parameter"  # #
    TAB = "tab"  # &
    TIE = "tie"  # ~
    SCRIPT = "script"  # ^ or _
    COMMENT = "comment"
    VERBATIM = "verbatim"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of text that TeX would take as one thing; `text[start:stop]` is its words."""

    kind: TokenKind
    start: int
    stop: int


_TOKEN = {
    letters: re.compile(
        rf"(?P<space>\s+)|\\(?:(?P<word>[{classes}]+)|[\s\S]?)|(?P<open>\{{)|(?P<close>\}})"
        r"|(?P<math>\$\$?)|(?P<mark>[#&~^_])|(?P<text>[^\s\\{}$#&~^_]+)"
    )
    for letters, classes in (("", "A-Za-z"), ("@", "A-Za-z@"), ("_", "A-Za-z@_:"))
}
_MARKS = {
    "#": TokenKind.PARAMETER,
    "&": TokenKind.TAB,
    "~": TokenKind.TIE,
    "^": TokenKind.SCRIPT,
    "_": TokenKind.SCRIPT,
}
_NAMED = {
    "space": TokenKind.SPACE,
    "word": TokenKind.WORD,
    "open": TokenKind.OPEN,
    "close": TokenKind.CLOSE,
    "math": TokenKind.MATH,
    "text": TokenKind.TEXT,
    None: TokenKind.SYMBOL,
}


def tile(text: str, record: Recording, *, at_letter: bool) -> Iterator[Token]:
    """The tokens of `text`, in order and without gaps; what is opaque is one token."""
    opaque = bytes((Kind.COMMENT, Kind.VERBATIM, Kind.SKIPPED))
    kinds = {
        Kind.COMMENT: TokenKind.COMMENT,
        Kind.VERBATIM: TokenKind.VERBATIM,
        Kind.SKIPPED: TokenKind.SKIPPED,
    }
    modes = [*record.modes, (len(text) + 1, "")]
    mode = 0
    letters = "@" if at_letter else ""
    at = 0
    for index, flags in enumerate(record.kind):
        if flags & KIND_BITS not in opaque or record.start[index] < at:
            continue
        start = record.start[index]
        while modes[mode][0] <= start:
            yield from _plain_tokens(text, at, modes[mode][0], letters)
            at, letters = max(at, modes[mode][0]), modes[mode][1]
            mode += 1
        yield from _plain_tokens(text, at, start, letters)
        at = record.stop[index]
        if at > start:
            yield Token(kinds[Kind(flags & KIND_BITS)], start, at)
    for stop, following in modes[mode:]:
        yield from _plain_tokens(text, at, min(stop, len(text)), letters)
        at, letters = max(at, stop), following


def _plain_tokens(text: str, start: int, stop: int, letters: str) -> Iterator[Token]:
    for match in _TOKEN[letters].finditer(text, start, stop):
        name = match.lastgroup
        kind = _MARKS[match.group()] if name == "mark" else _NAMED[name]
        yield Token(kind, match.start(), match.end())
