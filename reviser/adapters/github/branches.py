"""Commits, branches and pull requests of our own."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from reviser.adapters.github import documents
from reviser.adapters.github.client import quoted, understood
from reviser.adapters.github.faults import Absent
from reviser.adapters.github.reading import Reading
from reviser.deliver.forge import OwnPull, Unprocessable


class Branches(Reading):
    """What is done on branches; every method may raise a ForgeError, and is sent once."""

    def commit(self, branch: str, expected: str, message: str, files: Mapping[str, bytes]) -> str:
        """One commit with whole new contents of files, only if `branch` is at `expected`; the new
        commit's hash. Raises Moved when it is elsewhere."""
        headline, _, body = message.partition("\n")
        given = {
            "branch": {
                "repositoryNameWithOwner": self._client.repository,
                "branchName": branch,
            },
            "expectedHeadOid": expected,
            "message": {"headline": headline, "body": body.strip("\n")},
            "fileChanges": {
                "additions": [
                    {"path": path, "contents": base64.b64encode(content).decode("ascii")}
                    for path, content in sorted(files.items())
                ]
            },
        }
        what = f"take a commit on {branch}"
        told = self._client.mutate(documents.COMMIT, given, documents.COMMIT_FIELDS, what)
        with understood(what):
            return str(told["commit"]["oid"])

    def make_branch(self, name: str, commit: str) -> None:
        """Make a branch; Unprocessable when it exists."""
        given = {"ref": f"refs/heads/{name}", "sha": commit}
        self._client.send("POST", "git/refs", given, f"make the branch {name}")

    def move_branch(self, name: str, commit: str) -> None:
        """Point a branch of ours at another commit, whatever it pointed at."""
        path = f"git/refs/heads/{quoted(name)}"
        self._client.send("PATCH", path, {"sha": commit, "force": True}, f"move the branch {name}")

    def drop_branch(self, name: str) -> None:
        """Delete a branch of ours; one that is gone already is no error."""
        path = f"git/refs/heads/{quoted(name)}"
        try:
            self._client.send("DELETE", path, None, f"delete the branch {name}")
        except (Absent, Unprocessable):
            # A branch that is gone is answered like one that may not be deleted.
            if self.tip(name) is not None:
                raise

    def authors(self, base: str, head: str) -> Sequence[str]:
        """The logins (or e-mail addresses) of those who wrote the commits from base to head,
        oldest first, each once; "" stands for ourselves."""
        path = f"compare/{quoted(base)}...{quoted(head)}"
        what = f"compare {base[:12]} with {head[:12]}"
        told = self._client.pages(path, what, item="commits")
        with understood(what):
            return tuple(dict.fromkeys(self._author(each) for each in told))

    def pulls_from(self, branch: str, *, onto: str) -> Sequence[OwnPull]:
        """The pull requests ever made from a branch of this repository onto another, newest
        first."""
        owner = self._client.repository.partition("/")[0]
        what = f"list the pull requests from {branch}"
        told = self._client.pages(
            "pulls",
            what,
            state="all",
            head=f"{owner}:{branch}",
            base=onto,
            sort="created",
            direction="desc",
        )
        with understood(what):
            return tuple(self._own(each) for each in told if self._here(each, branch))

    def open_pull(self, *, branch: str, onto: str, title: str, body: str) -> OwnPull:
        """Open a pull request."""
        given = {"title": title, "body": body, "head": branch, "base": onto}
        what = f"open a pull request from {branch}"
        told = self._client.send("POST", "pulls", given, what)
        with understood(what):
            return OwnPull(
                number=int(told["number"]),
                state="open",
                title=str(told["title"]),
                body=str(told["body"] or ""),
                ours=True,
                url=str(told["html_url"]),
            )

    def rewrite_pull(self, number: int, *, title: str, body: str) -> None:
        """Put a new title and text into a pull request of ours."""
        what = f"take the new text of pull request {number}"
        self._client.send("PATCH", f"pulls/{number}", {"title": title, "body": body}, what)

    def _author(self, facts: Any) -> str:
        known = (facts.get("author") or {}).get("login")
        if known is None:
            return str(facts["commit"]["author"]["email"])
        return "" if self._is_me(known) else str(known)

    def _own(self, facts: Any) -> OwnPull:
        state: Literal["open", "closed", "merged"] = "merged" if facts["merged_at"] else "closed"
        return OwnPull(
            number=int(facts["number"]),
            state="open" if facts["state"] == "open" else state,
            title=str(facts["title"]),
            body=str(facts["body"] or ""),
            ours=self._is_me((facts["user"] or {}).get("login", "")),
            url=str(facts["html_url"]),
        )

    def _here(self, facts: Any, branch: str) -> bool:
        there = (facts["head"].get("repo") or {}).get("full_name", self._client.repository)
        same = str(there).casefold() == self._client.repository.casefold()
        return same and facts["head"]["ref"] == branch

    def _is_me(self, login: str) -> bool:
        return login.casefold() == self.me.casefold()
