"""Which of many papers matter to a topic: by meaning, then by a helper (SurveyX 3.1.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Member

from reviser.asking import Answered
from reviser.latex.quoting import quoted_in
from reviser.literature.closeness import closeness, embedded_text
from reviser.literature.paper import Paper
from reviser.literature.reading_parts import readable
from reviser.ports import Vectors
from reviser.roles import Question, Role

PROMPT = "judge-relevance"
NEAREST = 200
"""The K of the paper's coarse step, which it does not give."""
FEWEST_WORDS = 2
"""Words of a quotation."""
_ABSTRACT = 6_000

ORDERS = "its text gives orders to whoever reads it, so no model was shown it"
UNASKED = "no model was asked"


@dataclass(frozen=True, slots=True)
class Judged:
    """A paper and what was said of it: `closeness` is the cosine of topic and text, `relevant` is
    None where it stayed open, `why` the words of the paper that decided, or why it stayed open."""

    paper: Paper
    closeness: float
    relevant: bool | None
    why: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """The papers nearest to a topic, nearest first, each in one of three lists; `farther` is how
    many were too far from the topic to be looked at."""

    relevant: tuple[Judged, ...]
    irrelevant: tuple[Judged, ...]
    undecided: tuple[Judged, ...]
    farther: int


class Relevance(BaseModel):
    """Whether a paper matters to a topic, and the words of it that show so."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    quote: str = Member(max_length=2_000)
    relevant: Literal["yes", "no"]


def filtered(
    topic: str,
    papers: Sequence[Paper],
    *,
    vectors: Vectors,
    helper: Role | None,
    nearest: int = NEAREST,
    told: Callable[[int], None] | None = None,
) -> Filtered:
    """The `nearest` papers to the topic, sorted by a helper; without one all of them are undecided.

    An answer that cannot be used leaves its paper undecided: it is listed apart, neither kept nor
    dropped. Raises ReviserError when the endpoint answers nobody.
    """
    cosines = closeness(topic, [embedded_text(paper) for paper in papers], vectors)
    order = sorted(range(len(papers)), key=lambda n: (-cosines[n], n))[:nearest]
    chosen = [(papers[n], cosines[n]) for n in order]
    judged = _judged(topic, chosen, helper, told)
    return Filtered(
        tuple(one for one in judged if one.relevant),
        tuple(one for one in judged if one.relevant is False),
        tuple(one for one in judged if one.relevant is None),
        len(papers) - len(chosen),
    )


def _judged(
    topic: str,
    papers: Sequence[tuple[Paper, float]],
    helper: Role | None,
    told: Callable[[int], None] | None,
) -> list[Judged]:
    if helper is None:
        return [Judged(paper, near, None, UNASKED) for paper, near in papers]
    shown = [readable(f"{paper.title}\n\n{paper.abstract[:_ABSTRACT]}") for paper, _ in papers]
    asked = [_question(topic, text) for text in shown if text]
    answers = iter(helper.ask_each(asked, told))
    found = []
    for (paper, near), text in zip(papers, shown, strict=True):
        if not text:
            found.append(Judged(paper, near, None, ORDERS))
            continue
        answer = next(answers)
        if isinstance(answer, Answered):
            value = answer.value
            found.append(Judged(paper, near, value.relevant == "yes", value.quote.strip()))
        else:
            found.append(Judged(paper, near, None, answer.why))
    return found


def _question(topic: str, text: str) -> Question[Relevance]:
    def check(said: Relevance) -> str:
        if said.relevant == "no":
            return "" if not said.quote.strip() or quoted_in(text, said.quote) else _NOT_THERE
        if len(said.quote.split()) < FEWEST_WORDS:
            return f'For "yes" the quotation needs at least {FEWEST_WORDS} words of the paper.'
        return "" if quoted_in(text, said.quote) else _NOT_THERE

    return Question(PROMPT, {"topic": topic, "paper": text}, Relevance, check, max_tokens=400)


_NOT_THERE = "The quotation does not stand in the paper."
