"""What each of the four services answers to a request: it knows its parameters, and refuses what
its documentation says it refuses."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.fakes.scholar import shapes
from tests.fakes.scholar.works import Work

JSON, ATOM = "application/json", "application/atom+xml; charset=utf-8"
_STOP = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "of", "on",
     "or", "the", "to", "with"}
)  # fmt: skip
_OPENALEX_LIST = {"filter", "search", "per_page", "page", "select", "sort", "api_key", "mailto"}
_SCHOLAR_FIELDS = frozenset(
    {"paperId", "corpusId", "externalIds", "url", "title", "abstract", "venue",
     "publicationVenue", "year", "referenceCount", "citationCount", "influentialCitationCount",
     "isOpenAccess", "openAccessPdf", "fieldsOfStudy", "s2FieldsOfStudy", "publicationTypes",
     "publicationDate", "journal", "authors", "tldr"}
)  # fmt: skip
_CROSSREF_LIST = {"filter", "query.bibliographic", "rows", "select", "mailto", "offset", "sort"}
_CLAUSE = re.compile(r'(ti|all|abs|au):(?:"([^"]*)"|(\S+))')


@dataclass(frozen=True)
class Reply:
    """An answer over HTTP."""

    body: bytes
    kind: str = JSON
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Library:
    """The works, and where their texts lie."""

    works: Sequence[Work]
    pdf_of: Mapping[int, str]

    def of(self, service: str) -> list[tuple[int, Work]]:
        """The works that a service has, numbered."""
        return [(n, work) for n, work in enumerate(self.works) if work.is_in(service)]

    def pdf(self, number: int) -> str:
        """The address of a work's open text, "" for none."""
        return self.pdf_of.get(number, "")


def words(text: str) -> list[str]:
    """What a search compares: no markup, no stop words."""
    bare = re.sub(r"<[^<>]*>|&\w+;", " ", text)
    return [word for word in re.findall(r"\w+", bare.lower()) if word not in _STOP]


def as_json(value: object, status: int = 200) -> Reply:
    return Reply(json.dumps(value).encode(), status=status)


def openalex(library: Library, path: str, query: Mapping[str, str]) -> Reply:
    """GET /works and /works/{id}."""
    numbers = {work.doi: n for n, work in enumerate(library.works) if work.doi}

    def shown(number: int, work: Work) -> dict[str, Any]:
        record = shapes.openalex(work, number, numbers, library.pdf(number))
        names = query["select"].split(",") if "select" in query else list(record)
        return {name: record[name] for name in names}

    if path.startswith("/works/"):
        wanted = unquote(path.removeprefix("/works/")).removeprefix("doi:").lower()
        for number, work in library.of("openalex"):
            if work.doi == wanted:
                return as_json(shown(number, work))
        return as_json({"error": "Not Found", "message": f"{wanted} not found"}, 404)
    if path != "/works" or set(query) - _OPENALEX_LIST or int(query.get("per_page", "25")) > 100:
        return as_json({"error": "Invalid query parameters error.", "message": "no"}, 400)
    found = _openalex_found(library, query)
    most = int(query.get("per_page", "25"))
    results = [shown(number, work) for number, work in found[:most]]
    return as_json({"meta": {"count": len(found), "page": 1, "per_page": most}, "results": results})


def _openalex_found(library: Library, query: Mapping[str, str]) -> list[tuple[int, Work]]:
    every = library.of("openalex")
    name, _, value = query.get("filter", "").partition(":")
    if name == "doi":
        dois = {one.removeprefix("https://doi.org/").lower() for one in value.split("|")}
        assert len(dois) <= 100, "OpenAlex takes 100 values at most"
        return [(n, work) for n, work in every if work.doi in dois]
    if name == "ids.openalex":
        ids = {f"https://openalex.org/{one}" for one in value.split("|")}
        assert len(ids) <= 100, "OpenAlex takes 100 values at most"
        return [(n, work) for n, work in every if shapes.openalex_id(n) in ids]
    if name == "title.search":
        asked = set(words(value))
        return [(n, work) for n, work in every if asked <= set(words(work.title))]
    asked = set(words(query["search"]))
    return [(n, w) for n, w in every if asked <= set(words(f"{w.title} {w.told('openalex')}"))]


