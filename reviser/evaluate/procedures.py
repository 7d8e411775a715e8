"""What each procedure makes of the same paper: edits, cost, and scores by somebody else's judge."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.asking import Unusable
from reviser.budget import Asked, Call
from reviser.evaluate.survey import Compared, compared, measured
from reviser.evaluate.variants import Variant
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench, Reviewing, advised
from reviser.pipeline.checking import check
from reviser.pipeline.improving import improve
from reviser.review.model import Scorecard
from reviser.revise.verdict import Outcome, Revision
from reviser.text.edit import Edit, Purpose

BY_MODELS = frozenset({Purpose.POINT, Purpose.HUMAN, Purpose.OUTLINE, Purpose.CLAIM_REWRITE})
"""Edits that a model wrote; the rest are the same in every procedure."""

Change = tuple[tuple[str, int, str, str], ...]
"""An edit by what it does: path, start, old and new text of each replacement."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What one procedure did. `accepted` and `refused` count edits that a model wrote, the refused
    ones by layer; `points` how many it treated.

    `calls` and `tokens` count every question, also those that a tape answered: what the procedure
    costs by itself. `asked` is the same by prompt. `cost` is in US dollars, None where no price is
    known. `changes` are the accepted edits, so that procedures can be laid side by side.
    """

    name: str
    what: str
    points: int
    accepted: int
    refused: Mapping[str, int]
    calls: int
    tokens: int
    cost: float | None
    asked: Mapping[str, int]
    ended: str
    compared: Compared
    changes: frozenset[Change]


Grader = Callable[[Manuscript], Scorecard | Unusable]
"""The evaluator's grades of a whole paper; it never sees which procedure made it."""


def tried(
    variant: Variant, work: Reviewing, bench: Bench, grade: Grader, *, evaluator: str
) -> Tried:
    """Run a procedure on the paper, in memory, within what is left of the bench's budget.

    The edits of rules and citation repairs come first and are the same for all.
    """
    bench = replace(bench, plan=variant.plan(bench.plan))
    before = _calls(bench.asked())
    first = improve(work.before, work.options, work.judges, reread=work.reread)
    steps = variant.steps(work, bench)
    advice, draft, manuscript = advised(work, bench.plan, first.revision, steps)
    calls = list((_calls(bench.asked()) - before).elements())
    revision = Revision(draft.start, draft.changed, draft.verdicts)
    after = check(work.reread(revision.after), work.options, work.judges)
    mine = [v for v in draft.verdicts if v.edit.purpose in BY_MODELS]
    accepted = [v.edit for v in mine if v.outcome is Outcome.ACCEPTED]
    refused = Counter(
        str(v.layer) for v in mine if v.outcome in {Outcome.REJECTED, Outcome.UNDECIDED}
    )
    verifier = work.judges.entailment.name if work.judges.entailment is not None else ""
    weights = bench.plan.weights
    costs = [call.cost for call in calls]
    return Tried(
        name=variant.name,
        what=variant.what,
        points=sum(len(one.treated) for one in advice.rounds),
        accepted=len(accepted),
        refused=dict(sorted(refused.items())),
        calls=len(calls),
        tokens=sum(call.tokens_in + call.tokens_out for call in calls),
        cost=None if None in costs else sum(cost for cost in costs if cost is not None),
        asked=dict(sorted(Counter(call.prompt for call in calls).items())),
        ended=advice.ended,
        compared=compared(
            measured(work.before, grade(work.before.manuscript), weights),
            measured(after, grade(manuscript), weights),
            evaluator=evaluator,
            verifier=verifier,
        ),
        changes=frozenset(change_of(edit) for edit in accepted),
    )


def _calls(asked: Sequence[Asked]) -> Counter[Call]:
    return Counter(call for one in asked for call in one.calls)


def change_of(edit: Edit) -> Change:
    """What an edit does, whoever made it and whatever it is called."""
    return tuple(sorted((p.at.path, p.at.span.start, p.before, p.after) for p in edit.replacements))
