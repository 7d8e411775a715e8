"""Which reviewed papers are about the same things as ours."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reviser.ports import Embedder
from reviser.review.about import About
from reviser.review.corpus import Corpus, PublicPaper

MOST_SIMILAR = 5
"""Papers whose reviews are read (I&E names no number)."""
FLOOR = 0.3
"""Cosine of title and abstract below which a paper is about something else."""
MOST_COMPARED = 150
"""Papers whose meaning is compared: of a larger corpus those that share the rarest words."""

_WORD = re.compile(r"[^\W\d_]{4,30}")


@dataclass(frozen=True, slots=True)
class Similar:
    """A reviewed paper and the cosine of its title and abstract with ours, from -1 to 1."""

    paper: PublicPaper
    cosine: float


def similar(
    ours: About,
    corpus: Corpus,
    embedder: Embedder,
    *,
    most: int = MOST_SIMILAR,
    floor: float = FLOOR,
) -> tuple[Similar, ...]:
    """The reviewed papers nearest to ours, the nearest first, none below `floor`.

    A paper of our own title is left out: what was said of this very paper is no imitation.
    """
    if not ours.text:
        return ()
    title = _folded(ours.title)
    others = [p for p in corpus.reviewed if not title or _folded(p.title) != title]
    others = _shortlist(ours, others)
    (cosines,) = embedder.similarities([ours.text], [_text(paper) for paper in others]) or [()]
    found = [
        Similar(paper, cosine)
        for paper, cosine in zip(others, cosines, strict=True)
        if cosine >= floor
    ]
    return tuple(sorted(found, key=lambda one: (-one.cosine, one.paper.id))[:most])


def _shortlist(ours: About, papers: Sequence[PublicPaper]) -> list[PublicPaper]:
    """The papers with the most words of ours, each word counting by how rare it is among them."""
    if len(papers) <= MOST_COMPARED:
        return list(papers)
    words = [_words(_text(paper)) for paper in papers]
    common = Counter(word for found in words for word in found)
    wanted = _words(ours.text)
    weight = {word: math.log(len(papers) / common[word]) for word in wanted if common[word]}
    shared = [sum(weight[word] for word in found & weight.keys()) for found in words]
    order = sorted(range(len(papers)), key=lambda n: (-shared[n], papers[n].id))
    return [papers[n] for n in order[:MOST_COMPARED]]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _text(paper: PublicPaper) -> str:
    return About(paper.title, paper.abstract).text


def _folded(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.lower()))
