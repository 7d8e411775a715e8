import json

from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.collection import Collection
from reviser.literature.exported import of_bib, of_csl, of_ris
from reviser.literature.own_texts import owners
from reviser.literature.sources import Wanted

LINES = st.lists(
    st.one_of(
        st.text(max_size=30),
        st.builds(
            "{}  - {}".format,
            st.sampled_from(["TY", "TI", "AU", "PY", "DO", "ER", "AB", "UR", "T2"]),
            st.text(max_size=30),
        ),
    ),
    max_size=20,
).map("\n".join)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                [
                    "title",
                    "author",
                    "family",
                    "literal",
                    "issued",
                    "date-parts",
                    "DOI",
                    "id",
                    "note",
                    "container-title",
                    "abstract",
                    "type",
                    "items",
                ]
            ),
            inner,
            max_size=6,
        ),
    ),
    max_leaves=20,
)


def sound(papers):
    for paper in papers:
        assert paper.title
        assert paper.source == "mine"
        assert paper.year is None or 1500 <= paper.year < 2100
        assert "\n" not in paper.title + paper.abstract
    shelf = Collection("mine", papers)
    for paper in papers:
        wanted = Wanted("k", paper.title, doi=paper.doi, arxiv=paper.arxiv)
        if paper.doi or paper.arxiv:
            assert paper in shelf.by_id([wanted])[0]
        assert len(shelf.by_title([wanted])[0]) <= 5


@given(LINES)
def test_any_ris_is_read(text):
    sound(of_ris(text, "mine"))


@given(st.text(max_size=200))
def test_any_bibtex_is_read(text):
    sound(of_bib(text, "mine"))
    sound(of_bib(f"@article{{k, title = {{{text}}}, author = {{{text}}}}}", "mine"))


@given(JSON)
def test_any_json_is_read_or_refused(data):
    read = of_csl(json.dumps(data), "mine")
    if not isinstance(read, str):
        sound(read)


@given(
    st.dictionaries(st.text(max_size=8), st.text(max_size=200), max_size=4), st.text(max_size=40)
)
def test_no_text_is_two_works(texts, title):
    wanted = [Wanted("a", title, ("Behrens",)), Wanted("b", title + " x", ("Behrens",))]
    found = owners(texts, wanted)
    assert len(set(found.values())) == len(found)
    assert set(found.values()) <= texts.keys()
