"""The values of a review: what is said of a paper, how it is graded, and the points to work off."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reviser.findings import Severity
from reviser.text.source import Place


class Dimension(StrEnum):
    """What a text is graded on (FIKSurvey 4.1.2)."""

    COVERAGE = "coverage"
    STRUCTURE = "structure"
    RELEVANCE = "relevance"
    SYNTHESIS = "synthesis"
    CRITICAL_ANALYSIS = "critical analysis"


Weights = Mapping[Dimension, float]
"""How much each dimension counts; all at least 0, not all 0."""

PRESETS: Mapping[str, Weights] = {
    "equal": dict.fromkeys(Dimension, 1.0),
    "fast-moving": {
        **dict.fromkeys(Dimension, 1.0),
        Dimension.COVERAGE: 2.0,
        Dimension.RELEVANCE: 2.0,
    },
    "mature": {
        **dict.fromkeys(Dimension, 1.0),
        Dimension.SYNTHESIS: 2.0,
        Dimension.CRITICAL_ANALYSIS: 2.0,
    },
}
"""Weights by name: for a field that moves fast, and for one that is mature."""


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade from 1 to 5 on one dimension, fractions allowed. `spread` is the standard deviation
    of the samples it is the mean of, None with one. `why` and `plan` are the judge's reason and
    how the text could do better; a score-only judge leaves them empty."""

    dimension: Dimension
    score: float
    spread: float | None = None
    why: str = ""
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """One grade for each dimension, in their order, who gave them, and in how many samples.

    `left_out` tells what of the text they were not shown, and why; empty when they saw all.
    """

    grades: tuple[Grade, ...]
    model: str
    samples: int = 1
    left_out: tuple[str, ...] = ()

    def mean(self, weights: Weights) -> float:
        """The weighted mean, from 1 to 5."""
        total = sum(weights[grade.dimension] for grade in self.grades)
        return sum(weights[grade.dimension] * grade.score for grade in self.grades) / total

    def score(self, dimension: Dimension) -> float:
        """The score on one dimension."""
        return next(grade.score for grade in self.grades if grade.dimension is dimension)


@dataclass(frozen=True, slots=True)
class Criterion:
    """Something human reviewers of like papers look at, as an instruction to a reviewer.

    `sources` name the public reviews it was distilled from, or the seed set it ships in.
    """

    name: str
    instruction: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark with its reason: `score` from 1 (poor) to 4 (excellent)."""

    score: float
    why: str


@dataclass(frozen=True, slots=True)
class Review:
    """A paper in the form of a conference review (I&E 3.2).

    `rating` runs from 1 to 10, `confidence` from 1 to 5. `model` wrote it, following `criteria`.
    `left_out` tells what of the paper it was not shown, and why; empty when it was shown all.
    """

    summary: str
    soundness: Mark
    presentation: Mark
    contribution: Mark
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    questions: tuple[str, ...]
    rating: float
    confidence: float
    model: str
    criteria: tuple[Criterion, ...] = ()
    scorecard: Scorecard | None = None
    left_out: tuple[str, ...] = ()


class Remedy(StrEnum):
    """Who can mend what a point speaks of."""

    TOOL = "an edit can mend it"
    AUTHOR = "the author must decide"


class Action(StrEnum):
    """What a writer can be asked to do."""

    REWRITE_SENTENCE = "rewrite sentence"
    ENHANCE_PARAGRAPH = "enhance paragraph"
    RESTRUCTURE_PARAGRAPH = "restructure paragraph"
    REWRITE_CLAIM = "rewrite claim"
    REWRITE_WITH_EVIDENCE = "rewrite with evidence"
    INSERT_SUBSECTION = "insert subsection"
    ADD_SECTION = "add section"
    ADD_TABLE = "add table"
    ADD_TIMELINE = "add timeline"


BLOCKS = frozenset({
    Action.INSERT_SUBSECTION, Action.ADD_SECTION, Action.ADD_TABLE, Action.ADD_TIMELINE,
})  # fmt: skip
"""Actions that put in a block: a heading with its paragraphs, or a float (FIKSurvey C.2)."""

CONTENT = BLOCKS | {Action.REWRITE_WITH_EVIDENCE}
"""Actions that draw on the literature: they are offered only where enough of it is at hand."""


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to be bettered, that can be treated by itself (I&E 3.2, decomposition).

    `id` is the fingerprint of the finding it is or becomes. `rule` is `review-DIMENSION` for a
    point of a review, else the rule of that finding. `quote` are the exact words of the source at
    `place`, which stand there once; `section` is an index into `Manuscript.sections`, `lines` are
    the first and last line, 1-based. `needs` is the evidence that mending it takes, "" for none.
    `action` is None where the remedy is the author's.
    """

    id: str
    rule: str
    message: str
    quote: str
    place: Place
    section: int
    lines: tuple[int, int]
    dimension: Dimension
    severity: Severity
    remedy: Remedy
    action: Action | None = None
    needs: str = ""
