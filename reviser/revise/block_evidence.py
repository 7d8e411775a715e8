"""What the evidence says of a block: each quotation behind a cell is looked up in its work's text.

The hard checks have seen that a cell says no more than its quotation; here the quotation must be
real. It is looked for in what is at hand of the work by now, not in what a writer was shown.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from reviser.latex.quoting import quoted_in
from reviser.manuscript.model import Manuscript
from reviser.review.treatable import section_at
from reviser.revise.block_checks import blocks
from reviser.revise.block_shape import shape_of
from reviser.revise.change import Change
from reviser.revise.evidence import Weighed
from reviser.revise.verdict import Outcome
from reviser.text.edit import Ground
from reviser.text.source import Place, Span
from reviser.verify.model import Passage

#: The passages that are at hand of the work with a key, in a paper; () where there are none.
Passages: TypeAlias = Callable[[Manuscript, str], Sequence[Passage]]

NO_TEXTS = "the texts of the works are not at hand, so no quotation could be looked up"


def weigh_cells(change: Change, passages: Passages | None) -> Iterator[Weighed]:
    """The word on the quotations of the edit's tables; nothing where it has no table."""
    if not any(_is_table(part.after) for part in blocks(change)):
        return
    if passages is None:
        yield Weighed(Outcome.UNDECIDED, (NO_TEXTS,))
        return
    grounds = change.edit.grounds
    for ground in grounds:
        here = passages(change.after, ground.key)
        if not here:
            reason = f"no text of {ground.key} is at hand to look a quotation up in"
            yield Weighed(Outcome.UNDECIDED, (reason,))
        elif not _stands(ground, here):
            reason = f"{ground.quote[:60]!r} does not stand in what is at hand of {ground.key}"
            yield Weighed(Outcome.REJECTED, (reason,))
    works = len({ground.key.lower() for ground in grounds})
    reason = f"{len(grounds)} cells rest on words of {works} works, which stand there"
    yield Weighed(Outcome.ACCEPTED, (reason,))


def table_at(change: Change, at: Place) -> bool:
    """Whether a place afterwards lies in a table that the edit puts in, or in the sentence of ours
    that points to it: the one is borne out by quotations, the other checked word by word."""
    for part in blocks(change):
        landed = change.landed(part)
        if part.at.path != at.path or not landed.covers(at.span) or not _is_table(part.after):
            continue
        floats = [f.at.span for f in change.after.floats if f.at.path == at.path]
        first = min(
            (s.at.span for s in change.after.sentences if _within(s.at, at.path, landed)),
            default=landed,
        )
        if first.covers(at.span) or any(landed.covers(f) and f.covers(at.span) for f in floats):
            return True
    return False


def _within(at: Place, path: str, span: Span) -> bool:
    return at.path == path and span.covers(at.span)


def block_at(change: Change, at: Place) -> Span | None:
    """The span of the block that a place afterwards lies in, None where it lies in none."""
    for part in blocks(change):
        landed = change.landed(part)
        if part.at.path == at.path and landed.covers(at.span):
            return landed
    return None


def own_section(change: Change, path: str) -> int:
    """The section, in the paper before, behind whose words a block in this file is put."""
    spots = [part.at for part in blocks(change) if part.at.path == path]
    return section_at(change.before, spots[0]) if spots else 0


def _is_table(text: str) -> bool:
    shape = shape_of(text)
    return not isinstance(shape, str) and shape.table is not None


def _stands(ground: Ground, passages: Sequence[Passage]) -> bool:
    """Whether the words stand in one text of the work, as they were read there."""
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.where, []).append(passage.text)
    return any(quoted_in(" ".join(parts), ground.quote) is not None for parts in texts.values())
