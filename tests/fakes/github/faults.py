"""Faults on demand, and the record of what was asked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from tests.fakes.github.model import Refused

How = Literal[
    "403", "404", "422", "429", "primary", "secondary", "502", "502 after", "drop", "drop after",
    "slow",
]  # fmt: skip


class Seen(NamedTuple):
    """One request. `path` is without the API's prefix and the query; for GraphQL it is
    "/graphql/" and the names of the fields asked at the top. `write`: it could change something."""

    method: str
    path: str
    query: str
    status: int
    login: str
    write: bool
    body: Any = None


@dataclass
class Fault:
    """Goes wrong `times` times at the requests that match, after the first `skip` of them.

    Before anything happens: "403" (not allowed), "404", "422", "429" with Retry-After, "primary"
    and "secondary" rate limits (403), "502", "drop" (the connection breaks). After the request
    was carried out: "502 after", "drop after". "slow" waits `seconds` and then does it.
    """

    method: str
    pattern: re.Pattern[str]
    how: How
    times: int = 1
    skip: int = 0
    seconds: float = 0.0
    retry_after: int = 1
    hits: int = field(default=0)

    def strikes(self, method: str, path: str) -> bool:
        """Whether this request is hit; counts."""
        if self.method not in {"", method} or not self.pattern.search(path):
            return False
        if self.skip:
            self.skip -= 1
            return False
        if self.hits >= self.times:
            return False
        self.hits += 1
        return True

    @property
    def after(self) -> bool:
        """Whether the request is carried out all the same."""
        return self.how in {"502 after", "drop after", "slow"}

    def refusal(self) -> Refused:
        """What is answered."""
        wait = {"retry-after": str(self.retry_after)}
        secondary = (
            "You have exceeded a secondary rate limit. Please wait a few minutes before you try "
            "again."
        )
        match self.how:
            case "403":
                return Refused(403, "Resource not accessible by integration")
            case "404":
                return Refused(404, "Not Found")
            case "422":
                return Refused(422, "Validation Failed", [])
            case "429":
                return Refused(429, secondary, headers=wait)
            case "secondary":
                return Refused(403, secondary, headers=wait)
            case "primary":
                spent = {"x-ratelimit-remaining": "0"}
                return Refused(403, "API rate limit exceeded for installation.", headers=spent)
            case _:
                return Refused(502, "Server Error")


class Log:
    """All requests to the API, oldest first; git's own are kept apart."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.git: list[Seen] = []

    def __iter__(self) -> Iterator[Seen]:
        return iter(tuple(self.seen))

    def __len__(self) -> int:
        return len(self.seen)

    def count(self, method: str = "", pattern: str = "") -> int:
        """How many requests match; all without arguments."""
        return sum(
            method in {"", seen.method} and re.search(pattern, seen.path) is not None
            for seen in self.seen
        )

    @property
    def writes(self) -> list[Seen]:
        """The requests that could change something."""
        return [seen for seen in self.seen if seen.write]

    def clear(self) -> None:
        """Forget what was asked until now."""
        self.seen.clear()
        self.git.clear()

    def __str__(self) -> str:
        return "\n".join(f"{s.method} {s.path} {s.status} {s.login}" for s in self.seen)
