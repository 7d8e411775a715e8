"""Missing related work from the command line, with OpenAlex and Crossref on loopback."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from tests.fakes.scholar.server import Trouble, scholar
from tests.fakes.scholar.works import Work

ABOUT = "Cheap gyroscopes drift, and flying robots correct the drift of a gyroscope in the air."
TITLES = ("Drift of a gyroscope", "Gyroscopes on robots", "Cheap gyroscopes", "Robots that fly")
MISSING = Work(
    "Correcting gyroscope drift on flying robots",
    authors=("Ken Ito", "Ida Lee"),
    year=2015,
    doi="10.5555/missing",
    abstract=f"We study it. {ABOUT}",
)
ELSEWHERE = Work(
    "A test for the equality of means", doi="10.5555/test", abstract="Means are compared by ranks."
)
CITED = tuple(
    Work(
        title,
        authors=("Ann Miller",),
        year=2019,
        doi=f"10.5555/cited{number}",
        abstract=f"{title}: robots fly with a gyroscope that drifts, and correct the drift.",
        cites=("10.5555/missing", "10.5555/test") if number < 3 else (),
    )
    for number, title in enumerate(TITLES)
)


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    entries = [
        f"@article{{k{n}, author = {{Miller, Ann}}, title = {{{work.title}}}, year = 2019, "
        f"doi = {{{work.doi}}}}}"
        for n, work in enumerate(CITED)
    ]
    (folder / "refs.bib").write_text("\n".join(entries))
    (folder / "main.tex").write_text(
        r"\documentclass{article}\title{The drift of gyroscopes on flying robots}\begin{document}"
        "\n\\begin{abstract}" + ABOUT + "\\end{abstract}\n\\section{Related work}\n"
        r"A gyroscope drifts \cite{k0}, on robots too \cite{k1,k2}, and these fly \cite{k3}."
        "\n\\bibliography{refs}\n\\end{document}\n"
    )
    return folder


def missing(paper: Path, *options: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(
        cli, ["check", str(paper), "--language", "en", "--format", "json", *options]
    )
    assert result.exit_code in {0, 1}, result.output
    findings = json.loads(result.stdout)["findings"]
    return [found for found in findings if found["rule"] == "missing-related-work"]


@pytest.mark.parametrize("names", ["openalex", "crossref", "openalex,crossref"])
def test_a_work_that_three_references_cite_is_named(
    names: str, paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(*CITED, MISSING, ELSEWHERE) as site:
        site.reviser(monkeypatch)
        (found,) = missing(paper, "--lookup", names, "--related")
        assert "Correcting gyroscope drift on flying robots" in found["message"]
        assert found["severity"] == "note"
        assert missing(paper, "--lookup", names) == []
        assert missing(paper, "--lookup", names, "--related", "--offline") == [found]


def test_nothing_is_missing_where_it_is_cited_or_nobody_answers(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(*CITED, MISSING, ELSEWHERE) as site:
        site.reviser(monkeypatch)
        site.trouble("openalex", Trouble.ERROR)
        assert missing(paper, "--lookup", "openalex", "--related") == []
        site.mend("openalex")
        bib = paper / "refs.bib"
        bib.write_text(
            bib.read_text() + "\n@misc{other, title = {Correcting gyroscope drift on flying "
            "robots}, author = {Ken Ito and Ida Lee}, year = 2015}"
        )
        assert missing(paper, "--lookup", "openalex", "--related", "--no-cache") == []


def test_what_a_lock_keeps_of_the_works_hides_none(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(*CITED, MISSING, ELSEWHERE) as site:
        site.reviser(monkeypatch)
        options = ["--language", "en", "--lookup", "openalex"]
        locked = CliRunner().invoke(cli, ["lock", "--update", str(paper), *options])
        assert locked.exit_code == 0, locked.output
        assert (paper / "reviser.lock").is_file()
        # The lock says which works they are, not what these cite: that is asked again.
        (found,) = missing(paper, "--lookup", "openalex", "--related", "--no-cache")
        assert "Correcting gyroscope drift" in found["message"]
        assert missing(paper, "--no-cache") == []
