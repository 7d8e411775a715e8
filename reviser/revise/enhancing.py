"""A paragraph enriched by new sentences: the question, and what makes an answer wrong."""

from pydantic import BaseModel, ConfigDict, Field

from reviser.revise.drafting import (
    Draft,
    Written,
    drafted,
    wrong_addition,
    wrong_rewording,
    wrong_whole,
)
from reviser.revise.grounds import Found
from reviser.revise.sheet import Rewording
from reviser.revise.tasks import Task
from reviser.text.visible import visible

PROMPT = "write-paragraph"
GROWTH = 0.5
"""The share by which an old sentence may grow."""
ALL_GROWTH = 0.6
"""The share by which the paragraph may grow; new sentences have a limit of their own as well."""
MOST_NEW = 3
_LEAST_ROOM = 50
"""Words that new sentences may always have."""


class Anew(BaseModel):
    """An old sentence written anew."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int = Field(ge=1, le=500)
    text: str = Field(min_length=1, max_length=4000)


class Added(BaseModel):
    """A new sentence, and the keys of the works that it rests on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    after: int = Field(ge=1, le=500)
    text: str = Field(min_length=1, max_length=1000)
    cites: tuple[str, ...] = Field(max_length=4)


class NewParagraph(BaseModel):
    """A reply: what changes in the paragraph."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[Anew, ...] = Field(max_length=30)
    new: tuple[Added, ...] = Field(max_length=MOST_NEW)


def read(task: Task, found: Found, reply: NewParagraph) -> Draft:
    """The draft of a reply, in the order of the text; keys as the bibliography spells them."""
    spelt = {key.lower(): key for key in found.keys}
    anew = sorted(reply.sentences, key=lambda one: one.number)
    rewordings = [Rewording(one.number, one.number, (visible(one.text),)) for one in anew]
    new = [
        Written(
            one.after,
            visible(one.text),
            tuple(dict.fromkeys(spelt.get(key.lower(), key) for key in one.cites)),
        )
        for one in sorted(reply.new, key=lambda one: one.after)
    ]
    return drafted(task.sheet, rewordings, new)


def objection(task: Task, found: Found, reply: NewParagraph) -> str:
    """What is wrong with a reply, or ""."""
    sheet = task.sheet
    numbers = [one.number for one in reply.sentences]
    if len(set(numbers)) < len(numbers):
        return "a sentence is written anew twice"
    for number in numbers:
        if sheet.line(number) is None:
            return f"there is no sentence {number}"
    draft = read(task, found, reply)
    for part in draft.rewordings:
        wrong = wrong_rewording(sheet, part, GROWTH)
        if wrong:
            return f"sentence {part.first}: {wrong}"
    for one in draft.new:
        wrong = wrong_addition(sheet, one, found)
        if wrong:
            return wrong
    if len({one.text for one in draft.new}) < len(draft.new):
        return "a new sentence stands there twice"
    old = sum(len(line.text.split()) for line in sheet.lines)
    return wrong_whole(sheet, draft, max(ALL_GROWTH, _LEAST_ROOM / max(old, 1)))
