"""What models that write have said, as the summary tells it: a review in short, points, rebuttals,
what they cost, and what is known of the judge."""

from collections.abc import Sequence

from reviser.deliver.advised import Advised, Opinion, Rebutted, Spending
from reviser.deliver.markdown import clip, code, inline
from reviser.deliver.plan import Noted
from reviser.deliver.sections import Limits, bullets, findings_table, folded
from reviser.deliver.story import Story
from reviser.deliver.wording import shown_id
from reviser.revise.treatment import JudgeReport
from reviser.text.printable import many

NONE_CALLED = (
    "No generative model was called, and nothing left the runner but this and the run's files."
)
NONE_WROTE = "No generative model was called."
LOOKED_UP = (
    "Cited works that were not known yet were looked up in {services}: their titles, identifiers "
    "and authors' names were sent there, and words of passages for which another work was searched."
)
FROM_TAPE = (
    "No generative model was called in this run: what one had said of the same text before was "
    "read again ({answers})."
)
SENT = (
    "Passages of the paper and of the works it cites were sent there; the title, text and comments "
    "of this pull request were not."
)
HANDED = "Their words were read from the plan of the job with the key, and checked again here."
SPENT, END_OF_SPENT = "<!-- spent -->", "<!-- end of spent -->"
"""Around what was spent: a rerun that finds every answer on the tape has no news for that."""
_PARTS = 8  # parts of a run that are told


def open_points(story: Story) -> tuple[Noted, ...]:
    """The points of the review on lines of the change that nobody dismissed, worst first."""
    gone = frozenset(story.ledger.dismissed)
    return tuple(
        n
        for n in story.plan.findings
        if n.opinion and n.introduced and n.finding.fingerprint not in gone
    )


def opinion_sections(story: Story, limits: Limits) -> list[str]:
    """The folded parts on the review; none where no model was asked."""
    advice = story.plan.advice
    points, far = open_points(story), _far(story)
    parts = [
        (f"Points of the review ({len(points)})", findings_table(story, points, limits)),
        (
            f"Points of the review on the rest of the paper ({len(far)})",
            findings_table(story, far, limits),
        ),
    ]
    if advice is not None:
        opinion = advice.opinion
        if opinion is not None:
            parts.insert(0, (_review_title(opinion), review_text(opinion, limits)))
        rebutted = _open(story, advice.rebutted)
        parts += [
            (f"Points not taken up ({len(rebutted)})", _rebuttals(rebutted, limits)),
            (
                f"Asked of a model in vain ({len(advice.unusable)})",
                _said(advice.unusable, limits),
            ),
        ]
    return [folded(title, body) for title, body in parts]


def _far(story: Story) -> tuple[Noted, ...]:
    """Points on lines that the change does not touch, where a person asked for them."""
    advice = story.plan.advice
    if advice is None or advice.opinion is None or not advice.opinion.asked:
        return ()
    gone = frozenset(story.ledger.dismissed)
    return tuple(
        n
        for n in story.plan.findings
        if n.opinion and not n.introduced and n.finding.fingerprint not in gone
    )


def _open(story: Story, rebutted: Sequence[Rebutted]) -> tuple[Rebutted, ...]:
    gone = frozenset(story.ledger.dismissed)
    return tuple(one for one in rebutted if one.point not in gone)


def _review_title(opinion: Opinion) -> str:
    return (
        f"Review by a model: {opinion.rating:.3g} of 10, confidence {opinion.confidence:.2g} of 5"
    )


def review_text(opinion: Opinion, limits: Limits) -> str:
    """A review in short form."""
    by = f"Written by {code(clip(opinion.model, 100))}"
    if opinion.criteria:
        by += f" after {many(opinion.criteria, 'criterion', 'criteria')} of human reviewers"
    parts = [inline(clip(opinion.summary, 2 * limits.message)), f"<sub>{by}.</sub>"]
    told = (
        ("Strengths", opinion.strengths),
        ("Weaknesses", opinion.weaknesses),
        ("Questions", opinion.questions),
        ("Not shown to the model", opinion.left_out),
    )
    for name, said in told:
        if text := _said(said, limits):
            parts.append(f"**{name}**\n\n{text}")
    return "\n\n".join(parts)


def _said(said: Sequence[str], limits: Limits) -> str:
    items = [inline(clip(one, limits.message)) for one in said[: limits.rows]]
    return bullets(items, len(said) - len(items), limits)


def _rebuttals(rebutted: Sequence[Rebutted], limits: Limits) -> str:
    items = []
    for one in rebutted[: limits.rows]:
        said = f"{code(shown_id(one.point))} {inline(clip(one.message, limits.message))}"
        said += f"<br>Left as it is: {inline(clip(one.why, limits.message))}"
        if one.answer:
            said += f"<br>For your answer: {inline(clip(one.answer, 2 * limits.message))}"
        items.append(said)
    return bullets(items, len(rebutted) - len(items), limits)


def asked_sentences(
    advice: Advised | None, *, handed: bool, services: Sequence[str] = ()
) -> tuple[str, ...]:
    """Which generative models were called and what that cost, as sentences of Markdown; that none
    was, where that is so. `services` are those that were asked about cited works."""
    called = _called(advice, handed=handed)
    if not services:
        return called
    named = ", ".join(inline(clip(name, 60)) for name in services)
    told = (NONE_WROTE,) if called == (NONE_CALLED,) else called
    return (*told, LOOKED_UP.format(services=named))


def _called(advice: Advised | None, *, handed: bool) -> tuple[str, ...]:
    if advice is None or not any(one.requests or one.taped for one in advice.spent):
        return (NONE_CALLED,)
    sent = [one for one in advice.spent if one.requests]
    taped = sum(one.taped for one in advice.spent)
    if not sent:
        said = [FROM_TAPE.format(answers=many(taped, "answer"))]
    else:
        told = "; ".join(_spending(one) for one in sent[:_PARTS])
        said = [f"Generative models called: {told}."]
        if taped:
            said.append(f"{many(taped, 'answer')} came from an earlier run.")
        said.append(SENT)
    called = f"{SPENT}{' '.join(said)}{END_OF_SPENT}"
    return (called, *((HANDED,) if handed else ()), *_judged(advice.judge))


def _spending(one: Spending) -> str:
    return (
        f"{code(clip(one.model, 100))} as {inline(one.part)} ({many(one.requests, 'request')}, "
        f"{one.tokens:,} tokens, {one.priced})"
    )


def _judged(judge: JudgeReport | None) -> tuple[str, ...]:
    """What is known of the judge of edits."""
    if judge is None:
        return ()
    if not judge.sound or judge.spread is None:
        why = inline(clip(judge.why, 200)) or "its own spread is not known"
        return (f"The judge of edits accepted nothing on its scores alone: {why}.",)
    least = judge.spread if judge.margin is None else judge.margin
    above = "it" if f"{least:.2f}" == f"{judge.spread:.2f}" else f"{least:.2f}"
    return (
        f"The judge's own spread is ±{judge.spread:.2f}; edits were accepted only above {above}.",
    )
