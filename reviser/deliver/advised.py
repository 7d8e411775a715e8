"""What models that write have brought to a plan, as facts: a review in short, what was rebutted,
what they cost, and what is known of the judge."""

from dataclasses import dataclass
from math import isfinite

from reviser.budget import dollars
from reviser.review.point_rules import RULES
from reviser.revise.treatment import JudgeReport

POINT_RULES = frozenset(RULES)
"""The rules of the points that a review raises: somebody's opinion, whoever that is."""


def is_point(rule: str) -> bool:
    """Whether a finding of this rule is a point of a review."""
    return rule in POINT_RULES


@dataclass(frozen=True, slots=True)
class Opinion:
    """A review in short form. `rating` runs from 1 to 10, `confidence` from 1 to 5; `model` wrote
    it. `criteria` counts those of human reviewers that it followed; `left_out` tells what of the
    paper it was not shown. `asked`: a person asked for it in a comment, so that points on lines the
    change does not touch are told too."""

    summary: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    questions: tuple[str, ...]
    rating: float
    confidence: float
    model: str
    criteria: int = 0
    left_out: tuple[str, ...] = ()
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Rebutted:
    """A point to which the text was not revised: `point` is its fingerprint, `message` what it
    said, `why` the reason. `answer` is a text for the authors' own answer, "" where the point is
    theirs to decide."""

    point: str
    rule: str
    message: str
    why: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Spending:
    """What one part of a run was asked: `part` is "writer", "helper", "evaluator" or "verifier";
    `model` names model and host. Those of the tape are not among `requests` and `tokens`; `cost`
    is in US dollars, None where no price is known."""

    part: str
    model: str
    requests: int
    taped: int
    tokens: int
    cost: float | None

    @property
    def priced(self) -> str:
        """What it cost in words."""
        if not self.requests:
            return "$0"
        known = self.cost is not None and isfinite(self.cost)
        return f"about {dollars(self.cost or 0.0)}" if known else "price unknown"


@dataclass(frozen=True, slots=True)
class Advised:
    """All that models which write were asked for. `opinion` is None where no review was wanted, or
    none could be had; `unusable` are sentences on what was asked and came to nothing. `judge` is
    None where no edit was judged by its merit."""

    opinion: Opinion | None = None
    rebutted: tuple[Rebutted, ...] = ()
    unusable: tuple[str, ...] = ()
    spent: tuple[Spending, ...] = ()
    judge: JudgeReport | None = None
