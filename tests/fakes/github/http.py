"""The socket side: reads a request, asks the fake, writes the answer."""

from __future__ import annotations

import json
import socket
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub


class Dropped(Exception):  # noqa: N818 - nothing is answered
    """The connection is to break without an answer."""


class Server(ThreadingHTTPServer):
    """Listens on loopback; a thread for each connection, none of which outlives the tests."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 32

    def __init__(self, fake: FakeGitHub) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.fake = fake

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the play."""


class Handler(BaseHTTPRequestHandler):
    """Speaks HTTP/1.1 and keeps connections open."""

    protocol_version = "HTTP/1.1"
    server: Server

    def setup(self) -> None:
        super().setup()
        # Without it, small answers wait for the client's delayed acknowledgement.
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def address_string(self) -> str:
        return "127.0.0.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """The fake keeps its own log."""

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _serve(self) -> None:
        if self.headers.get("Expect", "").lower() == "100-continue":
            self.send_response_only(100)
            self.end_headers()
        body = self._body()
        headers = {key.lower(): value for key, value in self.headers.items()}
        try:
            status, told, sent = self.server.fake.serve(self.command, self.path, headers, body)
        except Dropped:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response_only(status)
        for key, value in told.items():
            self.send_header(key, value)
        if status not in {204, 304}:
            self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        if self.command != "HEAD" and status not in {204, 304}:
            self.wfile.write(sent)
        self.wfile.flush()

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = _serve  # noqa: N815


def as_json(told: Any) -> bytes:
    """A JSON answer's bytes."""
    return json.dumps(told).encode()
