"""What became of the points raised before: accepted, dismissed, stale, or still standing.

Nothing a comment claims is taken from anybody but us, and no flag of a thread from anybody but
those who may say so; whether a suggestion was taken is read from the files.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.deliver.advised import is_point
from reviser.deliver.forge import PullRequest, Thread
from reviser.deliver.ledger import (
    Ledger,
    Point,
    Status,
    digest,
    in_common,
    point_of,
    similar,
)
from reviser.deliver.marker import last_mark
from reviser.deliver.plan import Noted, Plan
from reviser.text.diff import split_lines
from reviser.text.source import Source
from reviser.verify.references import RULES as REFERENCE_RULES
from reviser.verify.repair import RULES as VERIFY_RULES

RESOLVED = "resolved without a change"
DISLIKED = "👎 on the comment"
DELETED = "the comment was deleted"
_MOST_NAMES = 8
_MOST_SUGGESTED = 40  # lines that an adopted suggestion is looked for with
_POINT = re.compile(r"[0-9a-f]{12}")
_NOTHING = digest(())


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The ledger as it is now, and our comments to delete: replies before what they answer."""

    ledger: Ledger
    retire: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A thread that we opened: the points its mark names, and the digest of the lines that it
    suggests, "" where it suggests nothing."""

    thread: Thread
    points: tuple[str, ...]
    rule: str
    new: str

    @property
    def alone(self) -> bool:
        """Whether nobody but us has said anything in it."""
        return all(remark.ours for remark in self.thread.remarks)


def spoken(pull: PullRequest, paper: str) -> tuple[Spoken, ...]:
    """Our threads that speak of `paper`, oldest first. A mark in a comment of anybody else says
    nothing, whatever it says."""
    found = []
    for thread in pull.threads:
        opening = thread.remarks[0] if thread.remarks else None
        if opening is None or not opening.ours:
            continue
        mark = last_mark(opening.body)
        if mark is None or mark.kind != "comment" or mark.data.get("paper", "") != paper:
            continue
        named = mark.data.get("points")
        listed = named if isinstance(named, list | tuple) else ()
        points = tuple(p for p in listed if isinstance(p, str) and _POINT.fullmatch(p))
        rule, new = mark.data.get("rule"), mark.data.get("new")
        if points:
            found.append(
                Spoken(
                    thread,
                    tuple(dict.fromkeys(points)),
                    rule if isinstance(rule, str) else "",
                    new if isinstance(new, str) and _POINT.fullmatch(new) else "",
                )
            )
    return tuple(sorted(found, key=lambda one: one.thread.remarks[0].id))


def reconcile(
    ledger: Ledger,
    plan: Plan,
    sources: Mapping[str, Source],
    pull: PullRequest,
    may_write: Callable[[str], bool],
) -> Reconciled:
    """What is known of every point after looking at the files at head, the findings and the pull
    request as they are now. `may_write` is asked about people who resolved a thread of ours or
    disliked a comment, and about nobody else."""
    threads = spoken(pull, plan.target.paper)
    files = Files(sources, plan.target.root)
    noted = {one.finding.fingerprint: one for one in plan.findings}
    ledger = _adopted(ledger, threads, noted, plan.target.root)
    ledger = _renamed(ledger, noted, files, plan.target.root)
    case = _Case(plan, noted, files, pull, threads, may_write)
    ledger = replace(ledger, points=tuple(case.judged(point) for point in ledger.points))
    return Reconciled(ledger, _obsolete(threads, ledger))


class Files:
    """The lines of the files at head, by path from the repository's top, as digests know them."""

    def __init__(self, sources: Mapping[str, Source], root: str) -> None:
        self.sources = {root + path: source for path, source in sources.items()}
        self._windows: dict[tuple[str, int], dict[str, list[int]]] = {}

    def positions(self, path: str, mark: str, count: int) -> list[int]:
        """Where in the file `count` lines have this digest, as indices of their first lines."""
        known = self._windows.get((path, count))
        if known is None:
            known = {}
            lines = [" ".join(line.split()) for line in split_lines(self.sources[path].text)]
            for start in range(len(lines) - count + 1):
                known.setdefault(digest(lines[start : start + count]), []).append(start)
            self._windows[path, count] = known
        return known.get(mark, [])

    def taken(self, point: Point, *, present: bool) -> bool:
        """Whether the lines that were suggested stand in the place of the old ones."""
        if not point.new:
            return False
        if point.new == point.old:  # it changes spaces only, which digests do not tell
            return not present
        # A file that is gone by its name may have been renamed.
        paths = [point.path] if point.path in self.sources else list(self.sources)
        if point.new == _NOTHING:
            old = any(self.positions(path, point.old, point.old_lines) for path in paths)
            return bool(point.old_lines) and not old and not present
        return any(self._taken(path, point, present=present) for path in paths)

    def _taken(self, path: str, point: Point, *, present: bool) -> bool:
        new, length = self._new(path, point)
        if not new or not point.old_lines:
            return bool(new) and not present
        # An old line may live on within the new ones.
        return all(
            any(n <= o and o + point.old_lines <= n + length for n in new)
            for o in self.positions(path, point.old, point.old_lines)
        )

    def _new(self, path: str, point: Point) -> tuple[list[int], int]:
        counts = [point.new_lines] if point.new_lines else range(1, _MOST_SUGGESTED + 1)
        for count in counts:
            found = self.positions(path, point.new, count)
            if found:
                return found, count
        return [], 0


