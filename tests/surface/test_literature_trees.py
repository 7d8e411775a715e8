"""`reviser literature attributes` and `mount` from the command line, with a server on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from reviser.app.cli import cli
from reviser.literature.attribute_templates import bundled_template
from tests.fakes.canned import prompt_of
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say

MAIN = r"""\documentclass{article}
\begin{document}
\section{Pumps in houses and how they are controlled}
Pumps move water in houses \cite{miller2001}. A pump in a house runs all day.
\section{Gyroscopes and the drift of their signal}
A gyroscope drifts with time \cite{ito2010}, and calibration corrects the drift.
\bibliography{refs}
\end{document}
"""
BIB = """@article{miller2001, author = {Ann Miller}, title = {Pumps in houses}, year = 2001,
  abstract = {Pumps move water in houses. We count pumps in the HouseBench dataset, and a
  decision tree tells how they are controlled.}}
@article{ito2010, author = {Ken Ito}, title = {The drift of gyroscopes}, year = 2010,
  abstract = {A gyroscope drifts with time. However, calibration suffers from the drift of its
  signal, which we correct with a recurrent neural network.}}
@misc{bare, title = {A gyroscope and its drift}, year = 2020}
"""
FIELDS = [field.name for field in bundled_template("method").fields]
LIMIT = FIELDS.index("discussion > limitation") + 1
DATA = FIELDS.index("experiments > data") + 1


def honest(asked: Asked) -> Answer:
    if prompt_of(asked) == "classify-work":
        return Say('{"kind": "method"}')
    text = asked.fenced("text")
    notes = [
        {"field": DATA, "quote": "We count pumps in the HouseBench dataset", "text": "HouseBench"},
        {
            "field": LIMIT,
            "quote": "calibration suffers from the drift of its signal",
            "text": "Calibration drifts.",
        },
    ]
    assert ("Pumps" in text) != ("gyroscope" in text)
    return Say(json.dumps({"notes": notes}))


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("REVISER_API_KEY", "OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    return folder


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(honest) as here:
        yield here


def attributes(paper: Path, server: OpenAIServer, *options: str) -> Result:
    arguments = ["--model", "tiny", "--base-url", server.base_url]
    return CliRunner().invoke(cli, ["literature", "attributes", str(paper), *arguments, *options])


def mount(paper: Path, *options: str) -> Any:
    result = CliRunner().invoke(
        cli, ["literature", "mount", str(paper), "--format", "json", *options]
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_trees_are_made_once_and_mounting_takes_its_clues_from_them(
    paper: Path, server: OpenAIServer
) -> None:
    before = mount(paper)
    assert [s["keys"] for s in before["sections"]] == [["miller2001"], ["bare", "ito2010"]]
    assert (before["trees"], before["title_only"]) == (0, 1)
    found = {c["kind"]: c for s in before["sections"] for c in s["clues"]}
    assert (found["dataset"]["text"], found["dataset"]["from"]) == ("HouseBench", "text")

    result = attributes(paper, server, "--all", "--format", "json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    notes = {work["work"]: work["notes"] for work in said["works"]}
    assert notes["ito2010"] == [
        {
            "path": ["discussion", "limitation"],
            "text": "Calibration drifts.",
            "quote": "calibration suffers from the drift of its signal",
        }
    ]
    assert [note["text"] for note in notes["miller2001"]] == ["HouseBench"]
    assert all(len(work["dropped"]) == 1 for work in said["works"])
    assert said["nothing_to_read"] == ["bare"]
    assert said["asked"]["requests"] == len(server.asked) == 4

    after = mount(paper)
    assert after["trees"] == 2
    clues = [clue for section in after["sections"] for clue in section["clues"]]
    limits = [clue for clue in clues if clue["kind"] == "limitation"]
    assert [(c["text"], c["work"], c["from"]) for c in limits] == [
        ("Calibration drifts.", "ito2010", "tree")
    ]
    assert not (paper / ".reviser" / "cache" / "trees").is_symlink()

    again = attributes(paper, server, "--key", "ito2010")
    assert again.exit_code == 0
    assert len(server.asked) == 4
    lines = [line.strip() for line in again.stdout.splitlines()]
    at = lines.index("Calibration drifts.")
    assert lines[at - 2 : at] == ["discussion", "limitation"]


def test_another_text_has_no_kept_tree(paper: Path, server: OpenAIServer) -> None:
    assert attributes(paper, server, "--all").exit_code == 0
    bib = paper / "refs.bib"
    bib.write_text(bib.read_text().replace("suffers from", "knows nothing of"))
    assert mount(paper)["trees"] == 1


def test_nothing_is_sent_that_nobody_allowed(
    paper: Path, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviser.adapters.openai_chat.endpoint.Endpoint.is_here", False)
    result = attributes(paper, server, "--all")
    assert result.exit_code == 2
    assert not server.asked
    assert "full texts of works" in " ".join(result.stderr.split())


def test_which_works_must_be_said(paper: Path, server: OpenAIServer) -> None:
    result = attributes(paper, server)
    assert result.exit_code == 2
    assert "--all" in result.stderr
    result = attributes(paper, server, "--key", "miler2001")
    assert result.exit_code == 2
    assert "miller2001" in result.stderr


def test_a_text_of_the_sources_is_read_in_full(
    paper: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "bare.txt").write_text("This gyroscope is cheap. Its drift is large on long flights.")
    result = attributes(paper, server, "--key", "bare", "--sources", str(texts))
    assert result.exit_code == 3  # neither of the notes has words of it
    assert "bare: nothing was noted that its text bears out" in result.stdout


def test_a_template_of_ones_own_takes_the_place_of_the_bundled_one(
    paper: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    own = tmp_path / "mine" / "attributes"
    own.mkdir(parents=True)
    (own / "method.toml").write_text(
        'kind = "method"\nversion = 1\nwhat = "It does something."\n'
        '[[field]]\npath = ["limit"]\nasks = "What it cannot do."\n'
    )
    result = attributes(paper, server, "--all", "--templates", str(tmp_path / "mine"))
    assert result.exit_code == 3
    shown = [a.fenced("fields") for a in server.asked if prompt_of(a) == "extract-attributes"]
    assert len(shown) == 2
    assert all("1. limit (1 note): What it cannot do." in fields for fields in shown)


@pytest.mark.parametrize(
    ("name", "said"),
    [("metod.toml", "Did you mean method.toml?"), ("theory.toml", "it is not TOML")],
)
def test_a_template_that_is_none_is_told_before_anything_is_asked(
    name: str, said: str, paper: Path, server: OpenAIServer, tmp_path: Path
) -> None:
    own = tmp_path / "mine" / "attributes"
    own.mkdir(parents=True)
    (own / name).write_text("[[[")
    result = attributes(paper, server, "--all", "--templates", str(tmp_path / "mine"))
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not server.asked


def test_mounting_as_text(paper: Path) -> None:
    result = CliRunner().invoke(cli, ["literature", "mount", str(paper), "-v"])
    assert result.exit_code == 0
    for words in ("Pumps in houses and how", "1 work: miller2001", "HouseBench [miller2001]"):
        assert words in result.stdout
    assert "3 works, 1 of them by their title alone; 3 put to a section" in result.stdout


def test_a_paper_without_sections_has_nothing_to_mount(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(r"\documentclass{article}\begin{document}x\end{document}")
    result = CliRunner().invoke(cli, ["literature", "mount", str(tmp_path)])
    assert result.exit_code == 3
