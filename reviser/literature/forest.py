"""The trees of many works together, from which what bears on a text is taken.

SurveyX (3.1.2, 3.2.3) writes from the forest instead of from abstracts: it says more in fewer
tokens. A leaf is what is compared, a tree what is returned, with its nearest leaves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reviser.budget import tokens_of
from reviser.literature.attributes import Leaf, Tree
from reviser.ports import Embedder

LEAST = 0.25
"""The cosine below which a leaf has nothing to do with a text."""


@dataclass(frozen=True, slots=True)
class Near:
    """A tree, the cosine of its nearest leaf with the query in [-1, 1], and its leaves that are
    near enough, the nearest first."""

    tree: Tree
    cosine: float
    leaves: tuple[Leaf, ...]


class Forest:
    """Trees by work. Of two trees of one work the later one stands."""

    def __init__(self, trees: Sequence[Tree], embedder: Embedder) -> None:
        self._trees = {tree.work: tree for tree in trees}
        self._embedder = embedder

    @property
    def trees(self) -> tuple[Tree, ...]:
        """The trees, in the order in which their works came first."""
        return tuple(self._trees.values())

    def of(self, work: str) -> Tree | None:
        """The tree of a work, None where there is none."""
        return self._trees.get(work)

    def nearest(self, query: str, most: int, *, least: float = LEAST) -> tuple[Near, ...]:
        """At most so many trees with a leaf whose cosine with the query is `least` or more, the
        nearest first; () for an empty query."""
        pairs = [(tree, leaf) for tree in self._trees.values() for leaf in tree.leaves]
        if not query.strip() or not pairs or most < 1:
            return ()
        (cosines,) = self._embedder.similarities([query], [_compared(*pair) for pair in pairs])
        near: dict[str, list[tuple[float, int]]] = {}
        for number, cosine in enumerate(cosines):
            if cosine >= least:
                near.setdefault(pairs[number][0].work, []).append((-cosine, number))
        found = []
        for work, ranked in near.items():
            ranked.sort()
            leaves = tuple(pairs[number][1] for _, number in ranked)
            found.append(Near(self._trees[work], -ranked[0][0], leaves))
        return tuple(sorted(found, key=lambda one: (-one.cosine, one.tree.work))[:most])


def _compared(tree: Tree, leaf: Leaf) -> str:
    """A leaf by itself seldom names what it is about, so the title goes before it."""
    return f"{tree.title}. {leaf.text}" if tree.title else leaf.text


def rendered(tree: Tree, tokens: int, first: Sequence[Leaf] = (), *, name: str = "") -> str:
    """A tree as a prompt shows it, in at most so many tokens: a line with the work's name, then a
    line for each leaf with the words it rests on, in the tree's own order. Where not all fit,
    those of `first` go before the others; "" where not even one does."""
    head = f"[{name or tree.work}] {tree.title} ({tree.kind})"
    left = tokens - tokens_of(head)
    kept: set[int] = set()
    order = [tree.leaves.index(leaf) for leaf in first if leaf in tree.leaves]
    for number in dict.fromkeys((*order, *range(len(tree.leaves)))):
        cost = tokens_of("\n" + _line(tree.leaves[number]))
        if cost <= left:
            kept.add(number)
            left -= cost
    if not kept:
        return ""
    return "\n".join([head, *(_line(tree.leaves[number]) for number in sorted(kept))])


def _line(leaf: Leaf) -> str:
    return f'- {leaf.name}: {leaf.text} ("{leaf.quote}")'
