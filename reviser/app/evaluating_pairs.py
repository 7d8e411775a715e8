"""Measure the verdicts on a file of labelled pairs: read it, judge, print the figures."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from reviser.adapters.embedding import MiniLM
from reviser.app.choices import DATASETS
from reviser.app.judging import beside, verifier
from reviser.app.ticking import progress
from reviser.budget import Asked
from reviser.errors import UsageError
from reviser.evaluate.datasets import OWN, WITH_CORPUS, Read, apart, read_dataset
from reviser.evaluate.limits import chosen
from reviser.evaluate.pair_report import PairReport, report_pairs
from reviser.evaluate.pairs import TRUTHS, JudgedPair, Pair, judge_pairs
from reviser.ports import Entailment
from reviser.text.printable import printable
from reviser.verify.hearing import READ

if TYPE_CHECKING:
    from reviser.app.model_settings import ModelSettings

SCHEMA = "reviser.evaluate.pairs/1"
SHOWN = 20
"""Rows that were skipped and are named in the text report; the JSON names them all."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file of labelled pairs, the set that it is of, and its corpus where that lies apart."""

    file: Path
    dataset: str = OWN
    corpus: Path | None = None


@dataclass(frozen=True, slots=True)
class Verifier:
    """Who verifies besides the topic gate, how many sentences it reads, and what it was asked."""

    entailment: Entailment | None = None
    sentences: int = READ
    asked: Callable[[], Asked] | None = None


def verifier_of(nli: str | None, llm: "ModelSettings | None", folder: Path) -> Verifier:
    """The verifiers that are named; replies of a chat model are kept in `folder`.

    Raises ReviserError as they do.
    """
    local = verifier(nli, None) if nli else None
    if llm is None:
        return Verifier(local)
    from reviser.app.chatting import pair_judge

    chat = pair_judge(folder, llm, progress())
    return Verifier(beside(local, chat.entailment), chat.sentences, chat.asked)


def evaluate_pairs(
    named: Named, verifying: Verifier, *, choose_on: Path | None = None
) -> tuple[PairReport, int]:
    """Judge every pair of a file with the embedded model, and with a verifier if there is one.

    With `choose_on`, another file of the same set, the verifier's limits are chosen there, and
    pairs that cite a text of it are left out of the report; how many comes second. Raises
    UsageError when a file cannot be read or holds no pair.
    """
    read = _read(named)
    pairs, limits = read.pairs, None
    embedder = MiniLM()
    if choose_on is not None:
        if verifying.entailment is None:
            raise UsageError(
                "--choose-on chooses limits of a verifier, and none is named",
                hint="Name one with --nli or --verifier; the topic's limits are not fitted.",
            )
        fitted = _read(replace(named, file=choose_on)).pairs
        pairs = apart(pairs, fitted)
        if not pairs:
            raise UsageError(f"{named.file}: each of its texts is also in {choose_on}")
        limits = chosen(_judged(fitted, embedder, verifying))
    judged = _judged(pairs, embedder, verifying)
    name = None if verifying.entailment is None else verifying.entailment.name
    report = report_pairs(judged, read.wrong, embedder=embedder.name, verifier=name, limits=limits)
    return report, len(read.pairs) - len(pairs)


def _judged(pairs: Sequence[Pair], embedder: MiniLM, verifying: Verifier) -> tuple[JudgedPair, ...]:
    return judge_pairs(
        pairs, embedder, verifying.entailment, progress(), sentences=verifying.sentences
    )


def _read(named: Named) -> Read:
    file, apart_from = named.file, named.dataset in WITH_CORPUS
    if apart_from and named.corpus is None:
        raise UsageError(
            f"{named.dataset} keeps the cited texts apart from the claims",
            hint="Name them too: --corpus corpus.jsonl",
        )
    corpus = _lines(named.corpus) if apart_from and named.corpus is not None else ()
    read = read_dataset(named.dataset, _lines(file), corpus)
    if not read.pairs:
        first = f": line {read.wrong[0].line} is {read.wrong[0].why}" if read.wrong else ""
        raise UsageError(
            f"{file}: there is no pair in it{first}",
            hint='Each line is an object like {"claim": "...", "title": "...", '
            '"passages": ["..."], "label": "supported"}; labels: '
            f"{', '.join(TRUTHS)}. Other forms: --dataset {' or '.join(DATASETS[1:])}.",
        )
    return read


def _lines(file: Path) -> list[bytes]:
    try:
        with file.open("rb") as lines:
            return list(lines)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from error


def pairs_data(report: PairReport) -> dict[str, object]:
    """The report as JSON data, versioned by `schema`."""
    return {"schema": SCHEMA, **asdict(report)}


def pairs_lines(report: PairReport, left_out: int = 0) -> list[str]:
    """The report as lines of text: a figure, its interval, and how many pairs it was counted on."""
    verified = report.verifier or "not run, so nothing is called supported or contradicted"
    lines = [f"{report.pairs} pairs; topic: {report.embedder}; verifier: {printable(verified)}"]
    if report.limits is not None:
        limits = report.limits
        reach = "out of reach" if limits.contradicts > 1 else f"{limits.contradicts:.3f}"
        lines.append(
            f"limits chosen on the other file: entails {limits.entails:.3f}, contradicts {reach}; "
            f"{left_out} pairs share a text with it and were left out"
        )
    lines += [
        "",
        f"{'figure':66} {'value':>7}  {'95% interval':15} {'of':>6}",
    ]
    for rate in report.rates:
        interval = rate.interval
        if interval.value is None:
            lines.append(f"{rate.name:66} {'-':>7}  {'':15} {rate.count:>6}")
            continue
        bounds = f"{interval.low:.3f} to {interval.high:.3f}"
        lines.append(f"{rate.name:66} {interval.value:7.3f}  {bounds:15} {rate.count:>6}")
    lines += ["", f"{'truth':16}{'verdict':30}{'pairs':>6}"]
    lines += [f"{truth:16}{said:30}{count:>6}" for truth, said, count in report.confusion]
    lines += ["", f"Calibration: {report.calibrated}"]
    lines.append(f"  {'score':12} {'mean':>6} {'true':>6} {'pairs':>6}")
    for row in report.table:
        bounds = f"{row.low:.1f} to {row.high:.1f}"
        lines.append(f"  {bounds:12} {row.mean_score:6.3f} {row.share_true:6.3f} {row.count:>6}")
    if report.skipped:
        lines += ["", f"{len(report.skipped)} rows skipped:"]
        lines += [f"  line {row.line}: {printable(row.why)}" for row in report.skipped[:SHOWN]]
        if len(report.skipped) > SHOWN:
            lines.append(f"  and {len(report.skipped) - SHOWN} more (--format json names all)")
    return lines
