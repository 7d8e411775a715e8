"""Hard checks on how the paper reads afterwards: balance, keys, labels, and two other parsers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

from reviser.latex.bib import aliases, depends_on, read_bib, second_reading
from reviser.latex.guard import opinion
from reviser.manuscript.model import Manuscript
from reviser.revise.atoms import is_bibliography
from reviser.revise.balance import imbalance
from reviser.revise.change import Change
from reviser.text.source import Place, Span

_REACHES = (800, 200, 60)  # code points around the edit that TexSoup is shown: at best the most


class _Placed(Protocol):
    """Anything that was read, with its place."""

    @property
    def at(self) -> Place: ...


def leaves_groups_balanced(change: Change) -> str | None:
    """Groups and environments close no worse than before."""
    for path in change.edit.paths:
        if is_bibliography(path):
            continue
        worse = imbalance(_typeset(change.after, path)) - imbalance(_typeset(change.before, path))
        if worse:
            return f"{path}: {next(iter(worse))} would not close"
    return None


def leaves_nothing_unread(change: Change) -> str | None:
    """The reader stumbles nowhere where it did not stumble before."""
    worse = _stumbles(change.after) - _stumbles(change.before)
    if worse:
        path, why = next(iter(worse))
        return f"{path}: {why}"
    return None


def touches_no_unread_text(change: Change) -> str | None:
    """What could not be read in a .tex file is left to its authors."""
    for part in change.edit.replacements:
        for unread in change.before.unparsed:
            same = unread.at.path == part.at.path and not is_bibliography(part.at.path)
            if same and unread.at.span.overlaps(part.at.span):
                return f"the text could not be read there: {unread.why}"
    return None


def leaves_other_files_alike(change: Change) -> str | None:
    """Files that the edit does not touch are read as before, whatever it changed elsewhere."""
    touched = frozenset(change.edit.paths)
    before, after = _elsewhere(change.before, touched), _elsewhere(change.after, touched)
    for one, other in zip(before, after, strict=True):
        if one != other:
            kind = type((one or other)[0]).__name__.lower()
            return f"a {kind} in another file would be read in another way"
    return None


def _elsewhere(manuscript: Manuscript, touched: frozenset[str]) -> list[list[_Placed]]:
    """What was read in the other files, one list for each kind of element."""
    kinds: tuple[Sequence[_Placed], ...] = (
        manuscript.citations,
        manuscript.labels,
        manuscript.references,
        manuscript.floats,
        manuscript.footnotes,
        manuscript.math,
        manuscript.comments,
        manuscript.skipped,
        manuscript.macros,
        manuscript.entries,
    )
    return [[one for one in kind if one.at.path not in touched] for kind in kinds]


def leaves_references_defined(change: Change) -> str | None:
    """No label that is referred to goes, and none is made twice."""
    before = Counter(label.name.name for label in change.before.labels)
    after = Counter(label.name.name for label in change.after.labels)
    used = {
        name.name
        for manuscript in (change.before, change.after)
        for reference in manuscript.references
        for name in reference.names
    }
    lost = sorted(name for name in before if name not in after and name in used)
    if lost:
        return f"the label {lost[0]!r} would be gone, and it is referred to"
    twice = sorted(name for name, count in after.items() if count > max(1, before[name]))
    if twice:
        return f"the label {twice[0]!r} would be defined twice"
    new = sorted({n.name for r in change.after.references for n in r.names} - used - set(after))
    return f"{new[0]!r} is referred to, but nowhere defined" if new else None


def leaves_every_key_defined(change: Change) -> str | None:
    """No cited key, and no key that another entry rests on, is without its entry afterwards."""
    new = sorted(_undefined(change.after) - _undefined(change.before))
    return f"{new[0]!r} would be used, but no entry has this key" if new else None


def leaves_bibliography_readable(change: Change) -> str | None:
    """The .bib has no new fault, and bibtexparser reads the entries around the edit as we do."""
    for path in change.edit.paths:
        if not is_bibliography(path):
            continue
        new = _bib_file(change.after.sources[path])
        faults = Counter(fault.kind for fault in new.faults)
        faults -= Counter(fault.kind for fault in _bib_file(change.before.sources[path]).faults)
        if faults:
            return f"{path} would have a {next(iter(faults)).value} more"
        for _, window in change.windows(path):
            near = [e for e in new.entries if e.at.span.overlaps(window)]
            if any(fault.entry in [e.at for e in near] for fault in new.faults):
                continue  # faulty already before: the two readers need not agree there
            for entry in near:
                ours = (entry.kind, entry.key, tuple(field.name for field in entry.fields))
                if second_reading(change.after.sources[path][entry.at.span]) != (ours,):
                    return f"bibtexparser reads the entry {entry.key!r} in another way"
    return None


_bib_file = lru_cache(maxsize=4)(read_bib)  # the text before is the same for many edits


def is_read_alike_by_texsoup(change: Change) -> str | None:
    """TexSoup, which shares no code with our reader, parses the fragment and finds the same uses.

    It judges only where it could read the text before the edit and saw what we saw there.
    """
    commands = frozenset(
        command
        for paper in (change.before, change.after)
        for command in (
            *(citation.command for citation in paper.citations),
            *(reference.command for reference in paper.references),
        )
    )
    for path in change.edit.paths:
        if is_bibliography(path):
            continue
        for old, new in _fragments(change, path, commands):
            then = opinion(change.before.sources[path][old], commands)
            if then is None or not then.parses:
                continue
            now = opinion(change.after.sources[path][new], commands)
            if now is None or not now.parses:
                return f"TexSoup cannot read the text any more: {now.why if now else 'too long'}"
            if _agrees(then.uses, change.before, path, old) and not _agrees(
                now.uses, change.after, path, new
            ):
                return "TexSoup finds other citations or references than we do"
    return None


def _fragments(change: Change, path: str, commands: frozenset[str]) -> Iterator[tuple[Span, Span]]:
    """For each stretch around the edit the largest that TexSoup could read before."""
    source = change.before.sources[path]
    for reach in _REACHES:
        pairs = change.windows(path, reach)
        readable = [
            reading is not None and reading.parses
            for reading in (opinion(source[old], commands) for old, _ in pairs)
        ]
        if all(readable):
            yield from pairs
            return
    yield from change.windows(path, _REACHES[-1])


def _agrees(
    uses: tuple[tuple[str, tuple[str, ...]], ...], manuscript: Manuscript, path: str, window: Span
) -> bool:
    ours = [
        (citation.command, ",".join(key.name for key in citation.keys))
        for citation in manuscript.citations
        if citation.at.path == path and window.covers(citation.at.span)
    ]
    ours += [
        (reference.command, ",".join(name.name for name in reference.names))
        for reference in manuscript.references
        if reference.at.path == path and window.covers(reference.at.span)
    ]
    return sorted(ours) == sorted((name, ",".join(words)) for name, words in uses)


def _typeset(manuscript: Manuscript, path: str) -> str:
    """The file's text with comments and verbatim-likes blanked."""
    pieces: list[str] = []
    cursor = 0
    text = manuscript.sources[path].text
    hidden = [*(c.at for c in manuscript.comments), *(s.at for s in manuscript.skipped)]
    for span in sorted(place.span for place in hidden if place.path == path):
        if span.start >= cursor:
            pieces += [text[cursor : span.start], " " * len(span)]
            cursor = span.stop
    return "".join([*pieces, text[cursor:]])


def _stumbles(manuscript: Manuscript) -> Counter[tuple[str, str]]:
    return Counter((unread.at.path, unread.why) for unread in manuscript.unparsed)


def _undefined(manuscript: Manuscript) -> set[str]:
    known = {entry.key.lower() for entry in manuscript.entries}
    known |= {alias.lower() for entry in manuscript.entries for alias in aliases(entry)}
    used = {key.name for citation in manuscript.citations for key in citation.keys} - {"*"}
    used |= {key for entry in manuscript.entries for key in depends_on(entry)}
    return {key for key in used if key.lower() not in known}
