"""The command line: one group of commands, and one place where every ending gets its exit code."""

import gc
import sys
from collections.abc import Sequence
from typing import Any

import click

from reviser.app.commands.action import action_command
from reviser.app.commands.check import check_command
from reviser.app.commands.deliver import deliver_command
from reviser.app.commands.evaluate import evaluate_command
from reviser.app.commands.house import demo_command, doctor_command, init_command, rules_command
from reviser.app.commands.improve import improve_command
from reviser.app.commands.literature import literature_command
from reviser.app.commands.lock import lock_command
from reviser.app.commands.paper import (
    baseline_command,
    explain_command,
    inspect_command,
    undo_command,
)
from reviser.app.commands.plan import plan_command
from reviser.app.commands.regression import report_command
from reviser.app.commands.review import review_command
from reviser.app.commands.reviews import reviews_command
from reviser.app.outcome import Outcome
from reviser.app.version import version

COLLECT_AFTER = (50_000, 20, 50)
"""When Python looks for cycles. A run builds one large paper, which has none, and ends: looking
as often as Python does by default takes a fifth of the reading of a large paper."""


class Cli(click.Group):
    """A group whose commands return their exit code, and whose errors `Outcome` tells."""

    def main(  # type: ignore[override]  # the process ends here, so nothing is returned
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002 - click's signature
        **extra: object,
    ) -> None:
        """Run a command and exit the process with its code."""
        with Outcome():
            code = super().main(
                args, prog_name or "reviser", complete_var, standalone_mode=False, **extra
            )
            sys.stdout.flush()
            sys.exit(code if isinstance(code, int) else 0)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order they are met, not by letter: check first."""
        return list(self.commands)

    # In both, click would turn a closed pipe into exit code 1, which means a finding.
    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the group's own options; `--help` prints here."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except BrokenPipeError:
            Outcome.closed_pipe()

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            Outcome.closed_pipe()


def _version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"reviser {version()}")
        ctx.exit()


@click.group(cls=Cli, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Check the citations of a LaTeX paper against the works they cite, and repair them.

    PATH is the paper's main .tex file or its folder (default: the current one). Nothing leaves this
    machine, except that 'deliver' and 'action' post to pull requests, that '--model' asks the
    endpoint you allow, that '--lookup' sends literature services titles, authors' names and
    identifiers of cited works and words to search for, '--corpus http://...' a server of yours the
    works it keeps, and that 'reviews fetch' names a venue to OpenReview. Exit codes: 0 clean, 1
    findings remain, 2 wrong usage or settings, 3 no conclusion possible, 70 a bug, 130 interrupted.
    """


for command in (
    check_command,
    improve_command,
    review_command,
    explain_command,
    undo_command,
    baseline_command,
    lock_command,
    inspect_command,
    rules_command,
    init_command,
    doctor_command,
    demo_command,
    evaluate_command,
    report_command,
    reviews_command,
    literature_command,
    plan_command,
    deliver_command,
    action_command,
):
    cli.add_command(command)


def main() -> None:
    """The entry point of the `reviser` command."""
    gc.set_threshold(*COLLECT_AFTER)
    cli.main()
