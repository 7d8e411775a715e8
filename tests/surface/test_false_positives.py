"""A finding that is wrong can be kept, and is judged again later."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli

DEMO = Path(__file__).parents[2] / "templates" / "demo"


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    folder = Path(shutil.copytree(DEMO, tmp_path_factory.mktemp("paper") / "demo"))
    result = CliRunner().invoke(cli, ["check", str(folder), "--format", "json"])
    return folder, json.loads(result.stdout)["findings"]


def run(*arguments, code):
    result = CliRunner().invoke(cli, [str(a) for a in arguments])
    assert "Traceback" not in result.stderr, result.stderr
    assert result.exit_code == code, result.output
    return result


def test_a_citation_finding_is_kept_and_accused_again(paper):
    folder, findings = paper
    finding = next(f for f in findings if f["rule"] == "citation-off-topic")
    kept = folder / ".reviser" / "false-positives.jsonl"
    run("report-false-positive", finding["fingerprint"][:6], folder, code=0)
    (line,) = kept.read_text().splitlines()
    record = json.loads(line)
    assert record["id"] == finding["fingerprint"]
    assert record["claim"]
    assert record["evidence"]
    assert record["label"] == "off topic"
    assert (folder / ".reviser" / ".gitignore").read_text() == "*\n"
    # Nothing has changed since, so the same verdict must come out of the record alone.
    told = run("evaluate", "regressions", kept, code=1)
    assert "STILL ACCUSED" in told.output
    assert finding["fingerprint"] in told.output
    again = run("report-false-positive", finding["fingerprint"], folder, code=0)
    assert "already" in again.output
    assert len(kept.read_text().splitlines()) == 1


def test_a_rule_finding_goes_to_a_file_of_the_users_choice(paper, tmp_path):
    folder, findings = paper
    finding = next(f for f in findings if f["rule"] == "duplicate-label")
    kept = tmp_path / "wrong.jsonl"
    kept.write_text("")
    run("report-false-positive", finding["fingerprint"], folder, "--file", kept, code=0)
    told = run("evaluate", "regressions", kept, code=0)
    assert "not replayed" in told.output


def test_an_unknown_id_or_a_broken_file_is_wrong_usage(paper, tmp_path):
    folder, _ = paper
    assert "no finding" in run("report-false-positive", "zzzz", folder, code=2).stderr
    assert "no finding" in run("report-false-positive", "8", folder, code=2).stderr
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    assert "broken.jsonl:1" in run("evaluate", "regressions", broken, code=2).stderr
    assert run("evaluate", "regressions", tmp_path / "none.jsonl", code=2).stderr
