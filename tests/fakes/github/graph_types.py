"""GraphQL: the fields of people, repositories and pull requests, and the table of all."""

from __future__ import annotations

from typing import Any

from tests.fakes.github.graph_fields import (
    REACTABLE,
    Args,
    Field,
    get,
    login,
    mine,
    of,
    time,
    url,
)
from tests.fakes.github.graph_said import GROUP, REACTION, REVIEW, REVIEW_COMMENT, SAID, THREAD
from tests.fakes.github.graphed import Asker, GitObject, GraphRefused, Ref, Viewer
from tests.fakes.github.model import (
    Pull,
    Review,
    Thread,
    stamp,
)
from tests.fakes.github.repository import Repository
from tests.fakes.github.store import Signature

# -- people and repositories

_USER: dict[str, Field] = {
    "id": get("node_id"),
    "databaseId": get("id"),
    "login": of(login),
    "name": of(lambda _user: None),
    "email": of(lambda _user: ""),
    "url": url("user"),
    "isViewer": lambda asker, user, _args: asker.user is user,
}


def _of_viewer(read: Field) -> Field:
    return lambda asker, source, args: read(asker, getattr(source, "user", source), args)


_VIEWER: dict[str, Field] = {
    **{key: _of_viewer(read) for key, read in _USER.items()},
    # A viewer is told with the whole name, even a bot.
    "login": _of_viewer(get("login")),
}


def _repository(asker: Asker, args: Args) -> Repository:
    return asker.find(f"{args['owner']}/{args['name']}")


def _pull(_asker: Asker, repository: Repository, args: Args) -> Pull:
    found = repository.pulls.get(args["number"])
    if found is None:
        raise GraphRefused(
            "NOT_FOUND", f"Could not resolve to a PullRequest with the number of {args['number']}."
        )
    return found


def _pulls(asker: Asker, repository: Repository, args: Args) -> list[Pull]:
    found = list(repository.pulls.values())
    states, head, base = args.get("states"), args.get("headRefName"), args.get("baseRefName")
    order = args.get("orderBy") or {"field": "CREATED_AT", "direction": "ASC"}
    found.sort(
        key=lambda p: p.updated if order["field"] == "UPDATED_AT" else p.number,
        reverse=order["direction"] == "DESC",
    )
    return [
        p
        for p in found
        if (not states or _pull_state(p) in states)
        and head in {None, p.head_branch}
        and base in {None, p.base_branch}
    ]


def _pull_state(pull: Pull) -> str:
    return "MERGED" if pull.merged is not None else pull.state.upper()


def _ref(repository: Repository, name: str) -> Ref | None:
    short = name.removeprefix("refs/heads/")
    sha = repository.tip(short)
    return None if sha is None else Ref(repository, short, sha)


def _object(_asker: Asker, repository: Repository, args: Args) -> GitObject | None:
    store = repository.store
    if args.get("oid"):
        found = store.resolve(args["oid"])
        return GitObject(repository, "Commit", found) if found else None
    name, colon, path = (args.get("expression") or "").partition(":")
    commit = store.resolve(name)
    if commit is None or not colon:
        return GitObject(repository, "Commit", commit) if commit else None
    blob = next((b for b in store.tree(commit) if b.path == path), None)
    return GitObject(repository, "Blob", blob.sha) if blob else None


def _viewer_permission(asker: Asker, repository: Repository, _args: Args) -> str | None:
    if asker.token is None:
        return None
    if asker.token.is_app:
        return "WRITE" if asker.token.may("contents", "write") else "READ"
    told = repository.permission(asker.token.user.login)
    return None if told == "none" else told.upper()


