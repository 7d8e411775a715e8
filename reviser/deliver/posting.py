"""Put review comments into the diff, and take obsolete ones back, whatever GitHub answers.

A comment is either known to stand or counted as refused; one whose fate is unknown (a connection
broke, and reading failed too) counts as refused: it is told elsewhere, and the next run finds it by
its mark if it stands after all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviser.deliver.forge import (
    Comment,
    Forbidden,
    Forge,
    ForgeError,
    Limited,
    Moved,
    PullRequest,
    Unavailable,
    Unprocessable,
)
from reviser.deliver.reconcile import spoken

MOST = 30
"""Comments of one review."""
AGAIN = 2
"""How often something is sent again after it may or may not have happened."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of the comments. `why` are sentences for the reader, `forbidden` and `moved`
    say that nothing more of the kind should be tried."""

    stand: tuple[Comment, ...] = ()
    refused: tuple[Comment, ...] = ()
    why: tuple[str, ...] = ()
    forbidden: bool = False
    moved: bool = False

    @property
    def over(self) -> bool:
        """Whether there is no sense in sending the next portion."""
        return self.forbidden or self.moved or bool(self.refused)


@dataclass(frozen=True, slots=True)
class Addressee:
    """Where comments go: a pull request, the commit they speak of, and the paper."""

    number: int
    head: str
    paper: str


def post(forge: Forge, to: Addressee, comments: Sequence[Comment]) -> Sent:
    """Post the comments, at most `MOST` a review; after a portion that failed no other is tried."""
    sent = Sent()
    for start in range(0, len(comments), MOST):
        portion = tuple(comments[start : start + MOST])
        if sent.over:
            sent = replace(sent, refused=(*sent.refused, *portion))
            continue
        part = _Portion(forge, to, portion).sent()
        sent = replace(
            part, stand=(*sent.stand, *part.stand), refused=(*sent.refused, *part.refused)
        )
    return sent


class _Portion:
    """One review on its way."""

    def __init__(self, forge: Forge, to: Addressee, comments: tuple[Comment, ...]) -> None:
        self._forge = forge
        self._to = to
        self._all = comments
        self._waiting = comments
        self._lost: tuple[Comment, ...] = ()
        self._unclear = 0
        self._anchored = False

    def sent(self) -> Sent:
        """Post it, as often as makes sense."""
        end = None
        while self._waiting and end is None:
            end = self._tried()
        refused = (*self._waiting, *self._lost)
        stand = tuple(one for one in self._all if one not in refused)
        if end is None:
            not_shown = _NOT_SHOWN.format(what=_count(len(refused)))
            return Sent(stand, refused, (not_shown,) if refused else ())
        return replace(end, stand=stand, refused=refused)

    def _tried(self) -> Sent | None:
        """How it ended, None when all that waited was sent or there is another try."""
        try:
            self._forge.review(self._to.number, self._to.head, self._waiting)
        except Unavailable as error:
            return self._looked(error)
        except Unprocessable as error:
            return self._anchored_again(error)
        except Moved:
            return Sent(moved=True)
        except ForgeError as error:
            return self._given_up(error)
        self._waiting = ()
        return None

    def _looked(self, error: ForgeError) -> Sent | None:
        """It may have happened all the same: look, and keep only what is not there."""
        self._unclear += 1
        try:
            pull = self._forge.pull(self._to.number)
        except ForgeError:
            return self._given_up(error)
        there = [set(one.points) for one in spoken(pull, self._to.paper)]
        self._waiting = tuple(
            one for one in self._waiting if not any(set(one.points) <= t for t in there)
        )
        if self._waiting and not self._still(pull):
            return Sent(moved=True)
        if self._waiting and self._unclear > AGAIN:
            return self._given_up(error)
        return None

    def _anchored_again(self, error: ForgeError) -> Sent | None:
        """GitHub names no culprit: keep what its own view of the diff shows, once."""
        if self._anchored:
            return self._given_up(error)
        self._anchored = True
        try:
            if not self._still(self._forge.pull(self._to.number)):
                return Sent(moved=True)
            patches = {patch.path: patch for patch in self._forge.patches(self._to.number)}
        except ForgeError:
            return self._given_up(error)
        shown = tuple(
            one
            for one in self._waiting
            if one.path in patches and patches[one.path].shows(one.first, one.last)
        )
        self._lost = tuple(one for one in self._waiting if one not in shown)
        self._waiting = shown
        return None

    def _still(self, pull: PullRequest) -> bool:
        return pull.head == self._to.head and pull.state == "open"

    def _given_up(self, error: ForgeError) -> Sent:
        count = len(self._waiting) + len(self._lost)
        return Sent(forbidden=isinstance(error, Forbidden), why=(_because(error, count),))


_NOT_SHOWN = "GitHub's own diff does not show the lines of {what}: told in the summary instead."


def _because(error: ForgeError, number: int) -> str:
    what = _count(number)
    if isinstance(error, Forbidden):
        return f"This run may not write into the diff, so {what} went into the summary instead."
    if isinstance(error, Limited):
        return f"GitHub's rate limit is used up, so {what} went into the summary instead."
    if isinstance(error, Unprocessable):
        return f"GitHub refused {what} for the diff; the summary holds what they say."
    return f"GitHub did not answer, so {what} may be missing in the diff; the summary holds all."


def _count(number: int) -> str:
    return "one comment" if number == 1 else f"{number} comments"


@dataclass(frozen=True, slots=True)
class Taken:
    """How many obsolete comments were deleted, and why not all, where it is so."""

    number: int = 0
    why: tuple[str, ...] = ()
    forbidden: bool = False


def retire(forge: Forge, comments: Sequence[int]) -> Taken:
    """Delete obsolete comments of ours; what cannot be deleted now is tried by the next run."""
    done = 0
    for comment in comments:
        try:
            _delete(forge, comment)
        except ForgeError as error:
            left = len(comments) - done
            why = f"GitHub did not delete {_count(left)} of ours that no longer apply."
            return Taken(done, (why,), isinstance(error, Forbidden))
        done += 1
    return Taken(done)


def _delete(forge: Forge, comment: int) -> None:
    """Delete it; to do so twice does no harm, so an unclear answer is no reason to stop."""
    for _ in range(AGAIN):
        try:
            forge.retire(comment)
        except Unavailable:
            continue
        return
    forge.retire(comment)
