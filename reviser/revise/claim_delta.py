"""What a rewritten claim may change of its meaning: towards what its evidence says, or weaker.

METHODS 3.7: a claim is rewritten to what the evidence entails and keeps every number that it does
not contradict. So a number is exchanged for one that stands in the evidence, a direction or a
negation follows its words, and modal words and quantities only grow weaker. Nothing else of a claim
rewrite may be announced, and the gate asks here again.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reviser.revise.change import Change
from reviser.revise.wording import KINDS, Shift, shifts, unstated
from reviser.text.edit import Allowed


def _ranked(**words: str) -> dict[str, int]:
    ranks = {"strongest": 4, "strong": 3, "middle": 2, "weak": 1, "weakest": 0}
    return {word: ranks[rank] for rank, table in words.items() for word in table.split()}


_MODALITY = _ranked(
    strongest="""prove proves proved proven demonstrate demonstrates demonstrated establish
    establishes established confirm confirms confirmed guarantee guarantees guaranteed ensure
    ensures ensured certain certainly clear clearly definite definitely evident evidently obvious
    obviously undoubtedly must will shall cause causes caused causing causal significantly
    significant""",
    strong="show shows showed shown",
    weak="""report reports reported claim claims claimed argue argues argued suggest suggests
    suggested indicate indicates indicated imply implies implied hint hints believe believed think
    thought expect expected assume assumes assumed hypothesize hypothesise hypothesized hypothesised
    conjecture conjectured speculate associated association correlate correlates correlated
    correlation tend tends tended likely probable probably apparently presumably plausible plausibly
    partly partially largely mostly mainly attempt attempts attempted aim aims try tries tried
    preliminary allegedly""",
    weakest="""may might can could seem seems seemed appear appears appeared possible possibly
    potential potentially perhaps maybe""",
)
"""Bare assertion lies between strong and weak. Words that are not here do not change."""
_QUANTIFIER = _ranked(
    strongest="""all every each always entirely completely fully wholly everywhere everyone
    everything only exclusively solely exactly precisely whole""",
    middle="many much often usually frequently generally typically majority",
    weak="""some several sometimes occasionally about approximately roughly nearly almost around""",
)
"""The bare plural lies above the middle: "models fail" says more than "many models fail"."""
_MODAL_ASSERTION, _QUANTITY_ASSERTION = 2.5, 3.5
_BOASTS = frozenset({
    "best", "strongest", "fastest", "superior", "outperform", "outperforms", "outperformed",
    "surpass", "surpasses", "surpassed",
})  # fmt: skip
"""Comparisons without which a sentence says less."""
_AUXILIARIES = frozenset({"does", "did", "do"})
_NEGATIONS = frozenset({
    "not", "no", "never", "none", "nor", "neither", "nothing", "without", "cannot",
})  # fmt: skip
_WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENDING = re.compile(r"(?:ments?|ing|ed|es|s|d|e)$")


class Delta(NamedTuple):
    """The words that come and go between two wordings of a claim, and why they may not, or ""."""

    shifts: tuple[Shift, ...]
    refused: str


def claim_delta(before: str, after: str, evidence: Sequence[str]) -> Delta:
    """What a rewriting changes of a claim's meaning, proved against its evidence.

    `before` and `after` are one sentence, in plain words or with marks; `evidence` are passages of
    the works it cites.
    """
    found = shifts(before, after)
    return Delta(found, refusal(found, evidence))


def refusal(found: Sequence[Shift], evidence: Sequence[str]) -> str:
    """Why a claim may not be changed so, or ""."""
    given = " ".join(evidence)
    by_kind = {kind: [s for s in found if s.kind == kind] for kind in KINDS}
    negated = bool(by_kind["negation"])
    modal = [s for s in by_kind["modality"] if not (negated and s.words in _AUXILIARIES)]
    return (
        _numbers(by_kind["number"], given)
        or _negations(by_kind["negation"], given)
        or _weaker(modal, _MODALITY, _MODAL_ASSERTION)
        or _weaker(by_kind["quantifier"], _QUANTIFIER, _QUANTITY_ASSERTION)
        or _directions(by_kind["direction"], given)
    )


def announced(change: Change) -> tuple[Allowed, ...]:
    """The allowances that a claim rewrite needs; they count only if `unproven` finds nothing."""
    return tuple(
        Allowed(
            d.atom.kind, d.at, d.atom.words if d.lost else None, None if d.lost else d.atom.words
        )
        for d in change.differences
        if d.atom.kind in KINDS
    )


def unproven(change: Change) -> str | None:
    """Why an edit that rewrites a claim may not announce what it announces, or None."""
    allows = change.edit.allows
    other = next((allowed.kind for allowed in allows if allowed.kind not in KINDS), None)
    if other is not None:
        return f"a rewritten claim may not announce a change of {other}"
    found = [Shift(a.kind, a.lost, True) for a in allows if a.lost is not None]
    found += [Shift(a.kind, a.gained, False) for a in allows if a.gained is not None]
    return refusal(found, change.edit.evidence) or None


def _parted(found: Sequence[Shift]) -> tuple[list[str], list[str]]:
    return [s.words for s in found if s.lost], [s.words for s in found if not s.lost]


def _numbers(found: Sequence[Shift], given: str) -> str:
    lost, gained = _parted(found)
    for number in gained:
        if not _states(number, given):
            return f"the number {number!r} does not stand in the evidence"
    for number in lost:
        if _states(number, given):
            return f"the evidence gives the number {number!r}, so it stays"
    if len(lost) > len(gained):
        return f"the number {lost[-1]!r} may be corrected by the evidence, but not dropped"
    return ""


def _states(number: str, given: str) -> bool:
    if any(char.isdigit() for char in number):
        return not unstated(number, given)
    return number.lower() in _words(given)


def _negations(found: Sequence[Shift], given: str) -> str:
    lost, gained = _parted(found)
    there = _words(given)
    denies = bool(there & _NEGATIONS) or any(word.endswith("n't") for word in there)
    for word in gained:
        common = word in _NEGATIONS or word.replace("’", "'").endswith("n't")
        if word not in there and not (common and denies):
            return f"{word!r} does not stand in the evidence"
    for word in lost:
        if word in there or denies:
            return f"the evidence denies something too, so {word!r} stays"
    return ""


def _weaker(found: Sequence[Shift], ranks: dict[str, int], bare: float) -> str:
    """Whether every word that comes takes the place of a stronger one, or weakens what had none."""
    lost, gained = _parted(found)
    fixed = next((word for word in (*lost, *gained) if word not in ranks), None)
    if fixed is not None:
        return f"{fixed!r} would come or go"
    waiting = list(gained)
    for word in sorted(lost, key=lambda word: ranks[word]):
        weaker = (w for w in waiting if ranks[w] <= ranks[word])
        instead = max(weaker, key=lambda w: ranks[w], default=None)
        if instead is not None:
            waiting.remove(instead)
        elif ranks[word] < bare:
            return f"without {word!r} the claim is stronger than it was"
    stronger = next((word for word in waiting if ranks[word] > bare), None)
    return f"with {stronger!r} the claim is stronger than it was" if stronger else ""


def _directions(found: Sequence[Shift], given: str) -> str:
    lost, gained = _parted(found)
    there = {_stem(word) for word in _words(given)}
    for word in gained:
        if _stem(word) not in there:
            return f"{word!r} does not stand in the evidence"
    needed = [word for word in lost if word not in _BOASTS]
    for word in needed:
        if _stem(word) in there:
            return f"the evidence says {word!r} too, so it stays"
    if len(needed) > len(gained):
        return f"{needed[-1]!r} may become what the evidence says, but not be dropped"
    return ""


def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower().replace("’", "'") for word in _WORDS.findall(text))


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())
