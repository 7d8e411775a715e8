"""A writer's desk whose models say what a test tells them to, and decisions to write for."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reviser.findings import Severity
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.ports import ChatRequest
from reviser.review.model import Action, Dimension, Point, Remedy
from reviser.revise.desk import Desk
from reviser.revise.evidence import Known
from reviser.revise.treatment import Decision
from reviser.text.source import Place, Span
from tests.fakes.roles import Says, role


class Shared:
    """Texts are as near as the share of words they have in common."""

    name = "shared words"

    def similarities(self, rows: Sequence[str], columns: Sequence[str]) -> list[list[float]]:
        return [[_shared(row, column) for column in columns] for row in rows]


def _shared(one: str, other: str) -> float:
    left, right = set(one.lower().split()), set(other.lower().split())
    return len(left & right) / max(1, min(len(left), len(right)))


def says(*replies: Any) -> Says:
    """Says these one after the other, the last for ever; what is no text is said as JSON."""
    waiting = list(replies)

    def next_reply(_: ChatRequest) -> str:
        reply = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return reply if isinstance(reply, str) else json.dumps(reply)

    return next_reply


def desk(
    read: Reading,
    writer: Mapping[str, Callable[..., Any]],
    helper: Mapping[str, Callable[..., Any]] | None = None,
    known: Known | None = None,
    **more: Any,
) -> Desk:
    """A desk for the paper that was read."""
    return Desk(
        role(writer, part="writer"),
        role(helper or {}),
        Shared(),
        read.reread,
        known=known,
        **more,
    )


def decision(
    manuscript: Manuscript,
    words: str,
    action: Action,
    *,
    needs: str = "",
    rule: str = "review-structure",
    id: str = "abc123abc123",  # noqa: A002
) -> Decision:
    """A decision to revise the place where `words` stand."""
    path = next(p for p, s in manuscript.sources.items() if words in s.text and p.endswith(".tex"))
    start = manuscript.sources[path].text.index(words)
    place = Place(path, Span(start, start + len(words)))
    point = Point(
        id=id,
        rule=rule,
        message="This is hard to follow.",
        quote=words,
        place=place,
        section=1,
        lines=manuscript.lines(place),
        dimension=Dimension.STRUCTURE,
        severity=Severity.NOTE,
        remedy=Remedy.TOOL,
        action=action,
        needs=needs,
    )
    return Decision(point, True, "it is right", action, "Make it clearer.")
