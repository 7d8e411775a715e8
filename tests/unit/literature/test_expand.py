"""Keyword expansion: Algorithm 1 step by step, its limits, its ends, and going on where it was."""

import math
import struct
from dataclasses import dataclass, field, replace

import pytest

from reviser.adapters.clusters import SphericalKMeans
from reviser.literature.expand import (
    ENOUGH,
    NO_KEYWORD,
    NOBODY,
    NOTHING_NEW,
    SEARCHES,
    TIME,
    Limits,
    Means,
    begin,
    chosen_first,
    expand,
)
from reviser.literature.naming import Phrases
from reviser.literature.paper import Paper
from reviser.literature.sources import Silent
from reviser.verify.words import STOPWORDS
from tests.fakes.roles import OneByOne
from tests.fakes.vectors import WordVectors

FIELDS = {
    "graph networks": ("attention", "pooling", "message passing"),
    "graph networks attention": ("sparse attention", "transformer"),
    "graph networks pooling": ("coarsening", "readout"),
}


def papers(keyword, count=6):
    subjects = FIELDS.get(keyword, ("detail",))
    return tuple(
        Paper("s", f"{keyword} {n}", f"{subjects[n % len(subjects)]} in study {keyword} {n}",
              abstract=f"Something on {subjects[n % len(subjects)]} and {keyword}.")
        for n in range(count)
    )  # fmt: skip


@dataclass
class Library:
    """Has papers for what it is asked, unless told otherwise."""

    answers: dict = field(default_factory=dict)
    name: str = "Library"
    asked: list = field(default_factory=list)

    def search(self, query, most):
        self.asked.append(query)
        return self.answers[query] if query in self.answers else papers(query)[:most]


@dataclass
class Numbers:
    """A namer with a list of names, one group after the other."""

    given: list
    seen: list = field(default_factory=list)

    def names(self, groups, topic, taken):
        self.seen.append((len(groups), tuple(taken)))
        return [self.given.pop(0) if self.given else "" for _ in groups]


def means(*sources, namer=None, seconds=lambda: 0.0, clusters=None):
    vectors = WordVectors()
    kept, recorded = [], []
    return Means(
        sources or (Library(),), vectors, clusters or SphericalKMeans(vectors),
        namer or Phrases(STOPWORDS), OneByOne(), seconds,
        lambda found, via: kept.append((via, len(found))), recorded.append,
    ), kept, recorded  # fmt: skip


def test_each_keyword_is_searched_once_and_each_step_is_recorded():
    library = Library()
    with_, kept, recorded = means(library)
    found = expand(begin("graph networks"), (), Limits(documents=20), with_)
    assert found.stopped == ENOUGH
    assert len(found.names) >= 20
    assert library.asked == [step.keyword for step in found.steps]
    assert library.asked[0] == "graph networks"
    assert len(set(library.asked)) == len(library.asked)
    assert found.pool[: len(library.asked)] == tuple(library.asked)
    for step in found.steps[:-1]:
        assert step.chosen == step.candidates[0].keyword
        assert step.chosen in found.pool
    assert [via for via, _ in kept] == [f"search: {keyword}" for keyword in library.asked]
    assert recorded[-1] == found


def test_there_is_one_group_more_than_keywords():
    namer = Numbers(["alpha one", "beta two", "gamma three", "delta four", "eps five"])
    with_, *_ = means(namer=namer)
    expand(begin("graph networks"), (), Limits(searches=3), with_)
    assert [groups for groups, _ in namer.seen[:2]] == [2, 3]
    assert namer.seen[0][1] == ("graph networks",)


@pytest.mark.parametrize(
    ("limits", "stopped", "searches"),
    [(Limits(searches=2), SEARCHES, 2), (Limits(documents=6), ENOUGH, 1),
     (Limits(seconds=0.0), TIME, 0)],
)  # fmt: skip
def test_it_keeps_to_its_limits(limits, stopped, searches):
    library = Library()
    with_, *_ = means(library)
    assert expand(begin("graph networks"), (), limits, with_).stopped == stopped
    assert len(library.asked) == searches


def test_no_more_questions_than_allowed_whatever_the_number_of_sources():
    many = [Library(name=f"L{n}") for n in range(4)]
    with_, *_ = means(*many)
    expand(begin("graph networks"), (), Limits(searches=6), with_)
    assert sum(len(one.asked) for one in many) == 6


def test_it_ends_when_nothing_new_is_found():
    class Same(Library):
        def search(self, query, most):
            super().search(query, most)
            return papers("graph networks")

    library = Same()
    with_, *_ = means(library)
    assert expand(begin("graph networks"), (), Limits(), with_).stopped == NOTHING_NEW
    assert len(library.asked) == 3


def test_it_ends_when_no_keyword_is_left():
    with_, *_ = means(namer=Numbers(["graph networks", "Graph-Networks"]))
    found = expand(begin("graph networks"), (), Limits(), with_)
    assert found.stopped == NO_KEYWORD
    assert found.steps[0].candidates == ()


