"""Rounds of review and revision (I&E 3.2): review, points, revise or rebut, gate, plan anew.

Every step comes in as a function between values, so that a round can be played with literals, and
so that other procedures are other steps. A step whose reply was of no use is told in `unusable`;
it accepts nothing and ends nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from reviser.errors import ReviserError, StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.ports import Progress
from reviser.review.model import Point, Remedy, Review
from reviser.review.points import Decomposed
from reviser.review.reviewer import Reviewed
from reviser.review.treatable import paragraph_at
from reviser.revise.batch import BATCH
from reviser.revise.decide import Decided
from reviser.revise.draft import Draft
from reviser.revise.replan import Replan
from reviser.revise.treatment import (
    Advice,
    Decision,
    JudgeReport,
    Proposal,
    Replanned,
    Round,
    Treated,
)
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit
from reviser.text.source import Place

ROUNDS, MOST_ROUNDS = 2, 5
"""Rounds of a run, unless it is told another number, and at most."""

ALL_DONE = "all rounds were made"
NOTHING_ACCEPTED = "nothing was accepted in the last round"
NOTHING_NEW = "the last review brought no new point"
INTERRUPTED = "interrupted"


def _never() -> str:
    return ""


def _no_report() -> JudgeReport | None:
    return None


@dataclass(frozen=True, slots=True)
class Steps:
    """What a round consists of. All speak of the manuscript they are given.

    `review` and `decompose` make the points of a review; `known` are those of other findings;
    `chosen` is told all of them and gives those to treat, in the order of treatment. `decide` says
    revise or rebut; `propose` drafts the edits of a batch, `announced` says what one of them
    gains; `certify` is the gate, for all edits of a batch. `replan` sees to the waiting ones.
    `used_up` says why nothing more may be asked, "" as long as something may; `judge` is what is
    known of the judge by the end.
    """

    review: Callable[[Manuscript], Reviewed]
    decompose: Callable[[Manuscript, Review], Decomposed]
    known: Callable[[Manuscript], Sequence[Point]]
    chosen: Callable[[Draft, Manuscript, Sequence[Point]], Sequence[Point]]
    decide: Callable[[Manuscript, Sequence[Point]], Decided]
    propose: Callable[[Manuscript, Sequence[Decision]], Sequence[Proposal]]
    announced: Callable[[Manuscript, Edit], Edit]
    certify: Callable[[Manuscript, Sequence[Edit]], tuple[Sequence[Verdict], Manuscript]]
    replan: Callable[[Manuscript, Sequence[Decision], Sequence[Treated]], Replan]
    used_up: Callable[[], str] = _never
    judge: Callable[[], JudgeReport | None] = _no_report


class Advised(NamedTuple):
    """What the rounds brought: what was said, the text under revision, and the paper it gives."""

    advice: Advice
    draft: Draft
    manuscript: Manuscript


def advise(
    manuscript: Manuscript,
    draft: Draft,
    steps: Steps,
    *,
    rounds: int = ROUNDS,
    batch: int = BATCH,
    progress: Progress | None = None,
) -> Advised:
    """Make rounds on `manuscript`, which is `draft.now`, until all are made, one accepts nothing,
    or nothing more may be asked. Ctrl-C ends them with what was accepted by then.

    Raises ReviserError when the first question of all could not be put.
    """
    run = _Run(draft, manuscript, steps, batch, progress)
    try:
        ended = run.rounds_up_to(rounds)
    except KeyboardInterrupt:
        ended = INTERRUPTED
    except ReviserError as error:
        if not run.has_begun:
            raise
        ended = str(error)
    told = tuple(one.value() for one in run.rounds)
    advice = Advice(told, steps.judge(), ended, run.origins)
    return Advised(advice, run.text.draft, run.text.manuscript)


class _Text(NamedTuple):
    """The draft and the manuscript it gives; one never changes without the other."""

    draft: Draft
    manuscript: Manuscript


@dataclass
class _Round:
    """A round while it goes on."""

    number: int
    review: Review | None = None
    points: tuple[Point, ...] = ()
    treated: list[Treated] = field(default_factory=list)
    replanned: list[Replanned] = field(default_factory=list)
    unusable: list[str] = field(default_factory=list)
    raised: tuple[Point, ...] = ()

    def value(self) -> Round:
        return Round(
            self.number,
            self.review,
            self.points,
            tuple(self.treated),
            tuple(self.replanned),
            tuple(self.unusable),
            self.raised,
        )


class _Run:
    """The rounds of a run, and the text as it is by now."""

    def __init__(
        self,
        draft: Draft,
        manuscript: Manuscript,
        steps: Steps,
        batch: int,
        progress: Progress | None,
    ) -> None:
        self.text = _Text(draft, manuscript)
        self.rounds: list[_Round] = []
        self.origins: dict[str, Place] = {}
        self._steps = steps
        self._batch = max(1, batch)
        self._progress = progress
        self._settled: set[str] = set()

    @property
    def has_begun(self) -> bool:
        """Whether anything was said that is worth keeping."""
        return any(one.review or one.treated or one.unusable for one in self.rounds)

    def rounds_up_to(self, most: int) -> str:
        """Make rounds; why there is none after the last."""
        for number in range(1, most + 1):
            now = _Round(number)
            self.rounds.append(now)
            ended = self._round(now)
            if ended:
                return ended
        return ALL_DONE

    def _round(self, now: _Round) -> str:
        steps, (draft, manuscript) = self._steps, self.text
        now.points = tuple(self._points(now, draft, manuscript))
        self.origins |= {p.id: draft.origin(p.place) for p in now.points}
        self._tell(now, "deciding what to do")
        decided = steps.decide(manuscript, now.points)
        now.unusable += decided.unusable
        waiting = [decision for decision in decided.decisions if decision.revise]
        for decision in decided.decisions:
            if not decision.revise:
                now.treated.append(Treated(decision))
                if decision.rebuttal or decision.point.remedy is Remedy.AUTHOR:
                    self._settled.add(decision.point.id)
        treated, total, changed = 0, len(waiting), False
        while waiting:
            ended = steps.used_up()
            if ended:
                now.treated += [Treated(d, Proposal(d, None, ended)) for d in waiting]
                return ended
            self._tell(now, "revising", treated, total)
            seen, waiting = self._treated(now, waiting)
            treated = total - len(waiting)
            changed = changed or any(map(_is_accepted, seen))
        self._tell(now, "revising", 1, 1)
        if changed:
            return steps.used_up()
        return steps.used_up() or (NOTHING_ACCEPTED if now.points else NOTHING_NEW)

    def _points(self, now: _Round, draft: Draft, manuscript: Manuscript) -> Sequence[Point]:
        """The points of this round, those that earlier rounds have settled left out."""
        steps = self._steps
        self._tell(now, "reviewing")
        reviewed = steps.review(manuscript)
        now.review = reviewed.review
        now.unusable += reviewed.unusable
        found: list[Point] = []
        if reviewed.review is not None:
            self._tell(now, "taking the review apart")
            decomposed = steps.decompose(manuscript, reviewed.review)
            now.raised = tuple(decomposed.points)
            found += decomposed.points
            now.unusable += decomposed.unusable
        found += steps.known(manuscript)
        new = [point for point in found if point.id not in self._settled]
        return steps.chosen(draft, manuscript, new)

    def _treated(
        self, now: _Round, waiting: Sequence[Decision]
    ) -> tuple[Sequence[Treated], list[Decision]]:
        """One batch, and those that wait after it."""
        steps, (draft, manuscript) = self._steps, self.text
        batch, rest = parted(manuscript, waiting, self._batch)
        drafted, late = apart(steps.propose(manuscript, batch))
        proposals = [self._announced(draft, manuscript, one, n) for n, one in enumerate(drafted)]
        edits = [one.edit for one in proposals if one.edit is not None]
        verdicts, after = steps.certify(manuscript, edits) if edits else ((), manuscript)
        self.text, verdicts = _changed(draft, manuscript, verdicts, after)
        of = {verdict.edit.id: verdict for verdict in verdicts}
        seen = [
            Treated(one.decision, one, None if one.edit is None else of.get(one.edit.id))
            for one in proposals
        ]
        now.treated += seen
        self._settled |= {one.decision.point.id for one in seen}
        rest = [*late, *rest]
        if not rest:
            return seen, rest
        plan = steps.replan(self.text.manuscript, rest, seen)
        now.replanned += plan.steps
        now.unusable += plan.unusable
        self._settled |= {step.point for step in plan.steps} - {d.point.id for d in plan.waiting}
        return seen, list(plan.waiting)

    def _announced(
        self, draft: Draft, manuscript: Manuscript, proposal: Proposal, number: int
    ) -> Proposal:
        """The proposal with an edit that has a name of its own and says what it gains."""
        if proposal.edit is None:
            return proposal
        edit = proposal.edit
        if any(edit.id in {v.edit.id, *v.holds} for v in draft.verdicts):
            edit = replace(edit, id=f"{edit.id}-{len(draft.verdicts) + number}")
        try:
            edit = self._steps.announced(manuscript, edit)
        except StaleEdit as error:
            return replace(proposal, edit=None, why=str(error))
        return replace(proposal, edit=edit)

    def _tell(self, now: _Round, what: str, done: int = 0, total: int = 1) -> None:
        if self._progress is not None:
            self._progress.step(f"round {now.number}: {what}", done, total)


def parted(
    manuscript: Manuscript, waiting: Sequence[Decision], most: int
) -> tuple[list[Decision], list[Decision]]:
    """The first decisions, at most so many and no two of one paragraph, and the others."""
    batch: list[Decision] = []
    rest: list[Decision] = []
    taken: set[int | None] = set()
    for decision in waiting:
        paragraph = paragraph_at(manuscript, decision.point.place)
        # What stands in no paragraph is treated by itself.
        alone = paragraph is None and batch
        if len(batch) == most or paragraph in taken or alone or None in taken:
            rest.append(decision)
        else:
            taken.add(paragraph)
            batch.append(decision)
    return batch, rest


def apart(proposals: Sequence[Proposal]) -> tuple[list[Proposal], list[Decision]]:
    """The proposals whose edits touch none before them, and the decisions of the others."""
    kept: list[Proposal] = []
    late: list[Decision] = []
    for proposal in proposals:
        edit = proposal.edit
        others = [one.edit for one in kept if one.edit is not None]
        if edit is not None and any(_touch(edit, other) for other in others):
            late.append(proposal.decision)
        else:
            kept.append(proposal)
    return kept, late


def _touch(one: Edit, other: Edit) -> bool:
    return one.id == other.id or any(
        a.at.path == b.at.path
        and a.at.span.start <= b.at.span.stop
        and b.at.span.start <= a.at.span.stop
        for a in one.replacements
        for b in other.replacements
    )


def _changed(
    draft: Draft, manuscript: Manuscript, verdicts: Sequence[Verdict], after: Manuscript
) -> tuple[_Text, Sequence[Verdict]]:
    """The text with what was accepted. Fails closed: where the gate and the draft do not come to
    the same bytes, nothing was accepted."""
    try:
        judged = draft.judged(verdicts)
        wrong = _difference(judged, after)
    except StaleEdit as error:
        judged, wrong = draft, str(error)
    if not wrong:
        return _Text(judged, after), verdicts
    refused = [
        replace(v, outcome=Outcome.UNDECIDED, layer=Layer.STALE, reasons=(wrong,))
        if v.outcome is Outcome.ACCEPTED
        else v
        for v in verdicts
    ]
    return _Text(draft.judged(refused), manuscript), refused


def _difference(draft: Draft, after: Manuscript) -> str:
    """The first file that is not the same in both, "" where there is none."""
    for path in sorted(draft.now.keys() | after.sources.keys()):
        one, other = draft.now.get(path), after.sources.get(path)
        if one is None or other is None or one.encode() != other.encode():
            return f"{path}: applied at once, the accepted edits give another text"
    return ""


def _is_accepted(treated: Treated) -> bool:
    return treated.verdict is not None and treated.verdict.outcome is Outcome.ACCEPTED
