"""The one place that talks to GitHub: its pace, its patience, and what each fault becomes.

PyGithub's own retries are off: they send a POST again after a 502, and a review stands twice. Its
requester is used and not its objects: those fetch what they lack behind one's back, and take a
redirected write, which did nothing, for done.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote

from github import Auth, Github
from github.GithubException import GithubException

from reviser.adapters.github.faults import Fault, error, wait
from reviser.deliver.forge import Unavailable

PER_PAGE = 100
_MOST_PAGES = 30  # GitHub lists no more than 3,000 files of a pull request
_T = TypeVar("_T")


class Client:
    """Requests to one repository ("owner/name") of the forge at `api_url`.

    Writes are at least `pace` seconds apart. `patience` is how many seconds in all it waits for
    limits and after faults; what would take longer is told at once. `pause` is the first wait
    after a fault, doubled with each; `timeout` counts for one request.
    """

    def __init__(
        self,
        token: str,
        api_url: str,
        repository: str,
        *,
        pace: float,
        patience: float,
        pause: float,
        timeout: int,
    ) -> None:
        self.repository = repository
        self.api_url = api_url.rstrip("/")
        self.timeout = timeout
        self._pace = pace
        self._patience = patience
        self._pause = pause
        self._last_write: float | None = None
        self._github = Github(
            auth=Auth.Token(token) if token else None,
            base_url=self.api_url,
            user_agent="reviser",
            timeout=timeout,
            per_page=PER_PAGE,
            retry=None,
            seconds_between_requests=0,
            seconds_between_writes=0,
        )

    def get(self, path: str, what: str, **parameters: str | int) -> Any:
        """The JSON answer to a GET of `path` below the repository; `what` completes "GitHub did
        not ...". Raises ForgeError."""
        return self.read(what, lambda: self._asked("GET", path, parameters=parameters)[1])

    def pages(self, path: str, what: str, *, item: str = "", **parameters: str | int) -> list[Any]:
        """All pages of a list (under the key `item` where there is one), 3,000 at most."""
        found: list[Any] = []
        for page in range(1, _MOST_PAGES + 1):
            told = self.get(path, what, per_page=PER_PAGE, page=page, **parameters)
            with understood(what):
                part = told[item] if item else told
                found += part
            if len(part) < PER_PAGE:
                break
        return found

    def location(self, path: str, what: str) -> str:
        """Where a GET of `path` below the repository leads; nothing is fetched from there."""
        told = self.read(what, lambda: self._asked("GET", path, leads=True)[0])
        with understood(what):
            return str(told["location"])

    def query(self, document: str, variables: Mapping[str, Any], what: str) -> Any:
        """The data of a GraphQL query."""
        ask = self._github.requester.graphql_query
        return self.read(what, lambda: ask(document, dict(variables))[1]["data"])

    def mutate(self, name: str, given: Mapping[str, Any], fields: str, what: str) -> Any:
        """The payload of a GraphQL mutation. Raises ForgeError, Moved among them."""
        send = self._github.requester.graphql_named_mutation
        return self.write(what, lambda: send(name, dict(given), fields)[1])

    def send(self, verb: str, path: str, body: Mapping[str, Any] | None, what: str) -> Any:
        """The JSON answer to a write below the repository, None where there is none."""
        return self.write(what, lambda: self._asked(verb, path, body=body)[1])

    def read(self, what: str, ask: Callable[[], _T]) -> _T:
        """What `ask`, which sends one request, gives; asked again after passing faults."""
        return self._called(what, ask, write=False)

    def write(self, what: str, ask: Callable[[], _T]) -> _T:
        """What `ask`, which sends one request that changes something, gives; asked again only
        when GitHub did nothing because of a limit."""
        return self._called(what, ask, write=True)

    def _asked(
        self,
        verb: str,
        path: str,
        *,
        parameters: Mapping[str, str | int] | None = None,
        body: Mapping[str, Any] | None = None,
        leads: bool = False,
    ) -> tuple[Mapping[str, str], Any]:
        """One request: the answer's headers and its JSON. A redirect is no success, unless it is
        what was asked for (`leads`)."""
        status, headers, told = self._github.requester.requestJson(
            verb,
            f"/repos/{self.repository}/{path}",
            parameters=dict(parameters or {}),
            input=body,
        )
        if status >= (400 if leads else 300):
            raise GithubException(status, _json(told), headers)
        return headers, None if leads or not told else json.loads(told)

    def _called(self, what: str, ask: Callable[[], _T], *, write: bool) -> _T:
        attempt = 0
        while True:
            if write:
                self._wait_for_turn()
            try:
                with understood(what):
                    return ask()
            except (GithubException, OSError) as raised:
                fault = fault_of(raised)
            except (RuntimeError, AssertionError) as raised:
                # So PyGithub says that the server sends to another host or protocol.
                raise Unavailable(
                    f"GitHub did not {what}: it sends elsewhere",
                    hint="Check the address of its API.",
                ) from raised
            finally:
                if write:
                    self._last_write = time.monotonic()
            self._wait_after(fault, attempt, what, write=write)
            attempt += 1

    def _wait_for_turn(self) -> None:
        if self._last_write is not None:
            time.sleep(max(self._last_write + self._pace - time.monotonic(), 0.0))

    def _wait_after(self, fault: Fault, attempt: int, what: str, *, write: bool) -> None:
        seconds = wait(fault, attempt, write=write, now=time.time(), pause=self._pause)
        if seconds is None:
            raise error(fault, what)
        if seconds > self._patience:
            raise error(fault, what, seconds=seconds)
        self._patience -= seconds
        time.sleep(seconds)


