"""How often verdicts and repairs are right, on papers with injected faults."""

import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from reviser.adapters.embedding import MiniLM
from reviser.app.evaluating import evaluate_faults
from reviser.app.opening import open_paper
from reviser.app.settings import Settings
from reviser.evaluate.fault import FaultKind
from reviser.evaluate.report import (
    FALSE,
    OFFERED,
    RIGHT_REPLACED,
    SEPARATION,
    FaultReport,
    detected,
)
from reviser.pipeline.checking import Judges, Options, check
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.verify.repair import CONTRADICTED, OFF_TOPIC
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
        silent, asked = without_evidence(subjects)
    rates = {rate.name: rate for rate in report.rates}
    bars = []
    for bar, name, value in BARS:
        rate = rates[name]
        interval = rate.interval
        detail = f"of {rate.count}"
        if interval.low is not None and interval.high is not None:
            detail += f", 95% interval {interval.low:.3f} to {interval.high:.3f}"
        bars.append(bar(name, interval.value, value, detail))
    bars += [
        at_most(
            "accepted edits to citations that were right",
            report.harmful,
            0,
            f"of {report.accepted}",
        ),
        at_least(
            "trials whose edits left all else as it was, share",
            report.intact / report.trials,
            1.0,
            f"of {report.trials}",
        ),
        at_most("accusations with all evidence absent", silent, 0, f"of {asked} citations"),
    ]
    return bars, report


def without_evidence(papers: Sequence[Path]) -> tuple[int, int]:
    """Accusations in the papers, and their citations, when no entry keeps an abstract or note."""
    accused = total = 0
    for path in papers:
        opened = open_paper(Settings(path=path))
        paper = opened.manuscript
        cuts = [
            Replacement(field.at, field.raw, "{}")
            for entry in paper.entries
            for field in entry.fields
            if field.name in {"abstract", "annote", "annotation", "note"}
            and entry.at.path.endswith(".bib")
        ]
        edit = Edit("none", "none", tuple(cuts), Purpose.RULE_FIX, "no evidence")
        bare = opened.reread(apply(paper.sources, [edit])) if cuts else paper
        checked = check(bare, Options(), Judges(MiniLM()))
        accused += sum(f.rule in {OFF_TOPIC, CONTRADICTED} for f in checked.findings)
        total += checked.coverage.total
    return accused, total
