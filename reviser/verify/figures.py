"""How well a paper's claims are supported, as figures under their own names."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reviser.verify.model import Claim, Label, Support

JUDGED = frozenset({Label.SUPPORTED, Label.CONTRADICTED, Label.SILENT})
CHECKED = JUDGED | {Label.OFF_TOPIC}


@dataclass(frozen=True, slots=True)
class Figure:
    """`count` of `of`; `value` is their ratio in [0, 1], None when it was not or cannot be
    computed, and `why` then says so. `unknown` is the share in [0, 1] of `of` that could not be
    checked."""

    name: str
    value: float | None
    count: int
    of: int
    unknown: float = 0.0
    why: str = ""


def figures(
    claims: Sequence[Claim],
    supports: Sequence[Support],
    *,
    verifier: str = "",
    together: Collection[int] | None = None,
) -> tuple[Figure, ...]:
    """The figures of one paper; `verifier` is the entailment model's name, "" when none ran, and
    `together` what `fully_supported` found, None when not all were judged.

    With a verifier: recall as FIKSurvey counts it (claims that at least one source supports, of
    all claims), the same over claims that could be checked, full support as SurveyX and its kin
    count it, precision (supporting pairs of all pairs), the same over checked pairs, and F1.
    Always: the shares on topic, off topic, unchecked and not checkable, by citation.
    """
    shares = tuple(_share(label, supports) for label in _SHARES)
    if not verifier:
        return (
            Figure("citation NLI", None, 0, len(supports), 1.0, "not run: no verifier model given"),
            *shares,
        )
    return (*_supported(claims, supports, together), *shares)


_SHARES = (Label.ON_TOPIC, Label.OFF_TOPIC, Label.NOT_CHECKABLE, Label.UNCHECKED)


def _share(label: Label, supports: Sequence[Support]) -> Figure:
    names = {Label.ON_TOPIC: "on topic"}
    # What a verifier judged is on topic too: it is asked about nothing else.
    wanted = JUDGED | {label} if label is Label.ON_TOPIC else {label}
    return _ratio(names.get(label, label.value), [s.label in wanted for s in supports], supports)


def _supported(
    claims: Sequence[Claim], supports: Sequence[Support], together: Collection[int] | None
) -> tuple[Figure, ...]:
    labels: dict[int, list[Label]] = {n: [] for n in range(len(claims))}
    for support in supports:
        labels[support.claim].append(support.label)
    counted = [found for found in labels.values() if found]
    checked = [found for found in counted if CHECKED & set(found)]
    hit = sum(Label.SUPPORTED in found for found in counted)
    pairs = sum(s.label is Label.SUPPORTED for s in supports)
    pairs_checked = sum(s.label in CHECKED for s in supports)
    unknown_claims = 1 - len(checked) / len(counted) if counted else 0.0
    unknown_pairs = 1 - pairs_checked / len(supports) if supports else 0.0
    recall = _figure("recall (001)", hit, len(counted), unknown_claims)
    precision = _figure("precision", pairs, len(supports), unknown_pairs)
    return (
        recall,
        _figure("recall, checked", hit, len(checked)),
        _full(together, len(counted), unknown_claims),
        precision,
        _figure("precision, checked", pairs, pairs_checked),
        _f1(recall, precision),
    )


def _full(together: Collection[int] | None, of: int, unknown: float) -> Figure:
    if together is None:
        why = "not known: the sources of some claims were not judged together"
        return Figure("full support (000, 002, 004)", None, 0, of, unknown, why)
    return _figure("full support (000, 002, 004)", len(together), of, unknown)


def _figure(name: str, count: int, of: int, unknown: float = 0.0) -> Figure:
    if not of:
        return Figure(name, None, 0, 0, unknown, "nothing to count")
    return Figure(name, count / of, count, of, unknown)


def _ratio(name: str, holds: Sequence[bool], supports: Sequence[Support]) -> Figure:
    unknown = sum(s.label in (Label.UNCHECKED, Label.NOT_CHECKABLE) for s in supports)
    share = unknown / len(supports) if supports else 0.0
    return _figure(name, sum(holds), len(supports), share)


def _f1(recall: Figure, precision: Figure) -> Figure:
    if recall.value is None or precision.value is None:
        return Figure("F1", None, 0, 0, recall.unknown, "nothing to count")
    total = recall.value + precision.value
    value = 2 * recall.value * precision.value / total if total else 0.0
    return Figure("F1", value, 0, 0, max(recall.unknown, precision.unknown))
