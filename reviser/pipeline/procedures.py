"""Whole procedures of revision: ours, the published one, and none of the gate (METHODS 8).

A procedure is other steps of the same rounds, so that what differs is what is named here. Only
`improve` on one's own files and `evaluate` run any but ours; deliveries never do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.pipeline.advising import Bench, Reviewing, steps_of
from reviser.pipeline.plan import Plan
from reviser.ports import ChatReply, ChatRequest
from reviser.revise.published_gate import Published
from reviser.revise.rounds import Steps
from reviser.roles import Asks

StepsOf: TypeAlias = Callable[[Reviewing, Bench], Steps]
"""Makes the steps of a run."""


def published(plan: Plan) -> Plan:
    """The settings that the published procedure stands for: point by point, and what is rated alike
    is kept."""
    return replace(plan, batch=1, ties="accept", procedure="published")


def carried_out(plan: Plan) -> tuple[Plan, StepsOf]:
    """The settings and the steps of the procedure that a plan names."""
    if plan.procedure == "published":
        return published(plan), published_steps
    return plan, steps_of


def published_steps(work: Reviewing, bench: Bench) -> Steps:
    """Imitate-and-Evolve's revision as printed (I&E 3.2): every point by itself, and for each edit
    two reviews of the whole paper, whose ratings decide (equation 4)."""
    helper = bench.roles.helper
    model = _Anew(helper.model)
    roles = replace(bench.roles, helper=replace(helper, model=model))
    ours = steps_of(work, replace(bench, plan=published(bench.plan), roles=roles))

    def rate(manuscript: Manuscript, number: int) -> float | Unusable:
        model.number = number
        try:
            reviewed = ours.review(manuscript)
        finally:
            model.number = None
        if reviewed.review is None:
            return Unusable("; ".join(reviewed.unusable) or "there is no review")
        return reviewed.review.rating

    gate = Published(rate, work.reread)
    return replace(ours, certify=gate.certify, judge=lambda: None)


@dataclass
class _Anew:
    """A model that, while it has a number, is asked as if for the first time: as published, nothing
    is remembered, and the unchanged paper is reviewed again for each edit."""

    model: Asks
    number: int | None = None

    @property
    def name(self) -> str:
        return self.model.name

    def expect(self, requests: Sequence[ChatRequest]) -> None:
        self.model.expect([self._numbered(request) for request in requests])

    def complete(self, request: ChatRequest) -> ChatReply:
        return self.model.complete(self._numbered(request))

    def _numbered(self, request: ChatRequest) -> ChatRequest:
        return request if self.number is None else replace(request, seed=self.number)
