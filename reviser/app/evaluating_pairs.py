"""Measure the verdicts on a file of labelled pairs: read it, judge, print the figures."""

from dataclasses import asdict
from pathlib import Path

from reviser.adapters.embedding import MiniLM
from reviser.app.judging import verifier
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.evaluate.pair_report import PairReport, report_pairs
from reviser.evaluate.pairs import judge_pairs, read_pairs
from reviser.text.printable import printable

SCHEMA = "reviser.evaluate.pairs/1"
SHOWN = 20
"""Rows that were skipped and are named in the text report; the JSON names them all."""


def evaluate_pairs(file: Path, *, nli: str | None) -> PairReport:
    """Judge every pair of `file` with the embedded model, and with the verifier `nli` if named.

    Raises UsageError when the file cannot be read or holds no pair.
    """
    try:
        with file.open("rb") as lines:
            pairs, wrong = read_pairs(lines)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from error
    if not pairs:
        first = f": line {wrong[0].line} is {wrong[0].why}" if wrong else ""
        raise UsageError(
            f"{file}: there is no pair in it{first}",
            hint='Each line is an object like {"claim": "...", "title": "...", '
            '"passages": ["..."], "label": "supported"}; labels: supported, contradicted, silent.',
        )
    embedder = MiniLM()
    entailment = verifier(nli, None) if nli else None
    judged = judge_pairs(pairs, embedder, entailment, progress())
    return report_pairs(
        judged,
        wrong,
        embedder=embedder.name,
        verifier=None if entailment is None else entailment.name,
    )


def pairs_data(report: PairReport) -> dict[str, object]:
    """The report as JSON data, versioned by `schema`."""
    return {"schema": SCHEMA, **asdict(report)}


def pairs_lines(report: PairReport) -> list[str]:
    """The report as lines of text: a figure, its interval, and how many pairs it was counted on."""
    verified = report.verifier or "not run, so nothing is called supported or contradicted"
    lines = [
        f"{report.pairs} pairs; topic: {report.embedder}; verifier: {printable(verified)}",
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
