"""What a plan tells of the models that write: the review, its points, what they cost."""

from collections.abc import Iterator, Sequence

from reviser.budget import Asked
from reviser.deliver.advised import Advised, Opinion, Rebutted, Spending
from reviser.findings import Finding
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench, first_findings
from reviser.pipeline.checking import Options, silenced
from reviser.pipeline.improving import Improved
from reviser.review.model import Review
from reviser.review.points import findings_of
from reviser.revise.replan import REWRITTEN
from reviser.revise.rounds import ALL_DONE, NOTHING_ACCEPTED, NOTHING_NEW
from reviser.revise.treatment import Advice, Treated

_ENDS = frozenset({ALL_DONE, NOTHING_ACCEPTED, NOTHING_NEW})
_VERIFIER = "verifier"


def advised(improved: Improved, bench: Bench | None, *, asked: bool) -> Advised | None:
    """What models that write were asked; None where there are none. `asked`: a person asked for the
    review."""
    if improved.advice is None or bench is None:
        spent = improved.after.spent or improved.before.spent
        return None if spent is None else Advised(spent=(_spending(spent, _VERIFIER),))
    advice = improved.advice
    first = next((one.review for one in advice.rounds if one.review is not None), None)
    unusable = [said for one in advice.rounds for said in one.unusable]
    if advice.ended not in _ENDS:
        unusable.append(f"The rest was not asked: {advice.ended}.")
    return Advised(
        opinion=None if first is None else _opinion(first, asked=asked),
        rebutted=tuple(_rebutted(advice)),
        unusable=tuple(dict.fromkeys(unusable)),
        spent=tuple(_spending(one, _part(one, bench)) for one in improved.asked),
        judge=advice.judge,
    )


def _opinion(review: Review, *, asked: bool) -> Opinion:
    return Opinion(
        summary=review.summary,
        strengths=review.strengths,
        weaknesses=review.weaknesses,
        questions=review.questions,
        rating=review.rating,
        confidence=review.confidence,
        model=review.model,
        criteria=len(review.criteria),
        left_out=review.left_out,
        asked=asked,
    )


def _rebutted(advice: Advice) -> Iterator[Rebutted]:
    for one in _answered(advice):
        point = one.decision.point
        yield Rebutted(point.id, point.rule, point.message, one.decision.why, one.decision.rebuttal)


def _answered(advice: Advice) -> Iterator[Treated]:
    """Points that are answered instead of being followed."""
    for one in (treated for each in advice.rounds for treated in each.treated):
        if not one.decision.revise and one.decision.rebuttal:
            yield one


def _part(asked: Asked, bench: Bench) -> str:
    """Which parts a model played."""
    roles = bench.roles
    named = [("writer", roles.writer), ("helper", roles.helper), ("evaluator", roles.evaluator)]
    parts = [part for part, role in named if role is not None and role.name == asked.model]
    return " and ".join(parts) or _VERIFIER


def _spending(asked: Asked, part: str) -> Spending:
    return Spending(part, asked.model, asked.requests, asked.taped, asked.tokens, asked.cost)


def points_told(
    manuscript: Manuscript, improved: Improved, options: Options, *, asked: bool
) -> tuple[Finding, ...]:
    """The points of the review as findings of `manuscript`, the paper as it was before any edit.

    Left out are those that were answered, dropped or merged, and those of later rounds that speak
    of words which an edit has brought. Where a person asked for the review, points on lines that
    nobody was asked about are among them, as far as nobody silenced them.
    """
    advice = improved.advice
    if advice is None:
        return ()
    settled = {one.decision.point.id for one in _answered(advice)}
    settled |= {s.point for one in advice.rounds for s in one.replanned if s.step != REWRITTEN}
    told = {f.fingerprint: f for f in first_findings(advice) if f.fingerprint not in settled}
    if asked and advice.rounds:
        for finding in findings_of(advice.rounds[0].raised):
            told.setdefault(finding.fingerprint, finding)
    return tuple(_live(manuscript, [f for n, f in told.items() if n not in settled], options))


def _live(
    manuscript: Manuscript, findings: Sequence[Finding], options: Options
) -> Iterator[Finding]:
    for finding in silenced(manuscript, findings, options):
        source = manuscript.sources.get(finding.place.path)
        stands = source is not None and source[finding.place.span] == finding.quote
        if stands and finding.suppressed is None:
            yield finding
