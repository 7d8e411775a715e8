"""The user's own literature: bibliography, kept search results and files, searched as one."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reviser.literature.fusion import fused
from reviser.literature.grouping import Groups
from reviser.literature.index import Held, Index, NoIndex
from reviser.literature.joining import names_of, title_key
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Silent

NAME = "corpus"
DEPTH = 50
"""Works of each ranking that are fused, at least."""
BATCH = 256
"""Works that are put at once: what is put stays when the rest is interrupted."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of papers that were added: how many were `new`, how many said something `more`
    of a work that was there, and how many said nothing new of a `known` one. `odd` have the id of
    a work with quite another title and were left out, as the `nameless` were, which have no title.
    `embedded` is how many texts went through the model."""

    new: int = 0
    more: int = 0
    known: int = 0
    odd: int = 0
    nameless: int = 0
    embedded: int = 0

    def __add__(self, other: "Added") -> "Added":
        return Added(
            self.new + other.new,
            self.more + other.more,
            self.known + other.known,
            self.odd + other.odd,
            self.nameless + other.nameless,
            self.embedded + other.embedded,
        )


class Corpus:
    """A `Searchable` over an `Index`, in which each work stands once.

    Papers with a DOI, an arXiv id or a source's id in common are one work, and so are those that
    `joining.one_work` says are.
    """

    def __init__(self, index: Index) -> None:
        self._index = index

    @property
    def name(self) -> str:
        """ "corpus"."""
        return NAME

    @property
    def index(self) -> Index:
        """Where it is kept."""
        return self._index

    def add(
        self,
        papers: Sequence[Paper],
        via: str,
        told: Callable[[int, int], None] | None = None,
    ) -> Added:
        """Keep these papers, which `via` brought; `told` hears how many of how many are kept.

        Raises NoIndex; what was kept before then stays.
        """
        added = Added()
        for start in range(0, len(papers), BATCH):
            batch = papers[start : start + BATCH]
            added += self._add(batch, via)
            if told is not None:
                told(start + len(batch), len(papers))
        return added

    def search(self, query: str, most: int) -> Answer:
        """At most so many works on the matter of `query`, best first: words (BM25) and meaning
        (cosine) fused by reciprocal rank. Raises nothing."""
        try:
            return tuple(held.paper for held in self.ranked(query, most))
        except NoIndex as error:
            return Silent(NAME, error.why)

    def ranked(self, query: str, most: int) -> tuple[Held, ...]:
        """As `search`, with all that is held of each work. Raises NoIndex."""
        if most < 1 or not query.strip():
            return ()
        depth = max(DEPTH, 2 * most)
        rankings = (self._index.nearest(query, depth), self._index.matching(query, depth))
        order = fused([[hit.name for hit in hits] for hits in rankings])[:most]
        found = self._index.get(order)
        return tuple(found[name] for name in order if name in found)

    def get(self, names: Sequence[str]) -> Mapping[str, Paper]:
        """The works with these identities, by the name asked for. Raises NoIndex."""
        return {name: held.paper for name, held in self._index.get(names).items()}

    def _add(self, papers: Sequence[Paper], via: str) -> Added:
        usable = [paper for paper in papers if title_key(paper.title)]
        new = [Held(paper, names_of(paper), (via,)) for paper in usable]
        names = dict.fromkeys(name for held in new for name in held.names)
        keys = dict.fromkeys(title_key(paper.title) for paper in usable)
        named = self._index.get(list(names)).values()
        titled = self._index.titled(list(keys)).values()
        groups = Groups({h.names[0]: h for h in (*named, *(h for t in titled for h in t))}.values())
        fates = Counter(groups.take(held) for held in new)
        changed = groups.changed()
        embedded = self._index.put(changed) if changed else 0
        nameless = len(papers) - len(usable)
        return Added(fates["new"], fates["more"], fates["known"], fates["odd"], nameless, embedded)
