"""The corrections of GitHub's OpenAPI file: each is needed, and none hides anything else."""

import json

import pytest

from tests.fakes.github.calls import ROUTES
from tests.fakes.github.judge import SPEC, Judge, judge

COMMENT = "/repos/{owner}/{repo}/pulls/comments/{comment_id}"


@pytest.fixture(scope="module")
def uncorrected():
    """The file as it is."""
    judge = Judge.__new__(Judge)
    judge.read(json.loads(SPEC.read_text(encoding="utf-8")))
    return judge


def test_every_operation_has_an_answer_and_every_answer_an_operation():
    known = {
        (method.upper(), path) for path, methods in judge().paths.items() for method in methods
    }
    assert set(ROUTES) == known


def test_an_outdated_comment_has_no_line(bot, paper, review, uncorrected, lines):
    _, made = review((19, 20, "x"))
    paper.commit("topic", {"paper.tex": lines({20: "else"})}, author="eve")
    told = bot("GET", f"/pulls/comments/{made[20].id}").body
    assert not judge().answer("GET", COMMENT, 200, told)
    wrong = uncorrected.answer("GET", COMMENT, 200, told)
    assert wrong
    assert all("None is not" in sentence for sentence in wrong)


def test_a_running_check_has_no_conclusion(bot, pull, uncorrected):
    told = bot("POST", "/check-runs", name="x", head_sha=pull.head).body
    path = "/repos/{owner}/{repo}/check-runs/{check_run_id}"
    assert told["conclusion"] is None
    assert not judge().answer("GET", path, 200, told)
    assert uncorrected.answer("GET", path, 200, told)


def test_paths_may_hold_slashes():
    found = judge().find("GET", "/repos/a/b/git/ref/heads/feature/x")
    assert found == ("/repos/{owner}/{repo}/git/ref/{ref}", {
        "owner": "a", "repo": "b", "ref": "heads/feature/x"})  # fmt: skip
    found = judge().find("GET", "/repos/a/b/commits/feature/x/check-runs")
    assert found is not None
    assert found[0].endswith("/check-runs")
    assert judge().find("GET", "/repos/a/b/pulls/1/2") is None


@pytest.mark.parametrize("path", ["/pulls/1", "/issues/1", "", "/branches/main"])
def test_answers_are_told_apart_from_near_misses(bot, path):
    """Whatever field is left out of an answer, if it is required the judge misses it."""
    template, _ = judge().find("GET", f"/repos/ada/survey{path}")
    told = bot("GET", path).body
    assert not judge().answer("GET", template, 200, told)
    missed = [
        key
        for key in told
        if judge().answer("GET", template, 200, {k: v for k, v in told.items() if k != key})
    ]
    assert len(missed) > 4
