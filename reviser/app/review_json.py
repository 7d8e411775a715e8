"""The documented JSON of `review`; its schema is templates/schemas/review.schema.json."""

import json
from typing import TypedDict

from reviser.app.counted_json import HoldingsData, holdings_data
from reviser.app.json_output import position
from reviser.app.spent_output import SpentData, all_spent_data
from reviser.app.version import version
from reviser.pipeline.reviewing import Listed, ReviewedPaper
from reviser.review.model import Criterion, Mark, Remedy, Review

SCHEMA = "reviser.review/1"


class MarkData(TypedDict):
    """A mark from 1 to 4 with its reason."""

    score: float
    why: str


class GradeData(TypedDict):
    """A grade from 1 to 5 on one dimension; `spread` is null with one sample."""

    dimension: str
    score: float
    spread: float | None
    why: str
    plan: str


class CriterionData(TypedDict):
    """What the reviewer was told to look at, and the reviews that it was learnt from."""

    name: str
    instruction: str
    sources: list[str]


class ReviewData(TypedDict):
    """A review in the form of a conference. `scorecard` is null where none could be had."""

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
    criteria: list[CriterionData]
    scorecard: list[GradeData] | None
    left_out: list[str]


class PointData(TypedDict):
    """Something to be bettered. `action` is null where no writer is asked; `course` is what is to
    become of it, and `why` the reason, empty where a rule's edit mends it."""

    id: str
    rule: str
    path: str
    start: int
    stop: int
    line: int
    column: int
    end_line: int
    section: str
    severity: str
    dimension: str
    message: str
    quote: str
    needs: str
    remedy: str
    action: str | None
    course: str
    why: str
    instruction: str
    rebuttal: str


class ReviewReport(TypedDict):
    """All of `reviser review --format json`."""

    schema: str
    version: str
    main: str
    review: ReviewData | None
    points: list[PointData]
    findings_elsewhere: int
    points_silenced: int
    unusable: list[str]
    evidence: HoldingsData | None
    asked: list[SpentData]


def review_data(reviewed: ReviewedPaper) -> ReviewReport:
    """The whole report as data."""
    said = reviewed.review
    return {
        "schema": SCHEMA,
        "version": version(),
        "main": reviewed.checked.manuscript.main,
        "review": None if said is None else _review(said),
        "points": [_point(listed, reviewed) for listed in reviewed.listed],
        "findings_elsewhere": reviewed.elsewhere,
        "points_silenced": reviewed.silent,
        "unusable": list(reviewed.unusable),
        "evidence": holdings_data(reviewed.checked),
        "asked": all_spent_data(reviewed.asked),
    }


def review_json(reviewed: ReviewedPaper) -> str:
    """The report as JSON; ASCII only, so that any pipe gets it through."""
    data = review_data(reviewed)
    return json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _review(said: Review) -> ReviewData:
    card = said.scorecard
    return {
        "model": said.model,
        "summary": said.summary,
        "soundness": _mark(said.soundness),
        "presentation": _mark(said.presentation),
        "contribution": _mark(said.contribution),
        "strengths": list(said.strengths),
        "weaknesses": list(said.weaknesses),
        "questions": list(said.questions),
        "rating": said.rating,
        "confidence": said.confidence,
        "criteria": [_criterion(criterion) for criterion in said.criteria],
        "scorecard": None
        if card is None
        else [
            {
                "dimension": grade.dimension.value,
                "score": round(grade.score, 4),
                "spread": None if grade.spread is None else round(grade.spread, 4),
                "why": grade.why,
                "plan": grade.plan,
            }
            for grade in card.grades
        ],
        "left_out": list(said.left_out),
    }


def _mark(mark: Mark) -> MarkData:
    return {"score": mark.score, "why": mark.why}


def _criterion(criterion: Criterion) -> CriterionData:
    return {
        "name": criterion.name,
        "instruction": criterion.instruction,
        "sources": list(criterion.sources),
    }


def _point(listed: Listed, reviewed: ReviewedPaper) -> PointData:
    point, decision = listed.point, listed.decision
    manuscript = reviewed.checked.manuscript
    line, column, end_line = position(point.place, manuscript.sources)
    return {
        "id": point.id,
        "rule": point.rule,
        "path": point.place.path,
        "start": point.place.span.start,
        "stop": point.place.span.stop,
        "line": line,
        "column": column,
        "end_line": end_line,
        "section": manuscript.sections[point.section].title if manuscript.sections else "",
        "severity": point.severity.value,
        "dimension": point.dimension.value,
        "message": point.message,
        "quote": point.quote,
        "needs": point.needs,
        "remedy": "tool" if point.remedy is Remedy.TOOL else "author",
        "action": None if point.action is None else point.action.value,
        "course": listed.course.value,
        "why": "" if decision is None else decision.why,
        "instruction": "" if decision is None else decision.instruction,
        "rebuttal": "" if decision is None else decision.rebuttal,
    }
