"""The points raised on a pull request, and what became of each, over all runs."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property


class Status(StrEnum):
    """What became of a point.

    Raised: told in the summary or in a comment without a suggestion. Suggested: a suggestion
    stands. Accepted: its old text is gone and its new text is there. Dismissed: a person said no.
    Stale: it is gone without being accepted.
    """

    RAISED = "raised"
    SUGGESTED = "suggested"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Point:
    """One point. `id` is the finding's fingerprint; `path` is from the repository's top.

    `subject` and `sketch` know it again when its sentence was rephrased: a digest of what it is
    about, and small hashes of its words. `old` and `new` are digests of the lines a suggestion
    replaces and of those it brings, `old_lines` and `new_lines` how many they are. `inline`: a
    comment of ours was put into the diff for it. `commit` is where it was seen accepted; `who`
    and `why` belong to a dismissal.
    """

    id: str
    rule: str
    path: str
    status: Status
    subject: str = ""
    sketch: tuple[int, ...] = ()
    old: str = ""
    new: str = ""
    old_lines: int = 0
    new_lines: int = 0
    inline: bool = False
    commit: str = ""
    who: str = ""
    why: str = ""


@dataclass(frozen=True)
class Ledger:
    """All points of one paper on one pull request, in the order in which they were raised, and
    the commits that were looked at, oldest first."""

    points: tuple[Point, ...] = ()
    reviewed: tuple[str, ...] = field(default=())

    @cached_property
    def by_id(self) -> dict[str, Point]:
        """The points by their fingerprint."""
        return {point.id: point for point in self.points}

    def having(self, *statuses: Status) -> tuple[Point, ...]:
        """The points in one of these states."""
        return tuple(point for point in self.points if point.status in statuses)
