"""Improve a manuscript: pass every proposed edit through the gate, and check the paper again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import (
    Checked,
    Judges,
    Lines,
    Options,
    check,
    spared_claims,
    supports_of,
    tell,
)
from reviser.revise.evidence import Evidence, Known
from reviser.revise.gate import Gate, Reread
from reviser.revise.loop import revise
from reviser.revise.verdict import Layer, Outcome, Revision, Verdict
from reviser.text.diff import Hunk, hunks
from reviser.text.edit import Edit
from reviser.verify.claim import claims as read_claims

Choose = Callable[[Sequence[Edit]], Sequence[Edit]]
"""Which of the edits that passed the gate are wanted."""

LEFT_OUT = "left out when asked"


@dataclass(frozen=True)
class Improved:
    """A paper before and after; `verdicts` hold every proposed edit, left-out ones excepted."""

    before: Checked
    revision: Revision
    after: Checked

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The gate's word on each proposed edit."""
        return self.revision.verdicts

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """Those whose edit is in the text now."""
        return tuple(v for v in self.verdicts if v.outcome is Outcome.ACCEPTED)


def improve(
    before: Checked,
    options: Options,
    judges: Judges,
    *,
    reread: Reread,
    choose: Choose | None = None,
) -> Improved:
    """Pass every proposed edit through the gate, and check the paper again as it would then be.

    `choose` is given the edits that passed and says which are wanted; the gate then judges these
    once more by themselves, since one edit may have been right only beside another.
    """
    judges = replace(judges, rivals=frozenset(s.key for s in before.supports))
    gate = Gate(reread, _evidence(before, options, judges))
    revision = revise(before.manuscript, before.edits, gate, progress=judges.progress)
    tell(judges, "certifying edits", 1)
    if choose is not None:
        passed = {v.edit.id for v in revision.verdicts if v.outcome is Outcome.ACCEPTED}
        offered = [edit for edit in before.edits if edit.id in passed]
        wanted = {edit.id for edit in choose(offered)}
        others = tuple(
            replace(v, outcome=Outcome.REJECTED, layer=Layer.PERSON, reasons=(LEFT_OUT,))
            if v.outcome is Outcome.ACCEPTED
            else v
            for v in revision.verdicts
            if v.edit.id not in wanted
        )
        kept = [edit for edit in offered if edit.id in wanted]
        again = revise(before.manuscript, kept, gate)
        revision = replace(again, verdicts=(*again.verdicts, *others))
    if not revision.after:
        told = before if judges.asked is None else replace(before, spent=judges.asked())
        return Improved(before, revision, told)
    changed = None if options.changed is None else moved(options.changed, revision)
    asked = None if options.asked is None else moved(options.asked, revision)
    options = replace(options, changed=changed, asked=asked)
    after = check(reread(revision.after), options, judges)
    return Improved(before, revision, after)


def _evidence(before: Checked, options: Options, judges: Judges) -> Evidence | None:
    """What the gate asks before it lets a citation go or come; None when nobody may be asked."""
    if not options.verify:
        return None
    # Claims that nobody asked about keep their words from one draft to the next.
    spared = spared_claims(before.manuscript, before.claims, options, judges)
    words = {before.claims[number].text for number in spared}

    def known(manuscript: Manuscript) -> Known:
        claims = read_claims(manuscript, options.claims)
        left = frozenset(n for n, claim in enumerate(claims) if claim.text in words)
        return Known(claims, supports_of(manuscript, claims, judges, left)[1])

    return known


def moved(changed: Mapping[str, Lines], revision: Revision) -> Mapping[str, Lines]:
    """Where the lines asked about stand after the revision."""
    result = dict(changed)
    for path, after in revision.after.items():
        if path in changed:
            steps = hunks(revision.before[path].text, after.text, context=0)
            result[path] = tuple(
                (_moved(first, steps, end=False), _moved(last, steps, end=True))
                for first, last in changed[path]
            )
    return result


def _moved(line: int, steps: Sequence[Hunk], *, end: bool) -> int:
    shift = 0
    for step in steps:
        old = step.old_start + (step.old_count == 0)
        new = step.new_start + (step.new_count == 0)
        if line < old:
            break
        if line < old + step.old_count:
            # Inside a changed stretch no line has a fellow, so the whole of it counts.
            return max(1, new + step.new_count - 1) if end else new
        shift = new + step.new_count - old - step.old_count
    return line + shift
