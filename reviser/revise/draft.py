"""A text under revision: edits of the text as it now is, kept as edits of the text as it was.

Rounds of revision make edits of a text that earlier edits have already changed. What is delivered
in the end speaks of the first text only, and each edit of it must be able to stand alone. So an
edit that changes words which an earlier one brought takes the earlier one up into itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from reviser.errors import StaleEdit
from reviser.ports import Item
from reviser.revise.atoms import is_bibliography
from reviser.revise.change import WORDS
from reviser.revise.loop import rebased
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Replacement, apply
from reviser.text.source import Place, Source, Span


class _Piece(NamedTuple):
    """An accepted replacement: what it replaced at the start, where its words are now, and whose
    it is."""

    replaced: Replacement
    now: Span
    owner: str


class _Join(NamedTuple):
    """New replacements of the present text with the pieces they change: one stretch of both."""

    parts: list[Replacement]
    pieces: list[_Piece]


@dataclass(frozen=True)
class Composed:
    """An edit in positions of the start. `holds` are the ids of the accepted edits whose words it
    changes, and which are part of it from now on."""

    edit: Edit
    holds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draft:
    """`start` and `now` are whole papers, file by file; `verdicts` speak of `start`.

    Applying `accepted` to `start` gives `now`, byte for byte, and no two of them share text.
    """

    start: Mapping[str, Source]
    now: Mapping[str, Source]
    verdicts: tuple[Verdict, ...] = ()

    @property
    def accepted(self) -> tuple[Edit, ...]:
        """The edits that are in the text now."""
        return tuple(v.edit for v in self.verdicts if v.outcome is Outcome.ACCEPTED)

    @property
    def changed(self) -> dict[str, Source]:
        """The files that are not as they were."""
        paths = {path for edit in self.accepted for path in edit.paths}
        return {path: self.now[path] for path in sorted(paths)}

    def judged(self, verdicts: Sequence[Verdict]) -> "Draft":
        """The draft after a group of edits was judged, all in positions of `now`.

        Raises StaleEdit, and nothing has happened, when the accepted ones cannot be applied.
        """
        draft, taken = self, list[Edit]()
        for verdict in verdicts:
            if verdict.outcome is Outcome.ACCEPTED:
                draft = draft.taken(replace(verdict, edit=rebased(verdict.edit, taken)))
                taken.append(verdict.edit)
            else:
                draft = replace(draft, verdicts=(*draft.verdicts, self._noted(verdict)))
        return draft

    def taken(self, verdict: Verdict) -> "Draft":
        """The draft with one more accepted edit, in positions of `now`.

        The verdicts of edits that it takes up stay, and say so. Raises StaleEdit when the text is
        not what the edit expects.
        """
        now = {**self.now, **apply(self.now, [verdict.edit])}
        composed = self.composed(verdict.edit)
        new = replace(verdict, edit=composed.edit, holds=composed.holds)
        if not composed.edit.replacements:
            back = f"it puts back what {', '.join(composed.holds)} had changed"
            reasons = (*verdict.reasons, back)
            new = replace(new, edit=verdict.edit, outcome=Outcome.SUPERSEDED, reasons=reasons)
        verdicts = (*(_given_up(v, composed) for v in self.verdicts), new)
        draft = Draft(self.start, now, verdicts)
        whole = {**self.start, **apply(self.start, draft.accepted)}
        if any(whole[path].text != source.text for path, source in now.items()):
            raise StaleEdit(f"edit {verdict.edit.id} cannot be told as one of the first text")
        return draft

    def composed(self, edit: Edit) -> Composed:
        """An edit of `now` as an edit of `start`; one that replaces nothing puts all back."""
        joins = [join for path in edit.paths for join in self._joins(path, edit)]
        holds = {piece.owner for join in joins for piece in join.pieces}
        joined = {piece.replaced for join in joins for piece in join.pieces}
        held = [one for one in self.accepted if one.id in holds]
        kept = [part for one in held for part in one.replacements if part not in joined]
        brought = [self._joined(join) for join in joins]
        parts = sorted([*kept, *(p for p in brought if p.before != p.after)], key=lambda p: p.at)
        made = replace(edit, replacements=tuple(parts), allows=())
        return Composed(
            replace(
                made,
                why="; ".join(dict.fromkeys([edit.why, *(one.why for one in held)])),
                allows=_worded(self.start, made, self._allowances(edit, held)),
                evidence=_once([edit.evidence, *(one.evidence for one in held)]),
                answers=_once([edit.answers, *(one.answers for one in held)]),
                grounds=_once([edit.grounds, *(one.grounds for one in held)]),
            ),
            tuple(one.id for one in held),
        )

    def origin(self, place: Place) -> Place:
        """Where the text at a place of `now` stood at the start; what was brought since stood
        where it replaced something."""
        pieces = self._pieces.get(place.path, ())
        return Place(place.path, _whence(place.span, pieces))

    def _noted(self, verdict: Verdict) -> Verdict:
        """A verdict on an edit that was not made, in positions of the start where it has any."""
        composed = self.composed(verdict.edit)
        if not composed.edit.replacements:
            return verdict
        return replace(verdict, edit=composed.edit, holds=composed.holds)

    @cached_property
    def _pieces(self) -> Mapping[str, tuple[_Piece, ...]]:
        """The accepted replacements of each file, in reading order."""
        found: dict[str, list[_Piece]] = {}
        shifts: dict[str, int] = {}
        parts = [(part, edit.id) for edit in self.accepted for part in edit.replacements]
        for part, owner in sorted(parts, key=lambda pair: pair[0].at):
            path, shift = part.at.path, shifts.get(part.at.path, 0)
            first = part.at.span.start + shift
            now = Span(first, first + len(part.after))
            found.setdefault(path, []).append(_Piece(part, now, owner))
            shifts[path] = shift + len(part.after) - len(part.before)
        return {path: tuple(pieces) for path, pieces in found.items()}

    def _joins(self, path: str, edit: Edit) -> list[_Join]:
        """The edit's replacements in a file, each with the pieces whose words it changes."""
        joins = [_Join([part], []) for part in edit.replacements if part.at.path == path]
        for piece in self._pieces.get(path, ()):
            met = [join for join in joins if any(_meets(part, piece) for part in join.parts)]
            if met:
                joins = [join for join in joins if not any(join is one for one in met)]
                parts = list(chain.from_iterable(join.parts for join in met))
                pieces = list(chain.from_iterable(join.pieces for join in met))
                joins.append(_Join(parts, [*pieces, piece]))
        return [self._filled(path, join) for join in joins]

    def _filled(self, path: str, join: _Join) -> _Join:
        """The join with what was taken out between its pieces, of which no word is left to meet."""
        if len(join.pieces) < 2:
            return join
        first = min(piece.replaced.at for piece in join.pieces)
        last = max(piece.replaced.at for piece in join.pieces)
        between = [p for p in self._pieces[path] if first <= p.replaced.at <= last]
        return _Join(join.parts, between)

    def _joined(self, join: _Join) -> Replacement:
        """One replacement of the start's text that does what all of a join do."""
        path = join.parts[0].at.path
        pieces = self._pieces.get(path, ())
        spans = [part.at.span for part in join.parts]
        if not join.pieces:
            return replace(join.parts[0], at=Place(path, _whence(spans[0], pieces)))
        first = min([s.start for s in spans] + [p.now.start for p in join.pieces])
        last = max([s.stop for s in spans] + [p.now.stop for p in join.pieces])
        replaced = [p.replaced.at.span for p in join.pieces]
        # An insertion lies inside of a piece, or at its edge: it replaces nothing besides.
        replaced += [_whence(span, pieces) for span in spans if len(span)]
        start, stop = min(s.start for s in replaced), max(s.stop for s in replaced)
        text, cursor = list[str](), first
        for part in sorted(join.parts, key=lambda p: p.at.span):
            text += [self.now[path][Span(cursor, part.at.span.start)], part.after]
            cursor = part.at.span.stop
        text.append(self.now[path][Span(cursor, last)])
        at = Span(start, stop)
        return Replacement(Place(path, at), self.start[path][at], "".join(text))

    def _allowances(self, edit: Edit, held: Sequence[Edit]) -> tuple[Allowed, ...]:
        """What the edit and those it takes up may change, as one change of the start."""
        found = [allowed for one in held for allowed in one.allows]
        for allowed in edit.allows:
            new = replace(allowed, at=self.origin(allowed.at))
            earlier = next((old for old in found if _undoes(new, old)), None)
            if earlier is not None:
                found.remove(earlier)
                new = replace(earlier, gained=new.gained)
            if new.lost != new.gained:
                found.append(new)
        return tuple(found)


