"""A paper of forty lines on a fake GitHub, with a pull request that changes the twentieth."""

import pytest

from tests.fakes.github.asking import Asking
from tests.fakes.github.fixture import github

__all__ = ["github"]


def lines(changed=(), *, end=b"\n"):
    """Forty lines "line N", some of them replaced: `lines({20: "other"})`."""
    changed = dict(changed)
    text = [changed.get(n, f"line {n}").encode() + end for n in range(1, 41)]
    return b"".join(text)


@pytest.fixture(name="lines")
def _lines():
    return lines


@pytest.fixture
def paper(github):
    paper = github.repository("ada/survey")
    paper.commit("main", {"paper.tex": lines(), "other.tex": b"untouched\n"})
    paper.branch("topic")
    paper.commit("topic", {"paper.tex": lines({20: "line 20!"})}, author="eve")
    paper.open_pull("topic", author="eve")
    return paper


@pytest.fixture
def pull(paper):
    return paper.pulls[1]


@pytest.fixture
def bot(github, paper):
    """Asks with the token that a workflow of this repository gets."""
    asking = Asking(github, github.token("ada/survey"), "ada/survey")
    yield asking
    asking.close()


@pytest.fixture
def asking(github, paper):
    """Makes further askers: `asking(user="eve")`, `asking(read_only=True)`, `asking(None)`."""
    made = []

    def make(*nobody, **told):
        whose = () if told.get("user") else ("ada/survey",)
        token = "" if nobody else github.token(*whose, **told)
        made.append(Asking(github, token, "ada/survey"))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def review(bot, pull):
    """Posts a review; each comment is (first, last, body). The answer, and the comments by their
    last line."""

    def post(*comments, path="paper.tex", asker=bot, **more):
        told = [
            {"path": path, "body": body, "line": last, "side": "RIGHT"}
            | ({} if first == last else {"start_line": first, "start_side": "RIGHT"})
            for first, last, body in comments
        ]
        head = more.pop("commit_id", pull.head)
        heard = asker(
            "POST", "/pulls/1/reviews", commit_id=head, event="COMMENT", comments=told, **more
        )
        return heard, {c.original_line: c for c in pull.comments}

    return post
