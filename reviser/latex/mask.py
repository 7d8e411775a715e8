"""Text with chosen parts blanked and nothing moved, for whoever searches it by pattern."""

from collections.abc import Collection, Iterator
from enum import StrEnum

from reviser.latex.commands import ADDRESSES, MATH_ENVIRONMENTS
from reviser.latex.nesting import COMMENT, DEFINITION, ENVIRONMENT, MATH, SKIPPED, VERBATIM
from reviser.latex.scan import Scan
from reviser.latex.structure import KIND_BITS, UNCLOSED


class Blank(StrEnum):
    """A kind of text that can be blanked."""

    COMMENTS = "comments"
    VERBATIMS = "verbatims"  # inline and whole bodies, not addresses
    ADDRESSES = "addresses"  # the braces after \url, \href and \path
    SKIPPED = "skipped"  # \iffalse bodies, comment environments, text after the end
    DEFINITIONS = "definitions"  # the bodies of definitions, braces kept
    MATH = "math"  # delimiters included; mathematical environments too


DEAD: frozenset[Blank] = frozenset({Blank.COMMENTS, Blank.VERBATIMS, Blank.SKIPPED})
"""What is never typeset as LaTeX."""


def mask(scanned: Scan, kinds: Collection[Blank] = DEAD) -> str:
    """The scanned text with `kinds` replaced by blanks, as long as before, line ends untouched.

    Masking what is masked (scanned with the same lexicon) changes nothing. Two things keep a
    mark, so that no new empty line breaks what surrounds them: a comment alone on its line keeps
    its percent sign, and what is blanked within mathematics that stays becomes ties.
    """
    text = scanned.text
    parts: list[str] = []
    at = 0
    for start, stop, fill in _stretches(scanned, frozenset(kinds)):
        if stop <= at:
            continue
        first = max(start, at)
        parts += [text[at:first], _blanked(text[first:stop], fill)]
        at = stop
    return "".join([*parts, text[at:]])


def _blanked(words: str, fill: str) -> str:
    if "\n" not in words and "\r" not in words:
        return fill * len(words)
    return "".join(mark if mark in "\r\n" else fill for mark in words)


def _stretches(scanned: Scan, kinds: frozenset[Blank]) -> Iterator[tuple[int, int, str]]:
    """What to blank and with what, in order; one may lie in another."""
    record = scanned.record
    addresses = {record.names.get(name, -1) for name in ADDRESSES}
    mathematics = {record.names.get(name, -1) for name in MATH_ENVIRONMENTS}
    keep_math = Blank.MATH not in kinds
    for index, flags in enumerate(record.kind):
        kind = flags & KIND_BITS
        start, stop = record.start[index], record.stop[index]
        fill = "~" if keep_math and scanned.in_math(index) else " "
        if kind == COMMENT:
            wanted = Blank.COMMENTS
            start += _alone(scanned.text, start)
        elif kind == VERBATIM:
            wanted = Blank.ADDRESSES if record.name[index] in addresses else Blank.VERBATIMS
        elif kind == SKIPPED:
            wanted = Blank.SKIPPED
        elif kind == DEFINITION:
            wanted = Blank.DEFINITIONS
            start, stop = start + 1, stop - (not flags & UNCLOSED)
        elif kind == MATH or (kind == ENVIRONMENT and record.name[index] in mathematics):
            if flags & UNCLOSED:
                continue
            wanted = Blank.MATH
        else:
            continue
        if wanted in kinds:
            yield start, stop, fill


def _alone(text: str, start: int) -> bool:
    """Whether only blanks stand before `start` on its line."""
    while start and text[start - 1] in " \t":
        start -= 1
    return not start or text[start - 1] in "\r\n"
