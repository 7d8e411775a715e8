"""Crossref's REST API: https://www.crossref.org/documentation/retrieve-metadata/rest-api/. No key;
who gives a mail address is served from a faster pool. Only works with a DOI of Crossref's own are
there, with the notices of their retraction."""

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
    listed,
    number,
    rows,
    table,
    text,
    texts,
    titled,
    web_address,
    year,
)
from reviser.literature.cleaning import LONGEST, LONGEST_NAME, abstract_of, cut
from reviser.literature.identifiers import arxiv_of_doi, doi
from reviser.literature.licences import licence_of
from reviser.literature.notices import gravity, kind_of_update
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.sources import Answer, Silent, Wanted

API = "https://api.crossref.org"
NAME = "Crossref"
_AT_ONCE = 30
"""DOIs in one question; their works come with all their references."""
_LIKE = 5
"""Works asked for by title."""
_KINDS = {
    "journal-article": "article",
    "proceedings-article": "inproceedings",
    "book-chapter": "incollection",
    "book-section": "incollection",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "proceedings": "proceedings",
    "dissertation": "phdthesis",
    "report": "techreport",
}
_SYNTAX_IN_FILTER = re.compile(r"[,\s]")


def service(base_url: str, *, mail: str) -> Service:
    """How it is asked: lists once a second without a mail address, three times with one."""
    return Service(
        NAME,
        base_url,
        pace=0.4 if mail else 1.05,
        seconds=25.0,
        secrets={"mailto": mail} if mail else {},
    )


class Crossref(Looking):
    """A `Source`."""

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """By DOI, but for those that arXiv gives, which are registered elsewhere."""
        names = ["" if arxiv_of_doi(one.doi) else one.doi for one in wanted]
        plain = [name for name in names if name and not _SYNTAX_IN_FILTER.search(name)]
        odd = [name for name in names if _SYNTAX_IN_FILTER.search(name)]
        found = {
            **self._answers("doi", plain, self._batch, size=_AT_ONCE),
            **self._answers("doi", odd, self._single),
        }
        return [found[name] for name in names]

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """Works that fit the reference best: its title, first author and year together."""
        references = [_reference(one) for one in wanted]
        return self._in_order("reference", references, self._fitting)

    def search(self, query: str, most: int) -> Answer:
        """Works with the words in their data; Crossref does not search texts."""
        return self._searched(cut(" ".join(query.split()), LONGEST_QUERY), most, self._listed)

    def _batch(self, names: Sequence[str]) -> Found | Silent:
        some = ",".join(f"doi:{name}" for name in names)
        question = Question("/works", {"filter": some, "rows": str(len(names))})
        papers = self._asked(question, every=True)
        if isinstance(papers, Silent):
            return papers
        return {name: tuple(p for p in papers if p.doi == name) for name in names}

    def _single(self, names: Sequence[str]) -> Found | Silent:
        question = Question(f"/works/{quote(names[0], safe='')}")
        said = self._web.ask(self._service, question, lambda body: paper_of(_message(body)))
        if isinstance(said, Silent):
            return said
        return {} if isinstance(said, Missing) or said is None else {names[0]: (said,)}

    def _fitting(self, references: Sequence[str]) -> Found | Silent:
        papers = self._listed(references[0], _LIKE)
        return papers if isinstance(papers, Silent) else {references[0]: papers}

    def _listed(self, words: str, most: int) -> tuple[Paper, ...] | Silent:
        query = {"query.bibliographic": words, "rows": str(most)}
        return self._asked(Question("/works", query), every=False)

    def _asked(self, question: Question, *, every: bool) -> tuple[Paper, ...] | Silent:
        """The works of a list; unless `every` one is wanted, without the notices on others."""

        def read(body: bytes) -> tuple[Paper, ...]:
            items = _message(body).get("items")
            if not isinstance(items, list):
                raise Broken("no items")
            kept = [item for item in rows(items, MOST_FOUND) if every or not _is_notice(item)]
            return tuple(paper for item in kept if (paper := paper_of(item)) is not None)

        return self._works(question, read)


def _reference(wanted: Wanted) -> str:
    if not wanted.title:
        return ""
    year = str(wanted.year) if wanted.year else ""
    parts = [cut(wanted.title, LONGEST_QUERY), *wanted.authors[:1], year]
    return " ".join(" ".join(parts).split())


