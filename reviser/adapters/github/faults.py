"""What an answer that is no success means: wait, ask again, or tell the caller what happened."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from reviser.deliver.forge import (
    Forbidden,
    ForgeError,
    Limited,
    Moved,
    Unavailable,
    Unprocessable,
)

AGAIN = 3
"""How often a read is repeated after a fault of the server or the line."""
_ATTEMPTS = 8
_SECONDARY = 60.0  # seconds GitHub asks for where a secondary limit names none
_LIMIT = re.compile(
    r"rate limit|abuse detection|wait a few minutes before you try|retry your request again later",
    re.IGNORECASE,
)
# What GitHub says in a GraphQL answer of status 200 when it gave up half-way.
_BROKEN = re.compile(r"something went wrong|timed? ?out|temporarily unavailable", re.IGNORECASE)
_FORBIDDEN = frozenset({"FORBIDDEN", "INSUFFICIENT_SCOPES"})
_LONGEST = 400  # characters of GitHub's message that are passed on


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer that is no success. `status` is HTTP's, 0 when there was no answer; `headers`
    have lower-case names; `kinds` are the types of a GraphQL answer's errors."""

    status: int
    message: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    @property
    def limited(self) -> bool:
        """Whether GitHub did nothing because too much was asked of it."""
        if self.status == 429 or "RATE_LIMITED" in self.kinds:
            return True
        known = "retry-after" in self.headers or self.headers.get("x-ratelimit-remaining") == "0"
        return self.status == 403 and (known or _LIMIT.search(self.message) is not None)

    @property
    def open(self) -> bool:
        """Whether it may have been done all the same."""
        if self.status == 200:
            known = {"SERVICE_UNAVAILABLE", "INTERNAL"}.intersection(self.kinds)
            return bool(known) or _BROKEN.search(self.message) is not None
        return self.status == 0 or self.status >= 500


def wait(fault: Fault, attempt: int, *, write: bool, now: float, pause: float) -> float | None:
    """Seconds to wait before the same is asked again, None when it must not be.

    A write is repeated only when GitHub says that it did nothing because of a limit: after any
    other fault it may have happened. `attempt` counts from 0; `now` is the time of day, in seconds
    since 1970, that GitHub's reset times are told in; `pause` is the first wait after a fault.
    """
    if fault.limited:
        return None if attempt >= _ATTEMPTS else _limit(fault, attempt, now)
    if fault.open and not write and attempt < AGAIN:
        return float(pause * 2**attempt)
    return None


def _limit(fault: Fault, attempt: int, now: float) -> float:
    after = _number(fault.headers.get("retry-after"))
    if after is not None:
        return max(after, 0.0)
    reset = _number(fault.headers.get("x-ratelimit-reset"))
    if reset is not None and fault.headers.get("x-ratelimit-remaining") == "0":
        return max(reset - now, 0.0) + 1.0
    return float(_SECONDARY * 2**attempt)


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None


class Absent(Forbidden):
    """There is no such thing, or none that the token may see."""


def error(fault: Fault, what: str, *, seconds: float | None = None) -> ForgeError:
    """The fault as the port names it; `what` completes "GitHub did not ...", `seconds` is how
    long a limit lasts, where that is known."""
    said = " ".join(fault.message.split())[:_LONGEST]
    told = f"GitHub did not {what}" + (f": {said}" if said else "")
    told += f" ({fault.status})" if fault.status >= 300 else ""
    if fault.limited:
        when = "until the limit is over" if seconds is None else f"{seconds:.0f} seconds"
        return Limited(told, hint=f"Wait {when}, then run again.")
    if fault.open:
        return Unavailable(told, hint="See githubstatus.com, then run again.")
    if "STALE_DATA" in fault.kinds:
        return Moved(told, hint="Run again on the branch as it is now.")
    if fault.status == 404 or "NOT_FOUND" in fault.kinds:
        return Absent(told, hint=_permission(fault))
    refused = fault.status in {401, 403, 410, 451} or 300 <= fault.status < 400
    if refused or _FORBIDDEN.intersection(fault.kinds):
        return Forbidden(told, hint=_permission(fault))
    return Unprocessable(told)


def _permission(fault: Fault) -> str:
    if fault.status == 401:
        return "The token is wrong or has expired."
    if 300 <= fault.status < 400:
        return "It has moved: use the repository's present name."
    return (
        "The token lacks a permission for this, or it is not there. "
        "A workflow needs contents: read and pull-requests: write; runs from forks may only read."
    )
