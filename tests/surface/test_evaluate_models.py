"""`evaluate procedure`, `ablation` and `survey` from the command line to a server on loopback."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.app.cli import cli
from tests.fakes.canned import canned, prompt_of
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
GRADES = {
    "coverage": 4,
    "structure": 3,
    "relevance": 4,
    "synthesis": 3,
    "critical_analysis": 2,
}


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REVISER_API_KEY", "none")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    shutil.copytree(TEMPLATES / "demo", folder)
    (folder / "reviser.toml").touch()
    return folder


@pytest.fixture
def server(paper: Path) -> Iterator[OpenAIServer]:
    files = {
        path.relative_to(paper).as_posix(): path.read_bytes()
        for path in paper.rglob("*")
        if path.is_file()
    }
    says = canned(files)

    def answer(asked: Asked) -> Answer:
        if prompt_of(asked) == "evaluate-survey":
            return Say(json.dumps(GRADES))
        return says(asked)

    with OpenAIServer(answer) as running:
        yield running


def evaluate(server: OpenAIServer, *words: str) -> Result:
    models = ["--model", "tiny", "--base-url", server.base_url, "--context", "64000"]
    models += ["--evaluator-model", "other", "--format", "json"]
    return CliRunner().invoke(cli, ["evaluate", *words, *models], catch_exceptions=False)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".reviser" not in path.parts
    }


def test_both_procedures_are_laid_side_by_side(server: OpenAIServer, paper: Path) -> None:
    before = bytes_of(paper)
    result = evaluate(server, "procedure", str(paper))
    assert result.exit_code == 0, result.output
    assert bytes_of(paper) == before, "nothing is written"
    ours, theirs = json.loads(result.stdout)["procedures"]
    assert (ours["name"], theirs["name"]) == ("reviser", "published")
    assert ours["accepted"] > 0
    assert ours["points"] >= theirs["accepted"] > 0
    # Two whole reviews for each edit that came to the gate, besides that of each round.
    judged = theirs["accepted"] + theirs["refused"].get("rubric", 0)
    assert theirs["asked"]["review-paper/1"] >= 2 * judged
    assert "score-passage/1" not in theirs["asked"]
    rows = {row["name"]: row for row in ours["compared"]["rows"]}
    assert rows["coverage"]["before"] == 4
    assert rows["content, weighted mean"]["after"] == pytest.approx(3.2)


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("no-gate", "score-passage/1"),
        ("linear", "replan-points/1"),
        ("self-refine", "score-passage/1"),
        ("rarr", "review-paper/1"),
    ],
)
def test_an_ablation_lacks_what_it_is_named_for(
    server: OpenAIServer, paper: Path, name: str, lacks: str
) -> None:
    result = evaluate(server, "ablation", str(paper), "--only", name)
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.stdout)["procedures"]
    assert one["name"] == name
    assert lacks not in one["asked"]


def test_an_unknown_procedure_is_named_with_the_known_ones(
    server: OpenAIServer, paper: Path
) -> None:
    result = CliRunner().invoke(
        cli,
        ["evaluate", "ablation", str(paper), "--only", "magic", "--model", "m"],
    )
    assert result.exit_code == 2
    assert "no procedure 'magic'" in result.output
    assert "self-refine" in result.output


def test_two_versions_are_scored_by_the_same_evaluator(
    server: OpenAIServer, paper: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(paper, other)
    section = other / "sections" / "introduction.tex"
    section.write_text(section.read_text() + "\n\nOne more sentence stands here.\n")
    result = evaluate(server, "survey", "--before", str(paper), "--after", str(other))
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    rows = {row["name"]: row for row in data["rows"]}
    assert rows["coverage"]["before"] == rows["coverage"]["after"] == 4
    assert rows["sentences"]["after"] == rows["sentences"]["before"] + 1
    assert data["iou"] == 1
    assert all("before" not in asked.user[:200].lower() for asked in server.asked)


def test_without_a_model_the_content_is_not_graded(paper: Path) -> None:
    words = ["evaluate", "survey", "--before", str(paper), "--after", str(paper)]
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert "no evaluator model is named" in result.output
