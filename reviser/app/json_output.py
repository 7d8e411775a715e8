"""The documented JSON of `check` and `improve`; templates/schemas/ holds the schemas.

Offsets (`start`, `stop`) are code points of the file's text as it was read, half-open; lines and
columns are 1-based. Paths are POSIX, relative to the project's root. Keys are only ever added
within one schema number.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TypedDict

from reviser.app.advice_json import AdviceData, advice_data
from reviser.app.counted_json import CountsData, HoldingsData, counts, holdings_data
from reviser.app.outcome import exit_code
from reviser.app.spent_output import SpentData, all_spent_data, spent_data
from reviser.app.version import version
from reviser.findings import Finding
from reviser.pipeline.checking import Checked
from reviser.pipeline.improving import Improved
from reviser.revise.verdict import Verdict
from reviser.text.source import Place, Source
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure
from reviser.verify.model import Claim, Support

CHECK_SCHEMA = "reviser.check/1"
IMPROVE_SCHEMA = "reviser.improve/1"


class EvidenceData(TypedDict):
    """Words of a cited work, and where they stand ("abstract", a file's name)."""

    text: str
    where: str


class LeadData(TypedDict):
    """Something the evidence does not show; never a verdict."""

    kind: str
    text: str


class VerdictData(TypedDict):
    """What one cited work says of the claim."""

    key: str
    label: str
    score: float | None
    check: str
    evidence: list[EvidenceData]
    leads: list[LeadData]
    why: str


class ClaimData(TypedDict):
    """A claim and its verdicts, one for each cited key. `exempt` says why it asserts nothing."""

    path: str
    start: int
    stop: int
    line: int
    text: str
    exempt: str
    verdicts: list[VerdictData]


class FindingData(TypedDict):
    """A finding; `suppressed` is the reason it was silenced, null when it counts."""

    rule: str
    path: str
    start: int
    stop: int
    line: int
    column: int
    end_line: int
    severity: str
    message: str
    measured: str
    quote: str
    evidence: list[EvidenceData]
    fingerprint: str
    suppressed: str | None


class FigureData(TypedDict):
    """A share under its own name, `count` of `of`; `value` is null where it could not be had, and
    `why` says why. `unknown` is the share of `of` that could not be checked."""

    name: str
    value: float | None
    count: int
    of: int
    unknown: float
    why: str


class FileData(TypedDict):
    """A file that was read; `untouchable` says why it is never edited."""

    path: str
    encoding: str
    newline: str
    role: str
    untouchable: str


class CheckData(TypedDict):
    """All of `reviser check --format json`. `recalled` counts the verdicts that are from
    reviser.lock, null where none is used."""

    schema: str
    version: str
    main: str
    outcome: str
    conclusion: str
    nli: str | None
    recalled: int | None
    evidence: HoldingsData | None
    asked: SpentData | None
    counts: CountsData
    figures: list[FigureData]
    files: list[FileData]
    claims: list[ClaimData]
    findings: list[FindingData]


class GroundData(TypedDict):
    """What the words of a cell rest on."""

    said: str
    key: str
    where: str
    quote: str


class EditData(TypedDict):
    """One replacement of an edit. An edit that changes several places is several of these with
    the same `id` and `part` 1, 2 ... of `parts`; it is applied whole or not at all."""

    id: str
    part: int
    parts: int
    rule: str
    path: str
    start: int
    stop: int
    line: int
    before: str
    after: str
    purpose: str
    outcome: str
    layer: str
    reasons: list[str]
    why: str
    evidence: list[str]
    grounds: list[GroundData]
    answers: list[str]


class FiguresData(TypedDict):
    """The figures of the paper as it was and as it is now."""

    before: list[FigureData]
    after: list[FigureData]


class ImproveData(TypedDict):
    """All of `reviser improve --format json`. Claims, findings and counts are those after the
    edits; `before` gives the counts and the findings there were. `advice` is what a review brought,
    null where there was none; `models` is what each chat model of it was asked."""

    schema: str
    version: str
    main: str
    applied: bool
    outcome: str
    conclusion: str
    nli: str | None
    recalled: int | None
    evidence: HoldingsData | None
    asked: SpentData | None
    models: list[SpentData]
    advice: AdviceData | None
    counts: CountsData
    counts_before: CountsData
    figures: FiguresData
    edits: list[EditData]
    files: list[FileData]
    claims: list[ClaimData]
    findings: list[FindingData]
    findings_before: list[FindingData]


def check_data(checked: Checked, fail_on: str) -> CheckData:
    """The whole report as data."""
    return {
        "schema": CHECK_SCHEMA,
        "version": version(),
        "main": checked.manuscript.main,
        "outcome": outcome(checked, fail_on),
        "conclusion": checked.coverage.sentence,
        "nli": checked.coverage.nli,
        "recalled": checked.recalled,
        "evidence": holdings_data(checked),
        "asked": spent_data(checked.spent),
        "counts": counts(checked),
        "figures": _figures(checked.figures),
        "files": _files(checked),
        "claims": _claims(checked),
        "findings": _findings(checked),
    }


def improve_data(improved: Improved, fail_on: str, *, applied: bool) -> ImproveData:
    """The whole report as data; `applied` says whether the files on disk were changed."""
    after = improved.after
    return {
        "schema": IMPROVE_SCHEMA,
        "version": version(),
        "main": after.manuscript.main,
        "applied": applied,
        "outcome": outcome(after, fail_on),
        "conclusion": after.coverage.sentence,
        "nli": after.coverage.nli,
        "recalled": after.recalled,
        "evidence": holdings_data(after),
        "asked": spent_data(after.spent),
        "models": all_spent_data(improved.asked),
        "advice": advice_data(improved),
        "counts": counts(after),
        "counts_before": counts(improved.before),
        "figures": {
            "before": _figures(improved.before.figures),
            "after": _figures(after.figures),
        },
        "edits": [row for verdict in improved.verdicts for row in _edit(verdict, improved)],
        "files": _files(after),
        "claims": _claims(after),
        "findings": _findings(after),
        "findings_before": _findings(improved.before),
    }


def as_json(data: CheckData | ImproveData) -> str:
    """ASCII only, so that any pipe and any half of a surrogate pair gets through."""
    return json.dumps(data, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def outcome(checked: Checked, fail_on: str) -> str:
    """`failure` with findings at or above `fail_on`; `neutral` where no citation could be
    checked although there are some; else `success`."""
    if exit_code(checked.findings, fail_on):
        return "failure"
    coverage: Coverage = checked.coverage
    return "neutral" if coverage.total and not coverage.checked else "success"


def _files(checked: Checked) -> list[FileData]:
    return [
        {
            "path": facts.path,
            "encoding": facts.encoding,
            "newline": facts.newline,
            "role": facts.role,
            "untouchable": facts.untouchable,
        }
        for facts in checked.manuscript.files
    ]


def _figures(figures: Iterable[Figure]) -> list[FigureData]:
    return [
        {
            "name": figure.name,
            "value": _rounded(figure.value),
            "count": figure.count,
            "of": figure.of,
            "unknown": round(figure.unknown, 4),
            "why": figure.why,
        }
        for figure in figures
    ]


def _claims(checked: Checked) -> list[ClaimData]:
    supports: dict[int, list[Support]] = {}
    for support in checked.supports:
        supports.setdefault(support.claim, []).append(support)
    sources = checked.manuscript.sources
    return [
        _claim(claim, supports.get(number, []), sources)
        for number, claim in enumerate(checked.claims)
        if checked.shows(claim.at)
    ]


def _claim(claim: Claim, supports: list[Support], sources: Mapping[str, Source]) -> ClaimData:
    span = claim.at.span
    return {
        "path": claim.at.path,
        "start": span.start,
        "stop": span.stop,
        "line": sources[claim.at.path].line(span.start),
        "text": claim.text,
        "exempt": claim.exempt,
        "verdicts": [
            {
                "key": support.key,
                "label": support.label.value,
                "score": _rounded(support.score),
                "check": support.check,
                "evidence": [{"text": p.text, "where": p.told} for p in support.passages],
                "leads": [{"kind": lead.kind, "text": lead.text} for lead in support.leads],
                "why": support.why,
            }
            for support in supports
        ],
    }


def _findings(checked: Checked) -> list[FindingData]:
    return [_finding(f, checked.manuscript.sources) for f in checked.findings]


def _finding(finding: Finding, sources: Mapping[str, Source]) -> FindingData:
    line, column, end_line = position(finding.place, sources)
    return {
        "rule": finding.rule,
        "path": finding.place.path,
        "start": finding.place.span.start,
        "stop": finding.place.span.stop,
        "line": line,
        "column": column,
        "end_line": end_line,
        "severity": finding.severity.value,
        "message": finding.message,
        "measured": finding.measured,
        "quote": finding.quote,
        "evidence": [{"text": e.text, "where": e.where} for e in finding.evidence],
        "fingerprint": finding.fingerprint,
        "suppressed": finding.suppressed,
    }


def position(place: Place, sources: Mapping[str, Source]) -> tuple[int, int, int]:
    """First line, column and last line; 1, 1, 1 for a file of which no text was read."""
    source = sources.get(place.path)
    if source is None:
        return 1, 1, 1
    first, last = source.lines(place.span)
    return first, source.column(place.span.start), last


def _edit(verdict: Verdict, improved: Improved) -> list[EditData]:
    edit = verdict.edit
    sources = improved.before.manuscript.sources
    return [
        {
            "id": edit.id,
            "part": number,
            "parts": len(edit.replacements),
            "rule": edit.rule,
            "path": replacement.at.path,
            "start": replacement.at.span.start,
            "stop": replacement.at.span.stop,
            "line": position(replacement.at, sources)[0],
            "before": replacement.before,
            "after": replacement.after,
            "purpose": edit.purpose.value,
            "outcome": verdict.outcome.value,
            "layer": verdict.layer.value,
            "reasons": list(verdict.reasons),
            "why": edit.why,
            "evidence": list(edit.evidence),
            "grounds": [
                {"said": g.said, "key": g.key, "where": g.where, "quote": g.quote}
                for g in edit.grounds
            ],
            "answers": list(edit.answers),
        }
        for number, replacement in enumerate(edit.replacements, 1)
    ]


def _rounded(value: float | None) -> float | None:
    """Four decimals: more would claim a precision no check has."""
    return None if value is None else round(value, 4)
