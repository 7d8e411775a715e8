from dataclasses import replace

import pytest

from reviser.literature.match import Figures, Match
from reviser.literature.merging import merge
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.resolve import Refusal, Resolved, Unresolved
from reviser.literature.sources import Silent
from reviser.literature.wanted import wanted_of
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.pipeline.checking import known_rules
from reviser.verify.references import RULES, references

TITLE = "Sea level in the German Bight from tide gauges and altimetry"
ENTRY = {
    "author": "Behrens, Anna and Okafor, Chidi", "title": TITLE, "year": "2020",
    "journal": "Journal of Tidal Research", "doi": "10.1000/tide",
}  # fmt: skip
FIT = Match(True, "the same title", Figures(1.0, 0, True))


def manuscript(kind="article", **changes):
    fields = {**ENTRY, **changes}
    body = ",\n".join(f"  {name} = {{{text}}}" for name, text in fields.items() if text)
    return load(
        Memory(
            {
                "main.tex": b"\\documentclass{article}\\begin{document}Tides rise~\\cite{b20}.\n"
                b"\\bibliography{refs}\\end{document}\n",
                "refs.bib": f"@{kind}{{b20,\n{body}\n}}\n".encode(),
            }
        )
    )


def paper(source="Crossref", **changes):
    made = {
        "id": "1", "title": TITLE, "authors": (Author("Behrens"), Author("Okafor")), "year": 2020,
        "venue": "Journal of Tidal Research", "kind": "article", "doi": "10.1000/tide",
    }  # fmt: skip
    return Paper(source, **{**made, **changes})


def resolved(text, *accounts, how="DOI", **more):
    accounts = accounts or (paper(),)
    merged = merge(accounts)
    more = {"disputed": merged.disputed, **more}
    return Resolved(wanted_of(text.entries[0]), merged.paper, how, FIT, merged.said_by, **more)


def rules(text, outcome):
    return [finding.rule for finding in references(text, [outcome])]


def test_what_agrees_is_not_spoken_of():
    text = manuscript()
    assert rules(text, resolved(text)) == []


def test_a_retraction_is_a_warning_that_quotes_the_notice():
    text = manuscript()
    notice = Notice("retraction", "10.1000/notice", "2021-02-03")
    (finding,) = references(text, [resolved(text, paper(notice=notice))])
    assert (finding.rule, str(finding.severity)) == ("reference-retracted", "warning")
    assert finding.message.startswith(
        "'b20' was retracted (2021-02-03, 10.1000/notice), says Crossref."
    )
    assert "10.1000/notice" in finding.evidence[0].text
    assert finding.evidence[0].where == "Crossref"
    assert finding.quote == "@article{b20"
    assert finding.fingerprint


def test_a_mark_without_a_notice_is_a_note():
    text = manuscript()
    outcome = resolved(text, paper("OpenAlex", notice=Notice("retraction")))
    (finding,) = references(text, [outcome])
    assert str(finding.severity) == "note"
    assert finding.message.startswith("OpenAlex marks 'b20' as retracted, without a notice.")


def test_an_expression_of_concern_is_a_note():
    text = manuscript()
    outcome = resolved(text, paper(notice=Notice("expression of concern")))
    (finding,) = references(text, [outcome])
    assert str(finding.severity) == "note"


@pytest.mark.parametrize("changes", [{"note": "Retracted"}, {"title": f"RETRACTED: {TITLE}"}])
def test_an_author_who_says_that_it_is_retracted_knows(changes):
    text = manuscript(**changes)
    assert rules(text, resolved(text, paper(notice=Notice("retraction")))) == []


def test_a_readers_own_export_retracts_nothing():
    text = manuscript()
    assert rules(text, resolved(text, paper("mine.bib", notice=Notice("retraction")))) == []


def test_a_doi_of_another_work_names_it_and_the_right_one():
    text = manuscript(doi="10.1000/birds")
    birds = paper(
        title="Attention for birds", authors=(Author("Cohen"),), year=2019, doi="10.1000/birds"
    )
    (finding,) = references(text, [resolved(text, how="title", misled=birds)])
    assert (finding.rule, str(finding.severity)) == ("reference-doi", "warning")
    assert finding.message == (
        "The DOI 10.1000/birds of 'b20' belongs to another work: Cohen (2019), \"Attention for "
        'birds", says Crossref. Crossref has the work under the DOI 10.1000/tide.'
    )
    assert finding.quote == "{10.1000/birds}"
    assert rules(text, Unresolved(wanted_of(text.entries[0]), misled=birds)) == ["reference-doi"]
    (finding,) = references(text, [resolved(text, misled=replace(birds, source="OpenAlex"))])
    assert str(finding.severity) == "note"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"year": 2009}, ["reference-year"]),
        ({"year": 2022}, []),
        ({"year": None}, []),
        ({"venue": "Annals of Oceanography"}, ["reference-venue"]),
        ({"venue": "J. Tidal Res."}, []),
        ({"venue": "Tidal Research"}, []),
        ({"venue": "JTR"}, []),
        ({"venue": "Zenodo Repository of Everything"}, []),
        ({"venue": "Annals of Oceanography", "kind": "book"}, []),
        ({"title": "Sea level in the German Bight from satellites"}, ["reference-title"]),
        ({"title": "Sea Level in the German Bight"}, ["reference-title"]),
        ({"title": TITLE + ": a review of the evidence"}, []),
        ({"venue": "arXiv", "year": 2001}, []),
        ({"doi": "10.1000/other", "year": 2001}, []),
    ],
)  # fmt: skip
def test_fields_that_differ_from_the_work_with_the_doi(changes, expected):
    text = manuscript()
    assert rules(text, resolved(text, paper(**changes))) == expected


