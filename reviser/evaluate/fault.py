"""The values of fault injection: kinds, the truth, and where things stand after it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reviser.manuscript.model import Manuscript
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Span


class FaultKind(StrEnum):
    """What is put into the paper."""

    OTHER_FIELD = "key replaced by a work of another field"
    SAME_PAPER = "key replaced by another entry of the paper"
    ADDED = "irrelevant key added"
    SWAPPED = "two citations swapped"
    NAME = "another author's name beside the citation"
    NUMBER = "number changed in a sentence restated from the abstract"
    NEGATION = "negation dropped from a sentence restated from the abstract"
    RESTATED = "sentence restated from the abstract, unchanged"
    MISSING_COMMA = "comma between two fields missing"
    DUPLICATE_KEY = "entry pasted twice"
    SAME_WORK = "same work under two keys"
    MISSING_FIELD = "required field missing"
    AMPERSAND = "unescaped & in a field"
    UNCLOSED_BRACE = "unclosed brace in a field"
    UNDEFINED_KEY = "cited key misspelt"


KEY_KINDS = (FaultKind.OTHER_FIELD, FaultKind.SAME_PAPER, FaultKind.ADDED, FaultKind.SWAPPED)
"""Faults of which key is cited; they take turns."""
WORDING_KINDS = (FaultKind.NAME, FaultKind.NUMBER, FaultKind.NEGATION, FaultKind.RESTATED)
"""Faults of what the sentence says of a work; RESTATED is true, and must stay unnoticed."""
ENTRY_KINDS = (
    FaultKind.MISSING_COMMA,
    FaultKind.DUPLICATE_KEY,
    FaultKind.SAME_WORK,
    FaultKind.MISSING_FIELD,
    FaultKind.AMPERSAND,
    FaultKind.UNCLOSED_BRACE,
    FaultKind.UNDEFINED_KEY,
)
"""Faults of the bibliography."""


@dataclass(frozen=True, slots=True)
class Donor:
    """An entry of another paper, exactly as written there, to be cited where it does not belong."""

    key: str
    raw: str


@dataclass(frozen=True, slots=True)
class Site:
    """A citation key in the faulty text as it stands there, and the key that belongs there (None:
    nothing does). Of a fault of wording the key itself is right."""

    place: Place
    wrong: str
    right: str | None


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, with the citation keys it is about."""

    kind: FaultKind
    sites: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Injection:
    """The edit that makes the paper faulty, and the truth about it.

    `untouched` are the places, in the faulty text, of all other citation keys with evidence.
    """

    edit: Edit
    faults: tuple[Fault, ...]
    untouched: tuple[Site, ...]


@dataclass(frozen=True, slots=True)
class Planned:
    """One change of the clean text; equal groups are one fault.

    Its key stands, in the faulty text, `lead` code points behind where the clean text's `anchor`
    (an offset in the changed file) has moved.
    """

    kind: FaultKind
    group: int
    change: Replacement
    anchor: int
    lead: int
    wrong: str
    right: str | None


def mover(changes: Sequence[Replacement]) -> Callable[[str, int], int]:
    """Where an offset of the clean text stands once `changes` are made: those that begin before
    it move it along."""
    shifts: dict[str, list[tuple[int, int]]] = {}
    for change in changes:
        grown = len(change.after) - len(change.before)
        shifts.setdefault(change.at.path, []).append((change.at.span.start, grown))

    def moved(path: str, offset: int) -> int:
        return offset + sum(grown for start, grown in shifts.get(path, []) if start < offset)

    return moved


def appended(manuscript: Manuscript, entries: Sequence[str]) -> tuple[Replacement, ...]:
    """Entries as written, at the end of the first .bib that may be edited; none where there is
    none."""
    path = next(iter(editable_bibs(manuscript)), None)
    if not entries or path is None:
        return ()
    source = manuscript.sources[path]
    line_end = "\r\n" if source.newline == "crlf" else "\n"
    end = Place(path, Span(len(source.text), len(source.text)))
    return (Replacement(end, "", "".join(line_end * 2 + raw for raw in entries) + line_end),)


def editable_bibs(manuscript: Manuscript) -> tuple[str, ...]:
    """The .bib files of the paper that may be edited, in reading order."""
    return tuple(
        f.path
        for f in manuscript.files
        if f.path.endswith(".bib") and f.role == "bibliography" and not f.untouchable
    )


def fault_edit(name: str, changes: Sequence[Replacement]) -> Edit:
    """All changes of one injection as one edit."""
    return Edit(
        id=f"fault-{name}",
        rule="fault",
        replacements=tuple(changes),
        purpose=Purpose.RULE_FIX,
        why="a fault of known truth",
    )
