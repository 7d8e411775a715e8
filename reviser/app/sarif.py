"""Findings as SARIF 2.1.0, the format code hosts and editors read.

Columns count code points (`columnKind`); paths are percent-encoded and relative to the folder the
program was run in, which is the checkout in a workflow.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from reviser.app.version import version
from reviser.findings import Finding, Severity
from reviser.pipeline.checking import Checked
from reviser.text.edit import Edit, Replacement
from reviser.text.source import Source, Span

Data = dict[str, object]

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_ROOT = "%SRCROOT%"


def sarif(checked: Checked, rules: Mapping[str, tuple[Severity, str]], *, prefix: str = "") -> str:
    """The report as SARIF text; `rules` gives severity and summary of every rule by its id, and
    `prefix` leads from the present folder to the paper's root."""
    found = {finding.rule for finding in checked.findings}
    ids = tuple(sorted(set(rules) | found))
    fixes = {answer: edit for edit in checked.edits for answer in edit.answers}
    where = _Where(checked.manuscript.sources, prefix)
    run: Data = {
        "tool": {
            "driver": {
                "name": "reviser",
                "version": version(),
                "rules": [_rule(rule, rules) for rule in ids],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "Where reviser was run."}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": checked.conclusion}}
                ],
            }
        ],
        "results": [
            _result(f, ids.index(f.rule), fixes.get(f.fingerprint), where) for f in checked.findings
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


@dataclass(frozen=True, slots=True)
class _Where:
    """Turns places of the paper into locations."""

    sources: Mapping[str, Source]
    prefix: str

    def location(self, finding: Finding) -> Data:
        physical: Data = {"artifactLocation": self.artifact(finding.place.path)}
        source = self.sources.get(finding.place.path)
        if source is not None:
            physical["region"] = _region(source, finding.place.span)
        return {"physicalLocation": physical}

    def artifact(self, path: str) -> Data:
        uri = quote(self.prefix + path, safe="/", errors="surrogateescape")
        return {"uri": uri, "uriBaseId": _ROOT}


def _result(finding: Finding, index: int, fix: Edit | None, where: _Where) -> Data:
    result: Data = {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [where.location(finding)],
        "partialFingerprints": {"reviserFinding/v1": finding.fingerprint},
    }
    if finding.measured:
        result["properties"] = {"measured": finding.measured}
    if finding.suppressed is not None:
        result["suppressions"] = [{"kind": "external", "justification": finding.suppressed}]
    if fix is not None:
        result["fixes"] = [_fix(fix, where)]
    return result


def _message(finding: Finding) -> str:
    quoted = [f'"{e.text}" ({e.where})' for e in finding.evidence]
    measured = [f"Measured: {finding.measured}."] if finding.measured else []
    return "\n".join([finding.message, *quoted, *measured])


def _region(source: Source, span: Span) -> Data:
    """Lines and columns are 1-based; the end column is the one after the last character."""
    return {
        "startLine": source.line(span.start),
        "startColumn": source.column(span.start),
        "endLine": source.line(span.stop),
        "endColumn": source.column(span.stop),
    }


def _fix(edit: Edit, where: _Where) -> Data:
    by_path: dict[str, list[Replacement]] = {}
    for replacement in edit.replacements:
        by_path.setdefault(replacement.at.path, []).append(replacement)
    return {
        "description": {"text": edit.why},
        "artifactChanges": [
            {
                "artifactLocation": where.artifact(path),
                "replacements": _replacements(parts, where.sources[path]),
            }
            for path, parts in by_path.items()
        ],
    }


def _replacements(parts: Sequence[Replacement], source: Source) -> list[Data]:
    return [
        {"deletedRegion": _region(source, p.at.span), "insertedContent": {"text": p.after}}
        for p in parts
    ]
