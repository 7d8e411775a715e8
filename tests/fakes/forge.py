"""A forge in memory: a repository of whole files, its pull requests, and faults on request.

It conforms to `reviser.deliver.forge.Forge` and refuses what GitHub refuses: comments on lines that
the diff does not show, a commit on a branch that moved, a pull request without commits. People act
through the methods that the protocol does not have (`push`, `open`, `press`, `resolve`, ...).
"""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Literal

from reviser.deliver.forge import (
    CheckRun,
    Comment,
    Forbidden,
    Forge,
    Moved,
    OwnPull,
    PullRequest,
    Remark,
    Thread,
    Unprocessable,
    WorkflowRun,
)
from reviser.text.diff import Change, hunks
from reviser.text.patch import FilePatch

WRITES = (
    "review", "file_comment", "reply", "retire", "remark", "rewrite", "react", "check", "commit",
    "make_branch", "move_branch", "drop_branch", "open_pull", "rewrite_pull",
)  # fmt: skip
READS = ("pull", "patches", "find_pull", "merge_base", "tip", "may_write", "authors", "pulls_from")
_BLOCK = re.compile(r"^(?P<fence>`{3,})suggestion\n(?P<text>(?:.*\n)*?)(?P=fence)$", re.MULTILINE)


class Killed(BaseException):
    """The process died: nothing catches this."""


@dataclass(frozen=True)
class Commit:
    """A commit: all files, whole; `author` is a login."""

    files: Mapping[str, bytes]
    parents: tuple[str, ...]
    author: str


@dataclass
class _Thread:
    id: str
    path: str
    commit: str
    first: int
    last: int
    remarks: list[Remark]
    resolved_by: str = ""
    outdated: bool = False


@dataclass
class _Pull:
    number: int
    author: str
    branch: str
    onto: str
    fork: str
    title: str = ""
    body: str = ""
    state: Literal["open", "closed", "merged"] = "open"
    threads: list[_Thread] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    traits: dict[str, bool] = field(default_factory=dict)
    head: str = ""


@dataclass
class _Fault:
    method: str
    error: BaseException
    at: int
    times: int | None
    after: bool


