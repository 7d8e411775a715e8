"""What an event of the forge asks for, as one pure decision from its facts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TypeAlias

from reviser.deliver.commands import Command as Asked
from reviser.deliver.commands import parse
from reviser.deliver.forge import WorkflowRun
from reviser.errors import UsageError

OWN_BRANCHES = "reviser/"
"""What the names of our own branches begin with."""
_PULL_ACTIONS = frozenset({"opened", "reopened", "synchronize", "ready_for_review", "labeled"})
# Whoever may write is none of these; that somebody may is asked of the forge itself.
_STRANGERS = frozenset({"NONE", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR", "MANNEQUIN"})
_DEPENDABOT = "dependabot[bot]"
_RAN = frozenset({"success", "failure", "neutral"})
_OWN_EVENTS = frozenset({"issue_comment", "push", "schedule", "workflow_dispatch"})
"""Events that run a workflow of the default branch, or of a branch that was pushed to."""
_HEX = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pull requests are looked at: with one of `labels` (all when empty) and none of
    `skip_labels`; drafts only if `drafts`."""

    labels: tuple[str, ...] = ()
    skip_labels: tuple[str, ...] = ()
    drafts: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What the runner says: the event's name, its payload, and the ref ("refs/heads/main") and
    commit that the workflow runs on."""

    event: str
    payload: Mapping[str, object]
    ref: str = ""
    sha: str = ""
    filters: Filters = field(default=Filters())


@dataclass(frozen=True, slots=True)
class CheckPull:
    """Look at a pull request at commit `head`. `writable` is False where its branch lies in
    another repository, so that the run's token can write nothing and it is given no secrets."""

    number: int
    head: str
    writable: bool


@dataclass(frozen=True, slots=True)
class Command:
    """Somebody asks for something in comment `comment`; whether `login` may is still to be asked
    of the forge."""

    number: int
    comment: int
    login: str
    command: Asked


@dataclass(frozen=True, slots=True)
class WholePaper:
    """Look at all of a branch. `why` is "push", "schedule" or "workflow_dispatch"."""

    branch: str
    head: str
    why: str


@dataclass(frozen=True, slots=True)
class DeliverRun:
    """Carry out the plan that workflow run `run` left behind, for the pull request from `branch`
    of `repository` at `head`."""

    run: int
    repository: str
    branch: str
    head: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is nothing to do; `why` is a sentence for the log."""

    why: str


Activity: TypeAlias = CheckPull | Command | WholePaper | DeliverRun | Nothing


def activity(facts: Facts) -> Activity:
    """What is to be done. Raises UsageError when the payload lacks what such an event has."""
    decide = _BY_EVENT.get(facts.event)
    if decide is not None:
        return decide(facts)
    return Nothing(_IDLE.get(facts.event, f"Nothing is done on the event {facts.event!r}."))


_IDLE = {
    "merge_group": "A merge queue tests what was reviewed before; nothing is said of it.",
    "pull_request_target": "Nothing is done on pull_request_target, which would run with secrets "
    "beside a stranger's files: `reviser init --github` writes two workflows instead.",
}


def is_ours(run: WorkflowRun, repository: str) -> bool:
    """Whether the jobs of a workflow run are this repository's own, so that a plan which one of
    them left behind is no stranger's. It is told by what the forge knows of the run.

    A pull request's run is, if its branch lies in the repository: then whoever wrote it may write
    there anyhow. A fork's run is not, nor is one that Dependabot caused.
    """
    if run.repository.casefold() != repository.casefold() or run.actor == _DEPENDABOT:
        return False
    return run.event == "pull_request" or run.event in _OWN_EVENTS


def concerns(paths: Iterable[str], patterns: Sequence[str]) -> bool:
    """Whether a change of `paths` is of interest: one of them is chosen by the patterns.

    Patterns are globs whose `*` crosses folders; one that begins with "!" takes back what an
    earlier one chose. No pattern chooses all, and patterns that all begin with "!" choose the rest.
    """
    if not patterns:
        return True
    first = patterns[0].startswith("!")
    return any(_chosen(path, patterns, start=first) for path in paths)


def _chosen(path: str, patterns: Sequence[str], *, start: bool) -> bool:
    chosen = start
    for pattern in patterns:
        if fnmatchcase(path, pattern.removeprefix("!")):
            chosen = not pattern.startswith("!")
    return chosen


def _pull(facts: Facts) -> Activity:
    payload = facts.payload
    number = _number(payload, "number")
    why = _unwanted(payload, facts.filters, number)
    if why:
        return Nothing(why)
    # Dependabot's runs have a token that only reads, and no secrets, like those of forks.
    writable = _own(payload) and _at(payload, "sender", "login") != _DEPENDABOT
    return CheckPull(number, _commit(payload, "pull_request", "head", "sha"), writable)


def _unwanted(payload: Mapping[str, object], filters: Filters, number: int) -> str:
    """Why this event of a pull request is passed over, or ""."""
    action = _text(payload, "action")
    if action not in _PULL_ACTIONS:
        return f"Nothing is done when a pull request is {action}."
    if _text(payload, "pull_request", "state") != "open":
        return f"Pull request {number} is closed."
    if _flag(payload, "pull_request", "draft") and not filters.drafts:
        return f"Pull request {number} is a draft."
    return _unlabelled(payload, filters, number)


def _unlabelled(payload: Mapping[str, object], filters: Filters, number: int) -> str:
    labels = frozenset(_labels(payload))
    if not labels.isdisjoint(filters.skip_labels):
        return f"Pull request {number} has a label that says to leave it alone."
    if filters.labels and labels.isdisjoint(filters.labels):
        return f"Pull request {number} has none of the labels that ask for a review."
    labelled = _text(payload, "action") == "labeled"
    if labelled and _text(payload, "label", "name") not in filters.labels:
        return "The new label does not ask for a review."
    return ""


def _own(payload: Mapping[str, object]) -> bool:
    """Whether the pull request's branch lies in its own repository; a fork may be gone."""
    if _at(payload, "pull_request", "head", "repo") is None:
        return False
    head = _text(payload, "pull_request", "head", "repo", "full_name")
    base = _text(payload, "pull_request", "base", "repo", "full_name")
    return head.casefold() == base.casefold()