_REPOSITORY: dict[str, Field] = {
    "id": get("node_id"),
    "databaseId": get("id"),
    "name": get("name"),
    "nameWithOwner": get("full_name"),
    "owner": lambda asker, repository, _args: asker.fake.user(repository.owner),
    "isFork": of(lambda r: r.parent is not None),
    "isPrivate": get("private"),
    "url": lambda asker, r, _args: f"{asker.fake.server_url}/{r.full_name}",
    "viewerPermission": _viewer_permission,
    "defaultBranchRef": of(lambda r: _ref(r, r.default_branch)),
    "ref": lambda _asker, r, args: _ref(r, args["qualifiedName"]),
    "object": _object,
    "pullRequest": _pull,
    "pullRequests": _pulls,
}

# -- git


def _facts(found: GitObject) -> Any:
    return found.repository.store.facts(found.sha)


def _actor(found: GitObject, signature: Signature) -> dict[str, Any]:
    user = found.repository.fake.by_email(signature.email)
    return {
        "name": signature.name,
        "email": signature.email,
        "date": stamp(signature.when),
        "user": user if user is not None and user.kind == "User" else None,
    }


def _parents(found: GitObject) -> list[GitObject]:
    return [GitObject(found.repository, "Commit", sha) for sha in _facts(found).parents]


_COMMIT: dict[str, Field] = {
    "id": of(lambda c: f"C_{c.sha}"),
    "oid": get("sha"),
    "abbreviatedOid": of(lambda c: c.sha[:7]),
    "message": of(lambda c: _facts(c).message),
    "messageHeadline": of(lambda c: _facts(c).message.partition("\n")[0]),
    "messageBody": of(lambda c: _facts(c).message.partition("\n\n")[2]),
    "committedDate": of(lambda c: stamp(_facts(c).committer.when)),
    "authoredDate": of(lambda c: stamp(_facts(c).author.when)),
    "author": of(lambda c: _actor(c, _facts(c).author)),
    "authors": of(lambda c: [_actor(c, _facts(c).author)]),
    "committer": of(lambda c: _actor(c, _facts(c).committer)),
    "parents": of(_parents),
    "url": lambda asker, c, _args: (
        f"{asker.fake.server_url}/{c.repository.full_name}/commit/{c.sha}"
    ),
}
_BLOB: dict[str, Field] = {
    "id": of(lambda b: f"B_{b.sha}"),
    "oid": get("sha"),
    "byteSize": of(lambda b: len(b.repository.store.data(b.sha))),
    "isBinary": of(lambda b: b"\0" in b.repository.store.data(b.sha)),
    "isTruncated": of(lambda _blob: False),
    "text": of(lambda b: b.repository.store.data(b.sha).decode("utf-8", "replace")),
}
_REF: dict[str, Field] = {
    "id": of(lambda r: f"REF_{r.repository.id}_{r.name}"),
    "name": get("name"),
    "prefix": of(lambda _ref: "refs/heads/"),
    "target": of(lambda r: GitObject(r.repository, "Commit", r.sha)),
    "repository": get("repository"),
}

# -- pull requests


def _head_ref(pull: Pull) -> Ref | None:
    return _ref(pull.head_repository, pull.head_branch) if pull.head_repository else None


def _commits(pull: Pull) -> list[dict[str, Any]]:
    store, base = pull.repository.store, pull.repository.merge_base(pull)
    return [
        {"id": f"PRC_{sha}", "commit": GitObject(pull.repository, "Commit", sha)}
        for sha in store.between(base, pull.head)
    ]


def _changed(pull: Pull) -> list[dict[str, Any]]:
    kinds = {"removed": "DELETED"}
    return [
        {
            "path": file.path,
            "additions": file.additions,
            "deletions": file.deletions,
            "changeType": kinds.get(file.status, file.status.upper()),
        }
        for file in pull.repository.files(pull)
    ]


def _labels(pull: Pull) -> list[dict[str, Any]]:
    return [{"id": f"LA_{name}", "name": name, "color": "ededed"} for name in pull.labels]


def _queue(pull: Pull) -> dict[str, Any] | None:
    entry = {"id": f"MQE_{pull.id}", "position": 1, "state": "QUEUED"}
    return {**entry, "enqueuedAt": stamp(pull.updated)} if pull.queued else None


