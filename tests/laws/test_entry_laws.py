"""Whatever a service says of a work, its entry is one entry that reads back as what was said."""

from dataclasses import replace
from functools import cache

from hypothesis import example, given, settings
from hypothesis import strategies as st

from reviser.latex.bib import read_bib, second_values
from reviser.latex.bibescape import UNWRITABLE, escaped, folded, reads_as
from reviser.latex.bibguard import FIELDS, KINDS, fault
from reviser.latex.bibkeys import key_for
from reviser.latex.bibstyle import Style, style_of
from reviser.latex.bibtext import plain
from reviser.literature.paper import Author, Paper
from reviser.text.source import Source
from reviser.verify.entries import LONGEST_TITLE, entry_text, known, lacking

NASTY = (
    "\\input{/etc/passwd}", "}", "{", "},\n@string{a = {b}}\n", "\\", "\"", "@article{x,", "%", "&",
    "$x$", "$\\alpha$-", "$O(n^2)$", "$\\def\\x{}$", "#", "_", "~", "^", "^^5c", "''", "``", "--",
    "\u202e", "\r\n\r\n", "é", "ő", "ß", "ı", "α", "海", "\x00", "?`", " and ", ",", "others",
    "@{B}", "BERT", "A title", "of", "THE", "<i>", "&amp;", "\\'e", "{\\'e}", "\ud7ff", "ﬁ", "’",
    "“a”",
)  # fmt: skip
SHOUTED = """@Book{Lee:2001,
\tTITLE   = "{An {ABC}}",
\tAUTHOR  = "Lee, Ann",
\tYEAR    = "2001", doi = "10.1/a", url = "u"}
"""
ACCENTED = (
    "@misc(é01, title = {{Été}}, author = {Lée, A.}, eprint = {2001.00001},\r\n"
    " year = {2001}, pages = {1-2})\r\n"
)
ALIGNED = """@inproceedings{DBLP:conf/x/Lee01,
  author    = {Ann Lee},
  title     = {The {BERT} Model},
  booktitle = {X},
  year      = {2001},
  doi       = {https://doi.org/10.1/a},
}
"""
SHORT = "@article{a2001,\n  title = {A},\n  author = {Ann Lee},\n  year = 2001\n}\n"
FILES = ("", SHORT, SHOUTED, ACCENTED, ALIGNED)
words = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))
texts = st.lists(words, max_size=8).map(" ".join) | st.lists(words, max_size=8).map("".join)


@cache
def style(number: int) -> Style:
    return style_of(Source("refs.bib", FILES[number]))


def papers() -> st.SearchStrategy[Paper]:
    return st.builds(
        Paper,
        source=st.just("S"),
        id=st.just("1"),
        title=texts,
        authors=st.lists(st.builds(Author, texts, texts), max_size=3).map(tuple),
        year=st.integers(1500, 2999),
        venue=texts,
        kind=st.sampled_from(["article", "inproceedings", "", "book", "misc", "evil", "phdthesis"]),
        doi=st.sampled_from(["", "10.1/a", "10.1/a_b", "10.1/a}b", "10.1234/x<y>"]),
        arxiv=st.sampled_from(["", "2001.00001", "hep-th/9901001", "}x"]),
        volume=texts,
        number=texts,
        pages=st.one_of(texts, st.sampled_from(["1-2", "1–22", "e12", "S1--S9"])),
        publisher=texts,
    )


@given(texts, st.booleans())
@example("a--b ''c'' $n^2$ {x}", False)
def test_an_escaped_text_reads_as_itself(text: str, keeps: bool) -> None:
    said = folded(text, 200)
    value = escaped(said, keeps=lambda char: keeps and char.isalpha())
    if UNWRITABLE in value:
        return
    assert plain(value) == reads_as(said)
    assert not fault("title", f"{{{value}}}"), value
    assert value.isprintable()


@settings(max_examples=300)
@given(papers(), st.integers(0, len(FILES) - 1))
def test_an_entry_is_one_entry_and_reads_back(paper: Paper, number: int) -> None:
    if lacking(paper):
        return
    habits = style(number)
    key = key_for(known(paper), habits.scheme, {"a2001"})
    text = entry_text(paper, key, habits)
    if text is None:
        return
    bib = read_bib(Source("refs.bib", text))
    (entry,) = bib.entries
    assert not bib.faults
    assert (entry.at.span.start, entry.at.span.stop) == (0, len(text))
    assert entry.key == key
    assert entry.kind in KINDS
    assert {field.name for field in entry.fields} <= FIELDS
    assert all(not fault(field.name, field.raw) for field in entry.fields), text
    raw = {field.name: " ".join(field.raw.split()) for field in entry.fields}
    assert second_values(text) == raw
    if paper.title.upper() != paper.title:
        assert entry.get("title") == reads_as(folded(paper.title, LONGEST_TITLE))
    assert entry.get("year") or entry.get("date")


@settings(max_examples=100)
@given(papers(), st.integers(0, len(FILES) - 1), st.integers(0, len(FILES) - 1))
def test_a_new_entry_changes_no_other(paper: Paper, number: int, other: int) -> None:
    if lacking(paper):
        return
    before = FILES[other]
    text = entry_text(paper, "new", style(number))
    if text is None:
        return
    old = read_bib(Source("refs.bib", before)).entries
    new = read_bib(Source("refs.bib", before.rstrip() + "\n\n" + text + "\n")).entries
    assert [(e.key, e.fields) for e in new[:-1]] == [(e.key, e.fields) for e in old]
    assert new[-1].key == "new"


@given(papers(), st.integers(0, len(FILES) - 1), st.sets(st.sampled_from(["work", "lee2001"])))
def test_a_key_is_plain_and_new(paper: Paper, number: int, taken: set[str]) -> None:
    scheme = style(number).scheme
    first = key_for(known(paper), scheme, taken)
    second = key_for(known(paper), scheme, {*taken, first.lower()})
    assert first != second
    assert first.lower() not in taken
    for key in (first, second):
        assert key.isascii()
        assert key
        assert not set(key) & set(" ,{}\\%#~$^&'\"=()@")
    assert key_for(known(replace(paper, abstract="x")), scheme, taken) == first
