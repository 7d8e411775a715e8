"""The parts that summary and reports are put together from, each as Markdown of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.deliver.advised import is_point
from reviser.deliver.ledger import Point, Status
from reviser.deliver.markdown import (
    LONG_LINE,
    address,
    clip,
    code,
    fence,
    inline,
    link,
    shown_lines,
    word_diff,
)
from reviser.deliver.plan import Noted, Supplied
from reviser.deliver.story import Story
from reviser.deliver.suggestion import Elsewhere
from reviser.deliver.wording import (
    SUPPLIED,
    evidence_lines,
    measured_of,
    message_of,
    place_link,
    shown_id,
)
from reviser.errors import StaleEdit
from reviser.revise.verdict import Outcome, Verdict
from reviser.text.diff import Change, Hunk, hunks
from reviser.text.edit import apply
from reviser.text.printable import many
from reviser.text.source import Source
from reviser.verify.figures import Figure

_MOST_DIFF = 60  # lines of one edit's difference
_REASONS = 6  # reasons told of one refused edit


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is told: rows of each table, edits shown with their lines, characters of a
    message, whether evidence is quoted, and whether the figures that findings rest on are told.
    `rest` says where the rest is, as in "in the job summary"."""

    rows: int
    edits: int
    message: int
    evidence: bool
    rest: str
    measured: bool = False


def folded(title: str, body: str) -> str:
    """A part that opens when it is clicked; `title` is ours. Nothing for an empty body."""
    return f"<details>\n<summary>{title}</summary>\n\n{body}\n\n</details>" if body else ""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int, limits: Limits) -> str:
    """A table of Markdown cells, and how many rows are left out besides."""
    lines = [heads, ["---"] * len(heads), *rows] if rows else []
    text = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    return f"{text}\n\n{_more(left, limits)}".strip()


def bullets(items: Sequence[str], left: int, limits: Limits) -> str:
    """A list of Markdown lines, and how many are left out besides."""
    text = "\n".join(f"- {item}" for item in items)
    return f"{text}\n\n{_more(left, limits)}".strip()


def _more(number: int, limits: Limits) -> str:
    return f"… and {number} more {limits.rest}." if number > 0 else ""


def findings_table(story: Story, findings: Sequence[Noted], limits: Limits) -> str:
    """Findings with their place, words, ID and what has become of them."""
    edits = {point for one in story.elsewhere for point in one.verdict.edit.answers}
    rows = [_finding_row(story, noted, edits, limits) for noted in findings[: limits.rows]]
    heads = ["Severity", "Place", "Finding", "ID", "State"]
    return table(heads, rows, len(findings) - len(rows), limits)


def _finding_row(story: Story, noted: Noted, edits: set[str], limits: Limits) -> list[str]:
    finding = noted.finding
    said = f"{message_of(finding, limits.message)} {code(finding.rule)}"
    marked = bool(noted.supplied)
    if limits.evidence:
        quoted = evidence_lines(noted, 2)
        said += "".join(f"<br><sub>{line}</sub>" for line in quoted)
        marked = marked and SUPPLIED not in "".join(quoted)
    if marked:
        said += f" · *{SUPPLIED}*"
    small = measured_of(finding)
    if limits.measured and small:
        said += f"<br>{small}"
    return [
        finding.severity.value,
        place_link(finding.place, story.sources, story.plan.target, story.server),
        said,
        code(shown_id(finding.fingerprint)),
        _state(story, finding.fingerprint, edits),
    ]


def _state(story: Story, fingerprint: str, edits: set[str]) -> str:
    point = story.ledger.by_name.get(fingerprint)
    status = Status.RAISED if point is None else point.status
    if status is Status.DISMISSED:
        return "dismissed"
    if status is Status.ACCEPTED:
        return "accepted before, has come back"
    if point is not None and point.inline and status is not Status.STALE:
        return f"{'suggestion' if status is Status.SUGGESTED else 'comment'} in the diff"
    if fingerprint in edits:
        return "edit below"
    return "has come back" if status is Status.STALE else "told here"


