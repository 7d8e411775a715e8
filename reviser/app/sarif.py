"""Findings as SARIF 2.1.0, the format code hosts and editors read.

Columns count code points (`columnKind`); paths are relative to the project's root, percent-encoded.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from reviser.app.version import version
from reviser.findings import Finding, Severity
from reviser.pipeline import Checked
from reviser.text.edit import Edit, Replacement
from reviser.text.source import Source, Span

Data = dict[str, object]

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_ROOT = "PROJECTROOT"


def sarif(checked: Checked, rules: Mapping[str, tuple[Severity, str]]) -> str:
    """The report as SARIF text; `rules` gives severity and summary of every rule by its id."""
    found = {finding.rule for finding in checked.findings}
    ids = tuple(sorted(set(rules) | found))
    fixes = {answer: edit for edit in checked.edits for answer in edit.answers}
    run: Data = {
        "tool": {
            "driver": {
                "name": "reviser",
                "version": version(),
                "rules": [_rule(rule, rules) for rule in ids],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The paper's project folder."}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": checked.coverage.sentence}}
                ],
            }
        ],
        "results": [
            _result(f, ids.index(f.rule), fixes.get(f.fingerprint), checked.manuscript.sources)
            for f in checked.findings
        ],
    }
    log: Data = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _rule(rule: str, rules: Mapping[str, tuple[Severity, str]]) -> Data:
    if rule not in rules:
        return {"id": rule}
    severity, summary = rules[rule]
    return {
        "id": rule,
        "shortDescription": {"text": summary},
        "defaultConfiguration": {"level": _LEVEL[severity]},
    }


def _result(finding: Finding, index: int, fix: Edit | None, sources: Mapping[str, Source]) -> Data:
    result: Data = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": _artifact(finding.place.path),
                    **_region_of(finding, sources),
                }
            }
        ],
        "partialFingerprints": {"reviserFinding/v1": finding.fingerprint},
    }
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppressed}]
    if fix is not None:
        result["fixes"] = [_fix(fix, sources)]
    return result


def _message(finding: Finding) -> str:
    quoted = [f'"{e.text}" ({e.where})' for e in finding.evidence]
    return "\n".join([finding.message, *quoted])


def _region_of(finding: Finding, sources: Mapping[str, Source]) -> Data:
    source = sources.get(finding.place.path)
    return {} if source is None else {"region": _region(source, finding.place.span)}


def _artifact(path: str) -> Data:
    return {"uri": quote(path, safe="/", errors="surrogateescape"), "uriBaseId": _ROOT}


def _region(source: Source, span: Span) -> Data:
    """Lines and columns are 1-based; the end column is the one after the last character."""
    return {
        "startLine": source.line(span.start),
        "startColumn": source.column(span.start),
        "endLine": source.line(span.stop),
        "endColumn": source.column(span.stop),
    }


def _fix(edit: Edit, sources: Mapping[str, Source]) -> Data:
    by_path: dict[str, list[Replacement]] = {}
    for replacement in edit.replacements:
        by_path.setdefault(replacement.at.path, []).append(replacement)
    return {
        "description": {"text": edit.why},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": _replacements(parts, sources[path]),
            }
            for path, parts in by_path.items()
        ],
    }


def _replacements(parts: Sequence[Replacement], source: Source) -> list[Data]:
    return [
        {"deletedRegion": _region(source, p.at.span), "insertedContent": {"text": p.after}}
        for p in parts
    ]


def severities(findings: Iterable[Finding]) -> Mapping[str, Severity]:
    """The worst severity of each rule among `findings`."""
    worst: dict[str, Severity] = {}
    for finding in findings:
        known = worst.get(finding.rule)
        if known is None or finding.severity.rank < known.rank:
            worst[finding.rule] = finding.severity
    return worst
