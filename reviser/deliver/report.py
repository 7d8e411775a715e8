"""What is told besides the summary comment: the job summary with everything, annotations, answers
to commands, and the text of our own pull requests."""

from collections.abc import Mapping, Sequence
from typing import Literal

from reviser.deliver.forge import Annotation
from reviser.deliver.markdown import clip, code, inline
from reviser.deliver.plan import Noted, Plan
from reviser.deliver.sections import Limits, difference, edits_list, reasons, refused_list
from reviser.deliver.story import Story
from reviser.deliver.summary import commands, document, fitting, open_findings
from reviser.deliver.wording import (
    SUPPLIED,
    evidence_lines,
    how_to_ignore,
    lines_of,
    measured_of,
    message_of,
    shown_id,
)
from reviser.findings import Severity
from reviser.revise.verdict import Outcome, Score, Verdict
from reviser.text.printable import many, printable
from reviser.text.source import Source

MOST_BYTES = 1_048_576
"""Bytes that GitHub takes for one step's job summary."""
ANSWER = 60_000
"""Characters of one answer, so that a mark fits beside it."""
PULL_BODY = 36_000
"""Characters of our own pull request's text, so that its mark and the ledger fit beside it."""

_IN_PLAN = "in plan.json"
_LEVELS = tuple(
    Limits(
        rows=rows, edits=rows, message=message, evidence=evidence, rest=_IN_PLAN, measured=evidence
    )
    for rows, message, evidence in (
        (5_000, 1_500, True),
        (2_000, 600, True),
        (1_000, 300, False),
        (300, 200, False),
        (60, 120, False),
        (0, 80, False),
    )
)
_LEVEL_OF: Mapping[Severity, Literal["failure", "warning", "notice"]] = {
    Severity.ERROR: "failure",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}
_MOST_STEPS = 12  # layers of one certificate
_MOST_EDITS = 20  # edits that one explanation shows


def job_summary(story: Story) -> str:
    """Everything there is to tell, of at most `MOST_BYTES` bytes in UTF-8."""

    def size(text: str) -> int:
        return len(text.encode("utf-8", "replace"))

    return f"{fitting(lambda limits: document(story, limits), _LEVELS, size, MOST_BYTES - 1)}\n"


def annotations(story: Story) -> tuple[Annotation, ...]:
    """One line of a check run's report for each finding that the change brought and nobody
    dismissed, worst first. Plain text, for there it is no Markdown."""
    return tuple(_annotation(noted, story) for noted in open_findings(story))


def _annotation(noted: Noted, story: Story) -> Annotation:
    finding = noted.finding
    first, last = lines_of(story.sources.get(finding.place.path), finding.place.span)
    supplied = {where.casefold() for where in noted.supplied}
    said = [printable(clip(finding.message, 2_000))]
    for item in finding.evidence[:3]:
        mark = f" · {SUPPLIED}" if item.read.casefold() in supplied else ""
        said.append(f"“{printable(clip(item.text, 600))}” ({printable(item.where)}){mark}")
    if finding.measured:
        said.append(f"Measured: {printable(clip(finding.measured, 600))}.")
    said.append(f"ID {shown_id(finding.fingerprint)}")
    return Annotation(
        path=story.plan.target.root + finding.place.path,
        first=first,
        last=last,
        level=_LEVEL_OF[finding.severity],
        title=clip(printable(f"reviser: {finding.rule}"), 250),
        message="\n".join(said),
    )


def explanation(plan: Plan, sources: Mapping[str, Source], fingerprint: str) -> str:
    """What is known of one point: its evidence, and what the gate said of the edits that answer
    it, with scores. At most `ANSWER` characters. `fingerprint` is one of the plan's, or not."""
    noted = next((n for n in plan.findings if n.finding.fingerprint == fingerprint), None)
    named = code(shown_id(fingerprint))
    if noted is None:
        return f"This run has no finding with the ID {named}: it may be mended by now."
    finding = noted.finding
    path = clip(plan.target.root + finding.place.path, 200)
    first, _ = lines_of(sources.get(finding.place.path), finding.place.span)
    head = [
        (
            f"**{code(finding.rule)} {named}** at {code(f'{path}:{first}')}, "
            f"{finding.severity.value}, {noted.origin.value}"
        ),
        message_of(finding),
        f"The paper says: {code(clip(finding.quote, 600))}" if finding.quote.strip() else "",
        "\n>\n".join(f"> {line}" for line in evidence_lines(noted, 8)),
        measured_of(finding),
    ]
    edits = [v for v in plan.verdicts if fingerprint in v.edit.answers]
    told = [_judged(verdict, sources) for verdict in edits[:_MOST_EDITS]]
    told = told or ["No edit was proposed for it."]
    foot = f"To decline: {how_to_ignore(finding)}."
    while True:
        text = "\n\n".join(part for part in (*head, *told, foot) if part)
        if len(text) <= ANSWER or not told:
            return text
        told.pop()


