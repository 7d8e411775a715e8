"""Two versions of a survey side by side, by the papers' metrics: what a revision did to it.

Content is graded by an evaluator who never sees which version is which (FIKSurvey 4.1.2, SurveyX
4.1); citation figures are those of `verify.figures`; the reference sets are compared by
intersection over union (SurveyX 4.1).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from reviser.asking import Unusable
from reviser.evaluate.metrics import share
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Checked
from reviser.review.model import Dimension, Scorecard, Weights
from reviser.verify.figures import Figure

NO_EVALUATOR = "nobody was asked: no evaluator model is named"


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured of one version. `keys` are the works it cites, in lower case; `words`
    counts those of its sentences. `grades` are from 1 to 5; empty where `ungraded` says why."""

    words: int
    sentences: int
    citations: int
    keys: frozenset[str]
    findings: int
    figures: Mapping[str, Figure]
    grades: Mapping[str, float]
    ungraded: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure of both versions; None where it could not be had, and `why` says so."""

    name: str
    before: float | None
    after: float | None
    why: str = ""

    @property
    def change(self) -> float | None:
        """How much it rose; None where one of the two is not known."""
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Compared:
    """Both versions, row by row. `iou` is the share of works that both cite among all that either
    does, None where neither cites any."""

    rows: tuple[Row, ...]
    iou: float | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    evaluator: str
    verifier: str


def measured(checked: Checked, graded: Scorecard | Unusable, weights: Weights) -> Measured:
    """The figures of one version."""
    manuscript = checked.manuscript
    grades: dict[str, float] = {}
    if isinstance(graded, Scorecard):
        grades = {str(dimension): graded.score(dimension) for dimension in Dimension}
        grades["content, weighted mean"] = graded.mean(weights)
    return Measured(
        words=sum(len(sentence.plain.split()) for sentence in manuscript.sentences),
        sentences=len(manuscript.sentences),
        citations=len(manuscript.citations),
        keys=_cited(manuscript),
        findings=len(checked.live),
        figures={figure.name: figure for figure in checked.figures},
        grades=grades,
        ungraded=graded.why if isinstance(graded, Unusable) else "",
    )


def _cited(manuscript: Manuscript) -> frozenset[str]:
    names = (key.name.lower() for citation in manuscript.citations for key in citation.keys)
    return frozenset(name for name in names if name != "*")


def compared(before: Measured, after: Measured, *, evaluator: str, verifier: str) -> Compared:
    """The two versions in rows: content first, then citations, then sizes."""
    names = [*map(str, Dimension), "content, weighted mean"]
    why = before.ungraded or after.ungraded
    rows = [Row(n, before.grades.get(n), after.grades.get(n), why) for n in names]
    for name in dict.fromkeys([*before.figures, *after.figures]):
        then, now = before.figures.get(name), after.figures.get(name)
        said = next((figure.why for figure in (then, now) if figure and figure.why), "")
        rows.append(Row(name, then.value if then else None, now.value if now else None, said))
    sizes = (
        ("findings", before.findings, after.findings),
        ("citations", before.citations, after.citations),
        ("works cited", len(before.keys), len(after.keys)),
        ("sentences", before.sentences, after.sentences),
        ("words", before.words, after.words),
    )
    rows += [Row(name, float(then), float(now)) for name, then, now in sizes]
    return Compared(
        rows=tuple(rows),
        iou=share(len(before.keys & after.keys), len(before.keys | after.keys)),
        gained=tuple(sorted(after.keys - before.keys)),
        lost=tuple(sorted(before.keys - after.keys)),
        evaluator=evaluator,
        verifier=verifier,
    )
