"""The points raised on a pull request, and what became of each, over all runs."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property

from reviser.deliver.plan import Noted

SKETCH = 12
"""How many hashes a sketch has at most."""
_ALIKE = 4
"""Hashes in common from which two sentences about one subject are one sentence rephrased."""
_NEARLY_THE_SAME = 9
"""Hashes in common from which two sentences are one, whatever they are about."""
_WORD = re.compile(r"\w{2,}")
_MOST_WORDS = 200


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
    about, and small hashes of its words; `was` holds the fingerprints it had before that. `old`
    and `new` are digests (see `digest`) of the lines a suggestion replaces and of those it
    brings, `old_lines` and `new_lines` how many they are. `inline`: a comment of ours was put
    into the diff for it. `commit` is where it was seen accepted; `who` and `why` belong to a
    dismissal (`who` is "" where nobody knows), `why` also to a point that is stale.
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
    was: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every fingerprint it is or was known by."""
        return (self.id, *self.was)

    @property
    def settled(self) -> bool:
        """Whether it was accepted or dismissed, so that nothing more is said of it."""
        return self.status in {Status.ACCEPTED, Status.DISMISSED}


@dataclass(frozen=True)
class Ledger:
    """All points of one paper on one pull request, in the order in which they were raised, and
    the commits that were looked at, oldest first. `damaged`: it stands for one that could not
    be read, so that what it held is forgotten; this is never written down. `barred` is the head at
    which a branch of edits was made and GitHub did not let us open its pull request, "" for none.
    """

    points: tuple[Point, ...] = ()
    reviewed: tuple[str, ...] = field(default=())
    damaged: bool = field(default=False, compare=False)
    barred: str = ""

    @cached_property
    def by_id(self) -> dict[str, Point]:
        """The points by their fingerprint."""
        return {point.id: point for point in self.points}

    def having(self, *statuses: Status) -> tuple[Point, ...]:
        """The points in one of these states."""
        return tuple(point for point in self.points if point.status in statuses)

    @cached_property
    def by_name(self) -> dict[str, Point]:
        """The points by every fingerprint they are or were known by; a present one comes first."""
        return {name: p for p in reversed(self.points) for name in p.was} | self.by_id

    @property
    def dismissed(self) -> tuple[str, ...]:
        """The fingerprints of what a person said no to, as `plan.conclude` takes them."""
        return tuple(point.id for point in self.having(Status.DISMISSED))


def digest(lines: Iterable[str]) -> str:
    """12 hex digits over some lines, spaces folded and their ends ignored."""
    text = "\n".join(" ".join(line.split()) for line in lines)
    return _hash(text)[:12]


def subject_of(noted: Noted) -> str:
    """What a finding is about, as 8 hex digits; "" where nothing is known of it."""
    return _hash(noted.subject.casefold())[:8] if noted.subject else ""


def sketch(text: str) -> tuple[int, ...]:
    """Small hashes of a text's words: the more of them two texts share at the same position, the
    more words they share. Empty for a text without words."""
    words = dict.fromkeys(word.casefold() for word in _WORD.findall(text)[:_MOST_WORDS])
    if not words:
        return ()
    hashes = [hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest() for word in words]
    return tuple(
        min(int.from_bytes(one[2 * n : 2 * n + 2], "big") for one in hashes) for n in range(SKETCH)
    )


def in_common(one: Sequence[int], other: Sequence[int]) -> int:
    """In how many positions two sketches agree."""
    return sum(a == b for a, b in zip(one, other, strict=False))


def similar(one: Point, other: Point) -> bool:
    """Whether two points may be one whose sentence was rephrased: the same rule, and sentences
    that are alike about the same subject, or nearly the same where a subject is not known. Where
    they stand is not asked."""
    if one.rule != other.rule:
        return False
    common = in_common(one.sketch, other.sketch)
    if one.subject and other.subject:
        return one.subject == other.subject and common >= _ALIKE
    return common >= _NEARLY_THE_SAME


def point_of(noted: Noted, root: str, status: Status = Status.RAISED) -> Point:
    """The point that a finding is; `root` leads from the repository's top to the project's."""
    finding = noted.finding
    return Point(
        id=finding.fingerprint,
        rule=finding.rule,
        path=root + finding.place.path,
        status=status,
        subject=subject_of(noted),
        sketch=sketch(finding.quote),
    )


def dismiss(ledger: Ledger, point: Point, who: str, why: str) -> Ledger:
    """The ledger with `point` dismissed by `who`; it need not have been in it."""
    said = replace(point, status=Status.DISMISSED, who=who, why=" ".join(why.split())[:200])
    return put(ledger, said)


def put(ledger: Ledger, point: Point) -> Ledger:
    """The ledger with `point` in place of the one of its fingerprint, else at the end."""
    if point.id in ledger.by_id:
        points = tuple(point if one.id == point.id else one for one in ledger.points)
    else:
        points = (*ledger.points, point)
    return replace(ledger, points=points)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
