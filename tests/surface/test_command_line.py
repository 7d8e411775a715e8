"""The command line as a process: help, endings, exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from reviser.app import outcome
from reviser.app.cli import Cli, cli
from reviser.app.settings import KNOWN
from reviser.errors import NoConclusion, SettingsError, StaleEdit, UsageError

COMMANDS = sorted(cli.commands)
GROUPS = [command for command in cli.commands.values() if isinstance(command, click.Group)]
EVERY = [*cli.commands.values(), *(sub for group in GROUPS for sub in group.commands.values())]
"""The commands and those below them."""


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "reviser", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_the_commands():
    assert COMMANDS == [
        "action", "baseline", "check", "deliver", "demo", "doctor", "evaluate", "explain",
        "improve", "init", "inspect", "literature", "lock", "plan", "report-false-positive",
        "review", "reviews", "rules", "undo",
    ]  # fmt: skip


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)], ids=" ".join)
def test_help_works_and_every_option_says_what_it_does(command):
    result = CliRunner().invoke(cli, [*command, "--help"])
    assert result.exit_code == 0
    assert "Usage: " in result.output
    for parameter in cli.commands[command[0]].params if command else cli.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_help_works_below_a_group(group):
    for name, command in group.commands.items():
        result = CliRunner().invoke(cli, [group.name, name, "--help"])
        assert result.exit_code == 0
        assert command.help
        assert all(p.help for p in command.params if isinstance(p, click.Option))


def test_every_variable_is_named_after_its_option():
    """Ours begin with REVISER_; those that begin with GITHUB_ the runner sets."""
    for command in EVERY:
        for option in command.params:
            if isinstance(option, click.Option) and option.envvar:
                names = {n.lstrip("-").upper().replace("-", "_") for n in option.opts}
                owner, _, name = str(option.envvar).partition("_")
                assert owner in {"REVISER", "GITHUB"}
                assert name in names


def test_every_setting_has_the_variable_that_an_error_names():
    options = [o for c in EVERY for o in c.params if isinstance(o, click.Option)]
    variables = {option.envvar for option in options}
    for setting in KNOWN:
        name = f"REVISER_{setting.name.upper().replace('-', '_')}"
        assert name in variables or setting.name == "ignore", name


def test_version():
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("reviser ")


@pytest.mark.parametrize(
    "arguments",
    [["no-such-command"], ["check", "--no-such-option"], ["check", "--format", "pdf"],
     ["check", "no/such/folder"], ["undo", "no/such/folder"], []],
    ids=" ".join,
)  # fmt: skip
def test_wrong_usage_is_2(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def ending(error, args=()):
    @click.group(cls=Cli)
    def group():
        pass

    @group.command()
    def go():
        if isinstance(error, BaseException):
            raise error
        return error

    return CliRunner().invoke(group, ["go", *args])


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (0, 0, ""),
        (1, 1, ""),
        (None, 0, ""),
        (UsageError("wrong", hint="do this"), 2, "error: wrong\n  do this\n"),
        (SettingsError("wrong"), 2, "error: wrong\n"),
        (StaleEdit("a\x1b[31m\nb"), 2, "error: a<U+001B>[31m b\n"),
        (NoConclusion("nothing"), 3, "error: nothing\n"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (ValueError("oops"), 70, "ValueError: oops"),
        (RecursionError("deep"), 70, "RecursionError"),
        (MemoryError(), 70, "MemoryError"),
    ],
    ids=repr,
)
def test_every_ending_has_its_code_and_words(error, code, said):
    result = ending(error)
    assert result.exit_code == code
    assert said in result.stderr
    assert ("bug in reviser" in result.stderr) is (code == outcome.BUG)
    assert ("Traceback" in result.stderr) is (code == outcome.BUG)


def test_a_closed_pipe_is_no_bug():
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "reviser", "--help"],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(writing)
    assert done.returncode == outcome.CLOSED_PIPE
    assert done.stderr == ""


@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_an_output_that_takes_nothing_is_no_bug(where):
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m reviser rules {where}', sys.executable],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    full = where == ">/dev/full"
    assert done.returncode == (outcome.USAGE if full else outcome.CLEAN)
    assert ("the report cannot be written" in done.stderr) is full


def test_a_present_folder_that_is_gone_is_no_bug(tmp_path):
    done = subprocess.run(
        [
            "/bin/sh",
            "-c",
            'mkdir x && cd x && rmdir ../x && "$0" -m reviser doctor',
            sys.executable,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == outcome.USAGE, done.stderr
    assert done.stderr.startswith("error: the present folder is gone\n")


def test_an_evaluator_is_named_where_one_is_asked_and_nowhere_else():
    asked = {
        command.name
        for command in EVERY
        for option in command.params
        if "--evaluator-model" in option.opts
    }
    assert asked == {"procedure", "ablation", "survey"}
