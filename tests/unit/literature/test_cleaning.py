"""Plain text out of what services give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.cleaning import abstract_of, cut, plain

FORMULA = (
    '<mml:math xmlns:mml="x"><mml:msub><mml:mi>H</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math>'
)
TWICE = (
    "<math><semantics><mi>x</mi><annotation encoding='tex'>\\mathbf{x}</annotation></semantics>"
    "</math>"
)
PARTS = (
    "<jats:sec><jats:title>Aims</jats:title><jats:p>To fly.</jats:p></jats:sec>"
    "<jats:sec><jats:title>Results:</jats:title><jats:p>We did.</jats:p></jats:sec>"
)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("H<sub>2</sub>O and CO<sub>2</sub>", "H2O and CO2"),
        ("<i>In vivo</i> work &amp; play", "In vivo work & play"),
        ("Wear &amp;amp; tear", "Wear & tear"),
        ("&amp;lt;i&amp;gt;Kites&amp;lt;/i&amp;gt;", "Kites"),
        ("M&uuml;ller&#8217;s law", "Müller’s law"),
        ("line\n  broken\tin   two", "line broken in two"),
        ("hid\u200bden \u202eturned\u2066", "hidden turned"),
        ("if a<b and c>d hold", "if a<b and c>d hold"),
        ("p < 0.05, n > 3", "p < 0.05, n > 3"),
        ('<span class="x" id=y>Kites</span><br/>fly', "Kites fly"),
        ("vector<int> of Foo<Bar>", "vector<int> of Foo<Bar>"),
        ("<!-- no -->Kites <![CDATA[fly]]>", "Kites fly"),
        (f"{FORMULA} rises", "H2 rises"),
        (f"{TWICE} rises", "x rises"),
        ("", ""),
    ],
)
def test_titles_are_read_as_a_reader_sees_them(raw: str, expected: str) -> None:
    assert plain(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>We fly.</jats:p>", "We fly."),
        (PARTS, "Aims: To fly. Results: We did."),
        ("Abstract—We fly.", "Abstract—We fly."),
        ("ABSTRACT: We fly.", "We fly."),
        (r"A \emph{gain} of 5\% in $x$", "A gain of 5% in x"),
        ("No abstract available.", ""),
        ("N/A", ""),
        ("We fly far and long, and then high and higher. © 2020 Kite Press. All rights reserved.",
         "We fly far and long, and then high and higher."),
    ],
)  # fmt: skip
def test_abstracts_lose_their_heading_and_their_tail(raw: str, expected: str) -> None:
    assert abstract_of(raw) == expected


def test_long_texts_end_at_a_word() -> None:
    assert cut("one two three", 9) == "one two"
    assert cut("one two three", 7) == "one two"
    assert cut("onetwothree", 5) == "onetw"
    assert len(plain("kite " * 10_000)) <= 600


@given(st.text(alphabet="<>/ab&;lt=\"' xp!-[]\n", max_size=200))
def test_whatever_comes_it_is_one_line_and_not_longer(text: str) -> None:
    for cleaned in (plain(text), abstract_of(text)):
        assert "\n" not in cleaned
        assert len(cleaned) <= len(text) + 2 * text.count("<")


@pytest.mark.parametrize("text", ["<" * 90_000, "<p " * 30_000, "<!--" * 20_000, "&lt;" * 20_000,
                                  "<annotation>" * 8_000, "<p a='" * 15_000])  # fmt: skip
def test_hostile_markup_takes_no_long_time(text: str) -> None:
    abstract_of(text)
