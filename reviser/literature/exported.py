"""Works as reference managers export them: BibTeX with abstracts, RIS, and CSL-JSON (Zotero).

RIS is read here and not by a library: rispy 0.10 gives up a last record without its ER line, makes
one record of two where that line is missing between them, and raises KeyError on a text line behind
a later TY; exports of real programs have all three.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from reviser.latex import bib
from reviser.latex.elements import BibEntry
from reviser.literature.cleaning import abstract_of, plain
from reviser.literature.identifiers import arxiv, arxiv_of_doi, doi
from reviser.literature.names import author_of, is_collective, name_list
from reviser.literature.paper import Author, Paper
from reviser.literature.wanted import wanted_of
from reviser.text.source import Source

MOST_WORKS = 50_000
"""Of one file; what lies behind is not read."""
MOST_AUTHORS = 200
NO_EXPORTS = ("not JSON", "not CSL-JSON: no list of works")
"""Why a .json file is none."""
_TAG = re.compile(r"\ufeff?([A-Z][A-Z0-9])[ \t]{0,3}-(?:[ \t]|$)")
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_OF_ARXIV = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|\s*[:.]?\s*)", re.IGNORECASE)
_RIS_KINDS = MappingProxyType(
    {
        "JOUR": "article", "EJOUR": "article", "MGZN": "article", "CONF": "inproceedings",
        "CPAPER": "inproceedings", "CHAP": "incollection", "ECHAP": "incollection", "BOOK": "book",
        "EBOOK": "book", "EDBOOK": "book", "THES": "phdthesis", "RPRT": "techreport",
    }
)  # fmt: skip
_CSL_KINDS = MappingProxyType(
    {
        "article-journal": "article", "article-magazine": "article", "chapter": "incollection",
        "paper-conference": "inproceedings", "book": "book", "thesis": "phdthesis",
        "report": "techreport", "entry-encyclopedia": "incollection", "review": "article",
    }
)  # fmt: skip


def of_bib(text: str, name: str) -> tuple[Paper, ...]:
    """The works of a .bib file named `name`. Reads any text."""
    entries = bib.read_bib(Source(name, text)).entries[:MOST_WORKS]
    found = (_of_entry(entry, name) for entry in entries)
    return tuple(paper for paper in found if paper.title)


def _of_entry(entry: BibEntry, name: str) -> Paper:
    wanted = wanted_of(entry)
    people = name_list(entry.get("author") or entry.get("editor"))
    return Paper(
        name,
        entry.key,
        plain(wanted.title),
        tuple(author_of(one) for one in people[:MOST_AUTHORS]),
        wanted.year,
        plain(wanted.venue),
        entry.kind,
        wanted.doi,
        wanted.arxiv,
        abstract_of(entry.get("abstract")),
        volume=plain(entry.get("volume"), 40),
        number=plain(entry.get("number"), 40),
        pages=plain(entry.get("pages"), 40),
        publisher=plain(entry.get("publisher")),
    )


def of_ris(text: str, name: str) -> tuple[Paper, ...]:
    """The works of a RIS file named `name`, whatever is missing or misplaced in it."""
    found: list[Paper] = []
    for record in _records(text):
        if len(found) >= MOST_WORKS:
            break
        paper = _of_record(record, name, len(found))
        if paper.title:
            found.append(paper)
    return tuple(found)


def _records(text: str) -> Iterator[Mapping[str, list[str]]]:
    record: dict[str, list[str]] = {}
    last = ""
    for line in text.splitlines():
        match = _TAG.match(line)
        if match is None:
            # A value that goes on in the next line.
            if last and line.strip():
                record[last][-1] += f" {line.strip()}"
            continue
        tag, value = match[1], line[match.end() :].strip()
        if tag in ("TY", "ER"):
            if record:
                yield record
            record, last = {}, ""
        if tag != "ER":
            record.setdefault(tag, []).append(value)
            last = tag
    if record:
        yield record


def _of_record(record: Mapping[str, list[str]], name: str, number: int) -> Paper:
    def first(*tags: str) -> str:
        return next((value for tag in tags for value in record.get(tag, ()) if value), "")

    pages = "--".join(part for part in (first("SP"), first("EP")) if part)
    year = _YEAR.search(first("PY", "Y1", "DA"))
    links = " ".join(v for tag in ("DO", "UR", "L1", "L2", "M3", "N1") for v in record.get(tag, ()))
    work = doi(first("DO")) or doi(links)
    people = [value for tag in ("AU", "A1") for value in record.get(tag, ()) if value]
    return Paper(
        name,
        first("ID", "AN", "LB") or str(number + 1),
        plain(first("TI", "T1", "CT", "BT")),
        _people(people),
        int(year.group(1)) if year is not None else None,
        plain(first("JO", "JF", "T2", "JA", "J2")),
        _RIS_KINDS.get(first("TY"), "misc"),
        work,
        arxiv_of_doi(work) or _arxiv_in(links),
        abstract_of(first("AB", "N2")),
        volume=plain(first("VL"), 40),
        number=plain(first("IS"), 40),
        pages=plain(pages, 40),
        publisher=plain(first("PB")),
    )


def of_csl(text: str, name: str) -> tuple[Paper, ...] | str:
    """The works of a CSL-JSON file named `name`, or why it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return NO_EXPORTS[0]
    items = data.get("items") if isinstance(data, dict) else data
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return NO_EXPORTS[1]
    papers = (_of_item(item, name, number) for number, item in enumerate(items[:MOST_WORKS]))
    return tuple(paper for paper in papers if paper.title)


