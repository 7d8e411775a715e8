"""An OpenAI-compatible server on loopback that says what a test tells it to, over real HTTP.

    with OpenAIServer(lambda asked: Say("...")) as server:
        ... server.base_url ... server.asked ...

`Say` is an answer of status 200, `Fail` an error as OpenAI words it, `Hang` no answer at all,
`Raw` any bytes. An endpoint that lacks something (`lacks={"json_schema"}`) refuses it with 400.
"""

import json
import math
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Say:
    """A chat completion. `chances` are, by token of the text that follows, the alternatives and
    their probabilities; without, the endpoint gives no probabilities."""

    text: str | None
    finish: str = "stop"
    refusal: str | None = None
    usage: tuple[int, int] | None = (100, 20)
    chances: Sequence[tuple[str, Mapping[str, float]]] = ()
    after: float = 0.0
    model: str = "tiny-2024-07-18"


@dataclass(frozen=True)
class Fail:
    """An error with OpenAI's members."""

    status: int
    message: str = "it went wrong"
    param: str | None = None
    code: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Any answer at all."""

    body: bytes
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hang:
    """The connection is kept and nothing comes for so many seconds."""

    seconds: float


Answer = Say | Fail | Raw | Hang


@dataclass(frozen=True)
class Asked:
    """A request as it came: number (from 1), path, headers in lower case, JSON body."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][1]["content"])

    @property
    def form(self) -> str:
        """What the reply is to be: json_schema, json_object or text."""
        return str(self.body.get("response_format", {}).get("type", "text"))

    def fenced(self, name: str) -> str:
        """The value of a variable of the prompt, out of its fence."""
        after = self.user.split(f"<<<{name} ", 1)[1].split("\n", 1)[1]
        return after.rsplit(f" {name}>>>", 1)[0].rsplit("\n", 1)[0]


Script = Callable[[Asked], Answer]


def in_turn(*answers: Answer) -> Script:
    """These answers, the last of them again and again."""
    return lambda asked: answers[min(asked.number, len(answers)) - 1]


def opinion(grade: int, quote: str = "", supports: str | None = None) -> str:
    """A reply of the verifier."""
    said = supports or ("yes" if grade >= 4 else "no")
    return json.dumps({"quote": quote, "grade": grade, "supports": said})


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is no error of the server."""


class OpenAIServer:
    """The server; `asked` keeps every request in the order it came."""

    def __init__(self, script: Script, *, lacks: Collection[str] = (), names: bool = True) -> None:
        """`names` tells whether a refusal says which parameter it is about."""
        self.script = script
        self.asked: list[Asked] = []
        self.busy = 0
        self.busiest = 0
        self._lacks = frozenset(lacks)
        self._names = names
        self._lock = threading.Lock()
        self._server = _Quiet(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        with self._lock:
            asked = Asked(len(self.asked) + 1, path, headers, body)
            self.asked.append(asked)
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
        try:
            said = self._lacking(asked) or self.script(asked)
            if isinstance(said, Say) and said.after:
                time.sleep(said.after)
            return said
        finally:
            with self._lock:
                self.busy -= 1

    def _lacking(self, asked: Asked) -> Fail | None:
        used = {asked.form, *(name for name in asked.body if asked.body[name] is not None)}
        for name in sorted(self._lacks & used):
            param = "response_format" if name.startswith("json") else name
            if not self._names:
                return Fail(400, "Bad request.")
            return Fail(400, f"'{param}' is not supported here.", param=param)
        return None

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # head and body in one packet: two would wait for each other

            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                body = json.loads(self.rfile.read(length))
                headers = {name.lower(): value for name, value in self.headers.items()}
                said = server.answer(self.path, headers, body)
                if isinstance(said, Hang):
                    time.sleep(said.seconds)
                    self.close_connection = True
                    return
                raw = _raw(said)
                try:
                    self.send_response(raw.status)
                    for name, value in raw.headers.items():
                        self.send_header(name, value)
                    self.send_header("content-type", raw.kind)
                    self.send_header("content-length", str(len(raw.body)))
                    self.end_headers()
                    self.wfile.write(raw.body)
                except OSError:
                    self.close_connection = True  # the client has given up waiting

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _raw(said: Say | Fail | Raw) -> Raw:
    if isinstance(said, Raw):
        return said
    if isinstance(said, Fail):
        error = {"message": said.message, "type": "error", "param": said.param, "code": said.code}
        return Raw(json.dumps({"error": error}).encode(), said.status, headers=said.headers)
    message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": said.finish}
    if said.chances:
        choice["logprobs"] = {"content": [_token(*row) for row in said.chances]}
    data: dict[str, Any] = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": said.model,
        "choices": [choice],
    }
    if said.usage is not None:
        into, out = said.usage
        data["usage"] = {
            "prompt_tokens": into,
            "completion_tokens": out,
            "total_tokens": into + out,
        }
    return Raw(json.dumps(data).encode())


def _token(text: str, chances: Mapping[str, float]) -> dict[str, Any]:
    rows = [{"token": t, "logprob": math.log(p), "bytes": None} for t, p in chances.items()]
    own = next((row["logprob"] for row in rows if row["token"] == text), 0.0)
    return {"token": text, "logprob": own, "bytes": None, "top_logprobs": rows}
