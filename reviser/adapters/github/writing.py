"""Write comments, reviews, reactions and check runs."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal

from reviser.adapters.github.client import Connected, understood
from reviser.adapters.github.faults import Absent
from reviser.deliver.forge import Annotation, CheckRun, Comment

MOST_COMMENTS = 30
"""In one review, as reviewers of many tools have found GitHub to take."""
_PORTION = 50  # annotations in one request
_OUTPUT = 65_535  # characters of a check run's summary
_TITLE = 255
_MESSAGE = 60_000


class Writing(Connected):
    """Comments and reports; every method may raise a ForgeError, and is sent once."""

    def review(self, number: int, commit: str, comments: Sequence[Comment]) -> None:
        """Post one review with at most 30 comments; ValueError for more, or none."""
        if not 0 < len(comments) <= MOST_COMMENTS:
            raise ValueError(f"a review has 1 to {MOST_COMMENTS} comments, not {len(comments)}")
        given = {"commit_id": commit, "event": "COMMENT", "comments": review_comments(comments)}
        what = f"take a review of pull request {number}"
        self._client.send("POST", f"pulls/{number}/reviews", given, what)

    def file_comment(self, number: int, commit: str, path: str, body: str) -> None:
        """Comment on a file of the pull request as a whole."""
        given = {"commit_id": commit, "path": path, "body": body, "subject_type": "file"}
        self._client.send("POST", f"pulls/{number}/comments", given, f"take a comment on {path}")

    def reply(self, number: int, comment: int, body: str) -> None:
        """Answer in the thread that review comment `comment` opened."""
        path = f"pulls/{number}/comments/{comment}/replies"
        what = f"take an answer on pull request {number}"
        self._client.send("POST", path, {"body": body}, what)

    def retire(self, comment: int) -> None:
        """Delete one of our review comments; one that is gone already is no error."""
        with suppress(Absent):
            self._client.send("DELETE", f"pulls/comments/{comment}", None, "delete a comment")

    def remark(self, number: int, body: str) -> int:
        """Write a comment into the conversation; its id."""
        what = f"take a comment on pull request {number}"
        told = self._client.send("POST", f"issues/{number}/comments", {"body": body}, what)
        with understood(what):
            return int(told["id"])

    def rewrite(self, remark: int, body: str) -> None:
        """Put new text into one of our conversation comments."""
        what = "take a comment's new text"
        self._client.send("PATCH", f"issues/comments/{remark}", {"body": body}, what)

    def react(self, remark: int, content: Literal["+1", "confused", "eyes"]) -> None:
        """Put a reaction on somebody's conversation comment."""
        path = f"issues/comments/{remark}/reactions"
        self._client.send("POST", path, {"content": content}, "take a reaction")

    def check(self, head: str, run: CheckRun) -> None:
        """Report a check run, its annotations in portions of 50."""
        first, *others = _portions(run.annotations)
        given = {
            "name": run.name,
            "head_sha": head,
            "status": "completed",
            "conclusion": run.conclusion.value,
            "output": _output(run, first),
        }
        what = "take a check run"
        told = self._client.send("POST", "check-runs", given, what)
        with understood(what):
            path = f"check-runs/{int(told['id'])}"
        for portion in others:
            more = {"output": _output(run, portion)}
            self._client.send("PATCH", path, more, "take more annotations of a check run")


def review_comments(comments: Sequence[Comment]) -> list[dict[str, str | int]]:
    """The comments as the API takes them, bottom-up, so that one commit of the author's does not
    move the lines of the next; `start_line` only where there are several lines."""
    given: list[dict[str, str | int]] = []
    for comment in sorted(comments, key=lambda c: (c.path, -c.last, -c.first)):
        one: dict[str, str | int] = {
            "path": comment.path,
            "body": comment.body,
            "line": comment.last,
            "side": "RIGHT",
        }
        if comment.first < comment.last:
            one["start_line"] = comment.first
            one["start_side"] = "RIGHT"
        given.append(one)
    return given


def _portions(annotations: Sequence[Annotation]) -> list[Sequence[Annotation]]:
    starts = range(0, max(len(annotations), 1), _PORTION)
    return [annotations[start : start + _PORTION] for start in starts]


def _output(run: CheckRun, annotations: Sequence[Annotation]) -> dict[str, Any]:
    return {
        "title": run.title[:_TITLE],
        "summary": run.summary[:_OUTPUT],
        "annotations": [
            {
                "path": each.path,
                "start_line": each.first,
                "end_line": each.last,
                "annotation_level": each.level,
                "title": each.title[:_TITLE],
                "message": each.message[:_MESSAGE],
            }
            for each in annotations
        ],
    }
