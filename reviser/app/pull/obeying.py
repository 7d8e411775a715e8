"""Do what a comment asks for, if its author may write to the repository."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from reviser.app.outcome import CLEAN
from reviser.app.pull.bench import Bench
from reviser.app.pull.carrying import carry_own, told_before
from reviser.app.pull.making import Models
from reviser.app.pull.reviewing import left_alone, planned, remembered, review_pull
from reviser.deliver.answering import (
    NO_MODEL,
    NO_REVIEW,
    Obeyed,
    answer,
    apply_edits,
    ignore,
)
from reviser.deliver.commands import Apply, Check, Explain, Help, Ignore, Review, Unknown, find
from reviser.deliver.event import Command
from reviser.deliver.forge import ForgeError, PullRequest
from reviser.deliver.plan import Plan
from reviser.deliver.report import explanation, help_text
from reviser.text.source import Source

_MOST_SHOWN = 10


def obey(bench: Bench, asked: Command) -> int:
    """Obey once and answer once at most; a person who may not write gets neither. The head that
    the pull request has now is the one that is spoken of."""
    if not bench.forge.may_write(asked.login):
        bench.tell("The comment's author has no write access, so nothing is done.")
        return CLEAN
    pull = bench.forge.pull(asked.number)
    why = left_alone(pull, pull.head)
    if why:
        bench.tell(why)
        return CLEAN
    if bench.stage == "plan":
        return _planned_first(bench, pull, asked)
    _react(bench, asked.comment, "eyes")
    obeyed = _obeyed(bench, pull, asked)
    if obeyed.answer:
        answer(bench.forge, pull, asked.comment, obeyed.answer)
    _react(bench, asked.comment, "+1" if obeyed.done else "confused")
    if obeyed.commit:
        # A commit made with a workflow's token starts no workflow of its own.
        fresh = replace(bench, room=bench.room / "after")
        return review_pull(fresh, asked.number, obeyed.commit, writable=True)
    return CLEAN


def _planned_first(bench: Bench, pull: PullRequest, asked: Command) -> int:
    """The plan that the job with the token carries out, for commands that need a model."""
    if isinstance(asked.command, Review):
        if not bench.model:
            bench.tell("No model is named, so no review is written.")
            return CLEAN
        return review_pull(bench, pull.number, pull.head, writable=True, asked=True)
    if isinstance(asked.command, Check):
        return review_pull(bench, pull.number, pull.head, writable=True)
    bench.tell("This command needs no plan.")
    return CLEAN


def _obeyed(bench: Bench, pull: PullRequest, asked: Command) -> Obeyed:
    match asked.command:
        case Check() | Review() as look:
            return _looked_at(bench, pull, look)
        case Apply() as apply:
            plan, sources = _told(bench, pull)
            return apply_edits(bench.forge, pull, plan, sources, apply)
        case Ignore() as point:
            return ignore(bench.forge, pull, point, asked.login)
        case Explain(id=beginning):
            return _explained(bench, pull, beginning)
        case Help():
            return Obeyed(True, help_text())
        case Unknown():
            return Obeyed(False, help_text())


def _looked_at(bench: Bench, pull: PullRequest, asked: Check | Review) -> Obeyed:
    """Look at the pull request as it is now, or post what the job before this one planned."""
    reviewed = isinstance(asked, Review)
    if reviewed and bench.stage == "all" and not bench.model:
        return Obeyed(False, NO_MODEL)
    if bench.stage == "deliver" and carry_own(bench, pull.number, pull.head) is not None:
        return Obeyed(True)
    if bench.stage == "deliver" and reviewed:
        return Obeyed(False, NO_REVIEW)
    review_pull(bench, pull.number, pull.head, writable=True, asked=reviewed)
    return Obeyed(True)


def _explained(bench: Bench, pull: PullRequest, beginning: str) -> Obeyed:
    plan, sources = _told(bench, pull)
    found = find(remembered(pull, bench.paper), plan, beginning)
    if len(found) > 1:
        several = ", ".join(f"`{one}`" for one in found[:_MOST_SHOWN])
        return Obeyed(False, f"`{beginning}` may be any of {several}: more digits are needed.")
    return Obeyed(bool(found), explanation(plan, sources, *(found or (beginning,))))


def _told(bench: Bench, pull: PullRequest) -> tuple[Plan, Mapping[str, Source]]:
    """The plan for the head: the one that our summary tells of where models wrote in it, since
    they might say something else today; else a new one, for which models are asked only where
    their key is."""
    before = told_before(bench, pull)
    if before is not None:
        return before.plan, before.sources
    models = Models.AS_SET if bench.stage == "all" else Models.NONE
    made = planned(bench, pull, bench.pull_commits(pull), models)
    return made.plan, made.sources


def _react(bench: Bench, comment: int, content: Literal["+1", "confused", "eyes"]) -> None:
    """A sign that it was heard; what matters does not hang on it."""
    with suppress(ForgeError):
        bench.forge.react(comment, content)
