"""A verifier is asked once about each pair, and its words come back exactly."""

from collections.abc import Sequence

import pytest

from reviser.adapters.cached_entailment import (
    CachedEntailment,
    judgement_key,
    packed,
    unpacked,
)
from reviser.ports import Entailed


class Memory(dict[bytes, bytes]):
    """A cache that forgets nothing."""

    def put(self, key: bytes, value: bytes) -> None:
        self[key] = value


class Verifier:
    """Judges by length; `asked` counts."""

    name = "lengths"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed]:
        self.asked += pairs
        return [Entailed(1 / (1 + len(p)), 1 / (3 + len(h)) if h else None) for p, h in pairs]


PAIRS = [("a premise", "a claim"), ("another", ""), ("a premise", "a claim"), ("\udcff", "x")]


def test_known_pairs_are_not_asked_again_and_nothing_is_loaded_for_them() -> None:
    cache, plain = Memory(), Verifier()
    first = CachedEntailment("lengths", "weights 1", lambda: plain, cache)
    expected = Verifier().judge(PAIRS)
    assert first.judge(PAIRS) == expected
    assert plain.asked == [PAIRS[0], PAIRS[1], PAIRS[3]]

    def never() -> Verifier:
        raise AssertionError("loaded")

    again = CachedEntailment("lengths", "weights 1", never, cache)
    assert again.judge(PAIRS) == expected
    assert again.judge([]) == []
    with pytest.raises(AssertionError, match="loaded"):
        CachedEntailment("lengths", "weights 2", never, cache).judge(PAIRS[:1])


def test_only_what_is_new_is_asked() -> None:
    cache, plain = Memory(), Verifier()
    asking = CachedEntailment("lengths", "weights", lambda: plain, cache)
    asking.judge(PAIRS)
    plain.asked.clear()
    assert asking.judge([*PAIRS, ("new", "pair")])[-1] == Verifier().judge([("new", "pair")])[0]
    assert plain.asked == [("new", "pair")]


def test_parts_of_a_key_do_not_run_together() -> None:
    keys = {
        judgement_key(*p)
        for p in [("a", "b", "c"), ("ab", "", "c"), ("a", "bc", ""), ("a", "b:1", "c")]
    }
    assert len(keys) == 4


@pytest.mark.parametrize(
    "judged", [Entailed(0.1 + 0.2, None), Entailed(1 / 3, 2 / 3), Entailed(0.0, 0.0)]
)
def test_a_judgement_comes_back_to_the_last_bit(judged: Entailed) -> None:
    assert unpacked(packed(judged)) == judged


@pytest.mark.parametrize(
    "kept", [b"", bytes(15), b"\xff" * 16, packed(Entailed(2.0, None)), packed(Entailed(0.5, -1.0))]
)
def test_bytes_that_are_no_judgement_are_none(kept: bytes) -> None:
    assert unpacked(kept) is None
