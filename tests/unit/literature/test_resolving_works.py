from dataclasses import dataclass, field, replace

from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.resolve import Resolved, Unresolved, resolve
from reviser.literature.sources import Silent, Wanted

TITLE = "Sea level in the German Bight from tide gauges and altimetry"
ABSTRACT = " ".join(["Sea level rises."] * 10)


class Once:
    def each(self, work, items, told=None):
        return [work(item) for item in items]


@dataclass
class Shelf:
    """A source that has some papers, and writes down what it is asked."""

    name: str
    papers: tuple = ()
    silent: str = ""
    heard: list = field(default_factory=list)

    def by_id(self, wanted):
        self.heard.append(("id", [w.key for w in wanted]))
        return [
            Silent(self.name, self.silent)
            if self.silent
            else tuple(
                p
                for p in self.papers
                if (w.doi and p.doi == w.doi) or (w.arxiv and p.arxiv == w.arxiv)
            )
            for w in wanted
        ]

    def by_title(self, wanted):
        self.heard.append(("title", [w.key for w in wanted]))
        if self.silent:
            return [Silent(self.name, self.silent) for _ in wanted]
        return [tuple(p for p in self.papers if p.title[:3] == w.title[:3]) for w in wanted]

    def search(self, query, most):
        return self.papers[:most]


def paper(source, **changes):
    made = {
        "id": "1", "title": TITLE, "authors": (Author("Behrens", "Anna"),), "year": 2020,
        "doi": "10.1000/tide", "abstract": ABSTRACT,
    }  # fmt: skip
    return Paper(source, **{**made, **changes})


def wanted(**changes):
    made = {"key": "b", "title": TITLE, "authors": ("Behrens",), "year": 2020}
    return Wanted(**{**made, **changes})


def found(asked, *sources, own=()):
    return resolve([asked], list(sources), Once(), own=own)[0]


def test_a_doi_leads_to_the_work_in_one_call():
    shelf = Shelf("A", (paper("A"),))
    result = found(wanted(doi="10.1000/tide"), shelf)
    assert isinstance(result, Resolved)
    assert (result.how, result.paper.doi, result.source_of("abstract")) == (
        "DOI",
        "10.1000/tide",
        "A",
    )
    assert shelf.heard == [("id", ["b"])]


def test_a_work_without_identifier_is_found_by_its_title():
    result = found(wanted(), Shelf("A", (paper("A"),)))
    assert isinstance(result, Resolved)
    assert result.how == "title"


def test_a_work_found_without_its_abstract_goes_on_to_the_next_source():
    bare = Shelf("A", (paper("A", abstract=""),))
    full = Shelf("B", (paper("B"),))
    result = found(wanted(), bare, full)
    assert isinstance(result, Resolved)
    assert result.source_of("abstract") == "B"
    assert full.heard == [("id", ["b"])], "the DOI is known by then"


def test_no_other_source_is_asked_for_a_title_that_one_has_found():
    first, second = Shelf("A", (paper("A", doi=""),)), Shelf("B", (paper("B", doi=""),))
    assert isinstance(found(wanted(), first, second), Resolved)
    assert (first.heard, second.heard) == ([("title", ["b"])], [])


def test_nothing_found_names_who_answered():
    result = found(wanted(), Shelf("A"), Shelf("B"))
    assert isinstance(result, Unresolved)
    assert result.why == "not found in A, B"


def test_a_silent_source_leaves_the_work_open():
    result = found(wanted(), Shelf("A"), Shelf("B", silent="unreachable"))
    assert isinstance(result, Unresolved)
    assert (result.why, result.answered) == ("B unreachable", ("A",))


def test_the_nearest_refused_work_is_named_with_the_reason():
    other = paper("A", authors=(Author("Cohen"),))
    result = found(wanted(), Shelf("A", (other,)))
    assert isinstance(result, Unresolved)
    assert [(r.paper, r.match.accepted) for r in result.refused] == [(other, False)]


def test_a_source_that_is_down_is_not_asked_again():
    down = Shelf("B", silent="unreachable")
    results = resolve([wanted(doi="10.1000/none"), wanted(key="c")], [Shelf("A"), down], Once())
    assert [r.why for r in results] == ["B unreachable", "B unreachable"]
    assert down.heard == [("id", ["b"])]


