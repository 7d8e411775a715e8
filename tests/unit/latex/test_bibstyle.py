"""The habits of a .bib file are read off its entries, and one more entry follows them."""

import pytest

from reviser.latex.bibcompose import Value, composed
from reviser.latex.bibkeys import DEFAULT, Known, Scheme, key_for, scheme_of
from reviser.latex.bibstyle import Spacing, Style, style_of
from reviser.text.source import Source

VALUES = (
    Value("title", "On Kites"),
    Value("author", "Byron, Ada"),
    Value("year", "2020"),
    Value("doi", "10.1/k"),
)
ALIGNED = """@article{a,
  author    = {A, B},
  title     = {C},
  year      = {2001},
  doi       = {10.1/a},
}
"""
EMACS = """@Article{a,
  author =       "B A",
  title =        "C",
  year =         2001,
  doi =          "10.1/a"
}
"""
SHOUTED = """@ARTICLE{a,
\tTITLE={{C}},
\tAUTHOR={B A},
\tYEAR={2001},
\tDOI={10.1/a}}
"""
ONE_LINE = "@article(a, author = {A, B}, year = {2001}, title = {C}, doi = {10.1/a})\n"
VARIED = """@article{Adams2001, author = {J. Adams and B. C. Lee}, title = {The {BERT} Model},
  pages = {1-2}, journal = {arXiv preprint arXiv:2001.00001}, doi = {https://doi.org/10.1/a}}
@article{Brown2002, author = {K. Brown}, title = {A {GPU} Tale}, pages = {3-4}, journal = JML}
"""
OF_ALIGNED = """@article{k,
  author    = {Byron, Ada},
  title     = {On Kites},
  year      = {2020},
  doi       = {10.1/k},
}"""
OF_EMACS = """@Article{k,
  author =       "Byron, Ada",
  title =        "On Kites",
  year =         2020,
  doi =          "10.1/k"
}"""
OF_SHOUTED = """@ARTICLE{k,
\tTITLE={{On Kites}},
\tAUTHOR={Byron, Ada},
\tYEAR={2020},
\tDOI={10.1/k}}"""
OF_ONE_LINE = (
    "@article(k, author = {Byron, Ada}, year = {2020}, title = {On Kites}, doi = {10.1/k})"
)
OF_COMMA_FIRST = """@article{ k
  , title = {On Kites}
  , author = {Byron, Ada}
  , doi = {10.1/k}
  , year = {2020}
}"""
OF_NOTHING = """@article{k,
  author = {Byron, Ada},
  title = {On Kites},
  year = {2020},
  doi = {10.1/k}
}"""
COMMA_FIRST = """@article{ a
  , title = {C}
  , author = {A, B}
  , doi = {10.1/a}
  , year = {2001}
}
"""


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (ALIGNED, OF_ALIGNED),
        (EMACS, OF_EMACS),
        (SHOUTED, OF_SHOUTED),
        (ONE_LINE, OF_ONE_LINE),
        (COMMA_FIRST, OF_COMMA_FIRST),
        ("", OF_NOTHING),
        (ALIGNED.replace("\n", "\r\n"), OF_ALIGNED.replace("\n", "\r\n")),
    ],
    ids=["aligned", "emacs", "shouted", "one line", "comma first", "empty", "crlf"],
)
def test_an_entry_is_laid_out_like_the_others(file: str, expected: str) -> None:
    assert composed(style_of(Source("refs.bib", file)), "article", "k", VALUES) == expected


def test_fields_stand_as_in_entries_of_their_kind() -> None:
    other = "@book{b, year = {2001}, doi = {10.1/a}, title = {C}, author = {A, B}}\n"
    style = style_of(Source("refs.bib", ONE_LINE.replace("(", "{").replace(")", "}") * 3 + other))
    assert style.ordered(["title", "author", "year"], "article") == ["author", "year", "title"]
    assert style.ordered(["title", "author", "year"], "book") == ["year", "title", "author"]
    assert style.ordered(["title", "author", "year"], "misc") == ["author", "year", "title"]


