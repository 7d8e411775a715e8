"""What counts as evidence of a work, and how it is cleaned."""

import re

import pytest
from cited_papers import entry, paper

from reviser.literature.cleaning import abstract_of
from reviser.literature.sources import Section, Text, text_of
from reviser.verify.evidence import surnames, works

ABSTRACT = (
    "Bearings wear faster when they run dry. We measured the loss of steel for a year. "
    "The loss doubles without oil."
)

OWN = "The wear of bearings is known. Nothing new is said here of it, but it is said well."


def test_an_abstract_becomes_sentences_with_offsets() -> None:
    made = works(paper(entries={"A": {"abstract": ABSTRACT, "title": "Wear", "year": "2019"}}), {})
    work = made["a"]
    assert [p.text for p in work.passages][1] == "We measured the loss of steel for a year."
    for passage in work.passages:
        assert ABSTRACT[passage.start : passage.stop] == passage.text
        assert passage.where == "abstract"
    assert (work.key, work.year, work.language) == ("A", "2019", "en")


def test_a_title_alone_is_no_evidence() -> None:
    work = works(paper(entries={"a": {"title": "Bearings wear faster when they run dry"}}), {})["a"]
    assert work.passages == ()
    assert "no abstract" in work.why_none


@pytest.mark.parametrize(
    "text", ["N/A", "No abstract available.", "International audience", "Short."]
)
def test_placeholders_are_no_evidence(text: str) -> None:
    assert works(paper(entries={"a": {"abstract": text}}), {})["a"].passages == ()


def test_a_source_text_is_evidence_and_is_told_apart() -> None:
    made = works(paper(entries={"Key:1": {"title": "Wear"}}), {"key:1": text_of(ABSTRACT)})
    assert made["key:1"].full
    assert {p.where for p in made["key:1"].passages} == {"source text"}


def test_a_child_inherits_what_it_lacks_but_not_the_title() -> None:
    entries = {
        "child": {"crossref": "Parent", "author": "Lee, A."},
        "parent": {
            "title": "Proceedings",
            "year": "2001",
            "abstract": ABSTRACT,
            "crossref": "child",
        },
    }
    work = works(paper(entries=entries), {})["child"]
    assert (work.year, work.title) == ("2001", "")
    assert len(work.passages) == 3


def test_markup_headings_and_legal_notices_go() -> None:
    raw = (
        "<jats:title>Abstract</jats:title><jats:p>Wear &amp; tear of <i>steel</i> in "
        r"\textbf{dry} bearings rose by $5$\% in a year of tests.</jats:p>"
    )
    assert abstract_of(raw) == "Wear & tear of steel in dry bearings rose by 5% in a year of tests."
    made = works(
        paper(entries={"a": {"abstract": ABSTRACT + " © 2019 Elsevier Ltd. All rights reserved."}}),
        {},
    )
    assert len(made["a"].passages) == 3


def test_only_long_notes_are_prose() -> None:
    short = {"a": {"note": "Accepted for publication in the proceedings of the next conference"}}
    assert works(paper(entries=short), {})["a"].passages == ()
    long = {"a": {"note": " ".join([ABSTRACT] * 3)}}
    assert works(paper(entries=long), {})["a"].passages


def test_surnames_of_all_shapes() -> None:
    assert surnames("Lee, Ann and Ludwig van Beethoven and others") == ("Lee", "van Beethoven")
    assert surnames("{World Health Organization}") == ("Organization",)
    assert surnames("Martin Luther King Jr. and de la Cruz, Juana") == ("King", "de la Cruz")
    assert surnames("") == ()


def test_hostile_fields_are_survived() -> None:
    for text in ("<" * 5000, "&amp;" * 3000, "{" * 4000, "\\" * 4000, "\udcff " * 50, "a." * 9000):
        works(
            paper(entries={"a": {"abstract": text, "author": text, "year": text}}),
            {"a": text_of(text)},
        )
    assert entry("a").get("abstract") == ""


def test_a_text_lends_its_abstract_where_the_bibliography_has_none() -> None:
    fetched = Text(abstract=f"<p>{ABSTRACT}</p>", abstract_from="OpenAlex")
    bare, own = paper(entries={"a": {"title": "Wear"}}), paper(entries={"a": {"abstract": OWN}})
    lent, kept = works(bare, {"a": fetched})["a"], works(own, {"a": fetched})["a"]
    assert lent.passages[0].place == "abstract of a, OpenAlex"
    assert not lent.full
    assert [p.text for p in lent.passages] == re.findall(r"[^.]+\.", ABSTRACT.replace(". ", "."))
    assert {p.place for p in kept.passages} == {"abstract of a"}


def test_passages_of_sections_know_their_heading_and_their_place_in_the_whole() -> None:
    sections = (
        Section("1 Results", ABSTRACT),
        Section("References", "Lee wrote on wear. Roe wrote on oil and steel."),
        Section("2  Outlook", "Oil may help.  Steel may not help either."),
    )
    text = Text(sections=sections, full_from="lee2020.pdf")
    work = works(paper(entries={"a": {"title": "Wear"}}), {"a": text})["a"]
    assert [p.section for p in work.passages] == ["1 Results"] * 3 + ["2 Outlook"] * 2
    for passage in work.passages:
        assert text.whole[passage.start : passage.stop] == passage.text
    assert work.passages[-1].place == 'source text of a, lee2020.pdf, section "2 Outlook"'


def test_a_text_says_why_there_is_none() -> None:
    bare = paper(entries={"a": {"title": "Wear"}})
    assert works(bare, {"a": Text(why_none="OpenAlex unreachable")})["a"].why_none == (
        "OpenAlex unreachable"
    )
    assert "no sentence" in works(bare, {"a": text_of(" .. ")})["a"].why_none
