"""The rules that a review's points are findings of, one for each dimension."""

from collections.abc import Mapping

from reviser.findings import Severity
from reviser.review.model import Dimension, Point

PREFIX = "review-"
"""How these rules begin; every other point is a finding of a rule or of the verifier, or somebody
asked for it."""


def rule_of(dimension: Dimension) -> str:
    """The rule that a review's points on this dimension are findings of."""
    return PREFIX + dimension.value.replace(" ", "-")


RULES: Mapping[str, tuple[Severity, str]] = {
    rule_of(Dimension.COVERAGE): (Severity.WARNING, "a reviewer misses something"),
    rule_of(Dimension.STRUCTURE): (Severity.WARNING, "a reviewer could not follow the order"),
    rule_of(Dimension.RELEVANCE): (Severity.WARNING, "a reviewer finds this beside the matter"),
    rule_of(Dimension.SYNTHESIS): (Severity.WARNING, "a reviewer finds works listed, not related"),
    rule_of(Dimension.CRITICAL_ANALYSIS): (
        Severity.WARNING,
        "a reviewer finds a claim untested or a limit unsaid",
    ),
}
"""The rules of a review's points, with the worst severity they have; see `findings_of`."""


def is_reviewed(point: Point) -> bool:
    """Whether it comes from a review, and not from a rule, a verifier or a person."""
    return point.rule in RULES
