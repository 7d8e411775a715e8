"""One work in the records of four services, in the shapes of their public documentation:

OpenAlex   https://developers.openalex.org/api-reference/works
Scholar    https://api.semanticscholar.org/api-docs/graph
Crossref   https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md
arXiv      https://info.arxiv.org/help/api/user-manual.html
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from tests.fakes.scholar.works import Work

_OPENALEX_TYPES = {"inproceedings": "article", "misc": "preprint", "incollection": "book-chapter"}
_CROSSREF_TYPES = {
    "article": "journal-article",
    "inproceedings": "proceedings-article",
    "incollection": "book-chapter",
    "book": "book",
    "misc": "posted-content",
}
_SCHOLAR_TYPES = {"article": "JournalArticle", "inproceedings": "Conference", "book": "Book"}


def inverted(abstract: str) -> dict[str, list[int]] | None:
    """The places of each word."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(abstract.split()):
        index.setdefault(word, []).append(place)
    return index or None


def openalex_id(number: int) -> str:
    return f"https://openalex.org/W{2_000_000_000 + number}"


def openalex(work: Work, number: int, numbers: Mapping[str, int], pdf: str) -> dict[str, Any]:
    """A Work object; `numbers` are those of the works by DOI, `pdf` where its text lies."""
    source = {
        "id": "https://openalex.org/S1",
        "display_name": work.venue,
        "issn_l": None,
        "type": "conference" if work.kind == "inproceedings" else "journal",
        "host_organization_name": work.publisher,
    }
    landing = f"https://doi.org/{work.doi}" if work.doi else f"https://arxiv.org/abs/{work.arxiv}"
    location = {
        "is_oa": bool(pdf),
        "landing_page_url": landing,
        "pdf_url": pdf or None,
        "source": source,
        "license": work.licence,
        "version": "publishedVersion",
        "is_accepted": True,
        "is_published": True,
    }
    at_arxiv = {
        "is_oa": True,
        "landing_page_url": f"http://arxiv.org/abs/{work.arxiv}",
        "pdf_url": f"https://arxiv.org/pdf/{work.arxiv}",
        "source": {"display_name": "arXiv (Cornell University)", "type": "repository"},
        "license": None,
        "version": "submittedVersion",
    }
    first, _, last = work.pages.partition("-")
    return {
        "id": openalex_id(number),
        "doi": f"https://doi.org/{work.doi}" if work.doi else None,
        "title": work.title,
        "display_name": work.title,
        "publication_year": work.year,
        "publication_date": f"{work.year}-05-01",
        "ids": {"openalex": openalex_id(number)},
        "language": "en",
        "type": _OPENALEX_TYPES.get(work.kind, work.kind),
        "primary_location": location,
        "locations": [location, *([at_arxiv] if work.arxiv else [])],
        "best_oa_location": location if pdf else None,
        "authorships": [
            {
                "author_position": "first" if n == 0 else "middle",
                "author": {"id": f"https://openalex.org/A{n}", "display_name": name, "orcid": None},
                "institutions": [],
                "raw_author_name": name,
            }
            for n, name in enumerate(work.authors)
        ],
        "biblio": {
            "volume": work.volume or None,
            "issue": work.number or None,
            "first_page": first or None,
            "last_page": last or first or None,
        },
        "cited_by_count": work.cited_by,
        "is_retracted": work.update is not None and work.update.kind == "retraction",
        "is_paratext": False,
        "referenced_works": [openalex_id(numbers[d]) for d in work.cites if d in numbers],
        "abstract_inverted_index": inverted(work.told("openalex")),
        **work.raw.get("openalex", {}),
    }


def scholar_id(work: Work) -> str:
    return hashlib.sha1(f"{work.doi}{work.arxiv}{work.title}".encode()).hexdigest()  # noqa: S324


def scholar(work: Work, pdf: str) -> dict[str, Any]:
    """A FullPaper with every field that is asked for."""
    ids = {"CorpusId": 7, "DOI": work.doi.upper(), "ArXiv": work.arxiv}
    kind = _SCHOLAR_TYPES.get(work.kind)
    return {
        "paperId": scholar_id(work),
        "externalIds": {name: value for name, value in ids.items() if value},
        "url": f"https://www.semanticscholar.org/paper/{scholar_id(work)}",
        "title": work.title,
        "abstract": work.told("semantic-scholar") or None,
        "venue": work.venue,
        "year": work.year,
        "authors": [{"authorId": str(n), "name": name} for n, name in enumerate(work.authors)],
        "journal": {"name": work.venue, "volume": work.volume or None, "pages": work.pages},
        "publicationTypes": [kind] if kind else None,
        "citationCount": work.cited_by,
        "openAccessPdf": {
            "url": pdf,
            "status": "GOLD" if pdf else "CLOSED",
            "license": (work.licence or "").replace("-", "").upper() or None,
            "disclaimer": "Notice: see the publisher for the licence.",
        },
        **work.raw.get("semantic-scholar", {}),
    }