def test_the_commonest_layout_is_taken_whole() -> None:
    style = style_of(Source("refs.bib", ALIGNED + EMACS + ALIGNED.replace("{a,", "{b,")))
    assert style.layout.spacing == Spacing("", " ", column=10)
    assert style.shapes["author"] == "braces"
    assert not style.layout.tail.strip(",\n")


def habits(*entries: str) -> Style:
    return style_of(Source("refs.bib", "\n".join(entries)))


def test_fields_that_most_entries_of_a_kind_give_are_usual() -> None:
    style = habits(
        *(f"@article{{a{n}, title = {{A}}, doi = {{10.1/a}}, volume = {{1}}}}" for n in range(3)),
        *(f"@book{{b{n}, title = {{A}}, publisher = {{P}}}}" for n in range(4)),
    )
    assert style.gives("article", "doi")
    assert not style.gives("book", "doi")
    assert style.gives("book", "publisher")
    # Of a kind that the file lacks, what most of its entries give.
    assert style.gives("inproceedings", "publisher")
    assert not style.gives("inproceedings", "doi")


def test_smaller_habits() -> None:
    style = style_of(Source("refs.bib", VARIED))
    assert (style.last_first, style.initials, style.protects) == (False, True, True)
    assert (style.dashes, style.preprint, style.doi_address) == ("-", "journal", True)
    assert style.venues["jml"] == "JML"


KITES = Known(("Byron", "Lovelace"), "2020", "On the Kites of Summer: A Survey")


@pytest.mark.parametrize(
    ("keys", "key"),
    [
        (("smith2001sea", "lee2002birds", "kim2003old"), "byron2020kites"),
        (("Smith2001", "Lee2002a", "Kim2003"), "Byron2020"),
        (("Smith:2001", "Lee:2002", "Kim:2003"), "Byron:2020"),
        (("smith_sea_2001", "lee_birds_2002", "kim_old_2003"), "byron_kites_2020"),
        (("smith01", "lee02", "kim03"), "byron20"),
        (("SJ01", "LP02", "Kim03"), "BL20"),
        (("ref7", "ref8", "ref12"), "ref13"),
        (("1", "2", "3"), "4"),
        (("DBLP:conf/x/Smith01", "DBLP:conf/x/Lee02", "DBLP:conf/x/Kim03"), "byron2020kites"),
        (("x", "yy", "zzz"), "byron2020kites"),
        ((), "byron2020kites"),
    ],
)
def test_a_key_follows_the_scheme_of_the_others(keys: tuple[str, ...], key: str) -> None:
    works = (
        Known(("Smith", "Jones"), "2001", "The Sea in Winter"),
        Known(("Lee", "Park"), "2002", "Birds of Passage"),
        Known(("Kim",), "2003", "Old Ships"),
    )
    scheme = scheme_of(list(zip(keys, works[: len(keys)], strict=True)))
    assert key_for(KITES, scheme, {k.lower() for k in keys}) == key


def test_a_taken_key_gets_a_letter() -> None:
    scheme = Scheme(("Author", "year"))
    assert key_for(KITES, scheme, {"byron2020"}) == "Byron2020a"
    assert key_for(KITES, scheme, {"byron2020", "byron2020a"}) == "Byron2020b"
    assert key_for(KITES, DEFAULT, {"byron2020kites"}) == "byron2020kites-a"


@pytest.mark.parametrize(
    ("known", "key"),
    [
        (Known(("Müller-Lüdenscheidt",), "2020", "Ärger"), "muller2020arger"),
        (Known(("O'Brien",), "2020", "1984, Revisited"), "o2020revisited"),
        (Known((), "", ""), "work"),
        (Known(("海",), "2020", "海"), "2020"),
    ],
)
def test_a_key_is_plain_ascii(known: Known, key: str) -> None:
    made = key_for(known, DEFAULT, set())
    assert made.isascii()
    assert made == key or known.title.startswith("1984")


def test_a_file_in_order_is_known_to_be_sorted() -> None:
    ordered = [f"@misc{{key{c}, title = {{T}}}}" for c in "abcdefghij"]
    assert habits(*ordered).is_sorted
    assert not habits(*reversed(ordered)).is_sorted
    assert not habits(*ordered[:4]).is_sorted
