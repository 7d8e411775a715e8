"""Chat models behind any endpoint that speaks OpenAI's chat protocol: the one door to `openai`.

Endpoints differ in what they know: a JSON Schema for the reply, a JSON object, token
probabilities, a temperature, a seed, the name of the limit on tokens. Each is asked for until the
endpoint says it cannot, and what worked is remembered for the run. Every request is counted
before it is sent; the client's own retries are switched off.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from threading import Condition, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from reviser.adapters.openai_chat.dialect import Known, arguments, lesser, reply_of
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.errors import ReviserError, Unanswered
from reviser.ports import ChatReply, ChatRequest

if TYPE_CHECKING:
    from openai import APIError, APIStatusError, OpenAI

TRIES = 6
"""Requests after which one question is given up; a timeout counts as three of them."""
OUTAGE = 4
"""Questions given up in a row after which no more are sent."""
LAST_MOMENT = 1.0
"""Seconds that requests under way are given when the connections are to be closed."""

_NOT_KNOWN = frozenset({400, 415, 422, 500, 501})
_BUSY = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length", "request_too_large"})
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_credits"})
_GITHUB_MODELS = frozenset({"models.github.ai", "models.inference.ai.azure.com"})


class _GivenUp(Unanswered):
    """The endpoint, and not the question, is why there is no answer."""


@dataclass(slots=True)
class _State:
    """How far one question has come. `left` are the requests it may still cost."""

    known: Known
    left: int = TRIES
    sent: int = 0
    waited: float = 0.0
    faults: int = 0
    paid: bool = False
    unreached: bool = False
    why: str = "did not answer"


class OpenAIChat:
    """A `ChatModel`; safe to share between threads.

    `admit` is called before each request is sent and may raise. Tests give `sleep` and `clock`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        admit: Callable[[], None],
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is loaded or sent yet. Raises UsageError for a base URL that is none."""
        self._endpoint = endpoint
        self._host = endpoint.host
        self._admit = admit
        self._sleep = sleep
        self._clock = clock
        self._lock = Lock()
        self._client: OpenAI | None = None
        self._closed = False
        self._under_way = 0
        self._ended = Condition(self._lock)
        # OpenAI's newer models refuse the old name; most others ignore the new one, silently.
        openai = self._host == "api.openai.com"
        self._known = Known(limit="max_completion_tokens" if openai else "max_tokens")
        self._proven = False
        self._given_up = 0
        self._not_before = 0.0

    @property
    def name(self) -> str:
        """Model and host."""
        return f"{self._endpoint.model} at {self._host}"

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply. Raises Unanswered when it does not come, ReviserError when none ever will."""
        with self._lock:
            if self._given_up >= OUTAGE:
                raise Unanswered(f"{self._host} has stopped answering")
        try:
            reply = self._answer(request)
        except _GivenUp:
            with self._lock:
                self._given_up += 1
            raise
        with self._lock:
            self._given_up = 0
        return reply

    def close(self) -> None:
        """Close the connections. What is under way in other threads has a moment to end."""
        with self._lock:
            self._closed = True
            self._ended.wait_for(lambda: not self._under_way, timeout=LAST_MOMENT)
            if self._client is not None:
                self._client.close()

    def _answer(self, request: ChatRequest) -> ChatReply:
        """Send the request until there is an answer, with less and less asked of the endpoint."""
        from openai import APIError  # noqa: PLC0415

        began, state = self._clock(), _State(self._known)
        while state.left > 0:
            self._wait(state)
            self._admit()
            state.sent += 1
            try:
                said = self._send(request, state.known)
            except APIError as error:
                self._failed(error, state, request)
                continue
            except ValueError:
                said = None  # no JSON at all
            seeded = request.seed is not None and state.known.seed
            reply = reply_of(said, self._clock() - began, state.sent, seeded=seeded)
            if reply is None:
                raise self._or_final("answered with something that is no chat completion")
            with self._lock:
                self._known = replace(state.known, sown=seeded or state.known.sown)
                self._proven = True
            return reply
        if state.unreached and not self._proven:
            raise self._or_final(state.why)
        raise _GivenUp(f"{self._host} {state.why}", paid=state.paid)

    def _failed(self, error: "APIError", state: "_State", request: ChatRequest) -> None:
        """Make the next request a better one or a later one. Raises where there is no point."""
        from openai import APIConnectionError, APIStatusError, APITimeoutError  # noqa: PLC0415

        state.unreached = False
        if isinstance(error, APITimeoutError):
            state.why, state.paid = f"did not answer within {self._endpoint.timeout:g} s", True
            state.left -= 3
        elif isinstance(error, APIConnectionError):
            state.why, state.unreached = f"cannot be reached ({_reason(error)})", True
            # Nobody has answered yet: more likely a wrong address than an outage.
            state.left -= 1 if self._proven else 3
            self._hold(1.0)
        elif isinstance(error, APIStatusError):
            self._end(error)
            if self._reduced(error, state, request):
                return
            if error.status_code not in _BUSY:
                self._refused(error)
            state.why = f"answered {error.status_code}"
            state.left -= 1
            self._hold(_asked_to_wait(error) or min(30.0, 2.0 ** (TRIES - 1 - state.left)))
        else:
            raise self._or_final("answered with something that is no chat completion")

    def _reduced(self, error: "APIStatusError", state: "_State", request: ChatRequest) -> bool:
        """Ask for less, where the error may mean that something is not understood."""
        if error.status_code not in _NOT_KNOWN:
            return False
        if error.status_code in {500, 501}:
            # It may pass; and where the endpoint has answered before, it surely may.
            state.faults += 1
            if self._proven or state.faults < 2:
                return False
        named = f"{error.param or ''} {_words(error)}".lower()
        less = lesser(state.known, named, request, guess=not self._proven)
        if less is not None:
            state.known, state.faults = less, 0
        return less is not None

    def _send(self, request: ChatRequest, known: Known) -> object:
        with self._lock:
            if self._closed:
                raise Unanswered("the run has ended")
            if self._client is None:
                self._client = _client(self._endpoint)
            client = self._client
            self._under_way += 1
        try:
            asked = arguments(request, known, self._endpoint)
            asked["extra_headers"] = _headers(self._endpoint)
            return client.chat.completions.create(**asked)
        finally:
            with self._lock:
                self._under_way -= 1
                self._ended.notify_all()

    def _wait(self, state: "_State") -> None:
        """Wait as long as the endpoint asked anybody to."""
        with self._lock:
            pause = self._not_before - self._clock()
        if pause <= 0:
            return
        state.waited += pause
        if state.waited > self._endpoint.patience:
            raise _GivenUp(f"{self._host} asks to wait too long", paid=state.paid)
        self._sleep(pause)

    def _hold(self, seconds: float) -> None:
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _end(self, error: "APIStatusError") -> None:
        """Raise where asking again cannot help."""
        code, status = error.code or "", error.status_code
        message = _words(error).lower()
        if status in {401, 403}:
            raise ReviserError(
                f"{self._host} refused the key ({status})",
                hint="Set REVISER_API_KEY to a key of this endpoint (OPENAI_API_KEY is used for "
                "OpenAI's own alone).",
            )
        if status == 404:
            raise ReviserError(
                f"{self._host} knows no model {self._endpoint.model!r}, or nothing is served at "
                f"{self._endpoint.base_url}",
                hint="Check --model, and whether --base-url should end in /v1.",
            )
        if status == 410:
            github = self._host in _GITHUB_MODELS
            raise ReviserError(
                ("GitHub Models was switched off" if github else f"{self._host} is gone")
                + " (410)",
                hint="Point --base-url and --model at another endpoint.",
            )
        if 300 <= status < 400:
            raise ReviserError(
                f"{self._host} sends elsewhere ({status}), where no text was allowed to go",
                hint="Give the address it leads to as --base-url, if you trust it.",
            )
        if code in _NO_CREDIT or status == 402:
            raise self._or_final("says that the account's credit is used up")
        if code in _TOO_LONG or status == 413 or "context length" in message:
            raise Unanswered("the question is longer than the model's context")
        if code == "content_filter":
            raise Unanswered("the endpoint's content filter refused the question")

    def _refused(self, error: "APIStatusError") -> None:
        said = _words(error)
        for secret in (self._endpoint.key, *self._endpoint.headers.values()):
            said = said.replace(secret, "***") if secret else said
        raise self._or_final(f"refused the request ({error.status_code}: {said})")

    def _or_final(self, said: str) -> ReviserError:
        """Once the endpoint has answered, trouble is the question's; before, it is the run's."""
        if self._proven:
            return _GivenUp(f"{self._host} {said}")
        return ReviserError(
            f"{self._host} {said}",
            hint="Check --base-url (it often ends in /v1), --model, and that the server runs.",
        )


