"""The forge as delivery sees it: a pull request's state as a value, the few things that can be
done to it, and what can go wrong. `adapters/github` conforms; tests bring one in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Protocol

from reviser.deliver.plan import Conclusion
from reviser.errors import ReviserError
from reviser.text.patch import FilePatch


class ForgeError(ReviserError):
    """GitHub did not do what was asked; the message says what and why, without a secret."""

    exit_code: ClassVar[int] = 3


class Forbidden(ForgeError):  # noqa: N818 - each names what GitHub said, not that it is an error
    """403 or 404: the token may not do this."""


class Unprocessable(ForgeError):  # noqa: N818
    """422: GitHub refuses the content; nothing of the request happened."""


class Limited(ForgeError):  # noqa: N818
    """A rate limit that would outlast the time this run may wait; nothing of it happened."""


class Unavailable(ForgeError):  # noqa: N818
    """A 5xx, a broken connection or no answer: it may or may not have happened."""


class Moved(ForgeError):  # noqa: N818
    """The branch is no longer at the commit that was expected; nothing happened."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment. `ours` is what GitHub says of its author, not what its text claims; `downs` are
    the logins of those who put a 👎 on it (ours excepted)."""

    id: int
    body: str
    ours: bool
    author: str
    url: str = ""
    downs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """A review thread; its first remark opened it. `line` is None once it is outdated."""

    id: str
    path: str
    line: int | None
    resolved: bool
    resolved_by: str
    outdated: bool
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as it is now. `head` and `base` are full hashes of the two branches' tips;
    `head_repository` is "" when it was deleted. `queued`: it waits in a merge queue."""

    repository: str
    number: int
    state: Literal["open", "closed", "merged"]
    draft: bool
    locked: bool
    queued: bool
    author: str
    labels: tuple[str, ...]
    head: str
    head_branch: str
    head_repository: str
    base: str
    base_branch: str
    threads: tuple[Thread, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def from_fork(self) -> bool:
        """Whether its branch lies in another repository."""
        return self.head_repository.casefold() != self.repository.casefold()


@dataclass(frozen=True, slots=True)
class Comment:
    """A review comment to be made on the head's lines `first` to `last` of `path` (from the
    repository's top). `points` are the fingerprints it speaks of; its body carries them too."""

    path: str
    first: int
    last: int
    body: str
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """A line of a check run's report; `level` as GitHub names it."""

    path: str
    first: int
    last: int
    level: Literal["notice", "warning", "failure"]
    title: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckRun:
    """A finished check run on the head commit; any number of annotations."""

    name: str
    conclusion: Conclusion
    title: str
    summary: str
    annotations: tuple[Annotation, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnPull:
    """A pull request from a branch of ours, open or not. `ours`: we opened it."""

    number: int
    state: Literal["open", "closed", "merged"]
    title: str
    body: str
    ours: bool
    url: str = ""


@dataclass(frozen=True, slots=True)
class WorkflowRun:
    """A run of a workflow of this repository, as the forge knows it. `event` started it;
    `repository` ("" when it is gone), `branch` and `head` are those that it ran for; `actor` is the
    login of whoever caused it."""

    id: int
    event: str
    repository: str
    branch: str
    head: str
    actor: str


class Forge(Protocol):
    """One repository. Every method may raise a ForgeError; each write is sent once, never
    repeated after a fault that leaves open whether it happened (`Unavailable`)."""

    def pull(self, number: int) -> PullRequest:
        """Everything about a pull request, its threads and comments included."""
        ...

    def patches(self, number: int) -> Sequence[FilePatch]:
        """The pull request's diff as GitHub itself tells it; large files may be absent."""
        ...

    def find_pull(self, *, repository: str, branch: str, head: str) -> int | None:
        """The open pull request from that branch of `repository` whose head is `head`."""
        ...

    def merge_base(self, base: str, head: str) -> str:
        """The commit where the two parted."""
        ...

    def tip(self, branch: str) -> str | None:
        """The commit a branch of this repository is at, None when there is no such branch."""
        ...

    def may_write(self, login: str) -> bool:
        """Whether this person has write, maintain or admin permission; answers are kept."""
        ...

    def review(self, number: int, commit: str, comments: Sequence[Comment]) -> None:
        """Post one review (event COMMENT, no text of its own) with at most 30 comments."""
        ...

    def file_comment(self, number: int, commit: str, path: str, body: str) -> None:
        """Comment on a file of the pull request as a whole."""
        ...

    def reply(self, number: int, comment: int, body: str) -> None:
        """Answer in the thread that review comment `comment` opened."""
        ...

    def retire(self, comment: int) -> None:
        """Delete one of our review comments; one that is gone already is no error."""
        ...

    def remark(self, number: int, body: str) -> int:
        """Write a comment into the conversation; its id."""
        ...

    def rewrite(self, remark: int, body: str) -> None:
        """Put new text into one of our conversation comments."""
        ...

    def react(self, remark: int, content: Literal["+1", "confused", "eyes"]) -> None:
        """Put a reaction on somebody's conversation comment."""
        ...

    def check(self, head: str, run: CheckRun) -> None:
        """Report a check run, its annotations in portions of 50."""
        ...

    def commit(self, branch: str, expected: str, message: str, files: Mapping[str, bytes]) -> str:
        """One commit with whole new contents of files, only if `branch` is at `expected`; the new
        commit's hash. Raises Moved when it is elsewhere."""
        ...

    def make_branch(self, name: str, commit: str) -> None:
        """Make a branch; Unprocessable when it exists."""
        ...

    def move_branch(self, name: str, commit: str) -> None:
        """Point a branch of ours at another commit, whatever it pointed at."""
        ...

    def drop_branch(self, name: str) -> None:
        """Delete a branch of ours; one that is gone already is no error. (A follow-up is committed
        on a passing branch first: one whose pull request loses its last commit, even for a
        moment, has that pull request closed by GitHub.)"""
        ...

    def authors(self, base: str, head: str) -> Sequence[str]:
        """The logins (or e-mail addresses) of those who wrote the commits from base to head;
        "" stands for ourselves."""
        ...

    def pulls_from(self, branch: str, *, onto: str) -> Sequence[OwnPull]:
        """The pull requests ever made from a branch of this repository onto another, newest
        first."""
        ...

    def open_pull(self, *, branch: str, onto: str, title: str, body: str) -> OwnPull:
        """Open a pull request."""
        ...

    def rewrite_pull(self, number: int, *, title: str, body: str) -> None:
        """Put a new title and text into a pull request of ours."""
        ...

    def workflow_run(self, run: int) -> WorkflowRun | None:
        """What the forge knows of a workflow run of this repository, None when there is none."""
        ...

    def artifact(self, run: int, name: str, *, most: int) -> bytes | None:
        """The zip file of a workflow run's artifact, None when there is none of that name.
        Raises ForgeError when it is larger than `most` bytes."""
        ...
