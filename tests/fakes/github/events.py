"""The payloads of events, as a runner finds them in GITHUB_EVENT_PATH.

Their shapes are held to GitHub's own examples by `tests/contract/test_events.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.fakes.github.hunks import read_diff
from tests.fakes.github.model import IssueComment, Pull, Run, User, stamp
from tests.fakes.github.shapes import Json
from tests.fakes.github.store import ZERO, Signature

if TYPE_CHECKING:
    from tests.fakes.github.repository import Repository
    from tests.fakes.github.server import FakeGitHub


class Events:
    """Makes payloads of the state as it is now."""

    def __init__(self, fake: FakeGitHub) -> None:
        self._fake = fake

    def _common(self, repository: Repository, sender: User) -> Json:
        shapes = self._fake.shapes
        return {"repository": shapes.repository(repository), "sender": shapes.user(sender)}

    def pull_request(
        self, pull: Pull, action: str = "opened", *, sender: str = "", before: str = "", **more: Any
    ) -> Json:
        """A `pull_request` event; `before` is the old head of a "synchronize"."""
        by = self._fake.user(sender) if sender else pull.author
        moved = {"before": before or ZERO, "after": pull.head} if action == "synchronize" else {}
        return {
            "action": action,
            "number": pull.number,
            "pull_request": self._fake.shapes.pull(pull),
            **moved,
            **more,
            **self._common(pull.repository, by),
        }

    def issue_comment(self, remark: IssueComment, action: str = "created") -> Json:
        """An `issue_comment` event on a pull request."""
        shapes = self._fake.shapes
        return {
            "action": action,
            "issue": shapes.issue(remark.pull),
            "comment": shapes.issue_comment(remark),
            **self._common(remark.pull.repository, remark.user),
        }

    def push(self, repository: Repository, branch: str = "main", *, before: str = "") -> Json:
        """A `push` event for what the branch is at; `before` is the commit it was at."""
        store = repository.store
        after = repository.tip(branch)
        if after is None:
            raise ValueError(f"there is no branch {branch}")
        commits = store.between(before, after) if before else (after,)
        told = [self._commit(repository, sha) for sha in commits]
        user = self._fake.by_email(store.facts(after).author.email)
        sender = user or self._fake.user(repository.owner)
        web = f"{self._fake.server_url}/{repository.full_name}"
        common = self._common(repository, sender)
        # A push speaks of its repository in an older way.
        owner = common["repository"]["owner"]
        common["repository"] |= {
            "created_at": repository.created,
            "pushed_at": repository.created,
            "stargazers": 0,
            "master_branch": repository.default_branch,
            "owner": {**owner, "name": repository.owner, "email": f"{repository.owner}@localhost"},
        }
        return {
            "ref": f"refs/heads/{branch}",
            "before": before or ZERO,
            "after": after,
            **common,
            "pusher": {"name": sender.login, "email": sender.email},
            "created": not before,
            "deleted": False,
            "forced": bool(before) and not store.is_ancestor(before, after),
            "base_ref": None,
            "compare": f"{web}/compare/{before[:12]}...{after[:12]}",
            "commits": told,
            "head_commit": told[-1] if told else None,
        }

    def _commit(self, repository: Repository, sha: str) -> Json:
        facts = repository.store.facts(sha)
        changed = read_diff(repository.store.diff(facts.parents[0], sha)) if facts.parents else ()

        def person(signature: Signature) -> Json:
            user = self._fake.by_email(signature.email)
            named = {} if user is None else {"username": user.login}
            return {"name": signature.name, "email": signature.email, **named}

        kinds = {"added": "added", "removed": "removed", "modified": "modified"}
        return {
            "id": sha,
            "tree_id": facts.tree,
            "distinct": True,
            "message": facts.message,
            "timestamp": stamp(facts.author.when),
            "url": f"{self._fake.server_url}/{repository.full_name}/commit/{sha}",
            "author": person(facts.author),
            "committer": person(facts.committer),
            **{
                key: [file.path for file in changed if file.status == status]
                for key, status in kinds.items()
            },
        }

    def workflow_run(self, repository: Repository, run: Run, action: str = "completed") -> Json:
        """A `workflow_run` event of a finished run."""
        shapes = self._fake.shapes
        url = f"{shapes.repo_url(repository)}/actions/workflows/1"
        web = f"{self._fake.server_url}/{repository.full_name}"
        path = f".github/workflows/{run.name}.yml"
        return {
            "action": action,
            "workflow_run": shapes.run(repository, run),
            "workflow": {
                "id": 1,
                "node_id": "W_1",
                "name": run.name,
                "path": path,
                "state": "active",
                "created_at": stamp(repository.created),
                "updated_at": stamp(repository.created),
                "url": url,
                "html_url": f"{web}/blob/main/{path}",
                "badge_url": f"{web}/workflows/{run.name}/badge.svg",
            },
            **self._common(repository, run.actor),
        }

    def workflow_dispatch(
        self,
        repository: Repository,
        *,
        branch: str = "main",
        inputs: dict[str, str] | None = None,
        workflow: str = "whole-paper",
    ) -> Json:
        """A run that somebody started by hand."""
        return {
            "inputs": inputs or {},
            "ref": f"refs/heads/{branch}",
            "workflow": f".github/workflows/{workflow}.yml",
            **self._common(repository, self._fake.user(repository.owner)),
        }

    def schedule(self, repository: Repository, cron: str = "0 5 * * 1") -> Json:
        """A run by the clock. GitHub gives no example of this one."""
        return {
            "schedule": cron,
            "workflow": ".github/workflows/whole-paper.yml",
            "repository": self._common(repository, self._fake.user(repository.owner))["repository"],
        }
