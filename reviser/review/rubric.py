"""The rubric put to a chat model: a scorecard of the whole paper, and a judge of its passages."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from reviser.asking import Answered, Reply, Unusable
from reviser.budget import tokens_of
from reviser.manuscript.model import Manuscript
from reviser.review import comparing, passages
from reviser.review.digest import digest, left_out, parts
from reviser.review.model import Dimension, Grade, Scorecard
from reviser.roles import Question, Role, cost_of

PROMPT = "grade-paper"
HEAT = 0.7
"""The temperature of samples: they are to differ as much as the judge is unsure."""
DIGEST = 700
"""Tokens of the digest beside one part of a paper that is graded in parts."""
LEAST_ROOM = 400
"""Tokens of a part below which grading by parts makes no sense."""
NO_ROOM = "the model's context has no room for a part of the paper"
NO_TEXT = "the paper has no text that could be graded"

_SCORE_TOKENS = 150
_CHOICE_TOKENS = 60


class Passage(Protocol):
    """A part of a paper with a digest of the rest."""

    @property
    def text(self) -> str:
        """What is graded."""
        ...

    @property
    def digest(self) -> str:
        """What it stands in."""
        ...


class ChatJudge:
    """Grades passages blindly: what it asks never tells whether a text is old or new.

    With token probabilities a grade is the expected level. It has no memory: whoever asks twice
    pays twice.
    """

    def __init__(self, helper: Role) -> None:
        self._helper = helper

    @property
    def name(self) -> str:
        """Model and host."""
        return self._helper.name

    def scores(self, excerpts: Sequence[tuple[Passage, int]]) -> list[Scorecard | Unusable]:
        """One scorecard for each passage and number of a sample."""
        questions = [self._question(passage, sample) for passage, sample in excerpts]
        cards: list[Scorecard | Unusable] = []
        for answer in self._helper.ask_each(questions):
            if isinstance(answer, Unusable):
                cards.append(answer)
            else:
                cards.append(Scorecard(passages.graded(answer.value, answer.reply), self.name))
        return cards

    def _question(self, passage: Passage, sample: int) -> Question[passages.Grades]:
        return Question(
            passages.PROMPT,
            {"digest": passage.digest or passages.NOTHING_ELSE, "passage": passage.text},
            passages.form(sample),
            seed=sample,
            temperature=HEAT,
            logprobs=passages.ALTERNATIVES,
            max_tokens=_SCORE_TOKENS,
        )

    def prefers(
        self, first: Passage, second: Passage, sample: int = 0
    ) -> Literal["first", "second", "neither"] | Unusable:
        """Which of two wordings is better; the digest is that of the first."""
        question = Question(
            comparing.PROMPT,
            {
                "digest": first.digest or passages.NOTHING_ELSE,
                "first": first.text,
                "second": second.text,
            },
            comparing.Choice,
            seed=sample,
            temperature=HEAT,
            max_tokens=_CHOICE_TOKENS,
        )
        answer = self._helper.ask(question)
        return answer if isinstance(answer, Unusable) else answer.value.better


class Reasoned(BaseModel):
    """A grade with its reason and how the text could do better."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: str = Field(min_length=1, max_length=1_500)
    plan: str = Field(max_length=1_500)
    score: float = Field(ge=1, le=5)


class Graded(BaseModel):
    """A reply: a reasoned grade for each dimension."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    coverage: Reasoned
    structure: Reasoned
    relevance: Reasoned
    synthesis: Reasoned
    critical_analysis: Reasoned


def scorecard(manuscript: Manuscript, helper: Role) -> Scorecard | Unusable:
    """The paper's grades with reasons and plans (FIKSurvey C.2).

    A paper that is longer than the context is graded in parts, each beside a digest of the rest:
    its grades are the means of theirs, weighted by length, its reasons and plans those of the part
    that was graded lowest. One part without a grade leaves the whole without.
    """
    return graded_in_parts(manuscript, helper, _asked, _reasoned)


def _asked(text: str, rest: str) -> Question[Graded]:
    return Question(PROMPT, {"digest": rest or passages.NOTHING_ELSE, "text": text}, Graded)


def _reasoned(answer: Answered[Graded]) -> tuple[Grade, ...]:
    return tuple(
        Grade(dimension, said.score, None, said.reason.strip(), said.plan.strip())
        for dimension in Dimension
        for said in [getattr(answer.value, passages.member(dimension))]
    )


def graded_in_parts(
    manuscript: Manuscript,
    role: Role,
    asked: Callable[[str, str], Question[Reply]],
    read: Callable[[Answered[Reply]], tuple[Grade, ...]],
) -> Scorecard | Unusable:
    """A scorecard from questions that `asked` makes of text and digest; `read` reads replies."""
    room = role.room(asked("", "")) - cost_of("text", "") - cost_of("digest", "")
    found, rests = parts(manuscript, room), [""]
    if len(found) > 1:
        if room - DIGEST < LEAST_ROOM:
            return Unusable(NO_ROOM)
        found = parts(manuscript, room - DIGEST)
        rests = [digest(manuscript, DIGEST, without=part.sections).text for part in found]
    if not found:
        return Unusable(NO_TEXT)
    questions = [asked(part.text, rest) for part, rest in zip(found, rests, strict=True)]
    grades: list[tuple[Grade, ...]] = []
    for answer in role.ask_each(questions):
        if isinstance(answer, Unusable):
            return answer
        grades.append(read(answer))
    lengths = [tokens_of(part.text) for part in found]
    together = tuple(_together(dimension, grades, lengths) for dimension in Dimension)
    return Scorecard(together, role.name, left_out=left_out(manuscript, found))


def _together(
    dimension: Dimension, cards: Sequence[tuple[Grade, ...]], lengths: Sequence[int]
) -> Grade:
    mine = [next(grade for grade in card if grade.dimension is dimension) for card in cards]
    total = sum(length * grade.score for length, grade in zip(lengths, mine, strict=True))
    lowest = min(mine, key=lambda grade: grade.score)
    return Grade(dimension, total / sum(lengths), None, lowest.why, lowest.plan)