def scholar(library: Library, path: str, query: Mapping[str, str], body: bytes) -> Reply:
    """POST /paper/batch, GET /paper/search and /paper/search/match."""
    fields = query.get("fields", "paperId,title").split(",")
    if unknown := [name for name in fields if name not in _SCHOLAR_FIELDS]:
        said = f"Unrecognized or unsupported fields: [{', '.join(unknown)}]"
        return as_json({"error": said}, 400)

    def shown(number: int, work: Work) -> dict[str, Any]:
        record = shapes.scholar(work, library.pdf(number))
        return {name: record.get(name) for name in ("paperId", *fields)}

    every = library.of("semantic-scholar")
    if path == "/paper/batch":
        return _scholar_batch([(shown(n, w), w) for n, w in every], json.loads(body)["ids"])
    asked = set(words(query["query"]))
    scored = [(len(asked & set(words(w.title))) / max(1, len(asked)), n, w) for n, w in every]
    if path == "/paper/search/match":
        best = max(scored, default=None, key=lambda one: (one[0], -one[1]))
        if best is None or best[0] < 0.5:
            return as_json({"error": "Title match not found"}, 404)
        return as_json({"data": [shown(best[1], best[2]) | {"matchScore": 100 * best[0]}]})
    assert path == "/paper/search"
    more = [
        (len(asked & set(words(f"{w.title} {w.told('semantic-scholar')}"))), n, w) for n, w in every
    ]
    found = sorted((one for one in more if one[0]), key=lambda one: (-one[0], one[1]))
    if not found:
        return as_json({"total": 0, "offset": 0})
    data = [shown(n, w) for _, n, w in found[: int(query.get("limit", "100"))]]
    return as_json({"total": len(found), "offset": 0, "data": data})


def _scholar_batch(every: Sequence[tuple[dict[str, Any], Work]], ids: Sequence[str]) -> Reply:
    assert len(ids) <= 500, "Semantic Scholar takes 500 ids at most"
    known: dict[str, dict[str, Any]] = {}
    for record, work in every:
        if work.doi:
            known[f"DOI:{work.doi}".lower()] = record
        if work.arxiv:
            known[f"ARXIV:{work.arxiv}".lower()] = record
    found = [known.get(name.lower()) for name in ids]
    if not any(found):
        return as_json({"error": "No valid paper ids given"}, 400)
    return as_json(found)


def crossref(library: Library, path: str, query: Mapping[str, str]) -> Reply:
    """GET /works and /works/{doi}."""
    every = library.of("crossref")
    if path.startswith("/works/"):
        wanted = unquote(path.removeprefix("/works/")).lower()
        if set(query) - {"mailto"}:
            return as_json({"status": "failed", "message-type": "validation-failure"}, 400)
        for number, work in every:
            if work.doi == wanted:
                item = shapes.crossref(work, library.pdf(number))
                return as_json({"status": "ok", "message-type": "work", "message": item})
        return Reply(b"Resource not found.", "text/plain", 404)
    if set(query) - _CROSSREF_LIST or int(query.get("rows", "20")) > 1000:
        return as_json({"status": "failed", "message-type": "validation-failure"}, 400)
    if "filter" in query:
        dois = {one.partition(":")[2].lower() for one in query["filter"].split(",")}
        found = [(n, work) for n, work in every if work.doi in dois]
    else:
        asked = set(words(query["query.bibliographic"]))
        scored = [
            (len(asked & set(words(f"{w.title} {' '.join(w.authors)} {w.year}"))), n, w)
            for n, w in every
        ]
        best = sorted((one for one in scored if one[0]), key=lambda one: (-one[0], one[1]))
        found = [(n, w) for _, n, w in best]
    most = int(query.get("rows", "20"))
    message = {
        "total-results": len(found),
        "items-per-page": most,
        "items": [shapes.crossref(work, library.pdf(n)) for n, work in found[:most]],
    }
    return as_json({"status": "ok", "message-type": "work-list", "message": message})


def arxiv(library: Library, path: str, query: Mapping[str, str]) -> Reply:
    """GET /api/query with id_list or search_query."""
    assert path == "/api/query"
    every = [work for _, work in library.of("arxiv")]
    most = int(query.get("max_results", "10"))
    if "id_list" in query:
        ids = query["id_list"].split(",")
        if not all(re.fullmatch(r"[\w.\-]+(/\d{7})?(v\d+)?", one) for one in ids):
            return Reply(shapes.feed([shapes.ERROR_ENTRY], "").encode(), ATOM, 400)
        found = [work for one in ids for work in every if work.arxiv == one]
    else:
        found = [work for work in every if _matches(query["search_query"], work)]
    entries = [shapes.arxiv(work) for work in found[:most]]
    return Reply(shapes.feed(entries, query.get("search_query", "")).encode(), ATOM)


def _matches(query: str, work: Work) -> bool:
    return any(
        all(_has(clause, work) for clause in _CLAUSE.findall(part)) for part in query.split(" OR ")
    )


def _has(clause: tuple[str, str, str], work: Work) -> bool:
    name, phrase, word = clause
    there = {"ti": work.title, "all": f"{work.title} {work.told('arxiv')}"}[name]
    run = " ".join(re.findall(r"\w+", there.lower()))
    asked = " ".join(re.findall(r"\w+", (phrase or word).lower()))
    return f" {asked} " in f" {run} "
