"""A revision: edits are certified one after the other, each against the text as it is by then."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviser.errors import StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.ports import Progress
from reviser.revise.atoms import is_bibliography
from reviser.revise.gate import Gate, stale, undone
from reviser.revise.verdict import Outcome, Revision, Verdict
from reviser.text.edit import Allowed, Edit, Replacement, apply
from reviser.text.source import Place, Source, Span


def revise(
    manuscript: Manuscript,
    edits: Sequence[Edit],
    gate: Gate,
    *,
    progress: Progress | None = None,
) -> Revision:
    """Certify `edits`, which all speak of `manuscript`, in their order.

    Every edit has a verdict in the result, in the same order and in the positions it was made
    for, so that the accepted ones can be applied to `manuscript.sources` at once: that gives
    exactly `Revision.after`. An edit that meets text changed by an accepted one is stale.
    """
    gate = gate.remembering()
    current = manuscript
    accepted: list[Edit] = []
    verdicts: list[Verdict] = []
    for number, edit in enumerate(edits):
        if progress:
            progress.step("certifying edits", number, len(edits))
        try:
            moved = rebased(edit, accepted)
            whole = {**manuscript.sources, **apply(manuscript.sources, [*accepted, edit])}
        except StaleEdit as error:
            verdicts.append(stale(edit, error))
            continue
        verdict, after = gate.certify(current, moved)
        if verdict.outcome is Outcome.ACCEPTED:
            verdict = _whole(verdict, after, whole)
        if verdict.outcome is Outcome.ACCEPTED:
            current = after
            accepted.append(edit)
        verdicts.append(replace(verdict, edit=edit))
    changed = apply(manuscript.sources, accepted)
    return Revision(manuscript.sources, changed, tuple(verdicts))


def _whole(verdict: Verdict, after: Manuscript, whole: Mapping[str, Source]) -> Verdict:
    """The verdict, unless all accepted edits at once give other bytes than one after the other."""
    for path in whole.keys() | after.sources.keys():
        one, other = whole.get(path), after.sources.get(path)
        if one is None or other is None or one.encode() != other.encode():
            reason = f"{path}: applied at once, the accepted edits give another text"
            return undone(verdict, reason)
    return verdict


def rebased(edit: Edit, accepted: Sequence[Edit]) -> Edit:
    """The edit in positions of the text after `accepted`, all in positions of the text before.

    Raises StaleEdit when an accepted edit has changed the text it replaces.
    """
    done = sorted((r for e in accepted for r in e.replacements), key=lambda r: r.at.span)
    return replace(
        edit,
        replacements=tuple(_moved(part, edit, done) for part in edit.replacements),
        allows=tuple(_reallowed(allowed, done) for allowed in edit.allows),
    )


def _moved(part: Replacement, edit: Edit, done: Sequence[Replacement]) -> Replacement:
    shift = 0
    span = part.at.span
    for other in done:
        if other.at.path != part.at.path:
            continue
        if _crosses(other.at.span, span) and not _follows(part, other):
            raise StaleEdit(f"{span.start}: an accepted edit changed the text of edit {edit.id}")
        if other.at.span.stop <= span.start:
            shift += len(other.after) - len(other.before)
    return replace(part, at=Place(part.at.path, Span(span.start + shift, span.stop + shift)))


def _crosses(one: Span, other: Span) -> bool:
    """Whether two replaced stretches share text, or both replace nothing at the same place."""
    if one == other:
        return True
    return one.start < other.stop and other.start < one.stop


def _follows(part: Replacement, other: Replacement) -> bool:
    """Whether both put something into a bibliography at one place, and so one behind the other:
    entries stand each for itself."""
    inserted = not part.before and not other.before
    return inserted and is_bibliography(part.at.path)


def _reallowed(allowed: Allowed, done: Sequence[Replacement]) -> Allowed:
    """The allowance where its text is now; it grows and shrinks with what is replaced inside."""
    start, stop = allowed.at.span.start, allowed.at.span.stop
    first, last = start, stop
    for other in done:
        if other.at.path != allowed.at.path:
            continue
        growth = len(other.after) - len(other.before)
        if other.at.span.stop <= start:
            first += growth
        if other.at.span.stop <= stop:
            last += growth
    return replace(allowed, at=Place(allowed.at.path, Span(first, max(first, last))))
