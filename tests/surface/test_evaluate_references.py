"""`reviser evaluate references` from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say

BIB = """@article{a, author = {Ann Miller}, title = {The drift of gyroscopes}, year = 2019,
  abstract = {Gyroscopes drift with time, and more so in the heat of motors.}}
@article{b, author = {Ken Ito}, title = {Losses in throttled pumps}, year = 2010}
@article{c, author = {Ida Lee}, title = {How bats hear their calls}, year = 2012}
"""
WORKS = {
    "works": [
        {"source": "OpenAlex", "id": "W1", "title": "The Drift of Gyroscopes", "year": 2019,
         "authors": [{"family": "Miller", "given": "Ann"}]},
        {"source": "OpenAlex", "id": "W2", "title": "Gyroscopes in the heat", "year": 2020,
         "abstract": "Gyroscopes are tested in the heat."},
        {"source": "OpenAlex", "title": 3},
    ]
}  # fmt: skip
MAIN = r"""\documentclass{article}\title{Gyroscopes drift}\begin{document}
\begin{abstract}Gyroscopes drift in the heat, and bats do not.\end{abstract}
\section{A}Gyroscopes drift \cite{a}. Bats hear \cite{c}.\bibliography{human}\end{document}"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("REVISER_API_KEY", "OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "human.bib").write_text(BIB)
    (tmp_path / "found.json").write_text(json.dumps(WORKS))
    (tmp_path / "main.tex").write_text(MAIN)
    return tmp_path


def run(folder: Path, *arguments: str) -> Any:
    result = CliRunner().invoke(
        cli, ["evaluate", "references", str(folder / "found.json"), *arguments, "--format", "json"]
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_search_results_beside_a_bibliography(folder: Path) -> None:
    said = run(folder, str(folder / "human.bib"), "--topic", "gyroscopes in the heat")
    assert (said["found"], said["human"], said["common"]) == (2, 3, 1)
    assert said["iou"]["value"] == pytest.approx(1 / 4)
    ours, theirs = said["relevance"]
    assert ours["semantic"]["value"] > theirs["semantic"]["value"]
    assert (ours["bare"], theirs["bare"]) == (1, 2)
    assert ours["judged"] is None
    assert [one["title"] for one in said["only_found"]] == ["Gyroscopes in the heat"]


def test_a_paper_gives_its_cited_works_and_its_topic(folder: Path) -> None:
    said = run(folder, str(folder / "main.tex"))
    assert said["topic"].startswith("Gyroscopes drift. Gyroscopes drift in the heat")
    assert (said["human"], said["recall"]["value"]) == (2, pytest.approx(1 / 2))


def test_a_model_is_asked_work_by_work_and_its_silence_is_counted(folder: Path) -> None:
    def script(asked: Asked) -> Answer:
        if "bats" in asked.user:
            return Say("I would rather not say.")
        if "Gyroscopes" in asked.user.partition("topic")[2]:
            return Say('{"quote": "of gyroscopes", "relevant": "no"}')
        return Say('{"quote": "", "relevant": "no"}')

    with OpenAIServer(script) as server:
        options = ["--topic", "flight", "--model", "m", "--base-url", server.base_url]
        said = run(folder, str(folder / "human.bib"), *options)
        assert server.asked
        before = len(server.asked)
        assert run(folder, str(folder / "human.bib"), *options)["asked"]["requests"] <= before
    _, theirs = said["relevance"]
    assert theirs["open"] == 1
    assert theirs["judged"]["value"] == 0.0
    assert said["judge"].startswith("m at 127.0.0.1")


def test_as_text_with_what_was_missed(folder: Path) -> None:
    arguments = [str(folder / "found.json"), str(folder / "human.bib"), "--topic", "gyroscopes"]
    result = CliRunner().invoke(cli, ["evaluate", "references", *arguments])
    assert result.exit_code == 0
    for words in (
        "2 references found, 3 chosen by people, 1 in common",
        "intersection over union",
        "  0.250",
        "semantic relevance, human",
        "no model was asked for relevance",
        "  How bats hear their calls",
    ):
        assert words in result.stdout


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [("[", 2, "no JSON"), ('{"x": 1}', 2, "no list of works"), ("[]", 3, "no references")],
)
def test_a_file_that_is_none_is_told(folder: Path, content: str, code: int, said: str) -> None:
    (folder / "found.json").write_text(content)
    arguments = [str(folder / "found.json"), str(folder / "human.bib"), "--topic", "x"]
    result = CliRunner().invoke(cli, ["evaluate", "references", *arguments])
    assert result.exit_code == code
    assert said in result.stderr


def test_a_topic_must_be_known(folder: Path) -> None:
    arguments = [str(folder / "found.json"), str(folder / "human.bib")]
    result = CliRunner().invoke(cli, ["evaluate", "references", *arguments])
    assert result.exit_code == 3
    assert "--topic" in result.stderr
