"""Reciprocal rank fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.fusion import RANKS, fused

RANKINGS = st.lists(st.lists(st.integers(0, 12), unique=True), max_size=4)


def test_a_work_that_both_rank_well_beats_one_that_only_one_ranks_first():
    assert fused([["a", "b", "c"], ["d", "b", "e"]])[0] == "b"


def test_the_constant_is_that_of_the_paper_and_decides():
    assert RANKS == 60
    rankings = [["a", "x", "y", "b"], ["p", "q", "r", "b"]]
    assert fused(rankings)[0] == "b"
    assert fused(rankings, ranks=0)[0] == "a"


@given(RANKINGS)
def test_nothing_is_lost_and_nothing_comes_twice(rankings):
    assert sorted(fused(rankings)) == sorted({item for ranking in rankings for item in ranking})


@given(st.lists(st.integers(), unique=True))
def test_one_ranking_stays_as_it_is(ranking):
    assert list(fused([ranking])) == ranking
    assert list(fused([ranking, ranking])) == ranking


@given(RANKINGS, st.integers(0, 12))
def test_an_item_that_rises_in_one_ranking_does_not_fall_in_the_whole(rankings, item):
    before = fused(rankings)
    if item not in before:
        return
    risen = [[item, *(i for i in ranking if i != item)] if item in ranking else ranking
             for ranking in rankings]  # fmt: skip
    score = dict(zip(before, range(len(before)), strict=True))
    after = fused(risen)
    assert after.index(item) <= score[item]


def test_an_item_twice_in_a_ranking_counts_where_it_stands_first():
    assert fused([["a", "b", "b", "b"], ["a"]]) == fused([["a", "b"], ["a"]])


@pytest.mark.parametrize("rankings", [[], [[]], [[], []]])
def test_of_nothing_comes_nothing(rankings):
    assert fused(rankings) == ()
