"""Measure the job on papers with injected faults: run the trials, print the figures."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reviser.app.judging import judges_of
from reviser.app.opening import Opened, open_paper
from reviser.app.settings import Settings
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.evaluate.entry_trial import EntryTrial, run_entry_trial
from reviser.evaluate.fault import Donor
from reviser.evaluate.report import FaultReport, summarise
from reviser.evaluate.trial import Trial, run_trial
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.verify.evidence import works

SCHEMA = "reviser.evaluate.faults/1"
_HOST = b"\\documentclass{article}\\begin{document}\\bibliography{lent}\\end{document}"
NAME = 78
"""Columns of a figure's name."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """A paper under test, and its entries as donors for the others."""

    name: str
    opened: Opened
    donors: tuple[Donor, ...]


def evaluate_faults(
    paths: Sequence[Path],
    settings_at: Callable[[Path], Settings],
    *,
    seeds: int,
    share: float,
) -> FaultReport:
    """Inject into every paper with each of `seeds` seeds; each gives entries to the others.

    `settings_at` gives the settings of the paper at a path; who verifies is taken from the first.
    Raises UsageError when no paper has an entry with evidence.
    """
    subjects = [_subject(settings_at(path)) for path in paths]
    if not any(subject.donors for subject in subjects):
        raise UsageError(
            "no bibliography entry of these papers has an abstract, so no fault has a known truth",
            hint="Name papers whose .bib has abstracts, or try templates/demo.",
        )
    trials: list[Trial] = []
    entry_trials: list[EntryTrial] = []
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
            entry_trials.append(
                run_entry_trial(
                    subject.name,
                    subject.opened.manuscript,
                    judges,
                    reread=subject.opened.reread,
                    seed=seed,
                )
            )
    return summarise(trials, seed=0, entry_trials=entry_trials)


def _subject(settings: Settings) -> _Subject:
    opened = open_paper(settings)
    manuscript = opened.manuscript
    known = works(manuscript, {})
    donors = tuple(
        Donor(entry.key, manuscript.text(entry.at))
        for entry in manuscript.entries
        if entry.at.path.endswith(".bib")
        and (work := known.get(entry.key.lower())) is not None
        and work.passages
    )
    return _Subject(opened.project.root.name, opened, _self_contained(donors))


def _self_contained(donors: Sequence[Donor]) -> tuple[Donor, ...]:
    """The donors that keep their evidence under another key, outside their own bibliography."""
    kept = []
    for donor in donors:
        alone = Memory({"main.tex": _HOST, "lent.bib": donor.raw.encode("utf-8", "replace")})
        lent = works(load(alone), {}).get(donor.key.lower())
        if lent is not None and lent.passages and donor.raw.count(donor.key) == 1:
            kept.append(donor)
    return tuple(kept)


def report_data(report: FaultReport) -> dict[str, object]:
    """The report as JSON data, versioned by `schema`."""
    return {"schema": SCHEMA, **asdict(report)}


def report_lines(report: FaultReport) -> list[str]:
    """The report as lines of text: a figure, its interval, and what it was counted from."""
    lines = [
        f"{report.trials} trials on {report.papers} papers",
        f"{report.accepted} edits accepted, {report.harmful} of them to citations that were right",
        f"labels, references, mathematics, headings as before in {report.intact} trials",
        "",
        f"{'figure':{NAME}} {'value':>7}  {'95% interval':15} {'of':>6}",
    ]
    for rate in report.rates:
        interval = rate.interval
        if interval.value is None:
            lines.append(f"{rate.name:{NAME}} {'-':>7}  {'':15} {rate.count:>6}")
            continue
        bounds = f"{interval.low:.3f} to {interval.high:.3f}"
        figure = f"{rate.name:{NAME}} {interval.value:7.3f}  {bounds:15} {rate.count:>6}"
        lines.append(f"{figure}  {rate.detail}".rstrip())
    if report.stray:
        told = ", ".join(f"{rule} {count}" for rule, count in report.stray)
        lines += ["", f"Findings about nothing injected into a bibliography: {told}"]
    lines += ["", "Limit chosen on the other papers at 2% false accusations, tried on this one:"]
    for left in report.left_out:
        lines.append(
            f"  {left.paper:40} limit {left.limit:+.2f}  false {_shown(left.false)}"
            f"  other-field keys found {_shown(left.found)}"
        )
    return lines


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
