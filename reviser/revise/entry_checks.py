"""Hard checks on bibliography entries that an edit brings: what a stranger's words may become.

A new entry is written by our own code from what a literature service says. The gate believes
neither: it looks at the file as it would be.
"""

import re
import unicodedata
from collections.abc import Iterator

from reviser.latex.bib import aliases, second_values
from reviser.latex.bibguard import FIELDS, KINDS, fault
from reviser.latex.elements import BibEntry
from reviser.revise import atoms
from reviser.revise.change import Change
from reviser.revise.citing import writable
from reviser.text.edit import Replacement
from reviser.text.source import Place

LOOK_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})
"""Scripts with letters that look the same."""
_NEEDED = ("author", "title")
_WORD = re.compile(r"[^\W\d_]+")


def entries_gained(change: Change) -> Iterator[tuple[Replacement, BibEntry]]:
    """The entries that replacements of the edit put in where nothing was taken."""
    for part in change.edit.replacements:
        if part.before or not atoms.is_bibliography(part.at.path):
            continue
        landed = change.landed(part)
        for entry in change.after.entries:
            if entry.at.path == part.at.path and landed.covers(entry.at.span):
                yield part, entry


def brings_whole_entries_only(change: Change) -> str | None:
    """What is put into a .bib is one entry, of a work that the edit cites, under a new key."""
    gained = [a for a in change.edit.allows if a.kind == atoms.ENTRY and a.gained is not None]
    if not gained:
        return None
    found = list(entries_gained(change))
    announced = sorted(allowed.gained or "" for allowed in gained if allowed.lost is None)
    if len(announced) < len(gained) or sorted(entry.key for _, entry in found) != announced:
        return "what it puts into the bibliography is not the entries that it announces"
    faults = (_misplaced(change, part, entry) for part, entry in found)
    return next((said for said in faults if said), None)


def _misplaced(change: Change, part: Replacement, entry: BibEntry) -> str:
    """What is wrong with the entry as a member of the bibliography."""
    path, before = part.at.path, change.before
    cited = {
        difference.atom.words
        for difference in change.differences
        if not difference.lost and difference.atom.kind == atoms.CITATION_KEY
    }
    known = {key.lower() for e in before.entries for key in (e.key, *aliases(e))}
    twice = sum(e.key.lower() == entry.key.lower() for e in change.after.entries) > 1
    if change.after.sources[path][entry.at.span] != part.after.strip():
        return f"more than the entry {entry.key!r} would be put into {path}"
    if path not in before.bibliography:
        return f"{path} is not the paper's bibliography"
    if entry.key.lower() in known or twice:
        return f"there is an entry {entry.key!r} already"
    if not writable(entry.key) or entry.key not in cited:
        return f"nothing would cite the new entry {entry.key!r}"
    return ""


def brings_plain_entries_only(change: Change) -> str | None:
    """A new entry says which work is meant and nothing else, in words that do nothing."""
    for part, entry in entries_gained(change):
        reason = _form_fault(entry) or _values_fault(change, part, entry)
        if reason:
            return f"the new entry {entry.key!r}: {reason}"
    return None


def _form_fault(entry: BibEntry) -> str:
    names = [field.name for field in entry.fields]
    strange = [name for name in names if name not in FIELDS]
    missing = [name for name in _NEEDED if not entry.get(name).strip()]
    if entry.kind not in KINDS:
        return f"@{entry.kind} is no type of entry for a cited work"
    if strange:
        return f"it has the field {strange[0]!r}"
    return f"it has no {missing[0]}" if missing else ""


def _values_fault(change: Change, part: Replacement, entry: BibEntry) -> str:
    own = _values(change, part.at)
    for field in entry.fields:
        wrong = "" if (field.name, field.raw) in own else fault(field.name, field.raw)
        wrong = wrong or _foreign(change, part.at.path, field.raw)
        if wrong:
            return f"{field.name}: {wrong}"
    ours = {field.name: " ".join(field.raw.split()) for field in entry.fields}
    text = change.after.sources[part.at.path][entry.at.span]
    if len(ours) != len(entry.fields) or second_values(text) != ours:
        return "bibtexparser reads its fields in another way"
    return ""


def _values(change: Change, at: Place) -> frozenset[tuple[str, str]]:
    """What the file's own entries have in their fields, which may be had once more."""
    return frozenset(
        (field.name, field.raw)
        for entry in change.before.entries
        if entry.at.path == at.path
        for field in entry.fields
    )


def _foreign(change: Change, path: str, raw: str) -> str:
    """The first letter that the file's font or encoding may lack, in words; "" for none."""
    source = change.before.sources[path]
    latin = source.encoding == "utf-8" and not source.text.lstrip("\ufeff").isascii()
    for letter in raw:
        if letter.isascii() or letter in source.text:
            continue
        if not (latin and letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN ")):
            return f"U+{ord(letter):04X} is no letter that the file uses"
    mixed = next((word for word in _WORD.findall(raw) if len(_scripts(word)) > 1), "")
    return f"{mixed!r} has letters of several scripts" if mixed else ""


def _scripts(word: str) -> frozenset[str]:
    scripts = {unicodedata.name(letter, "?").partition(" ")[0] for letter in word}
    return LOOK_ALIKE & scripts