@pytest.mark.parametrize("changes", [{"year": 2009}, {"venue": "Annals of Oceanography"}])
def test_a_readers_own_export_mends_no_field(changes):
    text = manuscript()
    assert rules(text, resolved(text, paper("mine.bib", **changes))) == []


def test_a_readers_own_export_takes_no_doi_away():
    text = manuscript(doi="10.1000/birds")
    birds = paper("mine.bib", title="Attention for birds", doi="10.1000/birds")
    assert rules(text, resolved(text, how="title", misled=birds)) == []
    assert rules(text, Unresolved(wanted_of(text.entries[0]), misled=birds)) == []


def test_a_book_may_be_of_many_years():
    text = manuscript("book")
    assert rules(text, resolved(text, paper(year=2009, kind="book"))) == []


def test_what_was_not_found_by_its_doi_has_no_field_to_mend():
    text = manuscript()
    assert rules(text, resolved(text, paper(year=2009), how="title")) == []
    assert rules(text, resolved(text, paper(year=2009), how="arXiv id")) == []


def test_the_doi_of_a_preprint_server_binds_no_field():
    text = manuscript(doi="10.48550/arXiv.2001.00001")
    printed = paper(doi="10.48550/arxiv.2001.00001", year=2009)
    assert rules(text, resolved(text, printed)) == []


@pytest.mark.parametrize("venue", ["Tides and Waves", "Researches on Oceans"])
def test_journals_of_which_a_word_begins_alike_are_not_accused(venue):
    text = manuscript()
    assert rules(text, resolved(text, paper(venue=venue))) == []


def test_an_entry_with_the_doi_of_another_work_is_not_called_missing_as_well():
    text = manuscript(doi="10.1000/birds")
    birds = paper(title="Attention for birds", authors=(Author("Cohen"),), doi="10.1000/birds")
    assert rules(text, missing(text, misled=birds)) == ["reference-doi"]
    own = replace(birds, source="mine.bib")
    assert rules(text, missing(text, misled=own)) == []


def test_sources_that_disagree_leave_it_to_the_author():
    text = manuscript()
    assert rules(text, resolved(text, paper(year=2009), paper("OpenAlex"))) == []


def test_a_work_found_by_its_title_has_no_field_to_mend():
    text = manuscript(doi="")
    assert rules(text, resolved(text, paper(year=2009), how="title")) == []


@pytest.mark.parametrize("journal", ["arXiv preprint arXiv:1901.00001", "CoRR"])
def test_an_entry_for_the_preprint_is_no_mismatch(journal):
    text = manuscript(journal=journal, year="2016")
    assert rules(text, resolved(text)) == []


@pytest.mark.parametrize(
    "journal", ["J. Tid. Res.", "JTR", "jtr", "{\\aap}", "Z. Phys.", "Journal for Tidal Research"]
)
def test_abbreviated_journals_are_not_accused(journal):
    text = manuscript(journal=journal)
    assert rules(text, resolved(text, paper(venue="Annals of Tidal Science"))) == []


def missing(text, *answered, **more):
    return Unresolved(wanted_of(text.entries[0]), answered or ("OpenAlex", "Crossref"), **more)


def test_what_nobody_has_is_a_lead_that_names_who_was_asked():
    text = manuscript(doi="")
    near = Refusal(
        paper(year=2009), Match(False, "they are 11 years apart", Figures(1.0, 11, True))
    )
    (finding,) = references(text, [missing(text, refused=(near,))])
    assert (finding.rule, str(finding.severity)) == ("reference-not-found", "note")
    assert finding.message.startswith("'b20' was not found in OpenAlex, Crossref under its title.")
    assert "The nearest is Behrens et al. (2020)" not in finding.message
    assert "Behrens et al. (2009)" in finding.message
    assert "11 years apart" in finding.message


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        ("misc", {}),
        ("online", {}),
        ("software", {}),
        ("phdthesis", {}),
        ("techreport", {}),
        ("book", {}),
        ("manual", {}),
        ("article", {"journal": "Submitted to Tides"}),
        ("article", {"author": ""}),
        ("article", {"year": "1934"}),
        ("article", {"year": ""}),
        ("article", {"title": "Tides"}),
        ("article", {"title": "Über den Wasserstand der Deutschen Bucht im Winter"}),
    ],
)
def test_kinds_that_services_do_not_hold_are_not_called_missing(kind, changes):
    text = manuscript(kind, **changes)
    assert rules(text, missing(text)) == []


@pytest.mark.parametrize(
    "outcome",
    [
        {"answered": ("arXiv", "mine.bib")},
        {"answered": ("OpenAlex",)},
        {"silent": (Silent("arXiv", "unreachable"),)},
    ],
)
def test_nothing_is_missing_where_too_few_have_looked(outcome):
    text = manuscript()
    assert rules(text, missing(text, *outcome.pop("answered", ()), **outcome)) == []


def test_a_services_words_cannot_hide_anything():
    text = manuscript(doi="10.1000/birds")
    evil = paper(
        title="Bi\u202erds\nof " + "x" * 400, authors=(Author("Co\u200bhen"),), doi="10.1000/birds"
    )
    (finding,) = references(text, [resolved(text, misled=evil)])
    assert "\u202e" not in finding.message
    assert "\n" not in finding.message
    assert "Cohen" in finding.message
    assert len(finding.message) < 500


def test_every_rule_can_be_named():
    assert known_rules().keys() >= RULES.keys()
