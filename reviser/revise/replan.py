"""The waiting points in the light of what became of others (I&E 3.2; METHODS 7.6).

Whether a point's words are still there is found out without a model. The helper is asked only
about points that an outcome may bear on, and whatever is odd about its answer changes nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from reviser.asking import Unusable
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review.point_rules import is_reviewed
from reviser.review.shown import MARK, shown
from reviser.revise.relocating import relocated
from reviser.revise.treatment import Decision, Replanned, Treated
from reviser.revise.verdict import Outcome
from reviser.roles import Question, Role
from reviser.text.edit import Edit
from reviser.text.printable import many
from reviser.text.visible import visible

PROMPT = "replan-points"
MOST = 16
"""Waiting points in one question."""
REWRITTEN, MERGED, DROPPED = "rewritten", "merged", "dropped"
_REPLY_BASE, _REPLY_POINT = 200, 160
_SAID = 400
"""Characters of each text that is told of an outcome or of a waiting point."""


class StepSaid(BaseModel):
    """What is to become of one waiting point. `point` and `into` are names in the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    point: str = Field(max_length=8)
    step: Literal["keep", "rewrite", "merge", "drop"]
    into: str = Field(max_length=8)
    instruction: str = Field(max_length=800)
    why: str = Field(max_length=500)

    @field_validator("step", mode="before")
    @classmethod
    def _word(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


class StepsSaid(BaseModel):
    """A reply on the waiting points."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: tuple[StepSaid, ...] = Field(max_length=2 * MOST)


@dataclass(frozen=True, slots=True)
class Replan:
    """The points that still wait, in their order and at their places in the text as it now is;
    what was done to the others; and what was asked and could not be used."""

    waiting: tuple[Decision, ...]
    steps: tuple[Replanned, ...]
    unusable: tuple[str, ...]


def replan(
    manuscript: Manuscript,
    waiting: Sequence[Decision],
    seen: Sequence[Treated],
    helper: Role | None,
) -> Replan:
    """The `waiting` decisions after `seen` was treated; `manuscript` is the text by then, the
    decisions and the edits seen speak of the one before. Without a helper nobody is asked.

    Asked about are decisions to revise that share a section with something seen, or ask for the
    same action on the same dimension as something that was refused. A finding of a rule or of the
    verifier can be rewritten but neither dropped nor merged: it rests on more than an opinion.
    """
    kept, steps = _relocated(manuscript, waiting, _accepted(seen))
    unusable: list[str] = []
    concerned = [d for d in kept if d.revise and any(_bears_on(manuscript, t, d) for t in seen)]
    if helper is None or not concerned:
        return Replan(tuple(kept), tuple(steps), ())
    asked = list(_shared_out(manuscript, concerned, seen, helper))
    answers = helper.ask_each([_question(manuscript, some, seen, helper) for some in asked])
    for some, answer in zip(asked, answers, strict=True):
        if isinstance(answer, Unusable):
            unusable.append(f"planning {many(len(some), 'waiting point')} anew: {answer.why}")
            continue
        plan = _plan(answer.value, some)
        kept = [plan.now.get(d.point.id, d) for d in kept if d.point.id not in plan.gone]
        steps += plan.steps
        if plan.odd:
            unusable.append(f"planning anew: {many(plan.odd, 'step')} made no sense, so kept")
    return Replan(tuple(kept), tuple(steps), tuple(unusable))


def _accepted(seen: Sequence[Treated]) -> list[Edit]:
    return [
        t.proposal.edit
        for t in seen
        if t.proposal is not None and t.proposal.edit is not None and _is_accepted(t)
    ]


def _is_accepted(treated: Treated) -> bool:
    return treated.verdict is not None and treated.verdict.outcome is Outcome.ACCEPTED


def _relocated(
    manuscript: Manuscript, waiting: Sequence[Decision], accepted: Sequence[Edit]
) -> tuple[list[Decision], list[Replanned]]:
    kept: list[Decision] = []
    dropped: list[Replanned] = []
    for decision in waiting:
        point = relocated(manuscript, decision.point, accepted)
        if isinstance(point, str):
            dropped.append(Replanned(decision.point.id, DROPPED, point))
        else:
            kept.append(replace(decision, point=point))
    return kept, dropped


def _bears_on(manuscript: Manuscript, treated: Treated, decision: Decision) -> bool:
    """Whether what became of one point can matter for another. A rebuttal changes nothing."""
    one, other = treated.decision, decision
    if not one.revise:
        return False
    if _related(manuscript, one.point.section, other.point.section):
        return True
    like = one.action is other.action and one.point.dimension is other.point.dimension
    return like and not _is_accepted(treated)


def _related(manuscript: Manuscript, one: int, other: int) -> bool:
    """Whether they are one section, or one of them lies in the other."""
    return one in _line(manuscript, other) or other in _line(manuscript, one)


def _line(manuscript: Manuscript, section: int) -> Iterator[int]:
    number: int | None = section
    while number is not None and number < len(manuscript.sections):
        yield number
        number = manuscript.sections[number].parent


def _shared_out(
    manuscript: Manuscript,
    concerned: Sequence[Decision],
    seen: Sequence[Treated],
    helper: Role,
) -> Iterator[Sequence[Decision]]:
    """The points by question, in as few as they fit in."""
    current: list[Decision] = []
    for decision in concerned:
        several = [*current, decision]
        if current and (len(several) > MOST or not _fits(manuscript, several, seen, helper)):
            yield current
            several = [decision]
        current = several
    yield current


def _fits(
    manuscript: Manuscript, asked: Sequence[Decision], seen: Sequence[Treated], helper: Role
) -> bool:
    return helper.room(_question(manuscript, asked, seen, helper)) > 0


def _question(
    manuscript: Manuscript, asked: Sequence[Decision], seen: Sequence[Treated], helper: Role
) -> Question[StepsSaid]:
    outcomes = [t for t in seen if any(_bears_on(manuscript, t, d) for d in asked)]
    points = [f"[P{n}] {_told(manuscript, d)}" for n, d in enumerate(asked, 1)]
    return Question(
        PROMPT,
        {
            "outcomes": "\n".join(f"- {_outcome(t)}" for t in outcomes),
            "waiting": "\n".join(points),
        },
        StepsSaid,
        max_tokens=max(helper.reply_tokens, _REPLY_BASE + _REPLY_POINT * len(asked)),
    )


def _told(manuscript: Manuscript, decision: Decision) -> str:
    """A waiting point as the helper is told it, without its name."""
    quote = _short(shown(manuscript, decision.point.place).text)
    asked = decision.action.value if decision.action is not None else "revise"
    return f'on "{quote}": {_short(decision.point.message)} To do ({asked}): {decision.instruction}'


def _outcome(treated: Treated) -> str:
    """What became of a point, for the helper."""
    told = f'"{_short(treated.decision.point.message)}"'
    edit = treated.proposal.edit if treated.proposal is not None else None
    if edit is None or treated.verdict is None:
        why = treated.proposal.why if treated.proposal is not None else ""
        return f"{told}: nothing was changed. {_short(why)}"
    after = " [...] ".join(_short(part.after) for part in edit.replacements if part.after)
    if _is_accepted(treated):
        return f'{told}: accepted. The text there now has: "{_short(after)}"'
    reasons = _short("; ".join(treated.verdict.reasons))
    layer = treated.verdict.layer.value
    return f'{told}: refused for its {layer} ({reasons}). The draft was: "{_short(after)}"'


def _short(text: str) -> str:
    seen = visible(text)
    if gives_orders(seen):
        return MARK
    return seen if len(seen) <= _SAID else f"{seen[:_SAID]} ..."


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an answer comes to: decisions that are changed, by point; points that do not wait any
    more; the trace; and how many steps were odd."""

    now: Mapping[str, Decision]
    gone: frozenset[str]
    steps: tuple[Replanned, ...]
    odd: int


def _plan(reply: StepsSaid, asked: Sequence[Decision]) -> _Plan:
    """The steps of a reply that make sense, each on what it was asked about."""
    names = {f"P{n}": decision for n, decision in enumerate(asked, 1)}
    rows = Counter(row.point for row in reply.steps)
    touched = {row.point for row in reply.steps if row.step != "keep"}
    now: dict[str, Decision] = {}
    gone: set[str] = set()
    steps: list[Replanned] = []
    odd = 0
    for row in reply.steps:
        one, other = names.get(row.point), names.get(row.into)
        if one is not None and rows[row.point] == 1 and row.step == "keep":
            continue
        if one is None or rows[row.point] > 1 or not _makes_sense(row, one):
            odd += 1
        elif row.step == "rewrite":
            now[one.point.id] = replace(one, instruction=visible(row.instruction))
            steps.append(Replanned(one.point.id, REWRITTEN, visible(row.why)))
        elif row.step == "drop":
            gone.add(one.point.id)
            steps.append(Replanned(one.point.id, DROPPED, visible(row.why)))
        elif (
            other is None
            or row.into in touched
            or other.point.section != one.point.section
            or other.point.id in now
        ):
            odd += 1
        else:
            now[other.point.id] = replace(other, instruction=visible(row.instruction))
            gone.add(one.point.id)
            steps.append(Replanned(one.point.id, MERGED, visible(row.why)))
    return _Plan(now, frozenset(gone), tuple(steps), odd)


def _makes_sense(row: StepSaid, decision: Decision) -> bool:
    """Whether a step has what it needs and nothing besides, and may be taken with this point."""
    instruction, why = visible(row.instruction), visible(row.why)
    if not why or gives_orders(why) or gives_orders(instruction):
        return False
    if row.step == "rewrite":
        return bool(instruction) and not row.into and instruction != decision.instruction
    if not is_reviewed(decision.point):
        return False
    if row.step == "drop":
        return not instruction and not row.into
    return bool(instruction) and bool(row.into)
