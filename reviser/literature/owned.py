"""The entries of a bibliography as papers of the corpus."""

from collections.abc import Iterable
from dataclasses import replace

from reviser.latex.elements import BibEntry
from reviser.literature.joining import title_key
from reviser.literature.paper import Author, Paper
from reviser.literature.wanted import wanted_of

BIBLIOGRAPHY = "bibliography"
_LONGEST_ID = 120


def told_apart(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Papers of a file under ids that stay with them: the key or number that an entry has in a
    file names another work in the next, so the title's key takes its place."""
    return tuple(replace(paper, id=title_key(paper.title)[:_LONGEST_ID]) for paper in papers)


def papers_of(entries: Iterable[BibEntry]) -> tuple[Paper, ...]:
    """What the entries say of their works, those without a title left out. Their source is
    "bibliography", their ids are as `told_apart` says."""
    found = []
    for entry in entries:
        wanted = wanted_of(entry)
        if not title_key(wanted.title):
            continue
        found.append(
            Paper(
                source=BIBLIOGRAPHY,
                id=entry.key,
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
    return told_apart(found)
