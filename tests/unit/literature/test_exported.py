import json

import pytest

from reviser.literature.collection import Collection
from reviser.literature.exported import of_bib, of_csl, of_ris
from reviser.literature.own_texts import owners
from reviser.literature.paper import Author
from reviser.literature.resolve import Resolved, resolve
from reviser.literature.sources import Wanted
from tests.benchmarks.matching import InTurn

ABSTRACT = "Sea level in the German Bight rises by three millimetres a year, tide gauges say. " * 2
BIB = (
    r"""@article{b20, author = {Behrens, Anna and {Tide Group}}, title = {Sea level in the
{German} Bight}, year = 2020, journal = {J. Tides}, doi = {10.1000/TIDE}, abstract = {ABSTRACT}}
@comment{x} @misc{empty, author = {A}}"""
).replace("ABSTRACT", ABSTRACT)
RIS = f"""TY  - JOUR
AU  - Behrens, Anna
AU  - Okafor, Chidi, Jr.
TI  - Sea level in the
  German Bight
PY  - 2020/03/01/
JO  - J. Tides
VL  - 12
SP  - 1
EP  - 9
DO  - https://doi.org/10.1000/TIDE
AB  - {ABSTRACT}
ER  -
TY  - CONF
TI  - Without an end
UR  - https://arxiv.org/abs/2001.00001v2
TY  - THES
T1  - Last record
AU  - World Health Organization
"""
CSL = [
    {
        "id": "behrens",
        "type": "article-journal",
        "title": "Sea level in the <i>German Bight</i>",
        "author": [
            {"family": "Berg", "given": "Anna", "non-dropping-particle": "van den"},
            {"literal": "Tide Group"},
        ],
        "issued": {"date-parts": [[2020, 3, 1]]},
        "container-title": ["J. Tides"],
        "DOI": "10.1000/TIDE",
        "abstract": f"<jats:p>{ABSTRACT}</jats:p>",
        "page": "1-9",
    },
    {"type": "article", "title": "A preprint", "note": "arXiv: 2001.00001 [cs]", "issued": "2020"},
    {"type": "book"},
]


def test_bibtex():
    (paper,) = of_bib(BIB, "mine.bib")
    assert (paper.source, paper.id, paper.doi, paper.year) == (
        "mine.bib",
        "b20",
        "10.1000/tide",
        2020,
    )
    assert paper.title == "Sea level in the German Bight"
    assert paper.authors == (Author("Behrens", "Anna"), Author("Tide Group"))
    assert paper.abstract == ABSTRACT.strip()
    assert paper.kind == "article"


def test_ris_with_what_is_missing_in_it():
    first, second, third = of_ris(RIS, "mine.ris")
    assert first.title == "Sea level in the German Bight"
    assert first.authors == (Author("Behrens", "Anna"), Author("Okafor", "Chidi"))
    assert (first.year, first.venue, first.doi) == (2020, "J. Tides", "10.1000/tide")
    assert (first.volume, first.pages, first.kind) == ("12", "1--9", "article")
    assert first.abstract == ABSTRACT.strip()
    assert (second.title, second.arxiv) == ("Without an end", "2001.00001")
    assert (third.title, third.kind) == ("Last record", "phdthesis")
    assert third.authors == (Author("World Health Organization"),)


@pytest.mark.parametrize("text", ["", "AB  - lost", "TY  - JOUR\n text behind\n", "\ufeffTY  -"])
def test_ris_that_holds_nothing(text):
    assert of_ris(text, "a.ris") == ()


@pytest.mark.parametrize("data", [CSL, {"items": CSL}])
def test_csl(data):
    first, second = of_csl(json.dumps(data), "mine.json")
    assert first.title == "Sea level in the German Bight"
    assert first.authors == (Author("van den Berg", "Anna"), Author("Tide Group"))
    assert (first.year, first.venue, first.doi) == (2020, "J. Tides", "10.1000/tide")
    assert first.abstract == ABSTRACT.strip()
    assert (second.arxiv, second.year, second.id) == ("2001.00001", 2020, "2")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "not JSON"),
        ("[" * 200_000, "not JSON"),
        ('{"a": 1}', "not CSL-JSON: no list of works"),
        ("[1]", "not CSL-JSON: no list of works"),
    ],
)
def test_json_that_is_no_export(text, why):
    assert of_csl(text, "a.json") == why


@pytest.mark.parametrize(
    "item",
    [
        {"title": 3, "author": "x", "issued": 4, "DOI": None},
        {"title": "T", "author": [1, {}], "issued": {"date-parts": [[]]}, "container-title": []},
        {"title": ["T"], "abstract": {"a": 1}, "id": {"x": 2}},
    ],
)
def test_items_of_any_shape_are_read(item):
    (paper,) = of_csl(json.dumps([item]), "a.json")
    assert paper.title in ("3", "T")


def test_a_collection_is_a_source_that_entries_are_resolved_in():
    shelf = Collection("mine.ris", of_ris(RIS, "mine.ris"))
    asked = [
        Wanted(
            "a", doi="10.1000/tide", title="Sea level in the German Bight", authors=("Behrens",)
        ),
        Wanted("b", title="Sea level in the german bight", authors=("Behrens",), year=2020),
        Wanted("c", title="Waves in the German Bight", authors=("Behrens",), year=2020),
    ]
    first, second, third = resolve(asked, [], InTurn(), own=[shelf])
    assert isinstance(first, Resolved)
    assert isinstance(second, Resolved)
    assert (first.how, second.how, second.source_of("abstract")) == ("DOI", "title", "mine.ris")
    assert third.why == "not found in mine.ris"
    assert shelf.search("bight", 0) == ()


TIDES = Wanted("b20", "Sea level in the German Bight", ("Behrens",), 2020, doi="10.1000/tide")
LONGER = Wanted("b21", "Sea level in the German Bight and beyond", ("Behrens",), 2021)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Sea Level in the\nGerman Bight\n\nAnna Behrens1,2, Chidi Okafor2", "b20"),
        ("Sea Level in the\nGerman Bight\n\nAnna Behrens, Chidi Okafor", "b20"),
        ("J. Tides 12\nSEA LEVEL IN THE GER-\nMAN BIGHT\nA. BEHRENS", "b20"),
        ("Sea level in the German Bight and beyond\nA. Behrens", "b21"),
        ("Sea level in the German Bight\nhttps://doi.org/10.1000/tide", "b20"),
        ("Sea level in the German Bight\nhttps://doi.org/10.1000/other by Cohen", ""),
        ("Comment on: Sea level in the German Bight\nA. Cohen on Behrens", ""),
        ("Sea level in the German Bight: supplementary material\nA. Behrens", ""),
        ("Sea level in the German Bight II\nA. Behrens", ""),
        ("Waves\n" + "text " * 400 + "Sea level in the German Bight, Behrens", ""),
        ("", ""),
    ],
)
def test_whose_text_it_is(text, key):
    found = owners({"file.pdf": text}, [TIDES, LONGER, Wanted("s", "Tides", ("Behrens",))])
    assert found == ({key: "file.pdf"} if key else {})
