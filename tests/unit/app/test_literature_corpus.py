"""`reviser literature search`, `expand`, `add` and `status`, over services on loopback."""

import json
import re
import subprocess

import pytest
from click.testing import CliRunner

from reviser.app.choices import LOCK_FILE as LOCK
from reviser.app.cli import cli
from reviser.app.judging import judges_of
from reviser.app.opening import open_paper
from reviser.app.settings import Settings
from reviser.errors import UsageError
from reviser.verify.lock import PaperLine, WorkLine, write
from tests.fakes.openai_server import OpenAIServer, Say
from tests.fakes.opensearch import OpenSearch
from tests.fakes.scholar.server import Trouble, scholar
from tests.fakes.scholar.works import Work

BIB = """@article{kim2021,
  title = {Kites in Strong Wind},
  author = {Kim, Jia},
  year = {2021},
  abstract = {Kites are flown in strong wind and their lines are measured for a whole year.},
}
"""
TEX = r"\documentclass{article}\begin{document}A.\cite{kim2021}\bibliography{refs}\end{document}"


def kites(subject, first, count):
    return [
        Work(
            f"{subject.capitalize()} of kites, part {n}",
            authors=("Ada Byron", "Ben Cole"),
            year=2000 + n,
            doi=f"10.5555/{subject.replace(' ', '')}.{n}",
            arxiv=f"21{first:02}.{n:05}",
            abstract=f"We study {subject} of kites that fly high, in {n + 3} trials.",
        )
        for n in range(count)
    ]


LIBRARY = [
    *kites("line tension", 1, 4), *kites("wing shape", 2, 4),
    *[Work(f"Line tension and glider ropes {n}", doi=f"10.5555/g{n}", arxiv=f"2103.{n:05}",
           abstract="Ropes of gliders under line tension.") for n in range(3)],
]  # fmt: skip


@pytest.fixture
def paper(tmp_path, monkeypatch):
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "main.tex").write_text(TEX)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words, code=0):
    result = CliRunner().invoke(cli, ["literature", *words])
    assert result.exit_code == code, result.output + result.stderr
    return result


def data(*words, code=0):
    return json.loads(run(*words, "--format", "json", code=code).stdout)


def test_the_bibliography_is_the_beginning_of_a_corpus(paper):
    found = run("search", "kites in wind")
    assert "Kites in Strong Wind" in found.stdout
    assert "1 work of" in found.stdout
    assert (paper / ".reviser" / "corpus.db").exists()
    assert (paper / ".reviser" / ".gitignore").read_text() == "*\n"
    assert data("status")["brought"] == {"bibliography": 1}


def test_services_fill_it_only_when_asked(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch, lookup="off")
        run("search", "line tension")
        assert site.requests == []
        site.reviser(monkeypatch)
        found = data("search", "line tension", "--most", "5")
        asked = len(site.requests)
        assert asked > 0
    assert len(found["works"]) == 5
    assert "line tension" in found["works"][0]["title"].lower()
    assert found["silent"] == []
    # Each work is one work, whoever told of it.
    assert len({name for work in found["works"] for name in work["names"]}) == sum(
        len(work["names"]) for work in found["works"]
    )
    monkeypatch.setenv("REVISER_LOOKUP", "off")
    assert data("search", "line tension", "--most", "5")["works"] == found["works"]


def test_a_silent_service_is_said(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch, lookup="openalex,arxiv")
        site.trouble("arxiv", Trouble.REFUSED)
        found = run("search", "line tension")
    assert re.search(r"not searched: arXiv \w+", found.stdout)
    assert "Line tension of kites, part 0" in found.stdout


def test_an_expansion_goes_on_where_it_ended(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch, lookup="openalex")
        first = data("expand", "line tension", "--searches", "1")
        assert first["stopped"] == "the searches allowed were made"
        assert [step["keyword"] for step in first["steps"]] == ["line tension"]
        second = data("expand", "line tension", "--searches", "3")
        assert second["before"] == 1
        assert second["pool"][0] == "line tension"
        assert len(second["steps"]) > 1
        assert second["steps"][0]["chosen"] == second["steps"][1]["keyword"]
        assert set(first["names"]) <= set(second["names"])
        anew = data("expand", "line tension", "--searches", "1", "--anew")
        assert (anew["before"], len(anew["steps"])) == (0, 1)
    shown = data("status")
    assert shown["works"] == second["size"]
    assert shown["brought"]["search: line tension"] == len(first["names"])
    assert shown["waiting"] == 0


