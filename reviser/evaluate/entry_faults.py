"""Faults of the bibliography, of known truth: one entry at a time, made as a slip of the hand."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reviser.evaluate.citing import literal
from reviser.evaluate.fault import (
    ENTRY_KINDS,
    FaultKind,
    editable_bibs,
    fault_edit,
    mover,
)
from reviser.latex.elements import BibEntry, CitationForm, Field, Key
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Edit, Replacement
from reviser.text.source import Place, Span

_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "article": ("author", "title", "journal", "year"),
    "inproceedings": ("author", "title", "booktitle", "year"),
    "book": ("title", "publisher", "year"),
    "phdthesis": ("author", "title", "school", "year"),
}
"""What BibTeX's manual asks of the four commonest kinds."""
_PRINTED = ("title", "journal", "booktitle")


@dataclass(frozen=True, slots=True)
class EntryFault:
    """One fault of the bibliography. `regions` are where a finding about it may stand in the
    faulty text: the entries it touches, or the misspelt key; `names` are the keys it is about."""

    kind: FaultKind
    regions: tuple[Place, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryInjection:
    """The edit that makes the bibliography faulty, and the truth about it."""

    edit: Edit
    faults: tuple[EntryFault, ...]


@dataclass(frozen=True, slots=True)
class _Slip:
    """Changes for one fault; `about` are places of the clean text, `names` the keys concerned."""

    changes: tuple[Replacement, ...]
    about: tuple[Place, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Desk:
    """The paper, and the entries that are still as they were."""

    manuscript: Manuscript
    cited: Mapping[str, tuple[Key, ...]]
    draw: random.Random


def inject_entries(manuscript: Manuscript, *, seed: int) -> EntryInjection:
    """One fault of every kind that the paper has room for, in cited entries that are not
    neighbours. The same seed gives the same faults."""
    draw = random.Random(seed)  # noqa: S311 - reproducible draws, not secrets
    desk = _Desk(manuscript, _cited(manuscript), draw)
    free = list(_usable(manuscript, desk.cited))
    order = {entry.at: number for number, entry in enumerate(manuscript.entries)}
    draw.shuffle(free)
    slips: list[tuple[FaultKind, _Slip]] = []
    for kind in ENTRY_KINDS:
        for entry in free:
            slip = _MAKERS[kind](desk, entry)
            if slip is not None:
                slips.append((kind, slip))
                here = order[entry.at]
                free = [e for e in free if abs(order[e.at] - here) > 1]
                break
    edit = fault_edit(f"entries-{seed}", [c for _, slip in slips for c in slip.changes])
    moved = mover(edit.replacements)
    faults = tuple(
        EntryFault(kind, tuple(_after(place, moved) for place in slip.about), slip.names)
        for kind, slip in slips
    )
    return EntryInjection(edit, faults)


def _after(place: Place, moved: Callable[[str, int], int]) -> Place:
    """A stretch of the clean text with all that was written in it or right behind it."""
    start = moved(place.path, place.span.start)
    return Place(place.path, Span(start, max(start, moved(place.path, place.span.stop + 1) - 1)))


def _cited(manuscript: Manuscript) -> Mapping[str, tuple[Key, ...]]:
    """The literal places of each cited key, by the key in lower case."""
    found: dict[str, list[Key]] = {}
    for citation in manuscript.citations:
        if citation.form is not CitationForm.UNSEEN:
            for key in citation.keys:
                if literal(manuscript, key):
                    found.setdefault(key.name.lower(), []).append(key)
    return {name: tuple(keys) for name, keys in found.items()}


def _usable(manuscript: Manuscript, cited: Mapping[str, tuple[Key, ...]]) -> Sequence[BibEntry]:
    """Cited entries, alone under their key, of a .bib that may be edited, inheriting nothing."""
    bibs = editable_bibs(manuscript)
    keys = [entry.key.lower() for entry in manuscript.entries]
    return [
        entry
        for entry in manuscript.entries
        if entry.at.path in bibs
        and entry.key.lower() in cited
        and keys.count(entry.key.lower()) == 1
        and len(entry.fields) > 2
        and not entry.get("crossref")
        and len({field.name for field in entry.fields}) == len(entry.fields)
    ]


def _gap(field: Field, following: Field) -> Place:
    """From the end of one value to the beginning of the next."""
    return Place(field.at.path, Span(field.at.span.stop, following.at.span.start))


def _missing_comma(desk: _Desk, entry: BibEntry) -> _Slip | None:
    pairs = list(pairwise(entry.fields))
    desk.draw.shuffle(pairs)
    for field, following in pairs:
        if field.at.span.start > following.at.span.start:
            continue
        gap = _gap(field, following)
        between = desk.manuscript.text(gap)
        if between.count(",") == 1 and "%" not in between:
            start = gap.span.start + between.index(",")
            at = Place(gap.path, Span(start, start + 1))
            return _Slip((Replacement(at, ",", ""),), (entry.at,), (entry.key,))
    return None


def _pasted_twice(desk: _Desk, entry: BibEntry) -> _Slip | None:
    end = Place(entry.at.path, Span(entry.at.span.stop, entry.at.span.stop))
    copy = f"\n\n{desk.manuscript.text(entry.at)}"
    return _Slip((Replacement(end, "", copy),), (entry.at,), (entry.key,))


def _two_keys(desk: _Desk, entry: BibEntry) -> _Slip | None:
    """The entry once more under a new key, which one of its citations then uses."""
    uses = desk.cited[entry.key.lower()]
    new = f"{entry.key}again"
    if len(uses) < 2 or new.lower() in desk.manuscript.entry_of:
        return None
    use = desk.draw.choice(uses)
    end = Place(entry.at.path, Span(entry.at.span.stop, entry.at.span.stop))
    copy = desk.manuscript.text(entry.at).replace(entry.key, new, 1)
    changes = (Replacement(end, "", f"\n\n{copy}"), Replacement(use.at, use.name, new))
    return _Slip(changes, (entry.at, use.at), (entry.key, new))


def _missing_field(desk: _Desk, entry: BibEntry) -> _Slip | None:
    wanted = _REQUIRED.get(entry.kind, ())
    present = [f for f in entry.fields if f.name in wanted and f is not entry.fields[-1]]
    desk.draw.shuffle(present)
    for field in present:
        following = entry.fields[entry.fields.index(field) + 1]
        gap = desk.manuscript.text(_gap(field, following))
        start = _name_start(desk, entry, field)
        if start is not None and gap.count(",") == 1 and "%" not in gap:
            stop = field.at.span.stop + gap.index(",") + 1
            at = Place(field.at.path, Span(start, stop))
            change = Replacement(at, desk.manuscript.text(at), "")
            return _Slip((change,), (entry.at,), (entry.key,))
    return None


def _name_start(desk: _Desk, entry: BibEntry, field: Field) -> int | None:
    """Where the field's name begins, looking back from its value."""
    text = desk.manuscript.sources[field.at.path].text
    value = field.at.span.start
    start = text.lower().rfind(field.name, entry.key_at.span.stop, value)
    between = text[start + len(field.name) : value] if start >= 0 else "?"
    return start if between.strip() == "=" else None


def _ampersand(desk: _Desk, entry: BibEntry) -> _Slip | None:
    fields = [f for f in entry.fields if f.name in _PRINTED and " " in f.raw.strip("{} ")]
    desk.draw.shuffle(fields)
    for field in fields:
        inside = field.raw[1:-1]
        if not field.raw.startswith(("{", '"')) or "$" in inside or "\\" in inside:
            continue
        start = field.at.span.start + 1
        joint = " and " if " and " in inside else " "
        start += inside.index(joint, len(inside) - len(inside.lstrip()))
        at = Place(field.at.path, Span(start, start + len(joint)))
        return _Slip((Replacement(at, joint, " & "),), (entry.at,), (entry.key,))
    return None


def _unclosed(desk: _Desk, entry: BibEntry) -> _Slip | None:
    fields = [f for f in entry.fields if f.raw.startswith("{") and f.raw.endswith("}")]
    if not fields:
        return None
    end = desk.draw.choice(fields).at.span.stop
    at = Place(entry.at.path, Span(end - 1, end))
    return _Slip((Replacement(at, "}", ""),), (entry.at,), (entry.key,))


def _misspelt(desk: _Desk, entry: BibEntry) -> _Slip | None:
    """Two neighbouring characters of a cited key change places."""
    use = desk.draw.choice(desk.cited[entry.key.lower()])
    places = list(range(len(use.name) - 1))
    desk.draw.shuffle(places)
    for place in places:
        pair = use.name[place : place + 2]
        wrong = use.name[:place] + pair[::-1] + use.name[place + 2 :]
        if pair.isalnum() and wrong.lower() not in desk.manuscript.entry_of:
            return _Slip((Replacement(use.at, use.name, wrong),), (use.at,), (entry.key, wrong))
    return None


_MAKERS: Mapping[FaultKind, Callable[[_Desk, BibEntry], _Slip | None]] = {
    FaultKind.MISSING_COMMA: _missing_comma,
    FaultKind.DUPLICATE_KEY: _pasted_twice,
    FaultKind.SAME_WORK: _two_keys,
    FaultKind.MISSING_FIELD: _missing_field,
    FaultKind.AMPERSAND: _ampersand,
    FaultKind.UNCLOSED_BRACE: _unclosed,
    FaultKind.UNDEFINED_KEY: _misspelt,
}
