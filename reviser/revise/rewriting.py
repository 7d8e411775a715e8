"""One sentence written anew: the question, and what makes an answer wrong."""

from pydantic import BaseModel, ConfigDict, Field

from reviser.revise.drafting import Draft, drafted, wrong_rewording, wrong_whole
from reviser.revise.grounds import Found
from reviser.revise.sheet import Rewording
from reviser.revise.tasks import Task
from reviser.text.visible import visible

PROMPT = "write-sentence"
GROWTH = 0.5
"""The share by which the sentence may grow."""


class NewSentence(BaseModel):
    """A reply: the sentence, with its marks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: str = Field(min_length=1, max_length=4000)


def read(task: Task, _: Found, reply: NewSentence) -> Draft:
    """The draft of a reply."""
    number = task.line.number
    return drafted(task.sheet, [Rewording(number, number, (visible(reply.sentence),))])


def objection(task: Task, found: Found, reply: NewSentence) -> str:
    """What is wrong with a reply, or ""."""
    draft = read(task, found, reply)
    for part in draft.rewordings:
        wrong = wrong_rewording(task.sheet, part, GROWTH)
        if wrong:
            return wrong
    return wrong_whole(task.sheet, draft, GROWTH)
