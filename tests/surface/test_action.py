"""The action, its command and its settings say the same."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml

from reviser.app.choices import WORKFLOWS
from reviser.app.cli import cli
from reviser.app.settings import KNOWN, Trust
from reviser.templates import template

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = ACTION["runs"]["steps"]
REVIEW = next(step for step in STEPS if step.get("id") == "review")
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = {
    option.opts[0].lstrip("-"): option
    for option in cli.commands["action"].params
    if isinstance(option, click.Option)
}
# Settings of the command that the action settles itself, or that the runner gives.
SETTLED = {"cache", "cache-folder", "out", "patch", "report", "repository", "server-url", "api-url"}
KEYS = {"api-key", "writer-api-key"}
SERVICE_KEYS = {"openalex-api-key", "semantic-scholar-api-key", "mailto"}
# Inputs about the installation, which the command knows nothing of.
OWN = {"token", *KEYS, *SERVICE_KEYS, "python", "cache", "upload", "torch-index"}
# Settings that the paper's own file holds; as inputs only those that an operator overrules.
AUTHOR = {setting.name for setting in KNOWN if setting.trust is Trust.AUTHOR}


def test_every_setting_of_the_operator_is_an_input():
    operator = set(OPTIONS) - AUTHOR - SETTLED
    assert operator <= set(ACTION["inputs"])
    assert set(ACTION["inputs"]) == operator | OWN | {"path", "main", "bib", "fail-on", "rounds"}


def test_every_input_reaches_the_command_by_its_variable():
    given = {
        f"REVISER_{name.upper().replace('-', '_')}": f"${{{{ inputs.{name} }}}}"
        for name in set(ACTION["inputs"]) - (OWN - {"token", *KEYS})
    }
    assert given.items() <= REVIEW["env"].items()
    variables = {str(o.envvar) for o in OPTIONS.values() if o.envvar} | {"REVISER_PATH"}
    ours = {name for name in REVIEW["env"] if name.startswith("REVISER_")}
    secrets = {"REVISER_TOKEN", "REVISER_API_KEY", "REVISER_WRITER_API_KEY", "REVISER_MAILTO"}
    assert ours - secrets <= variables


def test_keys_of_services_reach_the_command_as_it_reads_them():
    names = {"OPENALEX_API_KEY": "openalex-api-key", "REVISER_MAILTO": "mailto",
             "SEMANTIC_SCHOLAR_API_KEY": "semantic-scholar-api-key"}  # fmt: skip
    assert {v: f"${{{{ inputs.{n} }}}}" for v, n in names.items()}.items() <= REVIEW["env"].items()


def test_defaults_are_those_of_the_command():
    for name, told in ACTION["inputs"].items():
        if name in OPTIONS and told.get("default") not in {None, ""}:
            default = OPTIONS[name].default
            assert told["default"] in {str(default), str(default).lower()}, name


def test_every_input_and_output_is_described_and_outputs_come_from_the_review():
    for told in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert told["description"]
    names = {"findings", "suggested", "accepted", "conclusion", "plan", "report", "patch"}
    assert set(ACTION["outputs"]) == names | {"artifact"}
    for name, told in ACTION["outputs"].items():
        assert told["value"] == f"${{{{ steps.review.outputs.{name} }}}}"


def test_nothing_of_the_event_or_an_input_is_pasted_into_a_script():
    for step in STEPS:
        assert "${{" not in step.get("run", "")


def test_token_and_key_are_seen_by_the_review_alone():
    for step in STEPS:
        if step is not REVIEW:
            told = str({k: v for k, v in step.items() if k != "uses"})
            assert "token" not in told
            assert "api-key" not in told


def test_no_prompt_comes_from_a_folder_that_a_pull_request_may_have_written():
    assert "templates" not in OPTIONS
    assert "templates" not in ACTION["inputs"]
    assert not any(option.envvar == "REVISER_TEMPLATES" for option in OPTIONS.values())


def test_what_is_used_is_pinned_by_a_full_hash():
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z/-]+@[0-9a-f]{40}", one) for one in used)


@pytest.mark.parametrize(
    "path", sorted(template("workflows").iterdir(), key=str), ids=lambda p: p.name
)
def test_workflows_give_the_action_inputs_that_it_has(path):
    jobs = yaml.safe_load(path.read_text())["jobs"]
    for step in (step for job in jobs.values() for step in job["steps"]):
        assert set(step["with"]) <= set(ACTION["inputs"])


def test_an_empty_input_is_an_unset_one(monkeypatch):
    for name in REVIEW["env"]:
        monkeypatch.setenv(name, "")
    with cli.commands["action"].make_context("action", []) as context:
        for name, option in OPTIONS.items():
            assert context.get_parameter_source(option.name).name == "DEFAULT", name
        assert context.params["path"] == "."


def test_labels_may_hold_spaces(monkeypatch):
    monkeypatch.setenv("REVISER_LABELS", "please review\n ready,\n")
    with cli.commands["action"].make_context("action", []) as context:
        assert context.params["labels"] == ("please review", "ready")


SNIPPETS = [s for s in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL) if "jobs:" in s]


def test_the_file_in_the_readme_is_the_one_that_init_writes():
    (snippet,) = SNIPPETS
    written = template("workflows/pull-request.yml").read_text(encoding="utf-8")
    assert yaml.safe_load(snippet) == yaml.safe_load(written)


def test_zizmor_finds_nothing_in_the_readme(tmp_path):
    for number, snippet in enumerate(SNIPPETS):
        (tmp_path / f"{number}.yml").write_text(snippet)
    done = subprocess.run(
        [Path(sys.executable).with_name("zizmor"), "--offline", "--quiet", *tmp_path.iterdir()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_names_every_input_output_and_workflow():
    told = README.partition("## On pull requests")[2].partition("\n## ")[0]
    for name in (*ACTION["inputs"], *ACTION["outputs"], *WORKFLOWS):
        assert f"`{name}`" in told, name