def _meets(part: Replacement, piece: _Piece) -> bool:
    """Whether a replacement changes words of a piece, or both bring words at one place."""
    span, now = part.at.span, piece.now
    if span.overlaps(now):
        return True
    both_insert = not len(span) and not len(piece.replaced.at.span)
    # Entries of a bibliography that follow one another have nothing to do with each other.
    edges = {now.start} if is_bibliography(part.at.path) else {now.start, now.stop}
    return both_insert and span.start in edges


def _back(offset: int, pieces: Sequence[_Piece], *, late: bool) -> int:
    """The place at the start of an offset of the present text; inside a piece, the nearer end of
    what it replaced. Where words were taken out, `late` decides for the place before them: right
    for the end of a stretch and for an insertion."""
    shift = 0
    for piece in pieces:
        if piece.now.stop > offset:
            if piece.now.start < offset:
                return piece.replaced.at.span.stop if late else piece.replaced.at.span.start
            break
        if late and piece.now.start == offset:
            break
        shift += len(piece.replaced.after) - len(piece.replaced.before)
    return offset - shift


def _whence(span: Span, pieces: Sequence[_Piece]) -> Span:
    """The stretch of the start that a stretch of the present text came of."""
    start = _back(span.start, pieces, late=not len(span))
    return Span(start, max(start, _back(span.stop, pieces, late=True)))


