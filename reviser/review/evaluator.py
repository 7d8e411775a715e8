"""Score-only grades of a whole survey by the evaluator, who reports and never gates (METHODS 1)."""

from reviser.asking import Answered, Unusable
from reviser.manuscript.model import Manuscript
from reviser.review import passages
from reviser.review.model import Grade, Scorecard
from reviser.review.rubric import graded_in_parts
from reviser.roles import Question, Role

PROMPT = "evaluate-survey"

_TOKENS = 150


class Evaluated(passages.Grades):
    """A reply: the level of the survey in each dimension."""


def evaluate(manuscript: Manuscript, evaluator: Role) -> Scorecard | Unusable:
    """The survey's grades on the five anchored levels, without reasons (FIKSurvey, appendix F).

    A survey that is longer than the context is graded in parts, as `rubric.scorecard` does.
    """
    return graded_in_parts(manuscript, evaluator, _asked, _read)


def _asked(text: str, rest: str) -> Question[Evaluated]:
    return Question(
        PROMPT,
        {"digest": rest or passages.NOTHING_ELSE, "text": text},
        Evaluated,
        logprobs=passages.ALTERNATIVES,
        max_tokens=_TOKENS,
    )


def _read(answer: Answered[Evaluated]) -> tuple[Grade, ...]:
    return passages.graded(answer.value, answer.reply)
