"""OpenAlex, Semantic Scholar, Crossref and arXiv on loopback, all out of one small library.

    with scholar(Work("Kites fly", doi="10.5555/kites", abstract="...")) as site:
        for variable, url in site.environment.items():
            monkeypatch.setenv(variable, url)      # or site.reviser(monkeypatch)
        site.trouble("arxiv", Trouble.ERROR)       # until site.mend("arxiv")
        ...
        assert site.asked["openalex"] == 1

Works may be added to `site.works` later. `site.requests` says what was asked, with its headers.
"""

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.fakes.scholar import answers
from tests.fakes.scholar.answers import Library, Reply
from tests.fakes.scholar.works import SERVICES, Work

_BASES = {
    "openalex": "/openalex",
    "semantic-scholar": "/scholar/graph/v1",
    "crossref": "/crossref",
    "arxiv": "/arxiv/api",
}
_FIRST = {base.split("/")[1]: name for name, base in _BASES.items()}


class Trouble(Enum):
    """What can be wrong with a service."""

    REFUSED = auto()  # nobody takes the connection
    BLACK_HOLE = auto()  # packets get lost
    MUTE = auto()  # takes the connection and says nothing
    DRIP = auto()  # begins an answer that never ends
    ERROR = auto()  # 500
    BUSY = auto()  # 429
    SLOW = auto()  # the right answer, after `seconds`
    BROKEN = auto()  # half of the right answer
    CUT = auto()  # more was promised than comes
    PAGE = auto()  # a page for people, as a proxy gives
    ELSEWHERE = auto()  # a redirect to another host
    FORBIDDEN = auto()  # 403
    FORBIDDEN_FOR_NOW = auto()  # 403 in the place of 429, as OpenAlex documents it
    LARGE = auto()  # more than anybody wants
    WRONG = auto()  # other works than those that were asked for


@dataclass
class State:
    """A trouble, for so many requests more; None is for ever."""

    trouble: Trouble
    times: int | None = None
    seconds: float = 0.2
    after: str = ""


@dataclass(frozen=True)
class Asked:
    """A request, without the service's base in its path."""

    service: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass
class Scholar:
    """The running services. `keys` are the keys that services insist on, where they do."""

    works: list[Work]
    base: str
    keys: dict[str, str] = field(default_factory=dict)
    requests: list[Asked] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    _troubles: dict[str, State] = field(default_factory=dict)
    _lost: list[socket.socket] = field(default_factory=list)

    @property
    def asked(self) -> Counter[str]:
        """How many requests each service got; those for texts are counted as "files"."""
        return Counter(request.service for request in self.requests)

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which reviser finds the services."""
        return {
            f"REVISER_{name.upper().replace('-', '_')}_URL": self.url(name) for name in SERVICES
        }

    def reviser(self, monkeypatch: pytest.MonkeyPatch, lookup: str = "all") -> None:
        """Have reviser ask these services, and no others."""
        for name, value in {**self.environment, "REVISER_LOOKUP": lookup}.items():
            monkeypatch.setenv(name, value)
        for name in ("OPENALEX_API_KEY", "SEMANTIC_SCHOLAR_API_KEY", "REVISER_MAILTO"):
            monkeypatch.delenv(name, raising=False)

    def url(self, service: str) -> str:
        """A service's base URL. Ask after `trouble`: one that is not there has another."""
        state = self._troubles.get(service)
        if state is not None and state.trouble is Trouble.REFUSED:
            return f"http://127.0.0.1:{_closed_port()}{_BASES[service]}"
        if state is not None and state.trouble is Trouble.BLACK_HOLE:
            return f"http://127.0.0.1:{self._black_hole()}{_BASES[service]}"
        return self.base + _BASES[service]

    def trouble(
        self,
        service: str,
        trouble: Trouble,
        *,
        times: int | None = None,
        seconds: float = 0.2,
        after: str = "",
    ) -> None:
        """Let a service have a trouble. `after` is what Retry-After says."""
        self._troubles[service] = State(trouble, times, seconds, after)

    def mend(self, *services: str) -> None:
        """Let these services, or all of them, be well again."""
        for name in services or tuple(self._troubles):
            self._troubles.pop(name, None)

    def state(self, service: str) -> State | None:
        """The trouble that a request to a service meets now."""
        state = self._troubles.get(service)
        if state is None or state.times == 0:
            return None
        if state.times is not None:
            state.times -= 1
        return state

    def library(self) -> Library:
        """The works, with the addresses of their texts."""
        texts = {n: f"{self.base}/files/{n}.pdf" for n, work in enumerate(self.works) if work.pdf}
        return Library(tuple(self.works), texts)

    def answer(self, asked: Asked) -> Reply:
        """The right answer."""
        library = self.library()
        if asked.service == "files":
            return self._file(asked.path)
        if self.keys.get(asked.service) not in {None, _key(asked)}:
            return answers.as_json({"error": "Forbidden", "message": "no such key"}, 403)
        match asked.service:
            case "openalex":
                return answers.openalex(library, asked.path, asked.query)
            case "semantic-scholar":
                return answers.scholar(library, asked.path, asked.query, asked.body)
            case "crossref":
                return answers.crossref(library, asked.path, asked.query)
        return answers.arxiv(library, asked.path, asked.query)

    def _file(self, path: str) -> Reply:
        """A text: /files/NUMBER.pdf, or arXiv's /pdf/ID."""
        name = path.rpartition("/")[2].removesuffix(".pdf")
        for number, work in enumerate(self.works):
            if work.pdf and name in {str(number), work.arxiv or "none"}:
                return Reply(work.pdf, "application/pdf")
        return Reply(b"no such file", "text/plain", 404)

    def _black_hole(self) -> int:
        """A port on which connections are neither taken nor refused: its queue is full."""
        deaf = socket.socket()
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(0)
        port: int = deaf.getsockname()[1]
        self._lost.append(deaf)
        for _ in range(3):
            caller = socket.socket()
            caller.setblocking(False)
            with suppress(BlockingIOError):
                caller.connect(("127.0.0.1", port))
            self._lost.append(caller)
        return port

    def close(self) -> None:
        """Let go of what hangs."""
        self.closing.set()
        for lost in self._lost:
            lost.close()


