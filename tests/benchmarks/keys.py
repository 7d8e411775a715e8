"""The citation keys we read against those TeX itself writes to its .aux, where TeX is installed."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reviser.adapters.files import Folder, locate
from reviser.manuscript.load import load
from tests.benchmarks.bars import Bar, at_most

_CITED = re.compile(r"\\(?:citation|abx@aux@cite(?:\{\d+\})?)\{([^}]*)\}")
_MISSING = re.compile(r"File `([^']+\.(?:sty|ldf|def))' not\s+found")
_STYLE_CONTROL = re.compile(r"Control$")
_MOST_MISSING = 12
_SECONDS = 120


@dataclass(frozen=True)
class Compared:
    """One paper: how many keys TeX cites, and the differences either way."""

    paper: str
    keys: int
    missed: tuple[str, ...]
    extra: tuple[str, ...]


def measure(papers: Sequence[Path]) -> list[Bar]:
    """The share of keys missed and read too many, over all papers that TeX gets through.

    A style that is not installed is replaced by an empty one: what is printed suffers, which keys
    are cited does not. Without TeX, or without a paper it runs, nothing is measured.
    """
    found = [] if shutil.which("pdflatex") is None else [_compared(paper) for paper in papers]
    ran = [one for one in found if one is not None]
    total = sum(one.keys for one in ran)
    missed = sum(len(one.missed) for one in ran)
    extra = sum(len(one.extra) for one in ran)
    detail = f"of {total} keys in {len(ran)} papers that TeX runs"
    return [
        at_most(
            "citation keys missed, against TeX", missed / total if total else None, 0.01, detail
        ),
        at_most("citation keys extra, against TeX", extra / total if total else None, 0.01, detail),
    ]


def _compared(paper: Path) -> Compared | None:
    project = locate(paper)
    manuscript = load(
        Folder(project.root, first=project.folder), main=project.named, folder=project.folder
    )
    cited = _by_tex(project.root, manuscript.main)
    if not cited:
        return None
    ours = {key.name for citation in manuscript.citations for key in citation.keys} - {"*"}
    return Compared(
        paper=project.root.name,
        keys=len(cited),
        missed=tuple(sorted(cited - ours)),
        extra=tuple(sorted(ours - cited)),
    )


def _by_tex(root: Path, main: str) -> set[str]:
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(root, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
        folder = (Path(copy) / main).parent
        for stale in [*folder.rglob("*.aux"), *folder.rglob("*.bcf")]:
            stale.unlink()
        _run(folder, Path(main).name)
        text = "\n".join(aux.read_text(errors="replace") for aux in folder.rglob("*.aux"))
    keys = {key.strip() for match in _CITED.finditer(text) for key in match[1].split(",")}
    return {key for key in keys - {"*", ""} if not _STYLE_CONTROL.search(key)}


def _run(folder: Path, main: str) -> None:
    """One draft pass, again for each style that turns out to be missing."""
    command = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-draftmode", main]
    for _ in range(_MOST_MISSING):
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                capture_output=True,
                timeout=_SECONDS,
                stdin=subprocess.DEVNULL,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return
        missing = _MISSING.search(done.stdout.decode(errors="replace"))
        if missing is None or "/" in missing[1]:
            return
        (folder / missing[1]).write_text("")
