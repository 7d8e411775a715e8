"""`reviser evaluate pairs` as it is run: figures in text and JSON, wrong rows named."""

import json
from pathlib import Path

from click.testing import CliRunner

from reviser.app.cli import cli

SAMPLE = Path(__file__).parents[1] / "unit/evaluate/pairs.jsonl"


def test_figures_come_as_text_and_as_json(tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["evaluate", "pairs", str(SAMPLE)])
    assert told.exit_code == 0, told.output
    assert "false accusations: supported" in told.stdout
    assert "6 rows skipped" in told.stdout
    assert "line 14: not JSON" in told.stdout
    file = tmp_path / "report.json"
    told = CliRunner().invoke(
        cli, ["evaluate", "pairs", str(SAMPLE), "--format", "json", "--output", str(file)]
    )
    assert told.exit_code == 0, told.output
    data = json.loads(file.read_text(encoding="utf-8"))
    assert data["schema"] == "reviser.evaluate.pairs/1"
    assert data["pairs"] == 7
    assert len(data["skipped"]) == 6
    assert data["verifier"] is None


def test_a_file_without_pairs_is_wrong_usage(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    for content in (b"", b"[]\n", b"\xff\xfe"):
        empty.write_bytes(content)
        told = CliRunner().invoke(cli, ["evaluate", "pairs", str(empty)])
        assert told.exit_code == 2
        assert "no pair" in told.stderr
    for path in (tmp_path / "absent.jsonl", tmp_path):
        told = CliRunner().invoke(cli, ["evaluate", "pairs", str(path)])
        assert told.exit_code == 2
        assert "Traceback" not in told.stderr
