"""The options that say how a chat model is asked, and the settings value they become."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings

OPENAI = "https://api.openai.com/v1"

Option = Callable[..., Callable[[Callable[..., object]], Callable[..., object]]]


def model_options(
    option: Option,
) -> tuple[Callable[[Callable[..., object]], Callable[..., object]], ...]:
    """The options, made with `option`, in the order the help shows them."""
    return (
        option("--model", metavar="NAME", help="The chat model that --verifier llm asks."),
        option(
            "--base-url",
            metavar="URL",
            default=OPENAI,
            show_default=True,
            help="Its endpoint, any that is OpenAI-compatible. The key is read from the variable "
            "REVISER_API_KEY, for OpenAI's own endpoint also from OPENAI_API_KEY.",
        ),
        *_asking(option),
        *_spending(option),
        option(
            "--yes",
            is_flag=True,
            help="Sentences of the paper may be sent to the endpoint; nobody is asked.",
        ),
    )


def _asking(option: Option) -> tuple[Any, ...]:
    return (
        option(
            "--temperature",
            type=click.FloatRange(0, 2),
            default=0.0,
            show_default=True,
            help="How freely the model answers.",
        ),
        option(
            "--reply-tokens",
            type=click.IntRange(64, 100_000),
            default=1024,
            show_default=True,
            help="Tokens of one reply at most; a model that thinks aloud needs more.",
        ),
        option(
            "--context",
            type=click.IntRange(1024),
            default=8192,
            show_default=True,
            help="Tokens the model takes in all; a longer question is not asked.",
        ),
        option(
            "--timeout",
            type=click.FloatRange(1, 3600),
            default=60.0,
            show_default=True,
            help="Seconds that one request may take.",
        ),
        option(
            "--parallel",
            type=click.IntRange(1, 64),
            default=8,
            show_default=True,
            help="Requests under way at once.",
        ),
        option("--extra-headers", metavar="JSON", help="Headers that go with every request."),
        option("--extra-body", metavar="JSON", help="Members that go into every request."),
        option(
            "--templates",
            metavar="FOLDER",
            help="Prompts of your own, in FOLDER/prompts/, in the place of those of the same name.",
        ),
    )


def _spending(option: Option) -> tuple[Any, ...]:
    return (
        option(
            "--price",
            metavar="IN/OUT",
            help="What the model costs, in US dollars for a million tokens in and out.",
        ),
        option(
            "--max-cost",
            type=click.FloatRange(0),
            default=1.0,
            show_default=True,
            metavar="USD",
            help="What a run may cost at most. What is not asked stays unchecked.",
        ),
        option(
            "--max-calls",
            type=click.IntRange(0),
            default=1000,
            show_default=True,
            help="Requests of a run at most, repeated ones included.",
        ),
        option(
            "--max-total-tokens",
            type=click.IntRange(0),
            default=2_000_000,
            show_default=True,
            help="Tokens of a run at most, in and out.",
        ),
        option(
            "--max-minutes",
            type=click.FloatRange(0),
            default=30.0,
            show_default=True,
            help="Minutes from the first request after which none is sent.",
        ),
    )


def model_settings(given: Mapping[str, Any]) -> "ModelSettings":
    """What the options say, out of a command's parameters."""
    from reviser.app.model_settings import ModelSettings

    return ModelSettings(
        model=given["model"],
        base_url=given["base_url"],
        temperature=given["temperature"],
        reply_tokens=given["reply_tokens"],
        context=given["context"],
        timeout=given["timeout"],
        parallel=given["parallel"],
        headers=given["extra_headers"],
        body=given["extra_body"],
        templates=given["templates"],
        price=given["price"],
        max_cost=given["max_cost"],
        max_calls=given["max_calls"],
        max_total_tokens=given["max_total_tokens"],
        max_minutes=given["max_minutes"],
        yes=given["yes"],
    )
