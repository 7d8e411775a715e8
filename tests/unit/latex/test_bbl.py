import pytest

from reviser.latex.bbl import read_bbl
from reviser.latex.elements import BibEntry
from reviser.text.source import Source


def read(text: str) -> tuple[BibEntry, ...]:
    source = Source("paper.bbl", text)
    entries = read_bbl(source)
    for entry in entries:
        assert source[entry.key_at.span] == entry.key
        for field in entry.fields:
            assert source[field.at.span] == field.raw
    return entries


def around(body: str) -> str:
    return f"\\begin{{thebibliography}}{{9}}\n{body}\n\\end{{thebibliography}}\n"


def test_plain_items_end_where_the_next_begins() -> None:
    text = around("\\bibitem{lee}\nA.~Lee, \\emph{On cats}, 2019.\n\n\\bibitem{ray} B. Ray, 2020.")
    lee, ray = read("Text \\cite{lee}.\n" + text + "After it.")
    assert (lee.kind, lee.key, lee.get("note")) == ("bibitem", "lee", "A. Lee, On cats, 2019.")
    assert ray.get("note") == "B. Ray, 2020."
    assert lee.get("title") == lee.get("year") == ""


def test_natbib_label_gives_the_year_and_blocks_the_title() -> None:
    (entry,) = read(
        around(
            "\\bibitem[{Lee and Ray(2019{\\natexlab{a}})}]{lee2019}\nA.~Lee.\n"
            "\\newblock Of cats\n  and dogs.\n\\newblock \\emph{Pets}, 1999."
        ).replace("{\\natexlab{a}}", "a")
    )
    assert entry.get("title") == "Of cats and dogs"
    assert entry.get("note").startswith("A. Lee. Of cats and dogs. Pets")
    # The year of the label does not stand in the text, so no place could be given for it.
    assert entry.get("year") == ""


def test_revtex_comments_between_label_and_key() -> None:
    (entry,) = read(
        around(
            "\\bibitem [{\\citenamefont {Lee}(2019)}]{lee}%\n  \\BibitemOpen\n"
            "  \\bibfield  {author} {\\bibinfo {author} {A.~Lee},\\ }\\emph {\\bibinfo {title} "
            "{Of cats}} (\\bibinfo {year} {2019})\\BibitemShut {NoStop}%"
        )
    )
    assert (entry.key, entry.get("title"), entry.get("year")) == ("lee", "Of cats", "2019")


def test_brackets_in_braces_do_not_end_the_label() -> None:
    (entry,) = read(around("\\bibitem[{[a] b}]{k} ``A title of some words,'' in X (2001)."))
    assert (entry.key, entry.get("title"), entry.get("year")) == (
        "k",
        "A title of some words",
        "2001",
    )


def test_biblatex_entries_are_listed_once() -> None:
    item = (
        "\\entry{lee2019}{article}{}\n  \\name{author}{2}{}{%\n    {{hash=1}{%\n"
        "      family={Lee},\n      given={Ann\\bibnamedelima B.},\n    }}%\n"
        "    {{hash=2}{%\n      family={Ray},\n      given={Bo},\n    }}%\n  }\n"
        "  \\field{title}{Of {Cats}}\n  \\field{year}{2019}\n"
        "  \\verb{doi}\n  \\verb 10.1000/a_b\n  \\endverb\n\\endentry\n"
    )
    (entry,) = read("\\datalist{a}\n" + item + "\\enddatalist\n\\datalist{b}\n" + item)
    assert (entry.kind, entry.key) == ("article", "lee2019")
    assert entry.get("author") == "Lee, Ann B. and Ray, Bo"
    assert [entry.get(name) for name in ("title", "year", "doi")] == [
        "Of Cats",
        "2019",
        "10.1000/a_b",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "\\bibitem{outside}",
        around("% \\bibitem{commented} x"),
        around("\\bibitem[unclosed {k} x"),
        around("\\bibitem"),
        around("\\bibitemize{k}"),
    ],
)
def test_what_is_no_item(text: str) -> None:
    assert read(text) == ()


def test_an_environment_that_never_ends() -> None:
    assert [e.key for e in read("\\begin{thebibliography}{9}\\bibitem{a} A\\bibitem{b}")] == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    "piece",
    [
        "\\bibitem[",
        "\\bibitem{",
        "\\begin{thebibliography}",
        "\\entry{a}{b}",
        "%",
        "\\name{author}",
    ],
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    read("\\begin{thebibliography}" + piece * (100_000 // len(piece)))
