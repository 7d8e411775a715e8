"""The comments that stand in the diff: a suggestion with its reason, or a finding by itself."""

from collections.abc import Mapping, Sequence

from reviser.deliver.forge import Comment
from reviser.deliver.ledger import digest
from reviser.deliver.markdown import LONG_LINE, clip, code, fence, inline, word_diff
from reviser.deliver.marker import mark
from reviser.deliver.plan import Noted, Plan
from reviser.deliver.suggestion import Suggestion
from reviser.deliver.wording import (
    evidence_lines,
    how_to_ignore,
    lines_of,
    measured_of,
    message_of,
    shown_id,
)
from reviser.text.source import Source

LIMIT = 65_536
"""Characters that GitHub takes for one comment."""
_MOST_TOLD = 8  # findings that one comment spells out
_MOST_MARKED = 250  # points in a comment's mark; more would make the mark unreadable
_MOST_WORDS = 12_000  # characters of a word difference
_SHORT = 200  # characters of a message where room is short


def suggestion_comment(suggestion: Suggestion, noted: Sequence[Noted], plan: Plan) -> Comment:
    """A suggestion as a review comment: what is wrong, what changes in long lines, the block to
    commit, the evidence quoted, and how to decline it.

    `noted` are the findings it settles. The body is never longer than `LIMIT`: evidence goes
    first, then the changed words, then the messages are cut.
    """
    long = any(len(line) > LONG_LINE for line in (*suggestion.old, *suggestion.new))
    changed = word_diff(suggestion.old, suggestion.new) if long and suggestion.new else ""
    if len(changed) > _MOST_WORDS:
        changed = ""
    verdict = suggestion.verdicts[0]
    said = _messages(noted) or [inline(clip(verdict.edit.why, 1_000))]
    brief = _messages(noted, _SHORT) or said
    block = fence(suggestion.new, "suggestion")
    points = suggestion.points
    rule = noted[0].finding.rule if noted else verdict.edit.rule
    hidden = mark(
        "comment",
        {
            "paper": plan.target.paper,
            "points": points[:_MOST_MARKED],
            "rule": rule[:100],
            "new": digest(suggestion.new),
        },
    )
    foot = _foot(noted, rule)
    evidence = [_quoted(noted), *_measured(noted)]
    body = _fitting(
        [
            [*said, changed, block, *evidence, foot, hidden],
            [*said, changed, block, foot, hidden],
            [*said, block, foot, hidden],
            [*brief, block, foot, hidden],
        ]
    )
    return Comment(suggestion.path, suggestion.first, suggestion.last, body, points)


def finding_comment(
    noted: Noted, sources: Mapping[str, Source], plan: Plan, *others: Noted
) -> Comment:
    """A finding as a review comment on its lines, with `others` that stand on the same lines;
    `sources` are the files at the head, by path from the project's root."""
    finding = noted.finding
    first, last = lines_of(sources.get(finding.place.path), finding.place.span)
    told = (noted, *others)
    points = tuple(dict.fromkeys(one.finding.fingerprint for one in told))
    hidden = mark(
        "comment",
        {
            "paper": plan.target.paper,
            "points": points[:_MOST_MARKED],
            "rule": finding.rule[:100],
        },
    )
    foot = _foot(told, finding.rule)
    said = [*_messages(told), _ready(told, plan)]
    small = dict.fromkeys(measured_of(one.finding) for one in told[:_MOST_TOLD])
    body = _fitting(
        [
            [*said, _quoted(told), *small, foot, hidden],
            [*said, foot, hidden],
            [*_messages(told, _SHORT), foot, hidden],
        ]
    )
    return Comment(plan.target.root + finding.place.path, first, last, body, points)


def _ready(noted: Sequence[Noted], plan: Plan) -> str:
    """How to have the edits that settle these findings, where no suggestion can carry them."""
    mended = {point for verdict in plan.accepted for point in verdict.edit.answers}
    ids = [one.finding.fingerprint for one in noted if one.finding.fingerprint in mended]
    if not ids or plan.target.number is None:
        return ""
    ways = ", ".join(code(f"/reviser apply {shown_id(one)}") for one in dict.fromkeys(ids))
    return f"An edit that mends it is ready: {ways} commits it."


def _messages(noted: Sequence[Noted], most: int = 1_500) -> list[str]:
    messages = list(dict.fromkeys(message_of(one.finding, most) for one in noted))
    told = messages[:_MOST_TOLD]
    if len(messages) > len(told):
        told.append(f"And {len(messages) - len(told)} more on these lines.")
    return told


def _measured(noted: Sequence[Noted]) -> list[str]:
    return list(dict.fromkeys(measured_of(one.finding) for one in noted[:_MOST_TOLD]))


def _quoted(noted: Sequence[Noted]) -> str:
    told = dict.fromkeys(line for one in noted[:_MOST_TOLD] for line in evidence_lines(one))
    return "\n>\n".join(f"> {line}" for line in told)


def _foot(noted: Sequence[Noted], rule: str) -> str:
    """The small line at the end: rule, severity, ID, and how to decline."""
    if not noted:
        return f"<sub>{code(rule)}</sub>"
    rules = dict.fromkeys(one.finding.rule for one in noted[:_MOST_TOLD])
    worst = min((one.finding.severity for one in noted), key=lambda s: s.rank)
    ids = dict.fromkeys(shown_id(one.finding.fingerprint) for one in noted[:_MOST_TOLD])
    named = " ".join(code(one) for one in ids)
    facts = [
        ", ".join(code(one) for one in rules),
        worst.value,
        *(["from a model's review"] if any(one.opinion for one in noted) else []),
        f"{'ID' if len(ids) == 1 else 'IDs'} {named}",
        f"to decline: {how_to_ignore(noted[0].finding)}",
    ]
    return f"<sub>{' · '.join(facts)}</sub>"


def _fitting(versions: Sequence[Sequence[str]]) -> str:
    """The first version that is short enough, else the last."""
    body = ""
    for parts in versions:
        body = "\n\n".join(part for part in parts if part)
        if len(body) <= LIMIT:
            break
    return body
