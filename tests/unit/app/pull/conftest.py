"""A clone with a paper in it, and the plan of what one branch changes."""

import os
import subprocess
from pathlib import Path

import pytest

from reviser.app.pull.local import local_commits, local_target
from reviser.app.pull.making import make
from reviser.app.settings import Settings

MAIN = (
    "\\documentclass{article}\n"
    "\\begin{document}\n"
    "Cats sleep most of the day~\\cite{miller2001}.\n"
    "\n"
    "\n"
    "\n"
    "\n"
    "Dogs bark at strangers, see Section~\\ref{sec:old}.\n"
    "\\bibliography{refs}\n"
    "\\end{document}\n"
)
BIB = (
    "@misc{miller2001,\n  author = {Miller, Ann},\n  title = {The sleep of cats},\n"
    "  year = 2001\n}\n\n"
    "@misc{wolf1999,\n  author = {Wolf, Bo},\n  title = {Dogs},\n  year = 1999\n}\n"
)


class Clone:
    """A repository on disk; its branch `main` holds the paper as it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str) -> str:
        who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER")
               for what in ("NAME", "EMAIL")}  # fmt: skip
        environment = {
            **who, "PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
        }  # fmt: skip
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        )
        return done.stdout.strip()

    def commit(self, files: dict[str, str | bytes | None], *, branch: str = "") -> str:
        """One commit, on a new branch where one is named; None removes a file."""
        if branch:
            self.git("checkout", "-q", "-b", branch)
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def clone(tmp_path):
    made = Clone(tmp_path / "clone")
    made.commit({"main.tex": MAIN, "refs.bib": BIB})
    return made


@pytest.fixture
def planned(clone, tmp_path):
    """Makes the plan of branch `topic` against main; `settings` overrule the file's."""

    def plan(paper: str = "", *, base: str | None = "main", at=None, **settings):
        settings.setdefault("verify", False)
        rooms = len(list(tmp_path.glob("room*")))
        commits = local_commits(str(clone.folder / paper), base, "topic")
        return make(
            commits,
            local_target(commits, "topic", None),
            at or (lambda path: Settings(path=path, cache=False, **settings)),
            tmp_path / f"room{rooms}",
        )

    return plan
