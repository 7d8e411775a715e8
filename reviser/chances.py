"""How probable the values of a model's reply were, by the tokens it could have said instead."""

import math
import re
from collections.abc import Collection, Sequence

from reviser.ports import ChatReply

_LEAST_MASS = 0.5
"""Of the probability at a place that the answers looked for must hold."""


def probabilities(
    reply: ChatReply, member: str, values: Collection[str]
) -> dict[str, float] | None:
    """How probable each value of a member of the reply's JSON was, by the token it begins with.

    None without probabilities, where the member stands not exactly once, or where most of the
    probability is elsewhere.
    """
    text = "".join(token.text for token in reply.tokens)
    places = list(re.finditer(rf'"{member}"\s*:\s*"?(?=\w)', text))
    if len(places) != 1:
        return None
    offset = 0
    for token in reply.tokens:
        if offset <= places[0].end() < offset + len(token.text):
            lead = token.text[: places[0].end() - offset]
            return _shares(token.top, lead, values)
        offset += len(token.text)
    return None


def expected(reply: ChatReply, member: str, values: Collection[int]) -> float | None:
    """The expected value of a member that is one of these digits; None as in `probabilities`."""
    chances = probabilities(reply, member, tuple(str(value) for value in values))
    if chances is None:
        return None
    return sum(int(value) * chance for value, chance in chances.items())


def _shares(
    top: Sequence[tuple[str, float]], lead: str, values: Collection[str]
) -> dict[str, float] | None:
    """The shares of `values` among the alternatives of a token, whose text before the value is
    `lead`; an alternative may spell quotation mark and blank otherwise."""
    mass = dict.fromkeys(values, 0.0)
    for text, logprob in top:
        word = text.removeprefix(lead).strip(' "\n').lower()
        if word in mass and logprob <= 0:
            mass[word] += math.exp(logprob)
    total = sum(mass.values())
    if total < _LEAST_MASS:
        return None
    return {value: share / total for value, share in mass.items()}
