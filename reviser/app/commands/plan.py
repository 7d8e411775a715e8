"""The command `plan`: decide what there is to say about a pull request, send nothing."""

import click

from reviser.app.commands.options import planning_options
from reviser.app.commands.pull_options import (
    file_options,
    place_argument,
    posting_options,
    repository_option,
    server_option,
    wishes_of,
)


@click.command("plan")
@place_argument
@click.option(
    "--base",
    metavar="REV",
    help="What is compared with, as a branch to merge into; the place where the two parted "
    "counts. Without it the whole paper is looked at.",
)
@click.option(
    "--head",
    metavar="REV",
    default="HEAD",
    show_default=True,
    help="The commit whose paper is checked.",
)
@repository_option
@server_option
@planning_options
@posting_options
@file_options
@click.pass_context
def plan_command(ctx: click.Context, /, path: str, base: str | None, head: str, **_: object) -> int:
    """Check a paper at a commit of a local clone, and write what there is to say as a plan.

    PATH is the paper's folder or main .tex file in the clone. Nothing is sent and nothing in the
    clone is changed; files that are not committed are not looked at.
    """
    from reviser.app.pull.planning import plan_locally

    return plan_locally(ctx, path, base, head, wishes_of(ctx))
