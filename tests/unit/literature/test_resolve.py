from dataclasses import dataclass, field

from reviser.literature.paper import Author, Paper
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
