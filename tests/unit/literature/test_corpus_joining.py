"""Papers as works: what is joined, what is kept apart, and what a search finds."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.literature.corpus import Corpus
from reviser.literature.index import Held, NoIndex
from reviser.literature.joining import joined, names_of, one_work, title_key
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.sources import Silent
from tests.fakes.index import MemoryIndex

BIB = Paper(
    source="bibliography",
    id="kim2021",
    title="Graph Networks for {T}raffic: a Survey",
    authors=(Author("Kim", "Jia"),),
    year=2021,
)
PUBLISHED = Paper(
    source="OpenAlex",
    id="W1",
    title="Graph networks for traffic: a survey.",
    authors=(Author("Kim", "J."), Author("Oh", "S.")),
    year=2022,
    venue="Journal of Roads",
    doi="10.1000/roads.7",
    abstract="We survey graph networks that forecast traffic.",
    cited_by=12,
)
PREPRINT = replace(
    PUBLISHED, source="arXiv", id="2101.00007", doi="", arxiv="2101.00007", year=2021,
    abstract="Short.", cited_by=None, venue="",
)  # fmt: skip


def corpus(*papers, via="test"):
    one = Corpus(MemoryIndex())
    one.add(papers, via)
    return one


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0), (1, 0, 2)])
def test_three_descriptions_of_one_work_are_one_work(order):
    made = corpus(*((BIB, PUBLISHED, PREPRINT)[i] for i in order))
    (held,) = made.index.all()
    assert set(held.names) == {
        "bibliography:kim2021", "doi:10.1000/roads.7", "OpenAlex:W1", "arxiv:2101.00007",
        "arXiv:2101.00007",
    }  # fmt: skip
    assert held.names[0] == held.paper.identity == "doi:10.1000/roads.7"
    assert (held.paper.abstract, held.paper.cited_by) == (PUBLISHED.abstract, 12)
    assert held.paper.venue == "Journal of Roads"


def test_what_was_there_before_is_joined_with_what_comes():
    made = corpus(BIB, via="bibliography")
    added = made.add([PUBLISHED], "search: traffic")
    assert (added.new, added.more, added.known) == (0, 1, 0)
    (held,) = made.index.all()
    assert held.via == ("bibliography", "search: traffic")
    assert made.get(["bibliography:kim2021"]) == {"bibliography:kim2021": held.paper}
    again = made.add([PUBLISHED], "search: traffic")
    assert (again.new, again.more, again.known) == (0, 0, 1)
    assert len(made.index.puts) == 2


def test_a_paper_that_knows_both_ids_joins_two_works():
    other = replace(PREPRINT, title="Graph networks for traffic", authors=())
    made = corpus(PUBLISHED, other)
    assert made.index.size() == 2
    made.add([replace(PUBLISHED, arxiv="2101.00007")], "Crossref")
    assert made.index.size() == 1


def test_a_wrong_doi_does_not_make_two_works_one():
    wrong = replace(BIB, title="Coral bleaching after heat waves", doi="10.1000/roads.7")
    made = corpus(PUBLISHED)
    assert made.add([wrong], "bibliography").odd == 1
    assert [held.paper.title for held in made.index.all()] == [PUBLISHED.title]


@pytest.mark.parametrize(
    "other",
    [
        replace(PUBLISHED, id="W2", doi="10.1000/roads.8"),
        replace(BIB, id="x", year=2024),
        replace(BIB, id="x", authors=(Author("Lee"),)),
        replace(BIB, id="x", title="Graph Networks for Traffic: a Survey II"),
        replace(PREPRINT, id="x", arxiv="2202.00001", year=2022),
    ],
)
@pytest.mark.parametrize("last", [True, False])
def test_a_doubt_keeps_works_apart(other, last):
    before, after = ([PUBLISHED, PREPRINT], [other]) if last else ([other], [PUBLISHED, PREPRINT])
    assert corpus(*before, *after).index.size() == 2


def test_a_short_title_needs_an_author_and_a_year():
    short = Paper("a", "1", "Snowfall", year=2001)
    assert not one_work(short, replace(short, id="2"))
    named = replace(short, authors=(Author("Kim"),))
    assert one_work(named, replace(named, id="2"))
    assert not one_work(named, replace(named, id="2", year=None))
    common = replace(named, title="Editorial")
    assert not one_work(common, replace(common, id="2"))


@pytest.mark.parametrize(
    ("title", "year"),
    [
        ("Graph network for traffic: a survey", 2022),
        ("Graph Networks for <i>Traffic</i> &ndash; A Survey", 2022),
        ("Graph networks for traffic: a survey (extended version)", 2019),
    ],
)
def test_a_title_may_be_written_otherwise_and_a_preprint_years_older(title, year):
    other = replace(PREPRINT, title=title, year=year)
    assert one_work(PUBLISHED, other)
    assert one_work(other, PUBLISHED)


def test_a_retraction_is_kept_whoever_tells_of_it():
    notice = Notice("retraction", "10.1000/roads.9", "2023-01-01")
    assert corpus(BIB, replace(PUBLISHED, notice=notice)).get(names_of(PUBLISHED))[
        "OpenAlex:W1"
    ].notice == notice  # fmt: skip


def test_papers_without_a_title_are_not_kept():
    made = Corpus(MemoryIndex())
    added = made.add([Paper("a", "1", " ... "), BIB], "x")
    assert (added.nameless, added.new) == (1, 1)


def test_long_lists_are_kept_batch_by_batch():
    said = []
    made = Corpus(MemoryIndex())
    papers = [Paper("a", str(i), f"The work of number {i}") for i in range(600)]
    added = made.add(papers, "x", lambda done, total: said.append((done, total)))
    assert (added.new, added.embedded, said) == (600, 600, [(256, 600), (512, 600), (600, 600)])


PAPERS = st.builds(
    Paper,
    source=st.sampled_from("ab"),
    id=st.sampled_from("123"),
    title=st.sampled_from(
        ["A study of how snow falls", "How snow falls: a study", "How the snow was made to fall"]
    ),
    authors=st.sampled_from([(), (Author("Kim"),), (Author("Oh"),)]),
    year=st.sampled_from([None, 2001, 2002, 2005]),
    doi=st.sampled_from(["", "10.1/a", "10.1/b", "10.48550/arxiv.1"]),
    arxiv=st.sampled_from(["", "2101.00001"]),
    abstract=st.sampled_from(["", "Snow falls.", "Snow falls slowly."]),
    venue=st.sampled_from(["", "arXiv", "Snow"]),
    cited_by=st.sampled_from([None, 3, 4]),
    notice=st.sampled_from([None, Notice("retraction"), Notice("withdrawal")]),
    open_text=st.sampled_from(["", "https://a.org/1"]),
    licence=st.sampled_from(["", "cc0"]),
)


@settings(max_examples=300)
@given(st.lists(PAPERS, max_size=8))
def test_no_two_works_share_a_name_and_adding_again_changes_nothing(papers):
    made = corpus(*papers)
    names = [name for held in made.index.all() for name in held.names]
    assert len(names) == len(set(names))
    before = sorted(made.index.all(), key=lambda held: held.names)
    added = made.add(papers, "test")
    assert sorted(made.index.all(), key=lambda held: held.names) == before
    assert added.new == added.more == 0


@given(PAPERS, PAPERS)
def test_being_one_work_is_mutual(one, other):
    assert one_work(one, other) == one_work(other, one)


@given(PAPERS, PAPERS)
def test_joining_loses_no_abstract_and_no_name(one, other):
    a, b = (Held(paper, names_of(paper), (paper.source,)) for paper in (one, other))
    whole = joined(a, [b])
    assert set(a.names + b.names) <= set(whole.names)
    assert len(whole.paper.abstract) == max(len(one.abstract), len(other.abstract))
    assert whole.names[0] == whole.paper.identity


@pytest.mark.parametrize(
    ("title", "key"),
    [("Über die Brücke: I/O", "uberdiebruckeio"), ("  ", ""), ("ＦＵＬＬ width", "fullwidth")],
)
def test_the_key_of_a_title(title, key):
    assert title_key(title) == key


def test_a_search_fuses_words_and_meaning():
    made = corpus(PUBLISHED, Paper("a", "2", "Coral reefs", abstract="Reefs bleach in warm seas."))
    assert [paper.id for paper in made.search("graph networks for traffic", 5)] == ["W1"]
    assert made.search("graph", 0) == made.search("  ", 5) == ()
    assert len(made.search("graph networks bleach", 1)) == 1
    assert made.name == "corpus"


def test_an_index_that_is_not_there_is_silent():
    class Broken(MemoryIndex):
        def nearest(self, text, most):
            raise NoIndex("unreachable")

    assert Corpus(Broken()).search("snow", 3) == Silent("corpus", "unreachable")
