import pytest

from reviser.literature.match import Standing, match, standing
from reviser.literature.names import agree, surnames
from reviser.literature.paper import Author, Paper
from reviser.literature.sources import Wanted
from reviser.literature.titles import Kinship, likeness, stamp
from tests.benchmarks.matching import pairs, procedure

TITLE = "Sea level in the German Bight from tide gauges and altimetry"


def wanted(title=TITLE, *authors, year=2020, **more):
    return Wanted("k", title, authors or ("Behrens", "Okafor"), year, **more)


def paper(title=TITLE, *authors, year=2020, **more):
    people = tuple(Author(name) for name in authors or ("Behrens", "Okafor"))
    return Paper("A", "1", title, people, year, **more)


@pytest.mark.parametrize("half", ["train", "test"])
def test_the_bars_hold_on_labelled_titles(half):
    for truth in (pairs(half), procedure(half)):
        assert truth.pairs >= 140
        assert truth.precision >= 0.99, truth.wrong
        assert truth.recall >= 0.9, truth.missed


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"The $\beta$-decay of {$^{14}$C}", "The β‐decay of <sup>14</sup>C"),
        ("Pre-training for e-commerce", "Pretraining for ecommerce"),
        ("Modelling the behaviour of fibre networks", "Modeling the behavior of fiber networks"),
        ("Models &amp; muddles", "Models and muddles"),
        ("Eﬃcient coding", "Efficient Coding"),
        ("Graph minors II: a bound", "Graph Minors 2. A Bound"),
        (r"Na{\"\i}ve Bayes at G{\"o}ttingen", "Naive Bayes at Göttingen"),
        ("RETRACTED ARTICLE: Tides rise", "Tides rise"),
        ("Tides rise (Retracted)", "Tides rise"),
        ("Tides rise [Extended version]", "TIDES RISE."),
        (
            "On <mml:math><mml:mi>k</mml:mi></mml:math>-means<tex-math>$k$</tex-math>",
            "On k-means",
        ),
        (r"$\ell_1$ balls", "<i>l</i><sub>1</sub> balls"),
    ],
)
def test_one_title_written_in_two_ways(one, other):
    assert likeness(one, other).kinship is Kinship.SAME


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Attention is all you need", "Attention is not all you need"),
        ("Graph minors. I", "Graph minors. II"),
        ("Results of 2018", "Results of 2019"),
        ("P = NP", "P ≠ NP"),
        ("The C++ language", "The C language"),
        ("Deterministic flow", "Nondeterministic flow"),
        ("Hyperglycaemia in children", "Hypoglycaemia in children"),
        ("Supervised ranking of mails", "Unsupervised ranking of mails"),
        ("Multi-task learning", "Multi-mask learning"),
        ("", ""),
        ("", "A title"),
    ],
)
def test_two_titles_are_two(one, other):
    assert likeness(one, other).kinship is Kinship.OTHER


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("Learning a map from text", "Learning the map for text", 1),
        ("Probabilistic models of denoising", "Probablistic model on denoising", 3),
        ("The tide", "Tide", 0),
    ],
)
def test_slips_are_counted(one, other, slips):
    found = likeness(one, other)
    assert (found.kinship, found.slips) == (Kinship.SPELLING, slips)


@pytest.mark.parametrize(
    ("one", "other", "given"),
    [
        ("Müller", "Mueller", ""),
        ("Muller", "Müller", ""),
        ("Erdös", "Erdős", ""),
        ("van der Maaten", "Maaten", ""),
        ("Kolmogoroff", "Kolmogorov", ""),
        ("Tchebychev", "Chebyshev", ""),
        ("Ландау", "Landau", ""),
        ("O’Brien", "O'Brien", ""),
        ("García-Huidobro", "Garcia Huidobro", ""),
        ("Li", "Hao", "Li"),
        ("World Health Organization", "WHO", ""),
        ("Hintont", "Hinton", ""),
    ],
)
def test_surnames_of_one_person(one, other, given):
    assert agree(one, other, given)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Li", "Lu"), ("Chang", "Cheng"), ("Chen", "Cheng"), ("Wang", "Zhang"), ("Smith", "Jones")],
)
def test_surnames_of_two_persons(one, other):
    assert agree(one, other) is False


def test_names_in_two_scripts_cannot_be_compared():
    assert agree("王", "Wang") is None


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Smith, John and Doe, Jane and others", ("Smith", "Doe")),
        ("{World Health Organization}", ("World Health Organization",)),
        ("Ludwig {van Beethoven} and Vincent van Gogh", ("van Beethoven", "van Gogh")),
        ("{Barnes and Noble} and Doe, J.", ("Barnes and Noble", "Doe")),
        ("Siegel RL and Miller KD", ("Siegel", "Miller")),
        ("Peter Henderson et al.", ("Henderson",)),
        (r"Erd{\H{o}}s, P. and R{\'e}nyi, A.", ("Erdős", "Rényi")),
        ("John Smith Jr. and King, Jr., Martin Luther", ("Smith", "King")),
        ("", ()),
    ],
)
def test_surnames_of_a_name_list(field, names):
    assert surnames(field) == names


