"""Score two versions of a survey with the evaluator and the papers' metrics."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from reviser.app.benching import bench_of
from reviser.app.evaluating_procedures import graded
from reviser.app.judging import judges_of, options_of
from reviser.app.opening import open_paper
from reviser.app.settings import Settings
from reviser.app.ticking import progress
from reviser.evaluate.survey import Compared, Measured, compared, measured
from reviser.pipeline.checking import check
from reviser.review.model import PRESETS
from reviser.text.printable import printable

SCHEMA = "reviser.evaluate.survey/1"


def evaluate_survey(before: Path, after: Path, settings: Callable[[Path], Settings]) -> Compared:
    """Both versions by the same evaluator and verifier; neither is told which it is.

    Without models the content is not graded, and the rows say so.
    """
    verifiers: list[str] = []
    evaluators: list[str] = []

    def version(path: Path) -> Measured:
        opened, seen = open_paper(settings(path)), progress()
        bench = chats = None
        review = opened.settings.review
        if review is not None:
            bench, chats = bench_of(opened, review, seen)
        judges = judges_of(opened, chats=chats, seen=seen)
        checked = check(opened.manuscript, options_of(opened, accepted=None), judges)
        evaluator = bench.roles.evaluator if bench is not None else None
        if judges.entailment is not None:
            verifiers.append(judges.entailment.name)
        if evaluator is not None:
            evaluators.append(evaluator.name)
        weights = review.plan.weights if review is not None else PRESETS["equal"]
        return measured(checked, graded(opened.manuscript, evaluator), weights)

    found = version(before), version(after)
    return compared(
        *found,
        evaluator=evaluators[0] if evaluators else "",
        verifier=verifiers[0] if verifiers else "",
    )


def survey_data(found: Compared) -> dict[str, object]:
    """The comparison as JSON data, versioned by `schema`."""
    return {"schema": SCHEMA, **asdict(found)}


def survey_lines(found: Compared) -> list[str]:
    """The comparison as lines of text: a figure, both versions, and the difference."""
    lines = [
        (
            f"evaluator: {printable(found.evaluator) or 'none'}; "
            f"verifier: {printable(found.verifier) or 'none'}"
        ),
        "",
        f"{'figure':34}{'before':>10}{'after':>10}{'change':>10}",
    ]
    for row in found.rows:
        change = "" if row.change is None else f"{row.change:+10.3f}"
        why = f"  {printable(row.why)}" if row.why and row.change is None else ""
        lines.append(f"{row.name:34}{_shown(row.before)}{_shown(row.after)}{change}{why}")
    lines += [
        "",
        (
            f"works cited, intersection over union: {_shown(found.iou).strip()}; "
            f"{len(found.gained)} gained, {len(found.lost)} lost"
        ),
    ]
    return lines


def _shown(value: float | None) -> str:
    if value is None:
        return f"{'-':>10}"
    return f"{value:10.0f}" if value == int(value) and abs(value) > 10 else f"{value:10.3f}"