def edits_list(
    story: Story, edits: Sequence[Elsewhere], limits: Limits, *, why_not: bool = True
) -> str:
    """Accepted edits that are not suggestions: each with its lines and, if asked, why it is
    none."""
    if not edits:
        return ""
    parts = []
    for one in edits[: limits.edits]:
        verdict = one.verdict
        head = f"{_edit_head(story, verdict)}: {inline(clip(verdict.edit.why, limits.message))}"
        parts.append(head)
        if why_not:
            parts.append(f"Not a suggestion, because {inline(clip(one.why, 300))}.")
        parts += difference(verdict, story.sources)
    parts.append(_more(len(edits) - limits.edits, limits))
    return "\n\n".join(part for part in parts if part)


def refused_list(story: Story, verdicts: Sequence[Verdict], limits: Limits) -> str:
    """Edits that the gate did not let through, with its reasons."""
    items = []
    for verdict in verdicts[: limits.rows]:
        said = "undecided" if verdict.outcome is Outcome.UNDECIDED else "refused"
        head = f"{_edit_head(story, verdict)}, {said} by the check {code(verdict.layer.value)}"
        items.append(f"{head}: {reasons(verdict)}")
    return bullets(items, len(verdicts) - len(items), limits)


def reasons(verdict: Verdict) -> str:
    """The gate's reasons as one clause."""
    told = [inline(clip(reason, 300)) for reason in verdict.reasons[:_REASONS]]
    return "; ".join(told) or "no reason was given"


def _edit_head(story: Story, verdict: Verdict) -> str:
    edit = verdict.edit
    ids = " ".join(code(shown_id(answer)) for answer in edit.answers[:5])
    places = [
        place_link(r.at, story.sources, story.plan.target, story.server)
        for r in edit.replacements[:3]
    ]
    if len(edit.replacements) > len(places):
        places.append(f"{len(edit.replacements) - len(places)} more places")
    return f"{', '.join(places)} {code(edit.rule)} {ids}".strip()


def difference(verdict: Verdict, sources: Mapping[str, Source]) -> list[str]:
    """What an edit changes, file by file: lines where they are short, else changed words."""
    try:
        after = apply(sources, (verdict.edit,))
    except StaleEdit:
        return ["The text has changed under this edit."]
    parts = []
    for path, changed in after.items():
        found = hunks(sources[path].text, changed.text, context=1)
        if len(after) > 1:
            parts.append(f"In {code(path)}:")
        parts += [_shown(hunk) for hunk in found[:5]]
        if len(found) > 5:
            parts.append(f"… and {len(found) - 5} more places.")
    return parts


def _shown(hunk: Hunk) -> str:
    old = [part.text for part in hunk.lines if part.change is Change.LOST]
    new = [part.text for part in hunk.lines if part.change is Change.GAINED]
    if old and new and any(len(line) > LONG_LINE for line in (*old, *new)):
        return word_diff(old, new)
    lines = shown_lines(hunk.lines[:_MOST_DIFF])
    if len(hunk.lines) > _MOST_DIFF:
        lines.append(f"… {len(hunk.lines) - _MOST_DIFF} more lines")
    return fence(lines, "diff")


def carried(story: Story) -> str:
    """Where the edits that are not suggestions can be had."""
    target = story.plan.target
    ways = []
    if story.commit:
        to = address(story.server, target.repository, "commit", story.commit)
        ways.append(f"They are committed as {link(code(story.commit[:8]), to)}.")
    if story.follow_up:
        ways.append(f"{link('A pull request', story.follow_up)} onto this branch carries them.")
    if story.run_url:
        run = link("this workflow run", story.run_url)
        ways.append(f"The patch among the files of {run} holds all accepted edits for `git apply`.")
    if target.number is not None and not story.commit:
        ways.append(f"{code('/reviser apply ID')} commits one of them.")
    return " ".join(ways)