def _labels(payload: Mapping[str, object]) -> tuple[str, ...]:
    listed = _at(payload, "pull_request", "labels")
    if not isinstance(listed, list):
        return ()
    names = (one.get("name") for one in listed if isinstance(one, Mapping))
    return tuple(name for name in names if isinstance(name, str))


def _comment(facts: Facts) -> Activity:
    payload = facts.payload
    if _text(payload, "action") != "created":
        return Nothing("Only new comments are read, so that an edit cannot ask for something.")
    issue = _at(payload, "issue")
    if not isinstance(issue, Mapping) or issue.get("pull_request") is None:
        return Nothing("The comment is not on a pull request.")
    command = parse(_text(payload, "comment", "body", empty=True))
    if command is None:
        return Nothing("The comment does not begin with /reviser.")
    why = _unheard(payload)
    if why:
        return Nothing(why)
    return Command(
        _number(payload, "issue", "number"),
        _number(payload, "comment", "id"),
        _text(payload, "comment", "user", "login"),
        command,
    )


def _unheard(payload: Mapping[str, object]) -> str:
    """Why a command is passed over, or ""."""
    if _text(payload, "issue", "state") != "open":
        return "The pull request is closed."
    if _text(payload, "comment", "user", "type") != "User":
        return "The comment was not written by a person."
    if _text(payload, "comment", "author_association") in _STRANGERS:
        return "Its author cannot have write permission."
    return ""


def _push(facts: Facts) -> Activity:
    payload = facts.payload
    branch = _branch(_text(payload, "ref"))
    if branch is None:
        return Nothing("No branch was pushed.")
    if _flag(payload, "deleted"):
        return Nothing(f"The branch {branch} was deleted.")
    if branch.startswith(OWN_BRANCHES):
        return Nothing(f"{branch} is a branch of reviser's own.")
    return WholePaper(branch, _commit(payload, "after"), "push")


def _asked_for(facts: Facts) -> Activity:
    branch = _branch(facts.ref)
    if branch is None:
        return Nothing(f"The workflow does not run on a branch ({facts.ref!r}).")
    if branch.startswith(OWN_BRANCHES):
        return Nothing(f"{branch} is a branch of reviser's own.")
    if not _is_commit(facts.sha):
        raise UsageError(
            "the runner names no commit to look at", hint="Set GITHUB_SHA to the branch's commit."
        )
    return WholePaper(branch, facts.sha, facts.event)


def _run(facts: Facts) -> Activity:
    payload = facts.payload
    if _text(payload, "action") != "completed":
        return Nothing("The workflow run is not over yet.")
    if _text(payload, "workflow_run", "event") != "pull_request":
        return Nothing("The workflow run was not on a pull request.")
    if _at(payload, "workflow_run", "conclusion") not in _RAN:
        return Nothing("The workflow run came to no end of its own.")
    if _at(payload, "workflow_run", "head_repository") is None:
        return Nothing("The fork is gone.")
    repository = _text(payload, "workflow_run", "head_repository", "full_name")
    own = repository.casefold() == _text(payload, "repository", "full_name").casefold()
    # Dependabot's runs have a token that only reads, like those of forks.
    if own and _at(payload, "workflow_run", "actor", "login") != _DEPENDABOT:
        return Nothing("The workflow run could write for itself.")
    return DeliverRun(
        _number(payload, "workflow_run", "id"),
        repository,
        _text(payload, "workflow_run", "head_branch"),
        _commit(payload, "workflow_run", "head_sha"),
    )


_BY_EVENT: Mapping[str, Callable[[Facts], Activity]] = {
    "pull_request": _pull,
    "issue_comment": _comment,
    "push": _push,
    "schedule": _asked_for,
    "workflow_dispatch": _asked_for,
    "workflow_run": _run,
}


def _branch(ref: str) -> str | None:
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None


def _at(payload: Mapping[str, object], *names: str) -> object:
    """What stands there; None where it is null or a part of the way is missing."""
    value: object = payload
    for name in names:
        if not isinstance(value, Mapping):
            return None
        value = value.get(name)
    return value


def _text(payload: Mapping[str, object], *names: str, empty: bool = False) -> str:
    value = _at(payload, *names)
    if value is None and empty:
        return ""
    if not isinstance(value, str) or not (value or empty):
        raise _missing(names)
    return value


def _number(payload: Mapping[str, object], *names: str) -> int:
    value = _at(payload, *names)
    if type(value) is not int or value < 1:
        raise _missing(names)
    return value


def _flag(payload: Mapping[str, object], *names: str) -> bool:
    return _at(payload, *names) is True


def _commit(payload: Mapping[str, object], *names: str) -> str:
    value = _text(payload, *names)
    if not _is_commit(value):
        raise _missing(names)
    return value


def _is_commit(text: str) -> bool:
    return len(text) in {40, 64} and _HEX.issuperset(text)


def _missing(names: Sequence[str]) -> UsageError:
    return UsageError(
        f"the event's payload has no usable {'.'.join(names)}",
        hint="Run `reviser action` in a workflow; GITHUB_EVENT_PATH names the payload.",
    )
