"""GraphQL: what the tables of fields are built of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.fakes.github.graphed import Asker, GitObject, Group, Ref, Viewer
from tests.fakes.github.model import (
    IssueComment,
    Pull,
    Reaction,
    Review,
    ReviewComment,
    Thread,
    User,
    stamp,
)
from tests.fakes.github.repository import Repository

Args = Mapping[str, Any]
Field = Callable[..., Any]
CONTENTS = {
    "+1": "THUMBS_UP",
    "-1": "THUMBS_DOWN",
    "laugh": "LAUGH",
    "hooray": "HOORAY",
    "confused": "CONFUSED",
    "heart": "HEART",
    "rocket": "ROCKET",
    "eyes": "EYES",
}
_CLASSES = {
    Viewer: "User",
    Repository: "Repository",
    Pull: "PullRequest",
    IssueComment: "IssueComment",
    ReviewComment: "PullRequestReviewComment",
    Review: "PullRequestReview",
    Thread: "PullRequestReviewThread",
    Reaction: "Reaction",
    Ref: "Ref",
}


def TYPE_OF(value: Any) -> str:  # noqa: N802 - graphql-core asks it for every interface and union
    """The name of the GraphQL type a value is of."""
    if isinstance(value, User):
        return value.kind
    if isinstance(value, GitObject):
        return value.kind
    return _CLASSES[type(value)]


def get(*names: str) -> Field:
    """A field that is an attribute of the source (of an attribute of it, and so on)."""

    def read(_asker: Asker, source: Any, _args: Args) -> Any:
        for name in names:
            source = getattr(source, name)
        return source

    return read


def of(compute: Callable[[Any], Any]) -> Field:
    """A field computed from the source alone."""
    return lambda _asker, source, _args: compute(source)


def time(*names: str) -> Field:
    read = get(*names)

    def told(asker: Asker, source: Any, args: Args) -> str | None:
        when = read(asker, source, args)
        return None if when is None else stamp(when)

    return told


def login(user: User) -> str:
    """A bot's name lacks "[bot]" here."""
    return user.login.removesuffix("[bot]") if user.kind == "Bot" else user.login


def mine(asker: Asker, source: Any, _args: Args) -> bool:
    user = source.author if isinstance(source, Pull) else source.user
    return asker.user is user


def url(kind: str) -> Field:
    def told(asker: Asker, source: Any, _args: Args) -> str:
        return str(getattr(asker.fake.shapes, kind)(source)["html_url"])

    return told


def _groups(source: Any) -> list[Group]:
    return [
        Group(name, [r.user for r in source.reactions if r.content == content])
        for content, name in CONTENTS.items()
    ]


def _reactions(_asker: Asker, source: Any, args: Args) -> list[Reaction]:
    wanted = args.get("content")
    return [r for r in source.reactions if wanted in {None, CONTENTS[r.content]}]


REACTABLE: dict[str, Field] = {"reactions": _reactions, "reactionGroups": of(_groups)}
MINIMIZABLE: dict[str, Field] = {
    "isMinimized": of(lambda c: bool(c.minimized)),
    "minimizedReason": of(lambda c: c.minimized or None),
}
