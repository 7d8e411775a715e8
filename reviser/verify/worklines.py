"""Works as lines of a lockfile, and back: what an entry is known by, and what is known of it."""

import unicodedata
from typing import Final

from reviser.literature.identifiers import doi
from reviser.literature.match import match
from reviser.literature.paper import Author, Notice, Paper
from reviser.literature.resolve import Refusal, Resolved, Unresolved
from reviser.literature.sources import Text, Wanted
from reviser.verify.evidence import Work
from reviser.verify.holdings import BIBLIOGRAPHY, OWN_FILES
from reviser.verify.lock import FoundLine, NoticeLine, PaperLine, WorkLine, plain

LONG: Final = 300
NAME: Final = 600
_TEXT = 20_000
NOT_AT_HAND = "its text was read by an earlier run and is not at hand"
_FREE = frozenset({"cc0", "cc-by", "cc-by-sa", "public-domain"})
_FREE_SOURCES = frozenset({"arxiv"})
"""Services whose abstracts are free to copy: arXiv's metadata is under CC0."""


def same_work(line: WorkLine, work: Work) -> bool:
    """Whether an entry still means the work that a line speaks of: by its DOI, where both have
    one, else by its title."""
    now = doi_of(work)
    if now and line.doi:
        return now == line.doi
    title = _folded(title_of(work))
    return bool(title) and title == _folded(line.title)


def title_of(work: Work) -> str:
    """What an entry calls its work, as a line holds it; an item of a list is known by its text."""
    return plain(work.title or work.entry.get("note"), NAME)


def doi_of(work: Work) -> str:
    """The DOI in a bibliography entry, or ""."""
    return doi(work.entry.get("doi"))


def _folded(title: str) -> str:
    split = unicodedata.normalize("NFKD", title.casefold())
    return "".join(char for char in split if char.isalnum())


def paper_line(paper: Paper) -> PaperLine:
    """What is kept of a work as its source describes it; the abstract is not."""
    notice = paper.notice
    return PaperLine(
        source=plain(paper.source, LONG),
        id=plain(paper.id, NAME),
        title=plain(paper.title, NAME),
        authors=tuple((plain(a.family, LONG), plain(a.given, LONG)) for a in paper.authors[:300]),
        year=paper.year if paper.year is not None and 0 <= paper.year <= 9_999 else None,
        venue=plain(paper.venue, NAME),
        kind=plain(paper.kind, LONG),
        doi=plain(paper.doi, LONG),
        arxiv=plain(paper.arxiv, LONG),
        notice=None
        if notice is None
        else NoticeLine(
            kind=plain(notice.kind, LONG),
            doi=plain(notice.doi, LONG),
            date=plain(notice.date, LONG),
        ),
        licence=plain(paper.licence, LONG),
        volume=plain(paper.volume, LONG),
        number=plain(paper.number, LONG),
        pages=plain(paper.pages, LONG),
        publisher=plain(paper.publisher, NAME),
        url=plain(paper.url, NAME),
    )


def paper_of(line: PaperLine, abstract: str = "") -> Paper:
    """The work that a line describes."""
    notice = line.notice
    return Paper(
        source=line.source,
        id=line.id,
        title=line.title,
        authors=tuple(Author(family, given) for family, given in line.authors),
        year=line.year,
        venue=line.venue,
        kind=line.kind,
        doi=line.doi,
        arxiv=line.arxiv,
        abstract=abstract,
        notice=None if notice is None else Notice(notice.kind, notice.doi, notice.date),
        licence=line.licence,
        volume=line.volume,
        number=line.number,
        pages=line.pages,
        publisher=line.publisher,
        url=line.url,
    )


def text_of_line(line: WorkLine) -> Text:
    """What a line gives of a work's text: its abstract where it may be kept, else why there is
    none at hand."""
    paper = None if line.paper is None else paper_of(line.paper, line.words)
    read = bool(line.abstract or line.full)
    none = line.none or (NOT_AT_HAND if read else "")
    return Text(
        abstract=line.words,
        abstract_from=line.abstract_from if line.words else "",
        paper=paper,
        why_none="" if line.words else none,
    )


def read_from(line: WorkLine) -> str:
    """Who had the text that was read of a work, as `holdings` counts it."""
    name = line.abstract_from or line.full_from
    said = () if line.found is None else line.found.said
    services = {who for _, who in said}
    if name:
        return name if name in services else OWN_FILES
    return BIBLIOGRAPHY


def with_text(line: WorkLine, text: Text, *, abstracts: bool, told: bool) -> WorkLine:
    """The line with what came to hand of the work's text; of the abstract only its source, unless
    its licence or the user (`abstracts`) allows it to be kept. `told`: everybody who was asked for
    it has answered, so that why there is none can be kept."""
    free = abstracts or is_free(text)
    lacking = not text.abstract and not text.sections
    found: dict[str, object] = {}
    if text.abstract:
        words = plain(text.abstract, _TEXT) if free else ""
        found |= {"abstract_from": plain(text.abstract_from, LONG), "words": words}
    elif not abstracts and line.words and not _kept_freely(line):
        found["words"] = ""
    if text.full_from:
        found["full_from"] = plain(text.full_from, LONG)
    if text.paper is not None:
        found["paper"] = paper_line(text.paper)
    if lacking and told and not line.words:
        found["none"] = plain(text.why_none, LONG)
    elif not lacking:
        found["none"] = ""
    return line.model_copy(update=found)


def is_free(text: Text) -> bool:
    """Whether an abstract may be copied: by its licence, or by that of the service it is from."""
    licence = "" if text.paper is None else text.paper.licence
    return licence in _FREE or text.abstract_from.lower() in _FREE_SOURCES


def _kept_freely(line: WorkLine) -> bool:
    licence = "" if line.paper is None else line.paper.licence
    return licence in _FREE or line.abstract_from.lower() in _FREE_SOURCES


def found_line(found: Resolved | Unresolved) -> FoundLine | None:
    """How a work was found, or that it was not; None where not all have answered: silence of a
    service is nothing to keep."""
    if found.silent:
        return None
    misled = None if found.misled is None else paper_line(found.misled)
    if isinstance(found, Resolved):
        said = tuple((plain(what, LONG), plain(who, LONG)) for what, who in found.said_by)
        return FoundLine(
            how=plain(found.how, LONG), said=said, disputed=found.disputed, misled=misled
        )
    return FoundLine(
        answered=tuple(plain(name, LONG) for name in found.answered),
        near=tuple(paper_line(refusal.paper) for refusal in found.refused),
        misled=misled,
    )


def resolution_of(line: WorkLine, wanted: Wanted) -> Resolved | Unresolved | None:
    """What a line says of how the work was found; None where it says nothing."""
    found = line.found
    if found is None:
        return None
    misled = None if found.misled is None else paper_of(found.misled)
    if line.paper is not None and found.how:
        paper = paper_of(line.paper, line.words)
        return Resolved(
            wanted,
            paper,
            found.how,
            match(wanted, paper),
            said_by=found.said,
            misled=misled,
            disputed=found.disputed,
        )
    near = (paper_of(one) for one in found.near)
    refused = tuple(Refusal(paper, match(wanted, paper)) for paper in near)
    return Unresolved(wanted, answered=found.answered, refused=refused, misled=misled)
