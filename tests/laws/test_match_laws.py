import html

from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.match import match, standing
from reviser.literature.names import agree, surnames
from reviser.literature.paper import Author, Paper
from reviser.literature.sources import Wanted
from reviser.literature.titles import likeness

TITLES = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            [
                "graph",
                "minors",
                "II",
                ":",
                "part",
                "a",
                "the",
                "of",
                "not",
                "3",
                "2019",
                "deep",
                "learning",
                "—",
                "review",
                "$\\beta$",
                "{DNA}",
                "<i>x</i>",
                "&amp;",
                "erratum",
                "colour",
                "naïve",
                "C++",
                "A*",
                "Müller",
            ]
        ),
        max_size=12,
    ).map(" ".join),
)
WORDS = ["tide", "gauge", "storm", "surge", "level", "basin", "wind", "wave", "final"]
NAMES = st.lists(st.text(min_size=1, max_size=12), max_size=3)
YEARS = st.one_of(st.none(), st.integers(1900, 2030))
KINDS = st.sampled_from(["", "article", "book", "phdthesis", "misc"])


@st.composite
def works(draw):
    return draw(TITLES), draw(NAMES), draw(YEARS), draw(KINDS)


def asked(work):
    title, names, year, kind = work
    return Wanted("k", title, tuple(names), year, kind=kind)


def told(work):
    title, names, year, kind = work
    return Paper("A", "1", title, tuple(Author(n) for n in names), year, kind=kind)


@given(works(), works())
def test_who_asks_and_who_answers_makes_no_difference(one, other):
    assert likeness(one[0], other[0]) == likeness(other[0], one[0])
    there, back = match(asked(one), told(other)), match(asked(other), told(one))
    assert there.accepted == back.accepted
    assert there.figures == back.figures


@given(works(), works())
def test_nothing_is_raised(one, other):
    found = match(asked(one), told(other))
    assert found.why
    assert 0 <= found.figures.title <= 1
    standing(asked(one), told(other))


@given(st.lists(st.sampled_from(WORDS), min_size=4, unique=True))
def test_case_and_markup_make_no_difference(words):
    plain = " ".join(words)
    noisy = (
        plain.upper(),
        plain.title() + ".",
        " ".join(f"{{{w.capitalize()}}}" for w in words),
        " ".join(f"<i>{w}</i>" for w in words),
        plain.replace(" ", "-"),
        html.escape(f"“{plain}”"),
        plain.replace("fi", "ﬁ"),
    )
    for title in noisy:
        found = match(
            asked((plain, ["Behrens"], 2020, "article")),
            told((title, ["BEHRENS"], 2020, "article")),
        )
        assert found.accepted, (title, found.why)


@given(works())
def test_an_accepted_work_is_accepted_with_more_markup(work):
    title, names, year, kind = work
    marked = (f"{{{title}}}" if title.count("{") == title.count("}") else title, names, year, kind)
    if not set("\\${}<&") & set(title):
        assert match(asked(work), told(work)).accepted == match(asked(marked), told(work)).accepted


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=20))
def test_names_are_read_whatever_they_are(one, other, given_name):
    surnames(one)
    agree(one, other, given_name)
    assert agree(one, other) == agree(other, one)
