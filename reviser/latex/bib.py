"""Read a .bib file into entries whose every part has its exact place, and say what is faulty."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from bibtexparser.exceptions import ParsingException
from bibtexparser.model import DuplicateFieldKeyBlock, Entry, ParsingFailedBlock
from bibtexparser.splitter import Splitter

from reviser.latex import bibtext
from reviser.latex.bibparts import FaultKind, RawBlock, RawField
from reviser.latex.bibsplit import split
from reviser.latex.elements import BibEntry, Field, Unparsed
from reviser.text.source import Place, Source, Span

#: The strings that every standard style defines.
STANDARD_STRINGS: Mapping[str, str] = MappingProxyType(
    {
        "jan": "January",
        "feb": "February",
        "mar": "March",
        "apr": "April",
        "may": "May",
        "jun": "June",
        "jul": "July",
        "aug": "August",
        "sep": "September",
        "oct": "October",
        "nov": "November",
        "dec": "December",
    }
)
_LONGEST_STRING = 2000  # characters that strings bring to one value: no doubling chains
_EXPANSION = 4  # strings bring at most so many characters for each one of the file
_LONG = 10_000  # characters; shorter files are read again at no cost
_VERBATIM_FIELDS = frozenset(
    {"url", "doi", "eprint", "file", "pdf", "verba", "verbb", "verbc", "eprintclass", "bdsk-url-1"}
)
_KEY_LISTS = ("crossref", "xref", "xdata", "entryset", "related")
_NOT_CLOSED = frozenset({FaultKind.UNCLOSED_ENTRY, FaultKind.UNCLOSED_VALUE})
_BLANKS = re.compile(r"[ \t]*")
_LINE_END = re.compile(r"\r\n|\n|\r")
_BLANK_LINE_ABOVE = re.compile(r"(?:\r\n|\n|\r(?!\n))(\r\n|\n|\r)\Z")
_NAME_BEFORE = re.compile(r"[^\s\"#%'(),={}@]+\Z")


@dataclass(frozen=True, slots=True)
class BibFault:
    """A fault in the writing of an entry.

    `at` is the faulty text; for a missing character it is the empty place where that belongs.
    `key` is the entry's key, empty when that is what is missing; `entry` is the whole block.
    `name` is the field it concerns or the string that is unknown, or empty.
    """

    kind: FaultKind
    at: Place
    key: str
    entry: Place
    name: str = ""


@dataclass(frozen=True)
class BibFile:
    """What stands in one .bib file, in order.

    `strings` maps the lower-case names that the file defines to their TeX text. `comments` are
    @comment blocks and the text between blocks. `unparsed` are stretches inside entries that
    belong to no field. Entries include duplicates and those that are incomplete.
    """

    entries: tuple[BibEntry, ...]
    strings: Mapping[str, str]
    preambles: tuple[Place, ...]
    comments: tuple[Place, ...]
    unparsed: tuple[Unparsed, ...]
    faults: tuple[BibFault, ...]

    @cached_property
    def entry_at(self) -> Mapping[Place, BibEntry]:
        """The entries by place."""
        return {entry.at: entry for entry in self.entries}

    @cached_property
    def _faults_by_entry(self) -> Mapping[Place, tuple[BibFault, ...]]:
        found: dict[Place, list[BibFault]] = defaultdict(list)
        for fault in self.faults:
            found[fault.entry].append(fault)
        return {place: tuple(faults) for place, faults in found.items()}

    @cached_property
    def ends(self) -> bool:
        """Whether every entry closes, so that none can swallow what is written behind it."""
        return not any(fault.kind in _NOT_CLOSED for fault in self.faults)

    def faults_at(self, entry: Place) -> tuple[BibFault, ...]:
        """The faults of the block at `entry`."""
        return self._faults_by_entry.get(entry, ())


def read_bib(source: Source, strings: Mapping[str, str] = STANDARD_STRINGS) -> BibFile:
    """Read a .bib file; any text can be read, in time linear in its length.

    `strings` are those known beforehand (lower-case names to TeX text): pass the `strings` of
    the files that stand before this one in \\bibliography, beside STANDARD_STRINGS. The last
    few files read are remembered.
    """
    return _read(source, tuple(strings.items()))


@lru_cache(maxsize=16)
def _read(source: Source, strings: tuple[tuple[str, str], ...]) -> BibFile:
    known = _Strings(dict(strings), budget=_EXPANSION * len(source.text))
    own: dict[str, str] = {}
    entries: list[BibEntry] = []
    faults: list[BibFault] = []
    preambles: list[Place] = []
    comments: list[Place] = []
    cursor = 0
    blocks = split(source.text)
    for block in blocks:
        _between(source, cursor, block.span.start, comments)
        cursor = block.span.stop
        at = Place(source.path, block.span)
        if block.kind == "comment":
            comments.append(at)
        elif block.kind == "preamble":
            preambles.append(at)
        elif block.kind == "string":
            for definition in block.fields:
                own[definition.name] = known.define(definition)
        else:
            entries.append(_entry(source, block, at, known))
            faults += _unknown_strings(source, block, at, known)
        faults += [
            BibFault(f.kind, Place(source.path, f.span), block.key, at, f.name)
            for f in block.faults
        ]
    _between(source, cursor, len(source.text), comments)
    unparsed = tuple(
        Unparsed(fault.at, "this text belongs to no field of the entry")
        for fault in faults
        if fault.kind is FaultKind.STRAY_TEXT
    )
    return BibFile(
        tuple(entries),
        MappingProxyType(own),
        tuple(preambles),
        tuple(comments),
        unparsed,
        tuple(sorted(faults, key=_order)),
    )


def removal(source: Source, entry: BibEntry, bib: BibFile) -> Span | None:
    """What to delete so that `entry` goes and every other part of the file stays as it is.

    It takes the entry's own line end with it, and one of two blank lines. None when the file is
    faulty around the entry, so that its neighbours would be read differently without it.
    """
    if not bib.ends:
        return None
    text = source.text
    start, stop = entry.at.span.start, entry.at.span.stop
    before = text[_line_start(text, start) : start]
    end = _BLANKS.match(text, stop)
    after = end.end() if end else stop
    line_end = _LINE_END.match(text, after)
    if before.strip(" \t\ufeff") or not (line_end or after == len(text)):
        return entry.at.span
    start -= len(before.lstrip("\ufeff"))
    stop = line_end.end() if line_end else after
    above = _BLANK_LINE_ABOVE.search(text, max(start - 4, 0), start)
    blank = _LINE_END.match(text, stop)
    if blank and (above or start == 0):
        stop = blank.end()
    elif above and stop == len(text):
        start = above.start(1)
    return Span(start, stop)


def field_removal(source: Source, entry: BibEntry, field: Field, bib: BibFile) -> Span | None:
    """What to delete so that `field` goes, with its comma and, if it has them alone, its lines.

    None when the entry is faulty, since a comma may then belong to something else.
    """
    if any(fault.kind is not FaultKind.DUPLICATE_FIELD for fault in bib.faults_at(entry.at)):
        return None
    text = source.text
    head = text[entry.at.span.start : field.at.span.start].rstrip()
    name = _NAME_BEFORE.search(head.removesuffix("=").rstrip())
    if not head.endswith("=") or name is None or name[0].lower() != field.name:
        return None
    start = entry.at.span.start + name.start()
    stop = field.at.span.stop
    comma = re.compile(r"\s*,").match(text, stop)
    stop = comma.end() if comma else stop
    blanks = _BLANKS.match(text, stop)
    stop = blanks.end() if blanks else stop
    line = _line_start(text, start)
    line_end = _LINE_END.match(text, stop)
    if line_end and not text[line:start].strip(" \t"):
        return Span(line, line_end.end())
    return Span(start, stop)


def insertion(source: Source, bib: BibFile) -> tuple[int, str] | None:
    """The offset where a new entry can be written, and the line ends that must precede it.

    It is the end of the file. None when the last entry never closes, because it would swallow
    the new one.
    """
    if not bib.ends:
        return None
    text = source.text
    end = "\r\n" if source.newline == "crlf" else "\r" if source.newline == "cr" else "\n"
    if not text.strip("\ufeff"):
        return len(text), ""
    return len(text), end if text.endswith(("\n", "\r")) else end * 2


def depends_on(entry: BibEntry) -> tuple[str, ...]:
    """The keys that `entry` names in crossref, xref, xdata, entryset and related."""
    names = [name for field in _KEY_LISTS for name in entry.get(field).split(",")]
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def aliases(entry: BibEntry) -> tuple[str, ...]:
    """The further keys by which biblatex knows `entry` (its field `ids`)."""
    return tuple(name.strip() for name in entry.get("ids").split(",") if name.strip())


def second_reading(text: str) -> tuple[tuple[str, str, tuple[str, ...]], ...] | None:
    """Kind, key and field names of each entry as bibtexparser sees them, or None when it fails.

    An opinion that is independent of ours, for the mended text of an edit: it merges two fields
    where a comma is missing, and so notices one that is still missing.
    """
    try:
        blocks = Splitter(text).split().blocks
    except (ParsingException, IndexError, KeyError, ValueError, TypeError, AttributeError):
        return None
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for block in blocks:
        if isinstance(block, DuplicateFieldKeyBlock) or not isinstance(block, ParsingFailedBlock):
            entry = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else block
        else:
            entry = block.ignore_error_block
            if entry is None:
                return None
        if isinstance(entry, Entry):
            names = tuple(str(field.key).lower() for field in entry.fields)
            found.append((str(entry.entry_type).lower(), str(entry.key), names))
    return tuple(found)


def second_values(text: str) -> Mapping[str, str] | None:
    """The raw values of the one entry in `text` by field as bibtexparser sees them, white space
    folded; None where it sees anything else than one whole entry."""
    try:
        blocks = Splitter(text).split().blocks
    except (ParsingException, IndexError, KeyError, ValueError, TypeError, AttributeError):
        return None
    if len(blocks) != 1 or not isinstance(blocks[0], Entry):
        return None
    return {str(f.key).lower(): " ".join(str(f.value).split()) for f in blocks[0].fields}


class _Strings:
    """The strings known so far, which together may not blow up the file they are used in."""

    def __init__(self, strings: Mapping[str, str], *, budget: int) -> None:
        self.values = dict(strings)
        self.budget = budget

    def define(self, definition: RawField) -> str:
        value = self.joined(definition)
        self.values[definition.name] = value
        return value

    def joined(self, field: RawField) -> str:
        """The value with its strings put in; an unknown one stays as its name."""
        parts: list[str] = []
        room = min(_LONGEST_STRING, self.budget)
        for piece in field.pieces:
            text = piece.text
            if piece.bare and not text.isdecimal():
                value = self.values.get(text.lower(), text)
                if len(value) <= room:
                    text = value
                    room -= len(value)
                    self.budget -= len(value)
            parts.append(text)
        return "".join(parts)


def _order(fault: BibFault) -> tuple[int, int, str]:
    return fault.at.span.start, fault.at.span.stop, fault.kind


def _entry(source: Source, block: RawBlock, at: Place, known: _Strings) -> BibEntry:
    fields = tuple(
        Field(
            field.name,
            source[field.span],
            _said(field.name, known.joined(field)),
            Place(source.path, field.span),
        )
        for field in block.fields
    )
    return BibEntry(block.key, block.kind, fields, at, Place(source.path, block.key_span))


def _said(name: str, value: str) -> str:
    return bibtext.verbatim(value) if name in _VERBATIM_FIELDS else bibtext.plain(value)


def _unknown_strings(
    source: Source, block: RawBlock, at: Place, known: _Strings
) -> Iterable[BibFault]:
    for field in block.fields:
        for piece in field.pieces:
            if piece.bare and not piece.text.isdecimal() and piece.text.lower() not in known.values:
                place = Place(source.path, field.span)
                yield BibFault(FaultKind.UNKNOWN_STRING, place, block.key, at, piece.text)


def _between(source: Source, start: int, stop: int, comments: list[Place]) -> None:
    text = source.text[start:stop]
    inside = text.strip("\ufeff \t\r\n")
    if inside:
        start += text.index(inside)
        comments.append(Place(source.path, Span(start, start + len(inside))))


def _line_start(text: str, offset: int) -> int:
    line = text.rfind("\n", 0, offset) + 1
    return max(text.rfind("\r", line, offset) + 1, line)
