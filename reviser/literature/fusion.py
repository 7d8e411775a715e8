"""Several rankings of the same works made into one."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RANKS = 60
"""What is added to each rank, so that the first places do not outweigh all others: the value of
Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods (SIGIR 2009), found there on TREC runs and hardly sensitive."""


def fused(rankings: Sequence[Sequence[Item]], *, ranks: int = RANKS) -> tuple[Item, ...]:
    """The items of all rankings by the sum of 1 / (ranks + rank), ranks from 1, greatest first.

    An item that stands twice in a ranking counts where it stands first. Equal sums keep the order
    in which the items are first met, ranking by ranking.
    """
    sums: dict[Item, float] = {}
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking), start=1):
            sums[item] = sums.get(item, 0.0) + 1.0 / (ranks + rank)
    return tuple(sorted(sums, key=lambda item: -sums[item]))
