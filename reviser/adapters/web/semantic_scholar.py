"""Semantic Scholar's Academic Graph: https://api.semanticscholar.org/api-docs/graph. Everybody
without a key shares one allowance, which is often used up; with one it is a request a second."""

import json
from collections.abc import Mapping, Sequence

from reviser.adapters.web.client import Broken, Missing, Question, Service, as_json
from reviser.adapters.web.looking import (
    LONGEST_QUERY,
    MOST_AUTHORS,
    MOST_FOUND,
    Found,
    Looking,
    number,
    rows,
    table,
    text,
    texts,
    titled,
    together,
    web_address,
    year,
)
from reviser.literature.cleaning import LONGEST_NAME, abstract_of, cut
from reviser.literature.identifiers import arxiv, arxiv_of_doi, doi
from reviser.literature.licences import licence_of
from reviser.literature.names import author_of
from reviser.literature.paper import Notice, Paper
from reviser.literature.sources import Answer, Silent, Wanted

API = "https://api.semanticscholar.org/graph/v1"
NAME = "Semantic Scholar"
_AT_ONCE = 200
"""Ids in one question; 500 are allowed, and an answer of at most 10 MB."""
_FIELDS = (
    "paperId,externalIds,title,abstract,venue,year,authors,journal,publicationTypes,"
    "citationCount,openAccessPdf,url"
)
_NONE_KNOWN = b"No valid paper ids given"
_KINDS = (
    ("Conference", "inproceedings"),
    ("JournalArticle", "article"),
    ("BookSection", "incollection"),
    ("Book", "book"),
)


def service(base_url: str, *, key: str) -> Service:
    """How it is asked: once a second, one request at a time."""
    headers = {"x-api-key": key} if key else {}
    return Service(NAME, base_url, pace=1.05, seconds=20.0, headers=headers, keyed=bool(key))


class SemanticScholar(Looking):
    """A `Source`."""

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """By DOI and arXiv id, all of them at once."""
        names = [_ids(one) for one in wanted]
        every = [name for some in names for name in some]
        found = self._answers("id", every, self._batch, size=_AT_ONCE)
        return [together([found[name] for name in some]) for some in names]

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """The one work whose title is most like the wanted one's."""
        return self._in_order("title", [_words(one.title) for one in wanted], self._matched)

    def search(self, query: str, most: int) -> Answer:
        """Works on the matter of the words, as Semantic Scholar ranks them."""
        return self._searched(_words(query), most, self._found)

    def _found(self, words: str, most: int) -> tuple[Paper, ...] | Silent:
        query = {"query": words, "limit": str(most), "fields": _FIELDS}
        return self._works(Question("/paper/search", query), _listed)

    def _batch(self, names: Sequence[str]) -> Found | Silent:
        question = Question(
            "/paper/batch",
            {"fields": _FIELDS},
            json=json.dumps({"ids": names}),
            lacking=_NONE_KNOWN,
        )

        def read(body: bytes) -> Found:
            answered = as_json(body)
            if not isinstance(answered, list) or len(answered) != len(names):
                raise Broken("not an answer to each id")
            papers = [paper_of(item) if isinstance(item, dict) else None for item in answered]
            return {n: (paper,) for n, paper in zip(names, papers, strict=True) if paper}

        said = self._web.ask(self._service, question, read)
        return {} if isinstance(said, Missing) else said

    def _matched(self, titles: Sequence[str]) -> Found | Silent:
        question = Question("/paper/search/match", {"query": titles[0], "fields": _FIELDS})
        papers = self._works(question, _listed)
        return papers if isinstance(papers, Silent) else {titles[0]: papers}


def _ids(wanted: Wanted) -> tuple[str, ...]:
    ours = wanted.arxiv or arxiv_of_doi(wanted.doi)
    name = f"DOI:{wanted.doi}" if wanted.doi and not arxiv_of_doi(wanted.doi) else ""
    return tuple(one for one in (name, f"ARXIV:{ours}" if ours else "") if one)


def _words(title: str) -> str:
    """A title for a search: there is no syntax, but a hyphen between words finds nothing."""
    return cut(" ".join(title.replace("-", " ").split()), LONGEST_QUERY)


def _listed(body: bytes) -> tuple[Paper, ...]:
    answered = as_json(body)
    # A search without a result has no data at all.
    if not isinstance(answered, dict) or ("data" not in answered and "total" not in answered):
        raise Broken("no data")
    papers = (paper_of(item) for item in rows(answered.get("data"), MOST_FOUND))
    return tuple(paper for paper in papers if paper is not None)


def paper_of(item: Mapping[str, object]) -> Paper | None:
    """A work as Semantic Scholar describes it, None for one without a name or a title."""
    name, (title, marked) = text(item.get("paperId")), titled(item.get("title"))
    if not name or not title:
        return None
    ids = table(item.get("externalIds"))
    journal = table(item.get("journal"))
    own_doi = doi(text(ids.get("DOI")))
    place = table(item.get("openAccessPdf"))
    address = web_address(place.get("url"))
    said = item.get("abstract")
    return Paper(
        source=NAME,
        id=name,
        title=title,
        authors=tuple(
            author_of(known)
            for row in rows(item.get("authors"), MOST_AUTHORS)
            if (known := text(row.get("name"), LONGEST_NAME))
        ),
        year=year(item.get("year")),
        venue=text(item.get("venue")) or text(journal.get("name")),
        kind=_kind(texts(item.get("publicationTypes"), 10)),
        doi=own_doi,
        arxiv=arxiv(text(ids.get("ArXiv"))) or arxiv_of_doi(own_doi),
        abstract=abstract_of(said) if isinstance(said, str) else "",
        cited_by=number(item.get("citationCount")),
        notice=Notice(marked) if marked else None,
        open_text=address,
        licence=licence_of(text(place.get("license"), 200)) if address else "",
        volume=text(journal.get("volume"), 40),
        pages=_pages(text(journal.get("pages"), 60)),
        url=web_address(item.get("url")),
    )


def _kind(types: Sequence[str]) -> str:
    return next(
        (kind for name, kind in _KINDS if name in types), "misc" if not types else "article"
    )


def _pages(pages: str) -> str:
    ends = [end.strip() for end in pages.replace("–", "-").split("-") if end.strip()]
    return "--".join(ends) if len(ends) <= 2 else pages
