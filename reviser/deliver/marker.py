"""Hidden marks by which our own comments are known again: what kind they are, and of what.

Anybody can paste a mark, so it says something only in a comment that GitHub says is ours.
"""

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

LIMIT = 8_000
"""Characters of one mark at most."""
_MARK = re.compile(r"<!-- reviser:([a-z]{1,20}) v1 ([A-Za-z0-9+/]{2,7900}={0,2}) -->")
_KIND = re.compile(r"[a-z]{1,20}")
# These blocks have a reader of their own.
_OTHERS = frozenset({"state"})


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark. `kind` is "comment", "summary", "pull" or "answer"; `data` holds what JSON can:
    a reader must check each value's type."""

    kind: str
    data: Mapping[str, object]


def mark(kind: str, data: Mapping[str, object]) -> str:
    """A mark as a hidden HTML comment, without a line end. Equal data gives an equal mark.

    Nothing in `data` can end the comment. Raises ValueError when it is too long, or when the kind
    is no word of small letters.
    """
    if not _KIND.fullmatch(kind) or kind in _OTHERS:
        raise ValueError(f"not a kind of mark: {kind!r}")
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    told = f"<!-- reviser:{kind} v1 {base64.b64encode(text.encode()).decode()} -->"
    if len(told) > LIMIT:
        raise ValueError(f"a mark of {len(told)} characters is longer than {LIMIT}")
    return told


def read_marks(body: str) -> tuple[Mark, ...]:
    """The marks in a comment's text, in order; whatever cannot be read is left out."""
    found = []
    for kind, encoded in _MARK.findall(body):
        try:
            data = json.loads(base64.b64decode(encoded, validate=True))
        except (binascii.Error, ValueError, RecursionError):
            continue
        if isinstance(data, dict) and kind not in _OTHERS:
            found.append(Mark(kind, data))
    return tuple(found)


def last_mark(body: str) -> Mark | None:
    """The mark that we put at the end; one further up would be a quotation of somebody's text."""
    marks = read_marks(body)
    return marks[-1] if marks else None
