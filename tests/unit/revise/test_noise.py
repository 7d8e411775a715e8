"""What wavers, and by how much a score must move."""

from random import Random

import pytest

from reviser.review.model import PRESETS, Dimension, Grade, Scorecard
from reviser.revise.noise import LEAST, LEAST_OF_ONE, Noise, Scored, measured

EQUAL = PRESETS["equal"]


def card(score: float) -> Scorecard:
    return Scorecard(tuple(Grade(dimension, score) for dimension in Dimension), "m")


def cards(*scores: float) -> list[Scorecard]:
    return [card(score) for score in scores]


def noise(*scored: tuple[list[float], list[float]]) -> Noise:
    found = measured([Scored(cards(*same), cards(*finer)) for same, finer in scored], EQUAL)
    assert found is not None
    return found


def test_a_judge_that_never_wavers_still_has_a_least_margin() -> None:
    found = noise(([3, 3, 3], [3, 3]), ([4, 4, 4], [4, 4]))
    assert found.margin(1) == LEAST
    assert found.fall(Dimension.SYNTHESIS, 1) == LEAST_OF_ONE


def test_two_samples_are_the_least() -> None:
    assert measured([Scored(cards(3), cards(3.5))], EQUAL) is None


def test_samples_make_the_margin_narrower_and_wordings_do_not() -> None:
    wavers = noise(([3.0, 3.2, 3.1], []), ([3.0, 3.1, 2.9], []))
    assert wavers.mean.wordings == 0
    assert wavers.margin(4) == pytest.approx(wavers.margin(1) / 2)
    picky = noise(([3, 3, 3], [3.4, 2.7]), ([3, 3, 3], [2.6, 3.3]))
    assert picky.mean.apart
    assert picky.margin(4) == pytest.approx(picky.margin(1))
    assert picky.margin(1, 4) == pytest.approx(picky.margin(1) / 2)


def test_what_finer_words_are_worth_is_told_apart_from_wavering() -> None:
    vain = noise(*[([3.0, 3.02, 2.98], [3.5, 3.5])] * 3)
    assert vain.vanity == pytest.approx(0.5)
    assert vain.likes_finer_words
    assert vain.margin(1) < 0.1
    plain = noise(*[([3.0, 3.02, 2.98], [2.5, 2.5])] * 3)
    assert plain.vanity == pytest.approx(-0.5)
    assert not plain.likes_finer_words
    assert plain.margin(1) < 0.1


def test_unchanged_content_gains_in_about_one_case_in_forty() -> None:
    draw = Random(4)  # noqa: S311
    gained = 0
    for _ in range(4_000):
        same = [[draw.gauss(3, 0.2) for _ in range(3)] for _ in range(3)]
        finer = [[draw.gauss(3, 0.2) for _ in range(2)] for _ in range(3)]
        found = noise(*zip(same, finer, strict=True))
        gained += draw.gauss(3, 0.2) - draw.gauss(3, 0.2) > found.margin(1)
    assert 0.01 < gained / 4_000 < 0.04
