"""The one way in which literature services are asked: politely, within limits, and never so that
a service's trouble becomes more than a `Silent`.

Each service has a pace, is asked again after passing faults with growing waits, is given the time
that it asks for (`Retry-After`), and is left alone for the rest of the run once it has failed
several times in a row or has said nothing at all for a while. All services share one time limit.
Redirects lead nowhere else, but where a question says so, and then to public addresses only.
"""

import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, TypeVar
from urllib.parse import urlencode, urljoin

from reviser.adapters.web import exchange as wire
from reviser.adapters.web.addresses import Unusable, origin, require_public
from reviser.adapters.web.line import Line, Meter
from reviser.adapters.web.waiting import asked_for, backoff
from reviser.literature.sources import Silent

Read = TypeVar("Read")

SECONDS = 120.0
FIRST_WORD = 4.0
"""Seconds within which a service must have said something at all, else it is down for the run."""
LEAST_WORD = 1.5
"""The same where for as long as `FIRST_WORD` nobody at all has said anything: it is the network."""
LONGEST_WAIT = 30.0
"""Seconds; a service that asks for more is not asked again in the run."""
_HOPS = 5
_AGENT = "reviser"

OUT_OF_TIME: Final = "was not asked: out of time"
OFFLINE: Final = "was not asked: offline"
OUT_OF_ORDER: Final = "is out of order"
TOO_OFTEN: Final = "was asked too often"
NEEDS_KEY: Final = "needs a key"
REFUSED_KEY: Final = "refused the key"
REFUSED: Final = "refused the question"
UNREADABLE: Final = "gave an answer that cannot be read"
TOO_LARGE: Final = "gave an answer that is too large"
ELSEWHERE: Final = "sends elsewhere"

_PASSING = frozenset({408, 425, 500, 502, 503, 504, 520, 522, 524})
_MOVED = frozenset({301, 302, 303, 307, 308})


class Missing:
    """The service answered that it has no such thing."""


MISSING: Final = Missing()


class Broken(ValueError):  # noqa: N818 - it names the state of an answer
    """An answer that is not what the service documents."""


@dataclass(frozen=True, slots=True)
class Service:
    """A service and how it wants to be asked: at least `pace` seconds between two requests, at
    most `at_once` under way, each of at most `seconds` and `largest` bytes. `name` is as printed.

    `headers` and `secrets` (members of the query) go with each request to it, nowhere else, and
    are never kept; `keyed` tells that a key is among them, None for a service that knows no keys.
    """

    name: str
    base_url: str
    pace: float = 1.0
    at_once: int = 1
    seconds: float = 20.0
    largest: int = 20_000_000
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    keyed: bool | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What a service is asked. `path` follows on its base URL, or is a whole address with
    `elsewhere`, which also allows redirects to any public address. `json` is a body to send, as
    JSON text; `kinds` are the media types that an answer may have. `lacking` are words of an
    error 400 which means that there is no such thing."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    json: str = ""
    kinds: tuple[str, ...] = ("application/json",)
    elsewhere: bool = False
    lacking: bytes = b""


