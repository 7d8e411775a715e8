"""The command `action`: what the GitHub action runs."""

import click

from reviser.app.commands.options import planning_options
from reviser.app.commands.pull_options import (
    file_options,
    filtering_options,
    forge_options,
    place_argument,
    posting_options,
    stage_option,
)


@click.command("action")
@place_argument
@forge_options
@planning_options
@posting_options
@stage_option
@filtering_options
@file_options
@click.pass_context
def action_command(ctx: click.Context, /, **_: object) -> int:
    """Do what an event of GitHub Actions asks for: review, deliver, obey a comment.

    PATH is the paper's place in the repository. No checkout is needed: the commits are fetched
    with the token in REVISER_TOKEN or GITHUB_TOKEN, and nothing of them is run.
    """
    from reviser.app.pull.acting import act

    return act(ctx)
