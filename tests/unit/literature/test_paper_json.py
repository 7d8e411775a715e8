"""Papers as JSON: what is written comes back, and nothing else does."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.index import Held
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.paper_json import held_json, held_of, paper_json, paper_of

TEXTS = st.text(max_size=8)
PAPERS = st.builds(
    Paper,
    source=TEXTS, id=TEXTS, title=TEXTS,
    authors=st.lists(st.builds(Author, TEXTS, TEXTS), max_size=2).map(tuple),
    year=st.none() | st.integers(1500, 2100), cited_by=st.none() | st.integers(0, 9),
    venue=TEXTS, doi=TEXTS, abstract=TEXTS, cites=st.lists(TEXTS, max_size=2).map(tuple),
    notice=st.none() | st.builds(Notice, TEXTS, TEXTS, TEXTS), licence=TEXTS, url=TEXTS,
)  # fmt: skip


@given(PAPERS)
def test_a_paper_comes_back_as_it_was(paper):
    assert paper_of(json.loads(json.dumps(paper_json(paper)))) == paper


@given(PAPERS, st.lists(TEXTS, min_size=1, max_size=3).map(tuple))
def test_a_work_of_the_corpus_comes_back_too(paper, names):
    held = Held(paper, names, names[:1])
    assert held_of(json.loads(json.dumps(held_json(held)))) == held


def test_what_is_unknown_is_left_out():
    assert paper_json(Paper("a", "1", "Snow", year=2020)) == {
        "source": "a", "id": "1", "title": "Snow", "year": 2020,
    }  # fmt: skip


GOOD = {"source": "a", "id": "1", "title": "Snow"}


@pytest.mark.parametrize(
    "data",
    [
        None, [], "x", {}, {"source": "a"}, GOOD | {"title": 3}, GOOD | {"year": "2020"},
        GOOD | {"year": True}, GOOD | {"authors": "Kim"}, GOOD | {"authors": ["Kim"]},
        GOOD | {"authors": [{"family": 1}]}, GOOD | {"cites": "x"}, GOOD | {"cites": [1]},
        GOOD | {"notice": "gone"}, GOOD | {"notice": {"kind": 1}}, GOOD | {"abstract": None},
    ],
)  # fmt: skip
def test_other_things_are_no_papers(data):
    assert paper_of(data) is None
    assert held_of(data) is None


def test_a_work_needs_a_name():
    assert held_of(GOOD) is None
    assert held_of(GOOD | {"names": []}) is None
    assert held_of(GOOD | {"names": ["a:1"]}) is not None
