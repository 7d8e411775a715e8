"""The fake's threads: where a comment may sit, and what becomes of it."""

import pytest
from github import Auth, Github, GithubException

LINES = [b"line %d\n" % n for n in range(1, 41)]


def lines(**changed):
    """The forty lines, some of them replaced: `lines(l20=b"other\\n")`."""
    return b"".join(changed.get(f"l{n}", line) for n, line in enumerate(LINES, 1))


@pytest.fixture
def paper(github):
    paper = github.repository("ada/survey")
    paper.commit("main", {"paper.tex": lines()})
    paper.branch("topic")
    paper.commit("topic", {"paper.tex": lines(l20=b"line 20!\n")}, author="eve")
    paper.open_pull("topic", author="eve")
    return paper


@pytest.fixture
def pull(github, paper):
    """The pull request as PyGithub sees it."""
    client = Github(
        base_url=github.api_url,
        auth=Auth.Token(github.token("ada/survey")),
        retry=None,
        seconds_between_requests=0,
        seconds_between_writes=0,
    )
    return client.get_repo("ada/survey").get_pull(1)


def review(pull, *comments):
    """Post a review; each comment is (first, last, body)."""
    pull.create_review(
        commit=pull.base.repo.get_commit(pull.head.sha),
        event="COMMENT",
        comments=[
            {"path": "paper.tex", "body": body, "line": last, "side": "RIGHT"}
            | ({} if first == last else {"start_line": first, "start_side": "RIGHT"})
            for first, last, body in comments
        ],
    )
    return {c.original_line: c for c in pull.get_review_comments()}


def test_a_comment_outside_the_hunks_takes_the_whole_review_with_it(pull):
    with pytest.raises(GithubException) as caught:
        review(pull, (20, 20, "fine"), (24, 24, "one line below the hunk"))
    assert caught.value.status == 422
    assert not list(pull.get_review_comments())
    assert set(review(pull, (17, 17, "first line shown"), (23, 23, "last one"))) == {17, 23}
