"""When two descriptions are of one work, and what they say of it together."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace

from reviser.literature.index import Held
from reviser.literature.paper import Author, Paper

FEWEST_LETTERS = 16
"""Letters and digits of a title below which it tells works apart only with an author's name."""
_NOT_LETTERS = re.compile(r"[\W_]+")
_GRAVITY = {"expression of concern": 1, "withdrawal": 2, "retraction": 3}
_WORD = re.compile(r"\w+")
_PREPRINT = re.compile(r"10\.(48550|1101|31219|31234|2139|20944|21203|36227|26434)/")


def title_key(title: str) -> str:
    """What is the same of a title however it is written: its letters and digits in lower case,
    without accents, spaces and punctuation; "" for a title without any."""
    plain = unicodedata.normalize("NFKD", title)
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return _NOT_LETTERS.sub("", bare.casefold())


def names_of(paper: Paper) -> tuple[str, ...]:
    """Every identity of a paper, its own first."""
    names = (
        paper.identity,
        f"doi:{paper.doi}" if paper.doi else "",
        f"arxiv:{paper.arxiv}" if paper.arxiv else "",
        f"{paper.source}:{paper.id}" if paper.id else "",
    )
    return tuple(dict.fromkeys(name for name in names if name))


def one_work(one: Paper, other: Paper) -> bool:
    """Whether two papers without an id in common are one work, so strictly that a doubt is a no.

    The title is the same to the letter (`title_key`), the years differ by one at most, the first
    authors have the same family name, and no id speaks against it: a published version has another
    DOI than its preprint, but two published ones are two works.
    """
    key = title_key(one.title)
    if not key or key != title_key(other.title):
        return False
    if one.year is not None and other.year is not None and abs(one.year - other.year) > 1:
        return False
    if one.arxiv and other.arxiv and one.arxiv != other.arxiv:
        return False
    if one.doi != other.doi and _published(one.doi) and _published(other.doi):
        return False
    if one.authors and other.authors:
        return title_key(one.authors[0].family) == title_key(other.authors[0].family)
    return len(key) >= FEWEST_LETTERS


def agree(one: str, other: str) -> bool:
    """Whether two titles can be of one work: half of the shorter one's words are in the other. An
    id in common is no proof, for a bibliography may have the DOI of another paper."""
    words, others = (frozenset(_WORD.findall(title.casefold())) for title in (one, other))
    fewer = min(len(words), len(others))
    return not fewer or 2 * len(words & others) >= fewer


def _published(doi: str) -> bool:
    return bool(doi) and not _PREPRINT.match(doi)


def joined(first: Held, others: Iterable[Held]) -> Held:
    """One work of several descriptions: what the first says stands, and the others say what it
    leaves open; but a published version outweighs a preprint, the longest abstract, the greatest
    count of citations and the gravest notice are taken. Joining the same again changes nothing,
    which `merging.merge`, for accounts that are all at hand, does not promise.
    """
    held = first
    for other in others:
        paper = _joined(held.paper, other.paper)
        names = dict.fromkeys((*names_of(paper), *held.names, *other.names))
        held = Held(paper, tuple(names), tuple(dict.fromkeys((*held.via, *other.via))))
    return held


def _joined(one: Paper, other: Paper) -> Paper:
    better, worse = one, other
    if _published(other.doi) and not _published(one.doi):
        better, worse = other, one
    counts = [n for n in (one.cited_by, other.cited_by) if n is not None]
    notices = [n for n in (one.notice, other.notice) if n is not None]
    texts = ("venue", "kind", "doi", "volume", "number", "pages", "publisher", "url")
    known = {name: getattr(better, name) or getattr(worse, name) for name in texts}
    readable = one if one.open_text or not other.open_text else other
    return replace(
        one,
        **known,
        title=better.title or worse.title,
        authors=max((better.authors, worse.authors), key=_known_names),
        year=better.year if better.year is not None else worse.year,
        arxiv=one.arxiv or other.arxiv,
        abstract=max(one.abstract, other.abstract, key=len),
        cited_by=max(counts, default=None),
        cites=tuple(dict.fromkeys((*one.cites, *other.cites))),
        notice=max(notices, key=lambda n: _GRAVITY.get(n.kind, 0), default=None),
        open_text=readable.open_text,
        licence=readable.licence,
    )


def _known_names(authors: tuple[Author, ...]) -> tuple[bool, int]:
    """How much is known of who wrote it: a bibliography may have family names alone."""
    return bool(authors), sum(bool(author.given) for author in authors)
