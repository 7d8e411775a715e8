"""What to say now: which findings and edits go into the diff, and which wait in the summary.

Every accepted edit that is not settled is a new comment, stands in an earlier one, or is in
`Decision.elsewhere`; every finding is in the plan, which the summary tells whole.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviser.deliver.advised import is_point
from reviser.deliver.comment import finding_comment, suggestion_comment
from reviser.deliver.forge import Comment, PullRequest
from reviser.deliver.ledger import Ledger, Point, Status, digest, point_of
from reviser.deliver.plan import Noted, Plan
from reviser.deliver.reconcile import spoken
from reviser.deliver.story import Mode, Wishes
from reviser.deliver.suggestion import Elsewhere, Suggestion, suggest
from reviser.deliver.wording import lines_of
from reviser.findings import Severity
from reviser.text.diff import Change
from reviser.text.patch import FilePatch
from reviser.text.source import Source

MOST_FILES = 300
MOST_LINES = 20_000
"""Files and changed lines of a pull request from which nothing is put into the diff."""
MOST_INLINE = 30
"""Comments of one review."""
MOST_POINTS = 3
"""Comments on points of a review that may stand in the diff at once."""

BEFORE = "it mends something that this pull request did not bring"
TOLD = "it was told in this summary before"
OUTDATED = "it was suggested before, on lines that have changed since"
CAME_BACK = "it was accepted before, and what it mends has come back"
SHARED = "it shares its lines with an edit of which was told before"
LIMITED = "the other comments of this run matter more"
OVERLAPPING = "another comment stands on the same lines"
REFUSED = "GitHub did not take the suggestion"
TOO_BIG = "the pull request is too big for comments in the diff"
_BY_MODE: Mapping[Mode, str] = {
    "commit": "edits are delivered as one commit",
    "follow-up-pr": "edits are delivered as a pull request of their own",
    "patch": "edits are delivered as a patch",
}


@dataclass(frozen=True)
class Decision:
    """What is to be posted. `comments` come lowest lines first within a file and never overlap;
    `suggested` are the suggestions that some of them carry. `ledger` is what it will be once all
    comments are posted. `elsewhere` are the accepted edits that no comment carries, earlier ones
    included, without those that were dismissed; `notes` are sentences for the reader."""

    comments: tuple[Comment, ...]
    ledger: Ledger
    elsewhere: tuple[Elsewhere, ...]
    suggested: tuple[Suggestion, ...]
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A comment that could be made, with what it carries."""

    comment: Comment
    severity: Severity
    suggestion: Suggestion | None = None
    opinion: bool = False

    @property
    def order(self) -> tuple[bool, int, bool, bool, str, int]:
        """Points of a review last; worst first, suggestions before others of their severity, what
        readers of the paper see before its bibliography file, then by place."""
        at = self.comment
        bib = at.path.lower().endswith(".bib")
        return (
            self.opinion,
            self.severity.rank,
            self.suggestion is None,
            bib,
            at.path,
            at.first,
        )


def decide(  # noqa: PLR0917 - six values of six types, none of which can be taken for another
    plan: Plan,
    sources: Mapping[str, Source],
    patches: Sequence[FilePatch],
    ledger: Ledger,
    pull: PullRequest,
    wishes: Wishes,
) -> Decision:
    """What to post on `pull`; `ledger` is the reconciled one and `sources` the files at head."""
    desk = _Desk(
        plan=plan, sources=sources, patches=patches, ledger=ledger, pull=pull, wishes=wishes
    )
    told: list[_Candidate] = []
    elsewhere: list[Elsewhere] = []
    known: list[tuple[Suggestion, str]] = []  # suggestions that no new comment carries, and why
    if wishes.mode == "suggest":
        found = suggest(plan.accepted, sources, patches, plan.target.root)
        elsewhere += found.elsewhere
        for suggestion in found.suggestions:
            why = desk.why_not(suggestion)
            if why is None:
                told.append(desk.candidate(suggestion))
            else:
                known.append((suggestion, why))
        mending = {point for suggestion in found.suggestions for point in suggestion.points}
    else:
        elsewhere += [Elsewhere(verdict, _BY_MODE[wishes.mode]) for verdict in plan.accepted]
        mending = {point for verdict in plan.accepted for point in verdict.edit.answers}
    told += desk.findings(mending)
    chosen, waiting = _chosen(told, desk.room, desk.points)
    known += [(c.suggestion, why) for c, why in waiting if c.suggestion is not None]
    elsewhere += [Elsewhere(v, why) for s, why in known if why for v in s.verdicts]
    posted = tuple(c.suggestion for c in chosen if c.suggestion is not None)
    comments = tuple(c.comment for c in chosen)
    return Decision(
        comments=tuple(sorted(comments, key=lambda c: (c.path, -c.last, -c.first))),
        ledger=desk.recorded(comments, posted, [s for s, _ in known]),
        elsewhere=desk.in_order(elsewhere),
        suggested=posted,
        notes=desk.notes,
    )


