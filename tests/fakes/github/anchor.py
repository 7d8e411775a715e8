"""Where review comments sit: checked when they are made, followed when the head moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.fakes.github.hunks import FileDiff, Shown, Side, follow
from tests.fakes.github.model import Pull, ReviewComment, Thread

UNRESOLVED = "could not be resolved"


class BadPlace(Exception):  # noqa: N818 - it becomes an answer
    """A comment cannot sit there; `field` is the one GitHub names."""

    def __init__(self, field: str, message: str = UNRESOLVED) -> None:
        super().__init__(message)
        self.field, self.message = field, message


def place(comment: ReviewComment, asked: Mapping[str, Any], files: Sequence[FileDiff]) -> None:
    """Put a new comment where the request asks. Raises BadPlace.

    OpenAPI lets pass what is refused here: a line outside the hunks, line 0, a range that is not
    one, two sides, two hunks.
    """
    found = next((f for f in files if f.path == asked["path"]), None)
    if found is None:
        raise BadPlace("path")
    if asked.get("subject_type") == "file":
        comment.subject = "file"
        return
    if found.binary:
        raise BadPlace("path", "is binary")
    side = _side(asked.get("side", "RIGHT"), "side")
    if "line" not in asked:
        shown = found.by_position(asked.get("position", 0))
        if shown is None:
            raise BadPlace("position", "is invalid")
        side = "LEFT" if shown.mark == b"-" else "RIGHT"
        line: int = shown.old if side == "LEFT" else shown.new
    else:
        line = asked["line"]
        at = found.at(side, line)
        if at is None:
            raise BadPlace("line")
        shown = at
    start = asked.get("start_line")
    if start is not None:
        if _side(asked.get("start_side", side), "start_side") != side:
            raise BadPlace("start_side", "must be the side of the line")
        first = found.at(side, start)
        if start >= line:
            raise BadPlace("start_line", "must precede the end line.")
        if first is None or first.hunk != shown.hunk:
            raise BadPlace("start_line", "must be part of the same hunk as the line.")
    comment.side = side
    comment.line = comment.original_line = line
    comment.start_line = comment.original_start_line = start
    comment.position = comment.original_position = shown.position
    comment.diff_hunk = found.excerpt(shown)


def _side(told: object, field: str) -> Side:
    if told == "LEFT":
        return "LEFT"
    if told == "RIGHT":
        return "RIGHT"
    raise BadPlace(field, "is not included in the list")


def reanchor(pull: Pull, files: Sequence[FileDiff]) -> None:
    """After a push: threads whose lines still stand, and are shown, keep them; others become
    outdated and lose line and position. It is always the original place that is followed."""
    for thread in pull.threads:
        _reanchor_thread(pull, thread, {f.path: f for f in files})


def _reanchor_thread(pull: Pull, thread: Thread, files: Mapping[str, FileDiff]) -> None:
    opened = thread.comments[0]
    found = files.get(opened.path)
    if opened.subject == "file":
        thread.outdated = found is None
        return
    line, start, shown = _now(pull, opened, found)
    thread.outdated = shown is None
    for comment in thread.comments:
        comment.line, comment.start_line = line, start
        comment.position = None if shown is None else shown.position
        if shown is not None:
            comment.commit = pull.head


def _now(
    pull: Pull, opened: ReviewComment, found: FileDiff | None
) -> tuple[int | None, int | None, Shown | None]:
    gone = (None, None, None)
    if found is None or opened.original_line is None:
        return gone
    store = pull.repository.store
    base = pull.repository.merge_base(pull)
    if opened.side == "RIGHT":
        moved = follow(store, opened.original_commit, pull.head, opened.path)
    else:
        before = store.merge_base(base, opened.original_commit) or base
        moved = follow(store, before, base, found.old_path)
    if moved is None:
        return gone
    first = opened.original_start_line or opened.original_line
    told = [moved(n) for n in range(first, opened.original_line + 1)]
    lines = [n for n in told if n is not None]
    if len(lines) < len(told) or lines[-1] - lines[0] != len(lines) - 1:
        return gone
    shown = found.at(opened.side, lines[-1])
    if shown is None:
        return gone
    start = lines[0] if opened.original_start_line is not None else None
    return lines[-1], start, shown
