"""How a paper is reviewed and rewritten by models: what the options of the same names say."""

from collections.abc import Mapping
from dataclasses import dataclass

from reviser.app.model_settings import ModelSettings
from reviser.errors import SettingsError
from reviser.pipeline.plan import Plan, Procedure
from reviser.review.model import PRESETS, Dimension, Weights
from reviser.revise.claims import Strategy
from reviser.revise.offers import BLOCKS_A_ROUND
from reviser.revise.rubric import Ties


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSettings:
    """`weights` names a preset or lists `dimension=number`; `reviews` is a file of public reviews,
    None for the one in the user's data folder."""

    models: ModelSettings
    rounds: int
    batch: int
    ties: Ties
    weights: str
    strategy: Strategy
    rebut: bool
    imitate: bool
    reviews: str | None = None
    procedure: Procedure = "reviser"
    blocks: int = BLOCKS_A_ROUND

    @property
    def plan(self) -> Plan:
        """How to go about it. Raises SettingsError for weights that are none."""
        return Plan(
            rounds=self.rounds,
            batch=self.batch,
            ties=self.ties,
            weights=weights_of(self.weights),
            strategy=self.strategy,
            rebut=self.rebut,
            imitate=self.imitate,
            blocks=self.blocks,
            procedure=self.procedure,
        )


def weights_of(text: str) -> Weights:
    """The weights that a text names; a dimension that it leaves out weighs 1.

    Raises SettingsError for an unknown name, a number that is none, or nothing but zeros.
    """
    if text in PRESETS:
        return PRESETS[text]
    known: Mapping[str, Dimension] = {d.value.replace(" ", "-"): d for d in Dimension}
    weights = dict.fromkeys(Dimension, 1.0)
    for part in text.split(","):
        name, found, number = (piece.strip() for piece in part.partition("="))
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not found or name not in known or not 0 <= value <= 100:
            raise SettingsError(
                f"weights: {part.strip()[:60]!r} is no weight",
                hint=f"Give {', '.join(PRESETS)}, or numbers from 0 to 100 for some of "
                f"{', '.join(known)}, as in coverage=2,structure=0.5",
            )
        weights[known[name]] = value
    if not any(weights.values()):
        raise SettingsError("weights: all of them are 0, so nothing would count")
    return weights
