"""The one summary comment: what to do, what was and was not checked, and all the rest folded."""

from collections import Counter
from collections.abc import Callable, Sequence

from reviser.deliver.ledger import Status
from reviser.deliver.markdown import clip, code, inline, link
from reviser.deliver.marker import mark
from reviser.deliver.opinions import NONE_CALLED, asked_sentences, open_points, opinion_sections
from reviser.deliver.plan import Conclusion, Noted, Plan, conclude
from reviser.deliver.sections import (
    Limits,
    accepted_list,
    carried,
    counted,
    dismissed_list,
    edits_list,
    figures_table,
    findings_table,
    folded,
    refused_list,
    sentences,
    supplied_list,
)
from reviser.deliver.state import encode
from reviser.deliver.story import Story
from reviser.findings import Severity
from reviser.text.printable import many
from reviser.verify.coverage import Coverage

LIMIT = 65_536
"""Characters that GitHub takes for one comment."""
COMMANDS = (
    ("/reviser check", "looks at the pull request again"),
    ("/reviser review", "has a model review the paper as it is now, where one is set up"),
    ("/reviser apply ID", "commits the edit of that ID; `apply all` commits all accepted edits"),
    ("/reviser ignore ID reason", "dismisses a point for good; so does 👎 on its comment"),
    ("/reviser explain ID", "shows the evidence and what the checks said"),
    ("/reviser help", "lists these commands"),
)
_REST = "in the job summary"
_LEVELS = (
    Limits(rows=300, edits=100, message=600, evidence=True, rest=_REST),
    Limits(rows=300, edits=100, message=300, evidence=False, rest=_REST),
    Limits(rows=120, edits=40, message=250, evidence=False, rest=_REST),
    Limits(rows=50, edits=15, message=200, evidence=False, rest=_REST),
    Limits(rows=20, edits=6, message=160, evidence=False, rest=_REST),
    Limits(rows=8, edits=2, message=120, evidence=False, rest=_REST),
    Limits(rows=2, edits=0, message=80, evidence=False, rest=_REST),
    Limits(rows=0, edits=0, message=80, evidence=False, rest=_REST),
)


def summary(story: Story, *, most: int = LIMIT) -> str:
    """The summary comment, its mark and the ledger included, of at most `most` characters.

    What is too much is left to the job summary: evidence first, then the tails of tables. The
    conclusion, what was checked, and the ledger always stand; only these may exceed a small
    `most`.
    """
    hidden = f"{mark('summary', {'paper': story.plan.target.paper})}\n{encode(story.ledger)}"
    text = fitting(
        lambda limits: document(story, limits), _LEVELS, len, max(0, most - len(hidden) - 2)
    )
    return f"{text}\n\n{hidden}"


def fitting(
    written: Callable[[Limits], str],
    levels: Sequence[Limits],
    measured: Callable[[str], int],
    most: int,
) -> str:
    """The first text that `measured` finds small enough, else the last."""
    text = ""
    for limits in levels:
        text = written(limits)
        if measured(text) <= most:
            break
    return text


def document(story: Story, limits: Limits) -> str:
    """Everything a reader sees, as long as the limits allow."""
    parts = [
        _title(story),
        _checked(story),
        _where(story, limits),
        sentences((*story.undelivered, *story.plan.notes), limits),
        *_folded(story, limits),
        _cost(story),
    ]
    return "\n\n".join(part for part in parts if part)


def open_findings(story: Story) -> tuple[Noted, ...]:
    """The findings that the change brought and nobody dismissed, worst first; points of a review
    are told apart."""
    gone = frozenset(story.ledger.dismissed)
    return tuple(
        n
        for n in story.plan.findings
        if n.introduced and not n.opinion and n.finding.fingerprint not in gone
    )


def _title(story: Story) -> str:
    paper = f" {code(clip(story.plan.target.paper, 100))}" if story.plan.target.paper else ""
    ending = conclude(story.plan, story.ledger.dismissed)
    return f"### reviser{paper}: {_gist(story)}\n\n**{ending.value.title()}**: {_said(story)}"


def _gist(story: Story) -> str:
    """What a reader wants to know first: what was found, or else what could not be checked."""
    told = _by_severity(open_findings(story))
    if points := open_points(story):
        told.append(many(len(points), "point of the review", "points of the review"))
    if told:
        return ", ".join(told)
    if story.plan.open_questions:
        return f"nothing found, but {_unchecked(story)}"
    if story.plan.secondhand:
        return "nothing found, but the citations were not checked here"
    return "nothing to do"


def _said(story: Story) -> str:
    """What the conclusion means."""
    plan = story.plan
    match conclude(plan, story.ledger.dismissed):
        case Conclusion.FAILURE:
            least = Severity(plan.fail_on).rank
            bad = [n for n in open_findings(story) if n.finding.severity.rank <= least]
            return (
                f"{' and '.join(_by_severity(bad))} {'stands' if len(bad) == 1 else 'stand'} in "
                "the way. Take the suggestions, mend the text, or say why a finding does not hold."
            )
        case Conclusion.NEUTRAL if plan.open_questions:
            return f"nothing stops this change, but {_unchecked(story)}."
        case Conclusion.NEUTRAL:
            return "nothing stops this change, but its citations were checked by another run only."
        case Conclusion.SUCCESS:
            if open_findings(story):
                return "nothing stops this change; smaller findings are below."
            if open_points(story):
                return "nothing stops this change; what a reviewer might say of it is below."
            return "nothing stops this change."


