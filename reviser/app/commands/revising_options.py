"""The options of a run in which models review and rewrite, and the settings value they become."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from reviser.app.choices import MOST_ROUNDS, STRATEGIES, TIES
from reviser.app.commands.headed import Option, headed

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings
    from reviser.app.review_settings import ReviewSettings

Function = Callable[..., object]

_REVIEW = "Reviewing and rewriting with chat models"


def _bounds(own: Option) -> tuple[Callable[[Function], Function], ...]:
    """How much a run may do."""
    return (
        own(
            "--rounds",
            type=click.IntRange(1, MOST_ROUNDS),
            default=2,
            show_default=True,
            help="Reviews at most, each of the text that the last one left.",
        ),
        own(
            "--batch",
            type=click.IntRange(1, 64),
            default=8,
            show_default=True,
            help="Edits that are scored together at most; 1 scores each by itself.",
        ),
        own(
            "--blocks",
            type=click.IntRange(0, 5),
            default=1,
            show_default=True,
            help="New sections, tables and timelines that a round may put in, written out of the "
            "literature at hand; 0 for none.",
        ),
    )


def revising_options(option: Option) -> tuple[Callable[[Function], Function], ...]:
    """The options, made with `option`, in the order the help shows them."""
    own = headed(option, _REVIEW)
    return (
        own(
            "--review",
            is_flag=True,
            help="Have the paper reviewed and its points worked off by chat models; what they "
            "write is kept only where it passes every check. Needs --model.",
        ),
        *_bounds(own),
        own(
            "--ties",
            type=click.Choice(TIES),
            default="pairwise",
            show_default=True,
            help="An edit that gains no more than the judge's own noise: refuse it, accept it, or "
            "compare old and new in both orders.",
        ),
        own(
            "--weights",
            default="equal",
            show_default=True,
            metavar="NAME|LIST",
            help="What counts: equal, fast-moving (coverage, relevance), mature (synthesis, "
            "critical analysis), or numbers: coverage=2,structure=0.5",
        ),
        own(
            "--strategy",
            type=click.Choice(STRATEGIES),
            default="references-first",
            show_default=True,
            help="A claim that nothing it cites bears out: try other references, other words, "
            "or both.",
        ),
        own(
            "--rebut/--no-rebut",
            variable="REVISER_REBUT",
            default=True,
            help="Whether a point may be answered instead of followed (default: yes).",
        ),
    )


procedure_option = click.option(
    "--procedure",
    type=click.Choice(("reviser", "published")),
    default="reviser",
    envvar="REVISER_PROCEDURE",
    show_envvar=True,
    show_default=True,
    help="With --review: whose procedure decides what is kept. 'published' rates the whole paper "
    "twice for each edit and keeps what does not lower the rating; it is there to compare.",
)
"""Whose procedure decides; only on one's own files, so it is no setting of deliveries."""


def review_settings(given: Mapping[str, Any], models: "ModelSettings") -> "ReviewSettings | None":
    """What the options say, out of a command's parameters; None where no review is asked for."""
    if not given.get("review"):
        return None
    from reviser.app.review_settings import ReviewSettings

    return ReviewSettings(
        models=models,
        rounds=given["rounds"],
        batch=given["batch"],
        blocks=given["blocks"],
        ties=given["ties"],
        weights=given["weights"],
        strategy=given["strategy"],
        rebut=given["rebut"],
        imitate=given.get("imitate", True),
        reviews=given.get("reviews"),
        procedure=given.get("procedure", "reviser"),
    )
