"""A bibliography without abstracts: looked up, the works say what the authors' own copies say."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from reviser.adapters.files import Folder
from reviser.app.cli import cli
from reviser.app.demo import copy_demo
from reviser.literature.wanted import wanted_of
from reviser.manuscript.load import load
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import SERVICES, Work

_ABSTRACT = re.compile(r"(?m)^ +abstract *= .*\n")


def authors(names: str) -> tuple[str, ...]:
    """ "Byron, Ada and King, Bo" as services write it."""
    found = []
    for name in re.split(r"\s+and\s+", names):
        family, _, given = name.partition(",")
        found.append(f"{given.strip()} {family.strip()}".strip())
    return tuple(name for name in found if name != "others")


def library(folder: Path) -> Iterator[Work]:
    """The works of the paper's bibliography with their abstracts, as services know them."""
    for entry in load(Folder(folder)).entries:
        if entry.get("abstract"):
            wanted = wanted_of(entry)
            yield Work(
                title=wanted.title,
                authors=authors(entry.get("author")),
                year=wanted.year or 0,
                venue=wanted.venue,
                kind=wanted.kind,
                doi=wanted.doi,
                arxiv=wanted.arxiv,
                abstract=entry.get("abstract"),
            )


Report = dict[str, Any]


def run(command: str, folder: Path, *options: str, code: int = 0) -> Report:
    result = CliRunner().invoke(cli, [command, str(folder), "--format", "json", *options])
    assert result.exit_code == code, result.output
    found: Report = json.loads(result.stdout)
    return found


def said(report: Report) -> list[tuple[str, str, str, float, list[str]]]:
    """The verdicts with their best sentence, without who gave the texts; of what a lock keeps
    there is no other sentence."""
    return [
        (c["text"], v["key"], v["label"], v["score"], [e["text"] for e in v["evidence"][:1]])
        for c in report["claims"]
        for v in c["verdicts"]
    ]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo paper with its abstracts, checked once."""
    folder = tmp_path_factory.mktemp("papers") / "own"
    copy_demo(folder)
    run("check", folder, code=1)
    return folder


@pytest.fixture
def bare(own: Path, tmp_path: Path) -> Path:
    """The same without abstracts."""
    folder = Path(shutil.copytree(own, tmp_path / "bare"))
    bib = folder / "references.bib"
    bib.write_text(_ABSTRACT.sub("", bib.read_text()))
    assert not re.search("abstract *=", bib.read_text())
    return folder


@pytest.fixture
def site(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scholar]:
    with scholar(*library(own)) as running:
        yield running


SMALL = r"""\documentclass{article}
\begin{document}
Cats sleep for most of the day and hunt when it is dark \citep{miller2001}.
Throttled pumps waste energy as heat in the valve \citep{ito2010}.
\bibliography{refs}
\end{document}
"""
ENTRIES = """@article{miller2001, author = {Ann Miller}, title = {The long sleep of house cats},
  year = 2001, journal = {Cats}, doi = {10.5555/cats}}
@article{ito2010, author = {Ken Ito}, title = {Losses in throttled pumps}, year = 2010,
  journal = {Pumps}}
