"""Several sources' descriptions of one work made into one, with who says what."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from reviser.literature.paper import Notice, Paper

FEWEST_WORDS = 20
"""Of an abstract; shorter ones are first sentences or remarks ("Editorial.")."""
_PREPRINTS = ("arxiv", "corr", "biorxiv", "medrxiv", "ssrn", "preprint", "research square", "osf")
_GRAVITY = ("", "expression of concern", "withdrawal", "retraction")
_TOGETHER = {"open_text": ("licence",)}


@dataclass(frozen=True, slots=True)
class Merged:
    """One work as several sources describe it. `said_by` has for each known field of `paper` the
    name of the source it is taken from."""

    paper: Paper
    said_by: tuple[tuple[str, str], ...]


def merge(accounts: Sequence[Paper]) -> Merged:
    """The best of each account; the first is the most trusted. They must be of one work.

    The published version outweighs a preprint in title, year, venue and DOI; the abstract is the
    first one that is whole; a retraction that one source knows is known. Raises ValueError when
    there is no account.
    """
    if not accounts:
        raise ValueError("no account of a work to merge")
    published = sorted(accounts, key=_preprint)
    chosen = published[0]
    values: dict[str, object] = {}
    said: dict[str, str] = {"title": chosen.source}
    for name in (f.name for f in fields(Paper) if f.name not in ("source", "id", "title")):
        known = [a for a in published if getattr(a, name) not in ("", (), None)]
        best = _BEST[name](known) if name in _BEST and known else known[0] if known else None
        if best is None:
            continue
        values[name] = getattr(best, name)
        said[name] = best.source
    return Merged(replace(chosen, **values), tuple(sorted(said.items())))  # type: ignore[arg-type]


def same_work(one: Paper, other: Paper) -> bool:
    """Whether nothing in two accounts, each of them matched, says that they are of two works or
    of two versions with identifiers of their own."""
    dois = {doi for doi in (one.doi, other.doi) if doi and not doi.startswith("10.48550/")}
    arxivs = {name for name in (one.arxiv, other.arxiv) if name}
    return len(dois) < 2 and len(arxivs) < 2


def is_preprint(paper: Paper) -> bool:
    """Whether the account is of a version on a preprint server."""
    venue = paper.venue.lower()
    if any(name in venue for name in _PREPRINTS):
        return True
    return not venue and bool(paper.arxiv) and (not paper.doi or "arxiv" in paper.doi)


def _preprint(paper: Paper) -> int:
    return int(is_preprint(paper))


def _whole_abstract(accounts: Sequence[Paper]) -> Paper:
    for account in accounts:
        text = account.abstract.rstrip()
        if len(text.split()) >= FEWEST_WORDS and not text.endswith(("…", "...")):
            return account
    return max(accounts, key=lambda account: len(account.abstract))


def _gravest(accounts: Sequence[Paper]) -> Paper:
    return max(accounts, key=lambda account: _gravity(account.notice))


def _gravity(notice: Notice | None) -> tuple[int, bool, bool]:
    if notice is None:
        return 0, False, False
    rank = _GRAVITY.index(notice.kind) if notice.kind in _GRAVITY else 0
    return rank, bool(notice.doi), bool(notice.date)


_BEST: dict[str, Callable[[Sequence[Paper]], Paper]] = {
    "abstract": _whole_abstract,
    "notice": _gravest,
    "cited_by": lambda accounts: max(accounts, key=lambda account: account.cited_by or 0),
}
