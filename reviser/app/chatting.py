"""Put together what asks a chat model: the endpoint, the purse, the tape, the prompt."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import click

from reviser.adapters.openai_chat.client import OpenAIChat
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.adapters.tape import ReplyTape
from reviser.adapters.workers import Threads
from reviser.app.consent import permission
from reviser.app.keeping import tape_of
from reviser.app.model_settings import ModelSettings, endpoint_of, price_for, prompt_of
from reviser.app.opening import Opened
from reviser.asking import Sampling
from reviser.budget import Asked, Metered, Purse
from reviser.errors import UsageError
from reviser.ports import Entailment, Progress
from reviser.review.injection_rules import gives_orders
from reviser.verify.chat_entailment import (
    ALTERNATIVES,
    PROMPT,
    SENTENCES,
    ChatEntailment,
    Opinion,
)


@dataclass(frozen=True, slots=True)
class ChatJudge:
    """A chat model as verifier, how many sentences of a work it reads, and its record so far."""

    entailment: Entailment
    sentences: int
    asked: Callable[[], Asked]


def chat_judge(opened: Opened, settings: ModelSettings, progress: Progress | None) -> ChatJudge:
    """The verifier `llm` for a paper. Raises UsageError or SettingsError for settings that do not
    fit together; nothing is sent yet."""
    endpoint = endpoint_of(settings)
    price = price_for(settings)
    if price is None and _is_explicit("max_cost"):
        raise UsageError(
            f"no price is known for {settings.named}, so --max-cost cannot be kept to",
            hint="Give its price: --price IN/OUT, in US dollars for a million tokens (0/0 if it "
            "costs nothing).",
        )
    prompt = prompt_of(settings, PROMPT, Opinion.__name__)
    purse = Purse(settings.limits, price, time.monotonic)
    door = OpenAIChat(endpoint, admit=purse.admit)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(door.close)
    tape = ReplyTape(tape_of(opened), _identity(endpoint, settings))
    model = Metered(door, purse, tape, permission(opened, endpoint, yes=settings.yes))
    entailment = ChatEntailment(
        model,
        prompt,
        Threads(settings.parallel),
        sampling=Sampling(settings.temperature, settings.reply_tokens, ALTERNATIVES),
        context=settings.context,
        addressed=gives_orders,
        progress=progress,
    )
    return ChatJudge(entailment, SENTENCES, model.asked)


def _identity(endpoint: Endpoint, settings: ModelSettings) -> dict[str, str]:
    return {"host": endpoint.host, "model": endpoint.model, "body": settings.body or ""}


def _is_explicit(name: str) -> bool:
    """Whether the operator gave this option: a default bound is only one among others."""
    context = click.get_current_context(silent=True)
    if context is None:
        return False
    source = context.get_parameter_source(name)
    return source in {
        click.core.ParameterSource.COMMANDLINE,
        click.core.ParameterSource.ENVIRONMENT,
    }
