"""What every run leaves behind: files, outputs, the job summary, annotations, an exit code."""

from collections.abc import Mapping

from reviser.adapters.actions import Level
from reviser.app.outcome import CLEAN, FOUND
from reviser.app.pull.bench import Bench
from reviser.app.pull.making import Made
from reviser.app.writing import write_file
from reviser.deliver.plan import Conclusion, Plan, conclude
from reviser.deliver.plan_json import write
from reviser.deliver.proposing import suffix
from reviser.deliver.report import annotations, job_summary
from reviser.deliver.story import Story
from reviser.text.printable import many, printable

_LEVELS: Mapping[str, Level] = {"failure": "error", "warning": "warning", "notice": "notice"}


def artifact_of(paper: str) -> str:
    """The name of the artifact that holds plan, patch and report of a paper: two papers of one
    workflow run have one each."""
    return f"reviser-plan{suffix(paper)}"


def write_made(made: Made, wanted: Mapping[str, str | None]) -> None:
    """Write plan and patch, where a file is named for them."""
    if wanted.get("out"):
        write_file(str(wanted["out"]), write(made.plan).encode("utf-8"))
    if wanted.get("patch"):
        write_file(str(wanted["patch"]), made.patch)


def write_report(story: Story, wanted: Mapping[str, str | None]) -> str:
    """Write the report, where a file is named for it; its text."""
    text = job_summary(story)
    if wanted.get("report"):
        write_file(str(wanted["report"]), text.encode("utf-8", "replace"))
    return text


def leave(bench: Bench, story: Story, *, suggested: int, annotate: bool) -> Conclusion:
    """Tell the runner what came out: its outputs, its job summary and, where nothing could be
    posted, annotations. `suggested` counts suggestions posted in this run."""
    conclusion = conclude(story.plan, story.ledger.dismissed)
    report = write_report(story, bench.wanted)
    bench.tell(said(story.plan))
    for sentence in story.undelivered:
        bench.tell(sentence)
    runner = bench.runner
    if runner is None:
        return conclusion
    new = [n for n in story.plan.findings if n.introduced and not n.opinion]
    live = sum(n.finding.fingerprint not in story.ledger.dismissed for n in new)
    runner.output("findings", str(live))
    runner.output("suggested", str(suggested))
    runner.output("accepted", str(len(story.plan.accepted)))
    runner.output("conclusion", conclusion.value)
    for name, file in (("plan", "out"), ("report", "report"), ("patch", "patch")):
        runner.output(name, bench.wanted.get(file) or "")
    runner.output("artifact", artifact_of(bench.paper))
    runner.job_summary(report)
    if annotate:
        for told in annotations(story):
            runner.annotate(
                _LEVELS[told.level],
                told.message,
                title=told.title,
                path=told.path,
                lines=(told.first, told.last),
            )
    return conclusion


def set_down(bench: Bench, plan: Plan) -> None:
    """Tell the runner where the plan is; the job that delivers it tells all else."""
    bench.tell(said(plan))
    if bench.runner is None:
        return
    for name, file in (("plan", "out"), ("patch", "patch")):
        bench.runner.output(name, bench.wanted.get(file) or "")
    bench.runner.output("artifact", artifact_of(bench.paper))


def said(plan: Plan) -> str:
    """The plan in one line."""
    findings = [noted for noted in plan.findings if not noted.opinion]
    new = sum(noted.introduced for noted in findings)
    told = many(new, "finding")
    if plan.target.base:
        told += f" from this change, {len(findings) - new} from before"
    if points := len(plan.findings) - len(findings):
        told += f"; {many(points, 'point')} of a review"
    accepted = many(len(plan.accepted), "edit")
    return printable(f"{told}; {accepted} accepted; {plan.coverage.sentence}")


def exit_code(conclusion: Conclusion) -> int:
    """1 for a failure, else 0: what could not be checked fails nobody."""
    return FOUND if conclusion is Conclusion.FAILURE else CLEAN
