"""How good a set of references is: what it shares with another one, and how it fits a topic.

The figures of SurveyX (2025, section 4.1): intersection over union with the references that people
chose, the mean cosine with the topic, and the share that a model calls relevant. What the papers do
not say is said here: how two references are taken for one, and how much stayed unknown.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from reviser.evaluate.metrics import Interval, bootstrap, share
from reviser.literature.joining import names_of, one_work, title_key
from reviser.literature.match import match
from reviser.literature.paper import Paper
from reviser.literature.wanted import meant_by
from reviser.ports import Embedder

SEED = 20_250_214
_BOTH, _FOUND, _HUMAN = "both", "found", "human"
_SHARED_WORDS = 0.5
"""Of the words of the shorter title two references must share to be compared at all."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Two references that are of one work, by their places in the two sets, and how that is known:
    "identifier" or "title"."""

    found: int
    human: int
    how: str


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two sets of references have in common. Each work counts once: `doubled` is how many
    stood in a set again, first in the found one. The figures are None without references."""

    found: tuple[Paper, ...]
    human: tuple[Paper, ...]
    shared: tuple[Shared, ...]
    doubled: tuple[int, int]
    iou: Interval
    precision: Interval
    recall: Interval


@dataclass(frozen=True, slots=True)
class Relevance:
    """How a set fits the topic. `semantic` is the mean cosine of title and abstract with it, over
    all works, `bare` of which have no abstract. `judged` is the share that a model calls relevant
    among those it decided, `open` is how many it did not; None where no model was asked."""

    name: str
    works: int
    bare: int
    semantic: Interval
    judged: Interval | None = None
    open: int | None = None
    why_open: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceReport:
    """All figures about a set of references beside those that people chose."""

    topic: str
    overlap: Overlap
    relevance: tuple[Relevance, ...]
    embedder: str
    judge: str | None = None
    seed: int = SEED
    notes: tuple[str, ...] = field(default_factory=tuple)


def each_once(papers: Sequence[Paper]) -> tuple[tuple[Paper, ...], int]:
    """The works of a set without those that stood in it before, and how many these are."""
    kept: list[Paper] = []
    names: set[str] = set()
    titled: dict[str, list[Paper]] = {}
    for paper in papers:
        own = _names(paper)
        alike = titled.setdefault(title_key(paper.title), [])
        if own & names or any(one_work(paper, other) for other in alike):
            continue
        names |= own
        alike.append(paper)
        kept.append(paper)
    return tuple(kept), len(papers) - len(kept)


def overlap(found: Sequence[Paper], human: Sequence[Paper], *, seed: int = SEED) -> Overlap:
    """The works that both sets have: first by DOI and arXiv id, then by the strict match of titles,
    first authors and years; each stands for one other at most."""
    ours, ours_doubled = each_once(found)
    theirs, theirs_doubled = each_once(human)
    shared = _shared(ours, theirs)
    counts = {_BOTH: len(shared), _FOUND: len(ours) - len(shared)}
    counts[_HUMAN] = len(theirs) - len(shared)
    union = [kind for kind, count in counts.items() for _ in range(count)]

    def rate(of: frozenset[str]) -> Interval:
        some: dict[Hashable, list[str]] = {n: [kind] for n, kind in enumerate(union) if kind in of}
        return bootstrap(some, lambda drawn: share(drawn.count(_BOTH), len(drawn)), seed=seed)

    return Overlap(
        ours,
        theirs,
        shared,
        (ours_doubled, theirs_doubled),
        rate(frozenset((_BOTH, _FOUND, _HUMAN))),
        rate(frozenset((_BOTH, _FOUND))),
        rate(frozenset((_BOTH, _HUMAN))),
    )


def _names(paper: Paper) -> set[str]:
    """Its names that mean the same in every source."""
    return {name for name in names_of(paper) if name.startswith(("doi:", "arxiv:"))}


def _shared(found: Sequence[Paper], human: Sequence[Paper]) -> tuple[Shared, ...]:
    known: dict[str, int] = {}
    for number, paper in enumerate(human):
        for name in _names(paper):
            known.setdefault(name, number)
    pairs: list[Shared] = []
    taken: set[int] = set()
    rest: list[int] = []
    for number, paper in enumerate(found):
        other = next((known[n] for n in sorted(_names(paper)) if n in known), None)
        if other is not None and other not in taken:
            pairs.append(Shared(number, other, "identifier"))
            taken.add(other)
        else:
            rest.append(number)
    words = [_words(paper) for paper in human]
    for number in rest:
        own = _words(found[number])
        near = [n for n in range(len(human)) if n not in taken and _alike(own, words[n])]
        matched = [(_match(found[number], human[n]), -n) for n in near]
        best = max((pair for pair in matched if pair[0]), default=None)
        if best is not None:
            pairs.append(Shared(number, -best[1], "title"))
            taken.add(-best[1])
    return tuple(sorted(pairs, key=lambda one: one.found))


def _match(found: Paper, human: Paper) -> float:
    """The likeness of the titles where the two are of one work, else 0."""
    said = match(meant_by(human), found)
    return said.figures.title if said.accepted else 0.0


def _words(paper: Paper) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in paper.title.casefold()).split())


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer = min(len(one), len(other))
    return bool(fewer) and len(one & other) >= _SHARED_WORDS * fewer


def semantic(
    name: str, papers: Sequence[Paper], topic: str, embedder: Embedder, *, seed: int = SEED
) -> Relevance:
    """The mean cosine of the works with the topic, each work drawn by itself."""
    texts = [f"{paper.title}. {paper.abstract}".strip(". ") for paper in papers]
    rows = embedder.similarities([topic], texts) if texts else [[]]
    some: dict[Hashable, list[float]] = {number: [cosine] for number, cosine in enumerate(rows[0])}
    mean = bootstrap(some, lambda drawn: sum(drawn) / len(drawn) if drawn else None, seed=seed)
    return Relevance(name, len(papers), sum(not paper.abstract for paper in papers), mean)


def judged(
    one: Relevance, verdicts: Sequence[bool | None], reasons: Mapping[str, int], *, seed: int = SEED
) -> Relevance:
    """The same with what a model said of each work, None where it stayed open; `reasons` says how
    often why."""
    decided: dict[Hashable, list[bool]] = {
        n: [verdict] for n, verdict in enumerate(verdicts) if verdict is not None
    }
    rate = bootstrap(decided, lambda drawn: share(sum(drawn), len(drawn)), seed=seed)
    why = tuple(sorted(reasons.items(), key=lambda row: (-row[1], row[0])))
    return Relevance(
        one.name, one.works, one.bare, one.semantic, rate, len(verdicts) - len(decided), why
    )
