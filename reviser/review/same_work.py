"""The rule on one work under two keys, and when two entries are certainly the same work.

Certainty comes from an identifier together with the title, or from title, year and first author
together with nothing that speaks against it. A preprint and its printed version count as one
work only when their identifier says so; parts, editions and errata never do.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from reviser.findings import Evidence, Severity
from reviser.latex.elements import BibEntry
from reviser.literature.titles import folded_title
from reviser.literature.wanted import wanted_of
from reviser.manuscript.model import Manuscript
from reviser.review.bibliography_rules import NOT_WORKS
from reviser.review.raised import Raised, cited, head, in_use, raised, where

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_NOT_LETTERS = re.compile(r"[\W_]+")
_FIRST_PAGE = re.compile(r"[A-Za-z]?\d+")
_SHORTEST_TITLE = 4  # words; shorter ones ("Introduction", "Editorial") are no evidence
_TOLD_APART_BY = (
    "volume",
    "number",
    "chapter",
    "edition",
    "version",
    "part",
    "series",
    "issn",
    "isbn",
)
_COLLECTIONS = frozenset(
    {"book", "proceedings", "collection", "mvbook", "mvproceedings", "mvcollection", "periodical"}
)
_ADDENDUM = re.compile(
    r"\b(?:errat(?:um|a)|corrigend(?:um|a)|correction|retraction|addendum|comment on|reply to"
    r"|response to|supplement(?:ary|al)?)\b",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"\d+|[ivx]+|part|volume|vol|edition|revisited|extended|one|two|three")
_MOST_NAMED = 6  # pairs named in the note on uncited ones
_MOST_IN_A_GROUP = 50  # entries with one title that are compared pair by pair


@dataclass(frozen=True, slots=True)
class _Work:
    """An entry with what it is compared by, each read once: `title` is folded."""

    entry: BibEntry
    title: str
    doi: str
    arxiv: str


def _work(entry: BibEntry) -> _Work:
    wanted = wanted_of(entry)
    return _Work(entry, _folded(entry.get("title")), wanted.doi, wanted.arxiv)


def same_work_two_keys(manuscript: Manuscript) -> Iterator[Raised]:
    """A work that stands in the bibliography under two keys, so that readers take it for two."""
    keys = cited(manuscript)
    works = [
        _work(entry)
        for entry in manuscript.entries
        if entry.kind not in NOT_WORKS | {"bibitem"} and entry.key
    ]
    groups: dict[tuple[str, str], list[_Work]] = defaultdict(list)
    for work in works:
        for clue in _clues(work):
            groups[clue].append(work)
    told: set[str] = set()
    unused: dict[str, list[tuple[BibEntry, BibEntry]]] = defaultdict(list)
    for alike in groups.values():
        few = alike[:_MOST_IN_A_GROUP]
        for index, work in enumerate(few):
            entry = work.entry
            if entry.key.lower() in told:
                continue
            for other in few[:index]:
                first = other.entry
                if first.key.lower() == entry.key.lower():
                    continue
                why = _same(other, work)
                if not why:
                    continue
                told.add(entry.key.lower())
                if in_use(keys, first) and in_use(keys, entry):
                    yield _both_cited(manuscript, first, entry, why)
                else:
                    unused[entry.at.path].append((first, entry))
                break
    for path, pairs in unused.items():
        yield _not_both_cited(manuscript, path, pairs)


def _both_cited(manuscript: Manuscript, first: BibEntry, entry: BibEntry, why: str) -> Raised:
    return raised(
        manuscript,
        head(entry),
        f"{entry.key} and {first.key} ({where(manuscript, first.at)}) are the same work: {why}. "
        f"Both are cited, so it is listed twice. Cite it as {first.key} everywhere and remove "
        f"{entry.key}, or the other way round.",
        severity=Severity.WARNING,
        evidence=(Evidence(first.get("title")[:200], where(manuscript, first.at)),),
    )


def _not_both_cited(
    manuscript: Manuscript, path: str, pairs: list[tuple[BibEntry, BibEntry]]
) -> Raised:
    named = ", ".join(f"{entry.key} = {first.key}" for first, entry in pairs[:_MOST_NAMED])
    more = ", ..." if len(pairs) > _MOST_NAMED else ""
    works = "1 work stands" if len(pairs) == 1 else f"{len(pairs)} works stand"
    return raised(
        manuscript,
        head(pairs[0][1]),
        f"{works} in {path} under two keys ({named}{more}). Not both are cited, so it does no "
        "harm yet; keep one of each.",
        severity=Severity.NOTE,
        quote=path,
    )


def _clues(work: _Work) -> Iterator[tuple[str, str]]:
    if work.doi:
        yield "doi", work.doi
    if work.arxiv:
        yield "arxiv", work.arxiv
    if len(work.title.split()) >= _SHORTEST_TITLE:
        yield "title", work.title


def _same(one: _Work, other: _Work) -> str:
    """Why the two are certainly the same work, or an empty string."""
    if _titles_differ(one.title, other.title) or (
        (one.entry.kind in _COLLECTIONS) != (other.entry.kind in _COLLECTIONS)
    ):
        return ""
    dois = one.doi, other.doi
    arxivs = one.arxiv, other.arxiv
    if all(dois) and dois[0] == dois[1]:
        return f"both have the DOI {dois[0]}"
    if all(arxivs) and arxivs[0] == arxivs[1]:
        return f"both are arXiv:{arxivs[0]}"
    printed = [doi for doi in dois if doi and "arxiv" not in doi]
    if len(printed) == 2 or all(arxivs) or not _described_alike(one, other):
        return ""
    return f"same title, first author and year ({year_of(one.entry)})"


def _described_alike(one: _Work, other: _Work) -> bool:
    """Whether title, year and first author are there and equal, and nothing else differs."""
    if one.title != other.title or len(one.title.split()) < _SHORTEST_TITLE:
        return False
    first, second = one.entry, other.entry
    for read in (year_of, first_author):
        if not read(first) or read(first) != read(second):
            return False
    return not (
        any(_conflict(first, second, name) for name in _TOLD_APART_BY)
        or _pages_differ(first, second)
    )


def year_of(entry: BibEntry) -> str:
    """The four digits of `year` or `date`, or an empty string."""
    match = _YEAR.search(entry.get("year")) or _YEAR.search(entry.get("date"))
    return match[0] if match else ""


def first_author(entry: BibEntry) -> str:
    """The first author's family name, folded as a title is, or an empty string."""
    name = re.split(r"\s+and\s+", entry.get("author"), maxsplit=1)[0]
    family = name.split(",")[0] if "," in name else name.split()[-1] if name.split() else ""
    return _folded(family)


def _folded(text: str) -> str:
    return " ".join(folded_title(text).words)


def _titles_differ(first: str, second: str) -> bool:
    """Whether both have a title and neither begins the other: an identifier is then wrong."""
    if not first or not second or first == second:
        return False
    shorter, longer = sorted((first.split(), second.split()), key=len)
    more = longer[len(shorter) :]
    # A subtitle may be left out; what numbers a part or names an addendum may not.
    return (
        len(shorter) < _SHORTEST_TITLE
        or longer[: len(shorter)] != shorter
        or any(_NUMBERING.fullmatch(word) for word in more)
        or bool(_ADDENDUM.search(" ".join(more)))
    )


def _conflict(one: BibEntry, other: BibEntry, name: str) -> bool:
    values = _NOT_LETTERS.sub("", one.get(name)), _NOT_LETTERS.sub("", other.get(name))
    return all(values) and values[0].casefold() != values[1].casefold()


def _pages_differ(one: BibEntry, other: BibEntry) -> bool:
    first, second = (_FIRST_PAGE.search(e.get("pages")) for e in (one, other))
    return bool(first and second and first[0] != second[0])
