"""A reader's own collection of works as a source: what is asked of it never leaves the machine."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Wanted
from reviser.literature.spelling import ARTICLES, JOINTS
from reviser.literature.titles import folded_title

NEAREST = 5
"""Works that are offered for a title."""
_MOST_HOLDING = 2_000
"""Works that may share a word for it to be looked up: a commoner one tells nothing."""


class Collection:
    """The works of one export; `name` is its file's."""

    def __init__(self, name: str, papers: Sequence[Paper]) -> None:
        self._name = name
        self._papers = tuple(papers)
        self._by_id: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, paper in enumerate(self._papers):
            for known in (paper.doi, paper.arxiv):
                if known:
                    self._by_id[known].append(number)
            for word in _words(paper.title):
                self._by_word[word].append(number)

    @property
    def name(self) -> str:
        """Its file's name."""
        return self._name

    @property
    def papers(self) -> tuple[Paper, ...]:
        """All of its works, in the order of the file."""
        return self._papers

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """What it has under the DOI or arXiv id of each."""
        found = []
        for one in wanted:
            numbers = [n for known in (one.doi, one.arxiv) if known for n in self._having(known)]
            found.append(tuple(self._papers[n] for n in dict.fromkeys(numbers)))
        return found

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """The works whose titles share the rarest words with that of each."""
        return [self.search(one.title, NEAREST) for one in wanted]

    def search(self, query: str, most: int) -> Answer:
        """The works whose titles share the rarest words with `query`."""
        scores: Counter[int] = Counter()
        for word in _words(query):
            holding = self._by_word.get(word, ())
            if len(holding) <= _MOST_HOLDING:
                for number in holding:
                    scores[number] += 1 + int(100 * math.log(1 + len(self._papers) / len(holding)))
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return tuple(self._papers[number] for number, _ in best[: max(0, most)])

    def _having(self, known: str) -> Sequence[int]:
        return self._by_id.get(known, ())


def _words(title: str) -> frozenset[str]:
    return frozenset(folded_title(title).words) - ARTICLES - JOINTS
