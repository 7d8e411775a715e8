"""What was found of the cited works, in every form of report."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from reviser.adapters.files import Folder
from reviser.app.github_output import github
from reviser.app.inspect import report
from reviser.app.json_output import check_data
from reviser.app.page import Page
from reviser.app.sarif import sarif
from reviser.app.text_output import check_page
from reviser.app.works_output import add_works, works_data
from reviser.literature.match import Match
from reviser.literature.paper import Author, Paper
from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Section, Silent, Text, Wanted
from reviser.manuscript.load import load
from reviser.pipeline.gathering import Gathered
from reviser.verify.holdings import Holdings
from reviser.verify.model import Label

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "templates" / "schemas"
PAPER = Paper(
    source="OpenAlex",
    id="W1",
    title="Wear \x1b[31mof Bearings",
    authors=(Author("Lee", "Ann"), Author("The Mill")),
    year=2019,
    doi="10.1/x",
    abstract="Steel wears.",
)
GATHERED = Gathered(
    {
        "lee": Text("Steel wears.", "OpenAlex", paper=PAPER),
        "roe": Text(why_none="Crossref unreachable"),
        "own": Text(sections=(Section("", "Words."),)),
    },
    (
        Resolved(Wanted("Lee"), PAPER, "DOI", Match(True, "same")),
        Unresolved(Wanted("roe"), ("OpenAlex",), (Silent("Crossref", "unreachable"),)),
    ),
    ("OpenAlex", "Crossref"),
)
HELD = Holdings(80, 61, (("OpenAlex", 51), ("own files", 10)), (Silent("Crossref", "unreachable"),))
SAID = "61 of 80 cited works have text (51 OpenAlex, 10 own files); Crossref unreachable"


def test_what_was_found_of_each_work_keeps_to_the_schema() -> None:
    made = json.loads(
        json.dumps(report(load(Folder(ROOT / "tests/papers/tides")), works_data(GATHERED)))
    )
    shape = json.loads((SCHEMAS / "inspect.schema.json").read_text())
    jsonschema.Draft202012Validator(shape).validate(made)
    assert set(made["works"][0]) == set(shape["properties"]["works"]["items"]["required"])
    lee, roe, own = made["works"]
    assert (lee["found"], lee["doi"], lee["authors"]) == ("DOI", "10.1/x", ["Ann Lee", "The Mill"])
    assert (roe["found"], roe["why"], roe["silent"]) == (
        "",
        "Crossref unreachable",
        ["Crossref unreachable"],
    )
    assert (own["key"], own["full_from"]) == ("own", "own files")


def test_what_was_found_of_each_work_in_words() -> None:
    page = Page()
    add_works(page, works_data(GATHERED))
    assert page.plain == (
        "Cited works\n"
        '  Lee  "Wear <U+001B>[31mof Bearings" (2019), 10.1/x, by DOI; abstract from OpenAlex\n'
        "  roe  Crossref unreachable\n"
        "  own  full text from own files\n"
        "  2 of 3 works have a text beside the bibliography.\n"
    )


def test_every_report_tells_what_there_was_to_check_against(checked) -> None:  # type: ignore[no-untyped-def]
    held = replace(checked, holdings=HELD)
    page = Page()
    check_page(page, held, verbose=False)
    assert f"Evidence: {SAID}.\n" in page.plain
    assert f"evidence: {SAID}" in github(held)
    assert f"evidence: {SAID}" in sarif(held, {})
    data = json.loads(json.dumps(check_data(held, "error")))
    jsonschema.Draft202012Validator(
        json.loads((SCHEMAS / "check.schema.json").read_text())
    ).validate(data)
    assert data["evidence"] == {
        "cited": 80,
        "held": 61,
        "by": {"OpenAlex": 51, "own files": 10},
        "silent": ["Crossref unreachable"],
    }
    assert check_data(checked, "error")["evidence"] is None


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        (None, "--lookup all asks literature services for abstracts; --sources takes"),
        (("Crossref",), "--lookup all asks other literature services as well; --sources takes"),
        (("OpenAlex", "Semantic Scholar", "Crossref", "arXiv"), "check against: --sources takes"),
    ],
)
def test_what_was_just_done_is_not_advised(checked, asked, advice) -> None:  # type: ignore[no-untyped-def]
    bare = tuple(replace(s, label=Label.UNCHECKED, passages=()) for s in checked.supports)
    held = None if asked is None else replace(HELD, asked=asked)
    page = Page()
    check_page(page, replace(checked, supports=bare, holdings=held), verbose=False)
    assert advice in " ".join(page.plain.partition("\nNext\n")[2].split())
