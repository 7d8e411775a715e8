"""Find the two commits of a plan in a local clone."""

import re
from contextlib import suppress
from pathlib import Path

from reviser.adapters.git.history import commit_of, diff, merge_base
from reviser.app.pull.making import Commits
from reviser.app.pull.sides import named_paper
from reviser.deliver.plan import Target
from reviser.errors import UsageError
from reviser.text.patch import read_patch

_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}")
_UNKNOWN_OWNER = "local"


def local_commits(path: str, base: str | None, head: str) -> Commits:
    """The merge base of `base` and `head` in the clone around `path`, and what leads from it to
    the head; the whole paper at `head` where `base` is None.

    Raises UsageError where there is no clone, or it lacks one of the commits.
    """
    top, paper = _clone(Path(path))
    commit = commit_of(top, head)
    if base is None:
        return Commits(top, paper, commit, "")
    parted = merge_base(top, base, commit)
    return Commits(top, paper, commit, parted, read_patch(diff(top, parted, commit)))


def local_target(commits: Commits, head: str, repository: str | None) -> Target:
    """What the plan speaks of; a clone whose forge is not named is called local/FOLDER."""
    name = _NAME.sub("-", commits.repository.name).strip("-.") or "paper"
    return Target(
        repository=repository or f"{_UNKNOWN_OWNER}/{name}",
        number=None,
        head=commits.head,
        base=commits.base,
        branch=head if _PLAIN.fullmatch(head) else commits.head[:12],
        paper=commits.paper,
    )


def _clone(path: Path) -> tuple[Path, str]:
    """The clone's top, and the way from there to `path`, which another commit may have."""
    found = path.resolve()
    for folder in (found, *found.parents):
        with suppress(OSError):
            if (folder / ".git").exists():
                inside = found.relative_to(folder).as_posix()
                return folder, named_paper(inside)
    raise UsageError(
        f"{path} lies in no git repository",
        hint="Go into a clone of the paper's repository, or name the path of one.",
    )