"""
CATS = Work(
    "The long sleep of house cats",
    ("Ann Miller",),
    2001,
    "Cats",
    doi="10.5555/cats",
    abstract="Cats sleep for sixteen hours a day. We watched forty cats in a quiet house for a "
    "year, and wrote down when each of them was asleep.",
)
PUMPS = Work(
    "Losses in throttled pumps",
    ("Ken Ito",),
    2010,
    "Pumps",
    abstract="Valves turn the surplus head of a centrifugal pump into heat. We measured the "
    "losses of ten pumps at partial load in a test rig.",
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "main.tex").write_text(SMALL)
    (folder / "refs.bib").write_text(ENTRIES)
    return folder


def edited(edit: dict[str, str]) -> list[str]:
    """What an edit does, without the abstracts that it moves or removes."""
    return [_ABSTRACT.sub("", edit[k]) for k in ("path", "before", "after", "outcome")]


def whys(report: Report) -> list[tuple[str, str]]:
    return [(v["label"], v["why"]) for c in report["claims"] for v in c["verdicts"]]


def test_looked_up_works_say_what_the_authors_own_copies_say(
    own: Path, bare: Path, site: Scholar, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run("improve", own, "--dry-run", code=1)
    nothing = run("check", bare, code=1)
    site.reviser(monkeypatch)
    after = run("improve", bare, "--dry-run", code=1)
    assert said(after) == said(before)
    assert len(after["edits"]) == len(before["edits"]) > 2
    for now, then in zip(after["edits"], before["edits"], strict=True):
        assert edited(now) == edited(then)
    mine = {f["fingerprint"] for f in before["findings_before"]}
    assert {f["fingerprint"] for f in after["findings_before"]} == mine
    assert nothing["counts"]["checked"] == 0
    assert after["evidence"]["held"] == after["evidence"]["cited"] > 60
    wheres = {e["where"] for c in after["claims"] for v in c["verdicts"] for e in v["evidence"]}
    assert "abstract, OpenAlex" in wheres


def test_an_unchanged_run_asks_nothing_again_online_or_not(
    bare: Path, site: Scholar, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.reviser(monkeypatch)
    first = run("check", bare, code=1)
    asked = site.asked.total()
    # All that have an identifier are asked for at once, and each title in one service.
    assert 0 < asked < 40
    assert run("check", bare, code=1) == first
    monkeypatch.setenv("REVISER_LOOKUP", "off")
    assert run("check", bare, "--offline", code=1) == first
    assert run("check", bare, code=1)["counts"]["checked"] == 0
    assert site.asked.total() == asked


@pytest.mark.parametrize("trouble", [Trouble.REFUSED, Trouble.MUTE, Trouble.ERROR, Trouble.DRIP])
def test_nobody_is_accused_where_every_source_is_down(
    small: Path, monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    run("check", small)
    with scholar(CATS, PUMPS) as site:
        for name in SERVICES:
            site.trouble(name, trouble)
        site.reviser(monkeypatch)
        begun = time.monotonic()
        report = run("check", small)
        assert time.monotonic() - begun < 10
    assert report["outcome"] == "neutral"
    assert report["findings"] == []
    assert {label for label, _ in whys(report)} == {"unchecked"}
    names = ("OpenAlex", "Semantic Scholar", "Crossref", "arXiv")
    assert all(name in why for _, why in whys(report) for name in names)
    assert report["evidence"]["held"] == 0
    assert len(report["evidence"]["silent"]) == 4


def test_what_one_source_cannot_say_another_does(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS, PUMPS) as site:
        site.trouble("openalex", Trouble.REFUSED)
        site.reviser(monkeypatch)
        report = run("check", small)
    assert [label for label, _ in whys(report)] == ["on topic, not verified"] * 2
    assert report["evidence"]["by"].keys() <= {"Semantic Scholar", "Crossref"}
    (silent,) = report["evidence"]["silent"]
    assert silent.startswith("OpenAlex ")


def test_a_work_that_nobody_has_is_unchecked_and_other_works_are_not_taken_for_it(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS) as site:
        site.reviser(monkeypatch)
        report = run("check", small)
        assert whys(report)[0][0] == "on topic, not verified"
        assert whys(report)[1] == (
            "unchecked",
            "not found in OpenAlex, Semantic Scholar, Crossref, arXiv",
        )
        for name in SERVICES:
            site.trouble(name, Trouble.WRONG)
        wrong = run("check", small, "--no-cache")
    assert {label for label, _ in whys(wrong)} == {"unchecked"}
    assert wrong["evidence"]["held"] == 0


def test_nothing_is_asked_unless_somebody_said_so(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scholar(CATS, PUMPS) as site:
        site.reviser(monkeypatch, lookup="off")
        (small / "reviser.toml").write_text('lookup = "all"\n')
        result = CliRunner().invoke(cli, ["check", str(small)])
        assert result.exit_code == 2
        assert "'lookup' cannot be set in the paper's settings file" in result.stderr
        (small / "reviser.toml").unlink()
        assert run("check", small)["evidence"] is None
        assert run("check", small, "--lookup", "all", "--offline")["evidence"]["held"] == 0
        assert site.asked.total() == 0
        result = CliRunner().invoke(cli, ["check", str(small), "--lookup", "crossref"])
        assert "looking up 2 cited works in Crossref: titles, names of authors" in result.stderr
        assert set(site.asked) == {"crossref"}


def test_inspect_tells_what_was_found(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar(CATS) as site:
        site.reviser(monkeypatch)
        works = run("inspect", small)["works"]
    assert [(w["key"], w["found"], w["doi"]) for w in works] == [
        ("miller2001", "DOI", "10.5555/cats"),
        ("ito2010", "", ""),
    ]
    assert works[1]["why"].startswith("not found in")


RIS = """TY  - JOUR
TI  - Losses in throttled pumps
AU  - Ito, Ken
PY  - 2010
AB  - Valves turn the surplus head of a centrifugal pump into heat. We measured the losses of ten
ER  -
"""
FILE = """The long sleep of house cats

