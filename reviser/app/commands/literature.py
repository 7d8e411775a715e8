"""The commands of `reviser literature`: the works that a paper can draw on."""

import click


@click.group("literature")
def literature_command() -> None:
    """Find, keep and read the literature that a paper draws on."""
