"""The format of tests/cases/rules (see README.md there), and holding the rules to a case."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from reading import manuscript_of

from reviser.review.rules import RULES, RuleReport, run
from reviser.text.edit import apply

FOLDER = Path(__file__).parents[2] / "cases" / "rules"


@dataclass(frozen=True)
class Case:
    """One case: the files, the findings as lines, and the files that edits change."""

    rules: tuple[str, ...]
    files: dict[str, str]
    findings: tuple[str, ...]
    fixed: dict[str, str] = field(default_factory=dict)


def read_case(text: str) -> Case:
    """A case file's text as a case."""
    first, _, rest = text.partition("\n")
    flags = dict(flag.split("=", 1) for flag in first.removeprefix("% flags:").split())
    rules = tuple(flags["rules"].split(",")) if "rules" in flags else tuple(r.id for r in RULES)
    files: dict[str, str] = {}
    fixed: dict[str, str] = {}
    findings: tuple[str, ...] = ()
    parts = re.split(r"^=== (.+)\n", rest, flags=re.MULTILINE)[1:]
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        if name == "findings":
            findings = tuple(line for line in body.splitlines() if line.strip())
        elif name.startswith("fixed "):
            fixed[name.removeprefix("fixed ")] = body
        else:
            files[name] = body
    return Case(rules, files, findings, fixed)


def check_case(case: Case) -> None:
    """Assert that the rules find exactly what the case says, in every mode."""
    for newline in ("\n", "\r\n"):
        files = {name: body.replace("\n", newline) for name, body in case.files.items()}
        fixed = {name: body.replace("\n", newline) for name, body in case.fixed.items()}
        report = _run(case, files)
        assert report == _run(case, files), "two runs differ"
        _compare(case, files, report)
        manuscript = manuscript_of(files)
        changed = {p: s.text for p, s in apply(manuscript.sources, report.edits).items()}
        assert changed == fixed
        assert not _run(case, files | changed).edits, "an edit is offered for its own result"


def _run(case: Case, files: dict[str, str]) -> RuleReport:
    rules = [rule for rule in RULES if rule.id in case.rules]
    assert len(rules) == len(case.rules), "a rule of this name does not exist"
    return run(manuscript_of(files), rules)


def _compare(case: Case, files: dict[str, str], report: RuleReport) -> None:
    manuscript = manuscript_of(files)
    told = []
    for finding in report.findings:
        line = manuscript.lines(finding.place)[0]
        quote = " ".join(finding.quote.split())
        told.append(
            f"{finding.place.path}:{line} {finding.severity} {finding.rule} | {quote} | "
            f"{finding.message}"
        )
    assert len(told) == len(case.findings), "\n".join(told)
    for actual, expected in zip(told, case.findings, strict=True):
        where, quote, message = (part.strip() for part in expected.split(" | ", 2))
        assert actual.startswith(f"{where} | {quote} | "), actual
        assert message in actual.split(" | ", 2)[2], actual
