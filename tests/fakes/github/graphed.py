"""What the GraphQL half of the fake is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.fakes.github.model import User

if TYPE_CHECKING:
    from tests.fakes.github.model import Token
    from tests.fakes.github.repository import Repository
    from tests.fakes.github.server import FakeGitHub


class GraphRefused(Exception):  # noqa: N818 - it becomes an entry of `errors`
    """GitHub's no, with its kind ("STALE_DATA")."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


class Page(NamedTuple):
    """A part of a list; `total` is the whole list's length."""

    items: Sequence[Any]
    start: int
    stop: int
    total: int


class Ref(NamedTuple):
    """A branch."""

    repository: Repository
    name: str
    sha: str


class Viewer(NamedTuple):
    """Whoever asks, in the guise of a user (GitHub shows even an app's bot like that)."""

    user: User


class Group(NamedTuple):
    """The reactions of one kind on something."""

    content: str
    users: list[User]


class GitObject(NamedTuple):
    """A commit or a blob of a repository."""

    repository: Repository
    kind: str
    sha: str


@dataclass
class Asker:
    """Who asks."""

    fake: FakeGitHub
    token: Token | None

    @property
    def user(self) -> User | None:
        return self.token.user if self.token else None

    def may_see(self, repository: Repository | None) -> bool:
        if repository is None:
            return False
        if not repository.private:
            return True
        if self.token is None:
            return False
        if self.token.is_app:
            return self.token.repository == repository.full_name
        return repository.permission(self.token.user.login) != "none"

    def find(self, name: str) -> Repository:
        found = self.fake.find(name)
        if found is None or not self.may_see(found):
            raise GraphRefused(
                "NOT_FOUND", f"Could not resolve to a Repository with the name '{name}'."
            )
        return found

    def may(self, repository: Repository, *scopes: str, own: bool = False) -> User:
        """The asker, if one of these permissions is held; `own`: what a person may do without."""
        if self.token is None:
            raise GraphRefused("FORBIDDEN", "Requires authentication")
        if self.token.is_app:
            here = self.token.repository == repository.full_name
            if not here or not any(self.token.may(scope, "write") for scope in scopes):
                raise GraphRefused("FORBIDDEN", "Resource not accessible by integration")
        elif not own and not repository.may_write(self.token.user.login):
            raise GraphRefused(
                "FORBIDDEN", f"{self.token.user.login} does not have the correct permissions."
            )
        return self.token.user

    def may_be(self) -> User:
        """Whoever asks; GraphQL takes nobody in particular not at all."""
        if self.token is None:
            raise GraphRefused("FORBIDDEN", "Requires authentication")
        return self.token.user
