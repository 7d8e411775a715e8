"""The options of the commands that work on a pull request, and the values they become."""

import re
from typing import TYPE_CHECKING

import click

from reviser.app.choices import MODES, MOST_INLINE, STAGES
from reviser.app.commands.options import Function, destination_option, option, together

if TYPE_CHECKING:
    from reviser.deliver.event import Filters
    from reviser.deliver.story import Wishes


class _Listed(click.ParamType[str]):
    """A text; several in a variable stand on lines of their own, or with commas between, since a
    label may hold spaces."""

    name = "text"

    def split_envvar_value(self, rv: str) -> list[str]:
        """The parts of a variable's value, empty ones left out."""
        return [part.strip() for part in re.split(r"[\n,]", rv) if part.strip()]


def place_argument(function: Function) -> Function:
    """PATH, the paper's place in the repository; no file is read there."""
    return click.argument("path", default=".", envvar="REVISER_PATH", metavar="[PATH]")(function)


def posting_options(function: Function) -> Function:
    """What may be posted."""
    return together(
        option(
            "--mode",
            type=click.Choice(MODES),
            default="suggest",
            show_default=True,
            help="What becomes of accepted edits besides the patch: suggestions on changed "
            "lines, a pull request onto the branch, a commit to it, or nothing.",
        ),
        option(
            "--inline",
            type=click.IntRange(0, MOST_INLINE),
            default=5,
            show_default=True,
            help="How many new comments a run may put into the diff.",
        ),
        option(
            "--check-run/--no-check-run",
            variable="REVISER_CHECK_RUN",
            default=False,
            help="Whether a check run with annotations is reported too (default: no).",
        ),
    )(function)


stage_option = option(
    "--stage",
    type=click.Choice(STAGES),
    default="all",
    show_default=True,
    help="'plan' decides and posts nothing, 'deliver' posts what an earlier job of the same "
    "workflow run decided: so the job with a model's key needs no token that writes, and the one "
    "with the token no key.",
)


def filtering_options(function: Function) -> Function:
    """Which pull requests are looked at."""
    return together(
        option(
            "--drafts/--no-drafts",
            variable="REVISER_DRAFTS",
            default=False,
            help="Whether drafts are looked at (default: no).",
        ),
        option(
            "--labels",
            multiple=True,
            type=_Listed(),
            metavar="LABEL",
            help="Only pull requests with one of these labels. Repeatable.",
        ),
        option(
            "--skip-labels",
            multiple=True,
            type=_Listed(),
            metavar="LABEL",
            help="No pull request with one of these labels. Repeatable.",
        ),
        option(
            "--paths",
            multiple=True,
            type=_Listed(),
            metavar="GLOB",
            help="Only pull requests that change a file of this kind ('paper/*.tex'; '!old/*' "
            "takes back). Repeatable.",
        ),
    )(function)


report_option = option(
    "--report",
    metavar="FILE",
    callback=destination_option,
    help="Write the report here, in Markdown.",
)


def file_options(function: Function) -> Function:
    """Where plan, patch and report are written."""
    return together(
        option(
            "--out",
            metavar="FILE",
            callback=destination_option,
            help="Write the plan here, for 'reviser deliver'.",
        ),
        option(
            "--patch",
            metavar="FILE",
            callback=destination_option,
            help="Write the accepted edits here, for 'git apply' at the repository's top.",
        ),
        report_option,
    )(function)


repository_option = option(
    "--repository",
    variable="GITHUB_REPOSITORY",
    metavar="OWNER/NAME",
    help="The repository's name on the forge.",
)

server_option = option(
    "--server-url",
    variable="GITHUB_SERVER_URL",
    default="https://github.com",
    show_default=True,
    help="The forge's address for people and for git.",
)


def forge_options(function: Function) -> Function:
    """Which repository is spoken to, and where."""
    return together(
        repository_option,
        server_option,
        option(
            "--api-url",
            variable="GITHUB_API_URL",
            default="https://api.github.com",
            show_default=True,
            help="The forge's address for programs.",
        ),
    )(function)


def wishes_of(ctx: click.Context) -> "Wishes":
    """What may be posted, as the operator said."""
    from reviser.deliver.story import Wishes

    given = ctx.params
    return Wishes(
        mode=given.get("mode", "suggest"),
        inline=given.get("inline", 5),
        check_run=given.get("check_run", False),
    )


def filters_of(ctx: click.Context) -> "Filters":
    """Which pull requests are looked at, as the operator said."""
    from reviser.deliver.event import Filters

    given = ctx.params
    return Filters(
        labels=given.get("labels", ()),
        skip_labels=given.get("skip_labels", ()),
        drafts=given.get("drafts", False),
    )
