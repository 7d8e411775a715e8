"""Options under headings: dozens of them in one list are read by nobody."""

from collections.abc import Callable
from functools import partial
from typing import Any

import click

Option = Callable[..., Callable[[Callable[..., object]], Callable[..., object]]]

_OTHERS = "Options"


class HeadedOption(click.Option):
    """An option that stands under `heading` in the help of a `HeadedCommand`."""

    def __init__(self, *names: Any, heading: str, **rest: Any) -> None:
        super().__init__(*names, **rest)
        self.heading = heading


def headed(option: Option, heading: str) -> Option:
    """`option`, for options that stand under `heading`."""
    return partial(option, cls=HeadedOption, heading=heading)


class HeadedCommand(click.Command):
    """A command whose help shows options under their headings, those without one first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, each group with its heading."""
        groups: dict[str, list[tuple[str, str]]] = {_OTHERS: []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None:
                groups.setdefault(getattr(parameter, "heading", _OTHERS), []).append(row)
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)
