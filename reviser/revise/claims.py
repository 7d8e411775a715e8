"""Claims that their sources do not bear out, rewritten to what these say; METHODS 3, steps 4 to 7.

The helper says why a claim is not borne out and how it would read, from the works it cites alone
and before anything else is retrieved; the writer then corrects the sentence. What the correction
changes of the claim's meaning is proved against the evidence (`claim_delta`) and announced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from reviser.asking import Answered, Unusable
from reviser.errors import ReviserError
from reviser.manuscript.model import Manuscript
from reviser.review.model import Action, Point
from reviser.revise import diagnosing
from reviser.revise.change import Change
from reviser.revise.claim_delta import announced, claim_delta, unproven
from reviser.revise.desk import Desk
from reviser.revise.diagnosing import Diagnosed
from reviser.revise.drafting import NOTHING, misfit, named
from reviser.revise.evidence import Known
from reviser.revise.grounds import Found, Shelf
from reviser.revise.sheet import Rewording
from reviser.revise.tasks import Task, heading_of, kept, legend
from reviser.revise.treatment import Proposal
from reviser.roles import Question
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.visible import visible
from reviser.verify.model import Claim, Label, Support

PROMPT = "rewrite-claim"
GROWTH = 0.5
"""The share by which the sentence may grow."""
PASSAGES = 10
"""Sentences of the cited works that are shown."""

Strategy = Literal["references-first", "rewrite-first", "both"]
"""What is tried on a claim that its sources do not bear out; FIKSurvey C.3, step 7."""

NO_VERDICTS = "rewriting a claim takes what verify says of it, which is not at hand"
NO_CLAIM = "no claim of its sentence was found wanting by what it cites"
NO_TEXT = "no text of the cited works is at hand to rewrite it from"

_DOUBTED = frozenset({Label.CONTRADICTED, Label.SILENT, Label.OFF_TOPIC})


class NewClaim(BaseModel):
    """A reply: the sentence, with its marks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: str = Field(min_length=1, max_length=4000)


@dataclass(frozen=True, slots=True)
class Order:
    """What comes first and what then: reference repairs, claims to rewrite, and the repairs that
    are left for claims whose rewriting was not accepted."""

    first: tuple[Edit, ...]
    rewrite: tuple[Point, ...]
    then: tuple[Edit, ...] = ()


def ordered(strategy: Strategy, repairs: Sequence[Edit], points: Sequence[Point]) -> Order:
    """The order in which citation repairs and claim rewriting are tried.

    `repairs` are the prunings and replacements that `verify.repair` offers, `points` those that a
    claim is to be rewritten for. A point and the repairs of its claim share a fingerprint.
    """
    claims = tuple(p for p in points if p.action is Action.REWRITE_CLAIM)
    wanted = {point.id for point in claims}
    rivals = tuple(
        e for e in repairs if e.purpose is Purpose.REPLACE and wanted.intersection(e.answers)
    )
    if strategy == "both":
        return Order(tuple(repairs), claims)
    if strategy == "rewrite-first":
        return Order(tuple(e for e in repairs if e not in rivals), claims, rivals)
    repaired = {answer for edit in repairs for answer in edit.answers}
    return Order(tuple(repairs), tuple(p for p in claims if p.id not in repaired))


@dataclass(frozen=True, slots=True)
class Case:
    """A claim to be rewritten: its task, what was said of it, and what its works say."""

    task: Task
    claim: Claim
    supports: tuple[Support, ...]
    found: Found

    @property
    def passages(self) -> tuple[str, ...]:
        """The sentences of the cited works that are shown."""
        return tuple(visible(passage.text) for passage in self.found.passages)

    @property
    def verdict(self) -> str:
        """What was said of each work."""
        return "; ".join(f"{s.key}: {s.label}" for s in self.supports)


def case_of(task: Task, known: Known, shelf: Shelf) -> Case | str:
    """The claim of the task's sentence that its works do not bear out, or why there is none."""
    for number, claim in enumerate(known.claims):
        if claim.sentence != task.line.sentence:
            continue
        supports = tuple(s for s in known.supports if s.claim == number)
        labels = {support.label for support in supports}
        if labels & _DOUBTED and Label.SUPPORTED not in labels:
            found = shelf.nearest(
                [claim.text],
                shelf.known(claim.keys),
                most=PASSAGES,
                per_work=PASSAGES,
                least=-1.0,
            )
            return Case(task, claim, supports, found) if found.passages else NO_TEXT
    return NO_CLAIM


