"""Finding words again that somebody quoted: white space and lookalikes make no difference."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reviser.text.source import Span

_TOKEN = re.compile(
    r"[\s~\u00a0]+|``|''|,,|[“”„‟«»\"]|[‘’‚‛`']|-{1,3}|[‐‑‒–—−]|\\[ ,/]|[\s\S]", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in which lookalikes are alike; where each of its characters begins and ends."""

    text: str
    starts: Sequence[int]
    stops: Sequence[int]


@lru_cache(maxsize=256)
def folded(text: str) -> Folded:
    """A text with its white space single, and one kind of quotation mark, apostrophe and hyphen."""
    chars: list[str] = []
    starts: list[int] = []
    stops: list[int] = []
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if piece[0] in " \t\r\n\f\v~\u00a0" or piece.isspace() or piece in {"\\ ", "\\,"}:
            char = " "
        elif piece in {"``", "''", ",,"} or piece in '“”„‟«»"':
            char = '"'
        elif piece in "‘’‚‛`'":
            char = "'"
        elif piece[0] in "-‐‑‒–—−":
            char = "-"
        elif piece == "\\/":
            continue
        else:
            char = piece
        if char == " " and chars and chars[-1] == " ":
            stops[-1] = match.end()
            continue
        chars.append(char)
        starts.append(match.start())
        stops.append(match.end())
    return Folded("".join(chars), starts, stops)


def occurrences(text: str, wanted: str) -> Iterator[int]:
    """Where `wanted` stands in `text`, both folded, as whole words."""
    at = text.find(wanted)
    while at >= 0:
        stop = at + len(wanted)
        opens = at == 0 or not (text[at - 1].isalnum() and wanted[0].isalnum())
        closes = stop == len(text) or not (text[stop].isalnum() and wanted[-1].isalnum())
        if opens and closes:
            yield at
        at = text.find(wanted, at + 1)


def quoted_in(text: str, quote: str) -> Span | None:
    """Where `text` first has the words of `quote`, as whole words; None where it does not."""
    wanted = folded(quote.strip()).text.strip()
    if not any(char.isalnum() for char in wanted):
        return None
    within = folded(text)
    start = next(occurrences(within.text, wanted), None)
    if start is None:
        return None
    return Span(within.starts[start], within.stops[start + len(wanted) - 1])
