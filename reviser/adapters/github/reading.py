"""Read a pull request and what belongs to it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from reviser.adapters.github import documents
from reviser.adapters.github.client import Client, Connected, quoted, understood
from reviser.adapters.github.faults import Absent
from reviser.deliver.forge import ForgeError, PullRequest, Remark, Thread
from reviser.text.patch import FilePatch, parse_hunks

_MOST_ROUNDS = 50  # of a hundred threads and a hundred comments each
_STATES: Mapping[str, Literal["open", "closed", "merged"]] = {
    "OPEN": "open",
    "CLOSED": "closed",
    "MERGED": "merged",
}
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,60}(\[bot\])?")
_WRITERS = frozenset({"admin", "maintain", "write"})


class Reading(Connected):
    """What is asked; every method may raise a ForgeError."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self._writers: dict[str, bool] = {}
        self._me: str | None = None

    @property
    def me(self) -> str:
        """The login of whoever the token belongs to."""
        if self._me is None:
            what = "say whose token this is"
            told = self._client.query(documents.VIEWER, {}, what)
            with understood(what):
                self._me = str(told["viewer"]["login"])
        return self._me

    def pull(self, number: int) -> PullRequest:
        """Everything about a pull request; one request for each hundred threads or comments."""
        owner, _, name = self._client.repository.partition("/")
        what = f"tell about pull request {number}"
        threads: list[Thread] = []
        remarks: list[Remark] = []
        asked: dict[str, Any] = {"threads": True, "remarks": True}
        for _ in range(_MOST_ROUNDS):
            given = {"owner": owner, "name": name, "number": number, **asked}
            told = self._client.query(documents.PULL, given, what)
            with understood(what):
                me = self._me = str(told["viewer"]["login"])
                facts = told["repository"]["pullRequest"]
                threads += [_thread(each, me) for each in _nodes(facts, "reviewThreads")]
                remarks += [_remark(each, me) for each in _nodes(facts, "comments")]
                asked = _further(facts)
                if not asked["threads"] and not asked["remarks"]:
                    return _pull(self._client.repository, number, facts, threads, remarks)
        raise ForgeError(f"pull request {number} has more comments than are read")

    def patches(self, number: int) -> Sequence[FilePatch]:
        """The pull request's diff as GitHub tells it; large files come without their hunks."""
        what = f"list the files of pull request {number}"
        told = self._client.pages(f"pulls/{number}/files", what)
        with understood(what):
            return tuple(_patch(each) for each in told)

    def find_pull(self, *, repository: str, branch: str, head: str) -> int | None:
        """The open pull request from that branch of `repository` whose head is `head`."""
        owner = repository.partition("/")[0]
        what = f"list the pull requests from {repository}"
        told = self._client.pages("pulls", what, state="open", head=f"{owner}:{branch}")
        with understood(what):
            for each in told:
                side = each["head"]
                there = (side.get("repo") or {}).get("full_name", "")
                same = there.casefold() == repository.casefold() and side["ref"] == branch
                if same and side["sha"] == head:
                    return int(each["number"])
        return None

    def merge_base(self, base: str, head: str) -> str:
        """The commit where the two parted."""
        what = f"compare {base[:12]} with {head[:12]}"
        path = f"compare/{quoted(base)}...{quoted(head)}"
        told = self._client.get(path, what, per_page=1)
        with understood(what):
            return str(told["merge_base_commit"]["sha"])

    def tip(self, branch: str) -> str | None:
        """The commit a branch of this repository is at, None when there is no such branch."""
        what = f"find the branch {branch}"
        try:
            told = self._client.get(f"git/ref/heads/{quoted(branch)}", what)
        except Absent:
            return None
        with understood(what):
            return str(told["object"]["sha"])

    def may_write(self, login: str) -> bool:
        """Whether this person has write, maintain or admin permission; answers are kept."""
        if not _LOGIN.fullmatch(login):
            return False
        known = self._writers.get(login.casefold())
        if known is None:
            known = self._permission(login) in _WRITERS
            self._writers[login.casefold()] = known
        return known

    def _permission(self, login: str) -> str:
        what = f"say what {login} may do here"
        try:
            told = self._client.get(f"collaborators/{quoted(login)}/permission", what)
        except Absent:
            return "none"
        with understood(what):
            return str(told["permission"])