def test_with_every_source_down_each_is_asked_once_and_nothing_is_not_found():
    shelves = [Shelf(name, silent="unreachable") for name in "ABCD"]
    results = resolve([wanted(key=str(n)) for n in range(9)], shelves, Once())
    assert all(
        r.why == "A unreachable; B unreachable; C unreachable; D unreachable" for r in results
    )
    assert not any(r.answered for r in results)
    assert [len(shelf.heard) for shelf in shelves] == [1, 1, 1, 1]


def test_too_few_answers_are_silence():
    class Short(Shelf):
        def by_title(self, wanted):
            return []

    assert found(wanted(), Short("A")).why == "A gave no answer"


def test_a_doi_of_another_paper_is_not_taken_and_the_title_is_looked_for():
    birds = paper("A", title="Attention for birds", authors=(Author("Cohen"),), doi="10.1000/birds")
    right = paper("A", doi="10.1000/tide")
    result = found(wanted(doi="10.1000/birds"), Shelf("A", (birds, right)))
    assert isinstance(result, Resolved)
    assert (result.how, result.paper.doi, result.misled) == ("title", "10.1000/tide", birds)
    alone = found(wanted(doi="10.1000/birds"), Shelf("A", (birds,)))
    assert isinstance(alone, Unresolved)
    assert alone.misled == birds


def test_a_doi_of_the_same_author_misleads_only_where_the_work_has_another():
    other = paper("A", title="Wave heights off Cuxhaven", doi="10.1000/waves")
    alone = found(wanted(doi="10.1000/waves"), Shelf("A", (other,)))
    assert isinstance(alone, Unresolved)
    assert alone.misled is None
    both = found(wanted(doi="10.1000/waves"), Shelf("A", (other, paper("A"))))
    assert isinstance(both, Resolved)
    assert both.misled == other


def test_the_doi_of_the_volume_misleads_nobody():
    volume = paper("A", title="Handbook of Tides", authors=(Author("Cohen"),), doi="10.1000/vol")
    asked = wanted(doi="10.1000/vol", venue="Handbook of tides", kind="incollection")
    result = found(asked, Shelf("A", (volume, paper("A"))))
    assert isinstance(result, Resolved)
    assert result.misled is None


def test_those_who_register_identifiers_are_believed_first():
    shelves = [
        Shelf(name, (paper(name, title=title, authors=(Author("Cohen"),), doi="10.1000/x"),))
        for name, title in (("OpenAlex", "Attention for birds"), ("Crossref", "Birds of prey"))
    ]
    result = found(wanted(doi="10.1000/x"), *shelves)
    assert isinstance(result, Unresolved)
    assert result.misled is not None
    assert result.misled.source == "Crossref"


def test_of_works_that_fit_the_one_of_the_year_and_venue_is_taken():
    early = paper("A", year=2019, doi="10.1000/early", venue="Conference on Tides")
    late = paper("A", year=2020, doi="10.1000/late", venue="Journal of Tides")
    result = found(wanted(venue="Journal of Tides"), Shelf("A", (early, late)))
    assert isinstance(result, Resolved)
    assert result.paper.doi == "10.1000/late"
    assert result.source_of("doi") == "A"


def test_a_preprint_lends_its_abstract_to_the_published_work():
    printed = Shelf("A", (paper("A", abstract="", venue="Journal of Tides"),))
    preprint = Shelf("B", (paper("B", doi="", arxiv="2001.00001", venue="arXiv", year=2019),))
    result = found(wanted(), printed, preprint)
    assert isinstance(result, Resolved)
    assert (result.paper.venue, result.paper.year) == ("Journal of Tides", 2020)
    assert (result.paper.doi, result.paper.arxiv) == ("10.1000/tide", "2001.00001")
    assert result.source_of("abstract") == "B"


def test_the_readers_own_collection_comes_first_and_services_tell_of_retractions():
    own = Shelf("mine.bib", (paper("mine.bib"),))
    notice = Notice("retraction", "10.1000/notice", "2021-02-03")
    service = Shelf("A", (paper("A", notice=notice, abstract="Another abstract of it."),))
    result = found(wanted(), service, own=[own])
    assert isinstance(result, Resolved)
    assert result.source_of("abstract") == "mine.bib"
    assert result.paper.notice == notice
    assert service.heard == [("id", ["b"])]


def test_works_are_shared_out_so_that_all_sources_are_busy_at_once():
    shelves = [Shelf(name, (paper(name, doi=""),)) for name in "AB"]
    results = resolve([wanted(key=str(n)) for n in range(4)], shelves, Once())
    assert all(isinstance(r, Resolved) for r in results)
    assert [shelf.heard for shelf in shelves] == [[("title", ["0", "2"])], [("title", ["1", "3"])]]


