"""What is looked for: a bibliography entry as the question that is put to the sources."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from reviser.latex.elements import BibEntry
from reviser.literature.identifiers import arxiv, arxiv_of_doi, doi
from reviser.literature.names import surnames
from reviser.literature.paper import Paper
from reviser.literature.sources import Wanted

NOTHING: Mapping[str, str] = MappingProxyType({})

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_DOI_FIELDS = ("doi", "url", "ee", "note", "howpublished", "eprint", "bdsk-url-1")
_ARXIV_NAMED = re.compile(
    r"(?:arxiv\.org/(?:abs|pdf|html|format|ps)/|\barxiv\s*(?:e-?prints?|preprints?)?\s*[:.,\s]\s*"
    r"|\babs/)",
    re.IGNORECASE,
)
_ARXIV_FIELDS = (
    "url", "ee", "journal", "journaltitle", "note", "howpublished", "booktitle", "volume",
    "number", "pages", "series", "publisher", "institution", "archiveprefix", "type",
)  # fmt: skip
_VENUES = ("journal", "journaltitle", "booktitle", "howpublished", "school", "institution")
_STRING = re.compile(r"\s*(?:\{(?P<braced>.*)\}|\"(?P<quoted>.*)\")\s*", re.DOTALL)
_BESIDE = 60
"""Characters behind the word arXiv in which its id is looked for."""


def wanted_of(entry: BibEntry, lent: Mapping[str, str] = NOTHING) -> Wanted:
    """The work that `entry` means. `lent` are fields in plain text that it lacks and that a
    crossref or xdata parent lends it. Any entry gives a question, if an empty one."""

    def said(name: str) -> str:
        return entry.get(name) or lent.get(name, "")

    name = _doi(entry, said("doi"))
    year = _YEAR.search(said("year")) or _YEAR.search(said("date"))
    return Wanted(
        key=entry.key,
        title=_title(entry),
        authors=_authors(entry, "author", lent) or _authors(entry, "editor", lent),
        year=int(year.group(1)) if year is not None else None,
        venue=next((said(field) for field in _VENUES if said(field)), ""),
        kind=entry.kind,
        doi=name,
        arxiv=arxiv_of_doi(name) or _arxiv(entry),
    )


def meant_by(paper: Paper) -> Wanted:
    """The work that a description of it means, as a question."""
    return Wanted(
        key=paper.id,
        title=paper.title,
        authors=tuple(author.family for author in paper.authors),
        year=paper.year,
        venue=paper.venue,
        kind=paper.kind,
        doi=paper.doi,
        arxiv=paper.arxiv,
    )


def _title(entry: BibEntry) -> str:
    title, subtitle = entry.get("title").rstrip(". "), entry.get("subtitle")
    return f"{title}: {subtitle}" if title and subtitle else title


def _doi(entry: BibEntry, own: str) -> str:
    if found := doi(own):
        return found
    for field in _DOI_FIELDS[1:]:
        text = entry.get(field)
        # An address that merely holds a DOI as a parameter may be of another work.
        if "doi" in text.lower() or field == "eprint":
            found = doi(text)
            if found:
                return found
    return ""


def _arxiv(entry: BibEntry) -> str:
    scheme = (entry.get("archiveprefix") or entry.get("eprinttype")).strip().lower()
    for field in ("eprint", "arxivid", "arxiv"):
        if field != "eprint" or scheme in {"", "arxiv"}:
            found = arxiv(entry.get(field))
            if found:
                return found
    for field in _ARXIV_FIELDS:
        text = entry.get(field)
        for named in _ARXIV_NAMED.finditer(text):
            found = arxiv(text[named.end() : named.end() + _BESIDE])
            if found:
                return found
    venue = f"{entry.get('journal')} {entry.get('journaltitle')} {scheme}".lower()
    if re.search(r"\barxiv\b|\bcorr\b", venue):
        # The id stands as volume or number of a journal that is called arXiv or CoRR.
        found_here = (arxiv(entry.get(f)) for f in ("volume", "number", "pages", "note"))
        return next((found for found in found_here if found), "")
    return ""


def _authors(entry: BibEntry, name: str, lent: Mapping[str, str]) -> tuple[str, ...]:
    """The surnames, from the field as written where it is one string: braces mark organisations."""
    for field in entry.fields:
        if field.name == name and field.text:
            raw = _STRING.fullmatch(field.raw)
            inside = (raw["braced"] or raw["quoted"] or "") if raw is not None else ""
            # Several strings joined by # look like one that holds quotes and braces.
            return surnames(field.text if "#" in field.raw else inside or field.text)
    return surnames(lent.get(name, ""))
