"""OpenAlex: https://developers.openalex.org. A free key is needed for more than a few questions a
day; looking works up by DOI costs next to nothing, a search ten times as much."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from reviser.adapters.web.client import Broken, Missing, Question, Service, as_json
from reviser.adapters.web.looking import (
    LONGEST_QUERY,
    MOST_AUTHORS,
    MOST_CITED,
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
from reviser.literature.notices import RETRACTION
from reviser.literature.paper import Notice, Paper
from reviser.literature.sources import Answer, Silent, Wanted

API = "https://api.openalex.org"
NAME = "OpenAlex"
_AT_ONCE = 40
"""DOIs in one question; 100 are allowed, in an address of at most 4 KB."""
_LIKE = 6
"""Works asked for by title."""
_LONGEST_ABSTRACT = 3000
"""Words."""
_FIELDS = (
    "id,doi,title,authorships,publication_year,type,primary_location,best_oa_location,locations,"
    "biblio,cited_by_count,is_retracted,referenced_works,abstract_inverted_index"
)
_KINDS = {
    "book": "book",
    "book-chapter": "incollection",
    "dissertation": "phdthesis",
    "preprint": "misc",
    "dataset": "misc",
    "report": "techreport",
}
_OWN_ID = re.compile(r"W\d{1,15}")
_SYNTAX = re.compile(r"[^\w\s'’.\-]+")
_LOGIC = re.compile(r"\b(AND|OR|NOT)\b")


def service(base_url: str, *, key: str, mail: str) -> Service:
    """How it is asked: at most 100 times a second, says its documentation; we go slower."""
    secrets = {name: value for name, value in (("api_key", key), ("mailto", mail)) if value}
    return Service(
        NAME, base_url, pace=0.1, at_once=4, seconds=20.0, secrets=secrets, keyed=bool(key)
    )


class OpenAlex(Looking):
    """A `Source`."""

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """By DOI, among them those that arXiv gives its papers."""
        names = [_dois(one) for one in wanted]
        every = [name for some in names for name in some]
        plain = [name for name in every if not _SYNTAX_IN_FILTER.search(name)]
        odd = [name for name in every if _SYNTAX_IN_FILTER.search(name)]
        found = {
            **self._answers("doi", plain, self._batch, size=_AT_ONCE),
            **self._answers("doi", odd, self._single),
        }
        return [together([found[name] for name in some]) for some in names]

    def by_own_id(self, ids: Sequence[str]) -> Sequence[Answer]:
        """By the ids that OpenAlex gives works (W2741809807), as they stand in `Paper.cites`."""
        names = [name if _OWN_ID.fullmatch(name) else "" for name in ids]
        return self._in_order("own id", names, self._own, size=_AT_ONCE)

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """Works whose title has all the words of the wanted one's."""
        return self._in_order("title", [_words(one.title) for one in wanted], self._titled)

    def search(self, query: str, most: int) -> Answer:
        """Works whose title, abstract or text has the words, as OpenAlex ranks them."""
        return self._searched(_words(query), most, self._found)

    def _found(self, words: str, most: int) -> tuple[Paper, ...] | Silent:
        return self._listed({"search": words, "per_page": str(most)})

    def _batch(self, names: Sequence[str]) -> Found | Silent:
        papers = self._listed({"filter": f"doi:{'|'.join(names)}", "per_page": str(MOST_FOUND)})
        if isinstance(papers, Silent):
            return papers
        return {name: tuple(p for p in papers if p.doi == name) for name in names}

    def _own(self, names: Sequence[str]) -> Found | Silent:
        own = "|".join(names)
        papers = self._listed({"filter": f"ids.openalex:{own}", "per_page": str(MOST_FOUND)})
        if isinstance(papers, Silent):
            return papers
        return {paper.id: (paper,) for paper in papers}

    def _single(self, names: Sequence[str]) -> Found | Silent:
        name = names[0]
        question = Question(f"/works/doi:{quote(name, safe='')}", {"select": _FIELDS})
        said = self._web.ask(self._service, question, lambda body: paper_of(_work(as_json(body))))
        if isinstance(said, Silent):
            return said
        return {} if isinstance(said, Missing) or said is None else {name: (said,)}

    def _titled(self, titles: Sequence[str]) -> Found | Silent:
        papers = self._listed({"filter": f"title.search:{titles[0]}", "per_page": str(_LIKE)})
        return papers if isinstance(papers, Silent) else {titles[0]: papers}

    def _listed(self, query: Mapping[str, str]) -> tuple[Paper, ...] | Silent:
        return self._works(Question("/works", {**query, "select": _FIELDS}), _papers)


