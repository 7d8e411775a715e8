"""Do what an event under GitHub Actions asks for."""

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click

from reviser.adapters.actions import Runner
from reviser.app.outcome import CLEAN
from reviser.app.pull.bench import KEYS, TOKENS, Bench, bench_of, harmless
from reviser.deliver.event import (
    CheckPull,
    Command,
    DeliverRun,
    Facts,
    Nothing,
    WholePaper,
    activity,
)
from reviser.errors import ReviserError
from reviser.text.printable import printable


def act(ctx: click.Context, environment: Mapping[str, str] = os.environ) -> int:
    """The command `action`: its exit code is 1 where a check found what fails it."""
    runner = Runner(environment, sys.stdout)
    for name in (*TOKENS, *KEYS):
        # Before anything else is said or done.
        runner.mask(environment.get(name, ""))
    with tempfile.TemporaryDirectory(prefix="reviser-", dir=environment.get("RUNNER_TEMP")) as room:
        try:
            return _done(bench_of(ctx, environment, Path(room), runner), runner)
        except ReviserError as error:
            error.args = (harmless(str(error)),)
            error.hint = "\n".join(harmless(line) for line in error.hint.splitlines())
            runner.job_summary(f"**reviser came to no conclusion.** {_plain(error)}\n")
            raise


def _done(bench: Bench, runner: Runner) -> int:
    event = runner.event()
    facts = Facts(event.name, event.payload, ref=runner.ref, sha=runner.sha, filters=bench.filters)
    match activity(facts):
        case CheckPull() as asked:
            return _looked_at(bench, asked)
        case WholePaper() as asked:
            from reviser.app.pull.reviewing import review_branch

            return review_branch(bench, asked)
        case Command() as asked:
            from reviser.app.pull.obeying import obey

            return obey(bench, asked)
        case DeliverRun() as asked:
            from reviser.app.pull.carrying import carry_run

            return carry_run(bench, asked)
        case Nothing(why=why):
            bench.tell(why)
            return CLEAN


def _looked_at(bench: Bench, asked: CheckPull) -> int:
    """Review a pull request, or post what the job before this one planned."""
    if bench.stage != "deliver":
        from reviser.app.pull.reviewing import review_pull

        return review_pull(bench, asked.number, asked.head, writable=asked.writable)
    if not asked.writable:
        bench.tell(
            "The branch lies in another repository; the workflow of the fork delivery posts."
        )
        return CLEAN
    from reviser.app.pull.carrying import carry_own

    code = carry_own(bench, asked.number, asked.head)
    if code is None:
        bench.tell("The job before this one left no plan, so there is nothing to post.")
    return CLEAN if code is None else code


def _plain(error: ReviserError) -> str:
    """An error as one line of Markdown in which nothing is a link, a mention or markup."""
    said = " ".join(f"{error} {error.hint}".split())
    return f"`{printable(said).replace('`', chr(39))[:2000]}`"
