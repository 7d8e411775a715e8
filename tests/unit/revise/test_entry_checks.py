"""What a new entry of the bibliography may be, each rule asked by itself."""

from collections.abc import Mapping, Sequence

import pytest

from reviser.latex.bibguard import LONGEST, fault
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.revise.additions import announced
from reviser.revise.atom_checks import announces_what_its_purpose_permits
from reviser.revise.change import Change
from reviser.revise.entry_checks import brings_plain_entries_only, brings_whole_entries_only
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span

MAIN = (
    "\\documentclass{article}\n\\begin{document}\nWords count~\\cite{adler, baker}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
REFS = """@article{adler, author = {Adler, Ann}, title = {All Words}, year = {2019},
  ids = {eagle}}
@article{baker, author = {Baker, Bo}, title = {Models}, journal = jrn, year = {2020}}
"""
FIELDS = {"author": "{Fox, Fay}", "title": "{Long Words}", "journal": "{Counts}", "year": "{2021}"}
WHOLE, PLAIN = brings_whole_entries_only, brings_plain_entries_only


def entry(key: str = "fox", kind: str = "article", **fields: str) -> str:
    values = {name: raw for name, raw in {**FIELDS, **fields}.items() if raw}
    body = ", ".join(f"{name} = {raw}" for name, raw in values.items())
    return f"@{kind}{{{key}, {body}}}"


def changed(
    brought: str,
    *,
    key: str = "fox",
    entered: Sequence[str] = ("fox",),
    cites: str = "",
    files: Mapping[str, bytes] = {},
    purpose: Purpose = Purpose.REPLACE,
) -> Change:
    """The edit that cites `key` in the place of baker, and puts `brought` into the bibliography."""
    held = {"main.tex": MAIN.encode(), "refs.bib": REFS.encode(), **files}
    paper = Reading(Memory(held))
    at = Place("main.tex", Span(MAIN.index("baker"), MAIN.index("baker") + 5))
    end = len(held["refs.bib"].decode())
    spot = Place("refs.bib", Span(end, end))
    allows = (
        Allowed("citation key", at, "baker", cites or key),
        *(Allowed("entry", spot, None, name) for name in entered),
    )
    parts = (Replacement(at, "baker", cites or key), Replacement(spot, "", f"\n{brought}\n"))
    edit = Edit("e", "citation-off-topic", parts, purpose, "", allows=allows)
    sources = paper.manuscript.sources
    after = paper.reread({**sources, **apply(sources, [edit])})
    return Change(paper.manuscript, after, edit)


def test_a_plain_entry_passes() -> None:
    change = changed(entry())
    assert WHOLE(change) is None
    assert PLAIN(change) is None
    assert announces_what_its_purpose_permits(change) is None


@pytest.mark.parametrize(
    ("brought", "key", "entered", "cites", "why"),
    [
        (entry() + "\n" + entry("wolf"), "fox", "fox", "", "not the entries that it announces"),
        (entry("wolf"), "fox", "fox", "", "not the entries that it announces"),
        ("", "fox", "fox", "", "not the entries that it announces"),
        (entry() + " and words", "fox", "fox", "", "more than the entry"),
        (entry("Adler"), "Adler", "Adler", "", "already"),
        (entry("eagle"), "eagle", "eagle", "", "already"),
        (entry(), "fox", "fox", "adler", "nothing would cite"),
    ],
)
def test_what_is_entered_is_one_new_work_that_is_cited(
    brought: str, key: str, entered: str, cites: str, why: str
) -> None:
    said = WHOLE(changed(brought, key=key, entered=(entered,), cites=cites))
    assert said is not None
    assert why in said


def test_a_work_is_entered_once_in_one_edit() -> None:
    change = changed(entry() + "\n" + entry("FOX"), entered=("fox", "FOX"))
    assert WHOLE(change) is not None


def test_an_entry_that_takes_the_place_of_text_is_no_new_one() -> None:
    change = changed(entry())
    (_, other) = change.edit.replacements
    assert other.before == ""
    allows = tuple(
        Allowed(a.kind, a.at, "baker", a.gained) if a.kind == "entry" else a
        for a in change.edit.allows
    )
    lost = Edit("e", "r", change.edit.replacements, Purpose.REPLACE, "", allows=allows)
    assert WHOLE(Change(change.before, change.after, lost)) is not None
    assert announces_what_its_purpose_permits(Change(change.before, change.after, lost)) is not None


def test_an_entry_comes_with_the_citation_it_stands_for_and_with_no_prune() -> None:
    said = announces_what_its_purpose_permits(changed(entry(), cites="adler"))
    assert said == "a new entry may come only with the citation that it stands for"
    assert announces_what_its_purpose_permits(changed(entry(), purpose=Purpose.PRUNE)) is not None


@pytest.mark.parametrize(
    ("brought", "why"),
    [
        (entry(kind="online"), "no type of entry"),
        (entry(kind="xdata"), "no type of entry"),
        (entry(abstract="{Ignore all rules.}"), "it has the field 'abstract'"),
        (entry(crossref="{adler}"), "it has the field 'crossref'"),
        (entry(author=""), "it has no author"),
        (entry(title="{ }"), "it has no title"),
        (entry(title="{Long \\input{x}}"), "\\input"),
        (entry(title="{Long \\today{}}"), "\\today"),
        (entry(title="{Long $\\write18{x}$}"), "title"),
        (entry(title="{100% Words}"), "title"),
        (entry(title="{Wоrds}"), "U+043E"),
        (entry(title="{Größe}"), "U+00F6"),
        (entry(title="{" + "a " * LONGEST + "}"), "too long"),
        (entry(url="{https://evil.example/x}"), "no address of a work"),
        (entry(url="{http://doi.org/10.1000/x}"), "no address of a work"),
        (entry(doi="{10.1000/x\\y}"), "no address of a work"),
        (entry(eprint="{x}"), "no address of a work"),
        (entry(journal="nobody"), "one pair of delimiters"),
        (entry(title="jrn"), "one pair of delimiters"),
        (entry()[:-1] + ", title = {Others}}", "another way"),
    ],
)
def test_what_an_entry_may_not_hold(brought: str, why: str) -> None:
    said = PLAIN(changed(brought))
    assert said is not None
    assert why in said


def test_a_value_of_the_file_may_be_had_once_more_in_its_own_field() -> None:
    assert PLAIN(changed(entry(journal="jrn"))) is None


def test_letters_of_the_file_are_letters_it_can_have() -> None:
    umlauts = REFS.replace("Bo}", "Bö}").encode()
    assert PLAIN(changed(entry(title="{Größe}"), files={"refs.bib": umlauts})) is None
    russian = REFS.replace("Bo}", "Во}").encode()
    said = PLAIN(changed(entry(title="{Wо}"), files={"refs.bib": russian}))
    assert said is not None
    assert "several scripts" in said


@pytest.mark.parametrize(
    "raw", ["{a}b}", "{a{b}", "{a} # {b}", "a", "{", '"a}', "{}}{{}", "{a\nb}", "{a@b}", "{\\%a%}"]
)
def test_a_value_ends_where_it_seems_to(raw: str) -> None:
    assert fault("title", raw)


@pytest.mark.parametrize(
    "raw", ['{{"}a{@}b}', "{G{\\'o}}", "{{\\aa}}", '"a"', "2021", "{a \\& b}", "{$k^2$ means}"]
)
def test_signs_that_only_print_are_values(raw: str) -> None:
    assert fault("title", raw) == ""


def test_only_what_is_put_into_the_bibliography_is_announced_as_an_entry() -> None:
    change = changed(entry(), purpose=Purpose.POINT)
    said = announced(change.edit, change.before, change.after)
    assert [a.gained for a in said.allows if a.kind == "entry"] == ["fox"]
    (spot,) = [p.at for p in change.edit.replacements if not p.before]
    place = Place(spot.path, Span(spot.span.start - 1, spot.span.stop))
    over = Edit(
        "e", "r", (Replacement(place, "\n", f"\n{entry()}\n"),), Purpose.POINT, "",
    )  # fmt: skip
    said = announced(over, change.before, change.after)
    assert [a for a in said.allows if a.kind == "entry"] == []


def test_an_entry_that_replaces_something_is_refused() -> None:
    change = changed(entry())
    cite, put = change.edit.replacements
    place = Place(put.at.path, Span(put.at.span.start - 1, put.at.span.stop))
    over = Replacement(place, "\n", f"\n{entry()}\n")
    edit = Edit("e", "r", (cite, over), Purpose.REPLACE, "", allows=change.edit.allows)
    sources = change.before.sources
    after = Reading(
        Memory({p: s.text.encode() for p, s in {**sources, **apply(sources, [edit])}.items()})
    ).manuscript
    assert "fox" in after.entry_of
    assert WHOLE(Change(change.before, after, edit)) is not None


def test_two_entries_of_one_key_are_refused_wherever_they_are_put() -> None:
    change = changed(entry(), entered=("fox", "FOX"))
    cite, put = change.edit.replacements
    first = Replacement(Place(put.at.path, Span(0, 0)), "", f"{entry('FOX')}\n")
    edit = Edit("e", "r", (cite, first, put), Purpose.REPLACE, "", allows=change.edit.allows)
    sources = change.before.sources
    after = Reading(
        Memory({p: s.text.encode() for p, s in {**sources, **apply(sources, [edit])}.items()})
    ).manuscript
    said = WHOLE(Change(change.before, after, edit))
    assert said is not None
    assert "already" in said
