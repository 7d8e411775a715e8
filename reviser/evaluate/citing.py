"""Faults of which key is cited: another work's, one too many, two swapped."""

import random
from collections.abc import Callable, Mapping, Sequence

from reviser.evaluate.fault import KEY_KINDS, Donor, FaultKind, Planned
from reviser.latex.elements import BibEntry, CitationForm, Key
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Replacement

Cited = tuple[int, Key]
"""The index of a sentence, and a key that is cited in it."""


def eligible(manuscript: Manuscript, has_evidence: Callable[[BibEntry], bool]) -> tuple[Cited, ...]:
    """Literal keys with evidence, each with the index of the sentence it is cited in."""
    found = []
    for index, citation in enumerate(manuscript.citations):
        sentence = manuscript.sentence_of.get(index)
        if citation.form is CitationForm.UNSEEN or sentence is None:
            continue
        for key in citation.keys:
            entry = manuscript.entry_of.get(key.name.lower())
            if literal(manuscript, key) and entry is not None and has_evidence(entry):
                found.append((sentence, key))
    return tuple(found)


def literal(manuscript: Manuscript, key: Key) -> bool:
    """Whether the key stands at its place as it is named, in a file that may be edited."""
    facts = manuscript.facts_of.get(key.at.path)
    mine = facts is not None and not facts.untouchable
    return mine and key.editable and manuscript.text(key.at) == key.name


def renamed(
    manuscript: Manuscript, donors: Sequence[Donor], draw: random.Random
) -> Mapping[str, str]:
    """Raw entries of the donors by a new key, which gives nothing of the work away."""
    shuffled = sorted(donors, key=lambda d: (d.key, d.raw))
    draw.shuffle(shuffled)
    keys = (f"ref{number:04d}" for number in range(len(shuffled)))
    return {
        key: donor.raw.replace(donor.key, key, 1)
        for key, donor in zip(keys, shuffled, strict=True)
        if key not in manuscript.entry_of
    }


def plan_keys(
    pool: Sequence[Cited],
    foreign: Sequence[str],
    draw: random.Random,
    wanted: int,
    taken: set[int],
) -> list[Planned]:
    """About `wanted` faults, at most one a sentence, so that each stands for itself.

    Kinds take turns; one that lacks a donor or a second citation is passed over. The sentences
    used are put into `taken`, those in it are left alone.
    """
    order = list(pool)
    draw.shuffle(order)
    names = sorted({key.name for _, key in pool})
    supply = list(reversed(foreign))
    planned: list[Planned] = []
    for turn in range(len(order)):
        free = [(s, k) for s, k in order if s not in taken]
        if len(planned) >= wanted or not free:
            break
        sentence, key = free[0]
        kind = KEY_KINDS[turn % len(KEY_KINDS)]
        others = [name for name in names if name.lower() != key.name.lower()]
        if kind is FaultKind.SWAPPED:
            partner = next(((s, k) for s, k in free if s != sentence and k.name != key.name), None)
            if partner is None:
                continue
            taken.add(partner[0])
            planned.append(_written(kind, turn, key, partner[1].name))
            planned.append(_written(kind, turn, partner[1], key.name))
        elif kind is FaultKind.SAME_PAPER and others:
            planned.append(_written(kind, turn, key, draw.choice(others)))
        elif kind is FaultKind.OTHER_FIELD and supply:
            planned.append(_written(kind, turn, key, supply.pop()))
        elif kind is FaultKind.ADDED and supply:
            planned.append(_written(kind, turn, key, supply.pop(), beside=f"{key.name},"))
        else:
            continue
        taken.add(sentence)
    return planned


def _written(kind: FaultKind, group: int, key: Key, wrong: str, beside: str = "") -> Planned:
    """`wrong` in the place of `key`, or behind it where `beside` repeats the key."""
    change = Replacement(key.at, key.name, f"{beside}{wrong}")
    right = None if beside else key.name
    return Planned(kind, group, change, key.at.span.start, len(beside), wrong, right)
