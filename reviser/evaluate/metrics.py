"""Figures of merit: how often a judge is right, and how sure that figure is."""

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the bounds of its percentile bootstrap interval; all None without data."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Pairs whose score lies in [low, high): how many, their mean score, the share that is true."""

    low: float
    high: float
    count: int
    mean_score: float
    share_true: float


def share(hits: int, of: int) -> float | None:
    """`hits` / `of` in [0, 1]; None, not zero, when there was nothing to count."""
    return hits / of if of else None


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """Probability that a positive scores above a negative, ties counting half (Mann-Whitney).

    None when either side is empty.
    """
    if not positives or not negatives:
        return None
    labelled = sorted([(s, 1) for s in positives] + [(s, 0) for s in negatives])
    rank_sum = 0.0
    start = 0
    while start < len(labelled):
        stop = start
        while stop < len(labelled) and labelled[stop][0] == labelled[start][0]:
            stop += 1
        mean_rank = (start + 1 + stop) / 2
        rank_sum += mean_rank * sum(label for _, label in labelled[start:stop])
        start = stop
    wins = rank_sum - len(positives) * (len(positives) + 1) / 2
    return wins / (len(positives) * len(negatives))


def f1_by_label(truth: Sequence[str], said: Sequence[str]) -> dict[str, float]:
    """F1 of each label that occurs in `truth`; 0 where the judge never gave it rightly."""
    figures = {}
    for label in sorted(set(truth)):
        right = sum(t == s == label for t, s in zip(truth, said, strict=True))
        given = sum(s == label for s in said)
        due = sum(t == label for t in truth)
        figures[label] = 2 * right / (given + due)
    return figures


def macro_f1(truth: Sequence[str], said: Sequence[str]) -> float | None:
    """The mean of `f1_by_label`; None without data."""
    figures = f1_by_label(truth, said)
    return sum(figures.values()) / len(figures) if figures else None


def bootstrap(
    clusters: Mapping[Hashable, Sequence[T]],
    figure: Callable[[Sequence[T]], float | None],
    *,
    seed: int,
    rounds: int = 1000,
    level: float = 0.95,
) -> Interval:
    """A percentile interval of `figure`, resampling whole clusters.

    Observations of one cited key (or one paper) are not independent, so they are drawn together.
    The same `seed` gives the same interval.
    """
    pooled = [item for items in clusters.values() for item in items]
    value = figure(pooled)
    if value is None:
        return Interval(None, None, None)
    draw = random.Random(seed)  # noqa: S311 - a resampling seed, not a secret
    names = sorted(clusters, key=repr)
    values = []
    for _ in range(rounds):
        sample = [item for name in draw.choices(names, k=len(names)) for item in clusters[name]]
        again = figure(sample)
        if again is not None:
            values.append(again)
    values.sort()
    tail = (1 - level) / 2
    low = values[min(len(values) - 1, int(tail * len(values)))]
    high = values[min(len(values) - 1, int((1 - tail) * len(values)))]
    return Interval(value, low, high)


def calibration(
    scores: Sequence[float], truth: Sequence[bool], *, bins: int = 10
) -> tuple[CalibrationBin, ...]:
    """Scores in [0, 1] in equal bins against the share that is true; empty bins are left out."""
    found: list[CalibrationBin] = []
    for index in range(bins):
        low, high = index / bins, (index + 1) / bins
        inside = [
            (s, t)
            for s, t in zip(scores, truth, strict=True)
            if low <= s < high or (index == bins - 1 and s == high)
        ]
        if inside:
            mean = sum(s for s, _ in inside) / len(inside)
            true = sum(t for _, t in inside) / len(inside)
            found.append(CalibrationBin(low, high, len(inside), mean, true))
    return tuple(found)
