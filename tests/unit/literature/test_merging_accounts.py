import pytest

from reviser.literature.merging import is_preprint, merge, same_work
from reviser.literature.paper import Author, Notice, Paper

WHOLE = " ".join(["Tides rise and fall."] * 8)


def test_the_best_of_each_account_with_who_says_it():
    merged = merge(
        [
            Paper("A", "1", "Tides", (Author("Behrens"),), 2020, "J. Tides", doi="10.1000/t",
                  abstract="Tides rise and ...", cited_by=3),
            Paper("B", "2", "Tides", year=2019, venue="arXiv", arxiv="1901.00001", abstract=WHOLE,
                  cited_by=9, open_text="https://example.org/t.pdf", licence="cc-by"),
            Paper("C", "3", "Tides", notice=Notice("retraction", "10.1000/n"), publisher="Sea"),
        ]
    )  # fmt: skip
    paper, said = merged.paper, dict(merged.said_by)
    assert (paper.source, paper.id, paper.year, paper.venue) == ("A", "1", 2020, "J. Tides")
    assert (paper.doi, paper.arxiv, paper.abstract, paper.cited_by) == (
        "10.1000/t",
        "1901.00001",
        WHOLE,
        9,
    )
    assert paper.notice == Notice("retraction", "10.1000/n")
    assert (paper.open_text, paper.licence) == ("https://example.org/t.pdf", "cc-by")
    assert said["title"] == said["year"] == said["doi"] == "A"
    assert said["abstract"] == said["licence"] == said["cited_by"] == "B"
    assert said["notice"] == said["publisher"] == "C"
    assert "volume" not in said


def test_a_published_account_outweighs_the_preprint_that_came_first():
    merged = merge(
        [
            Paper("A", "1", "Tides", year=2018, venue="arXiv.org", doi="10.48550/arxiv.1801.00001"),
            Paper("B", "2", "Tides at sea", year=2020, venue="J. Tides", doi="10.1000/t"),
        ]
    )
    assert (merged.paper.source, merged.paper.title, merged.paper.doi) == (
        "B",
        "Tides at sea",
        "10.1000/t",
    )


def test_a_licence_is_never_that_of_another_text():
    merged = merge(
        [
            Paper("A", "1", "T", open_text="https://example.org/a.pdf"),
            Paper("B", "2", "T", licence="cc0"),
        ]
    )
    assert (merged.paper.open_text, merged.paper.licence) == ("https://example.org/a.pdf", "")
    assert "licence" not in dict(merged.said_by)


def test_a_stamp_becomes_a_notice():
    merged = merge([Paper("A", "1", "RETRACTED: Tides"), Paper("B", "2", "Tides")])
    assert merged.paper.title == "Tides"
    assert merged.paper.notice == Notice("retraction")


def test_the_gravest_notice_counts():
    merged = merge(
        [
            Paper("A", "1", "T", notice=Notice("expression of concern")),
            Paper("B", "2", "T", notice=Notice("retraction")),
            Paper("C", "3", "T", notice=Notice("retraction", date="2021-01-01")),
        ]
    )
    assert merged.paper.notice == Notice("retraction", date="2021-01-01")


def test_names_of_another_source_are_not_cited():
    merged = merge(
        [Paper("A", "1", "T", cites=("W1",)), Paper("B", "2", "T", cites=("doi:10.1/x", "b7"))]
    )
    assert merged.paper.cites == ("W1", "doi:10.1/x")


def test_nothing_cannot_be_merged():
    with pytest.raises(ValueError, match="no account"):
        merge([])


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"doi": "10.1/a"}, {"doi": "10.1/b"}, False),
        ({"doi": "10.1/a"}, {"doi": "10.48550/arxiv.1901.00001"}, True),
        ({"doi": "10.1/a"}, {"doi": "10.1101/2020.01.02.900001"}, True),
        ({"arxiv": "1901.00001"}, {"arxiv": "1901.00002"}, False),
        ({"doi": "10.1/a"}, {}, True),
    ],
)
def test_two_identifiers_are_two_works(one, other, same):
    first, second = Paper("A", "1", "T", **one), Paper("B", "2", "T", **other)
    assert same_work(first, second) is same


def test_what_a_preprint_is():
    assert is_preprint(Paper("A", "1", "T", venue="arXiv (Cornell University)"))
    assert is_preprint(Paper("A", "1", "T", arxiv="1901.00001"))
    assert not is_preprint(Paper("A", "1", "T", venue="Journal of Halogens", arxiv="1901.00001"))
    assert not is_preprint(Paper("A", "1", "T", venue="Correlation Letters"))


def test_what_accounts_of_one_version_do_not_agree_on_is_disputed():
    one = Paper("A", "1", "Tides at sea", year=2020, venue="J. Tides", doi="10.1000/t")
    two = Paper("B", "2", "Waves at sea", year=2012, venue="Tides", doi="10.1000/t")
    early = Paper("C", "3", "On tides", year=2016, venue="arXiv", arxiv="1601.00001")
    assert merge([one, two]).disputed == ("title", "venue", "year")
    assert merge([one, early]).disputed == ()
    assert merge([early]).disputed == ()
    posted = Paper("D", "4", "Sand", year=2011, venue="arXiv", doi="10.1000/t")
    assert merge([one, posted]).disputed == ()


def test_a_year_that_only_the_preprint_has_is_no_year_of_the_print():
    printed = Paper("A", "1", "Tides at sea", venue="J. Tides", doi="10.1000/t")
    early = Paper("C", "3", "Tides at sea", year=2016, venue="arXiv", arxiv="1601.00001")
    merged = merge([printed, early])
    assert (merged.paper.year, merged.disputed) == (2016, ("year",))


def test_an_abstract_that_was_cut_off_gives_way_to_a_whole_one():
    cut = " ".join(["Tides rise and fall."] * 9)
    for end in ("…", "..."):
        merged = merge(
            [Paper("A", "1", "T", abstract=cut + end), Paper("B", "2", "T", abstract=WHOLE)]
        )
        assert merged.paper.abstract == WHOLE


def test_the_doi_of_the_print_outweighs_that_of_a_server():
    merged = merge(
        [
            Paper("A", "1", "T", venue="J. Tides", doi="10.48550/arxiv.1901.00001"),
            Paper("B", "2", "T", venue="J. Tides", doi="10.1000/t"),
        ]
    )
    assert (merged.paper.doi, dict(merged.said_by)["doi"]) == ("10.1000/t", "B")
