"""`evaluate pairs` and `evaluate faults` with a chat model, to a server on loopback."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reviser.app.cli import cli
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say, opinion

DEMO = Path(__file__).resolve().parents[2] / "templates" / "demo"
OWLS = "Owls fly without a sound. Their feathers have soft fringes that break the air."
QUOTES = {5: "Owls fly without a sound", 1: "feathers have soft fringes", 3: ""}
GRADES = {"Owls fly in silence.": 5, "Owls have hard feathers.": 1, "Owls lay white eggs.": 3}


def rows(*claims: tuple[str, str], text: str = OWLS) -> bytes:
    lines = [
        {"dataset": "owls", "doc": text, "claim": claim, "label": label}
        if label in {"0", "1"}
        else {"claim": claim, "title": "Owls", "passages": [text], "label": label}
        for claim, label in claims
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("REVISER_API_KEY", "none")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    def answer(asked: Asked) -> Answer:
        grade = GRADES.get(asked.fenced("claim").strip(), 3)
        return Say(opinion(grade, QUOTES[grade]))

    with OpenAIServer(answer) as running:
        yield running


def evaluate(server: OpenAIServer, *words: str, form: str = "json") -> Result:
    models = ["--verifier", "llm", "--model", "tiny", "--base-url", server.base_url]
    return CliRunner().invoke(
        cli, ["evaluate", *words, *models, "--format", form], catch_exceptions=False
    )


def rates(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    return {rate["name"]: rate["interval"]["value"] for rate in json.loads(result.stdout)["rates"]}


def test_a_chat_model_judges_labelled_pairs(server: OpenAIServer, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(
        rows(
            ("Owls fly in silence.", "supported"),
            ("Owls have hard feathers.", "contradicted"),
            ("Owls lay white eggs.", "silent"),
        )
    )
    found = rates(evaluate(server, "pairs", str(file)))
    assert found["accuracy, no answer counts as wrong"] == 1.0
    assert found["false accusations: supported, called off topic or contradicted"] == 0.0
    asked = len(server.asked)
    assert asked == 3
    assert rates(evaluate(server, "pairs", str(file))) == found
    assert len(server.asked) == asked, "its replies are kept beside the file"


def test_limits_are_chosen_on_one_file_and_tried_on_another(
    server: OpenAIServer, tmp_path: Path
) -> None:
    train, dev = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    other = "Owls fly without a sound. The feathers have soft fringes. Owls hunt by night."
    train.write_bytes(rows(("Owls fly in silence.", "1"), ("Owls lay white eggs.", "0")))
    dev.write_bytes(
        rows(("Owls fly in silence.", "1"), ("Owls lay white eggs.", "0"))
        + rows(("Owls fly in silence.", "1"), ("Owls lay white eggs.", "0"), text=other)
    )
    words = ["pairs", str(dev), "--dataset", "aggrefact", "--choose-on", str(train)]
    result = evaluate(server, *words, form="text")
    assert result.exit_code == 0, result.output
    assert "2 pairs; topic" in result.stdout
    assert "limits chosen on the other file: entails" in result.stdout
    assert "2 pairs share a text with it and were left out" in result.stdout


def test_limits_of_nobody_cannot_be_chosen(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(rows(("Owls fly in silence.", "supported")))
    words = ["evaluate", "pairs", str(file), "--choose-on", str(file)]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 2
    assert "none is named" in result.stderr


def test_a_corpus_is_asked_for_by_name(tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_bytes(b'{"id": 1, "claim": "a", "cited_doc_ids": [1]}\n')
    result = CliRunner().invoke(cli, ["evaluate", "pairs", str(file), "--dataset", "scifact"])
    assert result.exit_code == 2
    assert "--corpus" in result.stderr


def test_the_grade_can_be_read_instead_of_the_verdict(server: OpenAIServer, tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(rows(("Owls fly in silence.", "supported")))
    found = rates(evaluate(server, "pairs", str(file), "--scale", "grade"))
    assert found["accuracy, no answer counts as wrong"] == 1.0


def test_faults_are_put_before_a_chat_model(server: OpenAIServer, tmp_path: Path) -> None:
    paper = tmp_path / "paper"
    shutil.copytree(DEMO, paper)
    result = evaluate(server, "faults", str(paper), "--seeds", "1")
    assert result.exit_code == 0, result.output
    assert server.asked, "it is asked"
    assert json.loads(result.stdout)["papers"] == 1
