"""Bring accepted edits onto a branch: as one commit where the author works, or as a pull request
of our own that follows the author's.

Nothing here overwrites what somebody else did: a commit is made only on the commit that was
expected, and a branch of ours that holds a stranger's commits is left as it is.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from reviser.deliver.forge import (
    Forbidden,
    Forge,
    ForgeError,
    Limited,
    Moved,
    OwnPull,
    Unavailable,
    Unprocessable,
)
from reviser.deliver.ledger import Ledger
from reviser.deliver.marker import last_mark
from reviser.deliver.plan import Plan
from reviser.deliver.posting import AGAIN
from reviser.deliver.standing import same_text
from reviser.errors import StaleEdit
from reviser.revise.verdict import Verdict
from reviser.text.edit import apply
from reviser.text.source import Source

_POINTER = "version https://git-lfs.github.com/spec/"


@dataclass(frozen=True)
class Change:
    """Edits, and the files they make, whole, by path from the repository's top."""

    verdicts: tuple[Verdict, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """16 hex digits over the files' names and bytes."""
        whole = hashlib.sha256()
        for path, data in sorted(self.files.items()):
            whole.update(f"{len(path)} {path} {len(data)} ".encode("utf-8", "surrogatepass"))
            whole.update(data)
        return whole.hexdigest()[:16]

    @property
    def points(self) -> tuple[str, ...]:
        """The fingerprints of what the edits answer, without repeats."""
        return tuple(dict.fromkeys(p for v in self.verdicts for p in v.edit.answers))

    @property
    def message(self) -> str:
        """What its commit says: no word of the paper, which may be anybody's."""
        count = len(self.verdicts)
        what = "one edit" if count == 1 else f"{count} edits"
        rules: dict[str, int] = {}
        for verdict in self.verdicts:
            rules[verdict.edit.rule] = rules.get(verdict.edit.rule, 0) + 1
        told = "\n".join(f"- {rule}: {number}" for rule, number in sorted(rules.items()))
        return f"Apply {what} checked by reviser\n\n{told}\n"


def change(verdicts: Iterable[Verdict], sources: Mapping[str, Source], root: str) -> Change:
    """The accepted edits that fit `sources` together, applied; the first come, first served."""
    fitting: list[Verdict] = []
    for verdict in verdicts:
        pointers = (
            sources[p].text.startswith(_POINTER) for p in verdict.edit.paths if p in sources
        )
        if any(pointers):
            continue
        try:
            apply(sources, [v.edit for v in (*fitting, verdict)])
        except StaleEdit:
            continue
        fitting.append(verdict)
    after = apply(sources, [v.edit for v in fitting])
    files = {root + path: source.encode() for path, source in after.items()}
    same = {root + path for path in after if files[root + path] == sources[path].encode()}
    kept = {path: data for path, data in files.items() if path not in same}
    return Change(tuple(fitting) if kept else (), kept)


def wanted(plan: Plan, ledger: Ledger) -> tuple[Verdict, ...]:
    """The accepted edits that nobody dismissed, and that nobody took back once they were in."""
    return tuple(
        verdict
        for verdict in plan.accepted
        if not any(
            point is not None and point.settled
            for point in (ledger.by_name.get(name) for name in verdict.edit.answers)
        )
    )


def commit(forge: Forge, branch: str, expected: str, made: Change) -> str:
    """Commit the change on `branch`, which is at `expected`; the new commit's hash.

    Raises Moved when the branch is elsewhere, other ForgeErrors when it was not done. When the
    answer is lost, the branch's tip tells whether it was.
    """
    unclear = 0
    while True:
        try:
            return forge.commit(branch, expected, made.message, made.files)
        except Unavailable:
            unclear += 1
            tip = forge.tip(branch)
            if tip is None:
                raise
            if tip != expected:
                if list(forge.authors(expected, tip)) == [""]:
                    return tip
                raise Moved(f"{branch} has moved") from None
            if unclear > AGAIN:
                raise


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a pull request of ours should be: from branch `name`, made on commit `head` of the
    branch `onto`."""

    name: str
    onto: str
    head: str
    paper: str
    change: Change
    title: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """What became of a proposal: the pull request's address, "" where there is none; `told` says
    whether its text is up to date. `why` are sentences on what did not work. `unopened`: the branch
    was made, and dropped again because it may have no pull request."""

    url: str = ""
    told: bool = False
    why: tuple[str, ...] = ()
    forbidden: bool = False
    moved: bool = False
    unopened: bool = False


def propose(
    forge: Forge, proposal: Proposal, text: Callable[[str], str], pulls: Sequence[OwnPull]
) -> Proposed:
    """Open the pull request, or bring the open one up to date; `pulls` are those from its branch.

    `text` makes its body, given the hash of our commit. Without any edit, one that is open stays,
    and its text (made for "") says that it is obsolete: to close it is for a person.
    """
    open_one = next((p for p in pulls if p.state == "open"), None)
    if not proposal.change.files and open_one is None:
        return Proposed(told=True)
    left: tuple[str, ...] = ()
    tip = ""
    try:
        if proposal.change.files:
            tip, left = _brought(forge, proposal, open_one)
        if open_one is not None and not open_one.ours:
            why = f"Somebody else opened #{open_one.number} from our branch; its text is theirs."
            return Proposed(open_one.url, why=(*left, why))
        shown = _shown(forge, proposal, open_one, text(tip))
    except _Strangers:
        why = f"The branch {proposal.name} holds commits by somebody else, so it is left alone."
        return Proposed("" if open_one is None else open_one.url, why=(why,))
    except Moved:
        return Proposed(moved=True)
    except ForgeError as error:
        url = "" if open_one is None else open_one.url
        forbidden = isinstance(error, Forbidden)
        unopened = forbidden and bool(tip) and open_one is None
        if unopened:
            # A branch that may have no pull request would only be litter.
            with suppress(ForgeError):
                forge.drop_branch(proposal.name)
        return Proposed(url, why=(_because(error),), forbidden=forbidden, unopened=unopened)
    return Proposed(shown.url, told=True, why=left)


class _Strangers(Exception):  # noqa: N818 - it names an outcome
    """The branch is not ours alone any more."""


def _because(error: ForgeError) -> str:
    if isinstance(error, Forbidden):
        return (
            "This run may not push a branch or open a pull request (it needs contents: write, "
            "pull-requests: write, and the repository's setting that lets GitHub Actions create "
            "pull requests); the edits are in the patch."
        )
    if isinstance(error, Limited):
        return "GitHub's rate limit is used up: the edits are in the patch, and on no branch."
    if isinstance(error, Unprocessable):
        return "GitHub refused the branch or the pull request of edits; they are in the patch."
    return "GitHub did not answer, so the pull request of edits may be old; they are in the patch."


@dataclass(frozen=True, slots=True)
class _Record:
    """What our mark in the text of a pull request says of its branch."""

    head: str = ""
    tip: str = ""
    files: str = ""


def record(proposal: Proposal, tip: str) -> dict[str, object]:
    """What the mark in the pull request's text has to say."""
    return {
        "paper": proposal.paper,
        "head": proposal.head,
        "tip": tip,
        "files": proposal.change.digest,
    }


def _recorded(pull: OwnPull | None) -> _Record:
    if pull is not None and pull.ours:
        mark = last_mark(pull.body)
        if mark is not None and mark.kind == "pull":
            said = [mark.data.get(name, "") for name in ("head", "tip", "files")]
            if all(isinstance(one, str) for one in said):
                return _Record(*(str(one) for one in said))
    return _Record()


def _brought(
    forge: Forge, proposal: Proposal, open_one: OwnPull | None
) -> tuple[str, tuple[str, ...]]:
    """Make the branch hold the change; its tip, and sentences on what was left behind."""
    name, head = proposal.name, proposal.head
    tip = forge.tip(name)
    said = _recorded(open_one)
    if tip is not None and (said.tip, said.files) == (tip, proposal.change.digest):
        return tip, ()
    if tip is None:
        _make(forge, name, head)
        return commit(forge, name, head, proposal.change), ()
    if not _ours_alone(forge, head, tip, said):
        raise _Strangers
    if tip == head:
        return commit(forge, name, head, proposal.change), ()
    # The commit is made on a passing branch: a pull request whose branch has nothing of its own,
    # even for a moment, is closed by GitHub.
    passing = f"{name}-next"
    if forge.tip(passing) is None:
        _make(forge, passing, head)
    else:
        _again(lambda: forge.move_branch(passing, head))
    made = commit(forge, passing, head, proposal.change)
    if forge.tip(name) != tip:
        raise _Strangers
    _again(lambda: forge.move_branch(name, made))
    try:
        _again(lambda: forge.drop_branch(passing))
    except ForgeError:
        return made, (f"The branch {passing} is not needed any more and may be deleted.",)
    return made, ()


def _make(forge: Forge, name: str, head: str) -> None:
    unclear = 0
    while True:
        try:
            return forge.make_branch(name, head)
        except (Unavailable, Unprocessable) as error:
            if forge.tip(name) == head:
                return None
            unclear += 1
            if isinstance(error, Unprocessable) or unclear > AGAIN:
                raise


def _again(write: Callable[[], None]) -> None:
    """Do what may be done twice without harm; an unclear answer is no reason to stop."""
    for _ in range(AGAIN):
        try:
            return write()
        except Unavailable:
            continue
    return write()


def _ours_alone(forge: Forge, head: str, tip: str, said: _Record) -> bool:
    """Whether all commits of the branch are ours: those beyond the author's branch as it is, or,
    where that was rewritten since, those beyond the commit we made it on."""
    if not any(forge.authors(head, tip)):
        return True
    return bool(said.head) and said.head != head and not any(forge.authors(said.head, tip))


def _shown(forge: Forge, proposal: Proposal, open_one: OwnPull | None, body: str) -> OwnPull:
    """Write the pull request's title and text, where they are not right already."""
    title = proposal.title
    unclear = 0
    while True:
        if open_one is not None and open_one.title == title and same_text(open_one.body, body):
            return open_one
        try:
            if open_one is None:
                return forge.open_pull(
                    branch=proposal.name, onto=proposal.onto, title=title, body=body
                )
            forge.rewrite_pull(open_one.number, title=title, body=body)
            return replace(open_one, title=title, body=body)
        except (Unavailable, Unprocessable) as error:
            # Unprocessable: another run may have opened it a moment before.
            unclear += 1
            pulls = forge.pulls_from(proposal.name, onto=proposal.onto)
            found = next((p for p in pulls if p.state == "open" and p.ours), None)
            if unclear > AGAIN or (isinstance(error, Unprocessable) and found == open_one):
                raise
            open_one = found
