"""Do what a comment asks for, if its author may write to the repository."""

from contextlib import suppress
from dataclasses import replace
from typing import Literal

from reviser.app.outcome import CLEAN
from reviser.app.pull.bench import Bench
from reviser.app.pull.reviewing import left_alone, planned, remembered, review_pull
from reviser.deliver.answering import Obeyed, answer, apply_edits, ignore
from reviser.deliver.commands import Apply, Check, Explain, Help, Ignore, Unknown, find
from reviser.deliver.event import Command
from reviser.deliver.forge import ForgeError, PullRequest
from reviser.deliver.report import explanation, help_text

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


def _obeyed(bench: Bench, pull: PullRequest, asked: Command) -> Obeyed:
    match asked.command:
        case Check():
            review_pull(bench, pull.number, pull.head, writable=True)
            return Obeyed(True)
        case Apply() as apply:
            made = planned(bench, pull, bench.pull_commits(pull))
            return apply_edits(bench.forge, pull, made.plan, made.sources, apply)
        case Ignore() as point:
            return ignore(bench.forge, pull, point, asked.login)
        case Explain(id=beginning):
            return _explained(bench, pull, beginning)
        case Help():
            return Obeyed(True, help_text())
        case Unknown():
            return Obeyed(False, help_text())


def _explained(bench: Bench, pull: PullRequest, beginning: str) -> Obeyed:
    made = planned(bench, pull, bench.pull_commits(pull))
    found = find(remembered(pull, bench.paper), made.plan, beginning)
    if len(found) > 1:
        several = ", ".join(f"`{one}`" for one in found[:_MOST_SHOWN])
        return Obeyed(False, f"`{beginning}` may be any of {several}: more digits are needed.")
    return Obeyed(bool(found), explanation(made.plan, made.sources, *(found or (beginning,))))


def _react(bench: Bench, comment: int, content: Literal["+1", "confused", "eyes"]) -> None:
    """A sign that it was heard; what matters does not hang on it."""
    with suppress(ForgeError):
        bench.forge.react(comment, content)
