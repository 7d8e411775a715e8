"""Carry out a plan on a pull request or a branch: post, take back, tell, and lose nothing.

Everything is read and decided first; then each write is tried, and what GitHub does not take is
told in the summary, and what the summary cannot tell in the job summary. A run that was cut off
leaves comments that the next one finds by their marks, so that nothing is posted twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.deliver.branch import change, commit, wanted
from reviser.deliver.decide import Decision, decide, without
from reviser.deliver.delivered import Delivered, Ending
from reviser.deliver.forge import (
    Forbidden,
    Forge,
    ForgeError,
    Moved,
    OwnPull,
    PullRequest,
    Unavailable,
)
from reviser.deliver.ledger import Ledger, Status, put
from reviser.deliver.plan import Plan
from reviser.deliver.posting import Addressee, post, retire
from reviser.deliver.proposing import (
    UNREAD,
    follow,
    follow_up_branch,
    refused,
    whole_paper,
)
from reviser.deliver.reconcile import Reconciled, reconcile
from reviser.deliver.standing import merged, summaries
from reviser.deliver.state import decode
from reviser.deliver.story import Story, Wishes
from reviser.deliver.suggestion import Elsewhere
from reviser.deliver.telling import tell
from reviser.text.patch import FilePatch
from reviser.text.source import Source

FORK = "The branch lies in another repository, so edits are suggested instead of being committed."
NO_COMMIT = "The edits could not be committed ({why}), so they are suggested instead."
NO_FOLLOW_UP = (
    "The pull request of edits could not be made, so they are suggested instead. It needs "
    "contents: write, pull-requests: write, and the setting that lets GitHub Actions create "
    "pull requests; it is tried again with the next push."
)
NOTHING_POSTED = "this run posted nothing"
BY_COMMIT = "it is in the commit that this run made"
BY_FOLLOW_UP = "it is in the pull request that this run opened"


def deliver(
    forge: Forge,
    plan: Plan,
    sources: Mapping[str, Source],
    patches: Sequence[FilePatch],
    wishes: Wishes,
    *,
    server: str,
    run_url: str = "",
) -> Delivered:
    """Carry out `plan`, whose findings and edits speak of `sources`, the files at its head.

    `patches` is the diff of the pull request; a plan without a number speaks of a whole branch and
    needs none. `server` is the forge's address for people, `run_url` the workflow run that holds
    the patch. No ForgeError is raised: what the forge refused is told in the result. Carried out
    again on an unchanged pull request, the same plan writes nothing.
    """
    if plan.target.number is None:
        return whole_paper(forge, plan, sources, wishes, server=server, run_url=run_url)
    # Until something is posted, everything is told by the story alone.
    elsewhere = tuple(Elsewhere(verdict, NOTHING_POSTED) for verdict in plan.accepted)
    story = Story(plan, sources, Ledger(), wishes, server, run_url, elsewhere)
    try:
        return _Run(forge, story, tuple(patches), plan.target.number).carried_out()
    except _Ended as end:
        return end.delivered


class _Ended(Exception):  # noqa: N818 - it names an outcome
    """The run is over before its time."""

    def __init__(self, delivered: Delivered) -> None:
        super().__init__(delivered.ending.value)
        self.delivered = delivered


@dataclass(frozen=True, slots=True)
class _Tally:
    """What was done up to now."""

    posted: int = 0
    suggested: int = 0
    retired: int = 0
    forbidden: bool = False


class _Run:
    """One delivery on one pull request; `story` grows as things are done."""

    def __init__(
        self, forge: Forge, story: Story, patches: tuple[FilePatch, ...], number: int
    ) -> None:
        self._forge = forge
        self._story = story
        self._patches = patches
        self._number = number
        self._tally = _Tally()
        self._head = story.plan.target.head
        self._told = False

    def carried_out(self) -> Delivered:
        """Do all of it. Raises _Ended."""
        pull = self._read()
        pulls = self._mode(pull)
        before = self._ledger(pull, pulls)
        if self._story.wishes.mode == "follow-up-pr" and before.barred == self._head:
            self._suggest_instead(NO_FOLLOW_UP)
        reconciled = self._reconciled(before, pull)
        self._post(pull, reconciled.ledger)
        self._retire(reconciled.retire)
        match self._story.wishes.mode:
            case "commit":
                self._commit(pull)
            case "follow-up-pr":
                self._follow(pull, pulls)
            case _:
                pass
        self._tell(pull)
        return self._delivered(Ending.DONE)

    def _read(self) -> PullRequest:
        """The pull request, if it still waits for what the plan has to say."""
        try:
            pull = self._forge.pull(self._number)
        except ForgeError as error:
            raise self._unread(error) from error
        if pull.state != "open" or pull.queued:
            raise _Ended(self._delivered(Ending.CLOSED))
        if pull.head != self._head:
            raise _Ended(self._delivered(Ending.MOVED))
        return pull

    def _mode(self, pull: PullRequest) -> Sequence[OwnPull]:
        """Settle in which mode edits go; our pull requests from the branch for follow-ups."""
        mode = self._story.wishes.mode
        if mode in {"commit", "follow-up-pr"} and pull.from_fork:
            self._suggest_instead(FORK)
        elif mode == "follow-up-pr":
            name = follow_up_branch(self._number, self._story.plan.target.paper)
            try:
                return self._forge.pulls_from(name, onto=pull.head_branch)
            except ForgeError:
                self._suggest_instead(NO_FOLLOW_UP)
        return ()

    def _suggest_instead(self, why: str) -> None:
        self._story = replace(
            self._story,
            wishes=replace(self._story.wishes, mode="suggest"),
            undelivered=(*self._story.undelivered, why),
        )

    def _ledger(self, pull: PullRequest, pulls: Sequence[OwnPull]) -> Ledger:
        """What was said before, as our summary comment and our pull requests remember it."""
        remembered = [decode(r.body) for r in summaries(pull, self._story.plan.target.paper)]
        ledger = remembered[0] if remembered else Ledger()
        for other in remembered[1:]:
            ledger = merged(ledger, other)
        return refused(ledger, pulls)

    def _reconciled(self, ledger: Ledger, pull: PullRequest) -> Reconciled:
        def may_write(login: str) -> bool:
            # Whose permission cannot be read is taken for a stranger: their no is asked for again.
            try:
                return self._forge.may_write(login)
            except ForgeError:
                return False

        return reconcile(ledger, self._story.plan, self._story.sources, pull, may_write)

    def _post(self, pull: PullRequest, ledger: Ledger) -> None:
        story = self._story
        decision = decide(story.plan, story.sources, self._patches, ledger, pull, story.wishes)
        to = Addressee(self._number, self._head, story.plan.target.paper)
        sent = post(self._forge, to, decision.comments)
        if sent.moved:
            raise _Ended(self._delivered(Ending.MOVED))
        decision = without(decision, {point for one in sent.refused for point in one.points})
        self._tally = replace(
            self._tally,
            posted=self._tally.posted + len(sent.stand),
            suggested=self._tally.suggested + _suggesting(decision),
            forbidden=self._tally.forbidden or sent.forbidden,
        )
        plan = replace(story.plan, notes=_joined(story.plan.notes, decision.notes))
        self._story = replace(
            story,
            plan=plan,
            ledger=decision.ledger,
            elsewhere=decision.elsewhere,
            undelivered=(*story.undelivered, *sent.why),
        )

    def _retire(self, comments: Sequence[int]) -> None:
        if self._tally.forbidden:
            return
        taken = retire(self._forge, comments)
        self._tally = replace(self._tally, retired=taken.number, forbidden=taken.forbidden)
        self._undelivered(taken.why)

    def _commit(self, pull: PullRequest) -> None:
        """Commit the edits where the author works; suggest them where that cannot be."""
        story = self._story
        made = change(wanted(story.plan, story.ledger), story.sources, story.plan.target.root)
        if not made.files:
            return
        try:
            done = commit(self._forge, pull.head_branch, self._head, made)
        except Moved as moved:
            raise _Ended(self._delivered(Ending.MOVED)) from moved
        except ForgeError as error:
            self._instead(NO_COMMIT.format(why=_clause(error)))
            return
        self._head = done
        ledger = story.ledger
        for name in made.points:
            point = ledger.by_name.get(name)
            if point is not None and not point.settled:
                ledger = put(ledger, replace(point, status=Status.ACCEPTED, commit=done))
        self._story = replace(
            story, ledger=ledger, commit=done, elsewhere=self._explained(made.points, BY_COMMIT)
        )

    def _follow(self, pull: PullRequest, pulls: Sequence[OwnPull]) -> None:
        """Open or update the pull request of edits onto the author's branch."""
        name = follow_up_branch(self._number, self._story.plan.target.paper)
        followed = follow(self._forge, self._story, name, pull.head_branch, pulls)
        done = followed.proposed
        if done.moved:
            raise _Ended(self._delivered(Ending.MOVED))
        if done.forbidden and not done.url:
            self._instead(NO_FOLLOW_UP)
            if done.unopened:
                ledger = replace(self._story.ledger, barred=self._head)
                self._story = replace(self._story, ledger=ledger)
            return
        points = {p for v in followed.verdicts for p in v.edit.answers} if done.told else set()
        self._story = replace(
            self._story,
            ledger=followed.ledger,
            follow_up=done.url,
            elsewhere=self._explained(points, BY_FOLLOW_UP),
        )
        self._undelivered(done.why)
        self._tally = replace(self._tally, forbidden=self._tally.forbidden or done.forbidden)

    def _instead(self, why: str) -> None:
        """Decide once more, with suggestions; what was posted already is taken into account."""
        self._suggest_instead(why)
        if self._tally.forbidden:
            return
        left = max(0, self._story.wishes.inline - self._tally.posted)
        wishes = self._story.wishes
        self._story = replace(self._story, wishes=replace(wishes, inline=left))
        fresh = self._read()
        reconciled = self._reconciled(self._ledger(fresh, ()), fresh)
        self._post(fresh, reconciled.ledger)
        self._story = replace(self._story, wishes=wishes)

    def _explained(
        self, points: Sequence[str] | frozenset[str] | set[str], why: str
    ) -> tuple[Elsewhere, ...]:
        """The edits that are not suggestions; those that settle `points` are there now."""
        return tuple(
            replace(one, why=why) if set(one.verdict.edit.answers) & set(points) else one
            for one in self._story.elsewhere
        )

    def _tell(self, pull: PullRequest) -> None:
        told = tell(
            self._forge, self._story, pull, heads={self._head, self._story.plan.target.head}
        )
        self._story = told.story
        if told.moved:
            raise _Ended(self._delivered(Ending.MOVED))
        self._tally = replace(self._tally, forbidden=self._tally.forbidden or told.forbidden)
        self._told = told.told

    def _undelivered(self, sentences: Sequence[str]) -> None:
        self._story = replace(self._story, undelivered=(*self._story.undelivered, *sentences))

    def _unread(self, error: ForgeError) -> _Ended:
        self._undelivered((UNREAD,))
        self._tally = replace(self._tally, forbidden=isinstance(error, Forbidden))
        return _Ended(self._delivered(Ending.UNREAD))

    def _delivered(self, ending: Ending) -> Delivered:
        tally = self._tally
        return Delivered(
            ending,
            self._story,
            posted=tally.posted,
            suggested=tally.suggested,
            retired=tally.retired,
            told=self._told,
            forbidden=tally.forbidden,
        )


def _suggesting(decision: Decision) -> int:
    """How many of the comments hold a suggestion."""
    suggested = {point for one in decision.suggested for point in one.points}
    return sum(not suggested.isdisjoint(one.points) for one in decision.comments)


def _joined(notes: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*notes, *more)))


def _clause(error: ForgeError) -> str:
    """Why in a few words of ours: GitHub's own may quote anything."""
    if isinstance(error, Forbidden):
        return "this run may not write to the branch, or the branch is protected"
    if isinstance(error, Unavailable):
        return "GitHub did not answer"
    return "GitHub refused the commit"
