"""arXiv's API: https://info.arxiv.org/help/api/user-manual.html. Atom, one request in three
seconds and one at a time."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, ParseError

from reviser.adapters.web.client import Broken, Question, Service
from reviser.adapters.web.looking import (
    MOST_AUTHORS,
    YEARS,
    Found,
    Looking,
    text,
    titled,
    web_address,
)
from reviser.literature.cleaning import LONGEST_NAME, abstract_of
from reviser.literature.identifiers import arxiv, arxiv_of_doi, doi
from reviser.literature.names import author_of
from reviser.literature.notices import WITHDRAWAL, says_withdrawn
from reviser.literature.paper import Notice, Paper
from reviser.literature.sources import Answer, Silent, Wanted

API = "https://export.arxiv.org/api"
NAME = "arXiv"
_AT_ONCE = 60
"""Ids in one question."""
_TITLES_AT_ONCE = 8
_LIKE = 4
"""Works asked for by title, for each of the titles that are asked for together."""
_WORDS = 12
"""Words of a title that are searched for as a phrase."""
_ALIKE = 0.8
"""The share of common words from which a work is an answer to a title."""
_ATOM = "{http://www.w3.org/2005/Atom}"
_OWN = "{http://arxiv.org/schemas/atom}"
_KINDS = ("application/atom+xml", "application/xml", "text/xml")
_WORD = re.compile(r"\w+")


def service(base_url: str) -> Service:
    """How it is asked."""
    return Service(NAME, base_url, pace=3.05, seconds=25.0)


class Arxiv(Looking):
    """A `Source`."""

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """By arXiv id, or a DOI that arXiv gave; it looks up no others."""
        names = [one.arxiv or arxiv_of_doi(one.doi) for one in wanted]
        return self._in_order("id", names, self._batch, size=_AT_ONCE)

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """Works with the first words of the title as a phrase in theirs, several titles at once."""
        titles = [" ".join(_WORD.findall(one.title)[:_WORDS]) for one in wanted]
        return self._in_order("title", titles, self._titled, size=_TITLES_AT_ONCE)

    def search(self, query: str, most: int) -> Answer:
        """Works with all of the words, as arXiv ranks them."""
        words = _WORD.findall(query)[:_WORDS]
        return self._searched(" AND ".join(f"all:{word}" for word in words), most, self._listed)

    def _batch(self, names: Sequence[str]) -> Found | Silent:
        papers = self._asked("id_list", ",".join(names), len(names))
        if isinstance(papers, Silent):
            return papers
        return {name: tuple(p for p in papers if p.arxiv == name) for name in names}

    def _titled(self, titles: Sequence[str]) -> Found | Silent:
        asked = " OR ".join(f'ti:"{title}"' for title in titles)
        papers = self._listed(asked, _LIKE * len(titles))
        if isinstance(papers, Silent):
            return papers
        return {title: _likest(title, papers) for title in titles}

    def _listed(self, words: str, most: int) -> tuple[Paper, ...] | Silent:
        return self._asked("search_query", words, most)

    def _asked(self, name: str, value: str, most: int) -> tuple[Paper, ...] | Silent:
        query = {name: value, "max_results": str(most)}
        return self._works(Question("/query", query, kinds=_KINDS), papers_of)


def _likest(wanted: str, papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """The works with enough of the words that were searched for in their title, most first."""
    asked = {word.lower() for word in _WORD.findall(wanted)}
    shared = [(len(asked & {w.lower() for w in _WORD.findall(p.title)}), p) for p in papers]
    best = sorted(shared, key=lambda pair: -pair[0])
    return tuple(paper for number, paper in best if number >= _ALIKE * len(asked))


def papers_of(body: bytes) -> tuple[Paper, ...]:
    """The works of an Atom feed. Raises ValueError for anything else, and for a feed whose one
    entry is an error."""
    from defusedxml.common import DefusedXmlException  # noqa: PLC0415 - only where arXiv is asked
    from defusedxml.ElementTree import fromstring  # noqa: PLC0415

    try:
        feed = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, LookupError) as error:
        # A lookup fails for an encoding that nobody knows.
        raise Broken("no XML") from error
    if feed.tag != f"{_ATOM}feed":
        raise Broken("no feed")
    entries = feed.findall(f"{_ATOM}entry")
    if any("/api/errors" in _text(entry, f"{_ATOM}id") for entry in entries):
        raise Broken("an error in the place of an answer")
    return tuple(paper for entry in entries if (paper := _paper(entry)) is not None)


def _paper(entry: Element) -> Paper | None:
    name = arxiv(_text(entry, f"{_ATOM}id").partition("/abs/")[2])
    title, marked = titled(_text(entry, f"{_ATOM}title"))
    if not name or not title:
        return None
    summary, comment = _text(entry, f"{_ATOM}summary"), _text(entry, f"{_OWN}comment")
    withdrawn = says_withdrawn(summary) or says_withdrawn(comment)
    kind = marked or (WITHDRAWAL if withdrawn else "")
    published = _text(entry, f"{_ATOM}published")[:4]
    people = entry.findall(f"{_ATOM}author")[:MOST_AUTHORS]
    return Paper(
        source=NAME,
        id=name,
        title=title,
        authors=tuple(
            author_of(known)
            for person in people
            if (known := text(_text(person, f"{_ATOM}name"), LONGEST_NAME))
        ),
        year=int(published) if published.isdecimal() and int(published) in YEARS else None,
        venue=text(_text(entry, f"{_OWN}journal_ref")),
        kind="misc",
        doi=doi(_text(entry, f"{_OWN}doi")),
        arxiv=name,
        abstract="" if says_withdrawn(summary) else abstract_of(summary),
        notice=Notice(kind) if kind else None,
        open_text=_pdf(entry),
        url=f"https://arxiv.org/abs/{name}",
    )


def _pdf(entry: Element) -> str:
    for link in entry.findall(f"{_ATOM}link"):
        if link.get("title") == "pdf":
            return web_address(link.get("href"))
    return ""


def _text(entry: Element, name: str) -> str:
    return (entry.findtext(name) or "").strip()
