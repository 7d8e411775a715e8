"""Why a claim is not borne out by what it cites, asked before anything else is looked for.

FIKSurvey C.3, steps 4 and 5; METHODS 3.4: a short diagnosis and a structured fix.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reviser.latex.orders import gives_orders
from reviser.revise.wording import unstated
from reviser.revise.words import numbers
from reviser.verify.chat_entailment import quoted
from reviser.verify.model import Label, Support

PROMPT = "diagnose-claim"

WRONG_PAPER, BACKGROUND = "wrong paper", "background only"
NUMBER = "number differs"
HOPELESS = frozenset({WRONG_PAPER, BACKGROUND})
"""Reasons that no wording of the claim would mend."""


class Diagnosed(BaseModel):
    """A reply: the reason, the words that show it, and how the claim would have to read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    reason: Literal[
        "wrong paper", "overclaim", "number differs", "scope differs", "background only"
    ]
    quote: str = Field(max_length=1000)
    why: str = Field(min_length=1, max_length=800)
    rewrite: str = Field(max_length=1000)
    style: tuple[str, ...] = Field(max_length=3)
    alternatives: tuple[str, ...] = Field(max_length=2)


def objection(
    reply: Diagnosed, claim: str, shown: Sequence[str], supports: Sequence[Support]
) -> str:
    """What is wrong with a diagnosis, or "": it must rest on what was `shown` and not contradict it
    or itself. `supports` are the verdicts on the claim."""
    hopeless = reply.reason in HOPELESS
    given = " ".join(shown)
    labels = {support.label for support in supports}
    wrong = (
        (
            hopeless and bool(reply.rewrite.strip()),
            f"a claim with the reason {reply.reason!r} has no other wording",
        ),
        (
            hopeless and Label.CONTRADICTED in labels,
            "the works are on the claim's matter: one was found to contradict it",
        ),
        (not hopeless and not reply.rewrite.strip(), "there is no other wording in it"),
        (
            not hopeless and not any(quoted(reply.quote, text) for text in shown),
            "it quotes words that do not stand once in one sentence of the works",
        ),
        (reply.reason == NUMBER and not _differs(reply, claim, given), NOT_DIFFERENT),
        (
            bool(unstated(reply.rewrite, f"{given} {claim}")),
            "its wording has a number that stands neither in the works nor in the claim",
        ),
        (
            any(gives_orders(text) for text in (reply.rewrite, *reply.style, *reply.alternatives)),
            "it addresses whoever reads it",
        ),
    )
    return next((why for fault, why in wrong if fault), "")


NOT_DIFFERENT = "no number of the claim differs from one in the quoted words"


def _differs(reply: Diagnosed, claim: str, given: str) -> bool:
    """Whether the claim has a number that the works lack, and the quotation has another."""
    return bool(unstated(claim, given)) and any(
        unstated(found.words, claim) for found in numbers(reply.quote)
    )
