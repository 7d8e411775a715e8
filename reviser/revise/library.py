"""The works that a content action may draw on: the bibliography, and what is found beyond it.

METHODS 4 and 10: evidence is located against the draft at hand, so what lies beyond is searched
anew with each draft. A work that is found there comes with the entry by which it can be cited.
"""

from collections.abc import Mapping, Sequence

from reviser.latex.orders import gives_orders
from reviser.literature.paper import Paper
from reviser.literature.sources import Searchable, Silent, Text
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.revise.grounds import Found, Shelf
from reviser.verify.bringing import Brought, bring
from reviser.verify.evidence import Work, works
from reviser.verify.model import Passage

SOUGHT = 10
"""Works that are asked of each place of search for one draft (K of FIKSurvey, appendix B)."""
MOST_BROUGHT = 60
"""Works from beyond the bibliography that one library holds."""
_WORDS = 60
"""Words of a query: no place of search reads more."""


class Library:
    """What may be shown of a paper's bibliography and of `beyond` it, for one state of the paper.

    Text that gives orders to its reader is never shown, see `Shelf`. `silent` are the places of
    search that did not answer.
    """

    def __init__(
        self,
        manuscript: Manuscript,
        sources: Mapping[str, Text],
        embedder: Embedder,
        beyond: Sequence[Searchable] = (),
    ) -> None:
        self.silent: list[Silent] = []
        self._manuscript = manuscript
        self._embedder = embedder
        self._beyond = beyond
        self._own = works(manuscript, sources)
        self._papers: dict[str, Paper] = {}
        self._asked: set[str] = set()
        self._brought: dict[str, Brought] = {}
        self.shelf = Shelf(manuscript, self._own, embedder)

    def seek(self, query: str) -> None:
        """Look beyond the bibliography for works on the matter of some text; once for each."""
        asked = " ".join(query.split()[:_WORDS])
        if not asked or asked in self._asked or len(self._papers) >= MOST_BROUGHT:
            return
        self._asked.add(asked)
        for place in self._beyond:
            answer = place.search(asked, SOUGHT)
            if isinstance(answer, Silent):
                self.silent.append(answer)
                continue
            for paper in answer[:SOUGHT]:
                if _usable(paper) and len(self._papers) < MOST_BROUGHT:
                    self._papers.setdefault(paper.identity, paper)
        # All at once, so that no two of them are given one key.
        found = bring(self._manuscript, list(self._papers.values()))
        self._brought = {one.key.lower(): one for one in found}
        there = {**self._own, **{key: one.work for key, one in self._brought.items()}}
        self.shelf = Shelf(self._manuscript, there, self._embedder)

    def near(self, texts: Sequence[str], most: int, per_work: int) -> Found:
        """The passages of all works that are nearest to any of the texts."""
        return self.shelf.nearest(texts, self.shelf.all(), most=most, per_work=per_work)

    def brought(self, keys: Sequence[str]) -> tuple[Brought, ...]:
        """The new entries among these keys."""
        found = (self._brought.get(key.lower()) for key in keys)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def work(self, key: str) -> Work | None:
        """What is known of the work with a key."""
        one = self._brought.get(key.lower())
        return one.work if one is not None else self._own.get(key.lower())

    def passages(self, key: str) -> tuple[Passage, ...]:
        """All that is at hand of the work with a key."""
        work = self.work(key)
        return () if work is None else work.passages

    @property
    def readable(self) -> int:
        """How many works have a text that may be shown."""
        return len(self.shelf.all())


def _usable(paper: Paper) -> bool:
    """Whether a work says something of itself, is not retracted, and orders nobody about."""
    return bool(
        paper.abstract.strip()
        and paper.notice is None
        and not gives_orders(f"{paper.title}. {paper.abstract}")
    )