def _unchecked(story: Story) -> str:
    return f"{many(story.plan.open_questions, 'citation')} could not be checked"


def _by_severity(found: Sequence[Noted]) -> list[str]:
    tally = Counter(noted.finding.severity for noted in found)
    return [many(tally[one], one.value) for one in Severity if tally[one]]


def _checked(story: Story) -> str:
    plan = story.plan
    lines = []
    if plan.target.base:
        change = "change" if plan.target.number is None else "pull request"
        lines.append(f"On the lines this {change} touches: {_coverage(plan.coverage)}")
    lines.append(f"In the whole paper: {_coverage(plan.whole)}")
    return "\n".join(f"- {line}" for line in lines)


def _coverage(coverage: Coverage) -> str:
    said = f"{inline(clip(coverage.sentence, 800))}."
    if not coverage.checked:
        return said
    if coverage.nli is None:
        return f"{said} Only the topic of each source was compared, not what it says."
    return f"{said} What each source says was judged by {code(clip(coverage.nli, 100))}."


def _where(story: Story, limits: Limits) -> str:
    found, points = open_findings(story), open_points(story)
    told = many(len(found), "finding") if found else "" if points else "no finding"
    by_severity = _by_severity(found)
    if len(by_severity) > 1:
        told += f" ({', '.join(by_severity)})"
    if points:
        of_review = many(len(points), "point of the review", "points of the review")
        told = f"{told} and {of_review}" if told else of_review
    said = f"{told[:1].upper()}{told[1:]} {_brought(story)}"
    if placed := counted(story):
        said += f": {placed}"
    if limits.rows == 0:
        where = link("the workflow run", story.run_url) if story.run_url else "the workflow run"
        said += f". The tables are too long for a comment; they are in the job summary of {where}"
    return f"{said}."


def _brought(story: Story) -> str:
    return "brought by this change" if story.plan.target.base else "in the paper"


def _folded(story: Story, limits: Limits) -> list[str]:
    plan, ledger = story.plan, story.ledger
    found = open_findings(story)
    gone = frozenset(ledger.dismissed)
    older = [
        n
        for n in plan.findings
        if not n.introduced and not n.opinion and n.finding.fingerprint not in gone
    ]
    refused = plan.refused
    dismissed, accepted = ledger.having(Status.DISMISSED), ledger.having(Status.ACCEPTED)
    edits = edits_list(story, story.elsewhere, limits)
    parts = [
        (f"Findings {_brought(story)} ({len(found)})", findings_table(story, found, limits)),
        (
            f"Accepted edits that are not suggestions ({len(story.elsewhere)})",
            f"{carried(story)}\n\n{edits}".strip() if edits else "",
        ),
        (f"Edits that were refused ({len(refused)})", refused_list(story, refused, limits)),
        (
            f"Citation figures of the {_figured(plan)}",
            figures_table(plan.before, plan.after, limits),
        ),
        (f"Findings that were there before ({len(older)})", findings_table(story, older, limits)),
        (f"Dismissed ({len(dismissed)})", dismissed_list(dismissed, limits)),
        (f"Accepted ({len(accepted)})", accepted_list(story, accepted, limits)),
        (
            f"Author-supplied in this pull request ({len(plan.supplied)})",
            supplied_list(plan.supplied, limits),
        ),
    ]
    told = [folded(title, body) for title, body in parts]
    told[1:1] = opinion_sections(story, limits)
    if plan.target.number is not None:
        told.append(folded("How to talk to reviser", commands()))
    return told


def _figured(plan: Plan) -> str:
    """What the figures count: a verifier that costs something was asked about the change alone."""
    partly = plan.coverage.nli is not None and plan.whole.nli is None
    return "changed lines" if partly else "whole paper"


def commands() -> str:
    """What can be asked of us, as a list."""
    return "\n".join(f"- {code(call)} {says}" for call, says in COMMANDS)


def _cost(story: Story) -> str:
    plan = story.plan
    asked = ", ".join(code(clip(name, 100)) for name in plan.judges[:10])
    called = asked_sentences(plan.advice, handed=plan.handed, services=plan.services)
    parts = [f"Models asked, on the runner: {asked}."] if asked else []
    if not asked and called == (NONE_CALLED,):
        parts = ["No model was asked."]
    parts += called
    if plan.advice is not None and story.run_url:
        parts.append(f"Plan, certificates and patch: {link('this run', story.run_url)}.")
    if plan.silenced:
        parts.append(f"{many(plan.silenced, 'finding')} silenced in the source or the settings.")
    parts.append(f"reviser {code(clip(plan.version, 40))} on {code(plan.target.head[:8])}.")
    return f"<sub>{' '.join(parts)}</sub>"
