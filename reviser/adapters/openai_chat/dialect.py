"""How endpoints differ: what each is asked for, what to do without, and what its replies hold."""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal

from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.adapters.openai_chat.wire_schema import wire_schema
from reviser.ports import ChatReply, ChatRequest, Token

Form = Literal["json_schema", "json_object", "text"]

_ANSWER_SO = (
    "\n\nAnswer with one JSON object that fits this JSON Schema, and with nothing else:\n\n"
)


@dataclass(frozen=True, slots=True)
class Known:
    """What an endpoint is believed to understand."""

    form: Form = "json_schema"
    logprobs: bool = True
    temperature: bool = True
    seed: bool = True
    sown: bool = False  # a seed was sent and taken
    limit: str = "max_tokens"
    renamed: bool = False


def arguments(request: ChatRequest, known: Known, endpoint: Endpoint) -> dict[str, Any]:
    """The request as the client takes it."""
    messages = [{"role": m.role, "content": m.text} for m in request.messages]
    made: dict[str, Any] = {
        "model": endpoint.model,
        "messages": messages,
        known.limit: request.max_tokens,
        "extra_body": dict(endpoint.body),
    }
    if known.temperature:
        made["temperature"] = request.temperature
    if request.seed is not None and known.seed:
        made["seed"] = request.seed
    if request.logprobs and known.logprobs:
        made |= {"logprobs": True, "top_logprobs": request.logprobs}
    if not request.schema:
        return made
    if known.form == "json_schema":
        form = wire_schema(json.loads(request.schema))
        schema = {"name": "reply", "schema": form, "strict": True}
        made["response_format"] = {"type": "json_schema", "json_schema": schema}
        return made
    messages[0] = {**messages[0], "content": messages[0]["content"] + _ANSWER_SO + request.schema}
    if known.form == "json_object":
        made["response_format"] = {"type": "json_object"}
    return made


def lesser(known: Known, named: str, request: ChatRequest, *, guess: bool) -> Known | None:
    """The next smaller thing to ask for, given what an error names (in lower case); where it
    names nothing and `guess` is set, whatever is refused most often. None when nothing is left."""
    if "max_tokens" in named or "max_completion_tokens" in named:
        other = "max_tokens" if known.limit == "max_completion_tokens" else "max_completion_tokens"
        return None if known.renamed else replace(known, limit=other, renamed=True)
    smaller: Form = "json_object" if known.form == "json_schema" else "text"
    formal = any(word in named for word in ("response_format", "json", "schema", "grammar"))
    probable = bool(request.logprobs) and known.logprobs
    seeded = request.seed is not None and known.seed
    choices = (
        (probable and "logprob" in named, replace(known, logprobs=False)),
        (known.temperature and "temperature" in named, replace(known, temperature=False)),
        (seeded and "seed" in named, replace(known, seed=False)),
        (
            bool(request.schema) and known.form != "text" and (formal or guess),
            replace(known, form=smaller),
        ),
        (probable and guess, replace(known, logprobs=False)),
        (seeded and (guess or not known.sown), replace(known, seed=False)),
        (known.temperature and guess, replace(known, temperature=False)),
    )
    return next((less for holds, less in choices if holds), None)


def reply_of(said: Any, seconds: float, requests: int, *, seeded: bool = False) -> ChatReply | None:
    """What a chat completion says; None when it is none. The client does not check its form."""
    choices = getattr(said, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    if message is None:
        return None
    content = getattr(message, "content", None)
    finish = getattr(choice, "finish_reason", None) or "stop"
    if finish == "content_filter" or getattr(message, "refusal", None):
        finish = "refusal"
    usage = getattr(said, "usage", None)
    logprobs = getattr(getattr(choice, "logprobs", None), "content", None)
    return ChatReply(
        text=content if isinstance(content, str) else "",
        finish=str(finish),
        model=str(getattr(said, "model", None) or ""),
        tokens_in=_count(getattr(usage, "prompt_tokens", 0)),
        tokens_out=_count(getattr(usage, "completion_tokens", 0)),
        seconds=round(seconds, 3),
        requests=requests,
        tokens=_tokens(logprobs) if isinstance(logprobs, list) else (),
        seeded=seeded,
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _tokens(rows: list[Any]) -> tuple[Token, ...]:
    """The tokens with their alternatives; none at all where a row is not as it should be."""
    found: list[Token] = []
    for row in rows:
        text = getattr(row, "token", None)
        top = [(getattr(t, "token", None), getattr(t, "logprob", None))
               for t in [row, *(getattr(row, "top_logprobs", None) or ())]]  # fmt: skip
        pairs = {t: float(p) for t, p in top if isinstance(t, str) and isinstance(p, int | float)}
        if not isinstance(text, str):
            return ()
        found.append(Token(text, tuple(pairs.items())))
    return tuple(found)
