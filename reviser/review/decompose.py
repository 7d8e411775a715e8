"""A review taken apart into atomic points, each tied to words of the paper (I&E 3.2, the function
called beta there).

The paper is gone through part by part. What a model says of a part counts only with a quotation
that stands in that part exactly once; all else about a point that can be known (place, section,
lines, whether an edit may touch it) is found out by code and not asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from reviser.asking import Unusable
from reviser.findings import Finding, Severity, fingerprinted
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review.digest import Part, parts
from reviser.review.foreign import FOREIGN, foreign
from reviser.review.merging import joined
from reviser.review.model import CONTENT, Action, Dimension, Point, Remedy, Review
from reviser.review.point_rules import rule_of
from reviser.review.treatable import section_at, untreatable
from reviser.roles import Question, Role
from reviser.text.source import Place
from reviser.text.visible import visible

PROMPT = "decompose-review"
MOST = 12
"""Points that a reply may have about one part."""
_REPLY_TOKENS = 2_400
_LEAST_ROOM = 400
"""Tokens of the paper that a part should have at least: below, nothing is asked."""
_LARGEST_PART = 6_000
"""Tokens of a part at most: models overlook more in the middle of longer texts, and a quotation
must be the only one of its words in its part."""
_SHOWN_ITEM = 90
_AUTHOR = "author decides"
_NO_OFFERS = "(nothing)"
_PLAN = "the plan for "


class PointSaid(BaseModel):
    """A point in a reply. `of` names the item of the review that it comes from, as W2 or Q1."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: str = Field(max_length=8)
    quote: str = Field(max_length=1_200)
    message: str = Field(min_length=1, max_length=600)
    dimension: Literal["coverage", "structure", "relevance", "synthesis", "critical analysis"]
    severity: Literal["note", "warning"]
    action: Literal[
        "rewrite sentence",
        "enhance paragraph",
        "restructure paragraph",
        "rewrite with evidence",
        "insert subsection",
        "add section",
        "add table",
        "add timeline",
        "author decides",
    ]
    needs: str = Field(max_length=300)

    @field_validator("dimension", "severity", "action", mode="before")
    @classmethod
    def _word(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return " ".join(value.lower().replace("_", " ").replace("-", " ").split())


class PointsSaid(BaseModel):
    """A reply on one part of the paper."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    points: tuple[PointSaid, ...] = Field(max_length=MOST)


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The points of a review, in order of place, each with its id. `unusable` tells what was said
    or asked and came to nothing, and why."""

    points: tuple[Point, ...]
    unusable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Item:
    """Something the review says, under the name the model knows it by."""

    name: str
    what: str
    text: str

    @property
    def is_plan(self) -> bool:
        """Whether it is how to do better on a dimension, and not a weakness or a question."""
        return self.what.startswith(_PLAN)

    @property
    def told(self) -> str:
        """For a report."""
        words = self.text if len(self.text) <= _SHOWN_ITEM else f"{self.text[:_SHOWN_ITEM]} ..."
        return f'{self.what} "{words}"'


def decompose(
    manuscript: Manuscript,
    review: Review,
    helper: Role,
    offered: frozenset[Action] = frozenset(),
) -> Decomposed:
    """The atomic points of a review. `offered` are the content actions that the literature at hand
    allows; one that is not among them is the authors' to take.
    Raises ReviserError when the endpoint answers nobody."""
    items, unusable = _items(review)
    if not items:
        return Decomposed((), (*unusable, "the review names nothing that could be bettered"))
    listed = "\n".join(f"[{item.name}] {item.text}" for item in items)
    offers = ", ".join(action.value for action in Action if action in offered) or _NO_OFFERS
    reply = max(helper.reply_tokens, min(_REPLY_TOKENS, helper.context // 4))
    room = min(_LARGEST_PART, helper.room(_question(listed, offers, "", reply)))
    shown_parts = parts(manuscript, room) if room >= _LEAST_ROOM else ()
    if not shown_parts:
        return Decomposed((), (*unusable, "beside the review no prompt has room for the paper"))
    answers = helper.ask_each([_question(listed, offers, part.text, reply) for part in shown_parts])
    found: list[Point] = []
    names = frozenset(item.name for item in items)
    met: set[str] = set()
    for part, answer in zip(shown_parts, answers, strict=True):
        where = _named(manuscript, part)
        if isinstance(answer, Unusable):
            unusable.append(f"points in {where}: {answer.why}")
            continue
        for said in answer.value.points:
            point = _point(manuscript, part, said, names, offered)
            if isinstance(point, str):
                unusable.append(f"a point in {where}: {point}")
            else:
                found.append(point)
                met.add(said.of)
    unusable += _untied([item for item in items if item.name not in met])
    return Decomposed(_signed(found), tuple(unusable))


def _untied(items: Sequence[_Item]) -> list[str]:
    """What stays in the review: the weaknesses and questions word for word, the plans by name."""
    words = "could be tied to no words of the paper"
    told = [f"{item.told} {words}, so it is no point" for item in items if not item.is_plan]
    plans = [item.what.removeprefix(_PLAN) for item in items if item.is_plan]
    if plans:
        told.append(f"the plans for {', '.join(plans)} {words}, so they are no points")
    return told


def _items(review: Review) -> tuple[list[_Item], list[str]]:
    """What the review asks for, item by item, and what no model is shown of it."""
    plans = review.scorecard.grades if review.scorecard is not None else ()
    said = [
        *((f"W{n}", f"weakness {n}", text) for n, text in enumerate(review.weaknesses, 1)),
        *((f"Q{n}", f"question {n}", text) for n, text in enumerate(review.questions, 1)),
        *((f"P{n}", f"{_PLAN}{g.dimension.value}", g.plan) for n, g in enumerate(plans, 1)),
    ]
    items = [_Item(name, what, visible(text)) for name, what, text in said if visible(text)]
    kept = [item for item in items if not gives_orders(item.text)]
    withheld = [
        f"{item.what} gives orders to its reader, so no model was shown it"
        for item in items
        if item not in kept
    ]
    return kept, withheld


def _question(review: str, offers: str, part: str, reply: int) -> Question[PointsSaid]:
    values = {"review": review, "offers": offers, "part": part}
    return Question(PROMPT, values, PointsSaid, max_tokens=reply)


def _point(
    manuscript: Manuscript,
    part: Part,
    said: PointSaid,
    names: frozenset[str],
    offered: frozenset[Action],
) -> Point | str:
    """The point that a reply names, without its id, or why it is none."""
    message, needs = visible(said.message), visible(said.needs)
    if said.of not in names:
        return "it comes from nothing that the review says"
    if not message:
        return "it says nothing"
    if foreign(manuscript, [message, needs]):
        return FOREIGN
    if gives_orders(message) or gives_orders(needs):
        return "it gives orders to its reader"
    place = part.find(said.quote)
    if place is None:
        return "it quotes words that do not stand there exactly once"
    action = _action(manuscript, place, said.action, offered)
    return Point(
        id="",
        rule=rule_of(Dimension(said.dimension)),
        message=message,
        quote=manuscript.text(place),
        place=place,
        section=section_at(manuscript, place),
        lines=manuscript.lines(place),
        dimension=Dimension(said.dimension),
        severity=Severity(said.severity),
        remedy=Remedy.AUTHOR if action is None else Remedy.TOOL,
        action=action,
        needs=needs,
    )


def _action(
    manuscript: Manuscript, place: Place, said: str, offered: frozenset[Action]
) -> Action | None:
    """What a writer can be asked for; None where it is the author's, whatever the model says."""
    if said == _AUTHOR or untreatable(manuscript, place):
        return None
    action = Action(said)
    if action in CONTENT and action not in offered:
        return None
    within = any(
        s.at.path == place.path and s.at.span.covers(place.span) for s in manuscript.sentences
    )
    # Several sentences are reworded together, with their paragraph.
    if action is Action.REWRITE_SENTENCE and not within:
        return Action.RESTRUCTURE_PARAGRAPH
    return action


def _signed(points: Sequence[Point]) -> tuple[Point, ...]:
    """The points with their ids. What is said twice of the same words on the same dimension is
    one point, so that an id does not depend on how a model words or counts what it says."""
    same: dict[tuple[str, Place], list[Point]] = {}
    for point in points:
        same.setdefault((point.rule, point.place), []).append(point)
    found = {key: joined(group) for key, group in same.items()}
    signed = fingerprinted(
        Finding(point.rule, point.place, point.quote, point.message, point.severity)
        for point in found.values()
    )
    return tuple(replace(found[f.rule, f.place], id=f.fingerprint) for f in signed)


def _named(manuscript: Manuscript, part: Part) -> str:
    """A part as people find it: its first and last lines, by file."""
    first, last = part.shown[0].place, part.shown[-1].place
    start, stop = manuscript.lines(first)[0], manuscript.lines(last)[1]
    if first.path == last.path:
        return f"{first.path}:{start}-{stop}"
    return f"{first.path}:{start} to {last.path}:{stop}"