def _message(body: bytes) -> Mapping[str, object]:
    message = table(as_json(body)).get("message")
    if not isinstance(message, dict):
        raise Broken("no message")
    return message


def _is_notice(item: Mapping[str, object]) -> bool:
    """Whether it only tells that another work is retracted or the like."""
    return any(kind_of_update(text(row.get("type"))) for row in rows(item.get("update-to")))


def paper_of(item: Mapping[str, object]) -> Paper | None:
    """A work as Crossref describes it, None for one without a DOI or a title."""
    own_doi, (title, marked) = doi(text(item.get("DOI"))), _title(item)
    if not own_doi or not title:
        return None
    said = item.get("abstract")
    kind = text(item.get("type"))
    venue = next((text(one) for one in texts(item.get("container-title"))), "")
    address, licence = _open(item)
    return Paper(
        source=NAME,
        id=own_doi,
        title=title,
        authors=tuple(_authors(item)),
        year=_year(item),
        venue=venue,
        kind=_KINDS.get(kind, "misc"),
        doi=own_doi,
        abstract=abstract_of(said) if isinstance(said, str) else "",
        cited_by=number(item.get("is-referenced-by-count")),
        cites=tuple(
            f"doi:{cited}"
            for row in rows(item.get("reference"), MOST_CITED)
            if (cited := doi(text(row.get("DOI"))))
        ),
        notice=_notice(item, marked),
        open_text=address,
        licence=licence,
        volume=text(item.get("volume"), 40),
        number=text(item.get("issue"), 40),
        pages=re.sub(r"\s*[-–—]+\s*", "--", text(item.get("page"), 60)),
        publisher=text(item.get("publisher")),
        url=web_address(item.get("URL")),
    )


def _title(item: Mapping[str, object]) -> tuple[str, str]:
    """The title with its subtitle, and the notice that stands before it."""
    titles, subtitles = texts(item.get("title"), 3), texts(item.get("subtitle"), 3)
    title, marked = titled(titles[0] if titles else "")
    more = text(subtitles[0]) if subtitles else ""
    if title and more and more.lower() not in title.lower():
        title = cut(f"{title.rstrip(': ')}: {more}", LONGEST)
    return title, marked


def _authors(item: Mapping[str, object]) -> Sequence[Author]:
    people = rows(item.get("author"), MOST_AUTHORS) or rows(item.get("editor"), MOST_AUTHORS)
    found = [
        Author(
            text(row.get("family"), LONGEST_NAME) or text(row.get("name"), LONGEST_NAME),
            text(row.get("given"), LONGEST_NAME),
        )
        for row in people
    ]
    return [author for author in found if author.family]


def _year(item: Mapping[str, object]) -> int | None:
    """The year in which it appeared first; one that is in print later has the year of the print
    in most bibliographies, but not in all."""
    for name in ("published-print", "published", "issued", "published-online", "posted"):
        if (found := _date(table(item.get(name)))) and found[0]:
            return year(found[0])
    return None


def _date(value: Mapping[str, object]) -> list[int]:
    """Year, month and day, as far as they are known."""
    parts = listed(value.get("date-parts"))
    first = listed(parts[0]) if parts else []
    return [part for part in first[:3] if isinstance(part, int)]


def _notice(item: Mapping[str, object], marked: str) -> Notice | None:
    """The gravest that was published about it."""
    found = [
        Notice(kind, doi(text(row.get("DOI"))), _iso(_date(table(row.get("updated")))))
        for row in rows(item.get("updated-by"))
        if (kind := kind_of_update(text(row.get("type"))))
    ]
    found += [Notice(marked)] if marked else []
    return min(found, key=lambda notice: gravity(notice.kind), default=None)


def _iso(parts: Sequence[int]) -> str:
    return "-".join(f"{part:04d}" if n == 0 else f"{part:02d}" for n, part in enumerate(parts))


def _open(item: Mapping[str, object]) -> tuple[str, str]:
    """The PDF that anybody may have, where the licence that holds for it is a free one."""
    for row in rows(item.get("license"), 20):
        licence = licence_of(text(row.get("URL")))
        if licence and text(row.get("content-version")) in {"vor", "am", "unspecified", ""}:
            for link in rows(item.get("link"), 20):
                address = web_address(link.get("URL"))
                if address and text(link.get("content-type")) == "application/pdf":
                    return address, licence
    return "", ""
