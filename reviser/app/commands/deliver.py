"""The command `deliver`: carry out a plan that was made elsewhere."""

import click

from reviser.app.commands.options import commit_options
from reviser.app.commands.pull_options import forge_options, posting_options, report_option


@click.command("deliver")
@click.argument("plan", metavar="PLAN")
@click.option(
    "--path",
    default=".",
    show_default=True,
    help="The paper's place in the repository, as the plan was made for.",
)
@click.option("--number", type=click.IntRange(1), help="The pull request, if the plan has none.")
@click.option(
    "--own-plan",
    "ours",
    is_flag=True,
    help="Nobody but your own runs can have written PLAN: a review and a model's edits in it are "
    "delivered too, as far as they can be checked without a model.",
)
@forge_options
@commit_options
@posting_options
@report_option
@click.pass_context
def deliver_command(
    ctx: click.Context, /, plan: str, number: int | None, ours: bool, **_: object
) -> int:
    """Carry out a plan of 'reviser plan' on its pull request. No model is asked.

    Everything in PLAN is checked again on the files at the pull request's head, since anybody may
    have written it; what a model that writes has brought is left out. The token is
    read from REVISER_TOKEN or GITHUB_TOKEN.
    """
    from reviser.app.pull.delivering import deliver_file

    return deliver_file(ctx, plan, number, ours=ours)
