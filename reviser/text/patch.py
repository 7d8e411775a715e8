"""Read a unified diff as git prints it: which files changed, and which of their lines it shows."""

from dataclasses import dataclass
from typing import Literal

from reviser.text.diff import Hunk

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, (first, last), 1-based, both included, ascending."""


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a diff says of one file. Paths are as in the diff without `a/` and `b/`.

    `path` is the new name (the old one where it was removed), `old_path` the old one (equal to
    `path` unless renamed, also for an added file). `binary`: it has changed and no lines are told.
    """

    path: str
    old_path: str
    status: Literal["added", "removed", "modified", "renamed"]
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False
