"""Revise or rebut: not every point should be followed (I&E 3.2, the function called C there).

The points that an edit could mend are put to the helper section by section, several sections in
one question, with the text around them and a digest of the rest. A point that has no usable answer
stays open: the text is not revised for it, and it is not rebutted either.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from reviser.asking import Unusable
from reviser.budget import tokens_of
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review.digest import digest
from reviser.review.foreign import foreign
from reviser.review.model import CONTENT, Point, Remedy
from reviser.review.shown import shown
from reviser.review.treatable import untreatable
from reviser.revise.surroundings import heading, surroundings
from reviser.revise.treatment import Decision
from reviser.roles import Question, Role
from reviser.text.visible import visible

PROMPT = "decide-points"
MOST = 8
"""Points in one question: the longer a list, the less each of it is weighed."""
AUTHORS = "only the authors can decide it"
FOLLOWED = "every point that an edit can mend is followed: rebutting is switched off"
_DIGEST = 700
_SECTION = 1_500
"""Tokens of a section's text, at most; of a longer one, the paragraphs around the points."""
_REPLY_BASE, _REPLY_POINT = 200, 320
_QUOTED = 600
"""Characters of a quotation, and of a message, that the helper is told."""
_NAME = 4
"""Tokens around a point or a section in a question."""


