"""The command `improve`: make the edits that pass every check, and say what was refused."""

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.options import (
    checking_options,
    compile_option,
    destination_option,
    format_option,
    output_option,
    path_argument,
    reading_options,
    reviewing_options,
    settings_of,
    verbose_option,
    writing_options,
)
from reviser.app.commands.review_options import review_options
from reviser.app.commands.revising_options import procedure_option
from reviser.app.outcome import exit_code
from reviser.errors import UsageError


@click.command("improve", cls=HeadedCommand)
@path_argument
@reading_options
@checking_options
@reviewing_options
@review_options
@writing_options
@compile_option
@format_option("text", "json")
@output_option
@verbose_option
@click.option(
    "--dry-run",
    is_flag=True,
    envvar="REVISER_DRY_RUN",
    show_envvar=True,
    help="Show what would be done; write nothing.",
)
@click.option(
    "--patch",
    envvar="REVISER_PATCH",
    show_envvar=True,
    metavar="FILE",
    callback=destination_option,
    help="Write the edits as a patch for 'git apply' ('-': to the output) instead of making them.",
)
@procedure_option
@click.option(
    "-i",
    "--interactive",
    is_flag=True,
    envvar="REVISER_INTERACTIVE",
    show_envvar=True,
    help="Ask about each edit, as 'git add -p' does.",
)
@click.pass_context
def improve_command(ctx: click.Context, /, form: str, interactive: bool, **_: object) -> int:
    """Repair a paper: make the edits that pass every check, show the diff and what was refused.

    PATH is the main .tex file or the paper's folder. With --review chat models review it as well,
    answer or rewrite for each point, and the gate keeps what measurably helps. 'reviser undo'
    brings every byte back; 'reviser explain' shows what an edit had to pass.
    """
    from reviser.app.improving import Wish, improve_as_set
    from reviser.app.outcome import INTERRUPTED

    if interactive and form == "json":
        raise UsageError("--interactive asks on the terminal, so it needs --format text")
    settings = settings_of(ctx)
    told = ("dry_run", "patch", "interactive", "form", "output", "verbose")
    wish = Wish(**{name: ctx.params[name] for name in told})
    improved = improve_as_set(settings, wish)
    code = exit_code(improved.after.findings, settings.fail_on)
    return INTERRUPTED if improved.interrupted else code