_SYNTAX_IN_FILTER = re.compile(r"[,|!\"+<>&#?%\s]")


def _dois(wanted: Wanted) -> tuple[str, ...]:
    ours = f"10.48550/arxiv.{wanted.arxiv}" if wanted.arxiv else ""
    return tuple(dict.fromkeys(name for name in (wanted.doi, ours) if name))


def _words(title: str) -> str:
    """The words of a title without what OpenAlex would take for syntax."""
    bare = _LOGIC.sub(lambda word: word.group().lower(), _SYNTAX.sub(" ", title))
    return cut(" ".join(bare.split()), LONGEST_QUERY)


def _papers(body: bytes) -> tuple[Paper, ...]:
    results = table(as_json(body)).get("results")
    if not isinstance(results, list):
        raise Broken("no results")
    return tuple(paper for item in rows(results) if (paper := paper_of(item)) is not None)


def _work(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise Broken("no work")
    return value


def paper_of(work: Mapping[str, object]) -> Paper | None:
    """A work as OpenAlex describes it, None for one without a name or a title."""
    name = text(work.get("id")).rpartition("/")[2]
    title, marked = titled(work.get("title") or work.get("display_name"))
    if not name or not title:
        return None
    place = table(work.get("primary_location"))
    venue = table(place.get("source"))
    biblio = table(work.get("biblio"))
    own_doi = doi(text(work.get("doi")))
    pages = [text(biblio.get(end), 40) for end in ("first_page", "last_page")]
    address, licence = _open(work)
    kind = RETRACTION if work.get("is_retracted") is True else marked
    return Paper(
        source=NAME,
        id=name,
        title=title,
        authors=tuple(
            author_of(known)
            for row in rows(work.get("authorships"), MOST_AUTHORS)
            if (known := text(table(row.get("author")).get("display_name"), LONGEST_NAME))
        ),
        year=year(work.get("publication_year")),
        venue=text(venue.get("display_name")),
        kind=_kind(text(work.get("type")), text(venue.get("type"))),
        doi=own_doi,
        arxiv=_arxiv(work, own_doi),
        abstract=_abstract(work.get("abstract_inverted_index")),
        cited_by=number(work.get("cited_by_count")),
        cites=tuple(
            cited.rpartition("/")[2][:40]
            for cited in texts(work.get("referenced_works"), MOST_CITED)
        ),
        notice=Notice(kind) if kind else None,
        open_text=address,
        licence=licence,
        volume=text(biblio.get("volume"), 40),
        number=text(biblio.get("issue"), 40),
        pages="--".join(dict.fromkeys(page for page in pages if page)),
        publisher=text(venue.get("host_organization_name")),
        url=web_address(place.get("landing_page_url")),
    )


def _kind(kind: str, venue: str) -> str:
    if kind in _KINDS:
        return _KINDS[kind]
    return {"conference": "inproceedings", "journal": "article"}.get(venue, "article")


def _arxiv(work: Mapping[str, object], own_doi: str) -> str:
    """The arXiv id: of its DOI, else of a place on arXiv where it lies."""
    if known := arxiv_of_doi(own_doi):
        return known
    for place in rows(work.get("locations"), 50):
        address = text(place.get("landing_page_url"))
        if re.match(r"https?://(?:www\.)?arxiv\.org/abs/", address):
            return arxiv(address.partition("/abs/")[2])
    return ""


def _open(work: Mapping[str, object]) -> tuple[str, str]:
    """Where its open text lies, and under which licence."""
    place = table(work.get("best_oa_location"))
    address = web_address(place.get("pdf_url"))
    return address, licence_of(text(place.get("license"), 200)) if address else ""


def _abstract(index: object) -> str:
    """The abstract out of its inverted index: the places of each word."""
    if not isinstance(index, dict):
        return ""
    at: dict[int, str] = {}
    for word, places in index.items():
        for place in places if isinstance(places, list) else ():
            if isinstance(place, int) and 0 <= place < _LONGEST_ABSTRACT:
                at[place] = word
    return abstract_of(" ".join(at[place] for place in sorted(at)))
