"""The gate: what an edit must pass by its purpose, cheapest layer first; it fails closed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from reviser.errors import ReviserError, StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.ports import Typeset
from reviser.revise.block_evidence import Passages
from reviser.revise.change import ADDING, Change
from reviser.revise.checks import CHECKS, GROUND, Check, refusals
from reviser.revise.compile import differs
from reviser.revise.evidence import MARGIN, Evidence, Weighed, remembering, weigh
from reviser.revise.prose_evidence import Grounded, weigh_prose
from reviser.revise.published import shadow
from reviser.revise.verdict import Layer, Outcome, Step, Verdict
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.source import Source

#: Reads the paper anew with these files in place of its own.
Reread: TypeAlias = Callable[[Mapping[str, Source]], Manuscript]

#: Purposes that must pass the evidence layer, and those that must pass the rubric (METHODS 8).
BY_EVIDENCE = frozenset(
    {Purpose.PRUNE, Purpose.REPLACE, Purpose.CLAIM_REWRITE, Purpose.POINT, Purpose.HUMAN}
)
BY_RUBRIC = frozenset({Purpose.POINT, Purpose.HUMAN, Purpose.OUTLINE})


class Scores(Protocol):
    """The rubric layer: is the text better by a judge's scores?"""

    def weigh(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:
        """The word on `edits` together; `after` is `before` with them. Their purposes decide how
        much must be gained. Undecided where the judge could not be used."""
        ...


@dataclass(frozen=True)
class Gate:
    """What edits have to pass in a run; METHODS 8.

    `supports` verifies a whole paper; `margin` is how far a new key must be ahead of an old one.
    `compiled` typesets a paper: None where that is not asked for, else every edit must pass it.
    `rubric` scores edits. `grounded` says whether the paper's own text entails a sentence that an
    edit adds without a citation, `passages` are what its quotations are looked up in. What an edit
    needs and what is None leaves it undecided.
    """

    reread: Reread
    supports: Evidence | None = None
    margin: float = MARGIN
    checks: Sequence[Check] = CHECKS
    compiled: Callable[[Manuscript], Typeset] | None = None
    rubric: Scores | None = None
    grounded: Grounded | None = None
    passages: Passages | None = None

    def remembering(self) -> "Gate":
        """The same gate, which asks evidence and typesetter once of the papers seen last."""
        return replace(
            self,
            supports=None if self.supports is None else remembering(self.supports),
            compiled=None if self.compiled is None else remembering(self.compiled),
        )

    def judge(self, before: Manuscript, edit: Edit) -> Verdict:
        """The verdict on one edit of `before`; see `certify`."""
        return self.certify(before, edit)[0]

    def certify(self, before: Manuscript, edit: Edit) -> tuple[Verdict, Manuscript]:
        """The verdict on one edit, and the paper as it is after it: changed only if accepted.

        An accepted verdict's reasons are its certificate. A layer that cannot run leaves the edit
        undecided.
        """
        verdict, after = self.admit(before, edit)
        if verdict.outcome is Outcome.ACCEPTED and edit.purpose in BY_RUBRIC:
            (verdict,) = self.scored(before, after, [verdict])
        return verdict, after if verdict.outcome is Outcome.ACCEPTED else before

    def admit(self, before: Manuscript, edit: Edit) -> tuple[Verdict, Manuscript]:
        """What all layers but the rubric say of an edit, and the paper with it, if they accept."""
        try:
            changed = apply(before.sources, [edit])
        except StaleEdit as error:
            return stale(edit, error), before
        said = Step(Layer.STALE, Outcome.ACCEPTED, "the text is as the edit expects it")
        verdict = Verdict(edit, Outcome.ACCEPTED, Layer.STALE, steps=(said,))
        try:
            after = self.reread({**before.sources, **changed})
        except ReviserError as error:
            reason = f"the paper could not be read with the edit: {error}"
            unread = Weighed(Outcome.UNDECIDED, (reason,))
            return _then(verdict, Layer.INVARIANTS, unread), before
        change = Change(before, after, edit)
        verdict = _then(verdict, Layer.INVARIANTS, self._checked(change))
        if verdict.outcome is Outcome.ACCEPTED and self.compiled is not None:
            compiled = _compiled(self.compiled, before, after)
            verdict = _then(verdict, Layer.COMPILE, compiled)
        if verdict.outcome is Outcome.ACCEPTED and edit.purpose in BY_EVIDENCE:
            verdict = _then(verdict, Layer.EVIDENCE, self._by_evidence(change))
        return verdict, after if verdict.outcome is Outcome.ACCEPTED else before

    def scored(
        self, before: Manuscript, after: Manuscript, admitted: Sequence[Verdict]
    ) -> tuple[Verdict, ...]:
        """What the rubric says of admitted edits together; one word for all of them."""
        edits = [verdict.edit for verdict in admitted]
        weighed = self._by_rubric(before, after, edits)
        names = tuple(edit.id for edit in edits)
        return tuple(
            replace(
                _then(verdict, Layer.RUBRIC, weighed),
                together=tuple(name for name in names if name != verdict.edit.id),
            )
            for verdict in admitted
        )

    def _checked(self, change: Change) -> Weighed:
        refused = refusals(change, self.checks)
        if refused:
            return Weighed(Outcome.REJECTED, tuple(str(refusal) for refusal in refused))
        return Weighed(Outcome.ACCEPTED, (f"{len(GROUND) + len(self.checks)} checks passed",))

    def _by_evidence(self, change: Change) -> Weighed:
        prose = change.edit.purpose in ADDING
        if self.supports is None and prose:
            return weigh_prose(change, None, None, self.grounded, self.passages)
        if self.supports is None:
            reason = "evidence decides this edit, and no evidence check was run"
            return Weighed(Outcome.UNDECIDED, (reason,))
        try:
            before, after = self.supports(change.before), self.supports(change.after)
        except ReviserError as error:
            return Weighed(Outcome.UNDECIDED, (f"the evidence could not be checked: {error}",))
        if prose:
            return weigh_prose(change, before, after, self.grounded, self.passages)
        return weigh(change, before, after, margin=self.margin)

    def _by_rubric(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:
        if self.rubric is None:
            reason = f"a {edits[0].purpose} is accepted on a rubric only, and none was given"
            return Weighed(Outcome.UNDECIDED, (reason,))
        try:
            return self.rubric.weigh(before, after, edits)
        except ReviserError as error:
            return Weighed(Outcome.UNDECIDED, (f"the text could not be scored: {error}",))


def stale(edit: Edit, why: StaleEdit) -> Verdict:
    """The verdict on an edit whose text is not there any more."""
    weighed = Weighed(Outcome.REJECTED, (str(why),))
    return _then(Verdict(edit, Outcome.ACCEPTED, Layer.STALE), Layer.STALE, weighed)


def undone(verdict: Verdict, why: str) -> Verdict:
    """A verdict on an accepted edit that cannot be applied after all."""
    return _then(verdict, Layer.STALE, Weighed(Outcome.UNDECIDED, (why,)))


def _then(verdict: Verdict, layer: Layer, weighed: Weighed) -> Verdict:
    """The verdict after one more layer: where that refuses, its reasons are the verdict's."""
    accepted = weighed.outcome is Outcome.ACCEPTED
    before, after = (*verdict.before, *weighed.before), (*verdict.after, *weighed.after)
    return replace(
        verdict,
        outcome=weighed.outcome,
        layer=layer,
        reasons=(*verdict.reasons, *weighed.reasons) if accepted else weighed.reasons,
        before=before,
        after=after,
        shadow=shadow(verdict.edit, before, after),
        steps=(*verdict.steps, Step(layer, weighed.outcome, "; ".join(weighed.reasons))),
    )


def _compiled(
    compiled: Callable[[Manuscript], Typeset], before: Manuscript, after: Manuscript
) -> Weighed:
    """The compile layer: nothing may go wrong that went well before."""
    then, now = compiled(before), compiled(after)
    worse = differs(then, now)
    if worse and not then.why:
        return Weighed(Outcome.REJECTED, tuple(f"typesetting: {fault}" for fault in worse))
    if then.why or now.why:
        reason = f"the paper could not be typeset: {then.why or now.why}"
        return Weighed(Outcome.UNDECIDED, (reason,))
    said = f"typeset; complaints: {len(now.faults)}, none of them new"
    return Weighed(Outcome.ACCEPTED, (said,))
