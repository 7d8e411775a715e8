"""What a whole `reviser check` costs: cold, unchanged, and after an edit of one sentence."""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from reviser.adapters.files import Folder, locate
from reviser.manuscript.load import load
from reviser.verify.evidence import works
from tests.benchmarks.bars import Bar, at_most

_EDIT = "One more sentence stands here now.\n\n"


def measure(papers: Sequence[Path]) -> list[Bar]:
    """Processor seconds of the process on the paper whose works have the most text.

    The cold run is told per 300 citations, as their number differs from paper to paper; the
    others are what the whole paper takes. One model thread, as by default.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "paper"
        shutil.copytree(max(papers, key=_evidence), copy, ignore=shutil.ignore_patterns(".*"))
        cold, report = _check(copy)
        second, again = _check(copy)
        claim = report["claims"][len(report["claims"]) // 2]
        edited = copy / claim["path"]
        text = edited.read_bytes().decode("utf-8")
        cut = text.rfind("\n", 0, claim["start"]) + 1
        edited.write_bytes((text[:cut] + _EDIT + text[cut:]).encode("utf-8"))
        after, _ = _check(copy)
    total = report["counts"]["citations"]
    detail = f"{total} citations, {report['counts']['checked']} of them checked"
    return [
        at_most("check, cold, processor seconds a 300 citations", cold * 300 / total, 30, detail),
        at_most("check, unchanged second run, processor seconds", second, 3, detail),
        at_most("check, after one more sentence, processor seconds", after, 4, detail),
        at_most("reports that differ in the second run", float(report != again), 0, detail),
    ]


def _evidence(paper: Path) -> int:
    project = locate(paper)
    manuscript = load(Folder(project.root), main=project.named, folder=project.folder)
    return sum(bool(work.passages) for work in works(manuscript, {}).values())


def _check(paper: Path) -> tuple[float, dict]:
    command = [sys.executable, "-m", "reviser", "check", "--format", "json", str(paper)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, json.loads(done.stdout)
