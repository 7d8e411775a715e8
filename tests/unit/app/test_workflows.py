import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from reviser.app.choices import WORKFLOWS
from reviser.app.cli import cli
from reviser.app.workflows import ACTION, TAG, write_workflows
from reviser.errors import UsageError
from reviser.templates import template_text

HASH = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "paper").mkdir()
    return tmp_path


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_what_is_written_is_the_template(repository, kind):
    (written,) = write_workflows(repository, [kind], action=None, force=False)
    assert written.read_text() == template_text(f"workflows/{kind}.yml")
    assert f"uses: {ACTION} # {TAG}\n" in written.read_text()
    plain = kind.removesuffix("-model")
    assert written.name == ("reviser.yml" if plain == "pull-request" else f"reviser-{plain}.yml")


def test_the_paper_s_place_and_the_action_s_are_put_in(repository):
    ref = f"someone/reviser@{HASH}"
    (written,) = write_workflows(repository / "paper", ["pull-request"], action=ref, force=False)
    assert written == repository / ".github/workflows/reviser.yml"
    text = written.read_text()
    assert f"uses: {ref}\n" in text
    assert 'path: "paper"\n' in text
    assert "0000000" not in text


@pytest.mark.parametrize("ref", ["someone/reviser@v1", "reviser", f"x/y@{HASH}\n- run: rm", ""])
def test_an_action_that_is_not_pinned_is_refused(repository, ref):
    with pytest.raises(UsageError, match="OWNER/NAME@HASH"):
        write_workflows(repository, ["pull-request"], action=ref, force=False)
    assert not (repository / ".github").exists()


def test_nothing_is_written_over_or_by_halves(repository):
    write_workflows(repository, ["commands"], action=None, force=False)
    there = repository / ".github/workflows/reviser-commands.yml"
    there.write_text("mine")
    with pytest.raises(UsageError, match="already there"):
        write_workflows(repository, ["pull-request", "commands"], action=None, force=False)
    assert there.read_text() == "mine"
    assert not (repository / ".github/workflows/reviser.yml").exists()
    write_workflows(repository, ["commands"], action=None, force=True)
    assert there.read_text() != "mine"


def test_outside_a_repository_there_is_nowhere_to_write(tmp_path):
    with pytest.raises(UsageError, match="no git repository"):
        write_workflows(tmp_path, ["pull-request"], action=None, force=False)


def test_the_command_writes_the_one_that_is_meant_by_default(repository):
    done = CliRunner().invoke(cli, ["init", str(repository), "--github"])
    assert done.exit_code == 0
    assert [p.name for p in (repository / ".github/workflows").iterdir()] == ["reviser.yml"]
    assert "no public one yet" in done.output


def test_the_command_writes_several(repository):
    several = ["--github", "pull-request", "--github", "fork-delivery"]
    done = CliRunner().invoke(cli, ["init", *several, str(repository)])
    assert done.exit_code == 0
    assert len(list((repository / ".github/workflows").iterdir())) == 2


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_every_workflow_asks_for_little_and_pins_what_it_uses(kind):
    text = template_text(f"workflows/{kind}.yml")
    assert "permissions: {}" in text
    assert "timeout-minutes:" in text
    pinned = re.findall(r"uses: \S+@([0-9a-f]+)", text)
    assert pinned == ["0" * 40] * (2 if kind.endswith("-model") else 1)
    assert "actions/checkout" not in text
    assert ("contents: write" in text) == (
        kind in {"commands", "commands-model", "overleaf", "whole-paper"}
    )


@pytest.mark.parametrize("kind", [one for one in WORKFLOWS if one.endswith("-model")])
def test_the_job_with_the_key_cannot_write_and_the_one_that_writes_has_no_key(kind):
    jobs = yaml.safe_load(template_text(f"workflows/{kind}.yml"))["jobs"]
    planning, writing = (
        jobs["plan"],
        jobs["deliver" if kind == "pull-request-model" else "command"],
    )
    assert set(planning["permissions"].values()) == {"read"}
    assert "secrets." in str(planning["steps"])
    assert "secrets." not in str({**writing, "permissions": None})
    assert "write" in writing["permissions"].values()
    (step,) = writing["steps"]
    assert set(step["with"]) == {"path", "stage"}
    assert (planning["steps"][0]["with"]["stage"], step["with"]["stage"]) == ("plan", "deliver")


def test_a_model_that_is_named_is_put_in(repository):
    named = ["--model", "llama3.1", "--base-url", "http://gpu.lab:8000/v1"]
    kinds = ["--github", "pull-request", "--github", "commands", "--github", "fork-delivery"]
    done = CliRunner().invoke(cli, ["init", *kinds, *named, str(repository)])
    assert done.exit_code == 0, done.output
    assert "REVISER_API_KEY" in done.output
    folder = repository / ".github/workflows"
    names = {"reviser.yml", "reviser-commands.yml", "reviser-fork-delivery.yml"}
    assert {path.name for path in folder.iterdir()} == names
    for name in ("reviser.yml", "reviser-commands.yml"):
        jobs = yaml.safe_load((folder / name).read_text())["jobs"]
        given = jobs["plan"]["steps"][0]["with"]
        assert (given["model"], given["base-url"]) == ("llama3.1", "http://gpu.lab:8000/v1")


@pytest.mark.parametrize("model", ['x" y', "a\nb", "${{ secrets.X }}", ""])
def test_a_model_s_name_is_no_place_for_anything_else(repository, model):
    with pytest.raises(UsageError, match="--model"):
        write_workflows(
            repository, ["pull-request"], action=None, force=False, model=model, base_url=None
        )
    assert not (repository / ".github").exists()


@pytest.mark.parametrize("kind", WORKFLOWS)
def test_two_runs_for_the_same_thing_never_write_at_once(kind):
    told = yaml.safe_load(template_text(f"workflows/{kind}.yml"))["concurrency"]
    assert "github." in told["group"].replace("github.workflow", "")
    # A command is somebody's wish: it waits, and is not thrown away for the next one.
    assert told["cancel-in-progress"] is (not kind.startswith("commands"))


def test_zizmor_finds_nothing(tmp_path):
    root = Path(__file__).resolve().parents[3]
    files = [*sorted((root / "templates/workflows").glob("*.yml")), root / "action.yml"]
    done = subprocess.run(
        [Path(sys.executable).with_name("zizmor"), "--offline", "--quiet", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
