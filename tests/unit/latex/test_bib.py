import pytest

from reviser.latex.bib import (
    BibFile,
    aliases,
    depends_on,
    field_removal,
    insertion,
    read_bib,
    removal,
    second_reading,
)
from reviser.latex.bibparts import FaultKind
from reviser.text.source import Source


def source(text: str) -> Source:
    return Source("refs.bib", text)


def read(text: str) -> BibFile:
    return read_bib(source(text))


def faults(text: str) -> list[tuple[str, str]]:
    """Kind and text of each fault; a missing character shows what stands before it."""
    found = []
    for fault in read(text).faults:
        span = fault.at.span
        words = text[span.start : span.stop] or "after " + text[max(span.start - 3, 0) : span.start]
        found.append((fault.kind.value, words))
    return found


TWO = """@article{lee2019,
  author = {Lee, Ann and Ray, Bo},
  title  = "On {\\'E}tudes",
  year   = 2019,
}

@Book(ray2020,
  title = {A (long) book},
  year = {2020}
)
"""


def test_entries_with_their_places() -> None:
    bib = read(TWO)
    lee, ray = bib.entries
    assert (lee.kind, lee.key, lee.get("title"), lee.get("year")) == (
        "article",
        "lee2019",
        "On Études",
        "2019",
    )
    assert (ray.kind, ray.key, ray.get("title")) == ("book", "ray2020", "A (long) book")
    assert source(TWO)[lee.at.span].startswith("@article")
    assert TWO[lee.at.span.stop - 1] == "}"
    assert source(TWO)[ray.at.span].endswith(")")
    assert source(TWO)[lee.key_at.span] == "lee2019"
    for entry in bib.entries:
        for field in entry.fields:
            assert source(TWO)[field.at.span] == field.raw
    assert lee.fields[1].raw == '"On {\\\'E}tudes"'
    assert bib.faults == ()


def test_strings_months_and_concatenation() -> None:
    bib = read(
        '@string{acm = "ACM"}\n@STRING(jr = acm # { Journal})\n'
        '@article{k, journal = JR # " of X", month = 3 # "~" # mar, year = 1999}\n'
    )
    assert bib.strings == {"acm": "ACM", "jr": "ACM Journal"}
    assert bib.entries[0].get("journal") == "ACM Journal of X"
    assert bib.entries[0].get("month") == "3 March"


def test_strings_of_earlier_files() -> None:
    later = source("@misc{k, howpublished = web}")
    assert read_bib(later, {"web": "On the web"}).entries[0].get("howpublished") == "On the web"
    assert [f.kind for f in read_bib(later).faults] == [FaultKind.UNKNOWN_STRING]


def test_doubling_strings_stay_small() -> None:
    chain = "@string{a0 = {" + "x" * 50 + "}}\n"
    chain += "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(40))
    entry = read(chain + "@misc{k, note = a40 # a40}").entries[0]
    assert len(entry.get("note")) < 5000


def test_comments_preambles_and_text_between() -> None:
    text = 'Some words.\n@comment{jabref: @x{y}}\n@preamble{"\\newcommand{\\x}{y}"}\n@misc{k}\nend'
    bib = read(text)
    assert [text[p.span.start : p.span.stop] for p in bib.comments] == [
        "Some words.",
        "@comment{jabref: @x{y}}",
        "end",
    ]
    assert len(bib.preambles) == 1
    assert [entry.key for entry in bib.entries] == ["k"]


def test_an_entry_in_a_comment_line_is_live() -> None:
    text = "% @misc{a, title = {T}}\n%@article{b,\n%  title = {Old},\n%}\n@misc{c}"
    assert [(e.key, e.get("title")) for e in read(text).entries] == [
        ("a", "T"),
        ("b", "Old"),
        ("c", ""),
    ]


@pytest.mark.parametrize(
    ("key", "start"),
    [
        ("Müller:2019/a+b", "@misc{Müller:2019/a+b, year=1}"),
        ("DBLP:conf/x/Y20", "@misc { DBLP:conf/x/Y20 , year=1}"),
        ("a'b#c", "@misc(a'b#c, year=1)"),
        ("k", "@misc\n{\nk\n,\nyear=1}"),
        ("Lee 2019", "@misc{Lee 2019, year=1}"),
    ],
)
def test_odd_keys(key: str, start: str) -> None:
    entry = read(start).entries[0]
    assert entry.key == key
    assert start[entry.key_at.span.start : entry.key_at.span.stop] == key
    assert entry.get("year") == "1"


