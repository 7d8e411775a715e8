"""The library that the fake services share."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SERVICES = ("openalex", "semantic-scholar", "crossref", "arxiv")


@dataclass(frozen=True)
class Update:
    """What was published about a work: a kind as Crossref calls it, its DOI and date."""

    kind: str = "retraction"
    doi: str = "10.5555/notice"
    date: tuple[int, int, int] = (2021, 3, 4)


@dataclass(frozen=True)
class Work:
    """A work of the library. `kind` is an entry type of BibTeX; `cites` are DOIs.

    A work without a DOI is not in Crossref, one without an arXiv id not at arXiv; `absent` names
    further services that lack it, `no_abstract` those that have it without an abstract. `raw` are
    members put into a service's own record in the end, whatever they would have been. `pdf` is
    the open text, `licence` as OpenAlex calls it.
    """

    title: str
    authors: tuple[str, ...] = ("Ada Byron",)
    year: int = 2020
    venue: str = "Journal of Kites"
    kind: str = "article"
    doi: str = ""
    arxiv: str = ""
    abstract: str = ""
    cited_by: int = 0
    cites: tuple[str, ...] = ()
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = "Kite Press"
    update: Update | None = None
    pdf: bytes | None = None
    licence: str | None = None
    absent: frozenset[str] = frozenset()
    no_abstract: frozenset[str] = frozenset()
    raw: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def told(self, service: str) -> str:
        """The abstract that a service has."""
        return "" if service in self.no_abstract else self.abstract

    def is_in(self, service: str) -> bool:
        """Whether a service has it."""
        needed = {"crossref": self.doi, "arxiv": self.arxiv}.get(service, "yes")
        return bool(needed) and service not in self.absent
