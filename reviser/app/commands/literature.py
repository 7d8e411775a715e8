"""The commands of `reviser literature`: the works that a paper can draw on."""

import click

from reviser.app.commands.literature_trees import attributes_command, mount_command


@click.group("literature")
def literature_command() -> None:
    """Find, keep and read the literature that a paper draws on."""


literature_command.add_command(attributes_command)
literature_command.add_command(mount_command)
