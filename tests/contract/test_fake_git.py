"""Git over HTTP: what the bot fetches, and what people push."""

import base64
import os
import subprocess

import pytest

from tests.fakes.github.store import Entry, Store, clean_environment


@pytest.fixture
def git(tmp_path):
    """Runs git in a fresh repository; `token` is sent as a workflow sends it."""
    Store(tmp_path / "clone.git")

    def run(*args, token="", fails=False):
        environment = clean_environment()
        if token:
            basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
            environment |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "http.extraHeader",
                "GIT_CONFIG_VALUE_0": f"Authorization: basic {basic}",
            }
        done = subprocess.run(
            ["git", "-C", str(tmp_path / "clone.git"), *args],
            capture_output=True,
            env=environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert (done.returncode != 0) is fails, done.stderr.decode()
        return (done.stderr if fails else done.stdout).decode()

    return run


def test_two_commits_can_be_fetched_by_hash(github, git, paper, pull, lines):
    url, base = f"{github.server_url}/ada/survey.git", paper.tip("main")
    token = github.token("ada/survey")
    paper.force_push("topic", base)
    fetched = ("fetch", "--depth=1", "--filter=blob:limit=1k", "--no-tags", url)
    git(*fetched, pull.head, base, token=token)
    assert git("show", f"{base}:other.tex") == "untouched\n"
    assert {seen.login for seen in github.log.git} == {"github-actions[bot]"}


def test_large_files_stay_away(github, git, paper):
    sha = paper.commit("main", {"big.pdf": os.urandom(5000)})
    url = f"{github.server_url}/ada/survey"
    git("fetch", "--depth=1", "--filter=blob:limit=1k", url, sha)
    sizes = git("cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)")
    kinds = [line.split() for line in sizes.splitlines()]
    assert all(int(size) < 1000 for kind, size in kinds if kind == "blob")


def test_commits_of_a_fork_are_there_too(github, git, paper, lines):
    fork = paper.fork("mallory/survey")
    sha = fork.commit("fix", {"paper.tex": lines({5: "five"})}, parent=paper.tip("main"))
    paper.open_pull("fix", from_fork="mallory/survey")
    git("fetch", "--depth=1", f"{github.server_url}/ada/survey.git", sha)
    git("fetch", "--depth=1", f"{github.server_url}/ada/survey.git", "refs/pull/2/head")
    assert git("rev-parse", "FETCH_HEAD").strip() == sha


def test_who_may_not_read_learns_nothing(github, git):
    sha = github.repository("ada/secret", private=True).commit("main", {"a.tex": b"a\n"})
    url = f"{github.server_url}/ada/secret.git"
    git("fetch", url, sha, fails=True)
    git("fetch", url, sha, token=github.token("ada/secret")[:-1], fails=True)
    said = git("fetch", url, sha, token=github.token("ada/survey"), fails=True)
    assert "not found" in said
    git("fetch", url, sha, token=github.token("ada/secret"))


def test_a_push_moves_pull_requests_along(github, git, paper, pull, review, lines):
    _, made = review((20, 20, "x"))
    url = f"{github.server_url}/ada/survey.git"
    git("fetch", url, pull.head)
    fork = paper.written(github.user("eve"), {"paper.tex": lines({20: "?"})}, "m", (pull.head,))
    git("fetch", url, fork)
    for token in (github.token("ada/survey"), github.token(user="eve")):
        said = git("push", url, f"{fork}:refs/heads/topic", token=token, fails=True)
        assert "403" in said
    assert made[20].line == 20
    git("push", url, f"{fork}:refs/heads/topic", token=github.token(user="ada"))
    assert (pull.head, made[20].line) == (fork, None)
    assert github.pushes[-1][4] == "ada"


def test_trees_may_hold_anything(paper, pull):
    link = Entry(b"/etc/passwd", "120000")
    script = Entry(b"#!/bin/sh\n", "100755")
    module = Entry(b"1" * 40, "160000")
    sha = paper.commit("topic", {"link.tex": link, "run.sh": script, "sub": module})
    modes = {blob.path: blob.mode for blob in paper.store.tree(sha)}
    assert modes["link.tex"] == "120000"
    assert (modes["run.sh"], modes["sub"]) == ("100755", "160000")


def test_a_merge_takes_the_pull_request_in(github, paper, pull, lines):
    sha = paper.merge(1)
    assert (pull.state, pull.merge_commit, paper.tip("main")) == ("closed", sha, sha)
    assert paper.read("main", "paper.tex") == lines({20: "line 20!"})
    told = github.shapes.pull(pull)
    assert (told["merged"], told["changed_files"]) == (True, 1), "its diff is still told"
