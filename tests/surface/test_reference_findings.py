"""What looking cited works up says of the bibliography, over real HTTP."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from reviser.app.cli import cli
from tests.fakes.scholar.server import Trouble, scholar
from tests.fakes.scholar.works import SERVICES, Update, Work

PAPER = r"""\documentclass{article}
\begin{document}
Cats sleep most of the day \citep{miller2001}. Pumps waste heat in the valve \citep{ito2010}.
Kites rise in thermals \citep{byron2015}. Bees dance for nectar \citep{frisch1999}.
\bibliography{refs}
\end{document}
"""
REFS = """@article{miller2001, author = {Ann Miller}, title = {The long sleep of house cats},
  year = 2001, journal = {Cats at Home}, doi = {10.5555/cats}}
@article{ito2010, author = {Ken Ito}, title = {Losses in throttled pumps}, year = 2010,
  journal = {Journal of Pumps}, doi = {10.5555/birds}}
@article{byron2015, author = {Ada Byron}, title = {How kites rise in thermals at noon},
  year = 2015, journal = {Journal of Kites}, doi = {10.5555/kites}}
@article{frisch1999, author = {Mia Frisch}, title = {Dances of bees that look for nectar},
  year = 1999, journal = {Journal of Bees}}
"""
CATS = Work(
    "The long sleep of house cats", ("Ann Miller",), 2001, "Cats at Home", doi="10.5555/cats",
    abstract="Cats sleep for sixteen hours a day. We watched forty cats in a quiet house.",
    update=Update(),
)  # fmt: skip
BIRDS = Work("Nests of urban sparrows", ("Eva Stone",), 2012, "Birds", doi="10.5555/birds")
PUMPS = Work(
    "Losses in throttled pumps", ("Ken Ito",), 2010, "Journal of Pumps", doi="10.5555/pumps"
)
KITES = Work(
    "How kites rise in thermals at noon", ("Ada Byron",), 2005, "Journal of Kites",
    doi="10.5555/kites",
)  # fmt: skip
RULES = ["reference-retracted", "reference-doi", "reference-year", "reference-not-found"]


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(PAPER)
    (tmp_path / "refs.bib").write_text(REFS)
    return tmp_path


def found(paper: Path, *options: str) -> list[tuple[str, str, str]]:
    result = CliRunner().invoke(cli, ["check", str(paper), "--format", "json", *options])
    assert result.exit_code == 0, result.output
    findings = json.loads(result.stdout)["findings"]
    return [
        (f["rule"], f["severity"], f["message"])
        for f in findings
        if f["rule"].startswith("reference-")
    ]


def test_what_does_not_agree_is_told_with_its_source(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS, BIRDS, PUMPS, KITES) as site:
        site.reviser(monkeypatch)
        said = found(paper)
        assert found(paper, "--offline") == said
        assert found(paper, "--rule", "reference-year") == [said[2]]
    assert [(rule, severity) for rule, severity, _ in said] == [
        (rule, "warning" if number < 2 else "note") for number, rule in enumerate(RULES)
    ]
    retracted, doi, year, missing = (message for *_, message in said)
    assert retracted.startswith("'miller2001' was retracted (2021-03-04, 10.5555/notice), says ")
    assert 'belongs to another work: Stone (2012), "Nests of urban sparrows"' in doi
    assert "under the DOI 10.5555/pumps" in doi
    assert "'byron2015' says 2015, but the work with its DOI is of 2005" in year
    assert "'frisch1999' was not found in OpenAlex, Semantic Scholar, Crossref, arXiv" in missing


def test_a_silent_service_calls_nothing_missing(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS, BIRDS, PUMPS, KITES) as site:
        site.trouble("arxiv", Trouble.REFUSED)
        site.reviser(monkeypatch)
        assert [rule for rule, *_ in found(paper)] == RULES[:3]


def test_nothing_is_said_where_everything_is_down(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS, BIRDS, PUMPS, KITES) as site:
        for name in SERVICES:
            site.trouble(name, Trouble.REFUSED)
        site.reviser(monkeypatch)
        assert found(paper) == []


def test_a_suppression_waits_for_a_service_that_is_silent(
    paper: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bib = paper / "refs.bib"
    bib.write_text(f"% reviser: ignore-file[reference-retracted] cited as a warning\n{REFS}")
    assert "suppression" not in CliRunner().invoke(cli, ["check", str(paper)]).output
    with scholar(CATS, BIRDS, PUMPS, KITES) as site:
        site.reviser(monkeypatch)
        result = CliRunner().invoke(cli, ["check", str(paper), "--format", "json"])
    marked = [f for f in json.loads(result.stdout)["findings"] if f["rule"] == RULES[0]]
    assert [f["suppressed"] for f in marked] == ["cited as a warning"]


def test_the_lock_alone_says_the_same(paper: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(CATS, BIRDS, PUMPS, KITES) as site:
        site.reviser(monkeypatch)
        said = found(paper)
        result = CliRunner().invoke(cli, ["lock", str(paper), "--update"])
        assert result.exit_code == 0, result.output
    shutil.rmtree(paper / ".reviser")
    monkeypatch.setenv("REVISER_LOOKUP", "off")
    assert found(paper) == said
