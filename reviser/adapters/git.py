"""Ask git what changed in a paper since a revision, without a shell or anybody's settings."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from reviser.errors import UsageError

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_SECONDS = 60
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}

Lines = tuple[tuple[int, int], ...]


def changed_lines(root: Path, base: str) -> Mapping[str, Lines]:
    """The lines of each file under `root` that differ from `base`, as (first, last), 1-based.

    Paths are POSIX and relative to `root`. `base` is any name of a commit; `base...` means the
    place where the present branch left it. A file git does not know yet has changed as a whole
    (last line: a very large number); in one that was renamed only the edited lines have. Where
    lines were only removed, the line before the gap and the one after it count as changed, since
    the sentence around them is new.
    Raises UsageError when git is missing, `root` is in no repository, or `base` names nothing.
    """
    commit = _commit(root, base)
    told = _git(
        root,
        "diff",
        "--unified=0",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "--find-renames",
        "--ignore-submodules=all",
        "--relative",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        commit,
        "--",
    )
    changed = _read_diff(told)
    for raw in _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--").split(b"\0"):
        if raw:
            changed[_text(raw)] = ((1, 10**9),)
    return changed


def tracks(root: Path, name: str) -> bool:
    """Whether git knows any file under `name` (relative to `root`, in whatever case); False where
    git cannot tell."""
    try:
        done = _run(_command(root, "ls-files", "-z", "--", f":(icase){name}"), root)
    except UsageError:
        return False
    return bool(done.stdout)


def version() -> str | None:
    """What `git --version` says, None without git."""
    try:
        return _text(_run(["git", "--version"], Path.cwd()).stdout).strip()
    except UsageError:
        return None


def _commit(root: Path, base: str) -> str:
    name = base.removesuffix("...")
    told = _run(
        _command(
            root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        ),
        root,
    )
    if told.returncode != 0 or not name:
        # Told apart by a question that only fails outside a repository.
        _git(root, "rev-parse", "--git-dir")
        raise UsageError(
            f"git knows no revision named {base!r}",
            hint="In a shallow clone fetch it first: git fetch --depth=50 origin BRANCH",
        )
    commit = _text(told.stdout).strip()
    if base.endswith("..."):
        return _text(_git(root, "merge-base", commit, "HEAD")).strip()
    return commit


def _read_diff(told: bytes) -> dict[str, Lines]:
    changed: dict[str, list[tuple[int, int]]] = {}
    path: str | None = None
    left = 0  # lines of the hunk's body still to come: they may look like headers
    for line in told.split(b"\n"):
        if left:
            left -= not line.startswith(b"\\")
            continue
        if line.startswith(b"+++ "):
            path = _path(line[4:])
        elif (hunk := _HUNK.match(line)) is not None and path is not None:
            first, count = int(hunk[1]), int(hunk[2]) if hunk[2] is not None else 1
            left = count + _removed(line)
            span = (first, first + count - 1) if count else (max(first, 1), first + 1)
            changed.setdefault(path, []).append(span)
    return {name: tuple(spans) for name, spans in changed.items()}


def _removed(header: bytes) -> int:
    counts = header.split(b" ", 2)[1].partition(b",")
    return int(counts[2]) if counts[1] else 1


def _path(raw: bytes) -> str | None:
    raw = raw.rstrip(b"\t")
    if raw == b"/dev/null":
        return None
    if raw.startswith(b'"'):
        raw = _unquoted(raw.strip(b'"').decode("latin-1"))
    return _text(raw.removeprefix(b"b/"))


def _unquoted(text: str) -> bytes:
    def byte(match: re.Match[str]) -> str:
        return chr(int(match[1], 8) if match[1].isdigit() else _ESCAPES[match[1]])

    return re.sub(r'\\([0-7]{3}|[abtnvfr"\\])', byte, text).encode("latin-1")


def _git(root: Path, *arguments: str) -> bytes:
    done = _run(_command(root, *arguments), root)
    if done.returncode != 0:
        said = _text(done.stderr).strip().splitlines()
        raise UsageError(
            f"git could not say what changed in {root}: {said[0] if said else 'no reason given'}",
            hint="--diff needs a git repository; git must consider the folder yours.",
        )
    return done.stdout


def _command(root: Path, *arguments: str) -> list[str]:
    # The repository's own settings could name programs to run; these are switched off by name.
    quiet = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "core.quotePath=true"]
    settings = [part for setting in quiet for part in ("-c", setting)]
    return ["git", "--no-pager", "-C", str(root), *settings, *arguments]


def _run(command: Sequence[str], folder: Path) -> subprocess.CompletedProcess[bytes]:
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
    }
    try:
        return subprocess.run(  # noqa: S603 - no shell, fixed program, guarded arguments
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError as error:
        raise UsageError("git is not installed", hint="--diff asks git what changed.") from error
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"git did not answer within {_SECONDS} seconds") from error


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
