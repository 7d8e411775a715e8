"""What the fake GitHub remembers: people, tokens, pull requests, comments, runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from tests.fakes.github.hunks import Side

Permission = Literal["admin", "write", "read", "none"]
_EPOCH = 1_767_225_600  # 2026-01-01


def stamp(when: int) -> str:
    """A time as GitHub writes it."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Refused(Exception):  # noqa: N818 - it is an answer
    """GitHub's no: a status, a message, and what it says of the fields."""

    def __init__(
        self,
        status: int,
        message: str,
        errors: list[Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.errors = status, message, errors
        self.headers = dict(headers or {})


@dataclass
class Counter:
    """Gives out ids, and times that never stand still."""

    last: int = 1000

    def next(self) -> int:
        self.last += 1
        return self.last

    def now(self) -> int:
        """Seconds since 1970; a second later than the last id."""
        return _EPOCH + self.next()


@dataclass
class User:
    """An account. Bots are named "x[bot]" over REST, "x" over GraphQL."""

    id: int
    login: str
    kind: Literal["User", "Bot"] = "User"

    @property
    def node_id(self) -> str:
        return f"{'BOT' if self.kind == 'Bot' else 'U'}_{self.id}"

    @property
    def email(self) -> str:
        return f"{self.id}+{self.login}@users.noreply.github.com"


@dataclass
class Token:
    """A secret, who speaks with it and what it may do. For an app `permissions` says it, scope by
    scope, and it reaches `repository` alone; a person's may do what the person may."""

    secret: str
    user: User
    permissions: dict[str, str] | None = None
    repository: str = ""

    @property
    def is_app(self) -> bool:
        return self.permissions is not None

    def may(self, scope: str, level: str) -> bool:
        """Whether an app's token holds a permission ("read" or "write")."""
        held = (self.permissions or {}).get(scope, "none")
        return held == "write" or held == level


@dataclass
class Reaction:
    id: int
    user: User
    content: str
    created: int

    @property
    def node_id(self) -> str:
        return f"REA_{self.id}"


@dataclass
class IssueComment:
    """A comment in the conversation of a pull request."""

    id: int
    user: User
    body: str
    created: int
    updated: int
    pull: "Pull"
    reactions: list[Reaction] = field(default_factory=list)
    minimized: str = ""

    @property
    def node_id(self) -> str:
        return f"IC_{self.id}"


@dataclass
class ReviewComment:
    """A comment on a line, a range of lines or a file. The numbers with `original_` speak of
    `original_commit`; the others of the head now, None once they are outdated."""

    id: int
    user: User
    body: str
    created: int
    updated: int
    pull: "Pull"
    review: "Review"
    path: str
    commit: str
    original_commit: str
    subject: Literal["line", "file"] = "line"
    side: Side = "RIGHT"
    line: int | None = None
    start_line: int | None = None
    position: int | None = None
    original_line: int | None = None
    original_start_line: int | None = None
    original_position: int | None = None
    diff_hunk: str = ""
    reply_to: "ReviewComment | None" = None
    reactions: list[Reaction] = field(default_factory=list)
    minimized: str = ""

    @property
    def node_id(self) -> str:
        return f"PRRC_{self.id}"


@dataclass
class Review:
    id: int
    user: User
    body: str
    state: str
    commit: str
    submitted: int
    pull: "Pull"
    reactions: list[Reaction] = field(default_factory=list)
    minimized: str = ""

    @property
    def node_id(self) -> str:
        return f"PRR_{self.id}"


@dataclass
class Thread:
    """The comments on one place; the first opened it."""

    id: int
    comments: list[ReviewComment]
    resolved_by: User | None = None
    outdated: bool = False

    @property
    def node_id(self) -> str:
        return f"PRRT_{self.id}"


@dataclass
class Pull:
    """A pull request. `head_repository` is None when it was deleted. `head` and `base` are
    commits; `base` is where the base branch was when the head last moved, as GitHub tells it."""

    id: int
    number: int
    repository: Any
    head_repository: Any
    head_branch: str
    base_branch: str
    head: str
    base: str
    author: User
    title: str
    body: str | None
    created: int
    updated: int
    draft: bool = False
    locked: bool = False
    queued: bool = False
    state: Literal["open", "closed"] = "open"
    merged: int | None = None
    merge_commit: str | None = None
    closed: int | None = None
    labels: list[str] = field(default_factory=list)
    remarks: list[IssueComment] = field(default_factory=list)
    reviews: list[Review] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"PR_{self.id}"

    @property
    def comments(self) -> list[ReviewComment]:
        """Every review comment that is not pending, oldest first."""
        found = [c for t in self.threads for c in t.comments if c.review.state != "PENDING"]
        return sorted(found, key=lambda c: c.id)


@dataclass
class CheckRun:
    id: int
    name: str
    head: str
    user: User
    status: str
    conclusion: str | None
    started: int
    completed: int | None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    details_url: str | None = None
    external_id: str | None = None
    annotations: list[dict[str, Any]] = field(default_factory=list)

    @property
    def node_id(self) -> str:
        return f"CR_{self.id}"


@dataclass
class Artifact:
    id: int
    name: str
    data: bytes
    run: "Run"
    created: int
    expired: bool = False


@dataclass
class Run:
    """A run of a workflow. `pulls` is empty for a fork's, as it is on GitHub."""

    id: int
    name: str
    event: str
    head: str
    head_branch: str
    head_repository: Any
    actor: User
    created: int
    conclusion: str = "success"
    pulls: list[Pull] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