def figures_table(before: Sequence[Figure], after: Sequence[Figure], limits: Limits) -> str:
    """The paper's citation figures now and with the accepted edits, under their own names."""
    then = {figure.name: figure for figure in after}
    rows = [_figure_row(figure, then.pop(figure.name, None)) for figure in before]
    rows += [_figure_row(None, figure) for figure in then.values()]
    heads = ["Figure", "Now", "With the edits", "Could not be checked", ""]
    return table(heads, rows[: limits.rows], len(rows) - limits.rows, limits)


def _figure_row(before: Figure | None, after: Figure | None) -> list[str]:
    known = after or before
    if known is None:
        return [""] * 5
    unknown = "—" if before is None else f"{before.unknown:.0%}"
    if after is not None and before is not None and after.unknown != before.unknown:
        unknown += f" → {after.unknown:.0%}"
    return [inline(known.name), _value(before), _value(after), unknown, inline(known.why)]


def _value(figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "—"
    counted = f" ({figure.count} of {figure.of})" if figure.of else ""
    return f"{figure.value:.1%}{counted}"


def dismissed_list(points: Sequence[Point], limits: Limits) -> str:
    """What people said no to: who, and why."""
    items = [dismissal(point) for point in points[: limits.rows]]
    return bullets(items, len(points) - len(items), limits)


def dismissal(point: Point) -> str:
    """That a point was dismissed, by whom and why, as one line."""
    who = f"by {inline(point.who)}" if point.who else "by a person"
    why = f": {inline(clip(point.why, 200))}" if point.why else ""
    return f"{_point(point)} dismissed {who}{why}"


def accepted_list(story: Story, points: Sequence[Point], limits: Limits) -> str:
    """What was accepted, and in which commit it was seen."""
    repository = story.plan.target.repository
    items = []
    for point in points[: limits.rows]:
        to = address(story.server, repository, "commit", point.commit) if point.commit else ""
        seen = f", seen in {link(code(point.commit[:8]), to)}" if point.commit else ""
        items.append(f"{_point(point)} accepted{seen}")
    return bullets(items, len(points) - len(items), limits)


def _point(point: Point) -> str:
    return f"{code(shown_id(point.id))} {code(point.rule)} in {code(clip(point.path, 80))}"


def supplied_list(supplied: Sequence[Supplied], limits: Limits) -> str:
    """What verdicts rest on that came with the pull request itself."""
    shown = supplied[: limits.rows]
    together = dict.fromkeys((one.kind, one.path) for one in shown)
    items = []
    for kind, path in together:
        names = [code(clip(s.name, 80)) for s in shown if (s.kind, s.path) == (kind, path)]
        items.append(f"{inline(kind)} {', '.join(names)} in {code(clip(path, 80))}")
    return bullets(items, len(supplied) - len(shown), limits)


def sentences(said: Sequence[str], limits: Limits) -> str:
    """Sentences for the reader as a list, each on one line."""
    items = [inline(clip(sentence, 600)) for sentence in said[: limits.rows]]
    return bullets(items, len(said) - len(items), limits)


def counted(story: Story) -> str:
    """How many suggestions and comments stand in the diff, and what is told elsewhere."""
    known = [story.ledger.by_name.get(n.finding.fingerprint) for n in story.plan.findings]
    # Points of a review stay although a later one does not raise them again.
    known += [p for p in story.ledger.having(Status.RAISED, Status.SUGGESTED) if is_point(p.rule)]
    inside = {p.id: p for p in known if p is not None and p.inline and not p.settled}
    # Several points of one comment bring the same lines.
    suggested = {p.new or p.id for p in inside.values() if p.status is Status.SUGGESTED}
    comments = sum(p.status is not Status.SUGGESTED for p in inside.values())
    said = []
    if suggested:
        said.append(many(len(suggested), "suggestion"))
    if comments:
        said.append(many(comments, "comment"))
    parts = [f"{' and '.join(said)} in the diff"] if said else []
    if story.elsewhere:
        parts.append(f"{many(len(story.elsewhere), 'further edit')} below")
    return "; ".join(parts)
