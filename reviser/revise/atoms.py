"""The protected atoms of a file: what no edit may change unless it is told to, in reading order.

Atoms that the reader finds (citations, math, entries …) are taken of the whole file. Atoms that
are looked up in the running text (numbers, negations, control words …) are taken of a window
only: outside it text and reading are the same before and after an edit, so they are as well.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.revise.words import charged, numbers, words
from reviser.text.source import Place, Source, Span

# Kinds of atoms. Those of the reader:
CITATION = "citation"
CITATION_KEY = "citation key"
LABEL = "label"
REFERENCE = "reference"
MATH = "math"
FOOTNOTE = "footnote"
FLOAT = "float"
COMMENT = "comment"
VERBATIM = "verbatim"
DEFINITION = "definition"
ENTRY = "entry"
ENTRY_TYPE = "entry type"
ENTRY_KEY = "entry key"
FIELD = "field"
BETWEEN = "text between entries"
# Those of the running text, beside the kinds of `words`:
COMMAND = "command"
ENVIRONMENT = "environment"
SPECIAL = "special character"
QUOTATION = "quotation"
URL = "url"
NUMBER = "number"
NEGATION = "negation"
MODALITY = "modality"
DIRECTION = "direction"
QUANTIFIER = "quantifier"
WORD = "word"
STOP = "sentence end"
PUNCTUATION = "punctuation"
BREAK = "paragraph break"

_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|[^A-Za-z@]|$)")
_ENVIRONMENT = re.compile(r"\\(begin|end)[ \t]*\{([^{}\\\n]{0,60})\}")
_SPECIAL = re.compile(r"[&#^_$]|%")
_URL = re.compile(
    r"\\(?:url|path|nolinkurl|href)\s{0,9}\{[^{}]*\}|https?://[^\s{}\\]+|\bwww\.[^\s{}\\]+"
)
_QUANTITY = re.compile(
    r"\\(?:SI|qty|num|si|unit|ang|SIrange|qtyrange|numrange|SIlist|qtylist)\b\s{0,9}"
    r"(?:\[[^\[\]]{0,200}\])?(?:\{[^{}]*\}){1,3}"
)
_QUOTE_MARK = re.compile(
    r"``|''|[“”„«»]|\"|\\(?:enquote|textquote|blockquote|enquote\*)\s{0,9}\{|[{}]"
    r"|\\begin\{quot(?:e|ation)\}|\\end\{quot(?:e|ation)\}|(?:\n[ \t]*){2}"
)
_MARK = re.compile(r"[^\w\s\\&#^_$%]")
_BREAK = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)")
_STOPS = frozenset(".?!;:")


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """Something protected: where it stands in its file, its kind, and its words."""

    start: int
    stop: int
    kind: str
    words: str


@dataclass(frozen=True, slots=True)
class _Held:
    """A manuscript that can be a key: the same object is the same key."""

    manuscript: Manuscript

    def __hash__(self) -> int:
        return id(self.manuscript)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and self.manuscript is other.manuscript


@lru_cache(maxsize=6)  # a manuscript is large: keep the two that are being compared
def _read_atoms(held: _Held, path: str) -> tuple[Atom, ...]:
    return tuple(sorted({*_of_reader(held.manuscript, path)}))


def read_atoms(manuscript: Manuscript, path: str) -> tuple[Atom, ...]:
    """The atoms of the whole file `path` that the reader finds, by place."""
    return _read_atoms(_Held(manuscript), path)


def text_atoms(manuscript: Manuscript, path: str, window: Span) -> tuple[Atom, ...]:
    """The atoms of the running text of `path` within `window`, by place; none for a .bib."""
    if is_bibliography(path):
        return ()
    found = [*_of_text(prose(manuscript, path, window), window)]
    breaks = _BREAK.finditer(manuscript.sources[path].text, window.start, window.stop)
    found.extend(Atom(match.start(), match.end(), BREAK, "") for match in breaks)
    return tuple(sorted(found))


def is_bibliography(path: str) -> bool:
    """Whether the file is a BibTeX database."""
    return path.lower().endswith(".bib")


def prose(manuscript: Manuscript, path: str, window: Span) -> str:
    """The window's text with everything that is not running text blanked, position by position.

    Blank are comments, verbatim-likes, math, citations, references, labels and definitions:
    they are atoms of their own.
    """
    source = manuscript.sources[path]
    letters = list(source.text[window.start : window.stop])
    for place in _not_prose(manuscript):
        if place.path != path:
            continue
        first = max(place.span.start, window.start) - window.start
        last = min(place.span.stop, window.stop) - window.start
        if first < last:
            letters[first:last] = [c if c in "\r\n" else " " for c in letters[first:last]]
    return "".join(letters)


def _not_prose(manuscript: Manuscript) -> Iterator[Place]:
    for elements in (
        manuscript.comments,
        manuscript.skipped,
        manuscript.math,
        manuscript.citations,
        manuscript.references,
        manuscript.labels,
        manuscript.macros,
    ):
        for element in elements:
            yield element.at


def _of_reader(manuscript: Manuscript, path: str) -> Iterator[Atom]:
    for kind, place, said in _read(manuscript):
        if place.path == path:
            yield Atom(place.span.start, place.span.stop, kind, said)
    inside = [entry for entry in manuscript.entries if entry.at.path == path]
    for entry in inside:
        yield from _of_entry(entry)
    if is_bibliography(path):
        yield from _between(manuscript.sources[path], inside)


def _read(manuscript: Manuscript) -> Iterator[tuple[str, Place, str]]:
    for citation in manuscript.citations:
        yield CITATION, citation.at, " ".join((citation.command, *citation.notes))
        for key in citation.keys:
            yield CITATION_KEY, key.at, key.name
    for label in manuscript.labels:
        yield LABEL, label.at, label.name.name
    for reference in manuscript.references:
        names = ",".join(name.name for name in reference.names)
        yield REFERENCE, reference.at, f"{reference.command} {names}"
    for math in manuscript.math:
        yield MATH, math.at, manuscript.text(math.at)
    for floating in manuscript.floats:
        yield FLOAT, floating.at, floating.environment
    for footnote in manuscript.footnotes:
        yield FOOTNOTE, footnote.at, "footnote"
    for comment in manuscript.comments:
        yield COMMENT, comment.at, manuscript.text(comment.at)
    for skipped in manuscript.skipped:
        yield VERBATIM, skipped.at, manuscript.text(skipped.at)
    for macro in manuscript.macros:
        yield DEFINITION, macro.at, manuscript.text(macro.at)


def _of_entry(entry: BibEntry) -> Iterator[Atom]:
    span, key = entry.at.span, entry.key_at.span
    if entry.kind == "bibitem":
        # Its text is running text of the paper, so only its key is an atom of this sort.
        yield Atom(key.start, key.stop, ENTRY_KEY, entry.key)
        return
    yield Atom(span.start, span.stop, ENTRY, entry.key)
    yield Atom(key.start, key.stop, ENTRY_KEY, entry.key)
    yield Atom(span.start, key.start, ENTRY_TYPE, entry.kind)
    for field in entry.fields:
        at = field.at.span
        yield Atom(at.start, at.stop, FIELD, f"{field.name} = {field.raw}")


def _between(source: Source, entries: Sequence[BibEntry]) -> Iterator[Atom]:
    """Each line of the file that is no entry's: strings, preambles, comments, stray text."""
    cursor = 0
    spans = sorted(entry.at.span for entry in entries)
    for span in [*spans, Span(len(source.text), len(source.text))]:
        gap = source.text[cursor : max(cursor, span.start)]
        for match in re.finditer(r"[^\r\n]+", gap):
            if match[0].strip():
                start = cursor + match.start()
                yield Atom(start, cursor + match.end(), BETWEEN, match[0].strip())
        cursor = max(cursor, span.stop)


