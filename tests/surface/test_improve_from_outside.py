"""`improve` with services and a verifier on loopback: the right work is not in the bibliography."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviser.app.cli import cli
from tests.fakes.openai_server import Answer, Asked, OpenAIServer, Say, opinion
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import Update, Work

CLAIM = "Dogs bark at strangers more often than at friends"
DENIED = "Dogs bark at friends more often than at strangers"
MAIN = rf"""\documentclass{{article}}
\begin{{document}}
Cats sleep for most of the day and hunt when it is dark \citep{{miller2001}}.
{CLAIM} \citep{{berg2015}}.
\bibliography{{refs}}
\end{{document}}
"""
BIB = f"""@article{{miller2001,
  author   = {{Ann Miller}},
  title    = {{The Sleep of Cats}},
  journal  = {{Cats}},
  year     = {{2001}},
  abstract = {{Cats sleep for sixteen hours a day. We watched forty cats in a quiet house for a
              year, and wrote down when each of them was asleep.}}
}}

@article{{berg2015,
  author   = {{Eva Berg}},
  title    = {{When Dogs Bark}},
  journal  = {{Dogs}},
  year     = {{2015}},
  abstract = {{{DENIED}. Two hundred dogs were recorded in their
              gardens over one summer.}}
}}
"""
RIGHT = Work(
    "Whom dogs bark at: 100% strangers & others",
    authors=("Noé Wolf", "Bo Lind"),
    year=2018,
    venue="Dogs",
    doi="10.5555/dogs",
    abstract=f"{CLAIM}. Fifty dogs of ten breeds met strangers and friends at a garden gate.",
)
WRITTEN = r"""

@article{wolf2018,
  author   = {No{\'e} Wolf and Bo Lind},
  title    = {Whom dogs bark at: 100\% strangers \& others},
  journal  = {Dogs},
  year     = {2018},
  doi      = {10.5555/dogs}
}
"""


def reads(asked: Asked) -> Answer:
    claim, work = asked.fenced("claim"), asked.fenced("work")
    if DENIED in work and claim.startswith("Dogs"):
        return Say(opinion(1, DENIED))
    if CLAIM in work and claim.startswith("Dogs"):
        return Say(opinion(5, CLAIM))
    if claim.startswith("Cats") and "sixteen hours" in work:
        return Say(opinion(5, "Cats sleep for sixteen hours a day"))
    return Say(opinion(3))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    for name in ("REVISER_API_KEY", "OPENAI_API_KEY", "REVISER_YES", "HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with OpenAIServer(reads) as server:
        yield server


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(MAIN)
    (folder / "refs.bib").write_text(BIB)
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "paper"],
    ):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def improve(paper: Path, model: OpenAIServer, *options: str) -> Result:
    told = ["--verifier", "llm", "--model", "m", "--base-url", model.base_url, *options]
    result = CliRunner().invoke(cli, ["improve", str(paper), *told])
    assert result.exit_code in {0, 1}, result.output
    return result


def library(monkeypatch: pytest.MonkeyPatch, site: Scholar) -> None:
    site.reviser(monkeypatch, "openalex,crossref")


def test_the_entry_and_the_citation_come_together(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        library(monkeypatch, site)
        result = improve(paper, model)
        told = " ".join(result.stdout.split())
        assert "berg2015 -> wolf2018 (and 1 other place)" in told
        assert "@article{wolf2018," in told
        assert "doi:10.5555/dogs" in told
        assert (paper / "main.tex").read_text() == MAIN.replace("berg2015", "wolf2018")
        assert (paper / "refs.bib").read_text() == BIB.rstrip("\n") + WRITTEN
        again = improve(paper, model)
    assert "Nothing to change" in again.stdout


def test_the_record_names_source_and_identity(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        library(monkeypatch, site)
        result = improve(paper, model, "--format", "json")
    edit = json.loads(result.stdout)["edits"][0]["id"]
    explained = CliRunner().invoke(cli, ["explain", edit, str(paper)])
    assert explained.exit_code == 0, explained.output
    said = " ".join(explained.output.split())
    assert "resolved in OpenAlex, doi:10.5555/dogs" in said
    assert "It may change: entry (nothing) -> wolf2018" in said
    assert "@article{wolf2018," in said


def test_undo_takes_both_back(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        library(monkeypatch, site)
        improve(paper, model)
    undone = CliRunner().invoke(cli, ["undo", str(paper)])
    assert undone.exit_code == 0, undone.output
    assert (paper / "main.tex").read_text() == MAIN
    assert (paper / "refs.bib").read_text() == BIB


def test_a_patch_holds_both_files(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        library(monkeypatch, site)
        result = improve(paper, model, "--patch", "-")
    assert (paper / "main.tex").read_text() == MAIN
    patch = result.stdout
    assert "+@article{wolf2018," in patch
    done = subprocess.run(
        ["git", "apply", "--check", "-"],
        cwd=paper,
        input=patch.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_json_tells_the_parts_of_the_edit(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        library(monkeypatch, site)
        result = improve(paper, model, "--dry-run", "--format", "json")
    edits = json.loads(result.stdout)["edits"]
    assert [(e["part"], e["parts"], e["path"]) for e in edits] == [
        (1, 2, "main.tex"),
        (2, 2, "refs.bib"),
    ]
    assert "resolved in OpenAlex, doi:10.5555/dogs" in edits[0]["why"]
    assert edits[0]["outcome"] == "accepted"


@pytest.mark.parametrize(
    "works",
    [(), (Work("Dogs", doi="10.5555/dogs", abstract=RIGHT.abstract, update=Update()),)],
    ids=["none", "retracted"],
)
def test_what_is_not_there_or_was_retracted_is_not_cited(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch, works: tuple[Work, ...]
) -> None:
    with scholar(*works) as site:
        library(monkeypatch, site)
        improve(paper, model)
    assert (paper / "main.tex").read_text() == MAIN
    assert (paper / "refs.bib").read_text() == BIB


def test_services_that_are_down_accuse_nobody_more(
    paper: Path, model: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(RIGHT) as site:
        for name in ("openalex", "crossref"):
            site.trouble(name, Trouble.ERROR)
        library(monkeypatch, site)
        result = improve(paper, model, "--format", "json", "--lookup-seconds", "5")
    findings = json.loads(result.stdout)["findings"]
    assert [f["rule"] for f in findings if f["severity"] != "note"] == ["citation-contradicted"]
    assert "Not searched: OpenAlex" in " ".join(f["message"] for f in findings)
    assert (paper / "main.tex").read_text() == MAIN
