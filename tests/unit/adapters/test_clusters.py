"""Texts in groups of like meaning."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.adapters.clusters import SphericalKMeans
from reviser.adapters.index.kept_vectors import KeptVectors
from tests.fakes.vectors import WordVectors

SNOW = [f"snow falls in cold winter air {n}" for n in range(6)]
REEF = [f"corals bleach in warm tropical seas {n}" for n in range(6)]
ROAD = [f"traffic on roads forecast by graphs {n}" for n in range(6)]


def test_like_texts_come_together():
    mixed = [text for three in zip(SNOW, REEF, ROAD, strict=True) for text in three]
    assert SphericalKMeans(WordVectors()).of(mixed, 3) == [0, 1, 2] * 6


def test_the_same_texts_are_sorted_in_the_same_way():
    texts = [*SNOW, *REEF, *ROAD]
    again = [SphericalKMeans(WordVectors()).of(texts, 5) for _ in range(3)]
    assert again[0] == again[1] == again[2]


def test_the_middle_of_a_group_comes_first():
    group = ["snow ice frost", "snow ice frost cold", "snow", "volcano lava ash"]
    order = SphericalKMeans(WordVectors()).middle(group)
    assert order[0] in (0, 1)
    assert order[-1] == 3


@pytest.mark.parametrize("texts", [[], ["a"], ["a", "a", "a"], ["", " "]])
def test_few_and_equal_texts_are_no_trouble(texts):
    found = SphericalKMeans(WordVectors()).of(texts, 4)
    assert len(found) == len(texts)
    assert sorted(SphericalKMeans(WordVectors()).middle(texts)) == list(range(len(texts)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("abc ", max_size=5), max_size=12), st.integers(1, 6))
def test_groups_are_numbered_from_0_without_a_gap_and_are_no_more_than_asked(texts, count):
    found = SphericalKMeans(WordVectors()).of(texts, count)
    assert list(dict.fromkeys(found)) == list(range(len(set(found))))
    assert len(set(found)) <= count


def test_what_is_known_is_not_embedded_again():
    model = WordVectors()
    known = {"a": model.vector("a")}
    asked = []

    def look_up(texts):
        asked.append(list(texts))
        return {text: known[text] for text in texts if text in known}

    kept = KeptVectors(model, look_up)
    assert kept.vectors(["a", "b", "a"]) == [model.vector(t) for t in "aba"]
    assert kept.vectors(["b", "a"]) == [model.vector(t) for t in "ba"]
    assert (model.asked, asked) == (["b"], [["a", "b"]])
    assert (kept.identity, kept.size) == (model.identity, model.size)