def without(decision: Decision, points: Collection[str]) -> Decision:
    """The decision without the comments that speak of any of `points`, which GitHub did not take:
    what they carried is told in the summary instead."""
    gone = frozenset(points)
    left = tuple(c for c in decision.comments if gone.isdisjoint(c.points))
    lost = {p for c in decision.comments if c not in left for p in c.points}
    refused = [s for s in decision.suggested if not lost.isdisjoint(s.points)]
    ledger = decision.ledger
    back = (
        replace(p, status=Status.RAISED, inline=False) if p.id in lost else p for p in ledger.points
    )
    return replace(
        decision,
        comments=left,
        ledger=replace(ledger, points=tuple(back)),
        elsewhere=(
            *decision.elsewhere,
            *(Elsewhere(verdict, REFUSED) for s in refused for verdict in s.verdicts),
        ),
        suggested=tuple(s for s in decision.suggested if s not in refused),
    )


def too_big(patches: Iterable[FilePatch]) -> bool:
    """Whether a pull request changes more than anybody would look at line by line."""
    files = lines = 0
    for patch in patches:
        files += 1
        lines += sum(part.change is not Change.SAME for hunk in patch.hunks for part in hunk.lines)
    return files > MOST_FILES or lines > MOST_LINES


def _chosen(
    candidates: Iterable[_Candidate], room: int, points: int
) -> tuple[list[_Candidate], list[tuple[_Candidate, str]]]:
    """The candidates that are posted, worst first, and the others with the reason; at most
    `points` of them speak of a review's points alone."""
    chosen: list[_Candidate] = []
    waiting: list[tuple[_Candidate, str]] = []
    for one in sorted(candidates, key=lambda c: c.order):
        if any(_overlap(one.comment, other.comment) for other in chosen):
            waiting.append((one, OVERLAPPING))
        elif len(chosen) >= room or (one.opinion and points <= 0):
            waiting.append((one, LIMITED))
        else:
            chosen.append(one)
            points -= one.opinion
    return chosen, waiting


def _overlap(one: Comment, other: Comment) -> bool:
    return one.path == other.path and one.first <= other.last and other.first <= one.last


