"""What the README tells people to type exists."""

import re
from pathlib import Path

import click
import pytest

from reviser.app.cli import cli
from reviser.app.settings import KNOWN
from reviser.evaluate.fault import FaultKind
from reviser.evaluate.report import FALSE, detected
from tests.benchmarks.table import BEGIN, END, HEAD, replaced, table

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
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return found.union(*map(options, below))


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


def test_the_table_of_figures_is_one_that_a_run_has_written():
    body = README.partition(BEGIN)[2].partition(END)[0]
    head, rule, *rows = [line for line in body.splitlines() if line.startswith("|")]
    assert (head, rule) == HEAD
    assert {row.count("|") for row in rows} == {6}
    assert any(row.startswith(f"| {FALSE} |") for row in rows)
    assert any(row.startswith(f"| {detected(FaultKind.OTHER_FIELD)} |") for row in rows)
    assert "in-sample" in body


def test_the_table_is_written_between_its_markers_and_nowhere_else():
    rate = {"name": "x", "interval": {"value": 0.5, "low": 0.25, "high": 1.0}, "count": 4}
    nothing = {"name": "y", "interval": {"value": None, "low": None, "high": None}, "count": 0}
    bench = {
        "papers": ["a+b"],
        "seeds": 2,
        "machine": "m",
        "reading": [],
        "speed": [{"name": "z", "figure": 3.25, "bar": "<= 2", "holds": False, "detail": "d"}],
        "truth": [{"name": "x", "figure": 0.5, "bar": ">= 0.4", "holds": True, "detail": ""}],
        "faults": {"rates": [rate, nothing], "accepted": 5, "harmful": 0},
    }
    lines = table(bench)
    assert "| x | 0.500 | 0.250 to 1.000 | 4 | ≥ 0.4 |" in lines
    assert "| y | - |  | 0 |  |" in lines
    assert "| z | 3.25 |  | d | ≤ 2, falls short |" in lines
    assert any("[a/b](https://github.com/a/b)" in line for line in lines)
    before, after = f"one\n{BEGIN}\nold\n{END}\ntwo\n", "\n".join([BEGIN, *lines, END])
    assert replaced(before, lines) == f"one\n{after}\ntwo\n"
    with pytest.raises(ValueError, match="once each"):
        replaced("no markers", lines)
