"""Sections of a text that came without markup."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.sections import sections_of
from reviser.literature.sources import Section

IEEE = """Kites in Wind
Ada Byron
Abstract—We fly kites in two winds.
I. I NTRODUCTION
Kites are old. We fly them.
II. M ETHODS
We took 12 kites.
A. A thing that looks like a heading
III. R ESULTS
They flew.
R EFERENCES
[1] A. Byron, Kites, 2001.
"""

NUMBERED = """1 Introduction
Kites fly. We say so in
1 of 3 papers.
2 Methods
2.1 Kites
We have kites.
2.3.1 Strings. We tie them with string.
Table 1: Kites
3 4 5
7 Kites
9 Winds
3 Results
3.1 Winds, see Smith et al. 2020
3.2 Flights
They fly.
5 Too far
References
1 Byron A. Kites
2 Methods of winds
A Proofs
Proofs come here.
A.1 More
More proofs.
C Not next
B Tables
Here.
"""


def titles(text: str) -> list[str]:
    return [section.title for section in sections_of(text)]


def test_roman_numbers_and_small_capitals() -> None:
    found = sections_of(IEEE)
    assert [s.title for s in found] == [
        "", "Abstract", "I. INTRODUCTION", "II. METHODS", "III. RESULTS", "REFERENCES",
    ]  # fmt: skip
    assert found[1].text == "We fly kites in two winds."
    assert found[3].text == "We took 12 kites.\nA. A thing that looks like a heading"


def test_only_numbers_that_follow_are_headings() -> None:
    assert titles(NUMBERED) == [
        "1 Introduction", "2.1 Kites", "2.3.1 Strings", "3 Results", "3.2 Flights", "References",
        "A Proofs", "A.1 More", "B Tables",
    ]  # fmt: skip
    texts = {s.title: s.text for s in sections_of(NUMBERED)}
    assert texts["2.3.1 Strings"].startswith("We tie them with string.")
    assert "7 Kites" in texts["2.3.1 Strings"]
    assert texts["A.1 More"] == "More proofs.\nC Not next"


def test_markdown() -> None:
    text = "# Kites\n\nThey fly.\n\n## How *high* ##\nHigh.\n\nWhy\n===\nWind.\n\nNot\n--\nthis.\n"
    assert [s.title for s in sections_of(text)] == ["Kites", "How *high*", "Why"]


def test_names_without_numbers_and_what_looks_like_them() -> None:
    text = "Introduction\nWe fly.\nData\nOf kites.\nresults\nare good.\nConclusions\nFly.\n"
    assert titles(text) == ["Introduction", "Data", "Conclusions"]
    numbered = "1 Introduction\nWe fly.\nData\nOf kites.\nConclusions\nFly.\n"
    assert titles(numbered) == ["1 Introduction", "Conclusions"]


def test_heads_and_numbers_of_pages_are_left_out() -> None:
    pages = "\n\n".join(f"KITES IN WIND\nWe fly kite {n} in the\n{n}\n" for n in range(1, 5))
    (section,) = sections_of(pages)
    assert "KITES" not in section.text
    assert section.text.count("We fly kite") == 4
    assert "\n1\n" not in f"\n{section.text}\n"


def test_a_sentence_goes_on_over_the_end_of_a_page() -> None:
    assert sections_of("It was seen in the\n\nwind that day.")[0].text == (
        "It was seen in the\nwind that day."
    )
    assert "\n\n" in sections_of("It was seen.\n\nThe wind.")[0].text


def test_without_headings_it_is_one_section() -> None:
    assert sections_of("We fly.\nAnd land.") == (Section("", "We fly.\nAnd land."),)
    assert sections_of(" \n\n ") == ()


@given(st.text(alphabet="1. A\nab#=-Introduction", max_size=300))
def test_no_word_of_a_text_is_lost(text: str) -> None:
    found = " ".join(f"{s.title} {s.text}" for s in sections_of(text))
    for word in ("Introduction", "abab"):
        assert found.count(word) <= text.count(word)
    assert all(s.text.strip() for s in sections_of(text))


@pytest.mark.parametrize("text", ["A. " * 100_000, "1 Foo bar\n" * 30_000, "#" * 300_000,
                                  "\n" * 300_000, "1.1 " + "x " * 200_000])  # fmt: skip
def test_hostile_texts_take_no_long_time(text: str) -> None:
    assert len(sections_of(text)) <= 401
