"""Names, years, systems and negations beside a citation."""

from collections.abc import Mapping

from cited_papers import paper

from reviser.verify.claim import claims
from reviser.verify.evidence import works
from reviser.verify.leads import (
    NameMismatch,
    affirmed,
    before_citation,
    bibliography_surnames,
    denied,
    leads,
    name_mismatch,
    negation_clash,
    system_before,
)
from reviser.verify.model import Lead, Passage

ENTRIES: Mapping[str, Mapping[str, str]] = {
    "lee2019": {"author": "Lee, Ann and Roe, Bo", "title": "Dry Bearings", "year": "2019"},
    "mueller2001": {"author": "Müller, Karl", "title": "WEAR: A Code", "year": "2001"},
    "berg2010": {"author": "Jan van den Berg and Others, Some", "title": "Oil", "year": "2010"},
    "who": {"title": "No author here"},
}


def mismatch(
    sentence: str, entries: Mapping[str, Mapping[str, str]] = ENTRIES
) -> NameMismatch | None:
    made = paper(sentence, entries=entries)
    known = works(made, {})
    (claim,) = claims(made)
    return name_mismatch(made, 0, claim, known, bibliography_surnames(known))


def test_a_named_author_of_another_entry_is_a_mismatch() -> None:
    found = mismatch(r"Müller et al.~\citep{lee2019} show that dry bearings wear.")
    assert found is not None
    assert (found.named, found.candidate) == ("Müller et al.", "mueller2001")
    pair = mismatch(r"As found by Lee and Roe~\citep{mueller2001}, dry bearings wear.")
    assert pair is not None
    assert pair.candidate == "lee2019"


def test_an_unknown_name_has_no_candidate() -> None:
    found = mismatch(r"Petrov et al.~\citep{lee2019} show that dry bearings wear.")
    assert found is not None
    assert found.candidate == ""


def test_right_names_in_all_spellings_are_no_mismatch() -> None:
    for named, key in [
        ("Lee et al.", "lee2019"),
        ("Roe and Lee", "lee2019"),
        ("Muller et al.", "mueller2001"),
        ("Mueller et al.", "mueller2001"),
        ("Van den Berg et al.", "berg2010"),
        ("van den Berg et al.'s", "berg2010"),
        ("J. van den Berg et al. (2010)", "berg2010"),
        ("Lee et al.", "mueller2001,lee2019"),
        ("Lee et al.", "who"),
        ("Lee et al.", "absent"),
    ]:
        assert mismatch(rf"{named}~\citep{{{key}}} show that dry bearings wear.") is None, named


def test_what_only_looks_like_a_name_is_left_alone() -> None:
    for words in ["Recall and Precision", "Monte Carlo", "The Kalman Filter", "Los Alamos"]:
        assert mismatch(rf"{words}~\citep{{lee2019}} measure how dry bearings wear.") is None
    assert mismatch(r"Müller et al. \citet{lee2019} show that dry bearings wear.") is None


def test_two_works_of_one_author_give_no_candidate() -> None:
    twice = {**ENTRIES, "mueller2002": {"author": "Müller, Karl", "title": "B", "year": "2002"}}
    found = mismatch(r"Müller et al.~\citep{lee2019} show that dry bearings wear.", twice)
    assert found is not None
    assert found.candidate == ""
    dated = {**ENTRIES, "mueller2012": {"author": "Müller, Karl", "title": "B", "year": "2012"}}
    found = mismatch(r"Müller et al. (2012)~\citep{lee2019} show dry bearings wear.", dated)
    assert found is not None
    assert found.candidate == "mueller2012"


def lead_kinds(sentence: str, abstract: str, **fields: str) -> tuple[Lead, ...]:
    entries = {"a": {"abstract": abstract, "author": "Lee, Ann", "title": "T", **fields}}
    made = paper(sentence, entries=entries)
    known = works(made, {})
    (claim,) = claims(made)
    work = known["a"]
    passages = [(passage, 0.8) for passage in work.passages]
    return leads(made, claim, work, passages, bibliography_surnames(known))


ABSTRACT = (
    "The corpus holds 5,400 hours of speech from many people. It does not cover dialects at all."
)


def test_a_changed_number_shows_what_the_source_says() -> None:
    (lead,) = lead_kinds(r"The corpus holds 4,500 hours of speech \citep{a}.", ABSTRACT)
    assert lead == Lead("number", "4,500 (the source says 5,400)")


def test_a_changed_year_and_system() -> None:
    year = lead_kinds(
        r"Lee et al. (2012)~\citep{a} hold 5,400 hours of speech.", ABSTRACT, year="2019"
    )
    assert [lead.kind for lead in year] == ["year"]
    system = lead_kinds(r"Speech is recognised by wav2vec~\citep{a}.", ABSTRACT)
    assert system == (Lead("name", "wav2vec"),)


def passage(text: str) -> Passage:
    return Passage("a", text, "abstract", 0, len(text))


def test_a_dropped_negation_clashes() -> None:
    source = "The gains do not appear in small models of any kind."
    claim = "These gains do appear in small models."
    assert negation_clash(claim, [(passage(source), 0.9)], source) is not None
    assert negation_clash(source, [(passage(claim), 0.9)], claim) is not None


def test_other_negations_do_not_clash() -> None:
    source = "Dropout removes units at random so that units cannot adapt to each other."
    claim = "Dropout removes units at random during training."
    assert negation_clash(claim, [(passage(source), 0.9)], source) is None
    assert negation_clash(source, [(passage(source), 0.9)], source) is None
    assert (
        negation_clash(claim, [(passage("It does not remove units at all, ever."), 0.1)], "")
        is None
    )


def test_denials_of_things_and_of_both_sides_do_not_clash() -> None:
    claim = "Bearings of steel run without wear or noise for a year."
    for source in (
        "Bearings of steel do not wear for a year.",
        "Bearings of steel run for a year with neither wear nor noise.",
        "Bearings of steel run for a year and never emit noise.",
    ):
        assert negation_clash(claim, [(passage(source), 0.9)], source) is None
        assert negation_clash(source, [(passage(claim), 0.9)], claim) is None


def test_denied_words() -> None:
    assert set(denied("It does not clearly appear, and cannot run.")) == {"appear", "run"}
    assert denied("It runs without any oil.") == {}


def test_names_of_systems() -> None:
    assert system_before("We compare BERT") == "BERT"
    assert system_before("as in GPT-3") == "GPT-3"
    assert system_before("we use PyTorch") == "PyTorch"
    assert system_before("in the section") == ""
    assert system_before("A") == ""
    assert system_before("A" * 5000 + "!") == ""


def test_what_speaks_for_a_work() -> None:
    made = paper(
        r"Lee~\citep{lee2019} studied the loss of steel.",
        r"Losses were computed by WEAR~\citep{mueller2001} once a day.",
        r"Losses are low in winter and high in summer~\citep{berg2010}.",
        entries=ENTRIES,
    )
    known = works(made, {})
    surnames = bibliography_surnames(known)
    first, second, third = claims(made)
    assert before_citation(made, first) == "Lee"
    assert "Lee" in affirmed(made, first, known["lee2019"], surnames)
    assert "WEAR" in affirmed(made, second, known["mueller2001"], surnames)
    assert affirmed(made, third, known["berg2010"], surnames) == ""
