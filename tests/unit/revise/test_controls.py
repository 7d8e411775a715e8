"""Texts made worse by rule."""

import itertools
import re

from reviser.revise.controls import FINER, HOLLOW, Stretch, dressed, padded, shuffled, stripped
from reviser.revise.excerpts import cut, runs, stretch
from tests.unit.revise.judged_paper import long_paper

PAPER = long_paper(2, 4).manuscript
REAL = stretch(PAPER, runs(PAPER, cut(PAPER))[1])


def sentences(text: str) -> list[str]:
    return re.findall(r"In case \d+", text)


def test_shuffling_keeps_every_sentence_and_few_neighbours() -> None:
    text = shuffled(REAL)
    assert text is not None
    before, after = sentences(REAL.text), sentences(text)
    assert sorted(before) == sorted(after)
    together = set(itertools.pairwise(before))
    assert sum(pair in together for pair in itertools.pairwise(after)) <= len(after) / 4
    assert sorted(text) == sorted(REAL.text)


def test_stripping_takes_citations_and_nothing_else() -> None:
    text = stripped(REAL)
    assert text is not None
    assert text == re.sub(r"~\\cite\{\w\}", "", REAL.text)
    assert text != REAL.text


def test_padding_says_nothing_new() -> None:
    text = padded(REAL)
    assert text is not None
    assert len(text) > 1.2 * len(REAL.text)
    assert any(hollow in text for hollow in HOLLOW)
    rest = text
    for hollow in HOLLOW:
        rest = rest.replace(f" {hollow}", "")
    assert set(sentences(rest)) == set(sentences(REAL.text))


def test_finer_words_stand_for_others_and_take_turns() -> None:
    one, other = dressed(REAL), dressed(REAL, 1)
    assert one is not None
    assert one != other
    assert sentences(one) == sentences(REAL.text)
    assert one.count("\\cite") == REAL.text.count("\\cite")
    changed = set(one.split()) - set(REAL.text.split())
    assert changed <= {word for words in FINER.values() for word in words.split()} | {
        f"{word}." for words in FINER.values() for word in words.split()
    }


def test_they_are_the_same_every_time() -> None:
    for make in (shuffled, stripped, padded, dressed):
        assert make(REAL) == make(REAL)


def test_nothing_is_made_of_too_little() -> None:
    little = Stretch("A dog. A cat.", (), ())
    assert [make(little) for make in (shuffled, stripped, padded, dressed)] == [None] * 4
