"""How well the bundled paper's citation faults are found, repaired, and nothing else accused."""

import tomllib
from pathlib import Path

import pytest

from reviser.adapters.embedding import MiniLM
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.verify.claim import claims
from reviser.verify.entail import verify
from reviser.verify.evidence import works
from reviser.verify.repair import Repairs, repair

DEMO = Path(__file__).parents[2] / "templates" / "demo"
RULES = ("citation-off-topic", "citation-name-mismatch", "citation-lead")


def checked(files: dict[str, str]) -> Repairs:
    paper = load(Memory({name: text.encode() for name, text in files.items()}))
    found, known, embedder = claims(paper), works(paper, {}), MiniLM()
    supports = verify(paper, found, known, embedder=embedder)
    return repair(paper, found, known, supports, embedder=embedder)


def demo() -> tuple[dict[str, str], list[dict[str, object]]]:
    files = {
        str(path.relative_to(DEMO)): path.read_text(encoding="utf-8")
        for path in sorted(DEMO.rglob("*"))
        if path.suffix in (".tex", ".bib")
    }
    faults = tomllib.loads((DEMO / "FAULTS.toml").read_text(encoding="utf-8"))["fault"]
    return files, faults


@pytest.mark.benchmark
def test_seeded_faults_are_found_and_repaired() -> None:
    files, faults = demo()
    repairs = checked(files)
    expected = sorted(str(fault["rule"]) for fault in faults if fault["rule"] in RULES)
    assert sorted(finding.rule for finding in repairs.findings) == expected
    wanted = {
        (wrong, (fault["right"] or [None])[0])  # type: ignore[index]
        for fault in faults
        if fault["rule"] == "citation-off-topic"
        for wrong in fault["wrong"]  # type: ignore[attr-defined]
    }
    assert {(e.allows[0].lost, e.allows[0].gained) for e in repairs.edits} == wanted


@pytest.mark.benchmark
def test_the_same_paper_without_faults_has_no_finding() -> None:
    files, faults = demo()
    for fault in faults:
        for fix in fault["fix"]:  # type: ignore[attr-defined]
            assert fix["words"] in files[fix["file"]]
            files[fix["file"]] = files[fix["file"]].replace(fix["words"], fix["right"], 1)
    assert checked(files) == Repairs((), ())
