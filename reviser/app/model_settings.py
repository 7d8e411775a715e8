"""How chat models are asked: which, where, how, and what it may cost. All of it is the operator's
to set; keys are secrets, read from the environment alone."""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.budget import Limits, Price, price_of
from reviser.errors import UsageError
from reviser.templates import template_text

KEY = "REVISER_API_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
_OPENAI = "api.openai.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartSettings:
    """Who plays a part, and how: what the options of the same names say, those of the writer and
    the evaluator after `--writer-` and `--evaluator-`. `headers` and `body` are JSON objects and
    may hold secrets; `price` is "IN/OUT" in US dollars for a million tokens."""

    part: str
    model: str
    base_url: str
    temperature: float
    reply_tokens: int
    context: int
    headers: str | None = field(default=None, repr=False)
    body: str | None = field(default=None, repr=False)
    price: str | None = None
    key_names: tuple[str, ...] = (KEY,)

    def option(self, name: str) -> str:
        """The option of this part: `--writer-price`."""
        return f"--{name}" if self.part == "helper" else f"--{self.part}-{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What was said of the writer or the evaluator alone; None is as the helper's."""

    model: str | None = None
    base_url: str | None = None
    temperature: float | None = None
    reply_tokens: int | None = None
    context: int | None = None
    headers: str | None = field(default=None, repr=False)
    body: str | None = field(default=None, repr=False)
    price: str | None = None

    @property
    def said(self) -> bool:
        """Whether anything was."""
        return self != Own()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What the options of the same names say."""

    model: str | None
    base_url: str
    temperature: float
    reply_tokens: int
    context: int
    timeout: float
    parallel: int
    headers: str | None = field(default=None, repr=False)
    body: str | None = field(default=None, repr=False)
    templates: str | None = None
    price: str | None = None
    max_cost: float
    max_calls: int
    max_total_tokens: int
    max_minutes: float
    yes: bool = False
    scale: Literal["verdict", "grade"] = "verdict"
    own_writer: Own = field(default_factory=Own)
    own_evaluator: Own = field(default_factory=Own)

    @property
    def helper(self) -> PartSettings:
        """The helper, which is also the verifier. Raises UsageError where no model is named."""
        if not self.model:
            raise UsageError(
                "asking a chat model needs a model",
                hint="Name it: --model gpt-4o-mini, or --model llama3.1 --base-url "
                "http://localhost:11434/v1 for one on this machine.",
            )
        return PartSettings(
            part="helper",
            model=self.model,
            base_url=self.base_url,
            temperature=self.temperature,
            reply_tokens=self.reply_tokens,
            context=self.context,
            headers=self.headers,
            body=self.body,
            price=self.price,
        )

    @property
    def writer(self) -> PartSettings:
        """The writer: the helper, but for what was said of it alone. Raises as `helper`."""
        return _part("writer", self.own_writer, self.helper)

    @property
    def evaluator(self) -> PartSettings | None:
        """The evaluator, None where nothing was said of it. Raises as `helper`."""
        if not self.own_evaluator.said:
            return None
        return _part("evaluator", self.own_evaluator, self.helper)

    @property
    def limits(self) -> Limits:
        """What the run may use at most."""
        return Limits(self.max_cost, self.max_total_tokens, self.max_calls, self.max_minutes)


def _part(part: str, own: Own, helper: PartSettings) -> PartSettings:
    """A part as the helper but for its own settings. What may be a secret (key, headers, members
    of the request) goes to the helper's endpoint alone; a price is one of a model at a place."""
    base_url = own.base_url or helper.base_url
    model = own.model or helper.model
    together = _origin(base_url) == _origin(helper.base_url)
    same = together and model == helper.model
    own_key = f"REVISER_{part.upper()}_API_KEY"
    return PartSettings(
        part=part,
        model=model,
        base_url=base_url,
        temperature=helper.temperature if own.temperature is None else own.temperature,
        reply_tokens=own.reply_tokens or helper.reply_tokens,
        context=own.context or helper.context,
        headers=own.headers or (helper.headers if together else None),
        body=own.body or (helper.body if together else None),
        price=own.price or (helper.price if same else None),
        key_names=(own_key, *helper.key_names) if together else (own_key,),
    )


def _origin(base_url: str) -> tuple[str, str]:
    """Scheme and host with its port: another of either is another place to send a key to."""
    endpoint = Endpoint(model="", base_url=base_url)
    return base_url.partition(":")[0].lower(), endpoint.host


def endpoint_of(part: PartSettings, *, timeout: float) -> Endpoint:
    """Where a part's model is asked, its key included. Raises UsageError for what is missing or
    wrong.

    OpenAI's own key goes to OpenAI alone: with another base URL it would be given away.
    """
    host = Endpoint(model=part.model, base_url=part.base_url).host
    key = _key(part, host)
    return Endpoint(
        model=part.model,
        base_url=part.base_url,
        key=key,
        headers=_headers(part.headers, part.option("extra-headers")),
        body=_object(part.body, part.option("extra-body")),
        timeout=timeout,
    )


def _key(part: PartSettings, host: str) -> str:
    names = (*part.key_names, OPENAI_KEY) if host == _OPENAI else part.key_names
    for name in names:
        if key := os.environ.get(name, "").strip():
            return key
    if host == _OPENAI:
        raise UsageError(
            f"there is no key for {host}, where the {part.part} is asked",
            hint=f"Set the environment variable {' or '.join(names)}. For another endpoint give "
            f"{part.option('base-url')}.",
        )
    return ""


def price_for(part: PartSettings) -> Price | None:
    """What a part's model costs: as the operator says, else as in the bundled table, else unknown.

    Raises UsageError for what is no price."""
    if part.price:
        parts = part.price.split("/")
        try:
            into, out = (float(number) for number in parts)
        except ValueError:
            into = out = -1.0
        if not (0 <= into < 1e6 and 0 <= out < 1e6):
            raise UsageError(
                f"{part.option('price')} {part.price} is no price",
                hint="Give US dollars for a million tokens in and out: "
                f"{part.option('price')} 0.15/0.60",
            )
        return Price(into, out)
    return price_of(part.model, tomllib.loads(template_text("prices.toml")))


def _headers(text: str | None, option: str) -> Mapping[str, str]:
    headers = _object(text, option)
    for name, value in headers.items():
        if not isinstance(value, str) or not (name + value).isprintable() or not name.isascii():
            raise UsageError(
                f"{option}: the value of {name!r} is not a text",
                hint='Give a JSON object of texts: {"api-version": "2024-10-21"}',
            )
    return {name: str(value) for name, value in headers.items()}


def _object(text: str | None, option: str) -> Mapping[str, object]:
    if not text:
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        # What was given is not shown: it may hold a secret.
        raise UsageError(
            f"{option} is not a JSON object", hint='It looks like {"think": false}, in quotes.'
        )
    return found