def rewrite_claims(
    manuscript: Manuscript, tasks: Sequence[Task], desk: Desk, shelf: Shelf
) -> list[Proposal]:
    """A proposal for each task, in their order; see the module."""
    cases: list[Case | str] = [
        NO_VERDICTS if desk.known is None else case_of(task, desk.known, shelf) for task in tasks
    ]
    found = [case for case in cases if isinstance(case, Case)]
    diagnoses = desk.helper.ask_each([_diagnosis(case) for case in found])
    mendable = [
        (case, said.value)
        for case, said in zip(found, diagnoses, strict=True)
        if isinstance(said, Answered) and said.value.reason not in diagnosing.HOPELESS
    ]
    rewritten = iter(
        desk.writer.ask_each([_rewriting(case, diagnosed) for case, diagnosed in mendable])
    )
    said = iter(diagnoses)
    return [
        Proposal(task.decision, None, case)
        if isinstance(case, str)
        else _proposal(manuscript, case, next(said), rewritten, desk)
        for task, case in zip(tasks, cases, strict=True)
    ]


def _diagnosis(case: Case) -> Question[Diagnosed]:
    values = {
        "passages": case.found.text,
        "verdict": case.verdict,
        "sentence": case.task.line.text,
        "claim": case.claim.text,
    }
    return Question(
        diagnosing.PROMPT,
        values,
        Diagnosed,
        lambda reply: diagnosing.objection(reply, case.claim.text, case.passages, case.supports),
    )


def _rewriting(case: Case, diagnosed: Diagnosed) -> Question[NewClaim]:
    task = case.task
    others = "; or: ".join((diagnosed.rewrite, *diagnosed.alternatives))
    values = {
        "heading": heading_of(task) or "(none)",
        "passages": case.found.text,
        "marks": legend([task.line], {}),
        "sentence": task.line.text,
        "keep": kept([task.line]),
        "diagnosis": f"{diagnosed.reason}: {diagnosed.why}",
        "draft": others,
        "style": "; ".join(diagnosed.style) or "(none)",
    }
    return Question(PROMPT, values, NewClaim, lambda reply: objection(case, reply))


def objection(case: Case, reply: NewClaim) -> str:
    """What is wrong with a corrected sentence, or ""."""
    part = _part(case, reply)
    wrong = misfit(case.task.sheet, part, GROWTH)
    if wrong:
        return wrong
    if case.task.sheet.reworded(part) is None:
        return NOTHING
    return claim_delta(case.task.line.text, part.texts[0], case.passages).refused


def _part(case: Case, reply: NewClaim) -> Rewording:
    number = case.task.line.number
    return Rewording(number, number, (visible(reply.sentence),))


def _proposal(
    manuscript: Manuscript,
    case: Case,
    said: Answered[Diagnosed] | Unusable,
    rewritten: Iterator[Answered[NewClaim] | Unusable],
    desk: Desk,
) -> Proposal:
    decision = case.task.decision
    if isinstance(said, Unusable):
        return Proposal(decision, None, f"it could not be diagnosed: {said.why}")
    diagnosis = f"{said.value.reason}: {said.value.why}"
    grounds = case.found.told
    if said.value.reason in diagnosing.HOPELESS:
        why = "no wording of it would be borne out by what it cites"
        return Proposal(decision, None, why, grounds=grounds, diagnosis=diagnosis)
    answer = next(rewritten)
    if isinstance(answer, Unusable):
        return Proposal(decision, None, answer.why, grounds=grounds, diagnosis=diagnosis)
    made = _edit(manuscript, case, answer.value, desk)
    edit, why = (None, made) if isinstance(made, str) else (made, "")
    return Proposal(decision, edit, why, 1, grounds, diagnosis)


def _edit(manuscript: Manuscript, case: Case, reply: NewClaim, desk: Desk) -> Edit | str:
    """The edit, which announces what is proved of it; or why it cannot be."""
    part = case.task.sheet.reworded(_part(case, reply))
    point = case.task.decision.point
    if part is None:
        return NOTHING
    edit = Edit(
        id=named("rewrite", point.id, [part]),
        rule=point.rule,
        replacements=(part,),
        purpose=Purpose.CLAIM_REWRITE,
        why=point.message,
        evidence=case.passages,
        answers=(point.id,),
    )
    try:
        after = desk.reread({**manuscript.sources, **apply(manuscript.sources, [edit])})
    except ReviserError as error:
        return f"the paper could not be read with it: {error}"
    change = Change(manuscript, after, edit)
    edit = replace(edit, allows=announced(change))
    return unproven(Change(manuscript, after, edit)) or edit