def _of_item(item: Mapping[str, object], name: str, number: int) -> Paper:
    def said(*fields: str) -> str:
        for field in fields:
            value = item.get(field)
            value = value[0] if isinstance(value, list) and value else value
            if isinstance(value, str | int) and str(value).strip():
                return str(value)
        return ""

    links = " ".join(said(field) for field in ("DOI", "URL", "note", "number"))
    work = doi(said("DOI")) or doi(said("URL", "note"))
    return Paper(
        name,
        said("id", "citation-key") or str(number + 1),
        plain(said("title")),
        _csl_people(item.get("author") or item.get("editor")),
        _csl_year(item.get("issued")),
        plain(said("container-title", "publisher")),
        _CSL_KINDS.get(said("type"), "misc"),
        work,
        arxiv_of_doi(work) or _arxiv_in(links),
        abstract_of(said("abstract")),
        volume=plain(said("volume"), 40),
        number=plain(said("issue"), 40),
        pages=plain(said("page"), 40),
        publisher=plain(said("publisher")),
    )


def _csl_people(value: object) -> tuple[Author, ...]:
    found: list[Author] = []
    for person in value[:MOST_AUTHORS] if isinstance(value, list) else ():
        if not isinstance(person, dict):
            continue
        parts = [str(person.get(part) or "") for part in ("non-dropping-particle", "family")]
        family = plain(" ".join(part for part in parts if part), 200)
        literal = plain(str(person.get("literal") or ""), 200)
        if family:
            found.append(Author(family, plain(str(person.get("given") or ""), 200)))
        elif literal:
            found.append(author_of(literal))
    return tuple(found)


def _csl_year(value: object) -> int | None:
    match = _YEAR.search(json.dumps(value)) if isinstance(value, dict | str) else None
    return int(match.group(1)) if match is not None else None


def _people(names: Sequence[str]) -> tuple[Author, ...]:
    """Names given as "Family, Given, Suffix" or as an organisation's."""
    found: list[Author] = []
    for name in names[:MOST_AUTHORS]:
        parts = [part.strip() for part in plain(name, 200).split(",")]
        if len(parts) > 1 and not is_collective(name):
            found.append(Author(parts[0], parts[1]) if parts[0] else Author(parts[1]))
        elif parts[0]:
            found.append(author_of(plain(name, 200)))
    return tuple(found)


def _arxiv_in(text: str) -> str:
    named = _OF_ARXIV.search(text)
    return arxiv(text[named.end() : named.end() + 40]) if named is not None else ""
