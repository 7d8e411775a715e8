"""Several sources' descriptions of one work made into one, with who says what."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace

from reviser.literature.notices import gravity
from reviser.literature.paper import Notice, Paper
from reviser.literature.titles import Kinship, folded_title, likeness, stamp, unstamped

FEWEST_WORDS = 20
"""Of an abstract; shorter ones are first sentences or remarks ("Editorial.")."""
_SERVERS = re.compile(
    r"\b(?:arxiv|corr|biorxiv|medrxiv|chemrxiv|psyarxiv|ssrn|e?-?preprints?|research square|osf"
    r"|hal|techrxiv)\b",
    re.IGNORECASE,
)
# arXiv, bioRxiv and medRxiv, Preprints.org, SSRN, Research Square, OSF, ChemRxiv, TechRxiv.
_OF_A_SERVER = re.compile(
    r"10\.48550/|10\.1101/(?:\d{6}|\d{4}\.\d\d\.\d\d\.\d+)|10\.20944/|10\.2139/|10\.21203/"
    r"|10\.31219/|10\.31234/|10\.26434/|10\.36227/"
)


@dataclass(frozen=True, slots=True)
class Merged:
    """One work as several sources describe it. `said_by` has for each known field of `paper` the
    name of the source it is taken from; `disputed` are the fields "title", "venue" and "year" in
    which a source says otherwise of that very version: a preprint may differ."""

    paper: Paper
    said_by: tuple[tuple[str, str], ...]
    disputed: tuple[str, ...] = ()


def merge(accounts: Sequence[Paper]) -> Merged:
    """The best of each account; the first is the most trusted. They must be of one work.

    The published version outweighs a preprint in title, year, venue and DOI; the abstract is the
    first one that is whole; a retraction that one source knows is known. Raises ValueError when
    there is no account.
    """
    if not accounts:
        raise ValueError("no account of a work to merge")
    published = sorted(map(_stamped, accounts), key=is_preprint)
    chosen = published[0]
    values: dict[str, object] = {}
    said: dict[str, str] = {"title": chosen.source}
    for name in (f.name for f in fields(Paper) if f.name not in ("source", "id", "title", "cites")):
        known = [a for a in published if getattr(a, name) not in ("", (), None)]
        if not known:
            continue
        best = _BEST[name](known) if name in _BEST else known[0]
        values[name] = getattr(best, name)
        said[name] = best.source
    # A licence is that of the text beside it.
    text = next((a for a in published if a.open_text and a.licence), None)
    text = text or next((a for a in published if a.open_text), None)
    values["open_text"], values["licence"] = (
        ("", "") if text is None else (text.open_text, text.licence)
    )
    if text is not None:
        said["open_text"] = text.source
    said.pop("licence", None)
    if text is not None and text.licence:
        said["licence"] = text.source
    values["cites"] = _cited(chosen, published)
    paper = replace(chosen, **values)  # type: ignore[arg-type]
    return Merged(paper, tuple(sorted(said.items())), _disputed(paper, published))


def _disputed(paper: Paper, accounts: Sequence[Paper]) -> tuple[str, ...]:
    if is_preprint(paper):
        return ()
    mine = [one for one in accounts if one.doi == paper.doi and not is_preprint(one)]
    found = []
    if any(a.title and likeness(a.title, paper.title).kinship is Kinship.OTHER for a in mine):
        found.append("title")
    # Abbreviated by one and spelt out by another: not one word need be the same.
    if any(a.venue and folded_title(a.venue) != folded_title(paper.venue) for a in mine):
        found.append("venue")
    years = [one.year for one in mine if one.year is not None]
    if not years or any(abs(year - (paper.year or year)) > 1 for year in years):
        found.append("year")
    return tuple(found)


def _stamped(account: Paper) -> Paper:
    """The account with what is stamped on its title as a notice instead."""
    kind = stamp(account.title)
    if not kind:
        return account
    notice = account.notice or Notice(kind)
    return replace(account, title=unstamped(account.title), notice=notice)


def _cited(chosen: Paper, accounts: Sequence[Paper]) -> tuple[str, ...]:
    """What the work cites; names that are another source's own are left out."""
    cited = dict.fromkeys(chosen.cites)
    for account in accounts:
        cited |= dict.fromkeys(n for n in account.cites if n.startswith(("doi:", "arxiv:")))
    return tuple(cited)


def same_work(one: Paper, other: Paper) -> bool:
    """Whether nothing in two accounts, each of them matched, says that they are of two works or
    of two versions with identifiers of their own."""
    dois = {paper.doi for paper in (one, other) if paper.doi and not of_a_server(paper.doi)}
    arxivs = {paper.arxiv for paper in (one, other) if paper.arxiv}
    return len(dois) < 2 and len(arxivs) < 2


def of_a_server(doi: str) -> bool:
    """Whether a preprint server registered the DOI."""
    return bool(_OF_A_SERVER.match(doi))


def is_preprint(paper: Paper) -> bool:
    """Whether the account is of a version on a preprint server."""
    if _SERVERS.search(paper.venue):
        return True
    return not paper.venue and (of_a_server(paper.doi) or (bool(paper.arxiv) and not paper.doi))


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
        return -gravity(""), False, False
    return -gravity(notice.kind), bool(notice.doi), bool(notice.date)


_BEST: dict[str, Callable[[Sequence[Paper]], Paper]] = {
    "abstract": _whole_abstract,
    "notice": _gravest,
    "doi": lambda accounts: min(accounts, key=lambda account: of_a_server(account.doi)),
    "cited_by": lambda accounts: max(accounts, key=lambda account: account.cited_by or 0),
}
