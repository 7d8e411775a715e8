"""What counts as evidence of a work, and how it is cleaned."""

import pytest
from cited_papers import entry, paper

from reviser.literature.cleaning import abstract_of
from reviser.verify.evidence import surnames, works

ABSTRACT = (
    "Bearings wear faster when they run dry. We measured the loss of steel for a year. "
    "The loss doubles without oil."
)


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
    made = works(paper(entries={"Key:1": {"title": "Wear"}}), {"key:1": ABSTRACT})
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
        works(paper(entries={"a": {"abstract": text, "author": text, "year": text}}), {"a": text})
    assert entry("a").get("abstract") == ""
