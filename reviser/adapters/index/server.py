"""The operator's own search server over HTTP: JSON in and out, a few tries, nothing followed."""

import base64
import http.client
import json
import ssl
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from reviser.errors import UsageError
from reviser.literature.index import NoIndex

SECONDS = 60.0
"""That one request may take."""
TRIES = 4
LARGEST = 200_000_000
_BUSY = frozenset({429, 502, 503, 504})
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Server:
    """A server at `base_url`, its scheme, host and port; `user` and `password` go to it alone and
    are never shown. `pause` is for how many seconds it is left alone before the second try; it
    doubles with each."""

    base_url: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    pause: float = 0.5

    @property
    def host(self) -> str:
        """As it is printed, with its port."""
        return urlsplit(self.base_url).netloc

    def send(
        self,
        method: str,
        path: str,
        body: str = "",
        kind: str = "application/json",
        accepts: Collection[int] = (),
    ) -> Mapping[str, Any] | None:
        """The answer, None where there is no such thing. Raises NoIndex when the server does not
        answer, refuses, or gives what is no JSON object; `accepts` are codes that are no refusal.
        """
        for attempt in range(TRIES):
            if attempt:
                time.sleep(self.pause * 2 ** (attempt - 1))
            try:
                status, content = self._exchange(method, path, body, kind)
            except (OSError, http.client.HTTPException) as error:
                reason = str(error) or type(error).__name__
                problem = NoIndex(
                    "unreachable",
                    message=f"{self.host} does not answer: {reason}",
                    hint="See that the server runs and that --corpus names it.",
                )
                if isinstance(error, TimeoutError | ssl.SSLError):
                    raise problem from error
                continue
            problem = self._refusal(status, content)
            if status not in _BUSY:
                break
        else:
            raise problem
        if status == 404:
            return None
        if status >= 300 and status not in accepts:
            raise problem
        return self._read(content)

    def _exchange(self, method: str, path: str, body: str, kind: str) -> tuple[int, bytes]:
        parts = urlsplit(self.base_url)
        port = parts.port or _PORTS[parts.scheme]
        host = parts.hostname or ""
        line: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context()
            line = http.client.HTTPSConnection(host, port, timeout=SECONDS, context=context)
        else:
            line = http.client.HTTPConnection(host, port, timeout=SECONDS)
        headers = {"Accept": "application/json", "Connection": "close"}
        if body:
            headers["Content-Type"] = kind
        if self.user:
            pair = f"{self.user}:{self.password}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"
        try:
            line.request(method, path, body.encode("utf-8", "replace") or None, headers)
            answer = line.getresponse()
            return answer.status, answer.read(LARGEST)
        finally:
            line.close()

    def _refusal(self, status: int, content: bytes) -> NoIndex:
        if status in (401, 403):
            return NoIndex(
                "refused the password",
                message=f"{self.host} wants another user or password",
                hint="Set REVISER_CORPUS_USER and REVISER_CORPUS_PASSWORD.",
            )
        said = content[:300].decode("utf-8", "replace")
        return NoIndex(
            "refused the question", message=f"{self.host} answered {status}: {said}",
            hint="See that it is an OpenSearch server of version 2 or later with the k-NN plugin.",
        )  # fmt: skip

    def _read(self, content: bytes) -> Mapping[str, Any]:
        try:
            found = json.loads(content or b"{}")
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise NoIndex(
                "unreadable", message=f"{self.host} gave an answer that is no JSON object"
            )
        return found


def is_address(place: str) -> bool:
    """Whether a corpus is named by an address and not as a file."""
    return place.startswith(("http://", "https://"))


def server_and_index(place: str, *, user: str, password: str) -> tuple[Server, str]:
    """Of `https://host:9200/index` the server and the name of the index. Raises UsageError."""
    hint = "Give scheme, host, port and index: http://localhost:9200/literature"
    try:
        parts = urlsplit(place)
        _ = parts.port
    except ValueError as error:
        raise UsageError("--corpus: this is no address", hint=hint) from error
    if parts.username or parts.password:
        # What was given is not shown: it holds a secret.
        raise UsageError(
            "--corpus: a password does not belong into an address",
            hint="Set REVISER_CORPUS_USER and REVISER_CORPUS_PASSWORD.",
        )
    index = parts.path.strip("/")
    plain = index.replace("-", "").replace("_", "").replace(".", "")
    if not parts.hostname or parts.query or parts.fragment or not (
        plain.isascii() and plain.isalnum() and index == index.lower() and index[0] not in "-_."
    ):  # fmt: skip
        raise UsageError(f"--corpus {place}: this names no server and index", hint=hint)
    return Server(f"{parts.scheme}://{parts.netloc}", user, password), index
