"""How a paper is to be reviewed and rewritten: the switches of the model half of `improve`."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from reviser.review.model import PRESETS, Weights
from reviser.revise.batch import BATCH
from reviser.revise.claims import Strategy
from reviser.revise.offers import BLOCKS_A_ROUND
from reviser.revise.rounds import ROUNDS
from reviser.revise.rubric import Ties

Procedure: TypeAlias = Literal["reviser", "published"]
"""Whose procedure decides what is kept: ours, or the one printed in the papers (METHODS 8)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`rounds` at most, `batch` edits certified together at most, what becomes of `ties`, and how
    much each dimension counts. Without `rebut` every point that an edit can mend is followed;
    without `imitate` the reviewer has no criteria. `blocks` is how many new sections, tables and
    timelines a round may put in. `procedure` is what the other switches stand
    in: see `pipeline.procedures`."""

    rounds: int = ROUNDS
    batch: int = BATCH
    ties: Ties = "pairwise"
    weights: Weights = field(default_factory=lambda: PRESETS["equal"])
    strategy: Strategy = "references-first"
    rebut: bool = True
    imitate: bool = True
    blocks: int = BLOCKS_A_ROUND
    procedure: Procedure = "reviser"