def _client(endpoint: Endpoint) -> "OpenAI":
    from openai import DefaultHttpxClient, OpenAI  # noqa: PLC0415

    parts = urlsplit(endpoint.base_url)
    # A redirect would carry the paper's text to a host nobody was asked about; and what is meant
    # for this machine must not go through a proxy.
    web = DefaultHttpxClient(follow_redirects=False, trust_env=not endpoint.is_here)
    return OpenAI(
        api_key=endpoint.key or "none",
        base_url=parts._replace(query="", fragment="").geturl(),
        default_query=dict(parse_qsl(parts.query)),
        timeout=endpoint.timeout,
        max_retries=0,
        http_client=web,
    )


def _headers(endpoint: Endpoint) -> dict[str, Any]:
    """The headers of a request besides the client's own."""
    from openai import Omit  # noqa: PLC0415

    if not endpoint.key or not endpoint.is_deployment:
        return dict(endpoint.headers)
    return {"Authorization": Omit(), "api-key": endpoint.key, **endpoint.headers}


def _asked_to_wait(error: "APIStatusError") -> float:
    """Seconds that the endpoint asks to wait, 0 where it does not say."""
    headers = error.response.headers
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = str(headers.get(name, "")).strip()
        with suppress(ValueError):
            seconds = float(value) * unit
            return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
        with suppress(ValueError, TypeError):
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    return 0.0


def _words(error: "APIStatusError") -> str:
    """What the endpoint says in words, shortened."""
    body = error.body
    said = body.get("message") if isinstance(body, dict) else None
    message = said if isinstance(said, str) else error.message.partition(" - ")[2] or error.message
    return " ".join(message.split())[:200]


def _reason(error: Exception) -> str:
    """The innermost cause, which says most: "Connection refused"."""
    while error.__cause__ is not None and isinstance(error.__cause__, Exception):
        error = error.__cause__
    return " ".join(str(error).split())[:200] or type(error).__name__
