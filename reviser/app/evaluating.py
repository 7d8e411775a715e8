"""Measure the job on papers with injected faults: run the trials, print the figures."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reviser.app.judging import judges_of, progress
from reviser.app.opening import Opened, open_paper
from reviser.app.settings import Settings
from reviser.errors import UsageError
from reviser.evaluate.faults import Donor
from reviser.evaluate.report import FaultReport, summarise
from reviser.evaluate.trial import Trial, run_trial
from reviser.verify.evidence import works

SCHEMA = "reviser.evaluate.faults/1"


@dataclass(frozen=True, slots=True)
class _Subject:
    """A paper under test, and its entries as donors for the others."""

    name: str
    opened: Opened
    donors: tuple[Donor, ...]


def evaluate_faults(
    paths: Sequence[Path], *, seeds: int, share: float, nli: str | None
) -> FaultReport:
    """Inject into every paper with each of `seeds` seeds; each gives entries to the others.

    Raises UsageError when no paper has an entry with evidence.
    """
    subjects = [_subject(path, nli) for path in paths]
    if not any(subject.donors for subject in subjects):
        raise UsageError(
            "no bibliography entry of these papers has an abstract, so no fault has a known truth",
            hint="Name papers whose .bib has abstracts, or try templates/demo.",
        )
    trials: list[Trial] = []
    ticker = progress()
    judges = judges_of(subjects[0].opened)
    for number, subject in enumerate(subjects):
        others = tuple(d for other in subjects if other is not subject for d in other.donors)
        for seed in range(seeds):
            if ticker is not None:
                ticker.step("trials", number * seeds + seed, len(subjects) * seeds)
            trials.append(
                run_trial(
                    subject.name,
                    subject.opened.manuscript,
                    others,
                    judges,
                    reread=subject.opened.reread,
                    share=share,
                    seed=seed,
                )
            )
    return summarise(trials, seed=0)


def _subject(path: Path, nli: str | None) -> _Subject:
    opened = open_paper(Settings(path=path, nli=nli))
    manuscript = opened.manuscript
    known = works(manuscript, {})
    donors = tuple(
        Donor(entry.key, manuscript.text(entry.at))
        for entry in manuscript.entries
        if entry.at.path.endswith(".bib")
        and (work := known.get(entry.key.lower())) is not None
        and work.passages
    )
    return _Subject(opened.project.root.name, opened, donors)


def report_data(report: FaultReport) -> dict[str, object]:
    """The report as JSON data, versioned by `schema`."""
    return {"schema": SCHEMA, **asdict(report)}


def report_lines(report: FaultReport) -> list[str]:
    """The report as lines of text: a figure, its interval, and what it was counted from."""
    lines = [
        f"{report.trials} trials on {report.papers} papers",
        f"{report.accepted} edits accepted, {report.harmful} of them to citations that were right",
        "",
        f"{'figure':66} {'value':>7}  {'95% interval':15} {'of':>6}",
    ]
    for rate in report.rates:
        interval = rate.interval
        if interval.value is None:
            lines.append(f"{rate.name:66} {'-':>7}  {'':15} {rate.count:>6}")
            continue
        bounds = f"{interval.low:.3f} to {interval.high:.3f}"
        lines.append(f"{rate.name:66} {interval.value:7.3f}  {bounds:15} {rate.count:>6}")
    lines += ["", "Limit chosen on the other papers at 2% false accusations, tried on this one:"]
    for left in report.left_out:
        lines.append(
            f"  {left.paper:40} limit {left.limit:+.2f}  false {_shown(left.false)}"
            f"  other-field keys found {_shown(left.found)}"
        )
    return lines


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
