"""Lists of keys, labels and file names in braces, each item with its exact place."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from reviser.latex.scan import Scan
from reviser.text.source import Span

_ITEM = re.compile(r"[^,]+")
_ODD = re.compile(r"[\\{}%*]")
# What a list is cut into: a separator, something to step over, or a plain run.
_PIECE = re.compile(
    r"[^,\\{}%\[\]]+|%[^\r\n]*(?:\r\n|[\r\n]|\Z)[ \t]*|\\[A-Za-z@]+[ \t]*|\\[\s\S]|[\s\S]"
)
_LONGEST_NAME = 500


class Item(NamedTuple):
    """One item of a list. `literal` says that `name` stands letter for letter at `span`; it is
    empty when the item cannot be made out."""

    name: str
    span: Span
    literal: bool


class _Part(NamedTuple):
    offset: int  # in the list's text
    text: str


def items(
    scan: Scan, inner: Span, texts: Mapping[str, str], *, split: bool = True
) -> Iterator[Item]:
    """The items of the comma list in `inner`, trimmed; empty ones are left out.

    Comments and line ends between items are heeded as TeX does. `texts` expands macros. REVTeX's
    \\cite{a,*b,*[{note; }] c} gives a, b and c. Without `split` it is one item.
    """
    text = scan.text[inner.start : inner.stop]
    if _ODD.search(text):
        yield from _odd_items(text, inner.start, texts, split=split)
        return
    spans = (match.span() for match in _ITEM.finditer(text)) if split else [(0, len(text))]
    for start, stop in spans:
        piece = text[start:stop]
        name = piece.strip()
        if name:
            at = inner.start + start + len(piece) - len(piece.lstrip())
            yield Item(name, Span(at, at + len(name)), literal=True)


def _odd_items(text: str, base: int, texts: Mapping[str, str], *, split: bool) -> Iterator[Item]:
    parts: list[_Part] = []
    depth = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece == "," and depth == 0 and split:
            yield from _item(parts, base, texts)
            parts = []
            continue
        starred = bool(parts) and parts[0].text.startswith("*")
        if piece == "{" or (piece == "[" and starred):
            depth += 1
        elif depth and (piece == "}" or (piece == "]" and starred)):
            depth -= 1
        if not piece.startswith("%") and (parts or not piece.isspace()):
            parts.append(_Part(match.start(), piece))
    yield from _item(parts, base, texts)


def _item(parts: list[_Part], base: int, texts: Mapping[str, str]) -> Iterator[Item]:
    first, last = _core(parts)
    if first > last:
        return
    parts = parts[first : last + 1]
    start = parts[0].offset + len(parts[0].text) - len(parts[0].text.lstrip())
    stop = parts[-1].offset + len(parts[-1].text.rstrip())
    name = _spelled([part.text for part in parts], texts)
    literal = len(name) == stop - start and not any("\\" in part.text for part in parts)
    yield Item(name[:_LONGEST_NAME], Span(base + start, base + max(stop, start)), literal)


def _core(parts: list[_Part]) -> tuple[int, int]:
    """First and last part without blanks, REVTeX's star and note, and braces around it all."""
    first, last = 0, len(parts) - 1
    while first <= last:
        piece = parts[first].text
        if not piece.strip():
            first += 1
        elif not parts[last].text.strip():
            last -= 1
        elif piece.lstrip().startswith("*"):
            bare = piece.lstrip()[1:]
            parts[first] = _Part(parts[first].offset + len(piece) - len(bare), bare)
            if not bare.strip():
                first = _after_note(parts, first + 1, last)
            if not bare.strip() and first > last:
                # \nocite{*}: the star itself is the name.
                parts[last] = _Part(parts[last].offset - 1, "*")
                return last, last
        elif first < last and piece == "{" and parts[last].text == "}":
            first, last = first + 1, last - 1
        else:
            break
    return first, last


def _after_note(parts: list[_Part], first: int, last: int) -> int:
    while first <= last and not parts[first].text.strip():
        first += 1
    if first > last or parts[first].text != "[":
        return first
    depth = 0
    for position in range(first, last + 1):
        piece = parts[position].text
        depth += (piece in "[{") - (piece in "]}")
        if depth == 0:
            return position + 1
    return first


def _spelled(pieces: list[str], texts: Mapping[str, str]) -> str:
    """The name that the pieces spell once TeX has expanded them, or nothing."""
    name = ""
    for piece in pieces:
        if piece.startswith("\\"):
            word = piece[1:].rstrip()
            if len(word) == 1 and not word.isalpha():
                name += word
            elif word in texts:
                name += texts[word]
            elif word not in ("protect", "relax"):
                return ""
        elif piece in ("{", "}"):
            continue
        else:
            name += piece
        if len(name) > _LONGEST_NAME:
            return ""
    return name.strip()