def _nodes(facts: Any, name: str) -> list[Any]:
    return [each for each in (facts.get(name) or {}).get("nodes") or [] if each]


def _further(facts: Any) -> dict[str, Any]:
    """Which of the two lists go on, and from where."""
    asked: dict[str, Any] = {}
    for name, field in (("threads", "reviewThreads"), ("remarks", "comments")):
        page = (facts.get(field) or {}).get("pageInfo") or {}
        asked[name] = bool(page.get("hasNextPage"))
        if asked[name]:
            asked[f"{name}After"] = page["endCursor"]
    return asked


def _pull(
    repository: str, number: int, facts: Any, threads: list[Thread], remarks: list[Remark]
) -> PullRequest:
    # `baseRefOid` is the tip the base branch had when the head was last pushed; the branch itself
    # tells where it is now, unless it was deleted.
    base = ((facts["baseRef"] or {}).get("target") or {}).get("oid") or facts["baseRefOid"]
    return PullRequest(
        repository=repository,
        number=number,
        state=_STATES[facts["state"]],
        draft=bool(facts["isDraft"]),
        locked=bool(facts["locked"]),
        queued=bool(facts["isInMergeQueue"]),
        author=_login(facts["author"]),
        labels=tuple(str(each["name"]) for each in _nodes(facts, "labels")),
        head=str(facts["headRefOid"]),
        head_branch=str(facts["headRefName"]),
        head_repository=str((facts["headRepository"] or {}).get("nameWithOwner", "")),
        base=str(base),
        base_branch=str(facts["baseRefName"]),
        threads=tuple(threads),
        remarks=tuple(remarks),
    )


def _thread(facts: Any, me: str) -> Thread:
    remarks = [_remark(each, me) for each in _nodes(facts, "comments")]
    first = _nodes(facts, "opening")
    if remarks and first:
        opening = _remark({**_nodes(facts, "comments")[0], **first[0]}, me)
        remarks[0] = opening
    line = facts["line"]
    return Thread(
        id=str(facts["id"]),
        path=str(facts["path"]),
        line=None if line is None else int(line),
        resolved=bool(facts["isResolved"]),
        resolved_by=_login(facts["resolvedBy"]),
        outdated=bool(facts["isOutdated"]),
        remarks=tuple(remarks),
    )


def _remark(facts: Any, me: str) -> Remark:
    downs = (_login(each.get("user")) for each in _nodes(facts, "reactions"))
    return Remark(
        id=int(facts["fullDatabaseId"]),
        body=str(facts["body"]),
        ours=bool(facts["viewerDidAuthor"]),
        author=_login(facts["author"]),
        url=str(facts["url"]),
        downs=tuple(login for login in downs if login and _bare(login) != _bare(me)),
    )


def _login(actor: Any) -> str:
    """ "" for somebody whose account is gone."""
    return str(actor["login"]) if actor else ""


def _bare(login: str) -> str:
    # REST and the viewer say "github-actions[bot]" where an author is "github-actions".
    return login.casefold().removesuffix("[bot]")


def _patch(facts: Any) -> FilePatch:
    path = str(facts["filename"])
    told = facts.get("patch")
    renamed = facts["status"] == "renamed"
    status: Literal["added", "removed", "modified", "renamed"] = "modified"
    match facts["status"]:
        case "added" | "copied":
            status = "added"
        case "removed":
            status = "removed"
        case "renamed":
            status = "renamed"
    return FilePatch(
        path=path,
        old_path=str(facts.get("previous_filename") or path) if renamed else path,
        status=status,
        hunks=parse_hunks(told) if told else (),
        binary=told is None and not (renamed and not facts.get("changes")),
    )