class Connected:
    """Something that speaks to one repository."""

    def __init__(self, client: Client) -> None:
        self._client = client


@contextmanager
def understood(what: str) -> Iterator[None]:
    """Take an answer apart; Unavailable when it is no JSON or lacks what must be there, since a
    proxy's page or half an answer does not tell whether a thing was done."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as raised:
        raise Unavailable(
            f"GitHub did not {what}: its answer was not understood",
            hint="Check the address of its API; see githubstatus.com, then run again.",
        ) from raised


def fault_of(raised: Exception) -> Fault:
    """A fault of PyGithub or of the line below it; no address and no header of the request is
    in its words."""
    if not isinstance(raised, GithubException):
        return Fault(0, f"no answer ({type(raised).__name__})")
    headers = {name.lower(): str(value) for name, value in (raised.headers or {}).items()}
    data = raised.data if isinstance(raised.data, dict) else {}
    errors = [each for each in data.get("errors") or [] if isinstance(each, dict | str)]
    if errors and "message" not in data:
        typed = [each for each in errors if isinstance(each, dict)]
        kinds = tuple(str(each["type"]) for each in typed if each.get("type"))
        # GraphQL tells its errors with status 200, which PyGithub turns into 400 or 404.
        status = 200 if raised.status in {400, 404} else raised.status
        return Fault(status, _joined(errors), headers, kinds)
    message = str(data.get("message") or "")
    return Fault(raised.status, "; ".join(filter(None, (message, _joined(errors)))), headers)


def _joined(errors: list[Any]) -> str:
    said = []
    for each in errors:
        if isinstance(each, str):
            said.append(each)
        elif each.get("message"):
            said.append(str(each["message"]))
        else:
            said.append(" ".join(str(each[k]) for k in ("field", "code") if each.get(k)))
    return "; ".join(filter(None, said))


def _json(told: str) -> Any:
    """A body as JSON, None where it is a proxy's page."""
    try:
        return json.loads(told)
    except ValueError:
        return None


def quoted(name: str) -> str:
    """A branch, login or path as part of an address; slashes stay."""
    return quote(name, safe="/")