def test_an_expansion_is_told_step_by_step(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch, lookup="openalex,crossref")
        site.trouble("crossref", Trouble.ERROR)
        told = run("expand", "line tension", "--searches", "2", "--keyword", "wing shape")
    assert told.stdout.startswith("wing shape\n    OpenAlex 4: 4 new papers, 4 in all\n")
    assert "silent: Crossref" in told.stdout
    assert "are sent" in told.stderr


def test_nobody_answering_is_no_conclusion(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch, lookup="openalex")
        site.trouble("openalex", Trouble.REFUSED)
        assert "no source answered" in run("expand", "line tension", code=3).stdout


def test_an_expansion_needs_leave_to_ask(paper):
    assert "no literature service may be asked" in run("expand", "kites", code=2).stderr


def test_a_model_names_keywords_and_judges(paper, monkeypatch):
    def script(asked):
        if asked.user.startswith("The topic") and "Terms that were used" in asked.user:
            return Say(json.dumps({"keyword": "wing shape of kites"}))
        quote = "glider" not in asked.fenced("paper").lower()
        yes = {"quote": asked.fenced("paper").split("\n")[0], "relevant": "yes"}
        return Say(json.dumps(yes if quote else {"quote": "", "relevant": "no"}))

    with scholar(*LIBRARY) as site, OpenAIServer(script) as server:
        site.reviser(monkeypatch, lookup="openalex")
        model = ("--model", "m", "--base-url", server.base_url)
        found = data("expand", "kites", "--searches", "2", "--name-by-model", *model)
        assert found["pool"][1] == "wing shape of kites"
        data("search", "line tension", *model)
        judged = data("search", "line tension", "--judge", "--most", "50", *model)
    said = {one["work"]: one["relevant"] for one in judged["judged"]}
    assert said.pop("doi:10.5555/linetension.0") is True
    assert {v for k, v in said.items() if k.startswith("doi:10.5555/g")} == {False}


def test_bibtex_can_be_read_again(paper, monkeypatch):
    with scholar(*LIBRARY) as site:
        site.reviser(monkeypatch)
        found = run("search", "line tension", "--most", "3", "--format", "bibtex", "--output",
                    "found.bib")  # fmt: skip
    text = (paper / "found.bib").read_text()
    assert text.count("@") == 3
    assert "Byron, Ada" in text
    assert found.stdout == ""
    assert "3 works new" in run("add", "found.bib", "--corpus", "other.db").stdout


def test_files_are_added_once(paper):
    (paper / "mine.bib").write_text(BIB + BIB.replace("kim2021", "kim").replace("2021", "2020"))
    said = run("add", "mine.bib", "refs.bib")
    assert said.stdout.splitlines() == [
        "mine.bib: 1 work new, 0 known better, 1 known",
        "refs.bib: 0 works new, 0 known better, 1 known",
        f"1 text embedded; 1 work in {paper}/.reviser/corpus.db",
    ]


def test_what_a_search_wrote_can_be_added_elsewhere(paper, tmp_path):
    run("search", "kites", "--format", "json", "--output", "found.json")
    assert "1 work new" in run("add", "found.json", "--corpus", "shared.db").stdout
    assert data("search", "kites", "--corpus", "shared.db")["corpus"] == "shared.db"
    assert len(data("status", "--corpus", "shared.db")["brought"]) == 2


RIS = """TY  - JOUR
TI  - Kites over the Sea
AU  - Oh, Su
PY  - 2019
AB  - Kites fly over the sea in a steady wind, and their lines are long.
ER  -
"""


def test_exports_of_other_programs_are_read(paper):
    (paper / "exports").mkdir()
    (paper / "exports" / "mine.ris").write_text(RIS)
    assert "mine.ris: 1 work new" in run("add", "exports").stdout
    (paper / "exports" / "mine.ris").write_text(RIS.replace("Sea", "Lake"))
    found = data("search", "kites", "--sources", "exports")
    assert {"Kites over the Sea", "Kites over the Lake"} <= {w["title"] for w in found["works"]}


