"""The commands of `reviser literature`: the works that a paper can draw on."""

import click

from reviser.app.commands.literature_corpus import (
    add_command,
    expand_command,
    search_command,
    status_command,
)
from reviser.app.commands.literature_trees import attributes_command, mount_command


@click.group("literature")
def literature_command() -> None:
    """Find, keep and read the literature that a paper draws on."""


literature_command.add_command(search_command)
literature_command.add_command(expand_command)
literature_command.add_command(add_command)
literature_command.add_command(status_command)
literature_command.add_command(attributes_command)
literature_command.add_command(mount_command)
