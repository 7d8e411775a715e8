"""The figures of judged pairs, each with its interval, and a calibration table."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from reviser.evaluate.limits import Limits, relabelled
from reviser.evaluate.metrics import (
    CalibrationBin,
    auroc,
    bootstrap,
    calibration,
    macro_f1,
    share,
)
from reviser.evaluate.pairs import TRUTHS, JudgedPair, WrongRow
from reviser.evaluate.report import Rate
from reviser.verify.model import Label

ROUNDS = 300
ACCUSED = frozenset({Label.OFF_TOPIC, Label.CONTRADICTED})
NO_ANSWER = "no answer"

Figure = Callable[[Sequence[JudgedPair]], float | None]


@dataclass(frozen=True)
class PairReport:
    """All figures of `reviser evaluate pairs`.

    `confusion` counts pairs by truth and verdict; `calibrated` names the score of `table`, which
    is a probability only where a verifier gave it. `limits` are those of the verdicts, None where
    they are the shipped ones.
    """

    verifier: str | None
    embedder: str
    pairs: int
    rates: tuple[Rate, ...]
    confusion: tuple[tuple[str, str, int], ...]
    calibrated: str
    table: tuple[CalibrationBin, ...]
    skipped: tuple[WrongRow, ...]
    limits: Limits | None = None


def report_pairs(
    judged: Sequence[JudgedPair],
    skipped: Sequence[WrongRow],
    *,
    embedder: str,
    verifier: str | None,
    limits: Limits | None = None,
    seed: int = 0,
) -> PairReport:
    """Count and score, at other `limits` than the shipped ones if they are given.

    Intervals resample whole cited texts, `ROUNDS` times with `seed`."""
    if limits is not None:
        judged = [relabelled(j, limits) for j in judged]
    rates = [
        _rate(name, [j for j in judged if j.pair.truth in among], figure, seed)
        for name, among, figure in (*_topic_figures(), *(_verifier_figures() if verifier else ()))
    ]
    counts: dict[tuple[str, str], int] = {}
    for j in judged:
        pair = j.pair.truth, j.said.value
        counts[pair] = counts.get(pair, 0) + 1
    score, calibrated, among = (
        (_entails, "probability of entailment against the share that is supported", TRUTHS)
        if verifier
        else (
            _closeness,
            "closeness (no probability) against the share that is supported, not silent",
            ("supported", "silent", "unsupported"),
        )
    )
    scored = [
        (min(1.0, max(0.0, value)), j.pair.truth == "supported")
        for j in judged
        if j.pair.truth in among and (value := score(j)) is not None
    ]
    return PairReport(
        verifier=verifier,
        embedder=embedder,
        pairs=len(judged),
        rates=tuple(rates),
        confusion=tuple((truth, said, n) for (truth, said), n in sorted(counts.items())),
        calibrated=calibrated,
        table=calibration([s for s, _ in scored], [t for _, t in scored]),
        skipped=tuple(skipped),
        limits=limits,
    )


def _topic_figures() -> tuple[tuple[str, Sequence[str], Figure], ...]:
    return (
        ("answered: something was said of the pair", TRUTHS, _said_of(*_ANSWERS)),
        ("false accusations: supported, called off topic or contradicted", ("supported",),
         _said_of(*ACCUSED)),
        ("supported, called off topic", ("supported",), _said_of(Label.OFF_TOPIC)),
        ("silent, called off topic", ("silent",), _said_of(Label.OFF_TOPIC)),
        ("contradicted, called off topic", ("contradicted",), _said_of(Label.OFF_TOPIC)),
        ("AUROC of closeness, supported against silent", ("supported", "silent"),
         _separates(_closeness, "supported")),
        ("AUROC of closeness, supported against contradicted", ("supported", "contradicted"),
         _separates(_closeness, "supported")),
        ("AUROC of closeness, supported against unsupported", ("supported", "unsupported"),
         _separates(_closeness, "supported")),
    )  # fmt: skip


def _verifier_figures() -> tuple[tuple[str, Sequence[str], Figure], ...]:
    return (
        ("accuracy, no answer counts as wrong", TRUTHS, _accuracy),
        ("macro-F1, no answer counts as wrong", TRUTHS, _macro_f1),
        ("balanced accuracy, supported or not", TRUTHS, _balanced),
        ("supported, called contradicted", ("supported",), _said_of(Label.CONTRADICTED)),
        ("silent, called contradicted", ("silent",), _said_of(Label.CONTRADICTED)),
        ("contradicted, called contradicted", ("contradicted",), _said_of(Label.CONTRADICTED)),
        ("not supported, called supported", ("contradicted", "silent", "unsupported"),
         _said_of(Label.SUPPORTED)),
        ("AUROC of entailment, supported against the others", TRUTHS,
         _separates(_entails, "supported")),
        ("AUROC of contradiction, contradicted against the others", TRUTHS,
         _separates(_contradicts, "contradicted")),
    )  # fmt: skip


_ANSWERS = frozenset(Label) - {Label.NOT_CHECKABLE, Label.UNCHECKED}


def three_way(said: Label) -> str:
    """A verdict in the words of the labels: a work about other things is silent on the claim."""
    match said:
        case Label.SUPPORTED | Label.CONTRADICTED | Label.SILENT:
            return said.value
        case Label.OFF_TOPIC:
            return Label.SILENT.value
        case _:
            return NO_ANSWER


def _answer(j: JudgedPair) -> str:
    """The verdict in the words of the pair's own labels: where a set has but two, silence and
    denial are the same."""
    said = three_way(j.said)
    if j.pair.truth == "unsupported" and said in ("contradicted", "silent"):
        return "unsupported"
    return said


def _accuracy(seen: Sequence[JudgedPair]) -> float | None:
    return share(sum(_answer(j) == j.pair.truth for j in seen), len(seen))


def _macro_f1(seen: Sequence[JudgedPair]) -> float | None:
    return macro_f1([j.pair.truth for j in seen], [_answer(j) for j in seen])


def _balanced(seen: Sequence[JudgedPair]) -> float | None:
    """The mean of two shares: supported pairs called so, and other pairs not called so."""
    sides = ([j for j in seen if (j.pair.truth == "supported") is side] for side in (True, False))
    right = [
        share(sum((j.said is Label.SUPPORTED) == (j.pair.truth == "supported") for j in side),
              len(side))
        for side in sides
    ]  # fmt: skip
    first, second = right
    return None if first is None or second is None else (first + second) / 2


def _said_of(*labels: Label) -> Figure:
    def figure(seen: Sequence[JudgedPair]) -> float | None:
        return share(sum(j.said in labels for j in seen), len(seen))

    return figure


def _closeness(j: JudgedPair) -> float | None:
    return j.closeness


def _entails(j: JudgedPair) -> float | None:
    return 0.0 if j.said is Label.OFF_TOPIC else j.entails


def _contradicts(j: JudgedPair) -> float | None:
    return 0.0 if j.said is Label.OFF_TOPIC else j.contradicts


def _separates(score: Callable[[JudgedPair], float | None], wanted: str) -> Figure:
    def figure(seen: Sequence[JudgedPair]) -> float | None:
        scored = [(j.pair.truth, value) for j in seen if (value := score(j)) is not None]
        return auroc(
            [value for truth, value in scored if truth == wanted],
            [value for truth, value in scored if truth != wanted],
        )

    return figure


def _clusters(seen: Sequence[JudgedPair]) -> Mapping[Hashable, list[JudgedPair]]:
    clusters: dict[Hashable, list[JudgedPair]] = {}
    for j in seen:
        clusters.setdefault(j.pair.source, []).append(j)
    return clusters


def _rate(name: str, seen: Sequence[JudgedPair], figure: Figure, seed: int) -> Rate:
    return Rate(name, bootstrap(_clusters(seen), figure, seed=seed, rounds=ROUNDS), len(seen))
