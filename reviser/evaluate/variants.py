"""Procedures to compare: ours, ours without one of its parts, and those of others.

Each is the same rounds with other steps, on the same paper, by the same models. Self-Refine and
RARR are as their papers describe them, with our reader, our writer and our safety checks.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench, Reviewing, steps_of
from reviser.pipeline.plan import Plan
from reviser.pipeline.procedures import StepsOf, published, published_steps
from reviser.review.model import Action, Point
from reviser.review.reviewer import Reviewed
from reviser.revise.decide import decide
from reviser.revise.published_gate import Ungated, one_by_one, syntax_only
from reviser.revise.replan import replan
from reviser.revise.rounds import Steps
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.roles import Roles
from reviser.text.edit import Edit

SELF_REFINE_ROUNDS = 4
"""Rounds of feedback and refinement at most (Self-Refine, section 4)."""
RARR_CHARACTERS, RARR_SHARE = 50, 0.5
"""An edit of RARR that changes more characters, or a larger share of them, is thrown away: it has
left its claim (RARR, section 4)."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A procedure by its name; `what` says in a clause how it differs from ours."""

    name: str
    what: str
    plan: Callable[[Plan], Plan]
    steps: StepsOf


def _same(plan: Plan) -> Plan:
    return plan


def _ungated(work: Reviewing, bench: Bench) -> Steps:
    gate = Ungated(work.reread)
    return replace(steps_of(work, bench), certify=gate.certify, judge=lambda: None)


def _linear(work: Reviewing, bench: Bench) -> Steps:
    return replace(
        steps_of(work, bench),
        replan=lambda manuscript, waiting, seen: replan(manuscript, waiting, seen, None),
    )


def _self_refine(work: Reviewing, bench: Bench) -> Steps:
    """The writer reviews its own text, follows every point of it, and nothing is refused."""
    writer = bench.roles.writer
    own = replace(bench, roles=Roles(writer, writer))
    return replace(
        _ungated(work, own),
        known=lambda _: (),
        replan=lambda manuscript, waiting, seen: replan(manuscript, waiting, seen, None),
    )


def _rarr(work: Reviewing, bench: Bench) -> Steps:
    """No review: claims that the evidence does not bear out are reworded by it, a little."""
    ours = steps_of(work, bench)

    def claims(manuscript: Manuscript) -> Sequence[Point]:
        return [p for p in ours.known(manuscript) if p.action is Action.REWRITE_CLAIM]

    def certify(before: Manuscript, edits: Sequence[Edit]) -> tuple[Sequence[Verdict], Manuscript]:
        return one_by_one(before, edits, lambda paper, edit: _close(paper, edit, work))

    return replace(
        ours,
        review=lambda _: Reviewed(None, ()),
        known=claims,
        decide=lambda m, points: decide(m, points, bench.roles.helper, rebut=False),
        certify=certify,
        replan=lambda manuscript, waiting, seen: replan(manuscript, waiting, seen, None),
        judge=lambda: None,
    )


def _close(before: Manuscript, edit: Edit, work: Reviewing) -> tuple[Verdict, Manuscript]:
    changed = sum(distance(part.before, part.after) for part in edit.replacements)
    length = sum(len(part.before) for part in edit.replacements)
    if changed > RARR_CHARACTERS or changed > RARR_SHARE * max(1, length):
        reason = f"{changed} characters of {length} would change, more than RARR allows"
        return Verdict(edit, Outcome.REJECTED, Layer.INVARIANTS, (reason,)), before
    return syntax_only(before, edit, work.reread)


def distance(one: str, other: str) -> int:
    """Characters to put in, take out or exchange to get from one text to the other."""
    row = list(range(len(other) + 1))
    for place, char in enumerate(one, start=1):
        last, row[0] = row[0], place
        for column, letter in enumerate(other, start=1):
            cost = min(row[column] + 1, row[column - 1] + 1, last + (char != letter))
            last, row[column] = row[column], cost
    return row[-1]


REVISER = Variant("reviser", "the whole of it", _same, steps_of)
PUBLISHED = Variant(
    "published",
    "point by point, each by two ratings of the whole paper (Imitate-and-Evolve)",
    published,
    published_steps,
)
VARIANTS: Mapping[str, Variant] = {
    variant.name: variant
    for variant in (
        REVISER,
        Variant(
            "no-imitation",
            "a reviewer without criteria",
            lambda plan: replace(plan, imitate=False),
            steps_of,
        ),
        Variant("no-gate", "every edit that can be read is kept", _same, _ungated),
        Variant(
            "one-by-one",
            "each edit is scored by itself",
            lambda plan: replace(plan, batch=1),
            steps_of,
        ),
        Variant(
            "no-rebut",
            "every point that an edit can mend is followed",
            lambda plan: replace(plan, rebut=False),
            steps_of,
        ),
        Variant(
            "linear",
            "one round, and nothing is planned anew",
            lambda plan: replace(plan, rounds=1),
            _linear,
        ),
        PUBLISHED,
        Variant(
            "self-refine",
            "the writer reviews itself and follows all of it (Self-Refine)",
            lambda plan: replace(plan, rounds=SELF_REFINE_ROUNDS, rebut=False, imitate=False),
            _self_refine,
        ),
        Variant(
            "rarr",
            "only claims that the evidence does not bear out, reworded a little (RARR)",
            lambda plan: replace(plan, rounds=1, batch=1, rebut=False),
            _rarr,
        ),
    )
}
"""By name, ours first."""