def crossref(work: Work, pdf: str) -> dict[str, Any]:
    """A work as a member of a list."""
    date = {"date-parts": [[work.year, 5, 1]]}
    item: dict[str, Any] = {
        "DOI": work.doi,
        "URL": f"https://doi.org/{work.doi}",
        "type": _CROSSREF_TYPES.get(work.kind, "other"),
        "title": [work.title],
        "author": [
            {
                "given": name.rpartition(" ")[0],
                "family": name.rpartition(" ")[2],
                "sequence": "first" if n == 0 else "additional",
                "affiliation": [],
            }
            for n, name in enumerate(work.authors)
        ],
        "container-title": [work.venue] if work.venue else [],
        "publisher": work.publisher,
        "issued": date,
        "published": date,
        "is-referenced-by-count": work.cited_by,
        "reference-count": len(work.cites),
        "reference": [
            {"key": f"ref{n}", "doi-asserted-by": "crossref", "DOI": doi}
            for n, doi in enumerate(work.cites)
        ],
        "score": 1.0,
    }
    optional = {"volume": work.volume, "issue": work.number, "page": work.pages}
    item |= {name: value for name, value in optional.items() if value}
    if abstract := work.told("crossref"):
        item["abstract"] = f"<jats:title>Abstract</jats:title><jats:p>{escape(abstract)}</jats:p>"
    if work.update is not None:
        update = work.update
        item["updated-by"] = [
            {
                "DOI": update.doi,
                "type": update.kind,
                "label": update.kind.replace("_", " ").title(),
                "source": "publisher",
                "updated": {"date-parts": [list(update.date)]},
            }
        ]
    if pdf and (work.licence or "").startswith("cc-by"):
        parts = work.licence.removeprefix("cc-")  # type: ignore[union-attr]
        item["license"] = [
            {
                "URL": f"http://creativecommons.org/licenses/{parts}/4.0/",
                "content-version": "vor",
                "delay-in-days": 0,
                "start": date,
            }
        ]
        item["link"] = [
            {
                "URL": pdf,
                "content-type": "application/pdf",
                "content-version": "vor",
                "intended-application": "text-mining",
            }
        ]
    return item | dict(work.raw.get("crossref", {}))


def arxiv(work: Work) -> str:
    """An entry of a feed; a raw record may give `entry` whole, or `comment`."""
    raw = work.raw.get("arxiv", {})
    if "entry" in raw:
        return str(raw["entry"])
    name = f"{work.arxiv}v2"
    people = "".join(f"<author><name>{escape(who)}</name></author>" for who in work.authors)
    own = f"<arxiv:doi>{escape(work.doi)}</arxiv:doi>" if work.doi else ""
    venue = f"<arxiv:journal_ref>{escape(work.venue)}</arxiv:journal_ref>" if work.doi else ""
    comment = escape(str(raw.get("comment", "12 pages")))
    return (
        f"<entry><id>http://arxiv.org/abs/{name}</id>"
        f"<title>{escape(wrapped(str(raw.get('title', work.title))))}</title>"
        f"<updated>{work.year + 1}-01-02T00:00:00Z</updated>"
        f'<link href="https://arxiv.org/abs/{name}" rel="alternate" type="text/html"/>'
        f'<link href="https://arxiv.org/pdf/{name}" rel="related" type="application/pdf" '
        'title="pdf"/>'
        f"<summary>  {escape(wrapped(str(raw.get('summary', work.told('arxiv')))))}\n</summary>"
        '<category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>'
        f"<published>{work.year}-05-01T00:00:00Z</published>"
        f"<arxiv:comment>{comment}</arxiv:comment>"
        '<arxiv:primary_category term="cs.CL"/>'
        f"{venue}{people}{own}</entry>"
    )


def wrapped(text: str) -> str:
    """Broken in the middle of a sentence, as arXiv breaks its lines."""
    words = text.split()
    return "\n  ".join(" ".join(words[start : start + 8]) for start in range(0, len(words), 8))


def feed(entries: Sequence[str], query: str) -> str:
    """A whole feed."""
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">'
        f"<id>https://arxiv.org/api/x</id><title>arXiv Query: {escape(query)}</title>"
        "<updated>2026-07-28T00:26:25Z</updated>"
        f"<link href={quoteattr(f'https://arxiv.org/api/query?{query}')} "
        'type="application/atom+xml"/>'
        f"<opensearch:totalResults>{len(entries)}</opensearch:totalResults>"
        f"{''.join(entries)}</feed>"
    )


ERROR_ENTRY = (
    "<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_x</id>"
    "<title>Error</title><summary>incorrect id format for x</summary>"
    "<author><name>arXiv api core</name></author></entry>"
)
