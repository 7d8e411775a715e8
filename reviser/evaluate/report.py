"""The figures of many trials: pooled over papers, with intervals, each under an honest name."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from reviser.evaluate.entry_trial import EntryObservation, EntryTrial
from reviser.evaluate.fault import ENTRY_KINDS, KEY_KINDS, WORDING_KINDS, FaultKind
from reviser.evaluate.metrics import Interval, auroc, bootstrap, share
from reviser.evaluate.trial import Observation, Trial

FALSE = "false accusations (a warning at a citation nobody touched)"
FALSE_LEADS = "false leads (a note on a number or negation at such a citation)"
RIGHT_REPLACED = "replacements that are right"
OFFERED = "replacements offered, of all wrong keys"
RIGHT_EDITS = "edits of wrong keys that are right (right key back, or wrong key gone)"
SEPARATION = "AUROC, right key against another key of the paper"
STRAY = "findings about nothing injected, per entry left alone"

LEAD = "citation-lead"
NAMED = "citation-name-mismatch"
EXPECTED: Mapping[FaultKind, frozenset[str]] = {
    FaultKind.NAME: frozenset({NAMED, LEAD}),
    FaultKind.NUMBER: frozenset({LEAD}),
    FaultKind.NEGATION: frozenset({LEAD}),
    FaultKind.RESTATED: frozenset({LEAD, NAMED, "citation-off-topic"}),
    FaultKind.MISSING_COMMA: frozenset({"bib-missing-comma", "bib-syntax"}),
    FaultKind.DUPLICATE_KEY: frozenset({"duplicate-bib-key"}),
    FaultKind.SAME_WORK: frozenset({"same-work-two-keys"}),
    FaultKind.MISSING_FIELD: frozenset({"entry-missing-field"}),
    FaultKind.AMPERSAND: frozenset({"bib-special-character"}),
    FaultKind.UNCLOSED_BRACE: frozenset({"bib-syntax"}),
    FaultKind.UNDEFINED_KEY: frozenset({"undefined-citation"}),
}
"""The rules of which one should speak of a fault; of a wrong key it is any warning at the key."""


def detected(kind: FaultKind) -> str:
    """The name of the figure that tells how many faults of that kind are found."""
    return f"detected: {kind}"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share in [0, 1] with what it was counted from, and its 95% interval by cited key.

    `detail` names the rules that spoke, with their counts.
    """

    name: str
    interval: Interval
    count: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a limit chosen on the other papers does on this one.

    `limit` is the fit below which a key would be accused, chosen so that at most `budget` of the
    other papers' untouched citations are; `false` and `found` are shares of this paper's
    untouched and other-field keys below it.
    """

    paper: str
    limit: float
    false: float | None
    found: float | None


@dataclass(frozen=True)
class FaultReport:
    """All figures of `reviser evaluate faults`. `harmful` counts accepted edits to citations
    that were right, `stray` findings about nothing injected by rule, `intact` the trials after
    whose edits all that is protected was as before."""

    rates: tuple[Rate, ...]
    left_out: tuple[LeftOut, ...]
    papers: int
    trials: int
    accepted: int
    harmful: int
    stray: tuple[tuple[str, int], ...] = ()
    intact: int = 0


class _Seen(Protocol):
    @property
    def paper(self) -> str: ...
    @property
    def key(self) -> str: ...


S = TypeVar("S", bound=_Seen)


def summarise(
    trials: Sequence[Trial],
    *,
    seed: int,
    budget: float = 0.02,
    entry_trials: Sequence[EntryTrial] = (),
) -> FaultReport:
    """Pool the trials. `seed` is the bootstrap's; `budget` the false accusations of `left_out`."""
    seen = [o for trial in trials for o in trial.observations]
    untouched = [o for o in seen if o.kind is None]
    rates = [
        _rate(FALSE, untouched, lambda o: o.accused, seed),
        _rate(FALSE_LEADS, untouched, lambda o: LEAD in o.rules, seed),
    ]
    for kind in KEY_KINDS:
        rates += _key_rates(kind, [o for o in seen if o.kind is kind], seed)
    for kind in WORDING_KINDS:
        rates.append(_spoken(kind, [o for o in seen if o.kind is kind], seed))
    wrong = [o for o in seen if o.kind in KEY_KINDS]
    replaced = [o for o in wrong if o.proposed]
    replaceable = [o for o in wrong if o.right is not None]
    rates += [
        _rate(RIGHT_REPLACED, replaced, lambda o: o.mended, seed),
        _rate(OFFERED, replaceable, lambda o: bool(o.proposed), seed),
        _rate(RIGHT_EDITS, [o for o in wrong if o.proposed is not None], lambda o: o.mended, seed),
        _separation(seen, seed),
    ]
    rates += _entry_rates(entry_trials, seed)
    stray = Counter(rule for trial in entry_trials for rule in trial.stray)
    return FaultReport(
        rates=tuple(rates),
        left_out=_left_out(seen, budget),
        papers=len({trial.paper for trial in trials}),
        trials=len(trials),
        accepted=sum(trial.accepted for trial in trials),
        harmful=sum(trial.harmful for trial in trials),
        stray=tuple(sorted(stray.items())),
        intact=sum(trial.intact for trial in trials),
    )


