"""When two descriptions are of one work, and what they say of it together."""

from collections.abc import Iterable
from dataclasses import replace

from reviser.literature.index import Held
from reviser.literature.match import Standing, match, standing
from reviser.literature.merging import of_a_server, same_work
from reviser.literature.notices import gravity
from reviser.literature.paper import Author, Paper
from reviser.literature.titles import Kinship, folded_title, likeness
from reviser.literature.wanted import meant_by


def title_key(title: str) -> str:
    """What is the same of a title however it is written, as `titles` folds it: its words without
    blanks; "" for a title without any."""
    return folded_title(title).joined


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
    """Whether two papers without an id in common are one work: no id speaks against it, and each
    `match`es the other. In doubt they are not."""
    return (
        same_work(one, other)
        and match(meant_by(one), other).accepted
        and match(meant_by(other), one).accepted
    )


def agree(one: Paper, other: Paper) -> bool:
    """Whether two papers with an id in common can be one work. The id is no proof, for a
    bibliography may have the DOI of another paper; but with it a title that is near is enough."""
    return likeness(one.title, other.title).kinship is not Kinship.OTHER or Standing.SAME in (
        standing(meant_by(one), other),
        standing(meant_by(other), one),
    )


def _published(doi: str) -> bool:
    return bool(doi) and not of_a_server(doi)


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
        notice=min(notices, key=lambda n: gravity(n.kind), default=None),
        open_text=readable.open_text,
        licence=readable.licence,
    )


def _known_names(authors: tuple[Author, ...]) -> tuple[bool, int]:
    """How much is known of who wrote it: a bibliography may have family names alone."""
    return bool(authors), sum(bool(author.given) for author in authors)
