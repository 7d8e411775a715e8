"""Run procedures on the same paper, and lay what they did and cost side by side."""

from collections.abc import Sequence
from dataclasses import asdict

from reviser.app.benching import bench_of
from reviser.app.judging import judges_of, options_of
from reviser.app.opening import baseline_of, open_paper
from reviser.app.settings import Settings
from reviser.app.ticking import progress
from reviser.asking import Unusable
from reviser.errors import UsageError
from reviser.evaluate.procedures import Tried, tried
from reviser.evaluate.survey import NO_EVALUATOR
from reviser.evaluate.variants import PUBLISHED, REVISER, VARIANTS, Variant
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Reviewing
from reviser.pipeline.checking import check
from reviser.review.evaluator import evaluate
from reviser.review.model import Scorecard
from reviser.roles import Role
from reviser.text.printable import printable

SCHEMA = "reviser.evaluate.procedures/1"
BOTH = (REVISER.name, PUBLISHED.name)
_ROWS = (
    "content, weighted mean",
    "recall (001)",
    "precision",
    "F1",
    "findings",
    "words",
)


def evaluate_procedures(settings: Settings, names: Sequence[str]) -> tuple[Tried, ...]:
    """What each named procedure makes of the paper; no file of it is changed.

    Raises UsageError for a name that is none, or where no models are set.
    """
    unknown = [name for name in names if name not in VARIANTS]
    if unknown:
        raise UsageError(
            f"there is no procedure {unknown[0]!r}", hint=f"There are {', '.join(VARIANTS)}."
        )
    if settings.review is None:
        raise UsageError("no model is named", hint="Name one: --model NAME --base-url URL")
    opened, seen = open_paper(settings), progress()
    options = options_of(opened, accepted=baseline_of(opened))
    bench, chats = bench_of(opened, settings.review, seen)
    judges = judges_of(opened, chats=chats, seen=seen)
    work = Reviewing(check(opened.manuscript, options, judges), options, judges, opened.reread)
    evaluator = bench.roles.evaluator

    def grade(manuscript: Manuscript) -> Scorecard | Unusable:
        return graded(manuscript, evaluator)

    name = evaluator.name if evaluator is not None else ""
    return tuple(tried(variant, work, bench, grade, evaluator=name) for variant in _chosen(names))


def graded(manuscript: Manuscript, evaluator: Role | None) -> Scorecard | Unusable:
    """The evaluator's grades of a paper."""
    return Unusable(NO_EVALUATOR) if evaluator is None else evaluate(manuscript, evaluator)


def _chosen(names: Sequence[str]) -> tuple[Variant, ...]:
    return tuple(v for v in VARIANTS.values() if not names or v.name in names)


def procedures_data(found: Sequence[Tried]) -> dict[str, object]:
    """The outcome as JSON data, versioned by `schema`."""
    rows = []
    for one in found:
        row = asdict(one)
        row["changes"] = sorted(list(map(list, change)) for change in one.changes)
        rows.append(row)
    return {"schema": SCHEMA, "procedures": rows}


def procedures_lines(found: Sequence[Tried]) -> list[str]:
    """The outcome as lines of text, a procedure in each."""
    ours = next((one for one in found if one.name == REVISER.name), None)
    lines = [
        (
            f"{'procedure':14}{'points':>8}{'kept':>6}{'refused':>9}{'calls':>7}{'tokens':>11}"
            f"{'of ours':>9}{'also ours':>11}"
        )
    ]
    for one in found:
        share = f"{one.tokens / ours.tokens:8.2f}x" if ours and ours.tokens else f"{'-':>9}"
        both = f"{len(one.changes & ours.changes)}/{one.accepted}" if ours else "-"
        lines.append(
            f"{one.name:14}{one.points:>8}{one.accepted:>6}{sum(one.refused.values()):>9}"
            f"{one.calls:>7}{one.tokens:>11,}{share}{both:>11}"
        )
    lines += ["", "Before and after, by the evaluator and by the verifier:"]
    for one in found:
        lines.append(f"  {one.name}: {one.what}. Ended because {printable(one.ended)}.")
        for row in one.compared.rows:
            if row.name not in _ROWS:
                continue
            if row.before is None or row.after is None:
                why = f" ({printable(row.why)})" if row.why else ""
                lines.append(f"    {row.name:24} not known{why}")
            else:
                lines.append(f"    {row.name:24} {row.before:9.3f} {row.after:9.3f}")
        if one.refused:
            told = ", ".join(f"{layer} {count}" for layer, count in one.refused.items())
            lines.append(f"    refused by: {told}")
    lines += [
        "",
        "Tokens and calls count every question, also those that were answered from the tape.",
    ]
    return lines