def test_works_of_the_lockfile_are_in_the_corpus(paper):
    line = PaperLine(source="OpenAlex", id="W7", title="Kites of Paper", doi="10.5555/paper")
    locked = WorkLine(work="kim2021", title="Kites in Strong Wind", paper=line)
    (paper / LOCK).write_bytes(write([locked]))
    found = data("search", "kites of paper")
    assert found["works"][0]["title"] == "Kites of Paper"
    assert data("status")["brought"] == {"bibliography": 1, LOCK: 1}


def test_a_wrong_identifier_is_left_out_and_said(paper):
    (paper / "a.bib").write_text(BIB.replace("year", "doi = {10.5555/x}, year"))
    other = BIB.replace("Kites in Strong Wind", "Coral reefs").replace(
        "year", "doi={10.5555/x},year"
    )
    (paper / "b.bib").write_text(other)
    said = run("add", "a.bib", "b.bib", code=1)
    assert "1 left out, for they have the identifier of another work" in said.stdout


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [("a.pdf", b"%PDF", "cannot be read"), ("a.json", b"{}", "is not read"),
     ("a.json", b"[1, 2]", "is not read"), ("none.bib", None, "there is no such file"),
     ("none.json", None, "there is no such file"), ("a.bib", b"", "no works in it")],
)  # fmt: skip
def test_other_files_are_refused(paper, name, content, why):
    if content is not None:
        (paper / name).write_bytes(content)
    assert why in run("add", name, code=2).stderr


def test_a_folder_without_a_paper_has_a_corpus_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("search", "kites", code=3)
    (tmp_path / "mine.bib").write_text(BIB)
    run("add", "mine.bib")
    assert len(data("search", "kites")["works"]) == 1


def test_a_corpus_under_version_control_is_not_believed(paper):
    run("search", "kites")
    (paper / ".reviser" / ".gitignore").unlink()
    for words in (["init", "-q"], ["add", "-A", "-f"]):
        subprocess.run(["git", *words], cwd=paper, check=True)
    assert "under version control" in run("search", "kites", code=2).stderr
    assert "1 work of other.db" in run("search", "kites", "--corpus", "other.db").stdout


def test_a_file_that_is_no_corpus_is_refused(paper):
    assert "is no corpus" in run("search", "kites", "--corpus", "main.tex", code=2).stderr
    assert (paper / "main.tex").read_text() == TEX


def test_an_empty_topic_is_refused(paper):
    assert "the topic is empty" in run("search", "", code=2).stderr


def tiers(path, **given):
    return [one.name for one in judges_of(open_paper(Settings(path=path, **given))).beyond]


def test_repair_looks_into_the_corpus_first(paper):
    assert tiers(paper) == []
    run("search", "kites")
    assert tiers(paper) == ["corpus"]
    assert tiers(paper, verify=False) == []
    with pytest.raises(UsageError, match=r"there is no file none\.db"):
        tiers(paper, corpus="none.db")


def test_a_corpus_may_be_on_a_server(paper):
    with OpenSearch() as server:
        there = ("--corpus", f"{server.url}/literature")
        run("search", "kites in wind", *there)
        shown = data("status", *there)
        assert shown["corpus"] == f"literature at {server.url.removeprefix('http://')}"
        assert (shown["works"], shown["size"]) == (1, 0)
        assert tiers(paper, corpus=there[1]) == ["corpus"]
    assert not (paper / ".reviser").exists()
    assert "does not answer" in run("status", *there, code=2).stderr
    assert "names no server and index" in run("status", "--corpus", "http://h", code=2).stderr


def test_a_corpus_that_cannot_be_read_stops_no_check(paper, monkeypatch, capsys):
    (paper / ".reviser").mkdir()
    (paper / ".reviser" / "corpus.db").mkdir()
    assert tiers(paper) == []
    (paper / ".reviser" / "corpus.db").rmdir()
    (paper / ".reviser" / "corpus.db").write_bytes(b"nonsense" * 1000)
    assert tiers(paper) == ["corpus"]
    assert "was not sound" in capsys.readouterr().err
