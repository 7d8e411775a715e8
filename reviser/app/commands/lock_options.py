"""The options about the evidence lockfile."""

from collections.abc import Callable

import click

from reviser.app.choices import LOCK

Decorator = Callable[[Callable[..., object]], Callable[..., object]]


def lock_options(option: Callable[..., Decorator]) -> tuple[Decorator, ...]:
    """Whether it is used, and what it may hold; `option` makes one that a variable may set too."""
    return (
        option(
            "--lock",
            type=click.Choice(LOCK),
            default="auto",
            show_default=True,
            help="Whether verdicts are taken from reviser.lock and 'improve' keeps them there: "
            "where it is there or works are looked up, always, never.",
        ),
        option(
            "--lock-abstracts/--no-lock-abstracts",
            variable="REVISER_LOCK_ABSTRACTS",
            default=False,
            help="Whether reviser.lock keeps all abstracts, and not only those whose licence "
            "allows it (default: no).",
        ),
    )
