"""The entries of a bibliography as papers of the corpus."""

from collections.abc import Iterable

from reviser.latex.elements import BibEntry
from reviser.literature.joining import title_key
from reviser.literature.paper import Author, Paper
from reviser.literature.wanted import wanted_of

BIBLIOGRAPHY = "bibliography"
_LONGEST_ID = 120


def papers_of(entries: Iterable[BibEntry]) -> tuple[Paper, ...]:
    """What the entries say of their works, those without a title left out.

    Their source is "bibliography", and their id there the key of the title: a citation key names
    one work in this paper and may name another in the next.
    """
    found = []
    for entry in entries:
        wanted = wanted_of(entry)
        key = title_key(wanted.title)
        if not key:
            continue
        found.append(
            Paper(
                source=BIBLIOGRAPHY,
                id=key[:_LONGEST_ID],
                title=wanted.title,
                authors=tuple(Author(family) for family in wanted.authors),
                year=wanted.year,
                venue=wanted.venue,
                kind=wanted.kind,
                doi=wanted.doi,
                arxiv=wanted.arxiv,
                abstract=entry.get("abstract"),
                volume=entry.get("volume"),
                number=entry.get("number"),
                pages=entry.get("pages"),
                publisher=entry.get("publisher"),
            )
        )
    return tuple(found)
