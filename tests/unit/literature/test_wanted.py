import pytest

from reviser.latex.bib import read_bib
from reviser.literature.wanted import wanted_of
from reviser.text.source import Source


def wanted(text, lent=None):
    entry = read_bib(Source("a.bib", text)).entries[0]
    return wanted_of(entry, lent or {})


def test_an_entry_becomes_a_question():
    asked = wanted(
        r"""@article{Sch35, author = {Schr{\"o}dinger, Erwin and {Royal Society} and others},
        title = {Discussion of {Probability} Relations.}, journal = {Math. Proc.}, year = 1935,
        doi = {https://doi.org/10.1017/S0305004100013554}}"""
    )
    assert asked.key == "Sch35"
    assert asked.title == "Discussion of Probability Relations"
    assert asked.authors == ("Schrödinger", "Royal Society")
    assert asked.year == 1935
    assert asked.venue == "Math. Proc."
    assert asked.kind == "article"
    assert asked.doi == "10.1017/s0305004100013554"


@pytest.mark.parametrize(
    ("fields", "arxiv"),
    [
        ("eprint = {1706.03762}, archiveprefix = {arXiv}", "1706.03762"),
        ("eprint = {arXiv:1706.03762v5}", "1706.03762"),
        ("arxivid = {1706.03762}", "1706.03762"),
        ("journal = {arXiv preprint arXiv:1706.03762}", "1706.03762"),
        ("journal = {CoRR}, volume = {abs/1706.03762}", "1706.03762"),
        ("url = {http://arxiv.org/pdf/hep-th/9711200.pdf}", "hep-th/9711200"),
        ("note = {arXiv: math.DG/0211159}", "math/0211159"),
        ("doi = {10.48550/arXiv.1706.03762}", "1706.03762"),
        ("howpublished = {\\url{https://arxiv.org/abs/1706.03762}}", "1706.03762"),
        ("eprint = {2403.12345}, eprinttype = {hal}", ""),
        ("journal = {Journal of Things}, volume = {1706.03762}", ""),
        ("number = {2101.00001}", ""),
    ],
)
def test_arxiv_ids_are_found_where_people_write_them(fields, arxiv):
    assert wanted(f"@misc{{a, title = {{T}}, {fields}}}").arxiv == arxiv


@pytest.mark.parametrize(
    ("fields", "doi"),
    [
        ("url = {https://doi.org/10.1000/ABC}", "10.1000/abc"),
        ("note = {doi: 10.1000/abc.}", "10.1000/abc"),
        ("url = {https://example.org/?ref=10.1000/abc}", ""),
        ("doi = {none}, url = {http://dx.doi.org/10.1000/182}", "10.1000/182"),
    ],
)
def test_dois_are_found_where_people_write_them(fields, doi):
    assert wanted(f"@misc{{a, title = {{T}}, {fields}}}").doi == doi


def test_what_a_parent_lends_is_used_where_the_entry_is_silent():
    asked = wanted("@inproceedings{a, title = {T}}", {"booktitle": "Proc. X", "year": "2001"})
    assert (asked.venue, asked.year) == ("Proc. X", 2001)


def test_a_subtitle_belongs_to_the_title():
    assert wanted("@book{a, title = {Big}, subtitle = {Small}}").title == "Big: Small"
