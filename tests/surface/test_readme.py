"""What the README tells people to type exists."""

import re
from pathlib import Path

import click
import pytest

from reviser.app.cli import cli
from reviser.app.settings import KNOWN

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"\breviser ([a-z]+(?:-[a-z]+)*)((?: +(?:-{1,2}[a-z-]+|[\w./]+))*)")
CALLS = sorted(
    {
        (match[1], match[2])
        for block in re.findall(r"```console\n(.*?)```|`(reviser [^`]*)`", README, re.DOTALL)
        for match in COMMAND.finditer(block[0] or block[1])
        if not match[0].startswith("reviser into")
    }
)


def options(command):
    found = {"--help", "-h"}
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            found |= {*parameter.opts, *parameter.secondary_opts}
    return found


@pytest.mark.parametrize(("name", "rest"), CALLS, ids=" ".join)
def test_commands_and_their_options_exist(name, rest):
    assert name in cli.commands
    known = options(cli.commands[name])
    for word in rest.split():
        if word.startswith("-"):
            assert word in known


def test_every_option_named_anywhere_exists():
    known = set().union(*(options(command) for command in cli.commands.values()))
    for word in re.findall(r"`(--[a-z][a-z-]*)", README):
        assert word in known, word


def test_there_is_something_to_read():
    assert {name for name, _ in CALLS} >= {"check", "improve", "demo"}


def test_every_setting_is_an_option_too():
    known = set().union(*(options(command) for command in cli.commands.values()))
    for setting in KNOWN:
        if setting.name != "ignore":
            assert f"--{setting.name}" in known
