"""Results of slow models kept between runs in one file, by a digest of what they follow from."""

import hashlib
import struct
from collections.abc import Callable, Mapping
from threading import RLock

MAGIC = b"reviser cache 1\n"
LIMIT = 40_000_000
"""Bytes of the file: some 25,000 sentence vectors; what was used longest ago goes first."""

_HEAD = struct.Struct("<32sI")
_DIGEST = hashlib.sha256().digest_size


class Damaged(ValueError):  # noqa: N818 - it names the state of the file
    """The bytes are not what `encoded` writes."""


class FileCache:
    """A `Cache` that reads its file when first asked and writes it when told to.

    `read` gives the file's bytes or None; `write` replaces the file whole, or does nothing where
    it may not write; `warn` is told in a sentence when the file is damaged, which otherwise counts
    as an empty one. Two runs at once are safe: each adds what it found to what is there by then,
    and at worst the later of the two leaves out some of the other's, to be computed again.
    """

    def __init__(
        self,
        read: Callable[[], bytes | None],
        write: Callable[[bytes], None],
        warn: Callable[[str], None],
        *,
        limit: int = LIMIT,
    ) -> None:
        self._read = read
        self._write = write
        self._warn = warn
        self._limit = limit
        self._kept: dict[bytes, bytes] | None = None
        self._used: dict[bytes, bytes] = {}
        self._new = False
        self._lock = RLock()  # threads that ask models share a cache

    def get(self, key: bytes) -> bytes | None:
        """What was kept under `key` (32 bytes), or None."""
        with self._lock:
            if self._kept is None:
                self._kept = self._present(warn=True)
            value = self._kept.get(key) if key not in self._used else self._used[key]
            if value is not None:
                self._used[key] = value
            return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep `value` under `key` (32 bytes)."""
        with self._lock:
            self._used[key] = value
            self._new = True

    def save(self) -> None:
        """Write the file if there is anything new: what this run used first, then the rest."""
        with self._lock:
            if not self._new:
                return
            self._new = False
            # What another run has added meanwhile is kept as well.
            entries = self._used | (self._present(warn=False) | self._used)
            self._write(encoded(entries, self._limit))

    def _present(self, *, warn: bool) -> dict[bytes, bytes]:
        content = self._read()
        if content is None:
            return {}
        try:
            return decoded(content)
        except Damaged as error:
            if warn:
                self._warn(f"the cache of earlier results is not used: {error}")
            return {}


def encoded(entries: Mapping[bytes, bytes], limit: int = LIMIT) -> bytes:
    """The file of these entries: a magic line, the entries in order, a SHA-256 over it all.

    Entries from the first that would take the file above `limit` bytes are left out.
    """
    parts = [MAGIC]
    size = len(MAGIC) + _DIGEST
    for key, value in entries.items():
        size += _HEAD.size + len(value)
        if size > limit:
            break
        parts += [_HEAD.pack(key, len(value)), value]
    body = b"".join(parts)
    return body + hashlib.sha256(body).digest()


def decoded(content: bytes) -> dict[bytes, bytes]:
    """The entries of a file, in its order. Raises Damaged for anything else."""
    body, digest = content[:-_DIGEST], content[-_DIGEST:]
    if not body.startswith(MAGIC):
        raise Damaged("it was not written by this version of reviser")
    if hashlib.sha256(body).digest() != digest:
        raise Damaged("its bytes are not those that were written")
    entries: dict[bytes, bytes] = {}
    start = len(MAGIC)
    while start + _HEAD.size <= len(body):
        key, length = _HEAD.unpack_from(body, start)
        start += _HEAD.size
        entries[key] = body[start : start + length]
        start += length
    if start != len(body):
        raise Damaged("its last entry is incomplete")
    return entries
