"""An edit as a value: what it expects to find, what it brings, and what it may change."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from reviser.errors import StaleEdit
from reviser.text.source import Place, Source


class Purpose(StrEnum):
    """Why an edit is made; it decides which layers of the gate the edit must pass."""

    RULE_FIX = "rule fix"
    PRUNE = "prune citation"
    REPLACE = "replace citation"
    CLAIM_REWRITE = "claim rewrite"
    POINT = "reviewer point"
    HUMAN = "human item"
    OUTLINE = "outline"


@dataclass(frozen=True, slots=True)
class Replacement:
    """Put `after` where `before` stands. `before` must be the exact text at `at`."""

    at: Place
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Allowed:
    """One protected atom that an edit may lose, gain or exchange, and nothing beyond it.

    `at` is where it stands (or is inserted) in the text before the edit; `lost` and `gained` are
    its words, None where nothing is lost or gained. Kinds and words the gate knows:

    - "citation key": the key as written; `at` is the key's own span (`Key.at`)
    - "entry": the key as written; `at` is `BibEntry.at`; its fields go and come with it
    - "field": name, " = " and the raw value, as in `year = {2020}`; `at` is `Field.at`
    - "entry key": the key as written, where an entry is renamed; `at` is `BibEntry.key_at`
    - "label", "reference", "number", "math" and the other kinds of `revise.atoms`: exact text
    """

    kind: str
    at: Place
    lost: str | None
    gained: str | None


@dataclass(frozen=True, slots=True)
class Ground:
    """What some new words rest on: `said` as they stand in the text (a cell, a sentence), and the
    exact words `quote` of the work `key`, which are read at `where` ("abstract", a section)."""

    said: str
    key: str
    where: str
    quote: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the paper that is applied whole or not at all.

    `allows` is the exact difference in protected atoms that it may cause; only rules and verify
    set it. `answers` holds the fingerprints of the findings it settles. `grounds` tell, for a
    block that is put in, what each filled cell rests on: the gate looks all of them up.
    """

    id: str
    rule: str
    replacements: tuple[Replacement, ...]
    purpose: Purpose
    why: str
    allows: tuple[Allowed, ...] = ()
    evidence: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    grounds: tuple[Ground, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files it touches, sorted."""
        return tuple(sorted({r.at.path for r in self.replacements}))


def apply(sources: Mapping[str, Source], edits: Iterable[Edit]) -> dict[str, Source]:
    """The files that `edits` touch, changed; all edits speak of the text in `sources`.

    Raises StaleEdit, naming file, line and edit, when the expected text is not there, when two
    replacements overlap, or when the new text cannot be written in the file's encoding.
    """
    by_path: dict[str, list[tuple[Replacement, Edit]]] = {}
    for edit in edits:
        for replacement in edit.replacements:
            by_path.setdefault(replacement.at.path, []).append((replacement, edit))
    return {path: _changed(sources.get(path), path, parts) for path, parts in by_path.items()}


def _changed(source: Source | None, path: str, parts: list[tuple[Replacement, Edit]]) -> Source:
    if source is None:
        raise StaleEdit(f"{path}: there is no such file for edit {parts[0][1].id}")
    pieces: list[str] = []
    cursor = 0
    for replacement, edit in sorted(parts, key=lambda part: part[0].at.span):
        span = replacement.at.span
        if span.start < cursor:
            raise StaleEdit(
                f"{path}:{source.line(span.start)}: edit {edit.id} overlaps another edit"
            )
        if source[span] != replacement.before:
            raise StaleEdit(
                f"{path}:{source.line(min(span.start, len(source.text)))}: "
                f"the text has changed under edit {edit.id}",
                hint="Run reviser again on the file as it is now.",
            )
        pieces += [source.text[cursor : span.start], replacement.after]
        cursor = span.stop
    changed = replace(source, text="".join([*pieces, source.text[cursor:]]))
    try:
        changed.encode()
    except UnicodeEncodeError as error:
        foreign = changed.text[error.start]
        raise StaleEdit(
            f"{path}: edit {parts[0][1].id} brings {foreign!r}, which {source.encoding} lacks"
        ) from error
    return changed
