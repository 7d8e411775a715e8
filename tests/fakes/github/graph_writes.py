"""GraphQL: what changes something."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from tests.fakes.github.graph_fields import CONTENTS
from tests.fakes.github.graph_said import may_resolve
from tests.fakes.github.graph_types import node
from tests.fakes.github.graphed import Asker, GitObject, GraphRefused, Ref
from tests.fakes.github.model import IssueComment, Refused, ReviewComment, Thread
from tests.fakes.github.repository import Repository
from tests.fakes.github.store import Content, Signature

_CLASSIFIERS = {
    "ABUSE": "abuse",
    "DUPLICATE": "duplicate",
    "OFF_TOPIC": "off-topic",
    "OUTDATED": "outdated",
    "RESOLVED": "resolved",
    "SPAM": "spam",
}


def _commit(asker: Asker, told: Mapping[str, Any]) -> dict[str, Any]:
    """One commit on a branch, only if the branch is where the asker believes it to be."""
    branch = told["branch"]
    repository, name = _branch(asker, branch)
    user = asker.may(repository, "contents")
    tip = repository.tip(name)
    if tip is None:
        raise GraphRefused("NOT_FOUND", f"Could not resolve to a branch named '{name}'.")
    expected = told["expectedHeadOid"]
    if expected != tip:
        message = f'Expected branch to point to "{expected}" but it did not. Pull and try again.'
        raise GraphRefused("STALE_DATA", message)
    if name in repository.protected:
        raise GraphRefused("FORBIDDEN", "Changes must be made through a pull request.")
    changes = _changes(repository, tip, told.get("fileChanges") or {})
    said = told["message"]
    message = said["headline"] + (f"\n\n{said['body']}" if said.get("body") else "")
    author = repository.signature(user)
    github = Signature("GitHub", "noreply@github.com", author.when)
    sha = repository.store.commit(
        changes, parents=(tip,), message=message, author=author, committer=github
    )
    repository.move(name, sha, user)
    return {"commit": GitObject(repository, "Commit", sha), "ref": Ref(repository, name, sha)}


def _branch(asker: Asker, told: Mapping[str, Any]) -> tuple[Repository, str]:
    if told.get("id"):
        for repository in asker.fake.repositories.values():
            for ref in repository.store.refs("refs/heads/"):
                short = ref.removeprefix("refs/heads/")
                if f"REF_{repository.id}_{short}" == told["id"] and asker.may_see(repository):
                    return repository, short
        raise GraphRefused("NOT_FOUND", f"Could not resolve to a node '{told['id']}'")
    if not told.get("repositoryNameWithOwner") or not told.get("branchName"):
        raise GraphRefused("UNPROCESSABLE", "A branch needs an id, or a repository and a name.")
    repository = asker.find(told["repositoryNameWithOwner"])
    return repository, told["branchName"].removeprefix("refs/heads/")


def _changes(repository: Repository, tip: str, told: Mapping[str, Any]) -> dict[str, Content]:
    known = {blob.path for blob in repository.store.tree(tip)}
    changes: dict[str, Content] = {}
    for gone in told.get("deletions") or ():
        if gone["path"] not in known:
            message = (
                "A path was requested for deletion which does not exist as of commit oid "
                f"`{tip}`: {gone['path']}"
            )
            raise GraphRefused("UNPROCESSABLE", message)
        changes[gone["path"]] = None
    for new in told.get("additions") or ():
        path = new["path"]
        parts = path.split("/")
        if path in changes or not path or {"", ".", "..", ".git"} & {p.lower() for p in parts}:
            raise GraphRefused("UNPROCESSABLE", f"The path {path!r} is not valid.")
        try:
            changes[path] = base64.b64decode(new["contents"], validate=True)
        except binascii.Error:
            raise GraphRefused("UNPROCESSABLE", "contents are not valid Base64") from None
    return changes


def _resolve(asker: Asker, told: Mapping[str, Any]) -> dict[str, Any]:
    thread = _thread(asker, told)
    thread.resolved_by = may_resolve(asker, thread)
    return {"thread": thread}


def _unresolve(asker: Asker, told: Mapping[str, Any]) -> dict[str, Any]:
    thread = _thread(asker, told)
    may_resolve(asker, thread)
    thread.resolved_by = None
    return {"thread": thread}


def _thread(asker: Asker, told: Mapping[str, Any]) -> Thread:
    found = node(asker, told["threadId"])
    if not isinstance(found, Thread):
        raise GraphRefused("NOT_FOUND", f"{told['threadId']} is no review thread")
    return found


def _said(asker: Asker, told: Mapping[str, Any]) -> IssueComment | ReviewComment:
    found = node(asker, told["subjectId"])
    if not isinstance(found, IssueComment | ReviewComment):
        raise GraphRefused("NOT_FOUND", f"{told['subjectId']} is no comment")
    return found


def _minimize(asker: Asker, told: Mapping[str, Any]) -> dict[str, Any]:
    found = _said(asker, told)
    asker.may(found.pull.repository, "issues", "pull-requests", own=asker.user is found.user)
    found.minimized = _CLASSIFIERS.get(told["classifier"], "outdated")
    return {"minimizedComment": found}


def _react(asker: Asker, told: Mapping[str, Any]) -> dict[str, Any]:
    found = _said(asker, told)
    user = asker.may(found.pull.repository, "issues", "pull-requests", own=True)
    content = next(key for key, name in CONTENTS.items() if name == told["content"])
    try:
        reaction, _ = asker.fake.reacted(found, user, content)
    except Refused as error:
        raise GraphRefused("UNPROCESSABLE", error.message) from None
    return {"reaction": reaction, "subject": found}


MUTATIONS: dict[str, Callable[[Asker, Mapping[str, Any]], dict[str, Any]]] = {
    "createCommitOnBranch": _commit,
    "resolveReviewThread": _resolve,
    "unresolveReviewThread": _unresolve,
    "minimizeComment": _minimize,
    "addReaction": _react,
}
