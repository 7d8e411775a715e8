"""A paragraph in better shape: sentences merged, split and linked, nothing new said."""

from pydantic import BaseModel, ConfigDict, Field

from reviser.revise.drafting import Draft, drafted, wrong_rewording, wrong_whole
from reviser.revise.grounds import Found
from reviser.revise.sheet import Rewording
from reviser.revise.tasks import Task
from reviser.text.visible import visible

PROMPT = "restructure-paragraph"
GROWTH = 0.1
"""The share by which the paragraph may grow."""
PART_GROWTH = 0.3
"""The share by which a part of it may grow, since others may shrink."""


class Shaped(BaseModel):
    """A sentence, and the numbers of the old ones it is made of."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    of: tuple[int, ...] = Field(min_length=1, max_length=6)
    text: str = Field(min_length=1, max_length=4000)


class Restructured(BaseModel):
    """A reply: the sentences that change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[Shaped, ...] = Field(max_length=40)


def read(task: Task, _: Found, reply: Restructured) -> Draft:
    """The draft of a reply: neighbours that share an old sentence make one part."""
    parts: list[Rewording] = []
    for one in reply.sentences:
        first, last, text = min(one.of), max(one.of), visible(one.text)
        if parts and first <= parts[-1].last:
            before = parts.pop()
            texts = (*before.texts, text)
            parts.append(Rewording(min(first, before.first), max(last, before.last), texts))
        else:
            parts.append(Rewording(first, last, (text,)))
    return drafted(task.sheet, parts)


def objection(task: Task, found: Found, reply: Restructured) -> str:
    """What is wrong with a reply, or ""."""
    reached = 0
    for one in reply.sentences:
        if list(one.of) != list(range(one.of[0], one.of[0] + len(one.of))):
            return f"the sentences {', '.join(map(str, one.of))} are no neighbours in their order"
        if task.sheet.line(one.of[0]) is None or task.sheet.line(one.of[-1]) is None:
            return f"there is no sentence {one.of[-1]}"
        if one.of[0] < reached:
            return "the sentences are not in the order of the text"
        reached = one.of[-1]
    draft = read(task, found, reply)
    for part in draft.rewordings:
        wrong = wrong_rewording(task.sheet, part, PART_GROWTH)
        if wrong:
            return f"sentences {part.first} to {part.last}: {wrong}"
    return wrong_whole(task.sheet, draft, GROWTH)
