"""The command `check`: say what is found, change nothing."""

import click

from reviser.app.commands.headed import HeadedCommand
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


@click.command("check", cls=HeadedCommand)
@path_argument
@reading_options
@checking_options
@format_option("text", "json", "sarif", "github")
@output_option
@verbose_option
@click.pass_context
def check_command(
    ctx: click.Context, /, form: str, output: str | None, verbose: bool, **_: object
) -> int:
    """Check a paper: its citations against the works they cite, its references, its bibliography.

    PATH is the main .tex file or the paper's folder. Nothing of the paper is changed.
    """
    from reviser.app.judging import judges_of, options_of
    from reviser.app.locking import locked_of
    from reviser.app.opening import baseline_of, open_paper
    from reviser.app.writing import page_to, write_page, write_text
    from reviser.pipeline.checking import check, known_rules

    settings = settings_of(ctx)
    opened = open_paper(settings)
    judges = judges_of(opened, locked=locked_of(opened))
    checked = check(opened.manuscript, options_of(opened, accepted=baseline_of(opened)), judges)
    match form:
        case "json":
            from reviser.app.json_output import as_json, check_data

            write_text(as_json(check_data(checked, settings.fail_on)), output)
        case "sarif":
            from reviser.app.sarif import sarif

            write_text(sarif(checked, known_rules(), prefix=opened.prefix), output)
        case "github":
            from reviser.app.github_output import github

            write_text(github(checked, prefix=opened.prefix), output)
        case _:
            from reviser.app.text_output import check_page

            page = page_to(output)
            check_page(page, checked, verbose=verbose, prefix=opened.prefix)
            write_page(page, output)
    return exit_code(checked.findings, settings.fail_on)
