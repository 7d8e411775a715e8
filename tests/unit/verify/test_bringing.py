"""A work from outside becomes an entry of the paper's bibliography, or says why it cannot."""

from dataclasses import replace

from reviser.latex.bib import read_bib
from reviser.literature.paper import Author, Paper
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.source import Source
from reviser.verify.bringing import Brought, Present, Unbrought, bring, bring_each

TEX = "\\documentclass{article}\\begin{document}\nTides turn~\\cite{moon2001}.\n%s\\end{document}\n"
ONE = """@Article{moon2001,
    author  = "Ada Moon and Bo Tide",
    title   = "Turning of the Tides",
    journal = "Sea Letters",
    year    = 2001,
    pages   = "1--9"
}
"""
GULLS = Paper(
    source="Crossref",
    id="10.1/gulls",
    doi="10.1000/gulls",
    title="Gulls & their 100% catch: a study",
    authors=(Author("Ëiß", "Cara"), Author("van der Nest", "Dov")),
    year=2010,
    venue="Sea Letters",
    kind="article",
    pages="12-20",
    abstract="Gulls near the shore catch most of their fish when the tide goes out at night.",
)


def loaded(files: dict[str, str]) -> Manuscript:
    return load(Memory({name: text.encode() for name, text in files.items()}))


def paper(bib: str = ONE, end: str = "\\bibliography{refs}\n", **more: str) -> Manuscript:
    return loaded({"main.tex": TEX % end, "refs.bib": bib, **more})


def written(manuscript: Manuscript, brought: Brought) -> str:
    edit = Edit("e", "r", (brought.replacement,), Purpose.REPLACE, "")
    return apply(manuscript.sources, [edit])[brought.path].text


def test_an_entry_looks_like_its_neighbours() -> None:
    manuscript = paper()
    (gulls,) = bring(manuscript, [GULLS])
    assert (
        written(manuscript, gulls)
        == ONE.rstrip()
        + """

@Article{eiss2010,
    author  = "Cara {\\"E}i{\\ss} and van der Nest, Dov",
    title   = "Gulls \\& their 100\\% catch: a study",
    journal = "Sea Letters",
    year    = 2010,
    pages   = "12--20",
    doi     = "10.1000/gulls"
}
"""
    )


def test_the_work_is_read_under_its_new_key() -> None:
    (gulls,) = bring(paper(), [GULLS])
    assert gulls.work.key == gulls.key == "eiss2010"
    assert [p.text for p in gulls.work.passages] == [GULLS.abstract]
    assert gulls.text_of.abstract_from == "Crossref"


def test_a_work_that_is_there_keeps_its_key() -> None:
    bib = ONE.replace("year ", "doi = {https://doi.org/10.1000/GULLS},\n    year ")
    assert bring_each(paper(bib), [GULLS]) == (Present("moon2001", GULLS),)


def test_a_key_is_new_to_the_whole_paper() -> None:
    bib = ONE + "\n@misc{EISS2010gulls, title = {Something else}}\n"
    (gulls,) = bring(paper(bib), [GULLS])
    assert gulls.key == "eiss2010gulls-a"


def test_a_work_that_comes_twice_has_one_entry() -> None:
    first, second = bring_each(paper(), [GULLS, GULLS])
    assert first is second
    assert len(bring(paper(), [GULLS, GULLS])) == 1


def test_two_works_have_two_keys_at_one_place() -> None:
    other = replace(GULLS, doi="10.1000/other", title="Gulls: another study")
    first, second = bring(paper(), [GULLS, other])
    assert {first.key, second.key} == {"eiss2010", "eiss2010a"}
    assert first.at == second.at


def test_the_file_with_most_cited_entries_is_chosen() -> None:
    manuscript = paper(
        "@misc{unused, title = {Nothing}}\n",
        "\\bibliography{refs,more}\n",
        **{"more.bib": ONE},
    )
    (gulls,) = bring(manuscript, [GULLS])
    assert gulls.path == "more.bib"


def test_a_paper_without_a_bib_file_says_why() -> None:
    end = "\\begin{thebibliography}{1}\\bibitem{moon2001} Moon.\\end{thebibliography}\n"
    (found,) = bring_each(loaded({"main.tex": TEX % end}), [GULLS])
    assert found == Unbrought("the paper has no .bib file", GULLS)


def test_a_work_without_year_is_not_entered() -> None:
    (found,) = bring_each(paper(), [replace(GULLS, year=None)])
    assert isinstance(found, Unbrought)
    assert found.why == "Crossref does not give a year of it"


def test_what_is_written_reads_as_the_work() -> None:
    manuscript = paper()
    (gulls,) = bring(manuscript, [GULLS])
    first, second = read_bib(Source("refs.bib", written(manuscript, gulls))).entries
    assert (first.key, second.key) == ("moon2001", gulls.key)
    assert second.get("title") == GULLS.title
    assert second.get("author") == "Cara Ëiß and van der Nest, Dov"


def test_a_key_is_no_alias_no_undefined_key_and_none_of_an_earlier_work() -> None:
    bib = ONE.replace("year ", "ids = {eiss2010},\n    year ")
    (first,) = bring(paper(bib), [GULLS])
    cited = paper(end="Gulls eat~\\cite{eiss2010}.\n\\bibliography{refs}\n")
    (second,) = bring(cited, [GULLS])
    (before,) = bring(paper(), [replace(GULLS, doi="10.1000/b", title="Gulls by night")])
    (third,) = bring_each(paper(), [GULLS], earlier=[before])
    assert isinstance(third, Brought)
    assert "eiss2010" not in {first.key, second.key, third.key}
    assert before.key == "eiss2010"


def test_a_work_is_known_by_its_arxiv_id_or_by_title_and_people() -> None:
    preprint = replace(GULLS, doi="", arxiv="1001.00001", title="Birds that fish")
    bib = ONE.replace("year ", "eprint = {1001.00001},\n    year ")
    assert bring_each(paper(bib), [preprint]) == (Present("moon2001", preprint),)
    same = replace(
        GULLS, title="Turning of the tides.", authors=(Author("Moon", "Ada"),), year=2001
    )
    assert bring_each(paper(), [same]) == (Present("moon2001", same),)
    slip = replace(same, title="The Turning of the Tide")
    assert bring_each(paper(), [slip]) == (Present("moon2001", slip),)


def test_a_generated_or_broken_file_takes_no_entry() -> None:
    generated = "% This file was automatically generated. Do not edit.\n" + ONE
    unclosed = ONE.rstrip()[:-1]
    for bib in (generated, unclosed):
        (found,) = bring_each(paper(bib), [GULLS])
        assert isinstance(found, Unbrought), bib