def _judged(verdict: Verdict, sources: Mapping[str, Source]) -> str:
    """The gate's word on one edit."""
    edit, layer = verdict.edit, code(verdict.layer.value)
    match verdict.outcome:
        case Outcome.ACCEPTED:
            said = f"accepted; the last check it passed was {layer}"
        case Outcome.REJECTED:
            said = f"refused by the check {layer}: {reasons(verdict)}"
        case Outcome.UNDECIDED:
            said = f"undecided, since the check {layer} could not run: {reasons(verdict)}"
        case Outcome.SUPERSEDED:
            said = f"accepted, and is part of a later one: {reasons(verdict)}"
    parts = [f"An edit ({inline(clip(edit.why, 600))}) was {said}."]
    then = {score.name: score for score in verdict.after}
    lines = [_score(score, then.get(score.name)) for score in verdict.before]
    known = {score.name for score in verdict.before}
    lines += [_score(None, score) for name, score in then.items() if name not in known]
    parts.append("\n".join(f"- {line}" for line in lines[:20]))
    parts.append(_certificate(verdict))
    if verdict.outcome is Outcome.ACCEPTED:
        parts += difference(verdict, sources)
    return "\n\n".join(part for part in parts if part)


def _certificate(verdict: Verdict) -> str:
    """Every layer of the gate that was asked, with its figures, and what the published procedures
    would have decided."""
    lines = [
        f"- {code(step.layer.value)} {step.outcome.value}: {inline(clip(step.said, 600))}"
        for step in verdict.steps[:_MOST_STEPS]
    ]
    if verdict.together:
        count = many(len(verdict.together), "other edit")
        lines.append(f"- it was weighed together with {count}")
    if verdict.shadow is not None:
        rule, said = inline(clip(verdict.shadow.rule, 100)), inline(clip(verdict.shadow.why, 300))
        lines.append(f"- by the published rule ({rule}): {verdict.shadow.outcome.value}; {said}")
    return "Certificate:\n\n" + "\n".join(lines) if lines else ""


def _score(before: Score | None, after: Score | None) -> str:
    name = (before or after or Score("", None)).name
    return f"{inline(clip(name, 100))}: {_number(before)} before, {_number(after)} after"


def _number(score: Score | None) -> str:
    if score is None or score.value is None:
        why = "" if score is None or not score.why else f" ({inline(clip(score.why, 200))})"
        return f"—{why}"
    spread = "" if score.spread is None else f" ± {score.spread:.3f}"
    return f"{score.value:.3f}{spread}"


def help_text() -> str:
    """The answer to `/reviser help`."""
    return (
        "People with write access to this repository can write, as the first line of a comment:\n\n"
        f"{commands()}\n\n"
        "An ID is the hexadecimal number beside each finding; its first four digits are enough "
        "where they are unambiguous."
    )


def pull_body(story: Story) -> str:
    """The text of our own pull request: the edits in `story.elsewhere` with their reasons, of at
    most `PULL_BODY` characters, without mark and ledger."""

    def written(limits: Limits) -> str:
        return "\n\n".join(part for part in _proposal(story, limits) if part)

    levels = [
        Limits(rows, rows, message, evidence=False, rest="in this pull request's commit")
        for rows, message in ((300, 600), (100, 300), (40, 200), (12, 160), (3, 120), (0, 80))
    ]
    return fitting(written, levels, len, PULL_BODY)


def _proposal(story: Story, limits: Limits) -> Sequence[str]:
    target = story.plan.target
    count = len(story.elsewhere)
    edits = "One edit" if count == 1 else f"{count} edits"
    where = f"pull request #{target.number}" if target.number is not None else "the whole paper"
    refused = story.plan.refused
    parts = [
        (
            f"{edits} for {where}, read at {code(target.head[:8])}. Each passed every check that "
            "applies to it; nothing else in the files was touched."
        ),
        edits_list(story, story.elsewhere, limits, why_not=False),
    ]
    if refused:
        parts.append(f"Edits that were refused:\n\n{refused_list(story, refused, limits)}")
    if target.number is None:
        parts.append("Close this pull request without merging to say no to what it proposes.")
    return parts