def _of_text(text: str, window: Span) -> Iterator[Atom]:
    def atom(start: int, stop: int, kind: str, said: str) -> Atom:
        return Atom(start + window.start, stop + window.start, kind, said)

    rest = text
    for kind, pattern in ((URL, _URL), (NUMBER, _QUANTITY), (ENVIRONMENT, _ENVIRONMENT)):
        for match in pattern.finditer(rest):
            yield atom(match.start(), match.end(), kind, match[0])
        rest = pattern.sub(lambda match: _blank(match[0]), rest)
    for opened, closed in _quotations(text):
        yield atom(opened, closed, QUOTATION, " ".join(text[opened:closed].split()))
    for found in numbers(rest):
        yield atom(found.start, found.stop, found.kind, found.words)
    for match in _COMMAND.finditer(rest):
        yield atom(match.start(), match.end(), COMMAND, match[0])
    plain = _COMMAND.sub(lambda match: _blank(match[0]), rest)
    for match in _SPECIAL.finditer(plain):
        yield atom(match.start(), match.end(), SPECIAL, match[0])
    for match in _MARK.finditer(plain):
        kind = STOP if match[0] in _STOPS else PUNCTUATION
        yield atom(match.start(), match.end(), kind, match[0])
    for found in words(plain):
        yield atom(found.start, found.stop, WORD, found.words)
        sort = charged(found.words)
        if sort:
            yield atom(found.start, found.stop, sort, found.words.lower())


def _blank(text: str) -> str:
    return " " * len(text)


def _quotations(text: str) -> Iterator[tuple[int, int]]:
    """The quoted stretches, marks included; an opener without closer ends with its paragraph."""
    opened: list[tuple[int, str]] = []
    for match in _QUOTE_MARK.finditer(text):
        mark = match[0]
        if mark.isspace():
            opened.clear()
        elif opened and mark in _CLOSERS.get(opened[-1][1], ()):
            start, opener = opened.pop()
            if opener != "{":
                yield start, match.end()
        elif mark in _CLOSERS:
            opened.append((match.start(), mark))
        elif mark.endswith("{"):
            opened.append((match.start(), "\\{"))


_CLOSERS: dict[str, tuple[str, ...]] = {
    "``": ("''", '"', "”"),
    "“": ("”", "''"),
    "„": ("“", "”", "''"),
    "«": ("»",),
    '"': ('"', "''"),
    "{": ("}",),
    "\\{": ("}",),
    "\\begin{quote}": ("\\end{quote}",),
    "\\begin{quotation}": ("\\end{quotation}",),
}
