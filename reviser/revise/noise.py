"""How much a judge wavers, and how far a score must move before that says anything.

Scores of one text differ from sample to sample, and scores of one content differ with its wording.
Both are measured before anything is judged, and taken together: a gain counts if a judge this
unsure would show it for unchanged content in one of forty cases, so 2.5%.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reviser.review.model import Dimension, Scorecard, Weights

LEAST = 0.05
"""A smaller step of the mean is never a gain, however sure the judge is, in grades."""
LEAST_OF_ONE = 0.1
"""The same for one dimension."""

# Between texts the variance must be so many times that within them to be called another: by chance
# it is in some 14% of cases with six degrees of freedom each.
_APART = 2.5

# Student's t, one-sided, by degrees of freedom from 1; scipy is no dependency for two rows.
_T_975 = (
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13,
    2.12, 2.11, 2.10, 2.09, 2.09,
)  # fmt: skip
_T_990 = (
    31.82, 6.96, 4.54, 3.75, 3.36, 3.14, 3.00, 2.90, 2.82, 2.76, 2.72, 2.68, 2.65, 2.62, 2.60,
    2.58, 2.57, 2.55, 2.54, 2.53,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wavering:
    """Standard deviations of a score, in grades: among samples of one text, which more samples
    make smaller, and among wordings of one content, which they do not.

    `freedom` is the number of degrees of freedom of the two together, from 1; `apart` tells that
    wordings sway it beyond what samples do by chance.
    """

    samples: float
    wordings: float
    freedom: int
    apart: bool = False

    def deviation(self, samples: int = 1) -> float:
        """The standard deviation of the mean of so many samples."""
        return math.sqrt(self.samples**2 / samples + self.wordings**2)


@dataclass(frozen=True, slots=True)
class Noise:
    """How the weighted mean of a scoring wavers, and how each dimension does.

    `vanity` is by how much finer words for the same raise the mean, below 0 where they lower it;
    `vanity_error` is its standard error.
    """

    mean: Wavering
    of: Mapping[Dimension, Wavering]
    vanity: float = 0.0
    vanity_error: float = 0.0

    @property
    def likes_finer_words(self) -> bool:
        """Whether that it does is likelier than not by far (1.5 standard errors)."""
        return self.vanity > 1.5 * self.vanity_error

    def margin(self, samples: int, passages: int = 1) -> float:
        """What the mean must gain to have gained, over so many passages scored so often before
        and after each."""
        spread = self.mean.deviation(samples) * math.sqrt(2 / passages)
        return max(LEAST, _limit(_T_975, self.mean.freedom) * spread)

    def fall(self, dimension: Dimension, samples: int, passages: int = 1) -> float:
        """What one dimension must lose to have lost: the limit is higher, since there are five of
        them to do so by chance (1% each)."""
        one = self.of[dimension]
        spread = one.deviation(samples) * math.sqrt(2 / passages)
        return max(LEAST_OF_ONE, _limit(_T_990, one.freedom) * spread)

    def doubt(self, samples: int, passages: int) -> float:
        """What the mean difference of so many passages, each scored so often, from one scoring of
        another text each may be by chance."""
        one = self.mean
        square = one.samples**2 * (1 + 1 / samples) + 2 * one.wordings**2
        return max(LEAST, _limit(_T_975, one.freedom) * math.sqrt(square / passages))


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage as it was scored: its own samples, and one score of each other wording."""

    same: Sequence[Scorecard]
    wordings: Sequence[Scorecard]


def measured(scored: Sequence[Scored], weights: Weights) -> Noise | None:
    """The noise in these scores; None where no passage has two samples."""
    if not any(len(one.same) > 1 for one in scored):
        return None

    def wavering(value: Callable[[Scorecard], float]) -> Wavering:
        return _wavering(
            [([value(c) for c in one.same], [value(c) for c in one.wordings]) for one in scored]
        )

    def of(dimension: Dimension) -> Wavering:
        return wavering(lambda card: card.score(dimension))

    def average(cards: Sequence[Scorecard]) -> float:
        return sum(card.mean(weights) for card in cards) / len(cards)

    mean = wavering(lambda card: card.mean(weights))
    finer = [average(one.wordings) - average(one.same) for one in scored if one.wordings]
    error = 0.0
    for one in scored:
        if one.wordings:
            error += mean.deviation(len(one.same)) ** 2 + mean.deviation() ** 2 / len(one.wordings)
    return Noise(
        mean,
        {dimension: of(dimension) for dimension in Dimension},
        sum(finer) / len(finer) if finer else 0.0,
        math.sqrt(error) / len(finer) if finer else 0.0,
    )


def _wavering(scored: Sequence[tuple[Sequence[float], Sequence[float]]]) -> Wavering:
    """An analysis of variance with two sources: samples of a text, and texts of a content."""
    inner = sum(_square(same) for same, _ in scored)
    inner_freedom = sum(len(same) - 1 for same, _ in scored)
    rows = [[same[0], *others] for same, others in scored if others]
    # What finer words are worth to it on average is no wavering; one degree is spent on it.
    shift = _shift(rows)
    rows = [[row[0], *(value - shift for value in row[1:])] for row in rows]
    outer_freedom = sum(len(row) - 1 for row in rows) - 1
    outer = sum(_square(row) for row in rows)
    within = inner / inner_freedom
    if outer_freedom < 1:
        return Wavering(math.sqrt(within), 0.0, inner_freedom)
    between = outer / outer_freedom
    if between <= within:
        freedom = inner_freedom + outer_freedom
        return Wavering(math.sqrt((inner + outer) / freedom), 0.0, freedom)
    # The variance of one sample of one wording is that between texts, so are its degrees where
    # it is another; where it may be the same, both count.
    apart = between > _APART * within
    freedom = outer_freedom if apart else inner_freedom + outer_freedom
    return Wavering(math.sqrt(within), math.sqrt(between - within), freedom, apart)


def _shift(rows: Sequence[Sequence[float]]) -> float:
    """By how much the other wordings are above the first, on average."""
    found = [value - row[0] for row in rows for value in row[1:]]
    return sum(found) / len(found) if found else 0.0


def _square(values: Sequence[float]) -> float:
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def _limit(table: Sequence[float], freedom: int) -> float:
    return table[min(max(1, freedom), len(table)) - 1]
