import json

import pytest
from github.GithubException import GithubException
from github.Requester import Requester

from reviser.adapters.github.client import Client, fault_of, quoted
from reviser.deliver.forge import Forbidden, Limited, Unavailable, Unprocessable

TOKEN = "ghs_SecretOfTheRun"  # noqa: S105


@pytest.fixture
def slept(monkeypatch):
    """How long it slept; the clock moves by as much."""
    waits, clock = [], [1000.0]

    def sleep(seconds):
        waits.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("time.sleep", sleep)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    return waits


def client(*, pace=1.0, patience=100.0):
    return Client(
        TOKEN, "http://127.0.0.1:9", "o/r", pace=pace, patience=patience, pause=1.0, timeout=5
    )


def answers(*given):
    """Something to ask that gives these in turn, raising those that are to be raised."""
    left = list(given)

    def ask():
        ask.asked += 1
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    ask.asked = 0
    return ask


def refusal(status, message="", headers=None):
    return GithubException(status, {"message": message}, headers or {})


def test_a_read_is_repeated_after_faults_of_the_line(slept):
    ask = answers(refusal(502), ConnectionError(), "x")
    assert client().read("tell", ask) == "x"
    assert slept == [1.0, 2.0]
    ask = answers(*[refusal(503)] * 9)
    with pytest.raises(Unavailable):
        client().read("tell", ask)
    assert ask.asked == 4


@pytest.mark.parametrize("fault", [refusal(502), ConnectionError(), TimeoutError(), OSError()])
def test_a_write_is_never_repeated_when_it_may_have_happened(slept, fault):
    ask = answers(fault, "x")
    with pytest.raises(Unavailable):
        client().write("take", ask)
    assert ask.asked == 1


def test_a_write_waits_for_a_limit(slept):
    ask = answers(refusal(429, "", {"Retry-After": "9"}), "x")
    assert client().write("take", ask) == "x"
    assert 9.0 in slept


def test_patience_counts_over_all_waits(slept):
    one = client(patience=20)
    limited = refusal(403, "secondary rate limit", {"Retry-After": "9"})
    assert one.read("tell", answers(limited, limited, "x")) == "x"
    ask = answers(limited, "x")
    with pytest.raises(Limited) as caught:
        one.read("tell", ask)
    assert "9 seconds" in caught.value.hint
    assert ask.asked == 1
    with pytest.raises(Unavailable):
        client(patience=0).read("tell", answers(refusal(500), "x"))


def test_writes_keep_their_pace_and_reads_do_not(slept):
    one = client(pace=2.0)
    one.write("take", lambda: None)
    one.read("tell", lambda: None)
    assert slept == []
    one.write("take", lambda: None)
    assert slept == [2.0]
    with pytest.raises(Unprocessable):
        one.write("take", answers(refusal(422)))
    one.write("take", lambda: None)
    assert slept == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "raised", [KeyError("sha"), ValueError(), TypeError(), json.JSONDecodeError("", "", 0)]
)
def test_an_answer_that_is_not_understood(slept, raised):
    with pytest.raises(Unavailable, match="not understood"):
        client().write("take", answers(raised))


def test_a_server_that_sends_elsewhere(slept):
    with pytest.raises(Unavailable, match="sends elsewhere"):
        client().read("tell", answers(RuntimeError("redirected to https://x?token")))


def test_the_token_is_in_no_message(slept):
    broken = ConnectionError(f"http://x-access-token:{TOKEN}@127.0.0.1:9/")
    with pytest.raises(Unavailable) as caught:
        client().write("take", answers(broken))
    assert TOKEN not in str(caught.value)
    assert TOKEN not in caught.value.hint


def test_nothing_listens():
    one = Client(TOKEN, "http://127.0.0.1:9", "o/r", pace=0, patience=1, pause=0.01, timeout=5)
    with pytest.raises(Unavailable, match=r"GitHub did not tell: no answer \(ConnectionError\)"):
        one.get("x", "tell")


GRAPHQL = {"data": None, "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}]}


@pytest.mark.parametrize(
    ("status", "data", "kinds", "message", "seen"),
    [
        (400, GRAPHQL, ("FORBIDDEN",), "Resource not accessible", 200),
        (400, {"errors": [{"message": "Parse error"}]}, (), "Parse error", 200),
        (502, {"errors": [{"message": "Something went wrong"}]}, (), "Something went wrong", 502),
        (401, {"message": "Bad credentials"}, (), "Bad credentials", 401),
        (
            422,
            {"message": "Unprocessable", "errors": ["line must be part of the diff"]},
            (),
            "Unprocessable; line must be part of the diff",
            422,
        ),
        (
            422,
            {"message": "Failed", "errors": [{"field": "line", "code": "invalid"}, {"code": "x"}]},
            (),
            "Failed; line invalid; x",
            422,
        ),
        (502, {"data": "<html>"}, (), "", 502),
        (500, None, (), "", 500),
        (500, "text", (), "", 500),
    ],
)
def test_what_a_raised_fault_says(status, data, kinds, message, seen):
    fault = fault_of(GithubException(status, data, {"X-Y": "1"}))
    assert (fault.status, fault.kinds, fault.message) == (seen, kinds, message)
    assert fault.headers == {"x-y": "1"}


def test_pygithubs_own_exceptions_are_known():
    raised = Requester.createException(403, {}, {"message": "API rate limit exceeded for x"})
    assert fault_of(raised).limited
    raised = Requester.createException(404, {}, {"message": "Not Found"})
    assert fault_of(raised).status == 404


def test_enterprise_addresses():
    one = Client(
        TOKEN, "https://git.example.org/api/v3/", "o/r", pace=0, patience=0, pause=0, timeout=5
    )
    requester = one._github.requester
    assert requester.base_url == "https://git.example.org/api/v3"
    assert requester.graphql_url == "https://git.example.org/api/graphql"


def test_branch_names_in_addresses():
    assert quoted("feature/a b#1?") == "feature/a%20b%231%3F"


def test_forbidden_is_told_at_once(slept):
    ask = answers(refusal(403, "Resource not accessible by integration"), "x")
    with pytest.raises(Forbidden, match="not accessible"):
        client().write("take", ask)
    assert ask.asked == 1
