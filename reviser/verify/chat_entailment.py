"""A chat model as verifier: does a cited work say what is claimed, and in which words?

Its word counts only with a quotation that stands once in what it was given to read. It gives a
grade on a scale from denial over silence to agreement, and a verdict, yes or no; `Scale` says which
of them is read. Token probabilities say how sure either is; without them a grade's figures stand,
which lie well on their side of the limits in `entail`.
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Literal

from pydantic import BaseModel, ConfigDict, field_validator

from reviser.asking import Answered, Sampling, Unusable, ask, asked_for
from reviser.budget import Metered, tokens_in
from reviser.chances import probabilities
from reviser.ports import ChatRequest, Entailed, Progress, Unjudged, Workers
from reviser.prompts import Prompt
from reviser.text.visible import visible

PROMPT = "verify-support"
SENTENCES = 12
"""Sentences of a work that are shown: most abstracts are no longer."""
ALTERNATIVES = 8
"""Tokens asked for at each place: yes, no, and their spellings."""
ADDRESSED = "its text addresses whoever judges it, so no model was asked"
TOO_LONG = "the question is longer than the model's context"
NOT_QUOTED = "the reply quotes words that do not stand once in the work"

Scale = Literal["verdict", "grade"]
"""What of a reply is read: how probable "yes" is, or the grades by how probable each of them is."""

_FIGURES: Mapping[int, tuple[float, float]] = {
    1: (0.02, 0.97),
    2: (0.05, 0.60),
    3: (0.05, 0.05),
    4: (0.75, 0.02),
    5: (0.95, 0.01),
}
"""By grade: how surely the claim is entailed, and how surely contradicted."""
_QUOTED_WORDS = 4
_MOST_QUOTED = 1_000
_LOOKALIKES = str.maketrans("‘’‚‛“”„‟«»‐‑‒–—−", '\'\'\'\'""""""------')


class Opinion(BaseModel):
    """A reply: words of the work, a grade from 1 (denies) to 5 (says so), and the verdict."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    quote: str
    grade: Literal[1, 2, 3, 4, 5]
    supports: Literal["yes", "no"]

    @field_validator("grade", mode="before")
    @classmethod
    def _number(cls, value: object) -> object:
        return int(value) if isinstance(value, str) and value.strip() in set("12345") else value

    @field_validator("supports", mode="before")
    @classmethod
    def _word(cls, value: object) -> object:
        if isinstance(value, bool):
            return "yes" if value else "no"
        return value.strip().lower() if isinstance(value, str) else value


class ChatEntailment:
    """An `Entailment` that asks a chat model, several questions at a time.

    `addressed` tells of a text that gives orders to a reader or a model: no pair with such a text
    is asked. A pair is asked once in a run. `context` is how many tokens the model takes in all.
    """

    def __init__(
        self,
        model: Metered,
        prompt: Prompt,
        workers: Workers,
        *,
        sampling: Sampling,
        context: int,
        addressed: Callable[[str], bool],
        progress: Progress | None = None,
        scale: Scale = "verdict",
    ) -> None:
        self._scale = scale
        self._model = model
        self._prompt = prompt
        self._workers = workers
        self._sampling = sampling
        self._context = context
        self._addressed = addressed
        self._progress = progress
        self._known: dict[tuple[str, str], Entailed | Unjudged] = {}

    @property
    def name(self) -> str:
        """Model and host."""
        return self._model.name

    @property
    def version(self) -> str:
        """The prompt, and how its replies are read."""
        return f"{self._prompt.label} {self._prompt.digest} {self._scale}"

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        """One judgement per (premise, hypothesis), in their order."""
        asked: list[tuple[tuple[str, str], ChatRequest]] = []
        for pair in dict.fromkeys(pairs):
            if pair in self._known:
                continue
            request = self._request(pair)
            if isinstance(request, Unjudged):
                self._known[pair] = request
            else:
                asked.append((pair, request))
        if asked:
            self._model.expect([request for _, request in asked])
            found = self._workers.each(self._one, asked, self._told(len(asked)))
            for (pair, _), judged in zip(asked, found, strict=True):
                self._known[pair] = judged
        return [self._known[pair] for pair in pairs]

    def _request(self, pair: tuple[str, str]) -> ChatRequest | Unjudged:
        work, claim = pair
        if any(self._addressed(text) for text in (*pair, visible(work), visible(claim))):
            return Unjudged(ADDRESSED)
        rendered = self._prompt.render({"work": work, "claim": claim})
        request = asked_for(rendered, Opinion, self._sampling)
        if tokens_in(request) + request.max_tokens > self._context:
            return Unjudged(f"{TOO_LONG} ({self._context:,} tokens)")
        return request

    def _one(self, question: tuple[tuple[str, str], ChatRequest]) -> Entailed | Unjudged:
        (work, _), request = question

        def wrong(opinion: Opinion) -> str:
            return objection(opinion, work)

        answer = ask(self._model, request, Opinion, wrong)
        if isinstance(answer, Unusable):
            return Unjudged(answer.why)
        return judgement(answer, work, self._scale)

    def _told(self, total: int) -> Callable[[int], None] | None:
        progress = self._progress
        if progress is None:
            return None
        step = f"asking {self.name}"
        return lambda done: progress.step(step, done, total)


def objection(opinion: Opinion, work: str) -> str:
    """What is wrong with an opinion on a work, or "": its parts must agree, its quotation stand
    in the work exactly once and be long enough to mean something."""
    if (opinion.supports == "yes") != (opinion.grade >= 4):
        return "the reply's grade and verdict contradict each other"
    if not opinion.quote.strip():
        return "" if opinion.grade == 3 else "the reply quotes nothing for its verdict"
    return NOT_QUOTED if quoted(opinion.quote, work) is None else ""


def quoted(quote: str, work: str) -> str | None:
    """The words of the work that a quotation repeats, None unless they stand there exactly once.

    Kinds of quotation marks, hyphens and white space make no difference; nothing else is forgiven.
    """
    text = visible(work)
    words = visible(quote).strip("\"'“”‘’ ").rstrip(".")
    if len(words.split()) < _QUOTED_WORDS or len(words) > _MOST_QUOTED:
        return None
    # Each lookalike is one character for one, so places agree.
    folded, wanted = text.translate(_LOOKALIKES), words.translate(_LOOKALIKES)
    start = folded.find(wanted)
    if start < 0 or folded.find(wanted, start + 1) >= 0:
        return None
    return text[start : start + len(wanted)]


def judgement(answer: Answered[Opinion], work: str, scale: Scale = "verdict") -> Entailed:
    """What an opinion amounts to in probabilities, read by its verdict or by its grade."""
    opinion = answer.value
    grades = probabilities(answer.reply, "grade", tuple("12345"))
    quote = quoted(opinion.quote, work) or ""
    if scale == "grade":
        shares: dict[int, float] = {opinion.grade: 1.0}
        if grades:
            shares = {grade: grades[str(grade)] for grade in _FIGURES}
        entails, contradicts = (
            fsum(share * _FIGURES[grade][side] for grade, share in shares.items())
            for side in (0, 1)
        )
        return Entailed(entails, contradicts, quote)
    entails, contradicts = _FIGURES[opinion.grade]
    verdicts = probabilities(answer.reply, "supports", ("yes", "no"))
    if verdicts:
        entails = verdicts["yes"]
    if grades:
        contradicts = grades["1"]
    return Entailed(entails, contradicts, quote)
