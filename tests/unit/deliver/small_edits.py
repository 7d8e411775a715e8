"""A small language for tests of delivery: sources, edits and verdicts from plain text."""

from reviser.deliver.plan import Noted, Origin, Plan, Target
from reviser.findings import Evidence, Finding, Severity
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.diff import patch
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.patch import read_patch
from reviser.text.source import Place, Source, Span
from reviser.verify.coverage import Coverage


def sources(**texts):
    """`sources(main="a\\n")` is a paper with the file main.tex."""
    return {f"{name}.tex": Source(f"{name}.tex", text) for name, text in texts.items()}


def replacement(files, path, before, after, *, nth=0):
    """Put `after` in the place of the `nth` `before` in a file."""
    start = -1
    for _ in range(nth + 1):
        start = files[path].text.index(before, start + 1)
    return Replacement(Place(path, Span(start, start + len(before))), before, after)


def verdict(*replacements, name="e1", answers=("f" * 12,), outcome=Outcome.ACCEPTED, reasons=()):
    """What the gate said of an edit made of these replacements."""
    edit = Edit(
        name, "bib/duplicate", tuple(replacements), Purpose.RULE_FIX, "why", answers=answers
    )
    layer = Layer.EVIDENCE if outcome is Outcome.ACCEPTED else Layer.INVARIANTS
    return Verdict(edit, outcome, layer, reasons)


def diff(path, before, after):
    """What a diff says of one file."""
    return read_patch(patch(path, before.encode(), after.encode()))


def noted(
    files,
    path,
    quote,
    *,
    rule="citation-off-topic",
    message="'smith2020' seems to be about something else.",
    severity=Severity.WARNING,
    origin=Origin.HERE,
    evidence=(),
    supplied=(),
    fingerprint="f" * 12,
):
    """A finding at the first `quote` of a file."""
    start = files[path].text.index(quote)
    place = Place(path, Span(start, start + len(quote)))
    quoted = tuple(Evidence(text, where) for text, where in evidence)
    finding = Finding(rule, place, quote, message, severity, quoted, fingerprint)
    return Noted(finding, origin, supplied=supplied)


def plan(*findings, verdicts=(), **changes):
    """A plan of these findings on pull request 7 of owner/name."""
    target = Target("owner/name", 7, "a" * 40, "b" * 40, "topic", changes.pop("root", ""))
    facts = {
        "version": "0.1.0",
        "fail_on": "error",
        "coverage": Coverage(0, 0),
        "whole": Coverage(0, 0),
        "open_questions": 0,
        "before": (),
        "after": (),
        "judges": (),
    }
    return Plan(target=target, findings=findings, verdicts=tuple(verdicts), **(facts | changes))
