"""What a model was asked and what that cost, as data for the JSON reports."""

from collections.abc import Sequence
from typing import TypedDict

from reviser.budget import Asked


class CallData(TypedDict):
    """One question. `cost` is in US dollars, null where no price is known; `failed` says why
    there is no reply, empty where there is one; a `taped` one was answered without a request."""

    prompt: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float | None
    taped: bool
    failed: str


class SpentData(TypedDict):
    """All questions of a run to one model, and their sums; those of the tape cost nothing."""

    model: str
    requests: int
    taped: int
    tokens: int
    cost: float | None
    calls: list[CallData]


def spent_data(asked: Asked | None) -> SpentData | None:
    """The record as data; None where no model was there to be asked."""
    if asked is None:
        return None
    return {
        "model": asked.model,
        "requests": asked.requests,
        "taped": asked.taped,
        "tokens": asked.tokens,
        "cost": _money(asked.cost),
        "calls": [
            {
                "prompt": call.prompt,
                "model": call.model,
                "tokens_in": call.tokens_in,
                "tokens_out": call.tokens_out,
                "seconds": round(call.seconds, 3),
                "cost": _money(call.cost),
                "taped": call.taped,
                "failed": call.failed,
            }
            for call in asked.calls
        ],
    }


def all_spent_data(asked: Sequence[Asked]) -> list[SpentData]:
    """The records of all models of a run as data, those that were asked nothing left out."""
    data = [spent_data(one) for one in asked if one.calls or one.requests]
    return [one for one in data if one is not None]


def _money(cost: float | None) -> float | None:
    return None if cost is None else round(cost, 7)
