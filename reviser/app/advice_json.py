"""What models said of a paper and what became of it, as data for reports and for the record."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from reviser.pipeline.improving import Improved
from reviser.review.model import Mark, Review
from reviser.revise.outcomes import Became, fates
from reviser.revise.treatment import JudgeReport, Round
from reviser.revise.verdict import Score, Verdict
from reviser.text.source import Place, Source


class ScoreData(TypedDict):
    """A figure; `value` is null where it could not be had, and `why` says why."""

    name: str
    value: float | None
    spread: float | None
    why: str


class StepData(TypedDict):
    """A layer of the gate that was asked, and what it said."""

    layer: str
    outcome: str
    said: str


class ShadowData(TypedDict):
    """What a published rule would have decided."""

    rule: str
    outcome: str
    why: str


class CertificateData(TypedDict):
    """The gate's word on an edit, layer by layer. `together` are edits it was scored with, `holds`
    earlier ones that it took up."""

    edit: str
    outcome: str
    layer: str
    reasons: list[str]
    scores_before: list[ScoreData]
    scores_after: list[ScoreData]
    steps: list[StepData]
    shadow: ShadowData | None
    together: list[str]
    holds: list[str]


class MarkData(TypedDict):
    """A mark from 1 to 4 with its reason."""

    score: float
    why: str


class ReviewData(TypedDict):
    """A review in the form of a conference; `left_out` tells what its writer was not shown."""

    model: str
    summary: str
    soundness: MarkData
    presentation: MarkData
    contribution: MarkData
    strengths: list[str]
    weaknesses: list[str]
    questions: list[str]
    rating: float
    confidence: float
    criteria: list[str]
    left_out: list[str]


class PointData(TypedDict):
    """A point, where it stood before the first edit, and what became of it. `certificate` is null
    where no edit came to the gate."""

    id: str
    rule: str
    severity: str
    dimension: str
    path: str
    start: int
    stop: int
    line: int
    quote: str
    message: str
    needs: str
    action: str | None
    fate: str
    why: str
    instruction: str
    rebuttal: str
    drafts: int
    diagnosis: str
    certificate: CertificateData | None


class ReplannedData(TypedDict):
    """What was planned anew for a waiting point after an outcome was seen."""

    point: str
    step: str
    why: str


class RoundData(TypedDict):
    """A round; `unusable` tells what was asked in vain."""

    number: int
    review: ReviewData | None
    points: list[PointData]
    replanned: list[ReplannedData]
    unusable: list[str]


class ControlData(TypedDict):
    """What was done to a text, and whether the judge noticed."""

    what: str
    noticed: bool


class JudgeData(TypedDict):
    """What is known of the judge; `spread` is null where it could not be measured."""

    model: str
    spread: float | None
    trials: int
    controls: list[ControlData]
    sound: bool
    why: str


class AdviceData(TypedDict):
    """All that reviewing brought; `ended` says why there was no further round."""

    rounds: list[RoundData]
    judge: JudgeData | None
    ended: str


def advice_data(improved: Improved) -> AdviceData | None:
    """The advice as data, None where no model was to review."""
    advice = improved.advice
    if advice is None:
        return None
    told = fates(advice, improved.verdicts)
    return {
        "rounds": [
            _round(one, points, improved) for one, points in zip(advice.rounds, told, strict=True)
        ],
        "judge": None if advice.judge is None else _judge(advice.judge),
        "ended": advice.ended,
    }


def as_record(data: AdviceData | None) -> Mapping[str, Any] | None:
    """The same as a plain object, for a record that is read again without its types."""
    return None if data is None else {**data}


def certificate_data(verdict: Verdict) -> CertificateData:
    """The gate's word as data."""
    shadow = verdict.shadow
    return {
        "edit": verdict.edit.id,
        "outcome": verdict.outcome.value,
        "layer": verdict.layer.value,
        "reasons": list(verdict.reasons),
        "scores_before": [score_data(score) for score in verdict.before],
        "scores_after": [score_data(score) for score in verdict.after],
        "steps": [
            {"layer": s.layer.value, "outcome": s.outcome.value, "said": s.said}
            for s in verdict.steps
        ],
        "shadow": None
        if shadow is None
        else {"rule": shadow.rule, "outcome": shadow.outcome.value, "why": shadow.why},
        "together": list(verdict.together),
        "holds": list(verdict.holds),
    }


def score_data(score: Score) -> ScoreData:
    """A figure as data, to four decimals."""
    return {
        "name": score.name,
        "value": _rounded(score.value),
        "spread": _rounded(score.spread),
        "why": score.why,
    }


def _round(one: Round, points: Sequence[Became], improved: Improved) -> RoundData:
    origins = improved.advice.origins if improved.advice is not None else {}
    sources = improved.before.manuscript.sources
    return {
        "number": one.number,
        "review": None if one.review is None else _review(one.review),
        "points": [_point(became, origins, sources) for became in points],
        "replanned": [
            {"point": step.point, "step": step.step, "why": step.why} for step in one.replanned
        ],
        "unusable": list(one.unusable),
    }


def _point(
    became: Became, origins: Mapping[str, Place], sources: Mapping[str, Source]
) -> PointData:
    point, decision = became.point, became.decision
    place = origins.get(point.id, point.place)
    source = sources.get(place.path)
    return {
        "id": point.id,
        "rule": point.rule,
        "severity": point.severity.value,
        "dimension": point.dimension.value,
        "path": place.path,
        "start": place.span.start,
        "stop": place.span.stop,
        "line": 1 if source is None else source.line(place.span.start),
        "quote": point.quote,
        "message": point.message,
        "needs": point.needs,
        "action": None if point.action is None else point.action.value,
        "fate": became.fate.value,
        "why": became.why,
        "instruction": "" if decision is None else decision.instruction,
        "rebuttal": "" if decision is None else decision.rebuttal,
        "drafts": became.drafts,
        "diagnosis": became.diagnosis,
        "certificate": None if became.verdict is None else certificate_data(became.verdict),
    }


def _review(review: Review) -> ReviewData:
    return {
        "model": review.model,
        "summary": review.summary,
        "soundness": _mark(review.soundness),
        "presentation": _mark(review.presentation),
        "contribution": _mark(review.contribution),
        "strengths": list(review.strengths),
        "weaknesses": list(review.weaknesses),
        "questions": list(review.questions),
        "rating": review.rating,
        "confidence": review.confidence,
        "criteria": [criterion.name for criterion in review.criteria],
        "left_out": list(review.left_out),
    }


def _mark(mark: Mark) -> MarkData:
    return {"score": mark.score, "why": mark.why}


def _judge(judge: JudgeReport) -> JudgeData:
    return {
        "model": judge.model,
        "spread": _rounded(judge.spread),
        "trials": judge.trials,
        "controls": [{"what": what, "noticed": seen} for what, seen in judge.controls],
        "sound": judge.sound,
        "why": judge.why,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
