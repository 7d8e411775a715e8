"""Which content actions can be asked for: only those for which enough of the literature is at hand.

What is not offered is the authors' to do, as it was before there were such actions.
"""

from collections.abc import Mapping, Sequence

from reviser.literature.sources import Searchable, Text
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.review.model import BLOCKS, Action, Point, Remedy
from reviser.revise.cells import LEAST_ROWS
from reviser.revise.citing import habit_of
from reviser.revise.library import Library
from reviser.revise.sectioning import LEAST_WORKS
from reviser.revise.treatment import Decision

BLOCKS_A_ROUND, MOST_BLOCKS = 1, 5
"""New sections, tables and timelines that a round may put in, unless told another number; at most.
More would change a paper faster than anybody reads it."""


def offered(
    manuscript: Manuscript,
    sources: Mapping[str, Text],
    embedder: Embedder,
    beyond: Sequence[Searchable] = (),
    blocks: int = BLOCKS_A_ROUND,
) -> frozenset[Action]:
    """The content actions that a review's points may be given."""
    if manuscript.language != "en" or habit_of(manuscript) is None:
        return frozenset()
    readable = Library(manuscript, sources, embedder).readable
    found: set[Action] = set()
    if readable or beyond:
        found.add(Action.REWRITE_WITH_EVIDENCE)
    if blocks and (readable >= LEAST_WORKS or beyond):
        found |= {Action.INSERT_SUBSECTION, Action.ADD_SECTION}
    if blocks and (readable >= LEAST_ROWS or beyond):
        found |= {Action.ADD_TABLE, Action.ADD_TIMELINE}
    return frozenset(found)


def within(points: Sequence[Point], blocks: int) -> tuple[Point, ...]:
    """The points, without those that would put in more blocks than a round may; the first stay."""
    kept: list[Point] = []
    for point in points:
        if point.remedy is Remedy.TOOL and point.action in BLOCKS:
            if blocks < 1:
                continue
            blocks -= 1
        kept.append(point)
    return tuple(kept)


def waits(point: Point, blocks: int) -> Decision:
    """The decision on a point that is one block too many for this round."""
    most = "no new section or table" if blocks < 1 else f"at most {blocks} of them"
    why = f"it stays open: {most} a round (setting `blocks`)"
    return Decision(point, revise=False, why=why)
