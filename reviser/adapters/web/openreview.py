"""Public papers with their reviews from OpenReview's API (version 2), over plain HTTPS.

Nobody logs in: what a guest may read is public, and there is no secret to keep. Requests are some
time apart; a limit is waited out as long as the server asks, up to a point, and passing faults are
asked again. A redirect is not followed.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, ClassVar
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from reviser.errors import ReviserError, UsageError
from reviser.text.visible import visible

API = "https://api2.openreview.net"
PAGE = 25
"""Papers asked for at once, each with its whole discussion."""
LARGEST = 60_000_000
"""Bytes of one answer that are read."""
_ATTEMPTS = 4
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/~-]{0,199}")
_SECONDS = re.compile(r"try again in (?:(\d{1,4}) minutes?(?: and )?)? ?(?:(\d{1,4}) seconds?)?")


class NotFetched(ReviserError):  # noqa: N818 - it names what became of the request
    """OpenReview did not give what was asked for; what came before stands."""

    exit_code: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class Site:
    """Where and how patiently OpenReview is asked. All times are in seconds: `pace` lies between
    two requests, `timeout` is how long one may be silent, `patience` how long is waited in all
    after limits and faults. `sleep` waits."""

    base_url: str = API
    pace: float = 3.5
    timeout: float = 60.0
    patience: float = 300.0
    page: int = PAGE
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Raises UsageError for an address that is not one of HTTPS, or of this machine."""
        try:
            parts = urlsplit(self.base_url)
            host, here = parts.hostname, parts.hostname in _HERE
            plain = not (parts.username or parts.password or parts.query or parts.fragment)
        except ValueError:
            host, here, plain = None, False, False
        if not host or not plain or parts.scheme not in ({"https", "http"} if here else {"https"}):
            raise UsageError(
                "the address of OpenReview's API is not usable",
                hint=f"It is an https address without a name or password, such as {API}",
            )


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


class _Strict(HTTPRedirectHandler):
    """Takes a redirect for an error."""

    def redirect_request(self, *_: Any) -> None:
        """There is none."""
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
        self._opener = build_opener(_Strict())
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
        headers = {"User-Agent": "reviser", "Accept": "application/json"}
        request = Request(url, headers=headers)  # noqa: S310 - the scheme was checked
        try:
            with self._opener.open(request, timeout=self._site.timeout) as answer:
                body = answer.read(LARGEST + 1)
                # What was promised and did not come; reading a number of bytes does not tell.
                missing = answer.length or 0
        except HTTPError as error:
            with error:
                raise self._refused(error) from error
        except (OSError, HTTPException) as error:
            raise _Passing(f"the connection failed ({type(error).__name__})") from error
        if len(body) > LARGEST:
            raise NotFetched(f"OpenReview's answer has more than {LARGEST:,} bytes")
        try:
            page = None if missing else json.loads(body)
        except (ValueError, RecursionError) as error:
            raise _Passing("its answer is no JSON") from error
        if missing:
            raise _Passing("its answer was cut off")
        if not isinstance(page, dict) or not isinstance(page.get("notes"), list):
            raise NotFetched(
                "OpenReview's answer has no notes", hint="Is this the address of its API?"
            )
        return page

    def _refused(self, error: HTTPError) -> Exception:
        """What an answer that is no success becomes."""
        said = _message(error)
        if error.code in _LATER:
            return _Passing(f"{error.code}{said}", _after(error, said))
        if 300 <= error.code < 400:
            return NotFetched("OpenReview sends elsewhere, which is not followed")
        hint = "Is the name right, and is the venue's discussion public?"
        if error.code in (401, 403):
            hint = (
                "It does not serve guests just now. Save the notes with a tool of your own, one "
                "JSON object on a line, and read them with: reviser reviews import FILE"
            )
        return NotFetched(f"OpenReview refused: {error.code}{said}", hint=hint)


def _message(error: HTTPError) -> str:
    """What the server says beside its number, shortened."""
    try:
        told = json.loads(error.read(20_000))
        message = told.get("message") if isinstance(told, dict) else None
    except (OSError, HTTPException, ValueError, RecursionError):
        message = None
    return f" ({visible(message)[:200]})" if isinstance(message, str) and message else ""


def _after(error: HTTPError, said: str) -> float | None:
    """The seconds the server wants us to wait: in its header, else in its words."""
    header = (error.headers.get("Retry-After") or "").strip()
    if re.fullmatch(r"\d{1,6}", header):
        return float(header)
    if header:
        try:
            return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
        except (ValueError, TypeError, OverflowError):
            pass
    match = _SECONDS.search(said)
    if match and (match[1] or match[2]):
        return 60.0 * int(match[1] or 0) + int(match[2] or 0)
    return None
