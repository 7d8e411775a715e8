"""Near-duplicates become one, in any order, and once is enough."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.findings import Severity
from reviser.review.merging import merged, ranked
from reviser.review.model import PRESETS, Action, Dimension, Point, Remedy
from reviser.text.source import Place, Span
from tests.unit.review.small_review import manuscript, point

PAPER = manuscript()
ONE = "Motors are cheap now."
OTHER = "Drives are cheap too, and they are sold in every shop."
FAR = "Drives lose less than valves in all but two of the rigs."


class Words:
    """Two messages are as alike as they share words: a stand-in for the embedded model."""

    name = "words"

    def __init__(self) -> None:
        self.asked = 0

    def similarities(self, rows, columns):
        self.asked += 1

        def alike(one: str, other: str) -> float:
            a, b = set(one.lower().split()), set(other.lower().split())
            return len(a & b) / max(1, len(a | b))

        return [[alike(row, column) for column in columns] for row in rows]


def test_two_that_say_the_same_of_the_same_lines_are_one_that_says_both():
    one = point(PAPER, ONE, message="Say who sells the motors here", needs="a price list")
    other = point(
        PAPER,
        OTHER,
        message="Say who sells the motors",
        severity=Severity.WARNING,
        rule="review-synthesis",
        needs="a shop",
    )
    (both,) = merged([one, other], Words())
    assert both == replace(
        other,
        message="Say who sells the motors It was also said: Say who sells the motors here",
        needs="a shop; a price list",
    )


def test_what_is_alike_but_stands_elsewhere_stays_apart():
    here, there = (
        point(PAPER, ONE, message="Give the year"),
        point(PAPER, FAR, message="Give the year"),
    )
    assert merged([here, there], Words()) == (here, there)


@pytest.mark.parametrize(
    ("words", "shared", "count"),
    [
        ("move water in every house", 7, 1),  # of the same words: 7 of 11 are enough
        ("move water in every house", 6, 2),
        ("They were studied", 7, 2),  # on the same line: 7 of 11 are not
        ("They were studied", 8, 1),
        (ONE, 8, 2),  # in the same section
        (ONE, 9, 1),
        (FAR, 9, 2),
    ],
)
def test_the_closer_they_stand_the_less_alike_they_need_to_be(words, shared, count):
    letters = "abcdefghi"
    first = point(PAPER, "Pumps move water", message=" ".join(letters))
    other = " ".join([*letters[:shared], *"xyz"[: 9 - shared]])
    assert len(merged([first, point(PAPER, words, message=other)], Words())) == count


def test_a_point_that_repeats_a_finding_goes_into_it_and_findings_stay_apart():
    finding = point(
        PAPER, ONE, rule="citation-silent", message="the work does not say so",
        action=Action.REWRITE_CLAIM,
    )  # fmt: skip
    second = replace(finding, id="other", message="the work does not say so either")
    review = point(PAPER, OTHER, message="the work does not say so", severity=Severity.WARNING)
    found = merged([review, second, finding], Words())
    assert {p.id for p in found} == {finding.id, "other"}
    (joined,) = (p for p in found if p.severity is Severity.WARNING)
    assert joined.rule == "citation-silent"
    assert joined.action is Action.REWRITE_CLAIM
    assert merged([finding, second], Words()) == tuple(
        sorted([finding, second], key=lambda p: p.id)
    )


def test_a_chain_of_likenesses_does_not_join_its_ends():
    words = list("abcdefghijklm")
    chain = [
        point(PAPER, text, message=" ".join(words[n : n + 9]))
        for n, text in enumerate([ONE, "Drives are cheap too", "they are sold", "every shop"])
    ]
    # Each is alike with its neighbour (8 of 10 words), and less so with the next.
    assert len(merged(chain, Words())) == 2


def test_one_that_an_edit_can_mend_stays_among_equals():
    author = point(PAPER, ONE, message="the same", action=None)
    tool = point(PAPER, OTHER, message="the same")
    assert merged([author, tool], Words())[0].remedy is Remedy.TOOL


def test_nobody_compares_what_cannot_be_one():
    words = Words()
    assert merged([point(PAPER, ONE), point(PAPER, FAR)], words)
    assert merged([], words) == ()
    assert words.asked == 0


PLACES = st.integers(0, 5).map(lambda n: Place(f"{n % 2}.tex", Span(n * 10, n * 10 + 9)))
POINTS = st.lists(
    st.builds(
        Point,
        id=st.text("0123456789abcdef", min_size=4, max_size=4),
        rule=st.sampled_from(["review-coverage", "review-structure", "citation-silent"]),
        message=st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6).map(" ".join),
        quote=st.just("words"),
        place=PLACES,
        section=st.integers(0, 1),
        lines=st.integers(1, 3).map(lambda n: (n, n + 1)),
        dimension=st.sampled_from(Dimension),
        severity=st.sampled_from(Severity),
        remedy=st.just(Remedy.TOOL),
        action=st.sampled_from([None, Action.REWRITE_SENTENCE]),
        needs=st.sampled_from(["", "x", "y"]),
    ),
    max_size=9,
    unique_by=lambda p: p.id,
)


@settings(max_examples=300, deadline=None)
@given(POINTS, st.randoms(use_true_random=False))
def test_merging_knows_no_order_and_is_done_once(points, dice):
    once = merged(points, Words())
    shuffled = list(points)
    dice.shuffle(shuffled)
    assert merged(shuffled, Words()) == once
    assert merged(once, Words()) == once
    assert merged(list(reversed(once)), Words()) == once
    assert {p.id for p in once} <= {p.id for p in points}
    worst = min((p.severity.rank for p in points), default=None)
    assert min((p.severity.rank for p in once), default=None) == worst
    findings = [p for p in dict.fromkeys(points) if p.rule == "citation-silent"]
    assert len([p for p in once if p.rule == "citation-silent"]) == len(findings)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_work(seed):
    finding = point(PAPER, FAR, rule="citation-silent", id="finding")
    note = point(PAPER, ONE, id="note")
    warning = point(PAPER, OTHER, id="warning", severity=Severity.WARNING)
    synthesis = point(PAPER, ONE, id="synthesis", dimension=Dimension.SYNTHESIS)
    points = [finding, note, warning, synthesis]
    random.Random(seed).shuffle(points)  # noqa: S311 - an order, no secret
    assert [p.id for p in ranked(points)] == ["warning", "finding", "note", "synthesis"]
    # In reading order, whatever the files are called.
    first = replace(note, id="first", place=replace(note.place, path="z.tex"), section=0)
    assert [p.id for p in ranked([note, first])] == ["first", "note"]
    mature = [p.id for p in ranked(points, PRESETS["mature"])]
    assert mature == ["warning", "finding", "synthesis", "note"]
