"""One request to the REST API, and the table of who answers it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.fakes.github.model import Pull, Refused, Token, User
from tests.fakes.github.repository import Repository
from tests.fakes.github.spoken import Spoken

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub

REPO = "/repos/{owner}/{repo}"
MOST_BODY = 65_536


@dataclass
class Answer:
    """`body` is JSON; None for no content. `raw` replaces it."""

    status: int
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None


@dataclass
class Call:
    """What was asked, by whom. `token` is None for nobody in particular."""

    fake: FakeGitHub
    token: Token | None
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    url: str

    @property
    def shapes(self) -> Spoken:
        return self.fake.shapes

    @property
    def user(self) -> User:
        """Who asks. Raises Refused (401) for nobody."""
        if self.token is None:
            raise Refused(401, "Requires authentication")
        return self.token.user

    @property
    def repository(self) -> Repository:
        """The repository that the path names, if the asker may see it."""
        return self.see(f"{self.params['owner']}/{self.params['repo']}")

    def see(self, name: str) -> Repository:
        found = self.fake.find(name)
        if found is None or not self.may_read(found):
            raise Refused(404, "Not Found")
        return found

    def may_read(self, repository: Repository) -> bool:
        if not repository.private:
            return True
        if self.token is None:
            return False
        if self.token.is_app:
            return self.token.repository == repository.full_name
        return repository.permission(self.token.user.login) != "none"

    @property
    def pull(self) -> Pull:
        """The pull request that the path names, by whatever of its names."""
        number = self.params.get("pull_number") or self.params.get("issue_number") or ""
        found = self.repository.pulls.get(self.number(number))
        if found is None:
            raise Refused(404, "Not Found")
        return found

    def number(self, told: str) -> int:
        if not told.isdigit():
            raise Refused(404, "Not Found")
        return int(told)

    def may(self, scope: str, *, own: bool = False) -> User:
        """The asker, if allowed to write there. A person may comment wherever they may read, and
        change what is their own (`own`); anything else takes write permission."""
        user, token, repository = self.user, self.token, self.repository
        assert token is not None
        if token.is_app:
            here = token.repository == repository.full_name
            if not here or not any(token.may(part, "write") for part in scope.split("|")):
                raise Refused(403, "Resource not accessible by integration")
        elif not own and not repository.may_write(user.login):
            if scope == "contents":
                raise Refused(404, "Not Found")
            raise Refused(403, "Must have admin rights to Repository.")
        return user

    def unlocked(self, pull: Pull) -> None:
        """Raises Refused where the conversation is locked and the asker may not write."""
        token = self.token
        allowed = token is not None and (
            token.may("contents", "write")
            if token.is_app
            else pull.repository.may_write(token.user.login)
        )
        if pull.locked and not allowed:
            raise Refused(403, "Unable to create comment because issue is locked.")

    def text(self, resource: str, *, field: str = "body", empty: bool = False) -> str:
        """A comment's text, within GitHub's bounds."""
        told = self.body.get(field) or ""
        return checked_text(told, resource, empty=empty)

    def page(self, items: Sequence[Any], wrap: Callable[[list[Any]], Any] | None = None) -> Answer:
        """One page of a list, with the links to the others."""
        size = min(max(int(self.query.get("per_page", 30)), 1), 100)
        page = max(int(self.query.get("page", 1)), 1)
        last = max((len(items) + size - 1) // size, 1)
        links = {"next": page + 1, "last": last} if page < last else {}
        links |= {"prev": page - 1, "first": 1} if page > 1 else {}
        parts = []
        for name, number in links.items():
            query = urlencode({**self.query, "page": number})
            parts.append(f'<{self.url}?{query}>; rel="{name}"')
        shown = list(items[(page - 1) * size : page * size])
        headers = {"Link": ", ".join(parts)} if parts else {}
        return Answer(200, wrap(shown) if wrap else shown, headers)


def checked_text(told: str, resource: str, *, empty: bool = False, plain: bool = False) -> str:
    """A text that GitHub would keep. Raises Refused (422); `plain`: errors are told as sentences,
    as some of GitHub's addresses do."""
    error: dict[str, str] = {"resource": resource, "field": "body"}
    if not told.strip() and not empty:
        error |= {"code": "missing_field", "message": "body can't be blank"}
    elif len(told) > MOST_BODY:
        message = f"body is too long (maximum is {MOST_BODY} characters)"
        error |= {"code": "unprocessable", "message": message}
    else:
        return told
    raise Refused(422, "Validation Failed", [error["message"] if plain else error])


def read_json(body: bytes) -> Any:
    """A request's body; what is not JSON is some other value."""
    try:
        return json.loads(body)
    except ValueError:
        return "not JSON"


def refusal(error: Refused) -> Answer:
    """GitHub's no as an answer."""
    told: dict[str, Any] = {"message": error.message}
    if error.errors is not None:
        told["errors"] = error.errors
    told |= {"documentation_url": "https://docs.github.com/rest", "status": str(error.status)}
    return Answer(error.status, told, dict(error.headers))


Handler = Callable[[Call], Answer]
ROUTES: dict[tuple[str, str], Handler] = {}


def route(method: str, path: str) -> Callable[[Handler], Handler]:
    """Enter a function as the one that answers an operation of GitHub's OpenAPI file."""

    def enter(handler: Handler) -> Handler:
        assert (method, path) not in ROUTES, f"two answers to {method} {path}"
        ROUTES[method, path] = handler
        return handler

    return enter
