"""What became of each point of a run, in one word with its reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reviser.review.model import Point, Remedy
from reviser.revise.treatment import Advice, Decision, Replanned, Round, Treated
from reviser.revise.verdict import Outcome, Verdict

NOT_REACHED = "the run ended before it came to this point"


class Fate(StrEnum):
    """What can become of a point."""

    REVISED = "revised"
    REBUTTED = "rebutted"
    AUTHORS = "for the authors"
    REFUSED = "refused"
    UNDECIDED = "undecided"
    NOT_DRAFTED = "not drafted"
    DROPPED = "dropped"
    MERGED = "merged"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Became:
    """A point and what became of it. `why` is the reason; `verdict` is the last word on its edit,
    None where none came to the gate, and `drafts` how many it took."""

    point: Point
    fate: Fate
    why: str
    decision: Decision | None = None
    verdict: Verdict | None = None
    drafts: int = 0
    diagnosis: str = ""


def fates(advice: Advice, verdicts: Sequence[Verdict]) -> tuple[tuple[Became, ...], ...]:
    """What became of the points of each round; `verdicts` are the last words on all edits."""
    last = {verdict.edit.id: verdict for verdict in verdicts}
    return tuple(tuple(_fates(one, last)) for one in advice.rounds)


def _fates(one: Round, last: Mapping[str, Verdict]) -> Sequence[Became]:
    treated = {t.decision.point.id: t for t in one.treated}
    gone = {step.point: step for step in one.replanned}
    found = []
    for point in one.points:
        done, step = treated.get(point.id), gone.get(point.id)
        if done is not None:
            found.append(_of_treated(point, done, last))
        elif step is not None:
            found.append(_of_step(point, step))
        else:
            found.append(Became(point, Fate.OPEN, NOT_REACHED))
    return found


def _of_treated(point: Point, done: Treated, last: Mapping[str, Verdict]) -> Became:
    decision, proposal = done.decision, done.proposal
    if not decision.revise:
        fate = Fate.REBUTTED if decision.rebuttal else Fate.OPEN
        if not decision.rebuttal and point.remedy is Remedy.AUTHOR:
            fate = Fate.AUTHORS
        return Became(point, fate, decision.why, decision)
    drafts = 0 if proposal is None else proposal.drafts
    diagnosis = "" if proposal is None else proposal.diagnosis
    if proposal is None or proposal.edit is None or done.verdict is None:
        why = "" if proposal is None else proposal.why
        return Became(point, Fate.NOT_DRAFTED, why, decision, None, drafts, diagnosis)
    verdict = last.get(proposal.edit.id, done.verdict)
    fate = {
        Outcome.ACCEPTED: Fate.REVISED,
        Outcome.SUPERSEDED: Fate.REVISED,
        Outcome.REJECTED: Fate.REFUSED,
        Outcome.UNDECIDED: Fate.UNDECIDED,
    }[verdict.outcome]
    return Became(point, fate, "; ".join(verdict.reasons), decision, verdict, drafts, diagnosis)


def _of_step(point: Point, step: Replanned) -> Became:
    fate = Fate.MERGED if step.step == "merged" else Fate.DROPPED
    return Became(point, fate, step.why)
