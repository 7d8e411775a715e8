import json
from pathlib import Path

import jsonschema
import pytest

from reviser.adapters.files import Folder
from reviser.app.inspect import SCHEMA, clean, report
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load

ROOT = Path(__file__).parents[3]
PAPERS = ROOT / "tests" / "papers"
SHAPE = json.loads((ROOT / "templates" / "schemas" / "inspect.schema.json").read_text())


@pytest.mark.parametrize("folder", sorted(p for p in PAPERS.iterdir() if p.is_dir()))
def test_reports_keep_to_their_schema(folder: Path) -> None:
    made = json.loads(json.dumps(report(load(Folder(folder)))))
    jsonschema.Draft202012Validator(SHAPE).validate(made)
    assert made["schema"] == SCHEMA == SHAPE["title"]


def test_the_schema_is_one_and_asks_for_what_the_report_has() -> None:
    jsonschema.Draft202012Validator.check_schema(SHAPE)
    made = report(load(Folder(PAPERS / "tides")))
    assert set(made) == set(SHAPE["properties"])
    for member, name in (
        ("files", "file"),
        ("sections", "section"),
        ("sentences", "sentence"),
        ("citations", "citation"),
        ("entries", "entry"),
        ("labels", "label"),
        ("refs", "reference"),
    ):
        assert set(made[member][0]) == set(SHAPE["$defs"][name]["properties"])  # type: ignore[literal-required]


def test_a_citation_tells_where_it_stands() -> None:
    made = report(load(Folder(PAPERS / "tides")))
    seen = made["citations"][0]
    text = (PAPERS / "tides" / seen["path"]).read_text()
    assert text[seen["start"] : seen["stop"]] == "\\seen{marsh1911}"
    assert (seen["command"], seen["via"], seen["keys"]) == ("seen", "citep", ["marsh1911"])
    assert (seen["line"], seen["form"]) == (2, "parenthetical")
    assert seen["sentence"] is not None
    assert "slow witness" in made["sentences"][seen["sentence"]]["plain"]
    assert made["citations"][-1]["form"] == "unseen"
    assert made["citations"][-1]["sentence"] is None


def test_names_that_no_encoding_has_are_written_as_escapes() -> None:
    assert clean("a\udce9b") == "a\\udce9b"
    assert clean("grün") == "grün"
    files = {
        "m\udce9.tex": b"\\documentclass{a}\\begin{document}Words.\\end{document}",
    }
    made = report(load(Memory(files)))
    assert json.dumps(made, ensure_ascii=False).encode("utf-8")
    assert made["main"] == "m\\udce9.tex"
