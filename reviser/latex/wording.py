"""How a citation, a reference, a formula or an accent reads in plain text."""

import re
import unicodedata
from typing import NamedTuple

from reviser.latex.elements import Citation, CitationForm, Reference
from reviser.latex.sentences import OBJECT
from reviser.latex.signs import ACCENTS, LABEL_WORDS, SYMBOLS, WORDED_REFERENCES
from reviser.text.source import Span


class Words(NamedTuple):
    """Words that stand for `text[start:stop]`; the very text there when `words` is empty."""

    words: str
    start: int
    stop: int


_CITED = {
    CitationForm.PARENTHETICAL: "[1]",
    CitationForm.FOOTNOTE: "[1]",
    CitationForm.TEXTUAL: "Authors",
    CitationForm.AUTHOR: "Authors",
    CitationForm.YEAR: "2000",
    CitationForm.TITLE: "Title",
    CitationForm.FULL: "Reference",
    CitationForm.UNSEEN: "",
}
_NUMBER = re.compile(
    r"\s*(\\(?:sim|approx|simeq|pm|geq?|leq?|times)(?![A-Za-z])|[<>~+\-])?\s*"
    r"(\d[\d.,]{0,30}(?:(?:\{,\}|\\,)\d{1,20}){0,6})\s*(\\%)?\s*([.,;:]?)\s*"
)
_PREFIX = re.compile(r"[A-Za-z]+")
_RAISED = re.compile(
    r"\s*\^\s*\{?\s*(?:\\(?:text|textrm|mathrm|rm|mathit|it|textit|textsuperscript)\s*\{?\s*)?"
    r"(st|nd|rd|th|\d{1,2}|\*{1,3}|\\(?:ast|star|dagger|ddagger))\s*\}{0,2}\s*"
)
# The first character alone decides where to stop, which the regex engine finds quickest.
_CLOSING = re.compile(
    r"[\\$%\s}](?:(?<=\\)(?:(?:label|tag\*?)\s*\{[^{}]{0,80}\}"
    r"|(?:nonumber|notag|qquad|quad|hfill|displaystyle)\s*"
    r"|\\|end\s*\{[a-zA-Z*]{1,20}\}|[\],;:! ])|(?<=\$)\$|(?<=%)[^\r\n]*|(?<=[\s}]))"
)
_ENDING = re.compile(r"(?<!\\)(?<!\\left)(?<!\\right)[.,;:]\Z")
_DELIMITERS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"))
_TAIL = 400
_ACCENTED = re.compile(
    r"[ \t]*(?:\{[ \t]*(?:\\([ij])[ \t]*|([^\W\d_])?)[ \t]*\}|\\([ij])(?![A-Za-z])|([^\W\d_]))"
)


def citation(use: Citation) -> str:
    """How a citation reads: a number in brackets, a name, a year."""
    words = _CITED[use.form]
    if words == "Authors" and ("poss" in use.command.lower() or use.command.endswith("pos")):
        return "Authors'"
    return "(2000)" if use.command == "citeyearpar" else words


def reference(use: Reference) -> str:
    """How a reference reads: "1", "(1)", or a word and a number where the command writes both."""
    if "eqref" in use.command:
        return "(1)"
    if use.command not in WORDED_REFERENCES:
        return "1"
    prefix = _PREFIX.match(use.names[0].name) if use.names else None
    return f"{LABEL_WORDS.get(prefix.group().lower() if prefix else '', 'Section')} 1"


def accent(text: str, mark: str, after: int) -> tuple[str, int] | None:
    """The letter that the accent command `mark` makes of what stands at `after`, and its end."""
    match = _ACCENTED.match(text, after)
    if match is None:
        return None
    base = next((letter for letter in match.groups() if letter), "")
    return unicodedata.normalize("NFC", base + ACCENTS[mark]) if base else "", match.end()


def inline_math(text: str, span: Span) -> list[Words]:
    """An inline formula: a number, a sign or a raised mark as itself, all else as one object.

    A full stop or comma at its end is kept beside it.
    """
    start, stop = _inside(text, span)
    body = text[start : min(stop, start + _TAIL)]
    sign = SYMBOLS.get(body.strip())
    if sign:
        return [Words(sign, start, stop)]
    number = _NUMBER.fullmatch(text, start, stop)
    if number:
        return _number(number)
    raised = _RAISED.fullmatch(text, start, stop)
    if raised:
        mark = raised.group(1)
        return [Words("", *raised.span(1))] if mark.isalnum() else []
    if stop - start == 1 and body.isalpha() and text[span.stop : span.stop + 1] == "-":
        # "$k$-means" is a name, not a formula.
        return [Words("", start, stop)]
    end = _last(text, start, stop)
    if _ENDING.search(text, max(start + 1, end - 8), end):
        return [Words(OBJECT, span.start, end - 1), Words("", end - 1, end)]
    return [Words(OBJECT, span.start, span.stop)]


def _number(match: re.Match[str]) -> list[Words]:
    sign, digits, percent, mark = match.groups()
    found = [Words(SYMBOLS.get(sign, sign), match.start(1), match.end(1))] if sign else []
    plain = digits.replace("{,}", ",").replace("\\,", "")
    found.append(Words("" if plain == digits else plain, match.start(2), match.end(2)))
    if percent:
        found.append(Words("%", match.start(3), match.end(3)))
    if mark:
        found.append(Words("", match.start(4), match.end(4)))
    return found


def display_math(text: str, span: Span) -> list[Words]:
    """A displayed formula as one object, and the mark that ends it."""
    start, stop = _inside(text, span)
    begin = max(start, stop - _TAIL)
    end = stop
    tail = text[begin:stop]
    pieces = [(begin + m.start(), begin + m.end()) for m in _CLOSING.finditer(tail)]
    for first, last in reversed(pieces):
        if last != end:
            break
        end = first
    if end > start and text[end - 1] in ".,;" and text[max(start, end - 2)] != "\\":
        return [Words(OBJECT, span.start, end - 1), Words("", end - 1, end)]
    return [Words(OBJECT, span.start, span.stop)]


def _inside(text: str, span: Span) -> tuple[int, int]:
    for opening, closing in _DELIMITERS:
        if text.startswith(opening, span.start, span.stop):
            start = span.start + len(opening)
            closed = text.endswith(closing, start, span.stop)
            return start, span.stop - len(closing) if closed else span.stop
    return span.start, span.stop


def _last(text: str, start: int, stop: int) -> int:
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    return stop
