"""The bundled paper is what it says: complete, faulty exactly where documented, else clean."""

import re
import tomllib
from pathlib import Path

import pytest

from reviser.findings import Finding
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.manuscript.model import Manuscript
from reviser.review.rules import RULES, run

DEMO = Path(__file__).parents[2] / "templates" / "demo"
FAULTS = tomllib.loads((DEMO / "FAULTS.toml").read_text(encoding="utf-8"))["fault"]
CITE = re.compile(r"\\(?:cite\w*|compare)(?:\[[^]]*\])*\{([^}#]*)\}|\\data\{[^}]*\}\{([^}#]*)\}")
ENTRY = re.compile(r"^@(\w+)\{([^,\s]+),(.*?)^\}", re.MULTILINE | re.DOTALL)


def faulty() -> dict[str, str]:
    files = [*DEMO.rglob("*.tex"), *DEMO.glob("*.bib")]
    return {p.relative_to(DEMO).as_posix(): p.read_text(encoding="utf-8") for p in files}


def repaired() -> dict[str, str]:
    files = faulty()
    for fault in FAULTS:
        for fix in fault["fix"]:
            files[fix["file"]] = files[fix["file"]].replace(fix["words"], fix["right"])
    return files


def cited(files: dict[str, str]) -> set[str]:
    groups = (m[1] or m[2] for name in files for m in CITE.finditer(tex(files, name)))
    return {key.strip() for group in groups for key in group.split(",")}


def tex(files: dict[str, str], name: str) -> str:
    return re.sub(r"(?<!\\)%.*", "", files[name]) if name.endswith(".tex") else ""


def entries(files: dict[str, str]) -> list[tuple[str, str, str]]:
    return [(m[1].lower(), m[2], m[3]) for m in ENTRY.finditer(files["references.bib"])]


def labels(files: dict[str, str], command: str) -> list[str]:
    pattern = re.compile(r"\\" + command + r"\{([^}]*)\}")
    return [m[1] for name in files for m in pattern.finditer(tex(files, name))]


def test_is_long_enough() -> None:
    words = [re.sub(r"\\\w+|[{}\\~$&]", " ", tex(faulty(), n)).split() for n in faulty()]
    assert sum(map(len, words)) >= 3500
    assert len({key for _, key, _ in entries(faulty())}) >= 45


def test_every_entry_has_an_abstract_of_three_to_six_sentences() -> None:
    for _, key, body in entries(faulty()):
        found = re.search(r"\babstract\s*=\s*\{(.*)\}", body)
        assert found, key
        assert 3 <= len(re.findall(r"[.?!](?=\s+[A-Z]|$)", found[1])) <= 6, key


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["id"])
def test_the_words_of_a_fault_stand_once(fault: dict[str, object]) -> None:
    files = faulty()
    assert {"id", "kind", "rule", "wrong", "right", "note", "fix"} == set(fault)
    fixes = fault["fix"]
    assert isinstance(fixes, list)
    for fix in fixes:
        assert files[fix["file"]].count(fix["words"]) == 1
        assert fix["words"] != fix["right"]


def test_kinds_and_ids_are_what_benchmarks_count() -> None:
    assert len({fault["id"] for fault in FAULTS}) == len(FAULTS) >= 14
    assert len({fault["kind"] for fault in FAULTS}) >= 14


def test_the_wrong_and_right_keys_are_real() -> None:
    known = {key for _, key, _ in entries(faulty())}
    for fault in FAULTS:
        assert set(fault["right"]) <= known, fault["id"]
        if fault["kind"] not in ("undefined citation", "placeholder citation"):
            assert set(fault["wrong"]) <= known, fault["id"]


def test_the_repaired_paper_is_consistent() -> None:
    files = repaired()
    keys = [key for _, key, _ in entries(files)]
    assert len(keys) == len(set(keys))
    assert cited(files) == set(keys)
    names = labels(files, "label")
    assert len(names) == len(set(names))
    assert {*labels(files, "ref"), *labels(files, "eqref")} <= set(names)


def test_the_faulty_paper_is_inconsistent_only_where_documented() -> None:
    files = faulty()
    keys = {key for _, key, _ in entries(files)}
    assert cited(files) - keys == {"??", "gua2020realm"}
    assert keys <= cited(files)
    assert set(labels(files, "ref")) - set(labels(files, "label")) == {"tab:benchmark"}


def test_the_checked_files_do_not_name_the_list_of_faults() -> None:
    assert not any("FAULTS" in text for text in faulty().values())


def report(files: dict[str, str]) -> tuple[Manuscript, tuple[Finding, ...]]:
    held = Memory({name: text.encode("utf-8") for name, text in files.items()})
    manuscript = load(held, main="main.tex")
    return manuscript, run(manuscript).findings


def stands_in(fault: dict, finding: Finding, files: dict[str, str]) -> bool:
    path, span = finding.place.path, finding.place.span
    for fix in fault["fix"]:
        start = files[path].find(fix["words"]) if fix["file"] == path else -1
        if start >= 0 and start <= span.start < start + len(fix["words"]):
            return True
    return False


@pytest.mark.parametrize(
    "fault",
    [fault for fault in FAULTS if fault["rule"] in {rule.id for rule in RULES}],
    ids=lambda fault: fault["id"],
)
def test_the_rule_meant_for_a_fault_finds_it(fault: dict) -> None:
    files = faulty()
    _, findings = report(files)
    assert any(f.rule == fault["rule"] and stands_in(fault, f, files) for f in findings)


def test_no_rule_says_anything_beside_the_faults() -> None:
    files = faulty()
    _, findings = report(files)
    others = [f for f in findings if not any(stands_in(fault, f, files) for fault in FAULTS)]
    assert {f.rule for f in others} <= {"unused-entry"}


def test_the_repaired_paper_has_no_findings() -> None:
    manuscript, findings = report(repaired())
    assert findings == ()
    assert manuscript.unparsed == ()
