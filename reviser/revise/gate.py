"""The gate: what an edit must pass by its purpose, cheapest layer first; it fails closed."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, assert_never

from reviser.errors import ReviserError, StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.revise.change import Change
from reviser.revise.checks import CHECKS, GROUND, Check, refusals
from reviser.revise.evidence import MARGIN, Evidence, weigh
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.source import Source

#: Reads the paper anew with these files in place of its own.
Reread: TypeAlias = Callable[[Mapping[str, Source]], Manuscript]


def judge(
    before: Manuscript,
    edit: Edit,
    *,
    reread: Reread,
    supports: Evidence | None = None,
    margin: float = MARGIN,
    checks: Sequence[Check] = CHECKS,
) -> Verdict:
    """The verdict on one edit of `before`; see `certify`."""
    return certify(before, edit, reread=reread, supports=supports, margin=margin, checks=checks)[0]


def certify(
    before: Manuscript,
    edit: Edit,
    *,
    reread: Reread,
    supports: Evidence | None = None,
    margin: float = MARGIN,
    checks: Sequence[Check] = CHECKS,
) -> tuple[Verdict, Manuscript]:
    """The verdict on one edit, and the paper as it is after it: changed only if accepted.

    `supports` verifies a whole paper; None when nothing can. An accepted verdict's reasons are
    its certificate. A layer that cannot run leaves the edit undecided.
    """
    try:
        changed = apply(before.sources, [edit])
        after = reread({**before.sources, **changed})
    except StaleEdit as error:
        return Verdict(edit, Outcome.REJECTED, Layer.STALE, (str(error),)), before
    except ReviserError as error:
        reason = f"the paper could not be read with the edit: {error}"
        return Verdict(edit, Outcome.UNDECIDED, Layer.INVARIANTS, (reason,)), before
    change = Change(before, after, edit)
    refused = refusals(change, checks)
    if refused:
        reasons = tuple(str(refusal) for refusal in refused)
        return Verdict(edit, Outcome.REJECTED, Layer.INVARIANTS, reasons), before
    verdict = _by_purpose(change, supports, margin, f"{len(GROUND) + len(checks)} checks passed")
    return verdict, after if verdict.outcome is Outcome.ACCEPTED else before


def _by_purpose(
    change: Change, supports: Evidence | None, margin: float, certificate: str
) -> Verdict:
    edit = change.edit
    match edit.purpose:
        case Purpose.RULE_FIX:
            return Verdict(edit, Outcome.ACCEPTED, Layer.INVARIANTS, (certificate,))
        case Purpose.PRUNE | Purpose.REPLACE | Purpose.CLAIM_REWRITE:
            return _by_evidence(change, supports, margin, certificate)
        case Purpose.POINT | Purpose.HUMAN | Purpose.OUTLINE:
            reason = f"a {edit.purpose} is accepted on a rubric only, and none was given"
            return Verdict(edit, Outcome.UNDECIDED, Layer.RUBRIC, (reason,))
        case _:
            assert_never(edit.purpose)


def _by_evidence(
    change: Change, supports: Evidence | None, margin: float, certificate: str
) -> Verdict:
    edit = change.edit
    if supports is None:
        reason = "evidence decides this edit, and no evidence check was run"
        return Verdict(edit, Outcome.UNDECIDED, Layer.EVIDENCE, (reason,))
    try:
        before, after = supports(change.before), supports(change.after)
    except ReviserError as error:
        reason = f"the evidence could not be checked: {error}"
        return Verdict(edit, Outcome.UNDECIDED, Layer.EVIDENCE, (reason,))
    weighed = weigh(change, before, after, margin=margin)
    accepted = weighed.outcome is Outcome.ACCEPTED
    return Verdict(
        edit,
        weighed.outcome,
        Layer.EVIDENCE,
        (certificate, *weighed.reasons) if accepted else weighed.reasons,
        weighed.before,
        weighed.after,
    )
