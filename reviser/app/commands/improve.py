"""The command `improve`: make the edits that pass every check, and say what was refused."""

import click

from reviser.app.commands.options import (
    checking_options,
    format_option,
    output_option,
    path_argument,
    reading_options,
    settings_of,
    verbose_option,
)
from reviser.app.outcome import exit_code
from reviser.errors import UsageError


@click.command("improve")
@path_argument
@reading_options
@checking_options
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
    help="Write the edits as a patch for 'git apply' ('-': to the output) instead of making them.",
)
@click.option(
    "-i", "--interactive", is_flag=True, help="Ask about each edit, as 'git add -p' does."
)
@click.pass_context
def improve_command(
    ctx: click.Context,
    /,
    form: str,
    output: str | None,
    verbose: bool,
    dry_run: bool,
    patch: str | None,
    interactive: bool,
    **_: object,
) -> int:
    """Repair a paper: make the edits that pass every check, show the diff and what was refused.

    PATH is the main .tex file or the paper's folder. 'reviser undo' brings every byte back.
    """
    from reviser.app.improving import Wish, improve_paper
    from reviser.app.opening import open_paper

    if interactive and form == "json":
        raise UsageError("--interactive asks on the terminal, so it needs --format text")
    settings = settings_of(ctx)
    wish = Wish(
        dry_run=dry_run,
        patch=patch,
        interactive=interactive,
        form=form,
        output=output,
        verbose=verbose,
    )
    improved = improve_paper(open_paper(settings), wish)
    return exit_code(improved.after.findings, settings.fail_on)
