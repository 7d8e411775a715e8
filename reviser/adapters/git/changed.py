"""What changed in the folder of a paper since a revision, and what git knows of it."""

from collections.abc import Mapping
from pathlib import Path

from reviser.adapters.git.history import DIFF, commit_of, merge_base
from reviser.adapters.git.run import command, first_line, run, text
from reviser.errors import UsageError
from reviser.text.patch import Lines, read_patch


def changed_lines(root: Path, base: str) -> Mapping[str, Lines]:
    """The lines of each file under `root` that differ from `base`, as (first, last), 1-based.

    Paths are POSIX and relative to `root`. `base` is any name of a commit; `base...` means the
    place where the present branch left it. A file git does not know yet has changed as a whole
    (last line: a very large number); in one that was renamed only the edited lines have. Where
    lines were only removed, the line before the gap and the one after it count as changed, since
    the sentence around them is new.
    Raises UsageError when git is missing, `root` is in no repository, or `base` names nothing.
    """
    commit = commit_of(root, base.removesuffix("..."))
    if base.endswith("..."):
        commit = merge_base(root, commit, "HEAD")
    told = _git(root, "diff", "--unified=0", *DIFF, "--relative", commit, "--")
    changed = {patch.path: patch.touched for patch in read_patch(told) if patch.touched}
    for raw in _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--").split(b"\0"):
        if raw:
            changed[text(raw)] = ((1, 10**9),)
    return changed


def tracks(root: Path, name: str) -> bool:
    """Whether git knows any file under `name` (relative to `root`, in whatever case); False where
    git cannot tell."""
    try:
        done = run(command(root, "ls-files", "-z", "--", f":(icase){name}"), root)
    except UsageError:
        return False
    return bool(done.stdout)


def _git(root: Path, *arguments: str) -> bytes:
    done = run(command(root, *arguments), root)
    if done.returncode != 0:
        raise UsageError(
            f"git could not say what changed in {root}: {first_line(done.stderr)}",
            hint="--diff needs a git repository; git must consider the folder yours.",
        )
    return done.stdout