@pytest.mark.parametrize(
    "other",
    [
        paper(year=2021),
        paper(TITLE, "Behrens"),
        paper(TITLE, "Okafor", "Behrens"),
        paper(TITLE + ": a review of what is known"),
        paper("Sea levels in the German Bight from tide gauges and altimetery"),
        paper(TITLE, year=2016, venue="arXiv"),
        paper(TITLE, year=None),
    ],
)
def test_the_same_work(other):
    found = match(wanted(), other)
    assert found.accepted, found.why


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (paper(TITLE, "Cohen", "Okonkwo"), "the first authors differ"),
        (paper(year=2016), "4 years apart"),
        (paper(year=2001, venue="arXiv"), "19 years apart"),
        (paper("Comment on: " + TITLE), "only one title has 'comment'"),
        (paper(TITLE + ". Part II"), "only one title has 'part'"),
        (paper(TITLE, "Behrens", "Okafor", kind="phdthesis"), "only one of them is a thesis"),
        (paper(TITLE, "Behrens", "Okafor", kind="book"), "only one of them is a book"),
        (paper("Wave heights in the German Bight"), "the titles differ in"),
    ],
)
def test_another_work_is_refused_and_why(other, why):
    found = match(wanted(kind="article"), other)
    assert not found.accepted
    assert why in found.why


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        # A part in common is little: of the title, where the years differ, or of the people.
        (
            Wanted("k", "Tides", ("Li",), 2020),
            paper("Tides: the evidence of ships", "Li"),
            "too little of the titles is the same",
        ),
        (
            Wanted("k", "Coastal tides", ("Li", "Wu"), 2020),
            paper("Coastal tides: the evidence of ships", "Li", "Wu", year=2021),
            "too little of the titles is the same",
        ),
        (
            Wanted("k", TITLE, (), 2020),
            Paper("A", "1", TITLE + ": the evidence of ships", (), 2020),
            "the authors do not settle it",
        ),
        # Slips: too many of them, or nobody who settles it.
        (
            Wanted("k", "Probabilistic models of denoising", ("Li",), 2020),
            paper("Probablistic model on denoising", "Li"),
            "the titles differ in their spelling",
        ),
        (
            Wanted("k", "Coastal tides at sea", (), 2020),
            Paper("A", "1", "Coastal tide at sea", (), 2020),
            "the titles differ in their spelling",
        ),
        # Nobody is named: the title must be long and the year there.
        (
            Wanted("k", "Learning of deep tides", (), 2020),
            Paper("A", "1", "Learning of deep tides", (), 2020),
            "nobody is named",
        ),
        (Wanted("k", TITLE, (), 2020), Paper("A", "1", TITLE), "nobody is named"),
        (Wanted("k", TITLE, (), 2020), Paper("A", "1", TITLE, (), 2022), "nobody is named"),
        # A preprint far from its print needs the same title, long enough, and the same people.
        (
            wanted(),
            paper(TITLE, "Behrens", "Cohen", year=2016, venue="arXiv"),
            "4 years apart",
        ),
        (
            wanted("Coastal tides"),
            paper("Coastal tides", year=2016, venue="arXiv"),
            "4 years apart",
        ),
        (
            wanted(),
            paper(TITLE + ": the evidence of ships", year=2016, venue="arXiv"),
            "4 years apart",
        ),
    ],
)
def test_where_it_cannot_be_sure_it_refuses(one, other, why):
    found = match(one, other)
    assert not found.accepted
    assert why in found.why


@pytest.mark.parametrize(
    ("title", "authors"),
    [
        ("Sea level in the German Bight not from tide gauges and altimetry", ("Behrens",)),
        ("Attention for birds", ("Cohen", "Okafor")),
    ],
)
def test_a_doi_with_doubt_neither_is_the_work_nor_accuses(title, authors):
    assert standing(wanted(), paper(title, *authors)) is Standing.UNSURE


def test_a_title_that_many_works_bear_needs_its_venue():
    here = wanted("Editorial", "Smith", venue="Tides")
    assert match(here, paper("Editorial", "Smith", venue="Tides")).accepted
    assert not match(here, paper("Editorial", "Smith", venue="Waves")).accepted


def test_a_short_title_without_year_is_refused():
    assert not match(
        wanted("Random forests", "Breiman"), paper("Random forests", "Breiman", year=None)
    ).accepted


@pytest.mark.parametrize(
    ("other", "stands"),
    [
        (paper(year=1999), Standing.SAME),
        (paper("Sea level in the German Bight from satellites and tide gauges"), Standing.SAME),
        (paper("Erratum to: " + TITLE), Standing.UNSURE),
        (paper(TITLE, "Cohen"), Standing.UNSURE),
        (paper("Attention for birds", "Behrens"), Standing.UNSURE),
        (paper("Attention for birds", "Cohen"), Standing.OTHER),
        (Paper("A", "1", "Attention for birds"), Standing.UNSURE),
        (paper("Handbook of Coastal Tides", "Cohen"), Standing.UNSURE),
        (paper("Birds of the sea", "Cohen", kind="proceedings"), Standing.UNSURE),
        (paper(""), Standing.SAME),
    ],
)
def test_what_a_doi_leads_to(other, stands):
    asked = wanted(venue="Handbook of coastal tides", kind="incollection")
    assert standing(asked, other) is stands


def test_a_stamp_is_no_part_of_a_title():
    assert stamp("RETRACTED: Tides") == "retraction"
    assert stamp("WITHDRAWN: Tides") == "withdrawal"
    assert stamp("Retracted papers and their authors") == ""