def _threads(pull: Pull) -> list[Thread]:
    return [t for t in pull.threads if t.comments[0].review.state != "PENDING"]


def _reviews(_asker: Asker, pull: Pull, args: Args) -> list[Review]:
    states, author = args.get("states"), args.get("author")
    return [
        r
        for r in pull.reviews
        if r.state != "PENDING"
        and (not states or r.state in states)
        and author in {None, r.user.login}
    ]


_PULL: dict[str, Field] = {
    "id": get("node_id"),
    "databaseId": get("id"),
    "fullDatabaseId": of(lambda p: str(p.id)),
    "number": get("number"),
    "state": of(_pull_state),
    "isDraft": get("draft"),
    "locked": get("locked"),
    "closed": of(lambda p: p.state == "closed"),
    "merged": of(lambda p: p.merged is not None),
    "mergedAt": time("merged"),
    "closedAt": time("closed"),
    "createdAt": time("created"),
    "updatedAt": time("updated"),
    "isInMergeQueue": get("queued"),
    "mergeQueueEntry": of(_queue),
    "isCrossRepository": of(lambda p: p.head_repository is not p.repository),
    "author": get("author"),
    "title": get("title"),
    "body": of(lambda p: p.body or ""),
    "url": url("pull_simple"),
    "headRefName": get("head_branch"),
    "headRefOid": get("head"),
    "headRef": of(_head_ref),
    "headRepository": get("head_repository"),
    "headRepositoryOwner": lambda asker, p, _args: (
        asker.fake.user(p.head_repository.owner) if p.head_repository else None
    ),
    "baseRefName": get("base_branch"),
    "baseRefOid": get("base"),
    "baseRef": of(lambda p: _ref(p.repository, p.base_branch)),
    "baseRepository": get("repository"),
    "labels": of(_labels),
    "comments": get("remarks"),
    "reviewThreads": of(_threads),
    "reviews": _reviews,
    "commits": of(_commits),
    "files": of(_changed),
    "changedFiles": of(lambda p: len(_changed(p))),
    "additions": of(lambda p: sum(f["additions"] for f in _changed(p))),
    "deletions": of(lambda p: sum(f["deletions"] for f in _changed(p))),
    "viewerDidAuthor": mine,
    "maintainerCanModify": of(lambda _pull: False),
    **REACTABLE,
}


def node(asker: Asker, number: str) -> Any:
    """Anything by its id. Raises GraphRefused (NOT_FOUND)."""
    for repository in asker.fake.repositories.values():
        if not asker.may_see(repository):
            continue
        for pull in repository.pulls.values():
            said = [c for t in pull.threads for c in t.comments]
            known: list[Any] = [pull, *pull.remarks, *pull.reviews, *pull.threads, *said]
            for found in known:
                if found.node_id == number:
                    return found
        if repository.node_id == number:
            return repository
    raise GraphRefused("NOT_FOUND", f"Could not resolve to a node with the global id of '{number}'")


FIELDS: dict[str, dict[str, Field]] = {
    "Query": {
        "id": lambda _asker, _args: "QUERY",
        "node": lambda asker, args: node(asker, args["id"]),
        "repository": _repository,
        "viewer": lambda asker, _args: Viewer(asker.may_be()),
        "rateLimit": lambda asker, _args: asker.fake.graph_rate(),
    },
    "User": _VIEWER,
    "Bot": _USER,
    "Repository": _REPOSITORY,
    "Commit": _COMMIT,
    "Blob": _BLOB,
    "Ref": _REF,
    "PullRequest": _PULL,
    "IssueComment": {**SAID, "url": url("issue_comment")},
    "PullRequestReviewComment": REVIEW_COMMENT,
    "PullRequestReviewThread": THREAD,
    "PullRequestReview": REVIEW,
    "Reaction": REACTION,
    "ReactionGroup": GROUP,
}
