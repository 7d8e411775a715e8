"""Several verifiers as one: support by their mean, an accusation only where all of them make it."""

import math
from collections.abc import Sequence

from reviser.ports import Entailed, Entailment, Unjudged, Versioned

DISAGREE = "the verifiers gave no answer"
_EDGE = 1e-4
"""Probabilities are kept this far from 0 and 1: no member may outvote the others alone."""


class Ensemble:
    """An `Entailment` over others, in their order.

    A claim is entailed as probable as the mean of their log-odds says. It is contradicted only as
    probable as the member that believes it least says, and not at all (None) where one of them did
    not answer or knows no contradiction: a false accusation costs more than a missed one. A pair
    that no member judged is unjudged.
    """

    def __init__(self, members: Sequence[Entailment]) -> None:
        """Raises ValueError for no member."""
        if not members:
            raise ValueError("an ensemble has at least one member")
        self._members = tuple(members)

    @property
    def name(self) -> str:
        """The names of all members."""
        return " + ".join(member.name for member in self._members)

    @property
    def version(self) -> str:
        """What the judgements of those members follow from that say so."""
        return " + ".join(m.version if isinstance(m, Versioned) else "" for m in self._members)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        """One judgement per (premise, hypothesis), in their order. Raises as a member does."""
        asked = [member.judge(pairs) for member in self._members]
        return [combined(answers) for answers in zip(*asked, strict=True)]


def combined(answers: Sequence[Entailed | Unjudged]) -> Entailed | Unjudged:
    """What several answers to one pair amount to."""
    given = [answer for answer in answers if isinstance(answer, Entailed)]
    if not given:
        silent = [answer.why for answer in answers if isinstance(answer, Unjudged)]
        return Unjudged(silent[0] if len(set(silent)) == 1 else DISAGREE)
    entails = _mean([answer.entails for answer in given])
    against = [answer.contradicts for answer in given if answer.contradicts is not None]
    sure = len(against) == len(answers)
    quote = next((answer.quote for answer in given if answer.quote), "")
    return Entailed(entails, min(against) if sure else None, quote)


def _mean(chances: Sequence[float]) -> float:
    """The probability whose log-odds are the mean of those of `chances`."""
    kept = [min(1.0 - _EDGE, max(_EDGE, chance)) for chance in chances]
    mean = math.fsum(math.log(p / (1.0 - p)) for p in kept) / len(kept)
    return 1.0 / (1.0 + math.exp(-mean))
