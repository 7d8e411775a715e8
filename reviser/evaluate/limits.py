"""Limits of a verifier's verdicts, chosen on one set of labelled pairs to be tried on another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviser.evaluate.pairs import JudgedPair
from reviser.verify.model import Label
from reviser.verify.thresholds import DEFAULT

FALSE = 0.02
"""The share of rightly cited claims that may be accused."""
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """Probabilities from which a claim counts as entailed, and as contradicted."""

    entails: float = DEFAULT.entails
    contradicts: float = DEFAULT.contradicts


def chosen(judged: Sequence[JudgedPair], most: float = FALSE) -> Limits | None:
    """The limits that do best on these pairs; None where no verifier judged any.

    `entails` is where F1 of "supported" is highest. `contradicts` is the lowest limit at which, of
    the claims that are supported or left open, no larger share than `most` is called so (1.01, out
    of reach, where there is none): the fewer a set has of them, the less this says.
    """
    if not any(j.entails is not None for j in judged):
        return None
    grid = [number / _STEPS for number in range(1, _STEPS)]
    entails = max(grid, key=lambda limit: (_f1(judged, limit), -abs(limit - DEFAULT.entails)))
    innocent = [j for j in judged if j.pair.truth in ("supported", "silent")]
    contradicts = 1.01
    for limit in reversed([*grid, 1.0]):
        tried = Limits(entails, limit)
        accused = sum(relabelled(j, tried).said is Label.CONTRADICTED for j in innocent)
        if accused > most * len(innocent):
            break
        contradicts = limit
    return Limits(entails, contradicts)


def relabelled(judged: JudgedPair, limits: Limits) -> JudgedPair:
    """The same judgement with its verdict at other limits; one that rests on the topic stays."""
    if judged.entails is None:
        return judged
    near = judged.closeness is not None and judged.closeness >= DEFAULT.contradicts_closeness
    if judged.entails >= limits.entails:
        said = Label.SUPPORTED
    elif near and judged.contradicts is not None and judged.contradicts >= limits.contradicts:
        said = Label.CONTRADICTED
    else:
        said = Label.SILENT
    return replace(judged, said=said)


def _f1(judged: Sequence[JudgedPair], limit: float) -> float:
    right = given = due = 0
    for j in judged:
        yes = j.entails is not None and j.entails >= limit
        truth = j.pair.truth == "supported"
        right, given, due = right + (yes and truth), given + yes, due + truth
    return 2 * right / (given + due) if given + due else 0.0
