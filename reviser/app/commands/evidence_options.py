"""The options for texts of cited works, and for what is kept of a run."""

from collections.abc import Callable

import click

from reviser.app.commands.headed import Option

Function = Callable[..., object]


def texts_option(option: Option) -> Callable[[Function], Function]:
    """Where the reader's own texts lie, made with `option`."""
    return option(
        "--sources",
        multiple=True,
        type=click.Path(),
        metavar="PATH",
        help="Texts of cited works: a folder with KEY.txt, KEY.md or KEY.pdf, or with files of any "
        "name that begin with title and authors; or an export of works with abstracts: .bib, .ris, "
        "CSL-JSON (.json). Repeatable.",
    )


def keeping(option: Option) -> tuple[Callable[[Function], Function], ...]:
    """Whether results are kept for the next run, and where."""
    return (
        option(
            "--cache/--no-cache",
            variable="REVISER_CACHE",
            default=True,
            help="Whether what the models said is kept in .reviser/ for the next run "
            "(default: yes). The verdicts are the same either way.",
        ),
        option(
            "--cache-folder",
            metavar="FOLDER",
            help="Keep it in this folder instead, which nobody else may write to.",
        ),
    )
