"""Answers that are kept between runs."""

import json
import zlib

from hypothesis import given
from hypothesis import strategies as st

from reviser.adapters.web.kept import Kept
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.sources import Section


class Memory:
    def __init__(self) -> None:
        self.held: dict[bytes, bytes] = {}

    def get(self, key: bytes) -> bytes | None:
        return self.held.get(key)

    def put(self, key: bytes, value: bytes) -> None:
        self.held[key] = value


PAPER = Paper(
    source="It",
    id="1",
    title="Kïtes",
    authors=(Author("Byron", "Ada"), Author("The Team")),
    year=2020,
    cites=("doi:10.1/x",),
    notice=Notice("retraction", "10.1/y", "2020-01"),
)


def test_what_is_kept_comes_back_as_it_was() -> None:
    kept = Kept(Memory())
    assert kept.papers("It", "doi", "x") is None
    kept.keep_papers((PAPER, Paper("It", "2", "Knots")), "It", "doi", "x")
    kept.keep_papers((), "It", "doi", "y")
    kept.keep_sections((Section("", "a"), Section("Methods", "b")), "https://x")
    assert kept.papers("It", "doi", "x") == (PAPER, Paper("It", "2", "Knots"))
    assert kept.papers("It", "doi", "y") == ()
    assert kept.sections("https://x") == (Section("", "a"), Section("Methods", "b"))
    assert kept.papers("https://x") is None


def test_without_a_cache_nothing_is_kept() -> None:
    kept = Kept()
    kept.keep_papers((PAPER,), "x")
    assert kept.papers("x") is None


@given(st.binary(max_size=60))
def test_a_damaged_answer_is_none(value: bytes) -> None:
    memory = Memory()
    kept = Kept(memory)
    kept.keep_papers((PAPER,), "x")
    for key in memory.held:
        memory.held[key] = value
    assert kept.papers("x") is None


def test_an_answer_of_another_shape_is_none() -> None:
    memory = Memory()
    kept = Kept(memory, now=lambda: 10.0)
    kept.keep_papers((PAPER,), "x")
    (key,) = memory.held
    for answer in ([{}], [1], {"a": 1}, "x", [{"notice": 3, "authors": [], "cites": []}], None):
        memory.held[key] = zlib.compress(json.dumps({"at": 10, "answer": answer}).encode())
        assert kept.papers("x") is None
