"""Edits certified in groups: a judge scores a group at once, and what it refuses is bisected.

Scorings then grow with what is refused, not with what is proposed. That gives the same edits as
one by one where the judge refuses every group with a bad member and passes every other; else a
group can hide a small loss behind a gain (METHODS 8).
"""

from collections.abc import Sequence
from dataclasses import replace

from reviser.errors import ReviserError, StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.ports import Progress
from reviser.revise.gate import BY_RUBRIC, Gate, stale, undone
from reviser.revise.loop import rebased
from reviser.revise.verdict import Outcome, Verdict
from reviser.text.edit import Edit, apply

BATCH = 8
"""Edits that are certified together, unless a run is told another number."""


def certify_group(
    gate: Gate,
    before: Manuscript,
    edits: Sequence[Edit],
    *,
    size: int = BATCH,
    progress: Progress | None = None,
) -> tuple[tuple[Verdict, ...], Manuscript]:
    """The verdicts on `edits`, which all speak of `before`, and the paper with the accepted ones.

    Every edit passes the cheaper layers by itself, against the text as it is with those before
    it; then up to `size` independent ones are scored together, and the halves of what is refused
    again. Each edit that is refused was scored by itself. Where the judge could not be used, a
    group stays undecided. Edits that touch the same section wait for one another: they are judged
    in the text that the first one left. With a `size` of 1 all are judged one by one.

    The verdicts are in the order of `edits` and speak of the positions in `before`; applying the
    accepted ones to `before` at once gives the paper returned, byte for byte.
    """
    run = _Run(gate.remembering(), before, edits)
    waiting = list(range(len(edits)))
    while waiting:
        if progress is not None:
            progress.step("certifying edits", len(edits) - len(waiting), len(edits))
        group = _independent(before, edits, waiting, max(1, size))
        waiting = [number for number in waiting if number not in group]
        run.certify(group)
    return tuple(run.verdicts[number] for number in range(len(edits))), run.current


def units(manuscript: Manuscript, edit: Edit) -> frozenset[tuple[str, int]]:
    """What an edit touches: its file and the innermost sections of its paragraphs; -1 for what is
    no paragraph. Edits of which these are disjoint share no sentence, and so no claim."""
    found = set()
    for part in edit.replacements:
        span = part.at.span
        sections = {
            paragraph.section
            for paragraph in manuscript.paragraphs
            if paragraph.at.path == part.at.path
            and paragraph.at.span.start <= span.stop
            and span.start <= paragraph.at.span.stop
        }
        found |= {(part.at.path, section) for section in sections or {-1}}
    return frozenset(found)


def _independent(
    manuscript: Manuscript, edits: Sequence[Edit], waiting: Sequence[int], size: int
) -> list[int]:
    """The first edits of `waiting` that touch nothing in common, at most `size`; an edit is not
    preferred to an earlier one of the same section that has to wait."""
    group: list[int] = []
    taken: set[tuple[str, int]] = set()
    for number in waiting:
        touched = units(manuscript, edits[number])
        if len(group) < size and taken.isdisjoint(touched):
            group.append(number)
        taken |= touched
    return group


class _Run:
    """The text as it is by now, and what became of each edit."""

    def __init__(self, gate: Gate, before: Manuscript, edits: Sequence[Edit]) -> None:
        self.current = before
        self.verdicts: dict[int, Verdict] = {}
        self._gate = gate
        self._before = before
        self._edits = edits
        self._accepted: list[int] = []
        # By the edits in the text and the one that is admitted to it.
        self._admitted: dict[tuple[frozenset[int], int], Verdict] = {}

    def certify(self, group: Sequence[int]) -> None:
        """Judge independent edits: those that no rubric scores first, one by one."""
        scored = [n for n in group if self._edits[n].purpose in BY_RUBRIC]
        for number in group:
            if number not in scored:
                verdicts, after = self._composed([number])
                self._settle([number], verdicts, after)
        self._bisect(scored, known=False)

    def _bisect(self, group: Sequence[int], *, known: bool) -> bool:
        """Judge a group and, where it is refused, its halves; whether all of it was accepted.

        `known` tells that it holds a bad one, so that it need not be scored as a whole: it was
        refused together with others that were then accepted.
        """
        verdicts, after = self._composed(group)
        admitted = [number for number in group if number in verdicts]
        if not admitted:
            return False
        if not known or len(admitted) == 1:
            scored = self._scored(admitted, verdicts, after)
            if len(admitted) == 1 or scored[0].outcome is not Outcome.REJECTED:
                self._settle(admitted, dict(zip(admitted, scored, strict=True)), after)
                return all(self.verdicts[n].outcome is Outcome.ACCEPTED for n in group)
        middle = (len(admitted) + 1) // 2
        first = self._bisect(admitted[:middle], known=False)
        self._bisect(admitted[middle:], known=first)
        return False

    def _composed(self, group: Sequence[int]) -> tuple[dict[int, Verdict], Manuscript]:
        """The edits of `group` that the cheaper layers admit, one after the other, and the paper
        with them; the others have their verdict."""
        admitted: dict[int, Verdict] = {}
        paper, sources = self.current, self.current.sources
        for number in group:
            there = [*self._accepted, *admitted]
            place = frozenset(there), number
            try:
                moved = rebased(self._edits[number], [self._edits[n] for n in there])
                changed = apply(sources, [moved])
                if place not in self._admitted:
                    if paper.sources is not sources:
                        paper = self._gate.reread(sources)
                    self._admitted[place], paper = self._gate.admit(paper, moved)
                    sources = paper.sources
                elif self._admitted[place].outcome is Outcome.ACCEPTED:
                    sources = {**sources, **changed}
            except StaleEdit as error:
                self._admitted[place] = stale(self._edits[number], error)
            verdict = replace(self._admitted[place], edit=self._edits[number])
            if verdict.outcome is Outcome.ACCEPTED:
                admitted[number] = verdict
            else:
                self.verdicts[number] = verdict
        return admitted, paper if paper.sources is sources else self._gate.reread(sources)

    def _scored(
        self, admitted: Sequence[int], verdicts: dict[int, Verdict], after: Manuscript
    ) -> tuple[Verdict, ...]:
        """What the rubric says of the edits together, which it is given in today's positions."""
        done = [self._edits[n] for n in self._accepted]
        moved = [replace(verdicts[n], edit=rebased(self._edits[n], done)) for n in admitted]
        return self._gate.scored(self.current, after, moved)

    def _settle(
        self, group: Sequence[int], verdicts: dict[int, Verdict], after: Manuscript
    ) -> None:
        """Keep the verdicts of a group that was judged, and its text where it was accepted."""
        found = [replace(verdicts[n], edit=self._edits[n]) for n in group if n in verdicts]
        if found and all(verdict.outcome is Outcome.ACCEPTED for verdict in found):
            why = self._differs([*self._accepted, *group], after)
            if why:
                found = [undone(verdict, why) for verdict in found]
            else:
                self._accepted += group
                self.current = after
        self.verdicts.update(zip([n for n in group if n in verdicts], found, strict=True))

    def _differs(self, accepted: Sequence[int], after: Manuscript) -> str:
        """Why the accepted edits do not give this text when all are applied at once, else ""."""
        try:
            changed = apply(self._before.sources, [self._edits[n] for n in accepted])
        except ReviserError as error:
            return f"the accepted edits cannot be applied at once: {error}"
        whole = {**self._before.sources, **changed}
        if whole.keys() == after.sources.keys() and all(
            source.encode() == after.sources[path].encode() for path, source in whole.items()
        ):
            return ""
        return "applied at once, the accepted edits give another text"
