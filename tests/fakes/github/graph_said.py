"""GraphQL: the fields of comments, threads, reviews and reactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fakes.github.graph_fields import (
    CONTENTS,
    MINIMIZABLE,
    REACTABLE,
    Args,
    Field,
    get,
    mine,
    of,
    time,
    url,
)
from tests.fakes.github.graphed import Asker, GitObject, GraphRefused, Viewer
from tests.fakes.github.model import (
    Refused,
    Thread,
    User,
    stamp,
)

# -- what was said


SAID: dict[str, Field] = {
    "id": get("node_id"),
    "databaseId": get("id"),
    "fullDatabaseId": of(lambda c: str(c.id)),
    "author": get("user"),
    "authorAssociation": of(lambda c: c.pull.repository.association(c.user)),
    "body": get("body"),
    "createdAt": time("created"),
    "updatedAt": time("updated"),
    "lastEditedAt": of(lambda c: stamp(c.updated) if c.updated != c.created else None),
    "viewerDidAuthor": mine,
    **REACTABLE,
    **MINIMIZABLE,
}


def commit_of(sha: Callable[[Any], str]) -> Field:
    return of(lambda c: GitObject(c.pull.repository, "Commit", sha(c)))


REVIEW_COMMENT: dict[str, Field] = {
    **SAID,
    "url": url("review_comment"),
    "path": get("path"),
    "line": get("line"),
    "startLine": get("start_line"),
    "originalLine": get("original_line"),
    "originalStartLine": get("original_start_line"),
    "position": of(lambda c: c.position or 0),
    "outdated": of(lambda c: c.pull.repository.thread(c).outdated),
    "subjectType": of(lambda c: c.subject.upper()),
    "diffHunk": get("diff_hunk"),
    "commit": commit_of(lambda c: c.commit),
    "originalCommit": commit_of(lambda c: c.original_commit),
    "replyTo": get("reply_to"),
}


def _may_resolve(asker: Asker, thread: Thread, _args: Args) -> bool:
    try:
        may_resolve(asker, thread)
    except (GraphRefused, Refused):
        return False
    return True


def may_resolve(asker: Asker, thread: Thread) -> User:
    """Whoever asks, if allowed to resolve. An app needs to write contents, oddly."""
    pull = thread.comments[0].pull
    return asker.may(pull.repository, "contents", own=asker.user is pull.author)


def _opened(read: Field) -> Field:
    return lambda asker, thread, args: read(asker, thread.comments[0], args)


THREAD: dict[str, Field] = {
    "id": get("node_id"),
    **{
        key: _opened(REVIEW_COMMENT[key])
        for key in ("path", "line", "startLine", "originalLine", "originalStartLine", "subjectType")
    },
    "diffSide": of(lambda t: t.comments[0].side),
    "startDiffSide": of(
        lambda t: t.comments[0].side if t.comments[0].original_start_line else None
    ),
    "isResolved": of(lambda t: t.resolved_by is not None),
    "resolvedBy": of(lambda t: Viewer(t.resolved_by) if t.resolved_by is not None else None),
    "isOutdated": get("outdated"),
    "isCollapsed": of(lambda t: t.outdated or t.resolved_by is not None),
    "comments": get("comments"),
    "viewerCanResolve": _may_resolve,
    "viewerCanReply": of(lambda t: not t.comments[0].pull.locked),
}
REVIEW: dict[str, Field] = {
    **{
        key: SAID[key]
        for key in ("id", "databaseId", "fullDatabaseId", "author", "body", "viewerDidAuthor")
    },
    **REACTABLE,
    **MINIMIZABLE,
    "state": get("state"),
    "submittedAt": time("submitted"),
    "commit": commit_of(lambda r: r.commit),
    "url": url("review"),
    "comments": of(lambda r: [c for c in r.pull.comments if c.review is r]),
}
REACTION: dict[str, Field] = {
    "id": get("node_id"),
    "databaseId": get("id"),
    "content": of(lambda r: CONTENTS[r.content]),
    "createdAt": time("created"),
    "user": of(lambda r: Viewer(r.user)),
}
GROUP: dict[str, Field] = {
    "content": get("content"),
    "createdAt": of(lambda _group: None),
    "reactors": get("users"),
}
