"""The file of kept results: it gives back what was put, bounded, and takes any file for empty."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.adapters.cache import MAGIC, Damaged, FileCache, decoded, encoded


def key(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


class Disk:
    """A file that can be looked at; `warned` holds what the user was told."""

    def __init__(self, content: bytes | None = None) -> None:
        self.content = content
        self.warned: list[str] = []
        self.writes = 0

    def write(self, content: bytes) -> None:
        self.content = content
        self.writes += 1

    def open(self, limit: int = 10_000) -> FileCache:
        return FileCache(lambda: self.content, self.write, self.warned.append, limit=limit)


@given(st.dictionaries(st.binary(min_size=32, max_size=32), st.binary(max_size=40)))
def test_a_file_holds_what_was_written(entries: dict[bytes, bytes]) -> None:
    assert list(decoded(encoded(entries)).items()) == list(entries.items())


@given(st.binary(max_size=200))
def test_any_other_bytes_are_damaged(content: bytes) -> None:
    for found in (content, MAGIC + content):
        with pytest.raises(Damaged):
            decoded(found)


def test_a_wrong_length_under_a_right_digest_is_damaged() -> None:
    body = encoded({key("a"): b"12345"})[:-32][:-2]
    with pytest.raises(Damaged, match="incomplete"):
        decoded(body + hashlib.sha256(body).digest())


def test_the_next_run_finds_what_this_one_put() -> None:
    disk = Disk()
    first = disk.open()
    assert first.get(key("a")) is None
    first.put(key("a"), b"1")
    assert first.get(key("a")) == b"1"
    assert disk.writes == 0, "nothing is written before it is asked for"
    first.save()
    second = disk.open()
    assert second.get(key("a")) == b"1"
    second.save()
    assert disk.writes == 1, "nothing new, nothing written"


@pytest.mark.parametrize("spoil", [lambda b: b[:-1], lambda b: b"", lambda b: b"x" + b[1:]])
def test_a_damaged_file_is_an_empty_one_with_one_warning(spoil) -> None:
    disk = Disk(spoil(encoded({key("a"): b"1"})))
    cache = disk.open()
    assert cache.get(key("a")) is None
    assert cache.get(key("b")) is None
    cache.put(key("a"), b"2")
    cache.save()
    assert len(disk.warned) == 1
    assert decoded(disk.content or b"") == {key("a"): b"2"}


def test_what_was_not_used_longest_goes_first() -> None:
    disk = Disk()
    value = bytes(100)
    limit = len(encoded({key(str(n)): value for n in range(3)}))
    for name in ("old", "mid", "new"):
        cache = disk.open(limit)
        cache.get(key("none"))
        cache.put(key(name), value)
        cache.save()
    cache = disk.open(limit)
    assert cache.get(key("old")) == value
    cache.put(key("newest"), value)
    cache.save()
    assert disk.content is not None
    assert len(disk.content) <= limit
    assert set(decoded(disk.content)) == {key("old"), key("newest"), key("new")}


def test_two_runs_at_once_keep_what_both_found() -> None:
    disk = Disk()
    one, other = disk.open(), disk.open()
    for cache, name in ((one, "one"), (other, "other")):
        cache.get(key(name))
        cache.put(key(name), name.encode())
    one.save()
    other.save()
    assert decoded(disk.content or b"") == {key("one"): b"one", key("other"): b"other"}
