"""Faults on demand, the log, and violations."""

from http.client import HTTPException
from time import monotonic

import pytest


@pytest.mark.parametrize(
    ("how", "status", "header"),
    [
        ("403", 403, ""),
        ("404", 404, ""),
        ("422", 422, ""),
        ("429", 429, "retry-after"),
        ("secondary", 403, "retry-after"),
        ("primary", 403, "x-ratelimit-remaining"),
        ("502", 502, ""),
    ],
)
def test_nothing_happens_before_a_fault(github, bot, pull, how, status, header):
    fault = github.fail("POST", r"/comments$", how=how, retry_after=7)
    heard = bot("POST", "/issues/1/comments", body="x")
    assert heard.status == status
    assert not header or heard.headers[header] == ("7" if header == "retry-after" else "0")
    assert not pull.remarks
    assert fault.hits == 1
    assert bot("POST", "/issues/1/comments", body="x").status == 201, "only once"


def test_a_502_may_come_when_all_is_done(github, bot, pull):
    github.fail("POST", r"/issues/1/comments$", how="502 after")
    assert bot("POST", "/issues/1/comments", body="x").status == 502
    assert [remark.body for remark in pull.remarks] == ["x"]


@pytest.mark.parametrize(("how", "posted"), [("drop", 0), ("drop after", 1)])
def test_a_connection_may_break(github, bot, pull, how, posted):
    github.fail("POST", "", how=how)
    with pytest.raises((HTTPException, ConnectionError)):
        bot("POST", "/issues/1/comments", body="x")
    assert len(pull.remarks) == posted
    assert bot("GET", "/pulls/1").status == 200


def test_faults_wait_for_their_turn(github, bot):
    github.fail("GET", r"/pulls/1$", skip=1, times=2)
    assert [bot("GET", "/pulls/1").status for _ in range(4)] == [200, 502, 502, 200]
    github.fail("GET", r"/pulls/1$", times=5)
    github.heal()
    assert bot("GET", "/pulls/1").status == 200


def test_graphql_is_named_by_what_it_asks(github, bot):
    github.fail("POST", r"/graphql/viewer$")
    assert bot.graph("{ viewer { login } }").status == 502
    github.fail("POST", r"/graphql/viewer$", how="502 after")
    assert bot.graph("{ rateLimit { cost } }").status == 200
    assert [seen.path for seen in github.log] == ["/graphql/viewer", "/graphql/rateLimit"]
    assert not github.log.writes


def test_slow_is_slow_and_others_need_not_wait(github, bot):
    github.fail("GET", r"/pulls/1$", how="slow", seconds=0.05)
    start = monotonic()
    assert bot("GET", "/pulls/1").status == 200
    assert monotonic() - start >= 0.05


def test_the_log_counts_requests(github, bot, review):
    bot("GET", "/pulls/1")
    review((20, 20, "x"))
    bot("POST", "/issues/1/comments", body="x")
    assert (len(github.log), github.log.count("GET"), github.log.count("", "reviews")) == (3, 1, 1)
    assert [seen.path.rpartition("/")[2] for seen in github.log.writes] == ["reviews", "comments"]
    assert github.log.writes[1].body == {"body": "x"}
    used = bot("GET", "/pulls/1").headers["x-ratelimit-used"]
    assert used == "4"
    github.log.clear()
    assert not len(github.log)


@pytest.mark.parametrize(
    ("method", "path", "body", "reason"),
    [
        ("POST", "/issues/1/comments", {"text": "x"}, "'body' is a required property"),
        ("POST", "/issues/1/comments", {"body": "x", "boody": 1}, "there is no field boody"),
        ("POST", "/issues/1/comments", {"body": 1}, "1 is not of type 'string'"),
        ("GET", "/pulls?stat=open", {}, "there is no parameter stat"),
        ("GET", "/pulls?state=opened", {}, "'opened' is not one of"),
        ("GET", "/stargazers", {}, "does not know this operation"),
        ("PUT", "/pulls/1/merge", {}, "does not know this operation"),
        (
            "POST",
            "/pulls/1/reviews",
            {"event": "COMMENT", "comments": [{"path": "paper.tex", "body": "x", "lines": 20}]},
            "there is no field comments/lines",
        ),
        ("POST", "/pulls/1/reviews", {"event": "SAY", "body": "x"}, "'SAY' is not one of"),
    ],
)
def test_what_the_openapi_file_does_not_know_is_a_violation(
    github, bot, method, path, body, reason
):
    heard = bot(method, path, **body)
    assert heard.status == 500
    assert reason in heard.body["message"]
    assert any(reason in told for told in github.violations)
    github.violations.clear()


def test_a_query_that_is_none_of_githubs_is_a_violation(github, bot):
    assert bot.graph("{ viewer { shoeSize } }").status == 500
    assert "Cannot query field 'shoeSize'" in github.violations[0]
    github.violations.clear()


def test_an_answer_that_is_none_of_githubs_is_a_violation(github, bot, monkeypatch):
    whole = github.shapes.pull
    monkeypatch.setattr(github.shapes, "pull", lambda pull: whole(pull) | {"number": "one"})
    assert bot("GET", "/pulls/1").status == 500
    assert "number: 'one' is not of type 'integer'" in github.violations[0]
    github.violations.clear()


def test_a_bug_of_the_fake_is_a_violation(github, bot, paper):
    paper.pulls[1].created = "not a time"
    assert bot("GET", "/pulls/1").status == 500
    assert "the fake failed" in github.violations[0]
    github.violations.clear()
