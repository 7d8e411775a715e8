"""The command `review`: review a paper in the form of a conference, change nothing."""

import click

from reviser.app.commands.headed import HeadedCommand
from reviser.app.commands.model_options import model_settings
from reviser.app.commands.options import (
    format_option,
    output_option,
    path_argument,
    reading_only_options,
    reading_options,
    settings_of,
    verbose_option,
)
from reviser.app.commands.review_options import review_options
from reviser.app.outcome import CLEAN, NO_CONCLUSION


@click.command("review", cls=HeadedCommand)
@path_argument
@reading_options
@reading_only_options
@review_options
@format_option("text", "markdown", "json")
@output_option
@verbose_option
@click.pass_context
def review_command(
    ctx: click.Context, /, form: str, output: str | None, verbose: bool, **_: object
) -> int:
    """Review a paper as for a conference, and list the points to work off.

    PATH is the main .tex file or the paper's folder. Nothing of the paper is changed; the chat
    model that --model names reads its text. What the rules and the verifier find stands in the
    same list. Exit codes: 0, and 3 when no review could be had.
    """
    from reviser.app.opening import open_paper
    from reviser.app.reviewing import review_opened
    from reviser.app.writing import page_to, write_page, write_text

    models, params = model_settings(ctx.params), ctx.params
    opened = open_paper(settings_of(ctx))
    reviewed = review_opened(opened, models, reviews=params["reviews"], imitate=params["imitate"])
    match form:
        case "json":
            from reviser.app.review_json import review_json

            write_text(review_json(reviewed), output)
        case "markdown":
            from reviser.app.review_markdown import review_markdown

            write_text(review_markdown(reviewed, prefix=opened.prefix), output)
        case _:
            from reviser.app.review_text import review_page

            page = page_to(output)
            review_page(page, reviewed, verbose=verbose, prefix=opened.prefix)
            write_page(page, output)
    return CLEAN if reviewed.review is not None else NO_CONCLUSION