class _Desk:
    """Where one pull request's findings and edits are sorted."""

    def __init__(
        self,
        *,
        plan: Plan,
        sources: Mapping[str, Source],
        patches: Sequence[FilePatch],
        ledger: Ledger,
        pull: PullRequest,
        wishes: Wishes,
    ) -> None:
        self._plan = plan
        self._root = plan.target.root
        self._sources = sources
        self._patches = {patch.path: patch for patch in patches}
        self._ledger = ledger
        self._big = too_big(patches)
        self._noted = {noted.finding.fingerprint: noted for noted in plan.findings}
        self.room = 0 if self._big else max(0, min(wishes.inline, MOST_INLINE))
        threads = spoken(pull, plan.target.paper)
        self._standing = {
            (point, one.new) for one in threads if not one.thread.outdated for point in one.points
        }
        standing = {
            tuple(one.points)
            for one in threads
            if is_point(one.rule) and not (one.thread.outdated or one.thread.resolved)
        }
        self.points = max(0, MOST_POINTS - len(standing))
        # A point that was suggested with the same new lines and whose finding is gone (rephrased
        # beyond recognition) is the same point under another name.
        self._brought = {
            (point.path, point.new): point
            for point in ledger.points
            if point.new and point.new_lines and point.id not in self._noted
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """What the reader must know of how it was decided."""
        notes = []
        if self._big:
            notes.append(
                f"This pull request changes more than {MOST_FILES} files or {MOST_LINES:,} lines, "
                "so nothing was put into its diff; everything is told here."
            )
        if self._ledger.damaged:
            notes.append(
                "What was said before could not be read back from the summary comment, so a point "
                "that was dismissed with /reviser ignore may be told again."
            )
        return tuple(notes)

    def why_not(self, suggestion: Suggestion) -> str | None:
        """Why a suggestion is not posted (the reader's clause; "" where it stands already or is
        settled), None when it may be."""
        points = [p for p in map(self._ledger.by_id.get, suggestion.points) if p is not None]
        earlier = self._brought.get((suggestion.path, digest(suggestion.new)))
        introduced = self._introduced(suggestion)
        fresh = any(n.finding.fingerprint not in self._ledger.by_id for n in introduced)
        if earlier is not None and not points:
            points, fresh = [earlier], False
        if not points:
            return self._never(introduced)
        mark = digest(suggestion.new)
        if any((name, mark) in self._standing for point in points for name in point.names):
            return ""
        if fresh:
            known = any(point.settled or point.inline for point in points)
            return SHARED if known else self._never(introduced)
        if all(point.settled for point in points):
            dismissed = all(point.status is Status.DISMISSED for point in points)
            return "" if dismissed else CAME_BACK
        return OUTDATED if any(point.inline for point in points) else TOLD

    def _never(self, introduced: Sequence[Noted]) -> str | None:
        """Why none of it belongs into the diff, None when it may be there."""
        if self._big:
            return TOO_BIG
        return None if introduced else BEFORE

    def candidate(self, suggestion: Suggestion) -> _Candidate:
        """The comment that carries a suggestion; its severity is that of the worst finding."""
        noted = self._introduced(suggestion)
        comment = suggestion_comment(suggestion, noted, self._plan)
        worst = min((one.finding.severity for one in noted), key=lambda s: s.rank)
        return _Candidate(comment, worst, suggestion, all(one.opinion for one in noted))

    def _introduced(self, suggestion: Suggestion) -> tuple[Noted, ...]:
        found = (self._noted.get(point) for point in suggestion.points)
        return tuple(one for one in found if one is not None and one.introduced)

    def findings(self, mending: Collection[str]) -> list[_Candidate]:
        """Comments for findings where the diff shows their lines, one for all on the same lines;
        those in `mending` are left to the edits that settle them."""
        found: dict[tuple[str, int, int], list[Noted]] = {}
        for noted in self._plan.findings:
            finding = noted.finding
            if (
                not noted.introduced
                or finding.severity is Severity.NOTE
                or finding.fingerprint in mending
                or finding.fingerprint in self._ledger.by_id
                or finding.place.path not in self._sources
            ):
                continue
            patch = self._patches.get(self._root + finding.place.path)
            if patch is None or not self.room:
                continue
            first, last = lines_of(self._sources[finding.place.path], finding.place.span)
            if patch.shows(first, last):
                found.setdefault((finding.place.path, first, last), []).append(noted)
        result = []
        for told in found.values():
            worst, *others = sorted(told, key=lambda n: (n.opinion, n.finding.severity.rank))
            comment = finding_comment(worst, self._sources, self._plan, *others)
            result.append(_Candidate(comment, worst.finding.severity, opinion=worst.opinion))
        return result

    def in_order(self, elsewhere: Iterable[Elsewhere]) -> tuple[Elsewhere, ...]:
        """As the edits were certified, without those that a person said no to."""
        order = {v.edit.id: number for number, v in enumerate(self._plan.accepted)}
        left = (one for one in elsewhere if not self._dismissed(one.verdict.edit.answers))
        return tuple(sorted(left, key=lambda one: order[one.verdict.edit.id]))

    def _dismissed(self, points: Sequence[str]) -> bool:
        known = [self._ledger.by_id.get(point) for point in points]
        return bool(known) and all(p is not None and p.status is Status.DISMISSED for p in known)

    def recorded(
        self,
        comments: Iterable[Comment],
        posted: Iterable[Suggestion],
        others: Iterable[Suggestion],
    ) -> Ledger:
        """The ledger once the comments are posted: every introduced finding is in it."""
        inline = {point for comment in comments for point in comment.points}
        suggested = {point: s for s in posted for point in s.points}
        lines = {point: s for s in others for point in s.points} | suggested
        points = list(self._ledger.points)
        for number, point in enumerate(points):
            if point.id in inline and not point.settled:
                status = Status.SUGGESTED if point.id in suggested else Status.RAISED
                points[number] = point = replace(point, status=status, inline=True)  # noqa: PLW2901
            if point.id in lines and not point.settled and (point.id in suggested or not point.new):
                points[number] = _with_lines(point, lines[point.id])
        known = self._ledger.by_id
        for name, noted in self._noted.items():
            if name in known or not (noted.introduced or name in inline):
                continue
            status = Status.SUGGESTED if name in suggested else Status.RAISED
            point = replace(point_of(noted, self._root, status), inline=name in inline)
            if name in lines:
                point = _with_lines(point, lines[name])
                point = self._heir(point)
            points.append(point)
        reviewed = [c for c in self._ledger.reviewed if c != self._plan.target.head]
        return replace(
            self._ledger, points=tuple(points), reviewed=(*reviewed, self._plan.target.head)
        )

    def _heir(self, point: Point) -> Point:
        """The point as settled as the one that brought the same lines before."""
        earlier = self._brought.get((point.path, point.new))
        if earlier is None or not earlier.settled or point.inline:
            return point
        return replace(
            point, status=earlier.status, commit=earlier.commit, who=earlier.who, why=earlier.why
        )


def _with_lines(point: Point, suggestion: Suggestion) -> Point:
    return replace(
        point,
        old=digest(suggestion.old),
        new=digest(suggestion.new),
        old_lines=len(suggestion.old),
        new_lines=len(suggestion.new),
    )
