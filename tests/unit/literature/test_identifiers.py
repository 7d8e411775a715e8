import pytest

from reviser.literature.identifiers import arxiv, arxiv_of_doi, doi


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10.1000/ABC.def", "10.1000/abc.def"),
        ("https://doi.org/10.1000/abc.", "10.1000/abc"),
        ("http://dx.doi.org/10.1016%2Fj.x.2020.01.001", "10.1016/j.x.2020.01.001"),
        (r"10.1007/978-3-030-1\_2", "10.1007/978-3-030-1_2"),
        ("10.1016/S0092-8674(00)80000-1", "10.1016/s0092-8674(00)80000-1"),
        ("(see 10.1000/abc)", "10.1000/abc"),
        ("doi: 10.1/short", ""),
        ("", ""),
    ],
)
def test_a_doi_is_read(written: str, meant: str) -> None:
    assert doi(written) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("arXiv:1706.03762v5", "1706.03762"),
        ("https://arxiv.org/abs/2101.00001", "2101.00001"),
        ("1706.03762 [cs.CL]", "1706.03762"),
        ("hep-th/9901001v2", "hep-th/9901001"),
        ("math.GT/0309136", "math/0309136"),
        ("1713.03762", ""),
        ("volume 12.345", ""),
        ("11706.03762", ""),
    ],
)
def test_an_arxiv_id_is_read(written: str, meant: str) -> None:
    assert arxiv(written) == meant


def test_a_doi_of_arxiv_names_its_paper() -> None:
    assert arxiv_of_doi("10.48550/arXiv.1706.03762") == "1706.03762"
    assert arxiv_of_doi("10.1000/1706.03762") == ""