def _key_rates(kind: FaultKind, of_kind: Sequence[Observation], seed: int) -> list[Rate]:
    """Headline over all; then among those whose verdict says anything, and what was edited."""
    checked = [o for o in of_kind if o.checked]
    edited = [o for o in of_kind if o.proposed is not None]
    return [
        _rate(detected(kind), of_kind, lambda o: o.accused, seed, _rules(o.rules for o in of_kind)),
        _rate(f"  among those that can be checked: {kind}", checked, lambda o: o.accused, seed),
        _rate(f"  edited: {kind}", of_kind, lambda o: o.proposed is not None, seed),
        _rate(f"  edits that are right: {kind}", edited, lambda o: o.mended, seed),
    ]


def _spoken(kind: FaultKind, of_kind: Sequence[Observation], seed: int) -> Rate:
    name = f"noted wrongly: {kind}" if kind is FaultKind.RESTATED else detected(kind)
    expected = EXPECTED[kind]
    return _rate(
        name,
        of_kind,
        lambda o: not expected.isdisjoint(o.rules),
        seed,
        _rules(o.rules for o in of_kind),
    )


def _entry_rates(trials: Sequence[EntryTrial], seed: int) -> list[Rate]:
    seen: list[EntryObservation] = [o for trial in trials for o in trial.observations]
    rates: list[Rate] = []
    for kind in ENTRY_KINDS:
        of_kind = [o for o in seen if o.kind is kind]
        expected = EXPECTED[kind]
        edited = [o for o in of_kind if o.edited]
        rates += [
            _rate(
                detected(kind),
                of_kind,
                lambda o, expected=expected: not expected.isdisjoint(o.rules),  # type: ignore[misc]
                seed,
                _rules(o.rules for o in of_kind),
            ),
            _rate(f"  edited: {kind}", of_kind, lambda o: o.edited, seed),
            _rate(f"  edits that are right: {kind}", edited, lambda o: o.right, seed),
        ]
    if trials:
        alone = sum(trial.entries for trial in trials)
        value = share(sum(len(trial.stray) for trial in trials), alone)
        rates.append(Rate(STRAY, Interval(value, value, value), alone))
    return rates


def _rules(spoken: Iterable[Sequence[str]]) -> str:
    counts = Counter(rule for rules in spoken for rule in rules)
    return ", ".join(f"{rule} {count}" for rule, count in counts.most_common())


def _clusters(seen: Sequence[S]) -> Mapping[Hashable, list[S]]:
    clusters: dict[Hashable, list[S]] = {}
    for o in seen:
        right = getattr(o, "right", None)
        clusters.setdefault((o.paper, right if isinstance(right, str) else o.key), []).append(o)
    return clusters


def _rate(
    name: str, seen: Sequence[S], hit: Callable[[S], bool], seed: int, detail: str = ""
) -> Rate:
    def figure(sample: Sequence[S]) -> float | None:
        return share(sum(hit(o) for o in sample), len(sample))

    return Rate(name, bootstrap(_clusters(seen), figure, seed=seed), len(seen), detail)


def _separation(seen: Sequence[Observation], seed: int) -> Rate:
    """Within each paper, so that easy and hard papers are not compared with one another."""
    wanted = [o for o in seen if o.fit is not None and o.kind in (None, FaultKind.SAME_PAPER)]

    def figure(sample: Sequence[Observation]) -> float | None:
        total = pairs = 0.0
        for paper in {o.paper for o in sample}:
            right = [o.fit or 0.0 for o in sample if o.paper == paper and o.kind is None]
            wrong = [o.fit or 0.0 for o in sample if o.paper == paper and o.kind is not None]
            value = auroc(right, wrong)
            if value is not None:
                total += value * len(wrong)
                pairs += len(wrong)
        return total / pairs if pairs else None

    return Rate(SEPARATION, bootstrap(_clusters(wanted), figure, seed=seed), len(wanted))


def _left_out(seen: Sequence[Observation], budget: float) -> tuple[LeftOut, ...]:
    results = []
    for paper in sorted({o.paper for o in seen}):
        others = sorted(
            o.fit for o in seen if o.paper != paper and o.kind is None and o.fit is not None
        )
        if not others:
            continue
        limit = others[int(budget * len(others))]
        mine = [o for o in seen if o.paper == paper and o.fit is not None]
        true = [o for o in mine if o.kind is None]
        foreign = [o for o in mine if o.kind is FaultKind.OTHER_FIELD]
        results.append(
            LeftOut(
                paper=paper,
                limit=limit,
                false=share(sum((o.fit or 0.0) < limit for o in true), len(true)),
                found=share(sum((o.fit or 0.0) < limit for o in foreign), len(foreign)),
            )
        )
    return tuple(results)
