"""Faults of known truth for a paper: what authors get wrong, put there on purpose.

The injector knows nothing of the detectors: it picks citations at random and uses no pattern,
threshold or word list of `review`, `verify` or `revise`.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reviser.latex.elements import BibEntry, CitationForm, Key
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span


class FaultKind(StrEnum):
    """What is put into the paper."""

    OTHER_FIELD = "key replaced by a work of another field"
    SAME_PAPER = "key replaced by another entry of the paper"
    ADDED = "irrelevant key added"
    SWAPPED = "two citations swapped"


@dataclass(frozen=True, slots=True)
class Donor:
    """An entry of another paper, exactly as written there, to be cited where it does not belong."""

    key: str
    raw: str


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `sites` are the wrong keys with the places they have in the faulty text, and
    the right keys (None where nothing should be cited instead)."""

    kind: FaultKind
    sites: tuple["Site", ...]


@dataclass(frozen=True, slots=True)
class Site:
    """Where a wrong key stands after injection, and the key that belongs there."""

    place: Place
    wrong: str
    right: str | None


@dataclass(frozen=True, slots=True)
class Injection:
    """The edit that makes the paper faulty, and the truth about it.

    `untouched` are the places, in the faulty text, of all other citation keys with evidence.
    """

    edit: Edit
    faults: tuple[Fault, ...]
    untouched: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A replacement of one key's text, before places have moved; equal groups are one fault."""

    kind: FaultKind
    group: int
    key: Key
    written: str
    wrong: str
    right: str | None


def inject(
    manuscript: Manuscript,
    donors: Sequence[Donor],
    *,
    has_evidence: Callable[[BibEntry], bool],
    share: float,
    seed: int,
) -> Injection:
    """Put faults into about `share` (0 to 1) of the citations whose entries have evidence.

    Kinds take turns. `donors` get neutral keys and are appended to the paper's first editable
    .bib. The same arguments give the same injection. A kind that needs a donor, or a second
    citation, is passed over where there is none.
    """
    draw = random.Random(seed)  # noqa: S311 - reproducible draws, not secrets
    pool = _eligible(manuscript, has_evidence)
    foreign = _foreign(manuscript, donors, draw)
    planned = _plan(pool, sorted(foreign), draw, round(share * len(pool)))
    used = [foreign[p.wrong] for p in planned if p.wrong in foreign]
    replacements = [Replacement(p.key.at, p.key.name, p.written) for p in planned]
    edit = Edit(
        id=f"fault-{seed}",
        rule="fault",
        replacements=(*replacements, *_appended(manuscript, used)),
        purpose=Purpose.RULE_FIX,
        why="a fault of known truth",
    )
    return _located(edit, planned, pool)


def _eligible(
    manuscript: Manuscript, has_evidence: Callable[[BibEntry], bool]
) -> tuple[tuple[int, Key], ...]:
    """Literal keys with evidence, each with the index of the sentence it is cited in."""
    found = []
    for index, citation in enumerate(manuscript.citations):
        sentence = manuscript.sentence_of.get(index)
        if citation.form is CitationForm.UNSEEN or sentence is None:
            continue
        for key in citation.keys:
            entry = manuscript.entry_of.get(key.name.lower())
            literal = key.editable and manuscript.text(key.at) == key.name
            if literal and entry is not None and has_evidence(entry):
                found.append((sentence, key))
    return tuple(found)


def _foreign(
    manuscript: Manuscript, donors: Sequence[Donor], draw: random.Random
) -> Mapping[str, str]:
    """Raw entries by a new key, which gives nothing of the work away."""
    shuffled = sorted(donors, key=lambda d: (d.key, d.raw))
    draw.shuffle(shuffled)
    keys = (f"ref{number:04d}" for number in range(len(shuffled)))
    return {
        key: donor.raw.replace(donor.key, key, 1)
        for key, donor in zip(keys, shuffled, strict=True)
        if key not in manuscript.entry_of
    }


def _plan(
    pool: Sequence[tuple[int, Key]], foreign: Sequence[str], draw: random.Random, wanted: int
) -> list[_Planned]:
    """At most one fault a sentence, so that each stands for itself."""
    order = list(pool)
    draw.shuffle(order)
    names = sorted({key.name for _, key in pool})
    supply = list(reversed(foreign))
    planned: list[_Planned] = []
    taken: set[int] = set()
    for turn in range(len(order)):
        free = [(s, k) for s, k in order if s not in taken]
        if len(planned) >= wanted or not free:
            break
        sentence, key = free[0]
        kind = list(FaultKind)[turn % len(FaultKind)]
        others = [name for name in names if name.lower() != key.name.lower()]
        if kind is FaultKind.SWAPPED:
            partner = next(((s, k) for s, k in free if s != sentence and k.name != key.name), None)
            if partner is None:
                continue
            taken.add(partner[0])
            planned.append(_Planned(kind, turn, key, partner[1].name, partner[1].name, key.name))
            planned.append(_Planned(kind, turn, partner[1], key.name, key.name, partner[1].name))
        elif kind is FaultKind.SAME_PAPER and others:
            wrong = draw.choice(others)
            planned.append(_Planned(kind, turn, key, wrong, wrong, key.name))
        elif kind is FaultKind.OTHER_FIELD and supply:
            wrong = supply.pop()
            planned.append(_Planned(kind, turn, key, wrong, wrong, key.name))
        elif kind is FaultKind.ADDED and supply:
            wrong = supply.pop()
            planned.append(_Planned(kind, turn, key, f"{key.name},{wrong}", wrong, None))
        else:
            continue
        taken.add(sentence)
    return planned


def _appended(manuscript: Manuscript, entries: Sequence[str]) -> tuple[Replacement, ...]:
    """The donors' entries at the end of the first .bib that may be edited."""
    if not entries:
        return ()
    path = next(
        f.path
        for f in manuscript.files
        if f.path.endswith(".bib") and f.role == "bibliography" and not f.untouchable
    )
    source = manuscript.sources[path]
    line_end = "\r\n" if source.newline == "crlf" else "\n"
    end = Place(path, Span(len(source.text), len(source.text)))
    return (Replacement(end, "", "".join(line_end * 2 + raw for raw in entries) + line_end),)


def _located(edit: Edit, planned: Sequence[_Planned], pool: Sequence[tuple[int, Key]]) -> Injection:
    """Turn places of the clean text into places of the faulty one."""
    shifts: dict[str, list[tuple[int, int]]] = {}
    for p in planned:
        change = len(p.written) - len(p.key.at.span)
        shifts.setdefault(p.key.at.path, []).append((p.key.at.span.start, change))

    def moved(place: Place) -> int:
        earlier = shifts.get(place.path, [])
        return place.span.start + sum(c for start, c in earlier if start < place.span.start)

    faults: dict[int, tuple[FaultKind, list[Site]]] = {}
    for p in planned:
        start = moved(p.key.at) + len(p.written) - len(p.wrong)
        at = Place(p.key.at.path, Span(start, start + len(p.wrong)))
        faults.setdefault(p.group, (p.kind, []))[1].append(Site(at, p.wrong, p.right))
    changed = {p.key.at for p in planned if p.right is not None}
    untouched = []
    for _, key in pool:
        if key.at not in changed:
            start = moved(key.at)
            at = Place(key.at.path, Span(start, start + len(key.name)))
            untouched.append(Site(at, key.name, key.name))
    return Injection(
        edit, tuple(Fault(kind, tuple(sites)) for kind, sites in faults.values()), tuple(untouched)
    )