def test_carriage_returns_and_byte_order_mark() -> None:
    text = "\ufeff" + TWO.replace("\n", "\r\n")
    bib = read(text)
    assert [e.get("title") for e in bib.entries] == ["On Études", "A (long) book"]
    assert bib.comments == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@misc{k, title = {A}\n year = 1}", [("missing comma", "after {A}")]),
        ("@misc{k, year = 1 title = {A}}", [("missing comma", "after = 1")]),
        ("@misc{k title = {A}}", [("missing comma", "after c{k")]),
        ("@misc{k, title = {A},, year = 1}", [("extra comma", ",")]),
        ("@misc{title = {A}, year = 1}", [("missing key", "after sc{")]),
        ("@misc{, title = {A}}", [("missing key", "after sc{")]),
        ("@misc{a b, title = {A}}", [("space in key", "a b")]),
        ("@misc{k, title {A}, year = 1}", [("missing equals sign", "title")]),
        ("@misc{k, title = , year = 1}", [("missing value", "title")]),
        ("@misc{k, title = {A}, Title = {B}}", [("duplicate field", "{B}")]),
        ("@misc{k, journal = foo}", [("unknown string", "foo")]),
        ("@misc{k, % why\n year = 1}", [("percent sign", "% why")]),
        ('@misc{k, title = "A "b" c", year = 1}', [("stray text", 'b" c",')]),
        ("@misc{k, title = {A}}, year = 1}", [("extra brace", "}")]),
        ("@misc{k, title = {A}\n@misc{l, year = 1}", [("unclosed entry", "after {A}")]),
        ("@misc{k, title = {A,\n year = 1\n}", [("unclosed value", "{A")]),
        ('@misc{k, title = "A,\n year = 1\n}', [("unclosed value", '"A')]),
        ("@misc{k, title = {A {B},\n year = 1\n}\n@misc{l}", [("unclosed value", "{A {B}")]),
    ],
)
def test_faults(text: str, expected: list[tuple[str, str]]) -> None:
    assert faults(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "@misc{k, title = {A}\n year = 1}",
        "@misc{k title = {A}, year = 1}",
        "@misc{k, title = {A}, % why\n year = 1}",
        "@misc{k, title = {A}},\n year = 1}",
        "@misc{k, title = {A,\n year = 1\n}",
        '@misc{k, title = "A,\n year = 1\n}',
        "@misc{k, title = {A}, junk, year = 1}",
        "@misc{k, title = {A}, junk\n year = 1}",
    ],
)
def test_reading_goes_on_behind_a_fault(text: str) -> None:
    entries = read(text + "\n@misc{next, note = {N}}").entries
    assert [(e.key, e.get("title"), e.get("year"), e.get("note")) for e in entries] == [
        ("k", "A", "1", ""),
        ("next", "", "", "N"),
    ]


def test_an_unclosed_entry_ends_at_the_next_one() -> None:
    bib = read("@article{a,\n title = {One {and,\n\n@article{b,\n title = {Two},\n}\n")
    assert [(e.key, e.get("title")) for e in bib.entries] == [("a", "One and"), ("b", "Two")]


def test_an_entry_quoted_in_an_abstract_is_text() -> None:
    bib = read("@misc{a, abstract = {See\n@misc{b, year = 1}\nhere}, year = 2}")
    assert [(e.key, e.get("year")) for e in bib.entries] == [("a", "2")]


def test_an_address_between_entries_is_no_entry() -> None:
    assert [e.key for e in read("ask ann@example.org\n@misc{k}").entries] == ["k"]


THREE = """@misc{a, year = 1}

@misc{b,
  title = {B},
  year = 2
}

@misc{c, year = 3}
"""


@pytest.mark.parametrize(
    ("key", "left"),
    [
        ("a", "@misc{b,\n  title = {B},\n  year = 2\n}\n\n@misc{c, year = 3}\n"),
        ("b", "@misc{a, year = 1}\n\n@misc{c, year = 3}\n"),
        ("c", "@misc{a, year = 1}\n\n@misc{b,\n  title = {B},\n  year = 2\n}\n"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_removing_an_entry(key: str, left: str, newline: str) -> None:
    text = THREE.replace("\n", newline)
    bib = read(text)
    entry = next(e for e in bib.entries if e.key == key)
    span = removal(source(text), entry, bib)
    assert span is not None
    assert text[: span.start] + text[span.stop :] == left.replace("\n", newline)


def test_a_removal_takes_no_blank_line_that_parts_others() -> None:
    text = "@misc{a}\n@misc{b}\n\n@misc{c}\n"
    bib = read(text)
    span = removal(source(text), bib.entries[1], bib)
    assert span is not None
    assert text[: span.start] + text[span.stop :] == "@misc{a}\n\n@misc{c}\n"


def test_no_removal_beside_an_unclosed_entry() -> None:
    text = "@misc{a, year = 1\n@misc{b, year = 2}\nwords\n"
    bib = read(text)
    assert removal(source(text), bib.entries[1], bib) is None
    assert insertion(source(text), bib) is None


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("title", "@misc{b,\n  year = 2\n}"),
        ("year", "@misc{b,\n  title = {B},\n}"),
    ],
)
def test_removing_a_field(name: str, left: str) -> None:
    text = "@misc{b,\n  title = {B},\n  year = 2\n}"
    bib = read(text)
    entry = bib.entries[0]
    field = next(f for f in entry.fields if f.name == name)
    span = field_removal(source(text), entry, field, bib)
    assert span is not None
    assert text[: span.start] + text[span.stop :] == left


def test_where_an_entry_can_be_added() -> None:
    for text, gap in [("", ""), ("@misc{a}\n", "\n"), ("@misc{a}", "\n\n"), ("a\r\nb", "\r\n\r\n")]:
        assert insertion(source(text), read(text)) == (len(text), gap)


def test_dependencies_and_aliases() -> None:
    entry = read("@inbook{a, crossref = {b}, xdata = {c, d}, ids = {e,f}}").entries[0]
    assert depends_on(entry) == ("b", "c", "d")
    assert aliases(entry) == ("e", "f")


def test_the_second_reader_notices_a_missing_comma() -> None:
    good, bad = "@misc{k, title = {A},\n year = {1}}", "@misc{k, title = {A}\n year = {1}}"
    assert second_reading(good) == (("misc", "k", ("title", "year")),)
    assert second_reading(bad) == (("misc", "k", ("title",)),)


@pytest.mark.parametrize(
    "piece",
    [
        "@a{",
        "@a{k,t={",
        '@a{k,t="',
        "@",
        "@ ",
        "{",
        "}",
        "\n@a{k,t={\n",
        "@a{k,t=a#",
        "@string{a=",
        ",",
    ],
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    read(piece * (200_000 // len(piece)))