def test_a_silent_source_is_said_and_the_others_go_on():
    silent = Library({"graph networks": Silent("Down", "unreachable")}, name="Down")
    with_, *_ = means(silent, Library())
    (step, *_) = expand(begin("graph networks"), (), Limits(searches=2), with_).steps
    assert (step.silent, step.found) == (("Down unreachable",), (("Library", 6),))


def test_it_ends_when_nobody_answers_and_asks_the_same_again_later():
    dead = Library({"graph networks": Silent("Library", "unreachable")})
    with_, *_ = means(dead)
    stopped = expand(begin("graph networks"), (), Limits(), with_)
    assert (stopped.stopped, stopped.unsearched) == (NOBODY, "graph networks")
    dead.answers = {}
    again = expand(stopped, (), Limits(documents=6), with_)
    assert (again.stopped, len(again.names)) == (ENOUGH, 6)


def test_it_goes_on_where_it_was():
    library = Library()
    with_, *_ = means(library)
    whole = expand(begin("graph networks"), (), Limits(searches=4), with_)
    other = Library()
    with_, *_ = means(other)
    first = expand(begin("graph networks"), (), Limits(searches=2), with_)
    known = [p for step in first.steps for p in papers(step.keyword)]
    second = expand(first, known, Limits(searches=2), with_)
    assert other.asked == library.asked
    assert (second.pool, second.names) == (whole.pool, whole.names)


def test_an_interruption_loses_no_papers_and_no_keyword():
    class Interrupted(SphericalKMeans):
        def of(self, texts, count):
            raise KeyboardInterrupt

    with_, kept, recorded = means(clusters=Interrupted(WordVectors()))
    with pytest.raises(KeyboardInterrupt):
        expand(begin("graph networks"), (), Limits(), with_)
    assert kept == [("search: graph networks", 6)]
    assert len(recorded[-1].names) == 6
    with_, *_ = means()
    again = expand(recorded[-1], papers("graph networks"), Limits(searches=3), with_)
    assert len(again.steps) > 1
    assert again.stopped != NO_KEYWORD


def test_one_work_of_two_sources_counts_once():
    with_, *_ = means(Library(), Library(name="Other"))
    found = expand(begin("graph networks"), (), Limits(searches=2), with_)
    assert found.steps[0].total == 6


def test_keywords_of_ones_own_are_searched_first():
    library = Library()
    with_, *_ = means(library)
    expand(begin("traffic", ["road graphs", "flow models"]), (), Limits(searches=3), with_)
    assert library.asked[:2] == ["road graphs", "flow models"]


class Table:
    """Vectors that have the cosines a test wants."""

    identity, size = "table", 2

    def __init__(self, angles):
        self.angles = angles

    def vectors(self, texts, told=None):
        return [
            struct.pack("<2f", math.cos(self.angles[text]), math.sin(self.angles[text]))
            for text in texts
        ]


def test_equations_1_to_3():
    # near: almost the same as the keyword; mid: between; far: at a right angle to all.
    table = Table({"topic": 0.0, "k": 0.2, "near": 0.25, "mid": 0.7, "far": 1.5})
    ranked = chosen_first(["near", "mid", "far"], ["k"], "topic", table)
    by = {one.keyword: one for one in ranked}
    assert [by[k].near_rank for k in ("near", "mid", "far")] == [1, 2, 3]
    assert [by[k].far_rank for k in ("near", "mid", "far")] == [3, 2, 1]
    assert by["mid"].mean == pytest.approx((math.cos(0.5) + 2 * math.cos(0.7)) / 3, abs=1e-6)
    assert by["mid"].most == pytest.approx(math.cos(0.5), abs=1e-6)
    # All sums are 4: the nearest is taken.
    assert ranked[0].keyword == "near"


def test_a_topic_in_the_pool_counts_twice_and_not_three_times():
    table = Table({"topic": 0.0, "k": 0.5, "new": 1.0})
    (found,) = chosen_first(["new"], ["topic", "k"], "topic", table)
    assert found.mean == pytest.approx((2 * math.cos(1.0) + math.cos(0.5)) / 3, abs=1e-6)
    assert found.most == pytest.approx(math.cos(0.5), abs=1e-6)


def test_what_is_near_the_topic_and_new_beats_what_is_only_one_of_them():
    table = Table({"topic": 0.0, "k": 1.2, "same": 1.1, "aside": -0.3, "off": 2.6})
    ranked = chosen_first(["same", "off", "aside"], ["k"], "topic", table)
    assert [one.keyword for one in ranked] == ["aside", "same", "off"]
    assert (ranked[0].near_rank, ranked[0].far_rank) == (1, 1)


def test_no_keywords_no_choice():
    assert chosen_first([], ["k"], "topic", WordVectors()) == ()


def test_a_new_topic():
    assert begin("a").pool == ("a",)
    assert begin("a", ["b", "b"]).pool == ("b",)
    assert replace(begin("a"), pool=("a", "b")).unsearched == "a"