Ann Miller
Institute of Cats

Abstract
We watched forty cats.

1 Results

Cats sleep for most of the day and hunt when it is dark, as all forty of them did for a year.

References

Lee wrote before us that cats sleep for most of the day and hunt when it is dark.
"""


def test_own_exports_and_files_of_any_name_are_evidence_and_nobody_is_asked(
    small: Path, tmp_path: Path
) -> None:
    (tmp_path / "library.ris").write_text(RIS)
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "1. Miller - cats (final).txt").write_text(FILE)
    given = ("--sources", str(tmp_path / "papers"), "--sources", str(tmp_path / "library.ris"))
    report = run("check", small, *given)
    cats, pumps = (c["verdicts"][0] for c in report["claims"])
    assert cats["evidence"][0] == {
        "text": "Cats sleep for most of the day and hunt when it is dark, as all forty of them did "
        "for a year.",
        "where": 'source text, 1. Miller - cats (final).txt, section "1 Results"',
    }
    assert pumps["evidence"][0]["where"] == "abstract, library.ris"
    assert report["evidence"] == {"cited": 2, "held": 2, "by": {"own files": 2}, "silent": []}


def test_own_texts_come_before_services(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "library.ris").write_text(RIS)
    with scholar(CATS, PUMPS) as site:
        site.reviser(monkeypatch)
        report = run("check", small, "--sources", str(small / "library.ris"))
        asked = " ".join(str(r.query) + r.path + r.body.decode() for r in site.requests)
    assert report["evidence"]["by"] == {"own files": 1, "OpenAlex": 1}
    assert "throttled" not in asked


def interrupted(small: Path) -> tuple[int, str, str] | None:
    """Code, output and errors of a check that is stopped while two services are silent; None where
    this machine was too slow to stop it before they were given up."""
    with scholar(CATS, PUMPS) as site:
        site.trouble("openalex", Trouble.MUTE)
        site.trouble("crossref", Trouble.MUTE)
        with subprocess.Popen(
            [
                sys.executable,
                "-m",
                "reviser",
                "check",
                str(small),
                "--format",
                "json",
                "--no-cache",
            ],
            env={**os.environ, **site.environment, "REVISER_LOOKUP": "all"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            assert "looking up 2 cited works" in process.stderr.readline()
            while site.asked["semantic-scholar"] == 0:
                time.sleep(0.05)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            late = site.asked["semantic-scholar"] > 1
            output, errors = process.communicate(timeout=60)
    return None if late else (process.returncode, output, errors)


def test_ctrl_c_while_works_are_looked_up_goes_on_with_what_came(small: Path) -> None:
    tried = (interrupted(small) for _ in range(4))
    code, output, errors = next(found for found in tried if found is not None)
    assert (code, errors) == (
        0,
        "stopped looking up cited works; going on with what came\n",
    )
    report = json.loads(output)
    assert report["evidence"]["by"] == {"Semantic Scholar": 1}
    assert report["findings"] == []
