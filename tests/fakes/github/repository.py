"""A repository of the fake GitHub, with what its people can do in a browser or with git."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tests.fakes.github.anchor import reanchor
from tests.fakes.github.hunks import FileDiff, read_diff
from tests.fakes.github.model import (
    Artifact,
    CheckRun,
    IssueComment,
    Permission,
    Pull,
    Reaction,
    Refused,
    ReviewComment,
    Run,
    Thread,
    User,
)
from tests.fakes.github.said import Said
from tests.fakes.github.store import Content, Signature, Store
from tests.fakes.github.suggestions import applied

if TYPE_CHECKING:
    from tests.fakes.github.server import FakeGitHub


class Repository(Said):
    """One repository. Everything that moves a branch goes through `moved`."""

    store: Store

    def __init__(
        self, fake: FakeGitHub, name: str, *, private: bool, parent: Repository | None = None
    ) -> None:
        self.fake, self.full_name, self.private, self.parent = fake, name, private, parent
        self.owner, self.name = name.split("/")
        self.id = fake.counter.next()
        self.created = fake.counter.now()
        self.default_branch = "main"
        self.store = Store(
            fake.folder / "git" / f"{name}.git", shares=parent.store if parent else None
        )
        self.permissions: dict[str, Permission] = {}
        self.protected: set[str] = set()
        super().__init__()
        self.checks: dict[int, CheckRun] = {}
        self.runs: dict[int, Run] = {}
        self.can_approve = False
        self.allow(self.owner, "admin")

    def __repr__(self) -> str:
        return f"Repository({self.full_name!r})"

    @property
    def node_id(self) -> str:
        return f"R_{self.id}"

    # -- people

    def allow(self, login: str, permission: Permission) -> User:
        """Give somebody a permission."""
        self.permissions[login.casefold()] = permission
        return self.fake.user(login)

    def permission(self, login: str) -> Permission:
        """What somebody may do; anybody may read a public repository."""
        given = self.permissions.get(login.casefold())
        return given or ("none" if self.private else "read")

    def may_write(self, login: str) -> bool:
        return self.permission(login) in {"admin", "write"}

    def association(self, user: User) -> str:
        """The rough word for somebody's standing that GitHub puts beside every comment."""
        if user.login == self.owner:
            return "OWNER"
        if user.kind == "User" and user.login.casefold() in self.permissions:
            return "COLLABORATOR"
        merged = any(p.merged is not None and p.author is user for p in self.pulls.values())
        return "CONTRIBUTOR" if merged else "NONE"

    # -- git

    def tip(self, branch: str) -> str | None:
        """The commit a branch is at."""
        return self.store.ref(f"refs/heads/{branch}")

    def read(self, branch: str, path: str) -> bytes | None:
        """A file at the tip of a branch (or at a commit)."""
        commit = self.tip(branch) or branch
        return self.store.blob(commit, path)

    def commit(
        self,
        branch: str,
        changes: Mapping[str, Content],
        message: str = "Change files",
        author: str = "",
        *,
        parent: str | None = None,
    ) -> str:
        """Push one commit; a new branch starts from `parent`, or where the default branch is."""
        user = self.fake.user(author or self.owner)
        with self.fake.lock:
            tip = parent or self.tip(branch) or self.tip(self.default_branch)
            sha = self.written(user, changes, message, (tip,) if tip else ())
            self.move(branch, sha, user)
        return sha

    def written(
        self, user: User, changes: Mapping[str, Content], message: str, parents: tuple[str, ...]
    ) -> str:
        """A commit that no branch points at yet."""
        signature = self.signature(user)
        return self.store.commit(
            changes, parents=parents, message=message, author=signature, committer=signature
        )

    def signature(self, user: User) -> Signature:
        return Signature(user.login, user.email, self.fake.counter.now())

    def force_push(self, branch: str, sha: str, by: str = "") -> None:
        """Put a branch on any commit."""
        with self.fake.lock:
            self.move(branch, sha, self.fake.user(by or self.owner))

    def branch(self, name: str, at: str = "main") -> str:
        """Make a branch; the commit it is at."""
        with self.fake.lock:
            sha = self.tip(at) or at
            self.move(name, sha, self.fake.user(self.owner))
        return sha

    def delete_branch(self, name: str, by: str = "") -> None:
        """Delete a branch; open pull requests from it are closed."""
        with self.fake.lock:
            self.move(name, None, self.fake.user(by or self.owner))

    def move(self, branch: str, sha: str | None, by: User) -> None:
        """Point a branch somewhere and let everybody know."""
        before = self.tip(branch)
        self.store.move(f"refs/heads/{branch}", sha)
        self.moved(branch, before, sha, by)

    def moved(self, branch: str, before: str | None, after: str | None, by: User) -> None:
        """What GitHub does after a push: pull requests and their threads follow."""
        self.fake.pushes.append((self.full_name, branch, before, after, by.login))
        for repository in self.fake.repositories.values():
            for pull in repository.pulls.values():
                here = pull.head_repository is self and pull.head_branch == branch
                if here and pull.state == "open":
                    repository.head_moved(pull, after)
                base_here = pull.repository is self and pull.base_branch == branch
                if base_here and pull.state == "open" and after:
                    reanchor(pull, self.files(pull))

    def head_moved(self, pull: Pull, after: str | None) -> None:
        if after is None:
            pull.state, pull.closed = "closed", self.fake.counter.now()
            return
        pull.head, pull.updated = after, self.fake.counter.now()
        pull.base = self.tip(pull.base_branch) or pull.base
        self.store.move(f"refs/pull/{pull.number}/head", after)
        reanchor(pull, self.files(pull))

    # -- pull requests

    def fork(self, name: str) -> Repository:
        """The fork "someone/name", with all branches; made when first asked for."""
        if name in self.fake.repositories:
            return self.fake.repositories[name]
        fork = self.fake.repository(name, private=self.private, parent=self)
        for ref, sha in self.store.refs("refs/heads/").items():
            fork.store.move(ref, sha)
        return fork

    def open_pull(
        self,
        head: str,
        base: str = "main",
        author: str = "",
        *,
        title: str = "A change",
        body: str | None = None,
        draft: bool = False,
        labels: Sequence[str] = (),
        from_fork: str = "",
    ) -> Pull:
        """Open a pull request from a branch of this repository or of a fork of it."""
        with self.fake.lock:
            where = self.fork(from_fork) if from_fork else self
            default = where.owner if from_fork else self.owner
            user = self.fake.user(author or default)
            pull = self.opened(user, where, head, base, title, body, draft=draft)
            pull.labels = list(labels)
            return pull

    def opened(
        self,
        user: User,
        where: Repository,
        head: str,
        base: str,
        title: str,
        body: str | None,
        *,
        draft: bool,
    ) -> Pull:
        """The same for whoever asks, with GitHub's refusals."""
        tip, onto = where.tip(head), self.tip(base)
        error = {"resource": "PullRequest", "code": "invalid"}
        if tip is None:
            raise Refused(422, "Validation Failed", [{**error, "field": "head"}])
        if onto is None:
            raise Refused(422, "Validation Failed", [{**error, "field": "base"}])
        custom = {"resource": "PullRequest", "code": "custom"}
        if not self.store.between(onto, tip):
            message = f"No commits between {base} and {head}"
            raise Refused(422, "Validation Failed", [{**custom, "message": message}])
        for other in self.pulls.values():
            same = (other.head_repository, other.head_branch, other.base_branch)
            if other.state == "open" and same == (where, head, base):
                message = f"A pull request already exists for {where.owner}:{head}."
                raise Refused(422, "Validation Failed", [{**custom, "message": message}])
        number = max(self.pulls, default=0) + 1
        now = self.fake.counter.now()
        pull = Pull(
            self.fake.counter.next(), number, self, where, head, base, tip, onto, user,
            title, body, now, now, draft=draft,
        )  # fmt: skip
        self.pulls[number] = pull
        self.store.move(f"refs/pull/{number}/head", tip)
        return pull

    def merge_base(self, pull: Pull) -> str:
        """Where the pull request's branch left its base; the base's own commit if nowhere."""
        onto = (pull.merged is None and self.tip(pull.base_branch)) or pull.base
        return self.store.merge_base(onto, pull.head) or onto

    def files(self, pull: Pull) -> tuple[FileDiff, ...]:
        """The pull request's diff, three-dot."""
        return read_diff(self.store.diff(self.merge_base(pull), pull.head))

    def merge_commit(self, pull: Pull) -> str | None:
        """The test merge that `refs/pull/N/merge` is at; None if there is a conflict."""
        base = self.tip(pull.base_branch) or pull.base
        tree = self.store.merge_tree(base, pull.head)
        if tree is None:
            return None
        message = f"Merge {pull.head} into {base}"
        when = Signature("GitHub", "noreply@github.com", pull.created)
        sha = self.store.commit_tree(tree, (base, pull.head), message, when)
        self.store.move(f"refs/pull/{pull.number}/merge", sha)
        return sha

    def merge(self, number: int, by: str = "") -> str:
        """Merge a pull request; the merge commit."""
        with self.fake.lock:
            pull = self.pulls[number]
            sha = self.merge_commit(pull)
            if sha is None:
                raise Refused(405, "Pull Request is not mergeable")
            pull.state, pull.merged, pull.merge_commit = "closed", self.fake.counter.now(), sha
            pull.closed = pull.merged
            self.move(pull.base_branch, sha, self.fake.user(by or self.owner))
            return sha

    def close(self, number: int) -> None:
        pull = self.pulls[number]
        pull.state, pull.closed = "closed", self.fake.counter.now()

    def reopen(self, number: int) -> None:
        pull = self.pulls[number]
        pull.state, pull.closed = "open", None

    # -- the conversation

    def comment(self, number: int, body: str, by: str = "") -> dict[str, Any]:
        """Write into the conversation; the event that GitHub would send."""
        with self.fake.lock:
            remark = self.remarked(self.pulls[number], self.fake.user(by or self.owner), body)
        return self.fake.events.issue_comment(remark)

    def remarked(self, pull: Pull, user: User, body: str) -> IssueComment:
        now = self.fake.counter.now()
        remark = IssueComment(self.fake.counter.next(), user, body, now, now, pull)
        pull.remarks.append(remark)
        return remark

    def reply(self, comment: ReviewComment | int, body: str, by: str = "") -> ReviewComment:
        """Answer in the thread of a review comment."""
        with self.fake.lock:
            opened = self.review_comment(comment)
            return self.fake.replied(opened, self.fake.user(by or self.owner), body)

    def react(
        self, comment: IssueComment | ReviewComment | int, content: str, by: str = ""
    ) -> Reaction:
        """Put a reaction ("+1", "-1", "eyes" …) on any comment."""
        with self.fake.lock:
            found = self.any_comment(comment) if isinstance(comment, int) else comment
            return self.fake.reacted(found, self.fake.user(by or self.owner), content)[0]

    def resolve(self, thread: Thread | ReviewComment | int, by: str = "") -> None:
        """Press "Resolve conversation"; a comment or its id stands for its thread."""
        with self.fake.lock:
            self.thread(thread).resolved_by = self.fake.user(by or self.owner)

    def unresolve(self, thread: Thread | ReviewComment | int) -> None:
        with self.fake.lock:
            self.thread(thread).resolved_by = None

    def apply_suggestion(self, comment: ReviewComment | int, by: str = "") -> str:
        """Press "Commit suggestion" on one comment; the new head."""
        return self.apply_suggestions([comment], by)

    def apply_suggestions(self, comments: Iterable[ReviewComment | int], by: str = "") -> str:
        """Commit a batch of suggestions; the new head. Raises Refused where GitHub has no button:
        an outdated comment, a resolved thread, no suggestion in it, two that overlap."""
        with self.fake.lock:
            found = [self.review_comment(c) for c in comments]
            threads = [self.thread(c) for c in found]
            pull = found[0].pull
            if any(t.outdated or t.resolved_by for t in threads):
                raise Refused(422, "Outdated suggestions cannot be applied.")
            user = self.fake.user(by or pull.author.login)
            where: Repository = pull.head_repository
            changes = applied(where.store, pull.head, found)
            plural = "s" if len(found) > 1 else ""
            message = f"Update {', '.join(changes)}" if not plural else "Apply suggestions"
            authors = {c.user.login: c.user for c in found}.values()
            trailer = "".join(f"\nCo-authored-by: {u.login} <{u.email}>" for u in authors)
            sha = where.written(user, changes, f"{message}\n{trailer}", (pull.head,))
            for thread in threads:
                thread.resolved_by = user
            where.move(pull.head_branch, sha, user)
            return sha

    # -- Actions

    def run(
        self,
        pull: Pull | None = None,
        *,
        event: str = "pull_request",
        name: str = "reviser",
        head: str = "",
        branch: str = "",
        conclusion: str = "success",
        actor: str = "",
    ) -> Run:
        """A finished run of a workflow, for a pull request or for a branch."""
        with self.fake.lock:
            where = pull.head_repository if pull else self
            run = Run(
                self.fake.counter.next(),
                name,
                event,
                head or (pull.head if pull else self.tip(branch or "main") or ""),
                branch or (pull.head_branch if pull else "main"),
                where,
                self.fake.user(actor or (pull.author.login if pull else self.owner)),
                self.fake.counter.now(),
                conclusion,
                [pull] if pull and where is self else [],
            )
            self.runs[run.id] = run
            return run

    def artifact(self, run: Run, name: str, data: bytes) -> Artifact:
        """Keep a zip file with a run."""
        with self.fake.lock:
            kept = Artifact(self.fake.counter.next(), name, data, run, self.fake.counter.now())
            run.artifacts.append(kept)
            return kept