@contextmanager
def scholar(*works: Work) -> Iterator[Scholar]:
    """The four services, with these works."""
    site = Scholar(list(works), "")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    server.daemon_threads = True
    site.base = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield site
    finally:
        site.close()
        server.shutdown()
        server.server_close()


def _handler(site: Scholar) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._serve(b"")

        def do_POST(self) -> None:
            self._serve(self.rfile.read(int(self.headers["Content-Length"])))

        def _serve(self, body: bytes) -> None:
            asked = _asked(self.path, dict(self.headers.items()), body)
            site.requests.append(asked)
            state = site.state(asked.service)
            # Whoever asked may have gone meanwhile.
            with suppress(OSError):
                if state is None:
                    _send(self, site.answer(asked))
                else:
                    _spoil(self, site, asked, state)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def _asked(target: str, headers: Mapping[str, str], body: bytes) -> Asked:
    parts = urlsplit(target)
    first = parts.path.split("/")[1]
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    service = _FIRST.get(first, "files")
    if service == "files" or parts.path.startswith("/arxiv/pdf/"):
        return Asked("files", parts.path, query, headers)
    base = _BASES[service].removesuffix("/api")
    return Asked(service, parts.path.removeprefix(base), query, headers, body)


def _key(asked: Asked) -> str:
    return asked.query.get("api_key", "") or {
        name.lower(): value for name, value in asked.headers.items()
    }.get("x-api-key", "")


def _send(
    handler: BaseHTTPRequestHandler, reply: Reply, *, promised: int = 0, much: bool = False
) -> None:
    handler.send_response(reply.status)
    handler.send_header("Content-Type", reply.kind)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    if not much:
        handler.send_header("Content-Length", str(len(reply.body) + promised))
    handler.end_headers()
    handler.wfile.write(reply.body)


def _spoil(handler: BaseHTTPRequestHandler, site: Scholar, asked: Asked, state: State) -> None:
    """Answer as a service that has this trouble does."""
    match state.trouble:
        case Trouble.MUTE | Trouble.BLACK_HOLE | Trouble.REFUSED:
            site.closing.wait(30)
        case Trouble.DRIP:
            _drip(handler, site)
        case Trouble.LARGE:
            _send(handler, Reply(b" " * 200_000_000), much=True)
        case Trouble.SLOW:
            time.sleep(state.seconds)
            _send(handler, site.answer(asked))
        case Trouble.CUT:
            _send(handler, site.answer(asked), promised=100)
        case Trouble.BROKEN:
            reply = site.answer(asked)
            _send(handler, Reply(reply.body[: len(reply.body) // 2], reply.kind))
        case _:
            _send(handler, _spoiled(site, asked, state))


def _spoiled(site: Scholar, asked: Asked, state: State) -> Reply:
    after = {"Retry-After": state.after} if state.after else {}
    match state.trouble:
        case Trouble.ERROR:
            return Reply(b"oops", "text/html", 500, after)
        case Trouble.BUSY:
            body = json.dumps({"message": "Too Many Requests", "code": "429"}).encode()
            return Reply(body, status=429, headers=after)
        case Trouble.PAGE:
            return Reply(b"<html>Please log in</html>", "text/html")
        case Trouble.ELSEWHERE:
            return Reply(b"", status=302, headers={"Location": "http://127.0.0.2:9/works"})
        case Trouble.FORBIDDEN:
            return answers.as_json({"message": "Forbidden"}, 403)
        case Trouble.FORBIDDEN_FOR_NOW:
            return answers.as_json({"message": "Rate limit exceeded; slow down"}, 403)
    assert state.trouble is Trouble.WRONG
    return _of_another(site, asked)


_OTHER = Work(
    "Another matter altogether",
    ("Nobody Known",),
    1901,
    doi="10.5555/other",
    arxiv="0101.00001",
    abstract="It is about nothing that was asked for.",
)


def _of_another(site: Scholar, asked: Asked) -> Reply:
    """The answer of somebody who heard another question."""
    heard = {
        "filter": "doi:10.5555/other",
        "search": "matter",
        "id_list": "0101.00001",
        "query": _OTHER.title,
        "query.bibliographic": "matter",
        "search_query": 'ti:"Another matter"',
    }
    query = {name: heard.get(name, value) for name, value in asked.query.items()}
    body = b""
    if asked.body:
        ids = ["DOI:10.5555/other"] * len(json.loads(asked.body)["ids"])
        body = json.dumps({"ids": ids}).encode()
    other = Scholar([_OTHER], site.base)
    return other.answer(Asked(asked.service, asked.path, query, asked.headers, body))


def _drip(handler: BaseHTTPRequestHandler, site: Scholar) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.end_headers()
    while not site.closing.wait(0.1):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def _closed_port() -> int:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port: int = unused.getsockname()[1]
    return port
