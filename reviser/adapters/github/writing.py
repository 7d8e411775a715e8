"""Write comments, reviews, reactions and check runs."""

from collections.abc import Sequence
from typing import Any, Literal

from github.Commit import Commit
from github.PullRequest import ReviewComment

from reviser.adapters.github.client import Connected
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
        pull = self._client.repo.get_pull(number)
        given = review_comments(comments)
        self._client.write(
            f"take a review of pull request {number}",
            lambda: pull.create_review(self._commit(commit), event="COMMENT", comments=given),
        )

    def file_comment(self, number: int, commit: str, path: str, body: str) -> None:
        """Comment on a file of the pull request as a whole."""
        pull = self._client.repo.get_pull(number)
        self._client.write(
            f"take a comment on {path}",
            lambda: pull.create_review_comment(body, commit, path, subject_type="file"),
        )

    def reply(self, number: int, comment: int, body: str) -> None:
        """Answer in the thread that review comment `comment` opened."""
        pull = self._client.repo.get_pull(number)
        self._client.write(
            f"take an answer on pull request {number}",
            lambda: pull.create_review_comment_reply(comment, body),
        )

    def retire(self, comment: int) -> None:
        """Delete one of our review comments; one that is gone already is no error."""
        # Any number will do: a comment's address does not hold its pull request's.
        held = self._client.repo.get_pull(1).get_review_comment(comment)
        try:
            self._client.write("delete a comment", held.delete)
        except Absent:
            return

    def remark(self, number: int, body: str) -> int:
        """Write a comment into the conversation; its id."""
        issue = self._client.repo.get_issue(number)
        what = f"take a comment on pull request {number}"
        return int(self._client.write(what, lambda: issue.create_comment(body)).id)

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
        repo = self._client.repo
        made = self._client.write(
            "take a check run",
            lambda: repo.create_check_run(
                name=run.name,
                head_sha=head,
                status="completed",
                conclusion=run.conclusion.value,
                output=_output(run, first),
            ),
        )
        for portion in others:
            given = {"output": _output(run, portion)}
            path = f"check-runs/{made.id}"
            self._client.send("PATCH", path, given, "take more annotations of a check run")

    def _commit(self, commit: str) -> Commit:
        repo = self._client.repo
        return Commit(
            repo.requester, attributes={"sha": commit, "url": f"{repo.url}/commits/{commit}"}
        )


def review_comments(comments: Sequence[Comment]) -> list[ReviewComment]:
    """The comments as the API takes them, bottom-up, so that one commit of the author's does not
    move the lines of those he commits next; `start_line` only where there are several lines."""
    given: list[ReviewComment] = []
    for comment in sorted(comments, key=lambda c: (c.path, -c.last, -c.first)):
        one: ReviewComment = {
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
