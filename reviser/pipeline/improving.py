"""Improve a manuscript: pass every proposed edit through the gate, and check the paper again."""

from collections import ChainMap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from reviser.budget import Asked
from reviser.findings import Finding
from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import (
    Bench,
    Reviewing,
    advised,
    first_findings,
    last_findings,
    order_of,
    repaired_late,
)
from reviser.pipeline.checking import (
    Checked,
    Judges,
    Options,
    check,
    known_claims,
    tell,
    with_brought,
)
from reviser.pipeline.choosing import Choose, chosen, chosen_of_draft
from reviser.pipeline.moving import with_moved_lines
from reviser.pipeline.procedures import carried_out
from reviser.ports import Typeset
from reviser.revise.claims import Order
from reviser.revise.draft import Draft
from reviser.revise.gate import Gate, Reread
from reviser.revise.loop import revise
from reviser.revise.rounds import INTERRUPTED
from reviser.revise.treatment import Advice
from reviser.revise.verdict import Outcome, Revision, Verdict


@dataclass(frozen=True)
class Improved:
    """A paper before and after; `verdicts` hold every proposed edit.

    `advice` is what reviewing brought, None where no model was to review. Points of its reviews
    are among the findings of `before`, at their places there, the open ones among those of
    `after`. `asked` is the record of each chat model, empty where there is none.
    """

    before: Checked
    revision: Revision
    after: Checked
    advice: Advice | None = None
    asked: tuple[Asked, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The gate's word on each proposed edit."""
        return self.revision.verdicts

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """Those whose edit is in the text now."""
        return tuple(v for v in self.verdicts if v.outcome is Outcome.ACCEPTED)

    @property
    def interrupted(self) -> bool:
        """Whether somebody ended it before its end."""
        return self.advice is not None and self.advice.ended == INTERRUPTED


def improve(
    before: Checked,
    options: Options,
    judges: Judges,
    *,
    reread: Reread,
    choose: Choose | None = None,
    bench: Bench | None = None,
    compiled: Callable[[Manuscript], Typeset] | None = None,
) -> Improved:
    """Pass every proposed edit through the gate, and check the paper again as it would then be.

    With a `bench`, models then review the text that came of it, and revise it in rounds. `choose`
    is given the edits that passed and says which are wanted, those of rules first; the gate then
    judges these once more by themselves. `compiled` typesets a paper; None: not asked for.
    """
    judges = with_brought(judges, before.brought)
    # Works that edits bring are read like all others, as soon as they come.
    brought: dict[str, Text] = {}
    judges = replace(
        judges,
        rivals=frozenset(s.key for s in before.supports),
        sources=ChainMap(brought, dict(judges.sources)),
    )
    supports = known_claims(before, options, judges) if options.verify else None
    gate = Gate(reread, supports, compiled=compiled)
    order = Order(before.edits, ()) if bench is None else order_of(before, bench.plan.strategy)
    revision = revise(before.manuscript, order.first, gate, progress=judges.progress)
    tell(judges, "certifying edits", 1)
    if choose is not None:
        revision = chosen(before.manuscript, order.first, revision, gate, choose)
    work = Reviewing(before, options, judges, reread, compiled, brought)
    if bench is not None:
        late = partial(repaired_late, edits=order.then, gate=gate, reread=reread)
        return _advised(work, bench, revision, late, choose)
    return Improved(before, revision, _checked_again(work, revision))


def _advised(
    work: Reviewing,
    bench: Bench,
    first: Revision,
    late: Callable[[Draft], tuple[Draft, Manuscript]],
    choose: Choose | None,
) -> Improved:
    """The model half, on the text that the first half left, and the repairs that waited for it."""
    plan, steps_of = carried_out(bench.plan)
    steps = steps_of(work, bench)
    advice, draft, manuscript = advised(work, plan, first, steps)
    stopped = advice.ended == INTERRUPTED
    if not stopped:
        draft, manuscript = late(draft)
    if choose is not None and not stopped:
        draft = chosen_of_draft(draft, first, steps.certify, work.reread, choose)
        manuscript = work.reread(draft.changed)
    # Whoever pressed Ctrl-C does not wait for another model.
    judges = replace(work.judges, entailment=None) if stopped else work.judges
    revision = Revision(draft.start, draft.changed, draft.verdicts)
    after = _checked_again(
        replace(work, judges=judges), revision, last_findings(advice, draft, manuscript)
    )
    before = _with(work.before, first_findings(advice))
    return Improved(before, revision, after, advice, bench.asked())


def _checked_again(work: Reviewing, revision: Revision, points: Sequence[Finding] = ()) -> Checked:
    """The paper as the revision leaves it, with the points of a review that are open."""
    before, options, judges = work.before, work.options, work.judges
    if not revision.after:
        told = before if judges.asked is None else replace(before, spent=judges.asked())
        return _with(told, points)
    options = with_moved_lines(options, revision)
    return check(work.reread(revision.after), options, judges, points=points)


def _with(checked: Checked, points: Sequence[Finding]) -> Checked:
    """What is known of a paper, and the points of its review beside the other findings."""
    if not points:
        return checked
    found = sorted([*checked.findings, *points], key=lambda f: (f.place, f.rule, f.message))
    return replace(checked, findings=tuple(found))
