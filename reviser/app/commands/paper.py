"""Commands about one paper that change none of its text: inspect, baseline, undo."""

import click


@click.command("inspect")
def inspect_command() -> int:
    """Print what was read of the paper."""
    return 0