def test_no_sources():
    assert found(wanted()).why == "no source was asked"


def test_what_answered_once_and_then_fell_silent_has_not_looked():
    class Falls(Shelf):
        def by_title(self, wanted):
            return [Silent(self.name, "unreachable") for _ in wanted]

    result = found(wanted(doi="10.1000/none"), Falls("A"), Shelf("B"))
    assert isinstance(result, Unresolved)
    assert (result.why, result.answered) == ("A unreachable", ("B",))


class Halting(Shelf):
    """Says nothing on the identifier of one of the works."""

    def by_id(self, wanted):
        answers = super().by_id(wanted)
        return [
            Silent(self.name, "is out of order") if w.key == "b" else one
            for w, one in zip(wanted, answers, strict=True)
        ]


def test_an_identifier_that_was_not_looked_up_is_not_made_good_by_an_empty_search():
    shelf = Halting("A")
    first, second = resolve(
        [wanted(doi="10.1000/tide"), wanted(key="c", doi="10.1000/none")], [shelf], Once()
    )
    assert isinstance(first, Unresolved)
    assert (first.why, first.answered) == ("A is out of order", ())
    assert second.why == "not found in A"
    assert shelf.heard == [("id", ["b", "c"]), ("title", ["b", "c"])], "it is not down"


def test_a_source_that_finds_the_work_after_all_is_silent_no_more():
    shelf = Halting("A", (paper("A"),))
    first, _ = resolve(
        [wanted(doi="10.1000/tide"), wanted(key="c", doi="10.1000/none")], [shelf], Once()
    )
    assert isinstance(first, Resolved)
    assert (first.how, first.silent) == ("title", ())


def test_another_identifier_than_the_entrys_own_misleads_nobody():
    right = paper("A", abstract="")
    birds = paper("B", title="Attention for birds", authors=(Author("Cohen"),))
    result = found(wanted(), Shelf("A", (right,)), Shelf("B", (birds,)))
    assert isinstance(result, Resolved)
    assert (result.paper.title, result.misled) == (TITLE, None)


def test_a_doi_under_which_somebody_has_the_right_work_misleads_nobody():
    birds = paper("A", title="Attention for birds", authors=(Author("Cohen"),))
    result = found(wanted(doi="10.1000/tide"), Shelf("A", (birds,)), Shelf("B", (paper("B"),)))
    assert isinstance(result, Resolved)
    assert (result.paper.title, result.misled) == (TITLE, None)


def test_an_abstract_is_not_taken_from_a_namesake_with_a_doi_of_its_own():
    first = Shelf("A", (paper("A", abstract=""),))
    second = Shelf("B", (paper("B", doi="10.1000/other"),))
    result = found(wanted(), first, second)
    assert isinstance(result, Resolved)
    assert (result.paper.doi, result.paper.abstract) == ("10.1000/tide", "")


def test_the_doi_of_a_preprint_or_of_an_erratum_is_not_called_another_works():
    waves = paper("A", title="Wave heights off Cuxhaven", doi="10.48550/arxiv.2001.00001")
    erratum = paper("A", title=f"Erratum to: {TITLE}", doi="10.1000/erratum")
    posted = paper("A", doi="10.48550/arxiv.2001.00002")
    other = replace(waves, doi="10.1000/waves")
    for under, right in ((waves, paper("A")), (erratum, paper("A")), (other, posted)):
        result = found(wanted(doi=under.doi), Shelf("A", (under, right)))
        assert isinstance(result, Resolved)
        assert result.misled is None


def test_a_doi_that_misled_is_not_asked_for_again():
    class Noting(Shelf):
        def by_id(self, wanted):
            self.heard += [("doi", w.doi, w.arxiv) for w in wanted]
            return [() if w.doi == "10.1000/birds" else (paper("B", doi=""),) for w in wanted]

    birds = paper("A", title="Attention for birds", authors=(Author("Cohen"),), doi="10.1000/birds")
    right = paper("A", doi="", arxiv="2001.00001", abstract="")
    noting = Noting("B")
    found(wanted(doi="10.1000/birds"), Shelf("A", (birds, right)), noting)
    asked = [one for one in noting.heard if one[0] == "doi"]
    assert asked == [("doi", "10.1000/birds", ""), ("doi", "", "2001.00001")]
