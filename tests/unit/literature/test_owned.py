"""The entries of a bibliography as works of the corpus."""

from reviser.latex.bib import read_bib
from reviser.literature.owned import papers_of, told_apart
from reviser.literature.paper import Author, Paper
from reviser.text.source import Source

BIB = r"""
@article{kim, title = {{Kites} in the {\"O}resund}, author = {Kim, Jia and Oh, Su}, year = 2021,
  journal = {J. Kites}, doi = {https://doi.org/10.5555/K}, abstract = {They fly.}, volume = 3}
@misc{untitled, author = {Nobody}}
@misc{pre, title = {Wind}, eprint = {2101.00001}, archiveprefix = {arXiv}}
"""


def test_what_an_entry_says_of_its_work():
    first, second = papers_of(read_bib(Source("refs.bib", BIB)).entries)
    assert first.title == "Kites in the Öresund"
    assert first.authors == (Author("Kim"), Author("Oh"))
    assert (first.year, first.venue, first.doi, first.volume) == (
        2021,
        "J. Kites",
        "10.5555/k",
        "3",
    )
    assert first.abstract == "They fly."
    assert (second.arxiv, second.identity) == ("2101.00001", "arxiv:2101.00001")


def test_an_id_stays_with_the_work_and_not_with_its_place():
    one, other = told_apart([Paper("a.ris", "1", "Over the Sea"), Paper("a.ris", "1", "Lakes")])
    assert (one.id, other.id) == ("overthesea", "lakes")
    assert told_apart([Paper("a.ris", "7", "OVER the sea")])[0].id == one.id
