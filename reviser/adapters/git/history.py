"""Commits of a repository and the difference between two of them; no work tree is looked at."""

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from reviser.adapters.git.run import command, first_line, run, streamed, text
from reviser.errors import NoConclusion, UsageError

DIFF = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
"""How every diff is asked for: as git prints it, whatever anybody's settings say."""

HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
"""A full commit hash, SHA-1 or SHA-256."""

DIFF_LIMIT = 64_000_000  # bytes
_SECONDS = 120.0
_PIECE = 1 << 20
_COUNTS = re.compile(r"(\d+) (file|insertion|deletion)")


@dataclass(frozen=True, slots=True)
class DiffSize:
    """How many files differ, and how many lines were added and removed in all."""

    files: int
    lines: int


def commit_of(repository: Path, name: str) -> str:
    """The full hash of the commit that `name` (a branch, tag, hash, HEAD~2, ...) stands for.

    Raises UsageError when it names nothing or `repository` is none.
    """
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    told = run(command(repository, *asked), repository)
    if told.returncode != 0 or not name:
        # Told apart by a question that only fails outside a repository.
        _asked(repository, command(repository, "rev-parse", "--git-dir"))
        raise UsageError(
            f"git knows no revision named {name!r}",
            hint="In a shallow clone fetch it first: git fetch --depth=50 origin BRANCH",
        )
    return text(told.stdout).strip()


def merge_base(repository: Path, a: str, b: str) -> str:
    """The full hash of the commit where `a` and `b` parted; raises UsageError when there is none
    or a shallow clone does not hold it."""
    a, b = commit_of(repository, a), commit_of(repository, b)
    done = run(command(repository, "merge-base", a, b), repository)
    if done.returncode != 0:
        raise UsageError(
            f"git finds no commit where {a[:12]} and {b[:12]} parted",
            hint="A shallow clone may not hold it: git fetch --unshallow",
        )
    return text(done.stdout).strip()


def diff(repository: Path, base: str, head: str, *, most: int = DIFF_LIMIT) -> bytes:
    """What turns `base` into `head`, as a unified diff with three lines of context and renames.

    Files whose contents are not here, because they were too large to fetch, are left out. Raises
    NoConclusion above `most` bytes, UsageError when git cannot compare the two.
    """
    line = _compared(repository, base, head, "--unified=3", "--full-index")
    told = bytearray()
    with streamed(line, repository, seconds=_SECONDS) as output:
        while piece := output.read(_PIECE):
            told += piece
            if len(told) > most:
                raise NoConclusion(
                    f"the difference between {base[:12]} and {head[:12]} is larger than "
                    f"{most // 10**6} MB",
                    hint="Split the change, or check the paper on its own: reviser check",
                )
    return bytes(told)


def diff_size(repository: Path, base: str, head: str) -> DiffSize:
    """How large the same difference is; raises UsageError when git cannot compare the two."""
    told = _asked(repository, _compared(repository, base, head, "--shortstat"))
    counts = {kind: int(number) for number, kind in _COUNTS.findall(text(told))}
    return DiffSize(counts.get("file", 0), counts.get("insertion", 0) + counts.get("deletion", 0))


def lacking(repository: Path, hashes: Iterable[str]) -> frozenset[str]:
    """Those objects that the repository does not hold."""
    with tempfile.TemporaryFile() as given:
        given.write("".join(f"{each}\n" for each in hashes).encode())
        given.seek(0)
        line = command(repository, "cat-file", "--batch-check", "--buffer")
        with streamed(line, repository, given=given, seconds=_SECONDS) as output:
            told = output.read()
    return frozenset(
        text(line.split(b" ")[0]) for line in told.split(b"\n") if line.endswith(b" missing")
    )


def _compared(repository: Path, base: str, head: str, *how: str) -> list[str]:
    base, head = commit_of(repository, base), commit_of(repository, head)
    absent = _absent(repository, base, head)
    where = [":(top)", *(f":(top,literal,exclude){path}" for path in absent)] if absent else []
    return command(repository, "diff", *how, *DIFF, base, head, "--", *where)


def _absent(repository: Path, base: str, head: str) -> list[str]:
    """The paths that differ and whose contents, on either side, are not here."""
    how = ("--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=all")
    told = _asked(repository, command(repository, "diff", *how, base, head, "--"))
    parts = text(told).split("\0")
    # ":100644 100644 HASH HASH M", then the path; zeros where there is nothing on a side.
    changes = list(zip(parts[::2], parts[1::2], strict=False))
    hashes = {path: {h for h in facts.split(" ")[2:4] if h.strip("0")} for facts, path in changes}
    missing = lacking(repository, {h for each in hashes.values() for h in each})
    return [path for path, each in hashes.items() if each & missing]


def _asked(repository: Path, line: list[str]) -> bytes:
    told = run(line, repository, seconds=_SECONDS)
    if told.returncode != 0:
        raise UsageError(
            f"git could not say what changed in {repository}: {first_line(told.stderr)}",
            hint="This needs a git repository; git must consider the folder yours.",
        )
    return told.stdout
