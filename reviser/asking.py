"""Ask a chat model for data of a given form: a checked value, or why there is none.

A model says whatever it likes, and a text of a paper may have told it to. So a reply counts only
if it holds exactly one answer of the form asked for, and the caller's own check finds nothing
wrong with it. One answer that does not is asked for again, with the reason.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from reviser.errors import Unanswered
from reviser.ports import ChatModel, ChatReply, ChatRequest, Message
from reviser.prompts import Rendered

Reply = TypeVar("Reply", bound=BaseModel)

LONGEST = 60_000
"""Characters of a reply that are read."""
_SHOWN = 4_000
"""Characters of an unusable reply that are shown to the model again."""
_THOUGHTS = re.compile(r"\A\s*(?:<think(?:ing)?>)?.*</think(?:ing)?>", re.DOTALL)
_COMPLAINTS = 4


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is to answer: see `ChatRequest`."""

    temperature: float = 0.0
    max_tokens: int = 1024
    logprobs: int = 0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Answered(Generic[Reply]):
    """A value that passed every check, and the reply it stood in."""

    value: Reply
    reply: ChatReply


@dataclass(frozen=True, slots=True)
class Unusable:
    """There is no value. `why` is short, so that like cases can be counted; `detail` is what the
    model was told, or would be."""

    why: str
    detail: str = ""


def no_objection(_: object) -> str:
    """The check that any value passes."""
    return ""


def asked_for(prompt: Rendered, reply: type[BaseModel], sampling: Sampling) -> ChatRequest:
    """The request that asks for a `reply`."""
    # Not sorted: endpoints that hold a reply to its schema also hold it to the order of members.
    schema = json.dumps(reply.model_json_schema(), separators=(",", ":"))
    messages = (Message("system", prompt.system), Message("user", prompt.user))
    return ChatRequest(
        prompt.label,
        messages,
        schema,
        sampling.temperature,
        sampling.max_tokens,
        sampling.logprobs,
        sampling.seed,
    )


def ask(
    model: ChatModel,
    request: ChatRequest,
    reply: type[Reply],
    check: Callable[[Reply], str] = no_objection,
) -> Answered[Reply] | Unusable:
    """What the model answers, asked a second time with the reason where the first is not usable.

    `check` says what is wrong with a value, or "". Raises ReviserError when the endpoint answers
    nobody; a question that alone had no answer is `Unusable`.
    """
    wrong = Unusable("it was not asked")
    for _ in range(2):
        try:
            said = model.complete(request)
        except Unanswered as error:
            return Unusable(str(error))
        if said.finish == "refusal":
            return Unusable("the model refused to answer")
        value = read_reply(said, reply, check)
        if not isinstance(value, Unusable):
            return Answered(value, said)
        wrong = value
        request = _again(request, said, wrong)
    return wrong


def read_reply(
    said: ChatReply, reply: type[Reply], check: Callable[[Reply], str] = no_objection
) -> Reply | Unusable:
    """The one answer in a reply: bare, in a fence, or between other words."""
    if said.finish == "length":
        detail = "It was cut off before it ended. Answer more briefly."
        return Unusable("the reply was cut off at the limit of its tokens", detail)
    text = _THOUGHTS.sub("", said.text[:LONGEST]).strip()
    if not text:
        return Unusable("the reply was empty", "It was empty.")
    fitting: list[Reply] = []
    complaint = "It holds no JSON object."
    for found in _objects(text):
        try:
            value = reply.model_validate(found)
        except ValidationError as error:
            complaint = _complaint(error)
            continue
        if value not in fitting:
            fitting.append(value)
    if len(fitting) > 1:
        return Unusable("the reply held several answers", "It holds more than one answer.")
    if not fitting:
        return Unusable("the reply did not have the form asked for", complaint)
    objection = check(fitting[0])
    return Unusable(objection, f"This is wrong with it: {objection}.") if objection else fitting[0]


def _objects(text: str) -> Iterator[dict[str, object]]:
    """The outermost JSON objects in a text, in order; one with a name twice is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
    start = text.find("{")
    while start >= 0:
        try:
            found, stop = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            start = text.find("{", start + 1)
            continue
        if isinstance(found, dict):
            yield found
        start = text.find("{", stop)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _complaint(error: ValidationError) -> str:
    """What does not fit, without the words of the reply."""
    parts = [
        f"{'.'.join(str(step) for step in fault['loc']) or 'the object'}: {fault['msg']}"
        for fault in error.errors(include_input=False, include_url=False, include_context=False)
    ]
    return "; ".join(parts[:_COMPLAINTS])[:600] + "."


def _again(request: ChatRequest, said: ChatReply, wrong: Unusable) -> ChatRequest:
    return replace(
        request,
        messages=(
            *request.messages,
            Message("assistant", said.text[:_SHOWN] or "(nothing)"),
            Message(
                "user",
                f"That reply cannot be used. {wrong.detail} Answer the same question once more, "
                "with one JSON object of the form asked for and nothing else.",
            ),
        ),
    )
