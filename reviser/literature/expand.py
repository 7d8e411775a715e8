"""Finding the literature of a topic by keywords that the found papers suggest: SurveyX, 3.1.1.

Algorithm 1: search for the newest keyword, sort all that was found into as many groups as there are
keywords and one more, name each group, and take the name that is near the topic and far from what
was searched for (equations 1 to 3).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from reviser.literature.closeness import cosine, embedded_text, numbers_of
from reviser.literature.grouping import Groups
from reviser.literature.index import Held
from reviser.literature.joining import names_of, title_key
from reviser.literature.naming import Namer
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Searchable, Silent
from reviser.ports import Vectors, Workers

DOCUMENTS = 1000
"""The theta of the paper: papers after which the search ends."""
TOPIC_COUNTS = 2
"""How often the topic counts among the keywords (the paper: its weight is doubled)."""
IN_VAIN = 2
"""Searches in a row without a new paper after which there is nothing more to be found."""

ENOUGH = "enough papers were found"
NOTHING_NEW = "the last searches found no new paper"
NO_KEYWORD = "the papers suggest no new keyword"
SEARCHES = "the searches allowed were made"
TIME = "the time allowed is over"
NOBODY = "no source answered"


class Clusters(Protocol):
    """Sorts texts into groups of like meaning; the same texts always in the same way."""

    def of(self, texts: Sequence[str], count: int) -> Sequence[int]:
        """The group of each text, numbered from 0; at most `count` groups, fewer for few texts.
        Within a group those in its middle are what it is about: see `middle`."""
        ...

    def middle(self, texts: Sequence[str]) -> Sequence[int]:
        """Places of the texts of one group, those nearest to its middle first."""
        ...


@dataclass(frozen=True, slots=True)
class Limits:
    """What an expansion may take: papers in all, questions put to sources in this run, seconds of
    this run, and papers asked for at a time."""

    documents: int = DOCUMENTS
    searches: int = 60
    seconds: float = 900.0
    at_a_time: int = 50


@dataclass(frozen=True, slots=True)
class Candidate:
    """A group's name. `mean` is its mean similarity to the keywords with the topic counted twice,
    `most` its greatest to any keyword; the ranks, from 1, are those of equations 2 and 3."""

    keyword: str
    mean: float
    most: float
    near_rank: int = 0
    far_rank: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One search: what each source gave (its name and how many papers), which were silent, how many
    papers were new, how many there are now, and what the next keyword was chosen from."""

    keyword: str
    found: tuple[tuple[str, int], ...]
    silent: tuple[str, ...]
    new: int
    total: int
    candidates: tuple[Candidate, ...] = ()
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What is known of the literature of a topic. `pool` are the keywords in the order in which
    they came, the last one perhaps not searched for yet; `names` the identities of the papers, and
    `stopped` why no more is searched for, "" while it goes on."""

    topic: str
    pool: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    names: tuple[str, ...] = ()
    stopped: str = ""

    @property
    def unsearched(self) -> str:
        """The newest keyword, if nothing was searched for with it yet, else ""."""
        tried = {step.keyword for step in self.steps if step.found}
        return next((keyword for keyword in self.pool if keyword not in tried), "")


@dataclass(frozen=True, slots=True)
class Means:
    """With what an expansion is made. `seconds` tells how long this run has lasted; `keep` is given
    the new papers of a step, and `record` the expansion after it, to be kept for another run."""

    sources: Sequence[Searchable]
    vectors: Vectors
    clusters: Clusters
    namer: Namer
    workers: Workers
    seconds: Callable[[], float]
    keep: Callable[[Sequence[Paper], str], None]
    record: Callable[[Expansion], None]


def expand(begun: Expansion, papers: Sequence[Paper], limits: Limits, means: Means) -> Expansion:
    """Search until there are enough papers, nothing new is found, or the limits are reached.

    `begun` is a new topic (`begin`) or what an earlier run recorded, `papers` those of its names
    that are at hand. Raises what `keep`, `record`, `clusters` and `namer` raise; what was found
    until then has been kept.
    """
    search = _Search(replace(begun, stopped=""), papers, limits, means)
    while not search.expansion.stopped:
        search.step()
        means.record(search.expansion)
    return search.expansion


def begin(topic: str, keywords: Sequence[str] = ()) -> Expansion:
    """An expansion of which nothing was searched for; without keywords the topic is the first."""
    return Expansion(topic, tuple(dict.fromkeys(keywords)) or (topic,))


class _Search:
    def __init__(
        self, begun: Expansion, papers: Sequence[Paper], limits: Limits, means: Means
    ) -> None:
        self.expansion = begun
        self._limits = limits
        self._means = means
        self._groups = Groups(())
        self._papers: list[Paper] = []
        self._take(papers)
        self._asked = 0
        self._in_vain = 0

    def step(self) -> None:
        """Search for the newest keyword, or say why it ends here."""
        why = self._ended()
        keyword = "" if why else self.expansion.unsearched or self._chosen()
        if not keyword:
            self.expansion = replace(self.expansion, stopped=why or NO_KEYWORD)
            return
        done = self._searched(keyword)
        self._in_vain = 0 if done.new else self._in_vain + 1
        self.expansion = replace(
            self.expansion,
            steps=(*self.expansion.steps, done),
            names=tuple(names_of(paper)[0] for paper in self._papers),
            stopped="" if done.found else NOBODY,
        )

    def _ended(self) -> str:
        limits = self._limits
        reasons = (
            (len(self._papers) >= limits.documents, ENOUGH),
            (self._in_vain >= IN_VAIN, NOTHING_NEW),
            (self._asked >= limits.searches, SEARCHES),
            (self._means.seconds() >= limits.seconds, TIME),
        )
        return next((why for holds, why in reasons if holds), "")

    def _chosen(self) -> str:
        """The next keyword, out of all that was found; "" where there is none."""
        pool, steps = self.expansion.pool, self.expansion.steps
        candidates = self._candidates(pool)
        if not candidates or not steps:
            return ""
        chosen = candidates[0].keyword
        last = replace(steps[-1], candidates=candidates, chosen=chosen)
        self.expansion = replace(self.expansion, pool=(*pool, chosen), steps=(*steps[:-1], last))
        return chosen

    def _searched(self, keyword: str) -> Step:
        sources = self._means.sources[: max(1, self._limits.searches - self._asked)]
        self._asked += len(sources)

        def ask(source: Searchable) -> Answer:
            return source.search(keyword, self._limits.at_a_time)

        answers = self._means.workers.each(ask, sources)
        found, silent, new = [], [], 0
        for source, answer in zip(sources, answers, strict=True):
            if isinstance(answer, Silent):
                silent.append(str(answer))
                continue
            found.append((source.name, len(answer)))
            self._means.keep(answer, f"search: {keyword}")
            new += self._take(answer)
        return Step(keyword, tuple(found), tuple(silent), new, len(self._papers))

    def _take(self, papers: Sequence[Paper]) -> int:
        before = len(self._papers)
        for paper in papers:
            held = Held(paper, names_of(paper))
            if title_key(paper.title) and self._groups.take(held) == "new":
                self._papers.append(paper)
        return len(self._papers) - before

    def _candidates(self, pool: Sequence[str]) -> tuple[Candidate, ...]:
        """The names of the groups, the one to be taken first."""
        if not self._papers:
            return ()
        texts = [embedded_text(paper) for paper in self._papers]
        labels = self._means.clusters.of(texts, len(pool) + 1)
        groups: list[list[Paper]] = []
        for label in sorted(set(labels)):
            own = [place for place, other in enumerate(labels) if other == label]
            order = self._means.clusters.middle([texts[place] for place in own])
            groups.append([self._papers[own[place]] for place in order])
        names = self._means.namer.names(groups, self.expansion.topic, pool)
        taken = {title_key(keyword) for keyword in (*pool, self.expansion.topic)}
        new = [n for n in dict.fromkeys(names) if title_key(n) and title_key(n) not in taken]
        return chosen_first(new, pool, self.expansion.topic, self._means.vectors)


def chosen_first(
    keywords: Sequence[str], pool: Sequence[str], topic: str, vectors: Vectors
) -> tuple[Candidate, ...]:
    """The keywords by the sum of their ranks, least first (equation 1).

    The first rank is by mean similarity to the pool with the topic counted twice, nearest first;
    the second by the greatest similarity to any of the pool, farthest first. Equal values have
    equal ranks; of equal sums the nearer one comes first.
    """
    if not keywords:
        return ()
    found = list(map(numbers_of, vectors.vectors([*keywords, *pool, topic])))
    own, known, wanted = found[: len(keywords)], found[len(keywords) : -1], found[-1]
    candidates = []
    for keyword, vector in zip(keywords, own, strict=True):
        to_pool = [cosine(vector, one) for one in known]
        to_topic = cosine(vector, wanted)
        others = [c for c, k in zip(to_pool, pool, strict=True) if k != topic]
        total = sum(others) + TOPIC_COUNTS * to_topic
        mean = total / (len(others) + TOPIC_COUNTS)
        candidates.append(Candidate(keyword, mean, max(to_pool)))
    ranked = [
        replace(
            one,
            near_rank=1 + sum(other.mean > one.mean for other in candidates),
            far_rank=1 + sum(other.most < one.most for other in candidates),
        )
        for one in candidates
    ]
    return tuple(sorted(ranked, key=lambda c: (c.near_rank + c.far_rank, -c.mean, c.keyword)))
