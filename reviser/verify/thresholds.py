"""The limits of the verdicts: from which figures on a work is off topic, supports, contradicts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits of the verdicts; see `relevance` for how the topic's were found.

    `closeness` and `distance`: a work is off topic when closer than neither allows, that is below
    the one and above the other, and another work the paper cites is nearer by `lag` (not asked for
    above `few_distance`). Where it cites fewer than `few` works with text, the comparison is rough
    and `few_distance` is the limit. `pointer_distance` holds for pointers and background lists.
    `alone_closeness` and `alone_shared` hold where a paper cites too few works with text for a
    comparison: among SciFact's and Citation-Integrity's true pairs fewer than 1% lie below .15.
    `strange`: strangeness from which a work is not of the paper's field.
    `entails` and `contradicts` are a verifier's probabilities; plain NLI models call too much a
    contradiction, hence the high bar, and a contradiction needs the topic to fit as well.
    """

    closeness: float = 0.35
    distance: float = 0.32
    lag: float = 0.15
    few_distance: float = 0.40
    few: int = 20
    pointer_distance: float = 0.40
    alone_closeness: float = 0.10
    alone_shared: float = 0.05
    strange: float = 0.30
    entails: float = 0.60
    contradicts: float = 0.95
    contradicts_closeness: float = 0.40


DEFAULT = Thresholds()
