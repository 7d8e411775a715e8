"""Answers of services kept between runs, each by what was asked, for as long as it is fresh.

What is kept are works in our own words and texts that were read out of PDFs, never an answer as it
came: neither a key nor a mail address can be in it. That a service has nothing is kept for a short
while only, and that it was silent not at all.
"""

import hashlib
import json
import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.sources import Section
from reviser.ports import Cache

FOUND_DAYS, NOTHING_DAYS = 30.0, 2.0
"""How long an answer is fresh: one with works in it, and one without."""
_VERSION = "reviser answer 1"
"""Goes up when what is made of an answer changes."""
_DAY = 86_400.0
_LARGEST = 8_000_000


class Kept:
    """Earlier answers; without a cache there are none. `now` gives seconds since the epoch."""

    def __init__(self, cache: Cache | None = None, now: Callable[[], float] = time.time) -> None:
        self._cache = cache
        self._now = now

    def papers(self, *asked: str) -> tuple[Paper, ...] | None:
        """The works that were the answer to what was asked, None where that is not known."""
        found = self._found("papers", asked)
        if not isinstance(found, list):
            return None
        try:
            return tuple(_paper(item) for item in found)
        except (KeyError, TypeError, ValueError):
            return None

    def keep_papers(self, papers: tuple[Paper, ...], *asked: str) -> None:
        """Keep an answer."""
        self._keep("papers", asked, [asdict(paper) for paper in papers])

    def sections(self, *asked: str) -> tuple[Section, ...] | None:
        """The text that was the answer, None where that is not known."""
        found = self._found("sections", asked)
        if not isinstance(found, list):
            return None
        try:
            return tuple(Section(str(title), str(text)) for title, text in found)
        except (TypeError, ValueError):
            return None

    def keep_sections(self, sections: tuple[Section, ...], *asked: str) -> None:
        """Keep a text."""
        self._keep("sections", asked, [[part.title, part.text] for part in sections])

    def _found(self, kind: str, asked: tuple[str, ...]) -> object:
        value = self._cache.get(_key(kind, asked)) if self._cache is not None else None
        if value is None:
            return None
        try:
            reader = zlib.decompressobj()
            kept = json.loads(reader.decompress(value, _LARGEST))
            when, answer = float(kept["at"]), kept["answer"]
        except (zlib.error, ValueError, KeyError, TypeError, RecursionError):
            return None
        days = (self._now() - when) / _DAY
        # What comes from the future was kept by a wrong clock: nobody knows how old it is.
        return answer if 0 <= days <= (FOUND_DAYS if answer else NOTHING_DAYS) else None

    def _keep(self, kind: str, asked: tuple[str, ...], answer: object) -> None:
        if self._cache is not None:
            text = json.dumps({"at": int(self._now()), "answer": answer})
            if len(text) <= _LARGEST:
                self._cache.put(_key(kind, asked), zlib.compress(text.encode()))


def _key(kind: str, asked: tuple[str, ...]) -> bytes:
    return hashlib.sha256(json.dumps([_VERSION, kind, *asked]).encode()).digest()


_FIELDS = frozenset(field.name for field in fields(Paper))


def _paper(item: dict[str, Any]) -> Paper:
    notice = item["notice"]
    rest = {name: value for name, value in item.items() if name in _FIELDS}
    return Paper(
        **{
            **rest,
            "authors": tuple(Author(**author) for author in item["authors"]),
            "cites": tuple(str(name) for name in item["cites"]),
            "notice": Notice(**notice) if notice is not None else None,
        }
    )
