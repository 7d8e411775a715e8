"""How often verdicts and repairs are right, on papers with injected faults."""

import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from reviser.app.evaluating import evaluate_faults
from reviser.evaluate.fault import FaultKind
from reviser.evaluate.report import (
    FALSE,
    OFFERED,
    RIGHT_REPLACED,
    SEPARATION,
    FaultReport,
    detected,
)
from tests.benchmarks.bars import Bar, at_least, at_most

BARS = (
    (at_most, FALSE, 0.02),
    (at_least, detected(FaultKind.OTHER_FIELD), 0.90),
    (at_least, SEPARATION, 0.82),
    (at_least, RIGHT_REPLACED, 0.90),
    (at_least, OFFERED, 0.04),
)


def without_faults(demo: Path, folder: Path) -> Path:
    """A copy of the bundled paper in `folder`, with its documented faults put right."""
    copied = Path(shutil.copytree(demo, folder / "bundled"))
    faults = tomllib.loads((copied / "FAULTS.toml").read_text(encoding="utf-8"))["fault"]
    for fix in (fix for fault in faults for fix in fault["fix"]):
        file = copied / fix["file"]
        text = file.read_text(encoding="utf-8")
        if text.count(fix["words"]) != 1:
            raise ValueError(f"{fix['file']}: {fix['words']!r} does not stand there once")
        file.write_text(text.replace(fix["words"], fix["right"]), encoding="utf-8")
    return copied


def measure(demo: Path, papers: Sequence[Path], seeds: int) -> tuple[list[Bar], FaultReport]:
    """The bars of truth over the bundled paper and the others, each with `seeds` injections."""
    with tempfile.TemporaryDirectory() as folder:
        subjects = [without_faults(demo, Path(folder)), *papers]
        report = evaluate_faults(subjects, seeds=seeds, share=0.15, nli=None)
    rates = {rate.name: rate for rate in report.rates}
    bars = []
    for bar, name, value in BARS:
        rate = rates[name]
        interval = rate.interval
        detail = f"of {rate.count}"
        if interval.low is not None and interval.high is not None:
            detail += f", 95% interval {interval.low:.3f} to {interval.high:.3f}"
        bars.append(bar(name, interval.value, value, detail))
    return bars, report