class DecisionSaid(BaseModel):
    """What is to be done about one point. `point` is its name in the question, as P3."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    point: str = Field(max_length=8)
    choice: Literal["revise", "rebut"]
    why: str = Field(max_length=500)
    instruction: str = Field(max_length=800)
    rebuttal: str = Field(max_length=1_000)

    @field_validator("choice", mode="before")
    @classmethod
    def _word(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


class DecisionsSaid(BaseModel):
    """A reply on the points of one question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    decisions: tuple[DecisionSaid, ...] = Field(max_length=2 * MOST)


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision for each point, in their order. `unusable` tells which stay open, and why."""

    decisions: tuple[Decision, ...]
    unusable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    """A point, and how the helper is told it."""

    point: Point
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """Points of one section with the text around them, as they stand in a question."""

    lines: tuple[_Line, ...]
    text: str

    @property
    def cost(self) -> int:
        """Tokens that it takes in a question, with those of the reply."""
        listed = sum(tokens_of(line.text) + _NAME for line in self.lines)
        return listed + tokens_of(self.text) + _NAME + _REPLY_POINT * len(self.lines)


def decide(
    manuscript: Manuscript, points: Sequence[Point], helper: Role, *, rebut: bool = True
) -> Decided:
    """What is to be done about each point. A point whose remedy is the author's is never revised
    and nobody is asked about it; without `rebut` nobody is asked at all, and every other point is
    revised. Raises ReviserError when the endpoint answers nobody.
    """
    made: dict[Point, Decision] = {}
    open_: dict[Point, str] = {}
    asked: list[Point] = []
    for point in points:
        if point.remedy is not Remedy.TOOL or point.action is None:
            made[point] = Decision(point, revise=False, why=_authors(manuscript, point))
        elif gives_orders(point.message):
            open_[point] = "it gives orders to its reader, so no model was asked"
        elif not rebut:
            made[point] = _follow(point, FOLLOWED, point.message)
        else:
            asked.append(point)
    if asked:
        open_ |= _asked(manuscript, asked, helper, made)
    for point, why in open_.items():
        made[point] = Decision(point, revise=False, why=f"it stays open: {why}")
    unusable = [f"{p.place.path}:{p.lines[0]}: {open_[p]}" for p in points if p in open_]
    return Decided(tuple(made[point] for point in points), tuple(unusable))


def _authors(manuscript: Manuscript, point: Point) -> str:
    why = untreatable(manuscript, point.place)
    return f"{AUTHORS}: {why}" if why else AUTHORS


def _follow(point: Point, why: str, instruction: str) -> Decision:
    return Decision(point, revise=True, why=why, action=point.action, instruction=instruction)


def _asked(
    manuscript: Manuscript,
    points: Sequence[Point],
    helper: Role,
    made: dict[Point, Decision],
) -> dict[Point, str]:
    """Put the points to the helper; what is usable goes to `made`, the rest comes back with the
    reason."""
    told = digest(manuscript, min(_DIGEST, helper.context // 8)).text
    room = helper.room(_question(helper, told, ()))
    blocks, open_ = _blocks(manuscript, points, room)
    questions = list(_packed(blocks, room))
    answers = helper.ask_each([_question(helper, told, question) for question in questions])
    for question, answer in zip(questions, answers, strict=True):
        for name, line in _lines(question):
            row = answer.why if isinstance(answer, Unusable) else _row(answer.value, name)
            if isinstance(row, DecisionSaid):
                said = [row.why, row.instruction, row.rebuttal]
                row = foreign(manuscript, said) or row
            if isinstance(row, str):
                open_[line.point] = row
            else:
                made[line.point] = _decision(line.point, row)
    return open_


def _decision(point: Point, row: DecisionSaid) -> Decision:
    why = visible(row.why)
    if row.choice == "revise":
        return _follow(point, why, visible(row.instruction))
    return Decision(point, revise=False, why=why, rebuttal=visible(row.rebuttal))


def _blocks(
    manuscript: Manuscript, points: Sequence[Point], room: int
) -> tuple[list[_Block], dict[Point, str]]:
    """The points by section, in reading order, with what is shown around them; and those that no
    prompt has room for."""
    sections: dict[int, list[Point]] = {}
    for point in points:
        sections.setdefault(point.section, []).append(point)
    blocks: list[_Block] = []
    open_: dict[Point, str] = {}
    for section in sorted(sections):
        group = [_Line(point, _told(manuscript, point)) for point in sections[section]]
        waiting = [group[at : at + MOST] for at in range(0, len(group), MOST)]
        while waiting:
            lines = waiting.pop(0)
            block = _block(manuscript, lines, room)
            if block is not None:
                blocks.append(block)
            elif len(lines) > 1:
                waiting[:0] = [lines[: len(lines) // 2], lines[len(lines) // 2 :]]
            else:
                open_[lines[0].point] = "it does not fit into a prompt"
    return blocks, open_


def _block(manuscript: Manuscript, lines: Sequence[_Line], room: int) -> _Block | None:
    title = heading(manuscript, lines[0].point.section)
    bare = _Block(tuple(lines), f"Section: {title}\n")
    left = room - bare.cost
    text = surroundings(manuscript, [line.point for line in lines], min(_SECTION, left))
    return None if text is None else _Block(bare.lines, bare.text + text)


def _told(manuscript: Manuscript, point: Point) -> str:
    """A point as the helper is told it, without its name."""
    quote = visible(shown(manuscript, point.place).text)
    needs = f" It takes: {point.needs}." if point.needs else ""
    can = f" A program can: {point.action.value}." if point.action in CONTENT else ""
    return f'on "{quote[:_QUOTED]}": {visible(point.message)[:_QUOTED]}{needs}{can}'


def _packed(blocks: Sequence[_Block], room: int) -> Iterator[Sequence[_Block]]:
    """The blocks in as few questions as they fit in, in their order."""
    current: list[_Block] = []
    for block in blocks:
        several = [*current, block]
        if current and (
            sum(len(b.lines) for b in several) > MOST or sum(b.cost for b in several) > room
        ):
            yield current
            several = [block]
        current = several
    if current:
        yield current


def _lines(blocks: Sequence[_Block]) -> Iterator[tuple[str, _Line]]:
    """The points of a question under the names they have there."""
    everything = (line for block in blocks for line in block.lines)
    return ((f"P{number}", line) for number, line in enumerate(everything, 1))


def _question(helper: Role, told: str, blocks: Sequence[_Block]) -> Question[DecisionsSaid]:
    named = list(_lines(blocks))
    return Question(
        PROMPT,
        {
            "digest": told,
            "text": "\n\n".join(block.text for block in blocks),
            "points": "\n".join(f"[{name}] {line.text}" for name, line in named),
        },
        DecisionsSaid,
        max_tokens=max(helper.reply_tokens, _REPLY_BASE + _REPLY_POINT * len(named)),
    )


def _row(reply: DecisionsSaid, name: str) -> DecisionSaid | str:
    """What a reply says of the point with this name, or why that cannot be used."""
    rows = [row for row in reply.decisions if row.point == name]
    if len(rows) != 1:
        return "the reply decides it more than once" if rows else "the reply does not decide it"
    row = rows[0]
    instruction, rebuttal = visible(row.instruction), visible(row.rebuttal)
    asks, other = (instruction, rebuttal) if row.choice == "revise" else (rebuttal, instruction)
    if not visible(row.why) or not asks or other:
        return "the reply contradicts its own form"
    if any(gives_orders(text) for text in (row.why, asks)):
        return "the reply gives orders to its reader"
    return row
