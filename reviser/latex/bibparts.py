"""The parts of a .bib file as written: blocks, fields, pieces and faults, with their offsets."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from reviser.text.source import Span


class FaultKind(StrEnum):
    """What can be wrong with the writing of an entry."""

    MISSING_COMMA = "missing comma"
    EXTRA_COMMA = "extra comma"
    MISSING_KEY = "missing key"
    SPACE_IN_KEY = "space in key"
    MISSING_EQUALS = "missing equals sign"
    MISSING_VALUE = "missing value"
    DUPLICATE_FIELD = "duplicate field"
    UNKNOWN_STRING = "unknown string"
    UNCLOSED_VALUE = "unclosed value"
    UNCLOSED_ENTRY = "unclosed entry"
    EXTRA_BRACE = "extra brace"
    PERCENT_SIGN = "percent sign"
    STRAY_TEXT = "stray text"


class RawFault(NamedTuple):
    """A fault at a span of the file; for a missing character the empty span where it belongs.

    `name` is the field it concerns, or the string that is unknown, or empty.
    """

    kind: FaultKind
    span: Span
    name: str = ""


class Piece(NamedTuple):
    """A part of a value between the # signs: what stands between its delimiters.

    `bare` marks a number or the name of a string.
    """

    text: str
    bare: bool


@dataclass(frozen=True, slots=True)
class RawField:
    """A field as written; `span` is its value with delimiters."""

    name: str
    span: Span
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class RawBlock:
    """A block from its @ to its closing delimiter.

    `kind` is lower case. An @string has its definitions as fields; an @preamble or @comment has
    none. `key` is empty where there is none, and then `key_span` is where it belongs.
    """

    kind: str
    span: Span
    key: str
    key_span: Span
    fields: tuple[RawField, ...]
    faults: tuple[RawFault, ...]