def _adopted(
    ledger: Ledger, threads: Sequence[Spoken], noted: Mapping[str, Noted], root: str
) -> Ledger:
    """The ledger with what our comments say of themselves: the run that wrote them may have ended
    before it could write them down, or the summary may be lost."""
    known = ledger.by_name
    points = {point.id: point for point in ledger.points}
    for thread in threads:
        status = Status.SUGGESTED if thread.new else Status.RAISED
        for name in thread.points:
            point = known.get(name)
            if point is None and name not in points:
                finding = noted.get(name)
                new = (
                    point_of(finding, root)
                    if finding is not None
                    else Point(name, thread.rule, thread.thread.path, status)
                )
                points[name] = replace(new, status=status, new=thread.new, inline=True)
            elif point is not None and not point.inline and point.status is Status.RAISED:
                points[point.id] = replace(
                    point, status=status, inline=True, new=point.new or thread.new
                )
    return replace(ledger, points=tuple(points.values()))


def _renamed(ledger: Ledger, noted: Mapping[str, Noted], files: Files, root: str) -> Ledger:
    """The ledger with the points whose sentence was rephrased under their new fingerprints."""
    ids = frozenset(ledger.by_id)
    names: dict[str, str] = {}  # from the old id to the new one
    gone = [point for point in ledger.points if point.id not in noted]
    for point in gone:
        back = next((n for n in point.was if n in noted and n not in ids), None)
        if back is not None and back not in names.values():
            names[point.id] = back
    taken = ids | set(names.values())
    fresh: dict[str, list[Point]] = {}
    for name, one in noted.items():
        if name not in taken:
            fresh.setdefault(one.finding.rule, []).append(point_of(one, root))
    pairs = [
        (_likeness(point, new), point, new)
        for point in gone
        if point.id not in names
        for new in fresh.get(point.rule, ())
        if (point.path == new.path or point.path not in files.sources) and similar(point, new)
    ]
    found: dict[str, Point] = {}
    for _, point, new in sorted(pairs, key=lambda pair: -pair[0]):
        if point.id not in names and new.id not in found:
            names[point.id] = new.id
            found[new.id] = new
    return replace(ledger, points=tuple(_under(p, names, found) for p in ledger.points))


def _likeness(point: Point, new: Point) -> int:
    return in_common(point.sketch, new.sketch) + (point.subject == new.subject)


def _under(point: Point, names: Mapping[str, str], found: Mapping[str, Point]) -> Point:
    name = names.get(point.id)
    was = tuple(one for one in point.was if one not in names.values())
    if name is None:
        return replace(point, was=was)
    earlier = tuple(dict.fromkeys((point.id, *was)))[:_MOST_NAMES]
    renamed = replace(point, id=name, was=earlier)
    new = found.get(name)
    if new is None:
        return renamed
    return replace(renamed, path=new.path, subject=new.subject, sketch=new.sketch)


