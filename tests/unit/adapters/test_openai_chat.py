"""The door to chat models, through the real client to a server on loopback."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from email.utils import formatdate
from time import time

import pytest

from reviser.adapters.openai_chat.client import OUTAGE, OpenAIChat
from reviser.adapters.openai_chat.dialect import Known, lesser
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.errors import BudgetUsedUp, ReviserError, Unanswered, UsageError
from reviser.ports import ChatRequest, Message
from tests.fakes.openai_server import Fail, Hang, OpenAIServer, Raw, Say, Script, in_turn

SCHEMA = '{"properties":{"a":{"type":"string"}},"type":"object"}'
REQUEST = ChatRequest(
    "p/1", (Message("system", "Be brief."), Message("user", "Hello")), SCHEMA, 0.0, 50, 5
)
FINE = Say('{"a": "b"}')


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds


class Door:
    """A client of a server, with the requests it was allowed to send counted."""

    def __init__(self, server: OpenAIServer, **settings: object) -> None:
        self.server = server
        self.clock = Clock()
        self.admitted = 0
        self.most = 100
        endpoint = Endpoint(model="tiny", base_url=server.base_url, key="secret-key-1")
        endpoint = replace(endpoint, **settings)  # type: ignore[arg-type]
        self.chat = OpenAIChat(
            endpoint, admit=self.admit, sleep=self.clock.sleep, clock=lambda: self.clock.now
        )

    def admit(self) -> None:
        if self.admitted >= self.most:
            raise BudgetUsedUp("the budget is used up")
        self.admitted += 1


@contextmanager
def door(
    script: Script, *, lacks: frozenset[str] = frozenset(), names: bool = True, **settings: object
) -> Iterator[Door]:
    with OpenAIServer(script, lacks=lacks, names=names) as server:
        made = Door(server, **settings)
        try:
            yield made
        finally:
            made.chat.close()


def test_a_deployment_of_azure_gets_its_key_under_its_own_name_and_its_version() -> None:
    with OpenAIServer(in_turn(FINE)) as server:
        root = server.base_url.removesuffix("/v1")
        url = f"{root}/openai/deployments/mini?api-version=2024-10-21"
        made = Door(server, base_url=url)
        made.chat.complete(REQUEST)
        made.chat.close()
        (asked,) = server.asked
    assert asked.path == "/openai/deployments/mini/chat/completions?api-version=2024-10-21"
    assert asked.headers["api-key"] == "secret-key-1"
    assert "authorization" not in asked.headers


def test_a_seed_is_sent_where_one_is_given() -> None:
    with door(in_turn(FINE)) as it:
        sown = it.chat.complete(replace(REQUEST, seed=7))
        bare = it.chat.complete(REQUEST)
        assert [asked.body.get("seed") for asked in it.server.asked] == [7, None]
    assert (sown.seeded, bare.seeded) == (True, False)


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("known", [True, False])
def test_an_endpoint_that_knows_no_seed_is_asked_without_and_it_shows(
    names: bool, known: bool
) -> None:
    with door(in_turn(FINE), lacks={"seed"}, names=names) as it:
        if known:
            it.chat.complete(REQUEST)
        first = it.chat.complete(replace(REQUEST, seed=7))
        again = it.chat.complete(replace(REQUEST, seed=8))
        assert "seed" not in it.server.asked[-1].body
        if known or names:
            assert it.server.asked[-1].form == "json_schema", "nothing else was given up"
    assert (first.seeded, again.seeded, again.requests) == (False, False, 1)


def test_a_question_and_its_answer() -> None:
    with door(in_turn(FINE)) as it:
        reply = it.chat.complete(REQUEST)
        (asked,) = it.server.asked
    assert (reply.text, reply.finish, reply.model) == ('{"a": "b"}', "stop", "tiny-2024-07-18")
    assert (reply.tokens_in, reply.tokens_out, reply.requests) == (100, 20, 1)
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer secret-key-1"
    assert asked.form == "json_schema"
    assert asked.body["max_tokens"] == 50
    assert asked.body["top_logprobs"] == 5
    assert asked.body["temperature"] == 0.0
    assert asked.system == "Be brief."
    assert it.chat.name == f"tiny at 127.0.0.1:{it.server.port}"


def test_what_an_operator_adds_goes_with_every_request() -> None:
    with OpenAIServer(in_turn(FINE)) as server:
        it = Door(
            server,
            base_url=f"{server.base_url}?api-version=7",
            headers={"X-Team": "blue"},
            body={"think": False},
        )
        it.chat.complete(REQUEST)
        it.chat.close()
        (asked,) = server.asked
    assert asked.path == "/v1/chat/completions?api-version=7"
    assert asked.headers["x-team"] == "blue"
    assert asked.body["think"] is False


@pytest.mark.parametrize("names", [True, False], ids=["named", "unnamed"])
@pytest.mark.parametrize(
    ("lacks", "form"),
    [({"json_schema"}, "json_object"), ({"json_schema", "json_object"}, "text")],
)
def test_what_an_endpoint_lacks_is_done_without_and_remembered(
    lacks: set[str], form: str, names: bool
) -> None:
    with door(in_turn(FINE), lacks=lacks, names=names) as it:
        first = it.chat.complete(REQUEST)
        again = it.chat.complete(REQUEST)
        asked = it.server.asked[-1]
    assert first.requests == len(lacks) + 1 == it.admitted - 1
    assert again.requests == 1
    assert asked.form == form
    assert SCHEMA in asked.system, "without a schema the words must carry it"
    assert it.clock.slept == []


@pytest.mark.parametrize("lacks", ["logprobs", "temperature"])
@pytest.mark.parametrize("names", [True, False], ids=["named", "unnamed"])
def test_probabilities_and_temperature_are_luxuries(lacks: str, names: bool) -> None:
    with door(in_turn(FINE), lacks={lacks}, names=names) as it:
        it.chat.complete(REQUEST)
        it.chat.complete(REQUEST)
        assert lacks not in it.server.asked[-1].body
        assert (it.server.asked[-1].form == "json_schema") is names


def test_the_limit_on_tokens_goes_by_two_names() -> None:
    with door(in_turn(FINE), lacks={"max_tokens"}) as it:
        assert it.chat.complete(REQUEST).requests == 2
        assert it.server.asked[-1].body["max_completion_tokens"] == 50
    other = Known(limit="max_completion_tokens")
    assert lesser(other, "max_completion_tokens: no", REQUEST, guess=True) == Known(renamed=True)
    assert lesser(Known(renamed=True), "max_tokens", REQUEST, guess=True) is None


def test_a_500_may_pass_or_mean_that_there_is_no_schema() -> None:
    with door(in_turn(Fail(500), FINE)) as it:
        assert it.chat.complete(REQUEST).requests == 2
        assert [a.form for a in it.server.asked] == ["json_schema", "json_schema"]
    lacking = lambda asked: Fail(500) if asked.form == "json_schema" else FINE  # noqa: E731
    with door(lacking) as it:
        assert it.chat.complete(REQUEST).requests == 3
        assert it.chat.complete(REQUEST).requests == 1


def test_an_endpoint_that_has_answered_is_not_asked_for_less_because_of_one_question() -> None:
    with door(in_turn(FINE, Fail(400, "no such thing"))) as it:
        it.chat.complete(REQUEST)
        with pytest.raises(Unanswered, match="400: no such thing"):
            it.chat.complete(REQUEST)
        assert len(it.server.asked) == 2


@pytest.mark.parametrize(
    ("headers", "slept"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({}, 1.0),
        ({"retry-after": "soon"}, 1.0),
        ({"retry-after": "nan"}, 1.0),
    ],
)
def test_a_limit_on_the_rate_is_respected(headers: dict[str, str], slept: float) -> None:
    with door(in_turn(Fail(429, headers=headers), FINE)) as it:
        assert it.chat.complete(REQUEST).requests == 2
    assert it.clock.slept == [slept]


def test_a_date_to_wait_for_is_understood() -> None:
    when = formatdate(time() + 30, usegmt=True)
    with door(in_turn(Fail(503, headers={"retry-after": when}), FINE)) as it:
        it.chat.complete(REQUEST)
    assert 25 < it.clock.slept[0] <= 30


def test_patience_ends() -> None:
    with door(in_turn(Fail(429, headers={"retry-after": "600"}))) as it:
        with pytest.raises(Unanswered, match="wait too long"):
            it.chat.complete(REQUEST)
        assert len(it.server.asked) == 1
    with door(in_turn(Fail(503))) as it:
        with pytest.raises(Unanswered, match="answered 503"):
            it.chat.complete(REQUEST)
        assert it.clock.slept == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_after_an_outage_nothing_more_is_sent() -> None:
    with door(in_turn(FINE, Fail(502)), patience=0.5) as it:
        it.chat.complete(REQUEST)
        for _ in range(OUTAGE):
            with pytest.raises(Unanswered):
                it.chat.complete(REQUEST)
        sent = it.admitted
        with pytest.raises(Unanswered, match="has stopped answering"):
            it.chat.complete(REQUEST)
        assert it.admitted == sent


def test_a_timeout_is_paid_for_and_tried_once_more() -> None:
    with door(in_turn(Hang(0.4), FINE), timeout=0.1) as it:
        assert it.chat.complete(REQUEST).requests == 2
    with door(in_turn(Hang(0.4)), timeout=0.1) as it:
        with pytest.raises(Unanswered, match=r"within 0\.1 s") as caught:
            it.chat.complete(REQUEST)
        assert caught.value.paid
        assert it.admitted == 2


def test_a_slow_answer_is_an_answer() -> None:
    with door(in_turn(replace(FINE, after=0.2))) as it:
        assert it.chat.complete(REQUEST).text == FINE.text


def test_every_request_is_asked_for_first() -> None:
    with door(in_turn(Fail(503), FINE)) as it:
        it.most = 1
        with pytest.raises(BudgetUsedUp):
            it.chat.complete(REQUEST)
        assert len(it.server.asked) == 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Fail(401, "Incorrect API key provided: secret-key-1"), "refused the key"),
        (Fail(403), "refused the key"),
        (Fail(404, "model not found"), "knows no model 'tiny'"),
        (Fail(410), "is gone"),
        (Fail(402), "credit is used up"),
        (Fail(429, code="insufficient_quota"), "credit is used up"),
        (Fail(418, "teapot secret-key-1"), r"refused the request \(418: teapot \*\*\*\)"),
        (Raw(b"<html>", kind="text/html"), "no chat completion"),
        (Raw(b"{"), "no chat completion"),
        (Raw(b"[]"), "no chat completion"),
        (Raw(b'{"choices": null}'), "no chat completion"),
        (Raw(b'{"choices": [{}]}'), "no chat completion"),
        (Raw(b"", 307, headers={"location": "http://192.0.2.1/"}), "sends elsewhere"),
    ],
)
def test_trouble_that_no_patience_mends_ends_the_run(answer: Fail | Raw, said: str) -> None:
    with door(in_turn(answer)) as it:
        with pytest.raises(ReviserError, match=said) as caught:
            it.chat.complete(REQUEST)
        assert not isinstance(caught.value, Unanswered)
        assert caught.value.hint
        assert "secret-key-1" not in f"{caught.value} {caught.value.hint}"
        assert len(it.server.asked) <= 4


def test_the_end_of_github_models_is_told_by_name() -> None:
    with door(in_turn(Fail(410))) as it:
        it.chat._host = "models.github.ai"
        with pytest.raises(ReviserError, match="GitHub Models was switched off"):
            it.chat.complete(REQUEST)


def test_credit_that_ends_in_the_middle_ends_only_what_is_left() -> None:
    with door(in_turn(FINE, Fail(402))) as it:
        it.chat.complete(REQUEST)
        with pytest.raises(Unanswered, match="credit"):
            it.chat.complete(REQUEST)


@pytest.mark.parametrize(
    "answer",
    [
        Fail(400, code="context_length_exceeded"),
        Fail(413),
        Fail(400, "This model's maximum context length is 8192 tokens."),
    ],
)
def test_a_question_that_is_too_long_concerns_nobody_else(answer: Fail) -> None:
    with door(in_turn(answer, FINE)) as it:
        with pytest.raises(Unanswered, match="longer than the model's context"):
            it.chat.complete(REQUEST)
        assert it.chat.complete(REQUEST).text == FINE.text


def test_nobody_there() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clock = Clock()
    endpoint = Endpoint(model="tiny", base_url=f"http://127.0.0.1:{port}/v1", key="k")
    chat = OpenAIChat(endpoint, admit=lambda: None, sleep=clock.sleep, clock=lambda: clock.now)
    with pytest.raises(ReviserError, match="cannot be reached") as caught:
        chat.complete(REQUEST)
    assert not isinstance(caught.value, Unanswered)
    assert clock.slept == [1.0]
    chat.close()


@pytest.mark.parametrize(
    ("said", "finish", "text"),
    [
        (Say(None, refusal="I will not."), "refusal", ""),
        (Say("half", finish="content_filter"), "refusal", "half"),
        (Say("half", finish="length"), "length", "half"),
        (Say("", usage=None), "stop", ""),
    ],
)
def test_replies_of_every_kind_are_told_apart(said: Say, finish: str, text: str) -> None:
    with door(in_turn(said)) as it:
        reply = it.chat.complete(REQUEST)
    assert (reply.finish, reply.text) == (finish, text)
    if said.usage is None:
        assert (reply.tokens_in, reply.tokens_out) == (0, 0)


def test_probabilities_are_read() -> None:
    rows = [('{"a": "', {'{"a": "': 1.0}), ("b", {"b": 0.75, "c": 0.25}), ('"}', {'"}': 1.0})]
    with door(in_turn(Say('{"a": "b"}', chances=rows))) as it:
        reply = it.chat.complete(REQUEST)
    assert "".join(token.text for token in reply.tokens) == '{"a": "b"}'
    assert [text for text, _ in reply.tokens[1].top] == ["b", "c"]
    assert reply.tokens[1].top[1][1] == pytest.approx(-1.386, abs=0.001)


@pytest.mark.parametrize(
    "url", ["", "localhost:11434", "ftp://x/v1", "http://", "https://me:pass@x/v1", "http://[x"]
)
def test_a_base_url_must_be_one(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        OpenAIChat(Endpoint(model="m", base_url=url), admit=lambda: None)
    assert "pass" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.3.2.1/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost.example.org/v1", False),
        ("http://192.168.1.2:8000/v1", False),
        ("https://api.openai.com/v1", False),
    ],
)
def test_which_endpoints_are_this_machine(url: str, here: bool) -> None:
    assert Endpoint(model="m", base_url=url).is_here is here


def test_secrets_are_not_in_what_is_printed() -> None:
    shown = repr(Endpoint(model="m", base_url="http://x", key="k1", headers={"a": "k2"}))
    assert "k1" not in shown
    assert "k2" not in shown