class Web:
    """Asks services on behalf of one run; safe to share between threads.

    `seconds` is the time that all questions together may take, `first_word` how long a service is
    given that has not said anything yet. `trusted` are addresses that the operator named: what
    lies there need not be public. Tests give `clock`, `sleep` and `now`.
    """

    def __init__(
        self,
        *,
        seconds: float = SECONDS,
        first_word: float = FIRST_WORD,
        offline: bool = False,
        trusted: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._first_word = first_word
        self._offline = offline
        self._trusted = frozenset(origin(url) for url in trusted)
        self._clock = clock
        self._sleep = sleep
        self._now = now
        self._meter = Meter(seconds, clock)
        self._lines: dict[str, Line] = {}
        self._began: float | None = None
        self._heard = False
        self._lock = Lock()

    def ask(
        self, service: Service, question: Question, read: Callable[[bytes], Read]
    ) -> Read | Missing | Silent:
        """What `read` makes of the answer, `MISSING` where there is no such thing, else why there
        is none. `read` raises ValueError for what it cannot make sense of. Raises nothing."""
        if self._offline:
            return Silent(service.name, OFFLINE)
        with self._meter:
            line = self._line(service)
            while True:
                if line.silent:
                    return Silent(service.name, line.silent)
                if not line.places.acquire(timeout=max(0.0, self._meter.left)):
                    return Silent(service.name, OUT_OF_TIME)
                try:
                    said = self._tried(service, question, read, line)
                finally:
                    line.places.release()
                if said is not None:
                    return said

    def _line(self, service: Service) -> Line:
        place = service.base_url
        with self._lock:
            if place not in self._lines:
                self._lines[place] = Line(service.pace, service.at_once, self._clock)
            return self._lines[place]

    def _tried(
        self, service: Service, question: Question, read: Callable[[bytes], Read], line: Line
    ) -> Read | Missing | Silent | None:
        """One try: the answer, why there will be none, or None where it may be tried again."""
        if line.silent:
            return Silent(service.name, line.silent)
        pause = line.reserve()
        patience = self._patience(line)
        if patience is not None and patience <= pause:
            line.silence()
            return None
        if pause >= self._meter.left:
            return Silent(service.name, OUT_OF_TIME)
        self._sleep(pause)
        seconds = min(service.seconds, self._meter.left)
        if patience is not None:
            seconds = min(seconds, patience - pause)
        try:
            answer = self._sent(service, question, seconds)
            self._heard = True
            said = self._understood(service, answer, question, read, line)
        except wire.Unreached as error:
            why = str(error)
            line.hold(backoff(line.failed(why, counts=2 if why == wire.LATE else 1)))
            return Silent(service.name, OUT_OF_TIME) if self._meter.left <= 0 else None
        except Unusable as error:
            line.failed(str(error))
            return Silent(service.name, str(error))
        if said is not None and not isinstance(said, Silent):
            line.answered()
        return said

    def _patience(self, line: Line) -> float | None:
        """The seconds that a service still has which has not said a word, None for one that has."""
        patience = line.patience(self._first_word)
        if self._began is None:
            self._began = self._clock()
        if patience is None or self._heard:
            return patience
        waited = self._clock() - self._began
        return min(patience, max(self._first_word - waited, min(LEAST_WORD, self._first_word)))

    def _sent(self, service: Service, question: Question, seconds: float) -> wire.Received:
        """The answer to the question, redirects followed where they may be. Raises Unreached, and
        Unusable for an address that is not asked."""
        url, headers = _address(service, question)
        deadline = self._clock() + seconds
        body = question.json.encode() if question.json else None
        home = origin(url)
        public = question.elsewhere and self._must_be_public(url)
        for _ in range(_HOPS):
            outgoing = wire.Outgoing(url, headers, body, service.largest, public)
            answer = wire.exchange(outgoing, seconds=max(0.05, deadline - self._clock()))
            if answer.status not in _MOVED or body is not None:
                return answer
            url = _next(url, answer.headers.get("location", "").strip())
            if origin(url) != home:
                if not question.elsewhere:
                    raise Unusable(ELSEWHERE)
                public, headers, home = self._must_be_public(url), _headers(question), origin(url)
        raise Unusable(ELSEWHERE)

    def _must_be_public(self, url: str) -> bool:
        """Whether what the address stands for must be checked. Raises Unusable for one that is
        not public by the look of it."""
        if origin(url) in self._trusted:
            return False
        require_public(url)
        return True

    def _understood(
        self,
        service: Service,
        answer: wire.Received,
        question: Question,
        read: Callable[[bytes], Read],
        line: Line,
    ) -> Read | Missing | Silent | None:
        """What an answer means; None where the question may be asked again."""
        if answer.status in {429, *_PASSING} or _is_limit(answer):
            return self._later(service, answer, line)
        line.spoke()
        lacking = bool(question.lacking) and question.lacking in answer.body
        if answer.status in {404, 410} or (answer.status == 400 and lacking):
            return MISSING
        if answer.status != 200:
            return _refused(service, answer.status, line)
        if answer.large:
            line.failed(TOO_LARGE)
            return Silent(service.name, TOO_LARGE)
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            if not answer.whole or kind not in question.kinds:
                raise Broken(kind)
            return read(answer.body)
        except (ValueError, RecursionError):
            line.hold(backoff(line.failed(UNREADABLE)))
            # Of files, other ones lie there as well; a page in the place of one stays a page.
            return Silent(service.name, UNREADABLE) if question.elsewhere else None

    def _later(self, service: Service, answer: wire.Received, line: Line) -> Silent | None:
        """Wait as long as it asks, or leave it alone where that is too long."""
        wanted = asked_for(answer.headers, self._now())
        if answer.status not in _PASSING:
            line.spoke()
            why, pause = TOO_OFTEN, 2 * backoff(line.busy(TOO_OFTEN))
        else:
            why, pause = OUT_OF_ORDER, backoff(line.failed(OUT_OF_ORDER))
        pause = pause if wanted is None else wanted
        if pause > min(LONGEST_WAIT, self._meter.left):
            line.silence(why)
            return Silent(service.name, why)
        line.hold(pause)
        return None


def _is_limit(answer: wire.Received) -> bool:
    """Whether a refusal is one of a limit: OpenAlex answers 403 to requests that come too fast."""
    return answer.status == 403 and b"rate limit" in answer.body[:2000].lower()


def _next(url: str, location: str) -> str:
    """Where a redirect leads. Raises Unusable for nowhere."""
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise Unusable(ELSEWHERE) from error


def _refused(service: Service, status: int, line: Line) -> Silent:
    """What an answer is that is neither a success nor a passing fault."""
    if status in {401, 402, 403} and service.keyed is not None:
        why = REFUSED_KEY if service.keyed else NEEDS_KEY
        line.silence(why)
    else:
        why = ELSEWHERE if status in _MOVED else REFUSED
        line.failed(why)
    return Silent(service.name, why)


def _address(service: Service, question: Question) -> tuple[str, Mapping[str, str]]:
    """The whole address, and the headers."""
    if question.elsewhere:
        return question.path, _headers(question)
    query = urlencode({**question.query, **service.secrets})
    url = f"{service.base_url}{question.path}" + (f"?{query}" if query else "")
    return url, {**_headers(question), **service.headers}


def _headers(question: Question) -> Mapping[str, str]:
    headers = {
        "User-Agent": _AGENT,
        "Accept": ", ".join(question.kinds),
        "Accept-Encoding": "identity",
    }
    return {**headers, "Content-Type": "application/json"} if question.json else headers


def as_json(body: bytes) -> object:
    """The JSON text of an answer. Raises ValueError for anything else."""
    return json.loads(body)