@dataclass(frozen=True, slots=True)
class _Case:
    """All that is looked at to say what became of a point."""

    plan: Plan
    noted: Mapping[str, Noted]
    files: Files
    pull: PullRequest
    threads: Sequence[Spoken]
    may_write: Callable[[str], bool]

    def judged(self, point: Point) -> Point:
        """The point as it is now."""
        if point.settled:
            return point
        present = point.id in self.noted
        if self.files.taken(point, present=present):
            head = self.plan.target.head
            return replace(point, status=Status.ACCEPTED, commit=head, who="", why="")
        if not present:
            return self._without_finding(point)
        threads = [t for t in self.threads if not set(point.names).isdisjoint(t.points)]
        refused = self._refused(point, threads)
        if refused is not None:
            return replace(point, status=Status.DISMISSED, who=refused[0], why=refused[1])
        stands = any(t.new and not t.thread.outdated for t in threads)
        status = Status.SUGGESTED if stands else Status.RAISED
        return replace(point, status=status, inline=bool(threads), why="")

    def _without_finding(self, point: Point) -> Point:
        whole = self.plan.whole
        if point.rule in VERIFY_RULES and whole.total and not whole.checked:
            return point  # nobody was asked about citations this time
        if point.status is Status.STALE:
            return point
        if (is_point(point.rule) or point.rule in REFERENCE_RULES) and self._unmoved(point):
            return self._kept(point)
        return replace(point, status=Status.STALE, why=self._why_gone(point))

    def _unmoved(self, point: Point) -> bool:
        """Whether nothing tells that the text a point speaks of has changed. That a model does not
        raise it today is no sign: it may not have been asked, and may say something else each
        time; a literature service may be silent."""
        if point.path not in self.files.sources or self._silenced(point):
            return False
        if point.old_lines:
            return bool(self.files.positions(point.path, point.old, point.old_lines))
        mine = [t for t in self.threads if not set(point.names).isdisjoint(t.points)]
        return not (mine and all(t.thread.outdated for t in mine))

    def _kept(self, point: Point) -> Point:
        threads = [t for t in self.threads if not set(point.names).isdisjoint(t.points)]
        refused = self._refused(point, threads)
        if refused is not None:
            return replace(point, status=Status.DISMISSED, who=refused[0], why=refused[1])
        return point

    def _why_gone(self, point: Point) -> str:
        source = self.files.sources.get(point.path)
        if source is None:
            return "its file is gone"
        return "silenced in the source" if self._silenced(point) else "no longer found"

    def _silenced(self, point: Point) -> bool:
        source = self.files.sources.get(point.path)
        silence = rf"reviser:\s*ignore[\w-]*\s*\[[^\]\n]*(?<![\w-]){re.escape(point.rule)}(?![\w-])"
        found = source and point.rule and re.search(silence, source.text, re.IGNORECASE)
        return bool(found)

    def _refused(self, point: Point, threads: Sequence[Spoken]) -> tuple[str, str] | None:
        """Who said no to a point that still stands, and how; None when nobody did."""
        for one in threads:
            by = one.thread.resolved_by
            ours = one.thread.remarks[0].author
            if one.thread.resolved and by and by != ours and self._may_resolve(by):
                return by, RESOLVED
            for remark in one.thread.remarks:
                who = next((d for d in remark.downs if self.may_write(d)), None)
                if remark.ours and who is not None:
                    return who, DISLIKED
        told = point.inline and point.status in {Status.RAISED, Status.SUGGESTED}
        return ("", DELETED) if told and not threads else None

    def _may_resolve(self, login: str) -> bool:
        return login == self.pull.author or self.may_write(login)


def _obsolete(threads: Sequence[Spoken], ledger: Ledger) -> tuple[int, ...]:
    """Our comments that speak of nothing any more, or say again what an older one says, where
    nobody has answered."""
    gone: list[int] = []
    covered: set[str] = set()
    for one in threads:
        points = [p for p in map(ledger.by_name.get, one.points) if p is not None]
        ids = {point.id for point in points}
        stale = all(point.status is Status.STALE for point in points)
        again = ids <= covered and not one.thread.resolved
        if points and one.alone and (stale or again):
            gone += [remark.id for remark in reversed(one.thread.remarks)]
        else:
            covered |= ids
    return tuple(gone)
