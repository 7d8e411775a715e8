"""Where text between delimiters ends, for arguments that are not read as LaTeX."""

import re

from reviser.latex.definitions import gap

# No option, address or inline listing is longer; a bound keeps hostile input linear.
LONGEST = 2000
_OPTION_PIECE = re.compile(r"[^\[\]{}\\%\r\n]+|\\[\s\S]|[\s\S]")
_SIMPLE_BRACES = re.compile(r"[ \t]*(?:\r\n?|\n)?[ \t]*\{[^{}\\\r\n]*\}")
_BRACE = re.compile(r"\\[\s\S]|[{}]|\n[ \t\r]*\n")


def option(text: str, offset: int, limit: int) -> int | None:
    """One past the ] of the [options] that begin at `offset`; None if it is not near."""
    if not text.startswith("[", offset):
        return None
    depth = 0
    limit = min(limit, offset + LONGEST)
    at = offset + 1
    while at < limit:
        match = _OPTION_PIECE.match(text, at)
        if match is None:
            return None
        piece = match.group()
        if piece == "]" and depth == 0:
            return match.end()
        depth += (piece == "{") - (piece == "}")
        if depth < 0:
            return None
        at = match.end()
    return None


def delimited(text: str, mark: int, limit: int) -> int | None:
    """One past the second of two equal characters on one line, the first at `mark`."""
    if mark >= limit or text[mark].isspace() or text[mark].isalpha():
        return None
    end = text.find(text[mark], mark + 1, min(limit, mark + LONGEST))
    if end < 0 or "\n" in text[mark:end] or "\r" in text[mark:end]:
        return None
    return end + 1


def address_braces(text: str, offset: int, limit: int) -> int | None:
    """One past the braces that begin after the gap at `offset`; % and # are ordinary in them."""
    match = _SIMPLE_BRACES.match(text, offset, limit)
    if match:
        return match.end()
    start = gap(text, offset)
    if not text.startswith("{", start) or start >= limit:
        return None
    depth = 0
    for brace in _BRACE.finditer(text, start, min(limit, start + LONGEST)):
        piece = brace.group()
        if piece[0] == "\n":
            return None
        depth += (piece == "{") - (piece == "}")
        if depth == 0 and piece == "}":
            return brace.end()
    return None
