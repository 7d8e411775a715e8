"""A person's choice among edits that passed the gate, which then judges what is left by itself:
one edit may have been right only beside another."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from reviser.manuscript.model import Manuscript
from reviser.revise.draft import Draft
from reviser.revise.gate import Gate, Reread
from reviser.revise.loop import rebased, revise
from reviser.revise.verdict import Layer, Outcome, Revision, Verdict
from reviser.text.edit import Edit, apply

Choose = Callable[[Sequence[Edit]], Sequence[Edit]]
"""Which of the edits that passed the gate are wanted."""

Certify = Callable[[Manuscript, Sequence[Edit]], tuple[Sequence[Verdict], Manuscript]]
"""The gate, for several edits of one text."""

LEFT_OUT = "left out when asked"


def chosen(
    manuscript: Manuscript, edits: Sequence[Edit], revision: Revision, gate: Gate, choose: Choose
) -> Revision:
    """The revision with the edits alone that are wanted of those it accepted."""
    passed = {v.edit.id for v in revision.verdicts if v.outcome is Outcome.ACCEPTED}
    offered = [edit for edit in edits if edit.id in passed]
    wanted = {edit.id for edit in choose(offered)}
    others = [_left_out(v) for v in revision.verdicts if v.edit.id not in wanted]
    kept = [edit for edit in offered if edit.id in wanted]
    again = revise(manuscript, kept, gate)
    return replace(again, verdicts=(*again.verdicts, *others))


def chosen_of_draft(
    draft: Draft, first: Revision, certify: Certify, reread: Reread, choose: Choose
) -> Draft:
    """The draft with the edits alone that are wanted of those it accepted beyond `first`. What a
    left-out edit had taken up of `first` comes back by itself."""
    early = {verdict.edit.id for verdict in first.verdicts}
    offered = [edit for edit in draft.accepted if edit.id not in early]
    wanted = {edit.id for edit in choose(offered)} if offered else set[str]()
    if len(wanted) == len(offered):
        return draft
    held = _held(draft.verdicts, wanted)
    base = tuple(v for v in first.verdicts if v.edit.id not in held)
    kept = [v.edit for v in base if v.outcome is Outcome.ACCEPTED]
    changed = apply(draft.start, kept)
    now = {**draft.start, **changed}
    edits = [rebased(edit, kept) for edit in offered if edit.id in wanted]
    verdicts = certify(reread(changed), edits)[0] if edits else ()
    holds = {verdict.edit.id: verdict.holds for verdict in draft.verdicts}
    again = [replace(v, holds=holds.get(v.edit.id, ())) for v in verdicts]
    others = [
        _left_out(v) for v in draft.verdicts if v.edit.id not in wanted and v.edit.id not in early
    ]
    taken_up = [v for v in draft.verdicts if v.edit.id in held and v.edit.id in early]
    result = Draft(draft.start, now, base).judged(again)
    return replace(result, verdicts=(*result.verdicts, *taken_up, *others))


def _held(verdicts: Sequence[Verdict], wanted: set[str]) -> set[str]:
    """The edits that are part of the wanted ones."""
    holds = {verdict.edit.id: verdict.holds for verdict in verdicts}
    held: set[str] = set()
    waiting = list(wanted)
    while waiting:
        for name in holds.get(waiting.pop(), ()):
            if name not in held:
                held.add(name)
                waiting.append(name)
    return held


def _left_out(verdict: Verdict) -> Verdict:
    if verdict.outcome is not Outcome.ACCEPTED:
        return verdict
    return replace(verdict, outcome=Outcome.REJECTED, layer=Layer.PERSON, reasons=(LEFT_OUT,))
