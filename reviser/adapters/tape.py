"""Replies of chat models kept between runs, each under a digest of all it follows from.

The key is made of the endpoint's host, the model, the settings that change what it says, the
prompt's label, every message, and the schema. There is no key or header in it or in what is kept;
the replies quote the works that were asked about.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict

from reviser.ports import Cache, ChatReply, ChatRequest, Token

VERSION = 1
LONGEST = 50_000_000
"""Bytes of a reply that are unpacked."""


class ReplyTape:
    """A `Tape` in a `Cache`. `identity` names host, model and whatever else a reply depends on."""

    def __init__(self, cache: Cache, identity: Mapping[str, str]) -> None:
        self._cache = cache
        self._identity = dict(identity)

    def get(self, request: ChatRequest) -> ChatReply | None:
        """The reply to this very request, or None."""
        kept = self._cache.get(self._key(request))
        return None if kept is None else unpacked(kept)

    def put(self, request: ChatRequest, reply: ChatReply) -> None:
        """Keep a reply."""
        self._cache.put(self._key(request), packed(reply))

    def _key(self, request: ChatRequest) -> bytes:
        asked = [VERSION, self._identity, asdict(request)]
        text = json.dumps(asked, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).digest()


def packed(reply: ChatReply) -> bytes:
    """A reply as compressed JSON: the alternatives of its tokens are much alike."""
    text = json.dumps(asdict(reply), ensure_ascii=True, separators=(",", ":"))
    return zlib.compress(text.encode())


def unpacked(kept: bytes) -> ChatReply | None:
    """The reply in these bytes; None when they hold none."""
    try:
        opened = zlib.decompressobj()
        text = opened.decompress(kept, LONGEST)
        if not opened.eof or opened.unused_data:
            return None
        row = json.loads(text)
    except (ValueError, RecursionError, zlib.error):
        return None
    if not isinstance(row, dict):
        return None
    texts = [row.get(name) for name in ("text", "finish", "model")]
    counts = [row.get(name) for name in ("tokens_in", "tokens_out", "requests")]
    seconds, tokens = row.get("seconds"), _tokens(row.get("tokens"))
    if (
        not all(isinstance(text, str) for text in texts)
        or not all(type(count) is int and count >= 0 for count in counts)
        or not isinstance(seconds, int | float)
        or tokens is None
    ):
        return None
    return ChatReply(
        text=str(row["text"]),
        finish=str(row["finish"]),
        model=str(row["model"]),
        tokens_in=int(row["tokens_in"]),
        tokens_out=int(row["tokens_out"]),
        seconds=float(seconds),
        requests=int(row["requests"]),
        tokens=tokens,
        seeded=row.get("seeded") is True,
    )


def _tokens(rows: object) -> tuple[Token, ...] | None:
    if not isinstance(rows, list):
        return None
    found = []
    for row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            return None
        top = row.get("top")
        if not isinstance(top, list) or not all(_is_chance(pair) for pair in top):
            return None
        found.append(Token(row["text"], tuple((str(text), float(log)) for text, log in top)))
    return tuple(found)


def _is_chance(pair: object) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], int | float)
    )
