"""The command `lock`: keep what is known of the cited works, so that nobody is asked twice."""

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.options import (
    format_option,
    locking_options,
    output_option,
    path_argument,
    reading_options,
    settings_of,
)
from reviser.app.outcome import CLEAN, FOUND
from reviser.errors import UsageError


@click.command("lock", cls=HeadedCommand)
@path_argument
@reading_options
@click.option(
    "--update", is_flag=True, help="Judge what is new or has changed, and write the file."
)
@click.option(
    "--check",
    "checks",
    is_flag=True,
    help="Say whether it is up to date, and what is missing, stale or orphaned; write nothing. "
    "The exit code is 1 where it is not.",
)
@click.option("--prune", is_flag=True, help="Drop what no claim and no work of the paper uses.")
@locking_options
@format_option("text", "json")
@output_option
@click.pass_context
def lock_command(
    ctx: click.Context,
    /,
    *,
    update: bool,
    checks: bool,
    prune: bool,
    form: str,
    output: str | None,
    **_: object,
) -> int:
    """Keep reviser.lock, the verdicts on the works that a paper cites, meant to be committed.

    It holds for each claim and key the verdict with a short quotation, who gave it and a digest of
    what was read. A rerun asks no service and no model about what has not changed. With --lookup
    --update asks literature services for the texts that are new.
    """
    from reviser.app.lock_output import lock_data, lock_page
    from reviser.app.locking import check_lock, prune_lock, update_lock
    from reviser.app.opening import open_paper
    from reviser.app.writing import page_to, write_page, write_text

    if checks == (update or prune):
        raise UsageError(
            "say what is to be done with the lockfile",
            hint="reviser lock --update, --check or --prune; --update and --prune go together.",
        )
    opened = open_paper(settings_of(ctx))
    if update:
        update_lock(opened)
    if prune:
        prune_lock(opened)
    state = check_lock(opened)
    if form == "json":
        write_text(lock_data(state, opened.manuscript), output)
    else:
        page = page_to(output)
        lock_page(page, state, opened.manuscript, prefix=opened.prefix)
        write_page(page, output)
    return CLEAN if not checks or state.good else FOUND
