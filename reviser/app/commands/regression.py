"""The command `report-false-positive`: keep a finding that is wrong, to be judged again."""

import click

from reviser.app.commands.options import (
    checking_options,
    path_argument,
    reading_options,
    settings_of,
)
from reviser.app.outcome import CLEAN


@click.command("report-false-positive")
@click.argument("fingerprint", metavar="ID")
@path_argument
@reading_options
@checking_options
@click.option(
    "--file",
    metavar="FILE",
    help="Append to this file; it holds text of the paper and of the works it cites.",
)
@click.pass_context
def report_command(ctx: click.Context, /, fingerprint: str, file: str | None, **_: object) -> int:
    """Keep a finding that is wrong: its claim, its evidence and its verdict.

    ID is the finding's fingerprint or its beginning. The record holds text of the paper, so it
    stays in .reviser/false-positives.jsonl beside it, out of git, unless you name another file.
    'reviser evaluate regressions' judges it again by the limits of the day.
    """
    from reviser.app.false_positives import report
    from reviser.app.opening import open_paper
    from reviser.text.printable import printable

    name, added = report(open_paper(settings_of(ctx)), fingerprint, file)
    if added:
        click.echo(f"kept in {printable(name)}, which holds text of the paper; nothing was sent")
    else:
        click.echo(f"it is already kept in {printable(name)}")
    return CLEAN
