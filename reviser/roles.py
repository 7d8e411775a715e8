"""Who is asked what: a chat model in a part, its prompts, and how much it can take.

Writer, helper and evaluator are parts; one model may play several. The evaluator only reports: what
it says never reaches the gate, which must not report its own success (METHODS 1).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from reviser.asking import Answered, Reply, Sampling, Unusable, ask, asked_for, no_objection
from reviser.budget import tokens_in, tokens_of
from reviser.ports import ChatModel, ChatRequest, Workers
from reviser.prompts import Prompt, fenced

TOO_LONG = "the question is longer than the model's context"


class Asks(ChatModel, Protocol):
    """A chat model that is told beforehand what it will be asked, so that leave can be asked."""

    def expect(self, requests: Sequence[ChatRequest]) -> None:
        """Raises ReviserError when they may not be sent."""
        ...


@dataclass(frozen=True, slots=True)
class Question(Generic[Reply]):
    """A question before it is put: the prompt's id, its values, the form of the reply, what makes a
    reply wrong ("" when nothing does), and how it is sampled; None is the role's own way."""

    prompt: str
    values: Mapping[str, str]
    reply: type[Reply]
    check: Callable[[Reply], str] = no_objection
    seed: int | None = None
    temperature: float | None = None
    logprobs: int = 0
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Role:
    """A chat model in a part.

    `prompt` gives a prompt by its id and the name of its replies' class, and raises SettingsError.
    `context` is how many tokens the model takes in all, `reply_tokens` how many a reply may have.
    """

    part: str
    model: Asks
    prompt: Callable[[str, str], Prompt]
    workers: Workers
    context: int
    reply_tokens: int = 1024
    temperature: float = 0.0

    @property
    def name(self) -> str:
        """Model and host."""
        return self.model.name

    def room(self, question: Question[Reply]) -> int:
        """Tokens that are left for more, with the question as it stands; 0 when it is too long."""
        request = self.request(question)
        return max(0, self.context - tokens_in(request) - request.max_tokens)

    def request(self, question: Question[Reply]) -> ChatRequest:
        """What is sent for a question."""
        prompt = self.prompt(question.prompt, question.reply.__name__)
        heat = self.temperature if question.temperature is None else question.temperature
        most = self.reply_tokens if question.max_tokens is None else question.max_tokens
        sampling = Sampling(heat, most, question.logprobs, question.seed)
        return asked_for(prompt.render(question.values), question.reply, sampling)

    def ask(self, question: Question[Reply]) -> Answered[Reply] | Unusable:
        """The answer to one question; see `asking.ask`. A question that is too long is not sent."""
        return self.ask_each([question])[0]

    def ask_each(
        self,
        questions: Sequence[Question[Reply]],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Answered[Reply] | Unusable]:
        """The answers, asked side by side, in the order of the questions."""
        requests = [self.request(question) for question in questions]
        fit = [r for r in requests if self._fits(r)]
        if fit:
            self.model.expect(fit)

        def one(pair: tuple[Question[Reply], ChatRequest]) -> Answered[Reply] | Unusable:
            question, request = pair
            if not self._fits(request):
                return Unusable(f"{TOO_LONG} ({self.context:,} tokens)")
            return ask(self.model, request, question.reply, question.check)

        return self.workers.each(one, list(zip(questions, requests, strict=True)), told)

    def _fits(self, request: ChatRequest) -> bool:
        return tokens_in(request) + request.max_tokens <= self.context


def cost_of(name: str, value: str) -> int:
    """About how many tokens a value takes in a prompt, its fence included, rather too many."""
    return tokens_of(fenced(name, value))


@dataclass(frozen=True, slots=True)
class Roles:
    """The parts of a run. The helper reviews, decides and gives the gate its scores; the evaluator
    is None where nobody is to report."""

    writer: Role
    helper: Role
    evaluator: Role | None = None
