"""Keep the one summary comment true: written once, rewritten only when it has something new."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from reviser.deliver.forge import (
    CheckRun,
    Forbidden,
    Forge,
    ForgeError,
    Limited,
    PullRequest,
    Remark,
    Unavailable,
    Unprocessable,
)
from reviser.deliver.markdown import inline
from reviser.deliver.plan import conclude
from reviser.deliver.posting import AGAIN
from reviser.deliver.report import annotations
from reviser.deliver.standing import merged, same_text, summaries
from reviser.deliver.state import decode
from reviser.deliver.story import Story
from reviser.deliver.summary import summary

NAME = "reviser"
SHORT = 8_000
"""Characters of a summary beside its state, where GitHub refused a longer one."""
_OVERTAKEN = "This summary was overtaken by [the one above]({url})."


@dataclass(frozen=True, slots=True)
class Told:
    """The story as it ended; whether a summary comment tells it; what GitHub forbade."""

    story: Story
    told: bool = False
    forbidden: bool = False
    moved: bool = False


def tell(
    forge: Forge,
    story: Story,
    seen: PullRequest,
    *,
    heads: Collection[str],
) -> Told:
    """Bring the summary comment (and the check run, where one is asked for) up to date.

    `seen` is the pull request as it was read before deciding, `heads` the commits it may be at
    by now. Nothing at all is sent when the comment says everything already. Before writing, the
    pull request is read again: what a command or another run wrote meanwhile is kept.
    """
    standing = summaries(seen, story.plan.target.paper)
    if len(standing) == 1 and same_text(standing[0].body, summary(story)):
        return Told(story, told=True)
    number = seen.number
    try:
        fresh = forge.pull(number)
    except ForgeError as error:
        return Told(_with(story, _unsaid(error)), forbidden=isinstance(error, Forbidden))
    if fresh.head not in heads or fresh.state != "open":
        return Told(story, moved=True)
    found = summaries(fresh, story.plan.target.paper)
    ledger = story.ledger
    known = {remark.id: remark.body for remark in standing}
    for remark in found:
        if known.get(remark.id) != remark.body:
            ledger = merged(ledger, decode(remark.body))
    story = replace(story, ledger=ledger)
    checked = _check(forge, story)
    told = _say(forge, number, checked.story, found[0] if found else None)
    _overtake(forge, found)
    return replace(told, forbidden=told.forbidden or checked.forbidden)


def _check(forge: Forge, story: Story) -> Told:
    """Report the check run, where one is asked for."""
    if not story.wishes.check_run:
        return Told(story)
    conclusion = conclude(story.plan, story.ledger.dismissed)
    lines = annotations(story)
    run = CheckRun(NAME, conclusion, _title(story), _check_text(story), lines)
    try:
        forge.check(story.plan.target.head, run)
    except Forbidden:
        why = "This run may not report a check run, so its annotations are left out."
        return Told(_with(story, why), forbidden=True)
    except ForgeError:
        return Told(_with(story, "The check run could not be reported to GitHub."))
    return Told(story)


def _title(story: Story) -> str:
    new = sum(n.introduced and not n.opinion for n in story.plan.findings)
    findings = "no finding" if not new else "one finding" if new == 1 else f"{new} findings"
    return f"{findings} in this change"


def _check_text(story: Story) -> str:
    said = inline(story.plan.coverage.sentence[:2_000])
    return f"On the lines this pull request touches: {said}."


def _say(forge: Forge, number: int, story: Story, standing: Remark | None) -> Told:
    """Write the summary; a shorter one where the full one is not taken."""
    paper = story.plan.target.paper
    try:
        try:
            _write(forge, number, paper, standing, summary(story))
        except (Unprocessable, Unavailable):
            _write(forge, number, paper, standing, summary(story, most=SHORT))
    except ForgeError as error:
        return Told(_with(story, _unsaid(error)), forbidden=isinstance(error, Forbidden))
    return Told(story, told=True)


def _write(forge: Forge, number: int, paper: str, standing: Remark | None, text: str) -> None:
    """Write `text` into our comment, or into a new one. Raises a ForgeError."""
    unclear, gone = 0, False
    while standing is None or not same_text(standing.body, text):
        try:
            if standing is None:
                forge.remark(number, text)
            else:
                forge.rewrite(standing.id, text)
        except Unavailable:
            unclear += 1
            found = summaries(forge.pull(number), paper)
            standing = found[0] if found else None
            if unclear > AGAIN and (standing is None or not same_text(standing.body, text)):
                raise
        except Forbidden:
            # A comment that somebody deleted meanwhile answers like one we may not touch.
            if standing is None or gone:
                raise
            gone = True
            found = summaries(forge.pull(number), paper)
            if standing.id in {remark.id for remark in found}:
                raise
            standing = found[0] if found else None
        else:
            return


def _overtake(forge: Forge, found: tuple[Remark, ...]) -> None:
    """Where two runs raced and both wrote a summary, let the later ones say so."""
    for remark in found[1:]:
        try:
            forge.rewrite(remark.id, _OVERTAKEN.format(url=found[0].url))
        except ForgeError:
            return  # the next run tries again: there are still two


def _with(story: Story, sentence: str) -> Story:
    return replace(story, undelivered=(*story.undelivered, sentence))


def _unsaid(error: ForgeError) -> str:
    if isinstance(error, Forbidden):
        return "This run may not write the summary comment; the job summary holds everything."
    if isinstance(error, Limited):
        return "GitHub's rate limit is used up, so the job summary stands in for the comment."
    if isinstance(error, Unprocessable):
        return "GitHub refused the summary comment; the job summary holds everything."
    return "GitHub did not answer, so the summary comment may be old; the job summary is not."
