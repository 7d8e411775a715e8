"""The options that say how a chat model is asked, and the settings value they become."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from reviser.app.choices import DEFAULT_NLI, SCALES
from reviser.app.commands.headed import Option, headed
from reviser.errors import UsageError

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings, Own

OPENAI = "https://api.openai.com/v1"
_REPLY_TOKENS = click.IntRange(64, 100_000)
_CONTEXT = click.IntRange(1024)

_MODEL = "Chat model (the helper: it reviews, decides and verifies)"
_SPENDING = "What chat models may cost in a run, all of them together"
_PARTS = {
    "writer": "The writer of edits, where it is another chat model than the helper",
    "evaluator": "The evaluator, which only reports, and best is another model",
}

Function = Callable[..., object]


def model_options(option: Option) -> tuple[Callable[[Function], Function], ...]:
    """The options, made with `option`, in the order the help shows them."""
    helper, spending = headed(option, _MODEL), headed(option, _SPENDING)
    return (
        helper("--model", metavar="NAME", help="The chat model that is asked."),
        helper(
            "--base-url",
            metavar="URL",
            default=OPENAI,
            show_default=True,
            help="Its endpoint, any that is OpenAI-compatible. The key is read from the variable "
            "REVISER_API_KEY, for OpenAI's own endpoint also from OPENAI_API_KEY.",
        ),
        *_asking(helper),
        *_spending(spending),
        spending(
            "--yes",
            is_flag=True,
            help="Text of the paper may be sent to the endpoints; nobody is asked.",
        ),
    )


def part_options(option: Option, part: str) -> tuple[Callable[[Function], Function], ...]:
    """The options of the writer or the evaluator alone; what is not given is as the helper's."""
    own = headed(option, _PARTS[part])
    return (
        own(f"--{part}-model", metavar="NAME", help="Its model (default: --model)."),
        own(
            f"--{part}-base-url",
            metavar="URL",
            help=f"Its endpoint (default: --base-url). Its key is REVISER_{part.upper()}_API_KEY; "
            "keys, headers and members of the helper are not sent to another host.",
        ),
        own(f"--{part}-temperature", type=click.FloatRange(0, 2), help="As --temperature."),
        own(f"--{part}-reply-tokens", type=_REPLY_TOKENS, help="As --reply-tokens."),
        own(f"--{part}-context", type=_CONTEXT, help="As --context."),
        own(f"--{part}-extra-headers", metavar="JSON", help="As --extra-headers."),
        own(f"--{part}-extra-body", metavar="JSON", help="As --extra-body."),
        own(f"--{part}-price", metavar="IN/OUT", help="As --price."),
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
            type=_REPLY_TOKENS,
            default=1024,
            show_default=True,
            help="Tokens of one reply at most; a model that thinks aloud needs more.",
        ),
        option(
            "--context",
            type=_CONTEXT,
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
        option(
            "--scale",
            type=click.Choice(SCALES),
            default=SCALES[0],
            show_default=True,
            help="As verifier: read its yes or no, or its grade from denial over silence to "
            "agreement.",
        ),
        option("--extra-headers", metavar="JSON", help="Headers that go with every request."),
        option("--extra-body", metavar="JSON", help="Members that go into every request."),
        option(
            "--price",
            metavar="IN/OUT",
            help="What the model costs, in US dollars for a million tokens in and out.",
        ),
        option(
            "--templates",
            metavar="FOLDER",
            help="Prompts of your own, in FOLDER/prompts/, in the place of those of the same name. "
            "All are read before anything is asked. Templates of attribute trees, in "
            "FOLDER/attributes/, likewise.",
        ),
    )


def _spending(option: Option) -> tuple[Any, ...]:
    return (
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
        scale=given["scale"],
        own_writer=_own(given, "writer"),
        own_evaluator=_own(given, "evaluator"),
    )


def _own(given: Mapping[str, Any], part: str) -> "Own":
    """What was said of a part alone; a command without its options says nothing of it."""
    from reviser.app.model_settings import Own

    return Own(
        model=given.get(f"{part}_model"),
        base_url=given.get(f"{part}_base_url"),
        temperature=given.get(f"{part}_temperature"),
        reply_tokens=given.get(f"{part}_reply_tokens"),
        context=given.get(f"{part}_context"),
        headers=given.get(f"{part}_extra_headers"),
        body=given.get(f"{part}_extra_body"),
        price=given.get(f"{part}_price"),
    )


def cross_encoder(kind: str | None, model: str | None) -> str | None:
    """The cross-encoder that --verifier and --nli name together. Raises UsageError."""
    if kind in {"embedded", "llm"} and model:
        raise UsageError(
            f"--verifier {kind} and --nli {model} contradict each other",
            hint="Leave one of them out; --nli alone is enough to have a verifier.",
        )
    return model or (DEFAULT_NLI if kind in {"nli", "ensemble"} else None)
