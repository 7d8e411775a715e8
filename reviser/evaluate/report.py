"""The figures of many trials: pooled over papers, with intervals, each under an honest name."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from reviser.evaluate.faults import FaultKind
from reviser.evaluate.metrics import Interval, auroc, bootstrap, share
from reviser.evaluate.trial import Observation, Trial


@dataclass(frozen=True, slots=True)
class Rate:
    """A share in [0, 1] with what it was counted from, and its 95% interval by cited key."""

    name: str
    interval: Interval
    count: int


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
    """All figures of `reviser evaluate faults`."""

    rates: tuple[Rate, ...]
    left_out: tuple[LeftOut, ...]
    papers: int
    trials: int
    accepted: int
    harmful: int


def summarise(trials: Sequence[Trial], *, seed: int, budget: float = 0.02) -> FaultReport:
    """Pool the trials. `seed` is the bootstrap's; `budget` the false accusations of `left_out`."""
    seen = [o for trial in trials for o in trial.observations]
    rates = [
        _rate("false accusations, untouched citations", _untouched(seen), _accused, seed),
    ]
    for kind in FaultKind:
        of_kind = [o for o in seen if o.kind is kind]
        rates.append(_rate(f"detected: {kind}", of_kind, _accused, seed))
        rates.append(_rate(f"edited: {kind}", of_kind, _edited, seed))
        edited = [o for o in of_kind if o.proposed is not None]
        rates.append(_rate(f"edits that are right: {kind}", edited, _mended, seed))
    replaced = [o for o in seen if o.proposed]
    faulty = [o for o in seen if o.kind is not None and o.right is not None]
    rates.append(_rate("replacements that are right, all", replaced, _mended, seed))
    rates.append(_rate("replacements offered, of all wrong keys", faulty, _edited, seed))
    rates.append(_separation("AUROC, right key against other key of the paper", seen, seed))
    return FaultReport(
        rates=tuple(rates),
        left_out=_left_out(seen, budget),
        papers=len({trial.paper for trial in trials}),
        trials=len(trials),
        accepted=sum(trial.accepted for trial in trials),
        harmful=sum(trial.harmful for trial in trials),
    )


def _untouched(seen: Sequence[Observation]) -> list[Observation]:
    return [o for o in seen if o.kind is None]


def _accused(o: Observation) -> bool:
    return o.accused


def _edited(o: Observation) -> bool:
    return o.proposed is not None


def _mended(o: Observation) -> bool:
    return o.mended


def _clusters(seen: Sequence[Observation]) -> Mapping[Hashable, list[Observation]]:
    clusters: dict[Hashable, list[Observation]] = {}
    for o in seen:
        clusters.setdefault((o.paper, o.right or o.key), []).append(o)
    return clusters


def _rate(
    name: str, seen: Sequence[Observation], hit: Callable[[Observation], bool], seed: int
) -> Rate:
    def figure(sample: Sequence[Observation]) -> float | None:
        return share(sum(hit(o) for o in sample), len(sample))

    return Rate(name, bootstrap(_clusters(seen), figure, seed=seed), len(seen))


def _separation(name: str, seen: Sequence[Observation], seed: int) -> Rate:
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

    return Rate(name, bootstrap(_clusters(wanted), figure, seed=seed), len(wanted))


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
