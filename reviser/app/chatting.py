"""Put together what asks chat models: endpoints, one purse, the tape, prompts, leave, and parts."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from reviser.adapters.openai_chat.client import OpenAIChat
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.adapters.tape import ReplyTape
from reviser.adapters.workers import Threads
from reviser.app.consent import Kind, Leave
from reviser.app.keeping import tape_in, tape_of
from reviser.app.model_settings import ModelSettings, PartSettings, endpoint_of, price_for
from reviser.app.opening import Opened
from reviser.app.own_prompts import prompts_of
from reviser.asking import Sampling
from reviser.budget import Account, Asked, Estimate, Metered, Price, Purse
from reviser.errors import UsageError
from reviser.latex.orders import gives_orders
from reviser.ports import Cache, Entailment, Progress, Tape
from reviser.prompts import Prompt
from reviser.review.forecast import Share, forecast, told
from reviser.roles import Role, Roles
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


@dataclass(frozen=True, slots=True)
class Chats:
    """The parts of a review run. `entailment` is the helper as verifier, None where another one
    verifies; `verifier` is the helper as verifier of what is newly written, whoever verifies the
    rest, and `sentences` how many of a work it reads. `asked` is the record so far, one for each
    model; `used_up` says why nothing more may be asked, "" while something may."""

    roles: Roles
    entailment: Entailment | None
    verifier: Entailment
    sentences: int
    asked: Callable[[], tuple[Asked, ...]]
    used_up: Callable[[], str]


@dataclass(frozen=True, slots=True)
class _Line:
    """One way to ask one model: parts that differ only in how freely they answer share it."""

    endpoint: Endpoint
    door: OpenAIChat
    account: Account
    tape: Tape
    price: Price | None

    def metered(self, permit: Callable[[Estimate], None]) -> Metered:
        return Metered(self.door, self.account, self.tape, permit)


class _Exchange:
    """The lines of a run, all paid from one purse."""

    def __init__(self, kept: Cache, settings: ModelSettings) -> None:
        self.purse = Purse(settings.limits, time.monotonic)
        self._settings = settings
        self._kept = kept
        self._lines: list[_Line] = []

    def line(self, part: PartSettings) -> _Line:
        endpoint = endpoint_of(part, timeout=self._settings.timeout)
        price = price_for(part)
        if price is None and _is_explicit("max_cost"):
            raise UsageError(
                f"no price is known for {part.model}, so --max-cost cannot be kept to",
                hint=f"Give its price: {part.option('price')} IN/OUT, in US dollars for a million "
                "tokens (0/0 if it costs nothing).",
            )
        for known in self._lines:
            if (known.endpoint, known.price) == (endpoint, price):
                return known
        name = f"{endpoint.model} at {endpoint.host}"
        account = self.purse.account(name, price)
        door = OpenAIChat(endpoint, admit=account.admit)
        context = click.get_current_context(silent=True)
        if context is not None:
            context.call_on_close(door.close)
        tape = ReplyTape(self._kept, _identity(endpoint, part))
        self._lines.append(_Line(endpoint, door, account, tape, price))
        return self._lines[-1]


def chat_judge(opened: Opened, settings: ModelSettings, progress: Progress | None) -> ChatJudge:
    """The verifier `llm` for a paper. Raises UsageError or SettingsError for settings that do not
    fit together; nothing is sent yet."""
    return _judge(
        opened.project.root, tape_of(opened), Kind.CITATIONS, settings=settings, progress=progress
    )


def pair_judge(folder: Path, settings: ModelSettings, progress: Progress | None) -> ChatJudge:
    """The verifier `llm` for labelled pairs of a file in `folder`, where its replies are kept.
    Raises as `chat_judge`."""
    return _judge(folder, tape_in(folder), Kind.PAIRS, settings=settings, progress=progress)


def _judge(
    root: Path, kept: Cache, kind: Kind, *, settings: ModelSettings, progress: Progress | None
) -> ChatJudge:
    exchange = _Exchange(kept, settings)
    line = exchange.line(settings.helper)
    prompts = prompts_of(settings.templates)
    leave = Leave(root, [line.endpoint], kind, yes=settings.yes)
    entailment = _verifier(line.metered(leave), prompts, settings, progress)
    return ChatJudge(entailment, SENTENCES, lambda: exchange.purse.asked()[0])


def roles_of(
    opened: Opened,
    settings: ModelSettings,
    progress: Progress | None,
    *,
    rounds: int = 2,
) -> Chats:
    """The parts of a review run over a paper, whose whole text they may be shown: leave is asked
    for that before the first question, with an estimate of all `rounds`.

    Raises UsageError or SettingsError for settings that do not fit together; nothing is sent yet.
    """
    exchange = _Exchange(tape_of(opened), settings)
    prompts = prompts_of(settings.templates)
    helper, writer, evaluator = settings.helper, settings.writer, settings.evaluator
    lines = {part.part: exchange.line(part) for part in (helper, writer, evaluator) if part}
    leave = Leave(
        opened.project.root,
        [line.endpoint for line in lines.values()],
        Kind.PAPER,
        yes=settings.yes,
        told=lambda _: _foretold(opened, settings, lines["writer"], lines["helper"], rounds),
    )
    meters: list[tuple[_Line, Metered]] = []

    def role(part: PartSettings) -> Role:
        line = lines[part.part]
        meter = next((m for known, m in meters if known is line), None)
        if meter is None:
            meter = line.metered(leave)
            meters.append((line, meter))
        return Role(
            part=part.part,
            model=meter,
            prompt=prompts,
            workers=Threads(settings.parallel),
            context=part.context,
            reply_tokens=part.reply_tokens,
            temperature=part.temperature,
        )

    roles = Roles(role(writer), role(helper), role(evaluator) if evaluator else None)
    meter = next(m for known, m in meters if known is lines["helper"])
    verifier = _verifier(meter, prompts, settings, progress)
    purse = exchange.purse
    return Chats(
        roles=roles,
        entailment=None if opened.settings.llm is None else verifier,
        verifier=verifier,
        sentences=SENTENCES,
        asked=purse.asked,
        used_up=lambda: purse.refused,
    )


@dataclass(frozen=True, slots=True)
class Helped:
    """The helper by itself, and its record so far."""

    helper: Role
    asked: Callable[[], Asked]


def helper_of(opened: Opened, settings: ModelSettings, kind: Kind) -> Helped:
    """The helper for questions about what `kind` names, for a paper; as `helper_in`."""
    return helper_in(opened.project.root, tape_of(opened), settings, kind)


def helper_in(root: Path, kept: Cache, settings: ModelSettings, kind: Kind) -> Helped:
    """The helper for questions about what `kind` names; leave for that is asked, and remembered at
    `root`. Its replies are `kept`.

    Raises UsageError or SettingsError for settings that do not fit together; nothing is sent yet.
    """
    exchange = _Exchange(kept, settings)
    part = settings.helper
    line = exchange.line(part)
    leave = Leave(root, [line.endpoint], kind, yes=settings.yes)
    role = Role(
        part=part.part,
        model=line.metered(leave),
        prompt=prompts_of(settings.templates),
        workers=Threads(settings.parallel),
        context=part.context,
        reply_tokens=part.reply_tokens,
        temperature=part.temperature,
    )
    return Helped(role, lambda: exchange.purse.asked()[0])


def _foretold(
    opened: Opened, settings: ModelSettings, writer: _Line, helper: _Line, rounds: int
) -> str:
    context = min(settings.writer.context, settings.helper.context)
    found = forecast(opened.manuscript, rounds=rounds, context=context)
    loads = [(writer, found.writer), (helper, found.helper)]
    if writer is helper:
        loads = [(writer, found.writer + found.helper)]
    shares = tuple(Share(line.account.model, load, line.price) for line, load in loads)
    return told(found, shares, settings.limits)


def _verifier(
    model: Metered,
    prompts: Callable[[str, str], Prompt],
    settings: ModelSettings,
    progress: Progress | None,
) -> ChatEntailment:
    part = settings.helper
    return ChatEntailment(
        model,
        prompts(PROMPT, Opinion.__name__),
        Threads(settings.parallel),
        sampling=Sampling(part.temperature, part.reply_tokens, ALTERNATIVES),
        context=part.context,
        addressed=gives_orders,
        progress=progress,
        scale=settings.scale,
    )


def _identity(endpoint: Endpoint, part: PartSettings) -> dict[str, str]:
    return {"host": endpoint.host, "model": endpoint.model, "body": part.body or ""}


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
