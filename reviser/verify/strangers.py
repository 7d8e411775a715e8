"""Works of another field where the sentence says nothing: in table cells and clauses too short.

Such a citation cannot be held against its claim, but it can be held against the paper: a work
that is far from everything the paper writes about, and cited for nothing it does fit, is wrong
there as well. Of 269 works that two papers cite none is that far, of works of other fields put
beside them about two in five.
"""

from collections.abc import Mapping, Sequence

from reviser.verify.evidence import Work
from reviser.verify.exempt import field_still_read
from reviser.verify.model import Claim, Label, Support
from reviser.verify.relevance import Relevance, representative

FEWEST_CLAIMS = 30
FEWEST_WORKS = 20
"""A paper's field is known from so many claims and works with text upwards."""
STRANGE = 0.30
REACH = 0.30
"""Strangeness from which, and reach (see `Relevance`) up to which, a work is of another field."""


def is_strange(strangeness: float, reach: float, *, claims: int, works: int) -> bool:
    """Whether a work is of another field than a paper with so many claims and works."""
    known = claims >= FEWEST_CLAIMS and works >= FEWEST_WORKS
    return known and strangeness >= STRANGE and reach < REACH


def strangers(
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    relevance: Relevance,
    settled: Mapping[tuple[int, str], Support],
    *,
    check: str,
) -> Mapping[tuple[int, str], Support]:
    """New verdicts for pairs of a claim that asserts nothing and a work of another field.

    A work that fits, or may fit, a claim anywhere in the paper is left alone.
    """
    at_home = {
        support.key.lower()
        for (number, _), support in settled.items()
        if support.label is not Label.OFF_TOPIC and not field_still_read(claims[number].exempt)
    }
    found: dict[tuple[int, str], Support] = {}
    for (number, key), support in settled.items():
        work = works.get(key.lower())
        field_only = field_still_read(claims[number].exempt)
        if work is None or not field_only or support.label is not Label.NOT_CHECKABLE:
            continue
        far = relevance.afar(key)
        if far is None or key.lower() in at_home:
            continue
        strangeness, reach = far
        if is_strange(strangeness, reach, claims=len(claims), works=len(relevance.keys)):
            why = (
                f"{support.why}; but it is {strangeness:.0%} farther from this paper than its "
                f"median work, and even the claims nearest to it have a similarity of {reach:.2f}"
            )
            first = representative(work)[1:2] or representative(work)[:1]
            quoted = tuple(p for p in work.passages if p.text in first)[:1]
            found[number, key] = Support(
                number, key, Label.OFF_TOPIC, None, check, why, support.leads, quoted
            )
    return found
