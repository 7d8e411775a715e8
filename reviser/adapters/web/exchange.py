"""One request over HTTP and its answer, within a time limit that holds whatever the other side
does: name lookup, connection, a body that drips. The request is made in a thread of its own, which
is left behind when its time is over; its connection is closed then.

The connection goes to the very address that was checked, so that a name cannot come to mean
another one meanwhile. Proxies are those of the environment; through one, names are resolved there.
"""

import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from threading import Event, Lock, Thread
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from reviser.adapters.web.addresses import HERE, Unusable, resolved

_CONNECTING = 3.0
"""Seconds that one address is given to take the connection."""
_PIECE = 65_536

LATE = "did not answer in time"
UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request. `largest` are the bytes of the answer that are read; `public` refuses addresses
    that are not public. `headers` and `url` may hold secrets."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)
    largest: int = 20_000_000
    public: bool = False


@dataclass(frozen=True, slots=True)
class Received:
    """An answer; the names of `headers` are in lower case. `whole` is False where less came than
    was promised, `large` True where there was more than was read."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    whole: bool = True
    large: bool = False


class Unreached(Exception):  # noqa: N818 - a state met on the way, never shown
    """There was no answer; the message is `UNREACHABLE` or `LATE`."""


def exchange(outgoing: Outgoing, *, seconds: float) -> Received:
    """The answer to one request, whatever its status. Raises Unreached, and Unusable for a name
    that stands for an address that is not asked."""
    call = _Call(outgoing, seconds)
    Thread(target=call.run, daemon=True).start()
    if not call.done.wait(seconds):
        raise Unreached(call.hang_up())
    if call.unusable is not None:
        raise call.unusable
    if call.received is None:
        raise Unreached(call.why)
    return call.received


class _Call:
    """One request under way in a thread."""

    def __init__(self, outgoing: Outgoing, seconds: float) -> None:
        self.done = Event()
        self.received: Received | None = None
        self.why = UNREACHABLE
        self.unusable: Unusable | None = None
        self._outgoing = outgoing
        self._deadline = time.monotonic() + seconds
        self._lock = Lock()
        self._given_up = False
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Ask, and keep the answer or why there is none."""
        try:
            self.received = self._asked()
        except TimeoutError:
            self.why = LATE
        except Unusable as error:
            self.unusable = error
        except (OSError, HTTPException, ValueError):
            self.why = UNREACHABLE
        finally:
            self.done.set()

    def hang_up(self) -> str:
        """Leave it, and say why; what waits for the other side ends at once."""
        with self._lock:
            self._given_up = True
            if self._socket is None:
                return UNREACHABLE
            _shut(self._socket)
            return LATE

    def _asked(self) -> Received:
        parts = urlsplit(self._outgoing.url)
        host, secure = parts.hostname or "", parts.scheme == "https"
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        proxy = _proxy(parts.scheme, host)
        connection = self._connected(host, parts.port or (443 if secure else 80), secure, proxy)
        if proxy and not secure:
            target = f"http://{parts.netloc}{target}"
        try:
            headers = {"Host": parts.netloc, **self._outgoing.headers}
            method = "GET" if self._outgoing.body is None else "POST"
            connection.request(method, target, body=self._outgoing.body, headers=headers)
            with connection.getresponse() as answer:
                return self._read(answer)
        finally:
            connection.close()

    def _connected(self, host: str, port: int, secure: bool, proxy: str) -> HTTPConnection:
        if proxy:
            connection = _through(proxy, host, port, secure, self._left())
            connection.connect()
            self._hold(connection.sock)
            return connection
        connection = HTTPConnection(host, port, timeout=self._left())
        places = resolved(host, port, public=self._outgoing.public)
        line = self._opened(places)
        self._hold(line)
        if secure:
            try:
                line = _context().wrap_socket(line, server_hostname=host)
            except BaseException:
                line.close()
                raise
            self._hold(line)
        connection.sock = line
        return connection

    def _opened(self, places: list[tuple[str, int]]) -> socket.socket:
        """A connection to the first of the addresses that takes one."""
        for number, place in enumerate(places, start=1):
            try:
                line = socket.create_connection(place, timeout=min(_CONNECTING, self._left()))
            except OSError as error:
                if number == len(places):
                    raise OSError("no connection") from error
            else:
                line.settimeout(self._left())
                return line
        raise OSError("the name stands for no address")

    def _read(self, answer: HTTPResponse) -> Received:
        body = bytearray()
        most = self._outgoing.largest
        while len(body) <= most and (piece := answer.read(min(_PIECE, most + 1 - len(body)))):
            body += piece
        headers = {name.lower(): value for name, value in answer.getheaders()}
        large = len(body) > most
        return Received(answer.status, headers, bytes(body), large or not answer.length, large)

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def _hold(self, line: socket.socket | None) -> None:
        """Remember the connection for `hang_up`."""
        with self._lock:
            self._socket = line
            if self._given_up and line is not None:
                _shut(line)


def _shut(line: socket.socket) -> None:
    with suppress(OSError):
        # Not the method of a TLS connection, which another thread is reading from just now.
        socket.socket.shutdown(line, socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _proxy(scheme: str, host: str) -> str:
    """The proxy that the environment names for a host, or ""."""
    return "" if host in HERE or proxy_bypass(host) else getproxies().get(scheme, "")


def _through(proxy: str, host: str, port: int, secure: bool, seconds: float) -> HTTPConnection:
    """A connection to the proxy, through which a secure one is tunnelled."""
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if not parts.hostname:
        raise OSError("the proxy has no host")
    if not secure:
        return HTTPConnection(parts.hostname, parts.port or 80, timeout=seconds)
    tunnel = HTTPSConnection(parts.hostname, parts.port or 80, timeout=seconds, context=_context())
    said: dict[str, str] = {}
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        said["Proxy-Authorization"] = f"Basic {b64encode(pair.encode()).decode()}"
    tunnel.set_tunnel(host, port, headers=said)
    return tunnel