def _given_up(verdict: Verdict, by: Composed) -> Verdict:
    """A verdict, which says so where its edit was taken up into another."""
    if verdict.outcome is not Outcome.ACCEPTED or verdict.edit.id not in by.holds:
        return verdict
    said = f"accepted, and later taken up into edit {by.edit.id}, which changed its words again"
    reasons = (*verdict.reasons, said)
    return replace(verdict, outcome=Outcome.SUPERSEDED, layer=Layer.STALE, reasons=reasons)


def _undoes(new: Allowed, old: Allowed) -> bool:
    """Whether an allowance loses just what an earlier one gained."""
    return (
        new.lost is not None
        and (new.kind, new.lost) == (old.kind, old.gained)
        and new.at.path == old.at.path
        and new.at.span.start <= old.at.span.stop
        and old.at.span.start <= new.at.span.stop
    )


def _worded(
    start: Mapping[str, Source], made: Edit, allows: Sequence[Allowed]
) -> tuple[Allowed, ...]:
    """The allowances, those that speak of running words with the words as they come to be."""
    result: list[Allowed] = []
    for allowed in allows:
        if allowed.kind != WORDS:
            result.append(allowed)
            continue
        path, span = allowed.at.path, allowed.at.span
        inside = [p for p in made.replacements if p.at.path == path and _within(p.at.span, span)]
        for part in inside:
            span = Span(min(span.start, part.at.span.start), max(span.stop, part.at.span.stop))
        text, cursor = list[str](), span.start
        for part in inside:
            text += [start[path][Span(cursor, part.at.span.start)], part.after]
            cursor = part.at.span.stop
        text.append(start[path][Span(cursor, span.stop)])
        new = Allowed(WORDS, Place(path, span), start[path][span], "".join(text))
        if new.lost != new.gained and new not in result:
            result.append(new)
    return tuple(result)


def _within(part: Span, span: Span) -> bool:
    return part.overlaps(span) or span.covers(part)


def _once(lists: Sequence[Sequence[Item]]) -> tuple[Item, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))
