"""Say where the bibliography and what the literature services know of a work do not agree.

Severe only where it is certain: a retraction with its notice, and a DOI that belongs to another
work by the word of those who register them, are warnings; the rest are notes for the author to look
at. A preprint and its published version are no mismatch.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviser.findings import Evidence, Finding, Severity, fingerprinted
from reviser.latex.elements import BibEntry
from reviser.literature.merging import is_preprint, of_a_server
from reviser.literature.paper import Paper
from reviser.literature.resolve import REGISTRARS, Resolved, Unresolved
from reviser.literature.sources import Wanted
from reviser.literature.titles import Kinship, folded_title, likeness
from reviser.manuscript.model import Manuscript
from reviser.text.source import Place, Span
from reviser.text.visible import visible
from reviser.verify.words import word_set

RETRACTED = "reference-retracted"
DOI = "reference-doi"
YEAR = "reference-year"
TITLE = "reference-title"
VENUE = "reference-venue"
NOT_FOUND = "reference-not-found"

RULES: Mapping[str, tuple[Severity, str]] = {
    RETRACTED: (Severity.WARNING, "a cited work that was retracted or withdrawn"),
    DOI: (Severity.WARNING, "a DOI or arXiv id that belongs to another work"),
    YEAR: (Severity.NOTE, "a year unlike that of the work with this DOI"),
    TITLE: (Severity.NOTE, "a title unlike that of the work with this DOI"),
    VENUE: (Severity.NOTE, "a journal unlike that of the work with this DOI"),
    NOT_FOUND: (Severity.NOTE, "a work that no literature service has under its title"),
}
"""What looking works up may report: severity and summary by rule id."""

GENERAL = word_set("OpenAlex Crossref") | {"Semantic Scholar"}
"""The services that hold works of every field: that a special one lacks a work tells nothing."""
SERVICES = GENERAL | {"arXiv"}
"""Whose word a finding may rest on; a reader's own export may be wrong as the bibliography is."""
FEWEST_GENERAL = 2
"""Of them must have looked in vain before a work is called not found."""
MOST_YEARS = 2
"""A work may be in print so long after it is online."""
OLDEST = 1980
"""Works from before that are often missing in every service."""
FEWEST_TITLE_WORDS = 4
NEAR = 0.7
"""Likeness of titles from which the nearest work found is worth naming."""
_STEM = 3
_HELD = frozenset({"article", "inproceedings", "conference"})
_BOOKS = frozenset({"book", "mvbook", "collection", "proceedings", "inbook", "incollection"})
_UNPUBLISHED = re.compile(
    r"\b(?:to appear|in press|forthcoming|submitted|in preparation|under review|accepted"
    r"|unpublished|personal communication|in revision|manuscript)\b",
    re.IGNORECASE,
)
_KNOWS = re.compile(r"\b(?:retract|withdr[ae]w|expression of concern)", re.IGNORECASE)
_LONGEST = 160
_NAMES_NO_JOURNAL = re.compile(
    r"\b(?:repository|archive|zenodo|figshare|pubmed|dspace|hal|electronic journal|e-?prints?)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
_SMALL = word_set("the of and for in on a an de la le der die das und et des du di")
_FIELDS = {
    YEAR: ("year", "date"),
    TITLE: ("title",),
    VENUE: ("journal", "journaltitle"),
    DOI: ("doi", "eprint", "url"),
}


def references(
    manuscript: Manuscript, outcomes: Sequence[Resolved | Unresolved]
) -> tuple[Finding, ...]:
    """The findings on the entries that were looked up, with their fingerprints."""
    found: list[Finding] = []
    for outcome in outcomes:
        entry = manuscript.entry_of.get(outcome.wanted.key.lower())
        if entry is not None:
            said = _resolved(entry, outcome) if isinstance(outcome, Resolved) else _open(outcome)
            found += (_finding(manuscript, entry, one) for one in said)
    return fingerprinted(found)


@dataclass(frozen=True, slots=True)
class _Said:
    """A finding before it is placed; `severity` where it is unlike the rule's."""

    rule: str
    message: str
    evidence: tuple[Evidence, ...] = ()
    severity: Severity | None = None


def _finding(manuscript: Manuscript, entry: BibEntry, said: _Said) -> Finding:
    start = entry.at.span.start
    place = Place(entry.at.path, Span(start, max(start, entry.key_at.span.stop)))
    for name in _FIELDS.get(said.rule, ()):
        field = next((f for f in entry.fields if f.name == name and f.text), None)
        if field is not None:
            place = field.at
            break
    return Finding(
        rule=said.rule,
        place=place,
        quote=manuscript.text(place),
        message=said.message,
        severity=said.severity or RULES[said.rule][0],
        evidence=said.evidence,
    )


def _resolved(entry: BibEntry, outcome: Resolved) -> Iterator[_Said]:
    wanted, paper = outcome.wanted, outcome.paper
    if outcome.misled is not None and outcome.misled.source in SERVICES:
        yield _misled(wanted, outcome.misled, paper)
    served = outcome.source_of("notice") in SERVICES
    if (
        paper.notice is not None
        and served
        and not _KNOWS.search(f"{entry.get('note')} {wanted.title}")
    ):
        yield _noticed(outcome)
    if outcome.how != "DOI" or not wanted.doi or of_a_server(wanted.doi):
        return
    if paper.doi != wanted.doi or is_preprint(paper) or _means_a_preprint(wanted):
        return
    for field, said in (
        ("year", _year(wanted, paper, outcome.source_of("year"))),
        ("title", _title(wanted, paper, outcome.source_of("title"))),
        ("venue", _venue(entry, paper, outcome.source_of("venue"))),
    ):
        # What one service says and another denies is no ground.
        if (
            said is not None
            and field not in outcome.disputed
            and outcome.source_of(field) in SERVICES
        ):
            yield said


def _noticed(outcome: Resolved) -> _Said:
    paper, notice = outcome.paper, outcome.paper.notice
    kind, doi, date = (notice.kind, notice.doi, notice.date) if notice else ("", "", "")
    who = outcome.source_of("notice")
    details = ", ".join(part for part in (date, doi) if part)
    beside = f" ({details})" if details else ""
    evidence = (Evidence(f"{kind}: {_cut(paper.title)}{beside}", who),)
    key = outcome.wanted.key
    if kind == "expression of concern":
        message = (
            f"An expression of concern{beside} was published about '{key}', says {who}. "
            "See whether what it is cited for still stands."
        )
        return _Said(RETRACTED, message, evidence, Severity.NOTE)
    verb = "withdrawn" if kind == "withdrawal" else "retracted"
    if not doi and who not in REGISTRARS:
        # A mark without the notice itself has been wrong before.
        message = (
            f"{who} marks '{key}' as {verb}{beside}, without a notice. See whether that is so."
        )
        return _Said(RETRACTED, message, evidence, Severity.NOTE)
    message = (
        f"'{key}' was {verb}{beside}, says {who}. "
        f"Cite another work, or say in the text that it was {verb}."
    )
    return _Said(RETRACTED, message, evidence)


def _misled(wanted: Wanted, other: Paper, right: Paper | None) -> _Said:
    name = (
        f"DOI {wanted.doi}"
        if wanted.doi and wanted.doi == other.doi
        else f"arXiv id {wanted.arxiv}"
    )
    whose = f"{_named(other)}, says {other.source}."
    message = f"The {name} of '{wanted.key}' belongs to another work: {whose}"
    if right is not None and right.doi and right.doi not in (wanted.doi, other.doi):
        message += f" {right.source} has the work under the DOI {right.doi}."
    severity = None if other.source in REGISTRARS else Severity.NOTE
    evidence = (Evidence(_cut(other.title), f"{other.source}, {name}"),)
    return _Said(DOI, message, evidence, severity)


def _year(wanted: Wanted, paper: Paper, who: str) -> _Said | None:
    if wanted.year is None or paper.year is None or wanted.kind in _BOOKS:
        return None
    if abs(wanted.year - paper.year) <= MOST_YEARS:
        return None
    work = f"the work with its DOI is of {paper.year}, says {who}."
    message = f"'{wanted.key}' says {wanted.year}, but {work}"
    return _Said(YEAR, message, (Evidence(_named(paper), f"{who}, DOI {wanted.doi}"),))


def _title(wanted: Wanted, paper: Paper, who: str) -> _Said | None:
    if not wanted.title or not paper.title:
        return None
    if likeness(wanted.title, paper.title).kinship is not Kinship.OTHER:
        return None
    title = _cut(paper.title)
    message = f"The work with the DOI of '{wanted.key}' has another title, says {who}: \"{title}\"."
    return _Said(TITLE, message, (Evidence(title, f"{who}, DOI {wanted.doi}"),))


def _venue(entry: BibEntry, paper: Paper, who: str) -> _Said | None:
    own = entry.get("journal") or entry.get("journaltitle")
    if entry.kind != "article" or not paper.venue or paper.kind not in ("", "article"):
        return None
    if not _spelt_out(own) or not _another_journal(own, paper.venue):
        return None
    work = f"the work with its DOI is in {_cut(paper.venue)}, says {who}."
    message = f"'{entry.key}' names {_cut(own)}, but {work}"
    return _Said(VENUE, message, (Evidence(_cut(paper.venue), f"{who}, DOI {paper.doi}"),))


def _open(outcome: Unresolved) -> Iterator[_Said]:
    wanted = outcome.wanted
    if outcome.misled is not None and outcome.misled.source in SERVICES:
        yield _misled(wanted, outcome.misled, None)
    if outcome.misled is not None:
        return
    if outcome.silent or len(GENERAL.intersection(outcome.answered)) < FEWEST_GENERAL:
        return
    held = wanted.kind in _HELD and not _UNPUBLISHED.search(wanted.venue)
    words = folded_title(wanted.title).words
    if not held or not wanted.authors or len(words) < FEWEST_TITLE_WORDS:
        return
    if wanted.year is None or wanted.year < OLDEST or not wanted.title.isascii():
        return
    message = (
        f"'{wanted.key}' was not found in {', '.join(outcome.answered)} under its title. "
        "See whether title, authors and year are right; not every work is listed there."
    )
    evidence: tuple[Evidence, ...] = ()
    nearest = next(iter(outcome.refused), None)
    if nearest is not None and nearest.match.figures.title > NEAR:
        message += f" The nearest is {_named(nearest.paper)}, but {nearest.match.why}."
        evidence = (Evidence(_cut(nearest.paper.title), nearest.paper.source),)
    yield _Said(NOT_FOUND, message, evidence)


def _spelt_out(venue: str) -> bool:
    """Whether it is the full name of a journal: neither abbreviated nor an acronym or a macro."""
    words = _WORD.findall(venue)
    if not words or "." in venue or _NAMES_NO_JOURNAL.search(venue):
        return False
    return all(w.lower() in _SMALL or (len(w) > 2 and not w.isupper()) for w in words) and (
        len(words) > 1 or (words[0][0].isupper() and len(words[0]) > 4)
    )


def _another_journal(own: str, venue: str) -> bool:
    """Whether no word of one name can be a word, or the beginning of one, in the other."""
    if _NAMES_NO_JOURNAL.search(venue) or not _spelt_out(venue):
        return False
    first, second = (
        [w.lower() for w in _WORD.findall(v) if w.lower() not in _SMALL] for v in (own, venue)
    )
    return bool(first and second) and not any(a[:_STEM] == b[:_STEM] for a in first for b in second)


def _means_a_preprint(wanted: Wanted) -> bool:
    return is_preprint(
        Paper("", "", wanted.title, venue=wanted.venue, doi=wanted.doi, arxiv=wanted.arxiv)
    )


def _named(paper: Paper) -> str:
    first = visible(paper.authors[0].family)[:60] if paper.authors else ""
    who = f"{first} et al." if len(paper.authors) > 1 else first
    year = f" ({paper.year})" if paper.year is not None else ""
    return f'{who}{year}, "{_cut(paper.title)}"'.lstrip(", ")


def _cut(text: str) -> str:
    text = " ".join(visible(text).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