class MemoryForge:
    """One repository whose `main` holds `files`. `me` is who the token belongs to; `writers` may
    write. `log` lists the writes that were tried, `done` those that happened."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        repository: str = "ada/paper",
        me: str = "reviser[bot]",
        writers: Sequence[str] = ("ada",),
    ) -> None:
        self.repository = repository
        self.me = me
        self.writers = set(writers)
        self.commits: dict[str, Commit] = {}
        self.branches: dict[str, str] = {}
        self.pulls: dict[int, _Pull] = {}
        self.checks: list[tuple[str, CheckRun]] = []
        self.reactions: list[tuple[int, str]] = []
        self.artifacts: dict[tuple[int, str], bytes] = {}
        self.runs: dict[int, WorkflowRun] = {}
        self.calls: Counter[str] = Counter()
        self.log: list[str] = []
        self.done: list[str] = []
        self.hidden_paths: set[str] = set()
        self._faults: list[_Fault] = []
        self._meanwhile: list[tuple[str, Callable[[], object]]] = []
        self._ids = 100
        self.branches["main"] = self._record(files, (), "ada")

    # ------------------------------------------------------------------ faults
    def fail(
        self,
        method: str,
        error: BaseException,
        *,
        at: int = 1,
        times: int | None = 1,
        after: bool = False,
    ) -> None:
        """Let the `at`-th call of `method` from now on fail (and the following ones, up to `times`
        in all; None: every one), before or `after` it happened. "write" stands for any write."""
        self._faults.append(_Fault(method, error, at, times, after))

    def heal(self) -> None:
        """No more faults."""
        self._faults.clear()

    def meanwhile(self, method: str, action: Callable[[], object]) -> None:
        """Do something just before the next call of `method`: somebody else was quicker."""
        self._meanwhile.append((method, action))

    @contextmanager
    def _call(self, method: str) -> Iterator[None]:
        self.calls[method] += 1
        for waiting in [w for w in self._meanwhile if w[0] == method]:
            self._meanwhile.remove(waiting)
            waiting[1]()
        write = method in WRITES
        if write:
            self.log.append(method)
        struck = self._struck(method, write=write)
        if struck and not struck.after:
            raise struck.error
        yield
        if write:
            self.done.append(method)
        if struck:
            raise struck.error

    def _struck(self, method: str, *, write: bool) -> _Fault | None:
        result = None
        for fault in list(self._faults):
            if fault.method != method and not (write and fault.method == "write"):
                continue
            fault.at -= 1
            if fault.at > 0 or result is not None:
                continue
            result = replace(fault)
            if fault.times is not None:
                fault.times -= 1
                if fault.times == 0:
                    self._faults.remove(fault)
        return result

    # ------------------------------------------------------------------ people
    def push(
        self, branch: str, changes: Mapping[str, bytes | None], *, by: str = "ada", force: str = ""
    ) -> str:
        """Commit changed files (None removes one) on a branch, made from main where it is new;
        `force` names the commit to build on instead of the branch's tip."""
        parent = force or self.branches.get(branch) or self.branches["main"]
        files = dict(self.commits[parent].files)
        for path, data in changes.items():
            if data is None:
                files.pop(path, None)
            else:
                files[path] = data
        return self._set(branch, self._record(files, (parent,), by))

    def open(self, branch: str, *, by: str = "ada", onto: str = "main", fork: str = "") -> int:
        """A person opens a pull request; `fork` is the repository it comes from."""
        return self._open(branch, onto, by, fork=fork).number

    def close(self, number: int, *, merged: bool = False) -> None:
        """A person closes or merges it."""
        pull = self.pulls[number]
        if merged:
            base, head = self.branches[pull.onto], self.branches[pull.branch]
            files = self.commits[head].files
            self.branches[pull.onto] = self._record(files, (base, head), "ada")
        pull.state = "merged" if merged else "closed"

    def press(self, comment: int, *, by: str = "ada") -> str:
        """The author presses "Commit suggestion"."""
        pull, thread = self._thread_of(comment)
        block = _BLOCK.search(thread.remarks[0].body)
        assert block is not None, "the comment holds no suggestion"
        assert not thread.outdated, "the button is gone from an outdated comment"
        data = self.commits[self.branches[pull.branch]].files[thread.path]
        lines = data.decode("utf-8").split("\n")
        new = block["text"].split("\n")[:-1]
        lines[thread.first - 1 : thread.last] = new
        sha = self.push(pull.branch, {thread.path: "\n".join(lines).encode()}, by=by)
        thread.resolved_by = by
        return sha

    def resolve(self, comment: int, *, by: str = "ada") -> None:
        """Somebody resolves the thread that a comment opened."""
        self._thread_of(comment)[1].resolved_by = by

    def erase(self, comment: int) -> None:
        """Somebody deletes a review comment, and with the first one its thread."""
        pull, thread = self._thread_of(comment)
        pull.threads.remove(thread)

    def down(self, comment: int, *, by: str = "ada") -> None:
        """Somebody puts a 👎 on a review comment."""
        thread = self._thread_of(comment)[1]
        thread.remarks[0] = replace(thread.remarks[0], downs=(*thread.remarks[0].downs, by))

    def say(self, number: int, body: str, *, by: str = "ada", to: int | None = None) -> int:
        """Somebody writes into the conversation, or answers in the thread of comment `to`."""
        remark = self._remark(body, by)
        if to is None:
            self.pulls[number].remarks.append(remark)
        else:
            self._thread_of(to)[1].remarks.append(remark)
        return remark.id

    def file(self, branch: str, path: str) -> bytes:
        """A file at a branch's tip."""
        return self.commits[self.branches[branch]].files[path]

    def threads(self, number: int) -> list[Thread]:
        """The threads of a pull request, without a call being counted."""
        return [self._told(thread) for thread in self.pulls[number].threads]

    # ------------------------------------------------------------------ reading
    def pull(self, number: int) -> PullRequest:
        with self._call("pull"):
            pull = self.pulls.get(number)
            if pull is None:
                raise Forbidden(f"there is no pull request {number}")
            return PullRequest(
                self.repository,
                number,
                pull.state,
                draft=pull.traits.get("draft", False),
                locked=pull.traits.get("locked", False),
                queued=pull.traits.get("queued", False),
                author=pull.author,
                labels=(),
                head=self.branches.get(pull.branch, pull.head),
                head_branch=pull.branch,
                head_repository=pull.fork or self.repository,
                base=self.branches[pull.onto],
                base_branch=pull.onto,
                threads=tuple(self._told(thread) for thread in pull.threads),
                remarks=tuple(pull.remarks),
            )

    def patches(self, number: int) -> Sequence[FilePatch]:
        with self._call("patches"):
            found = self.diff(number)
            return tuple(patch for patch in found if patch.path not in self.hidden_paths)

    def diff(self, number: int) -> tuple[FilePatch, ...]:
        """The pull request's own diff, without a call being counted."""
        pull = self.pulls[number]
        head = self.branches[pull.branch]
        return self.between(self._base(self.branches[pull.onto], head), head)

    def between(self, base: str, head: str) -> tuple[FilePatch, ...]:
        """The diff of two commits."""
        old, new = self.commits[base].files, self.commits[head].files
        result = []
        for path in sorted(old.keys() | new.keys()):
            before, after = old.get(path, b"").decode(), new.get(path, b"").decode()
            if (path in old) == (path in new) and before == after:
                continue
            status: Literal["added", "removed", "modified"] = (
                "added" if path not in old else "removed" if path not in new else "modified"
            )
            result.append(FilePatch(path, path, status, hunks(before, after)))
        return tuple(result)

    def find_pull(self, *, repository: str, branch: str, head: str) -> int | None:
        with self._call("find_pull"):
            for pull in self.pulls.values():
                here = (pull.fork or self.repository, pull.branch, self.branches[pull.branch])
                if pull.state == "open" and here == (repository, branch, head):
                    return pull.number
            return None

    def merge_base(self, base: str, head: str) -> str:
        with self._call("merge_base"):
            return self._base(base, head)

    def tip(self, branch: str) -> str | None:
        with self._call("tip"):
            return self.branches.get(branch)

    def may_write(self, login: str) -> bool:
        with self._call("may_write"):
            return login in self.writers

    def authors(self, base: str, head: str) -> Sequence[str]:
        with self._call("authors"):
            new = self._ancestors(head) - self._ancestors(base)
            names = sorted(self.commits[sha].author for sha in new)
            return tuple("" if name == self.me else name for name in names)

    def pulls_from(self, branch: str, *, onto: str) -> Sequence[OwnPull]:
        with self._call("pulls_from"):
            found = [p for p in self.pulls.values() if (p.branch, p.onto) == (branch, onto)]
            return tuple(self._own(p) for p in sorted(found, key=lambda p: -p.number))

    def workflow_run(self, run: int) -> WorkflowRun | None:
        with self._call("workflow_run"):
            return self.runs.get(run)

    def artifact(self, run: int, name: str, *, most: int) -> bytes | None:
        with self._call("artifact"):
            data = self.artifacts.get((run, name))
            if data is not None and len(data) > most:
                raise Unprocessable("the artifact is too large")
            return data

    # ------------------------------------------------------------------ writing
    def review(self, number: int, commit: str, comments: Sequence[Comment]) -> None:
        with self._call("review"):
            pull = self.pulls[number]
            assert 0 < len(comments) <= 30
            self._refuse_unless(commit == self.branches[pull.branch], "commit_id is not the head")
            shown = {patch.path: patch for patch in self.diff(number)}
            taken: set[tuple[str, int]] = set()
            for comment in comments:
                assert 1 <= comment.first <= comment.last
                lines = {(comment.path, n) for n in range(comment.first, comment.last + 1)}
                assert not lines & taken, "comments overlap"
                taken |= lines
                self._refuse_unless(len(comment.body) <= 65_536, "body is too long")
                patch = shown.get(comment.path)
                where = patch is not None and _in_one_hunk(patch, comment.first, comment.last)
                self._refuse_unless(where, "line must be part of the diff")
            for comment in comments:
                remark = self._remark(comment.body, self.me)
                pull.threads.append(
                    _Thread(
                        f"T{remark.id}", comment.path, commit, comment.first, comment.last, [remark]
                    )
                )

    def file_comment(self, number: int, commit: str, path: str, body: str) -> None:
        with self._call("file_comment"):
            shown = {patch.path for patch in self.diff(number)}
            self._refuse_unless(path in shown, "path is not part of the diff")
            remark = self._remark(body, self.me)
            thread = _Thread(f"T{remark.id}", path, commit, 0, 0, [remark])
            self.pulls[number].threads.append(thread)

    def reply(self, number: int, comment: int, body: str) -> None:
        with self._call("reply"):
            self.say(number, body, by=self.me, to=comment)

    def retire(self, comment: int) -> None:
        with self._call("retire"):
            for pull in self.pulls.values():
                for thread in list(pull.threads):
                    if thread.remarks[0].id == comment:
                        assert thread.remarks[0].ours
                        pull.threads.remove(thread)

    def remark(self, number: int, body: str) -> int:
        with self._call("remark"):
            self._refuse_unless(len(body) <= 65_536, "body is too long")
            return self.say(number, body, by=self.me)

    def rewrite(self, remark: int, body: str) -> None:
        with self._call("rewrite"):
            self._refuse_unless(len(body) <= 65_536, "body is too long")
            for pull in self.pulls.values():
                for index, one in enumerate(pull.remarks):
                    if one.id == remark:
                        assert one.ours
                        pull.remarks[index] = replace(one, body=body)
                        return
            raise Forbidden("404 Not Found")

    def react(self, remark: int, content: Literal["+1", "confused", "eyes"]) -> None:
        with self._call("react"):
            self.reactions.append((remark, content))

    def check(self, head: str, run: CheckRun) -> None:
        with self._call("check"):
            self._refuse_unless(len(run.summary) <= 65_535, "summary is too long")
            self.checks.append((head, run))

    def commit(self, branch: str, expected: str, message: str, files: Mapping[str, bytes]) -> str:
        with self._call("commit"):
            if self.branches.get(branch) != expected:
                raise Moved(f"{branch} is not at {expected}")
            assert message
            assert files
            return self._set(
                branch,
                self._record({**self.commits[expected].files, **files}, (expected,), self.me),
            )

    def make_branch(self, name: str, commit: str) -> None:
        with self._call("make_branch"):
            self._refuse_unless(name not in self.branches, "Reference already exists")
            self.branches[name] = commit

    def move_branch(self, name: str, commit: str) -> None:
        with self._call("move_branch"):
            assert name.startswith("reviser/")
            self._refuse_unless(name in self.branches, "Reference does not exist")
            self._set(name, commit)

    def drop_branch(self, name: str) -> None:
        with self._call("drop_branch"):
            assert name.startswith("reviser/")
            self.branches.pop(name, None)
            for pull in self.pulls.values():
                if pull.branch == name and pull.state == "open":
                    pull.state = "closed"

    def open_pull(self, *, branch: str, onto: str, title: str, body: str) -> OwnPull:
        with self._call("open_pull"):
            self._refuse_unless(branch in self.branches, "head does not exist")
            head, base = self.branches[branch], self.branches[onto]
            self._refuse_unless(head not in self._ancestors(base), "No commits between them")
            for other in self.pulls.values():
                same = (other.branch, other.onto) == (branch, onto) and other.state == "open"
                self._refuse_unless(not same, "A pull request already exists")
            self._refuse_unless(len(body) <= 65_536, "body is too long")
            pull = self._open(branch, onto, self.me)
            pull.title, pull.body = title, body
            return self._own(pull)

    def rewrite_pull(self, number: int, *, title: str, body: str) -> None:
        with self._call("rewrite_pull"):
            self._refuse_unless(len(body) <= 65_536, "body is too long")
            pull = self.pulls[number]
            assert pull.author == self.me
            pull.title, pull.body = title, body

    # ------------------------------------------------------------------ insides
    def _open(self, branch: str, onto: str, by: str, *, fork: str = "") -> _Pull:
        self._ids += 1
        pull = _Pull(len(self.pulls) + 1, by, branch, onto, fork, head=self.branches[branch])
        self.pulls[pull.number] = pull
        return pull

    def _record(self, files: Mapping[str, bytes], parents: tuple[str, ...], author: str) -> str:
        text = f"{len(self.commits)} {parents} {author} {sorted(files.items())}"
        sha = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()
        self.commits[sha] = Commit(dict(files), parents, author)
        return sha

    def _set(self, branch: str, sha: str) -> str:
        before = self.branches.get(branch)
        self.branches[branch] = sha
        for pull in self.pulls.values():
            if pull.branch != branch or pull.state != "open" or before is None:
                continue
            pull.head = sha
            for thread in pull.threads:
                self._carry(thread, sha)
            # GitHub closes a pull request that has no commit of its own left.
            if sha in self._ancestors(self.branches[pull.onto]):
                pull.state = "closed"
        return sha

    def _carry(self, thread: _Thread, sha: str) -> None:
        """Move a thread along with its lines; it is outdated once they have changed."""
        old = self.commits[thread.commit].files.get(thread.path, b"").decode().split("\n")
        new = self.commits[sha].files.get(thread.path, b"").decode().split("\n")
        thread.commit = sha
        if thread.outdated or not thread.first:
            return
        for tag, i, j, k, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal" and i < thread.first and thread.last <= j:
                thread.first += k - i
                thread.last += k - i
                return
        thread.outdated = True

    def _told(self, thread: _Thread) -> Thread:
        return Thread(
            thread.id,
            thread.path,
            None if thread.outdated or not thread.last else thread.last,
            bool(thread.resolved_by),
            thread.resolved_by,
            thread.outdated,
            tuple(thread.remarks),
        )

    def _remark(self, body: str, by: str) -> Remark:
        self._ids += 1
        url = f"https://forge.example/{self.repository}/c/{self._ids}"
        return Remark(self._ids, body, by == self.me, by, url)

    def _own(self, pull: _Pull) -> OwnPull:
        url = f"https://forge.example/{self.repository}/pull/{pull.number}"
        return OwnPull(pull.number, pull.state, pull.title, pull.body, pull.author == self.me, url)

    def _thread_of(self, comment: int) -> tuple[_Pull, _Thread]:
        for pull in self.pulls.values():
            for thread in pull.threads:
                if any(remark.id == comment for remark in thread.remarks):
                    return pull, thread
        raise KeyError(comment)

    def _ancestors(self, sha: str) -> set[str]:
        seen: set[str] = set()
        waiting = [sha]
        while waiting:
            one = waiting.pop()
            if one not in seen:
                seen.add(one)
                waiting += self.commits[one].parents
        return seen

    def _base(self, base: str, head: str) -> str:
        common = self._ancestors(base) & self._ancestors(head)
        order = list(self.commits)
        return max(common, key=order.index)

    @staticmethod
    def _refuse_unless(condition: object, why: str) -> None:
        if not condition:
            raise Unprocessable(why)


def _in_one_hunk(patch: FilePatch, first: int, last: int) -> bool:
    for hunk in patch.hunks:
        new = sum(part.change is not Change.LOST for part in hunk.lines)
        if hunk.new_start <= first and last < hunk.new_start + new:
            return True
    return False


def conforms(forge: MemoryForge) -> Forge:
    """For the type checker: it stands in wherever a forge is asked for."""
    return forge
