"""Bring in the TeX engine, where edits are to be compiled."""

from collections.abc import Callable

import click

from reviser.adapters.tex.run import TeX, installed
from reviser.app.opening import Opened
from reviser.errors import UsageError
from reviser.manuscript.model import Manuscript
from reviser.ports import Typeset
from reviser.revise.compile import compiled
from reviser.text.printable import printable


def compiled_of(opened: Opened) -> Callable[[Manuscript], Typeset] | None:
    """What TeX complains of in a paper; None where --compile was not given.

    The paper is typeset once, so that it is said at once where that cannot be done. Raises
    UsageError when no engine is installed.
    """
    if not opened.settings.compile:
        return None
    if not installed():
        raise UsageError(
            "--compile needs pdflatex, and it is not installed",
            hint="Install a TeX distribution (Debian: apt-get install texlive-latex-recommended), "
            "or leave --compile out.",
        )
    typesetter = TeX(opened.files, opened.manuscript.main)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(typesetter.close)
    ask = compiled(typesetter)
    now = ask(opened.manuscript)
    for why in typesetter.left_out:
        click.echo(f"warning: not typeset: {printable(why)}", err=True)
    if now.why:
        click.echo(
            f"warning: the paper cannot be typeset ({printable(now.why)}), so that every edit "
            "stays undecided. Without --compile, edits are not typeset.",
            err=True,
        )
    return ask
