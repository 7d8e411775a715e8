"""Public papers with their reviews from OpenReview's API (version 2).

Nobody logs in: what a guest may read is public, and there is no secret to keep. Requests are some
time apart; a limit is waited out as long as the server asks, up to a point, and passing faults are
asked again. A redirect is not followed. Whole venues are fetched here, so there is far more
patience than where a work is looked up; the requests are made in the same way.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

from reviser.adapters.web.addresses import checked_base
from reviser.adapters.web.exchange import Outgoing, Received, Unreached, exchange
from reviser.adapters.web.waiting import asked_for
from reviser.errors import ReviserError, UsageError
from reviser.text.visible import visible

API = "https://api2.openreview.net"
PAGE = 25
"""Papers asked for at once, each with its whole discussion."""
LARGEST = 60_000_000
"""Bytes of one answer that are read."""
_ATTEMPTS = 4
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/~-]{0,199}")


class NotFetched(ReviserError):  # noqa: N818 - it names what became of the request
    """OpenReview did not give what was asked for; what came before stands."""

    exit_code: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class Site:
    """Where and how patiently OpenReview is asked. All times are in seconds: `pace` lies between
    two requests, `timeout` is how long one may take, `patience` how long is waited in all after
    limits and faults. `sleep` waits."""

    base_url: str = API
    pace: float = 3.5
    timeout: float = 180.0
    patience: float = 300.0
    page: int = PAGE
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Raises UsageError for an address that is not one of HTTPS, or of this machine."""
        checked_base(self.base_url, "OpenReview's API", API)


def of_venue(site: Site, venue: str, *, limit: int) -> Iterator[str]:
    """The papers submitted to a venue, at most `limit`, each as one line of JSON with its replies.

    `venue` is a venue's id (ICLR.cc/2024/Conference), or the full name of the form that papers
    were submitted in (ICLR.cc/2024/Conference/-/Submission). Raises NotFetched, after the papers
    that came, and UsageError for what is no such name.
    """
    form = _checked(venue, "venue")
    form = form if "/-/" in form else f"{form}/-/Submission"
    yield from _notes(site, {"invitation": form, "details": "replies", "sort": "id"}, limit)


def of_forum(site: Site, forum: str) -> Iterator[str]:
    """All notes of one paper's forum: the paper, its reviews and all else; as `of_venue`."""
    yield from _notes(site, {"forum": _checked(forum, "forum"), "sort": "id"}, 1000)


def _checked(name: str, what: str) -> str:
    name = name.strip().strip("/")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"this is no {what} of OpenReview",
            hint="Take it from the address of its page: .../group?id=VENUE or .../forum?id=FORUM",
        )
    return name


def _notes(site: Site, query: dict[str, str], limit: int) -> Iterator[str]:
    """The notes of a query, page by page, each once."""
    asking = _Asking(site)
    seen: set[str] = set()
    offset = 0
    while len(seen) < limit:
        wanted = min(site.page, limit - len(seen))
        page = asking.page({**query, "limit": str(wanted), "offset": str(offset)})
        notes = page["notes"]
        new = [n for n in notes if isinstance(n, dict) and str(n.get("id")) not in seen]
        for note in new[:wanted]:
            seen.add(str(note.get("id")))
            yield json.dumps(note)
        offset += len(notes)
        count = page.get("count")
        last = offset >= count if isinstance(count, int) else len(notes) < wanted
        # A server that gives the same page whatever is asked for would go on for ever.
        if last or not new:
            return


class _Passing(Exception):  # noqa: N818 - a state met on the way, never shown
    """A fault that may be gone in a while; `after` is how many seconds the server asks for."""

    def __init__(self, why: str, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class _Asking:
    """Requests to one site, with its pace and its patience."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._patience = site.patience
        self._begun = False

    def page(self, query: dict[str, str]) -> dict[str, Any]:
        """The answer to a query for notes. Raises NotFetched."""
        url = f"{self._site.base_url.rstrip('/')}/notes?{urlencode(query)}"
        wait = 2.0
        for attempt in range(1, _ATTEMPTS + 1):
            if self._begun:
                self._site.sleep(self._site.pace)
            self._begun = True
            try:
                return self._asked(url)
            except _Passing as fault:
                why = str(fault)
                pause = wait if fault.after is None else fault.after
            wait *= 2
            if attempt == _ATTEMPTS or pause > self._patience:
                break
            self._patience -= pause
            self._site.sleep(pause)
        raise NotFetched(
            f"OpenReview did not answer: {why}", hint="Try again later; what came is kept."
        )

    def _asked(self, url: str) -> dict[str, Any]:
        headers = {
            "User-Agent": "reviser", "Accept": "application/json", "Accept-Encoding": "identity",
        }  # fmt: skip
        try:
            answer = exchange(Outgoing(url, headers, largest=LARGEST), seconds=self._site.timeout)
        except Unreached as error:
            raise _Passing(f"the connection failed ({error})") from error
        if answer.status != 200:
            raise _refused(answer)
        if answer.large:
            raise NotFetched(f"OpenReview's answer has more than {LARGEST:,} bytes")
        try:
            page = json.loads(answer.body) if answer.whole else None
        except (ValueError, RecursionError) as error:
            raise _Passing("its answer is no JSON") from error
        if not answer.whole:
            raise _Passing("its answer was cut off")
        if not isinstance(page, dict) or not isinstance(page.get("notes"), list):
            raise NotFetched(
                "OpenReview's answer has no notes", hint="Is this the address of its API?"
            )
        return page


def _refused(answer: Received) -> Exception:
    """What an answer that is no success becomes."""
    said = _message(answer)
    if answer.status in _LATER:
        after = asked_for(answer.headers, time.time(), said)
        return _Passing(f"{answer.status}{said}", after)
    if 300 <= answer.status < 400:
        return NotFetched("OpenReview sends elsewhere, which is not followed")
    hint = "Is the name right, and is the venue's discussion public?"
    if answer.status in (401, 403):
        hint = (
            "It does not serve guests just now. Save the notes with a tool of your own, one "
            "JSON object on a line, and read them with: reviser reviews import FILE"
        )
    return NotFetched(f"OpenReview refused: {answer.status}{said}", hint=hint)


def _message(answer: Received) -> str:
    """What the server says beside its number, shortened."""
    try:
        told = json.loads(answer.body[:20_000])
        message = told.get("message") if isinstance(told, dict) else None
    except (ValueError, RecursionError):
        message = None
    return f" ({visible(message)[:200]})" if isinstance(message, str) and message else ""
