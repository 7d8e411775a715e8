"""How a chat model is asked: which, where, how, and what it may cost. All of it is the operator's
to set; the key is a secret, read from the environment alone."""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.budget import Limits, Price, price_of
from reviser.errors import SettingsError, UsageError
from reviser.prompts import FOLDER, LARGEST, Prompt, read_prompt
from reviser.templates import template_text

KEY = "REVISER_API_KEY"
OPENAI_KEY = "OPENAI_API_KEY"
_OPENAI = "api.openai.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What the options of the same names say. `headers` and `body` are JSON objects and may hold
    secrets; `price` is "IN/OUT" in US dollars for a million tokens."""

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

    @property
    def named(self) -> str:
        """The model. Raises UsageError where none is named."""
        if not self.model:
            raise UsageError(
                "--verifier llm needs a model",
                hint="Name it: --model gpt-4o-mini, or --model llama3.1 --base-url "
                "http://localhost:11434/v1 for one on this machine.",
            )
        return self.model

    @property
    def limits(self) -> Limits:
        """What the run may use at most."""
        return Limits(self.max_cost, self.max_total_tokens, self.max_calls, self.max_minutes)


def endpoint_of(settings: ModelSettings) -> Endpoint:
    """Where the model is asked, its key included. Raises UsageError for what is missing or wrong.

    OpenAI's own key goes to OpenAI alone: with another base URL it would be given away.
    """
    endpoint = Endpoint(
        model=settings.named,
        base_url=settings.base_url,
        headers=_headers(settings.headers),
        body=_object(settings.body, "--extra-body"),
        timeout=settings.timeout,
    )
    key = os.environ.get(KEY, "").strip()
    if not key and endpoint.host == _OPENAI:
        key = os.environ.get(OPENAI_KEY, "").strip()
        if not key:
            raise UsageError(
                f"there is no key for {endpoint.host}",
                hint=f"Set the environment variable {KEY} or {OPENAI_KEY}. For another endpoint "
                "give --base-url.",
            )
    return Endpoint(
        model=endpoint.model,
        base_url=endpoint.base_url,
        key=key,
        headers=endpoint.headers,
        body=endpoint.body,
        timeout=endpoint.timeout,
    )


def price_for(settings: ModelSettings) -> Price | None:
    """What the model costs: as the operator says, else as in the bundled table, else unknown."""
    if settings.price:
        parts = settings.price.split("/")
        try:
            into, out = (float(part) for part in parts)
        except ValueError:
            into = out = -1.0
        if not (0 <= into < 1e6 and 0 <= out < 1e6):
            raise UsageError(
                f"--price {settings.price} is no price",
                hint="Give US dollars for a million tokens in and out: --price 0.15/0.60",
            )
        return Price(into, out)
    return price_of(settings.named, tomllib.loads(template_text("prices.toml")))


def prompt_of(settings: ModelSettings, name: str, reply: str) -> Prompt:
    """The prompt `name`: of the operator's templates where they have it, else the bundled one.

    Raises SettingsError when it is not as it must be.
    """
    file = f"{FOLDER}/{name}.md"
    if settings.templates is not None:
        folder = Path(settings.templates).expanduser()
        if not folder.is_dir():
            raise UsageError(f"--templates: there is no folder {folder}")
        own = folder / file
        if own.is_file():
            return read_prompt(_text(own), id=name, reply=reply, where=str(own), own=True)
    return read_prompt(template_text(file), id=name, reply=reply, where=file)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise SettingsError(f"{path}: a prompt has at most {LARGEST:,} bytes")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: it cannot be read: {error}") from error


def _headers(text: str | None) -> Mapping[str, str]:
    headers = _object(text, "--extra-headers")
    for name, value in headers.items():
        if not isinstance(value, str) or not (name + value).isprintable() or not name.isascii():
            raise UsageError(
                f"--extra-headers: the value of {name!r} is not a text",
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
