"""Rules on citation keys: what is cited must be there, and what could not be read is said."""

import re
from collections import defaultdict
from collections.abc import Iterator
from difflib import get_close_matches

from reviser.findings import Severity
from reviser.latex.bib import aliases
from reviser.latex.elements import Key, Unparsed
from reviser.manuscript.model import Manuscript
from reviser.review.placeholder_rules import EMPTY_CITATION, is_placeholder_key
from reviser.review.raised import Raised, fix, raised, uses_biblatex
from reviser.review.requests import (
    BIBLIOGRAPHY_COMMAND,
    DISTRIBUTED,
    FILE_COMMAND,
    REMARK,
    any_source,
    asks_for,
    missing_bibliographies,
)
from reviser.text.edit import Allowed, Edit

_FOREIGN_KEYS = re.compile(r"\\(?:externalcitedocument|externaldocument|myexternaldocument)\b")
_BIB_KEYS = re.compile(r"@[ \t]*\w+\s*[{(]\s*([^\s,{}()]+)")
_SETS = re.compile(r"\\(?:defbibentryset|nocitekeys|mciteSetBstSublistMode)\s*\{([^{}]+)\}")
_SEPARATOR = re.compile(r"\s*[;.\s]\s*")
_NOT_A_NAME = re.compile(r"[\\#{}$^%]")
_LETTER = re.compile(r"\w")
_MOST_SUGGESTED = 25  # undefined keys for which a near one is sought: it takes time
_SHORT_QUOTE = 80  # code points of what could not be understood


def unreadable(manuscript: Manuscript) -> Iterator[Raised]:
    """What could not be read, so that nothing was checked there.

    A file that is asked for and not there is a warning each; stretches of text that do not
    parse are one note for each file and reason, since TeX may well understand them.
    """
    groups: dict[tuple[str, str], list[Unparsed]] = defaultdict(list)
    for part in manuscript.unparsed:
        if part.at.path.lower().endswith(".bib") or part.at.path not in manuscript.sources:
            continue  # bib-syntax speaks of these
        if EMPTY_CITATION.match(manuscript.sources[part.at.path].text, part.at.span.start):
            continue  # placeholder-citation speaks of this
        if not manuscript.entries and asks_for(manuscript, part, BIBLIOGRAPHY_COMMAND):
            continue  # missing-bibliography speaks of this
        if DISTRIBUTED.search(part.why) and asks_for(manuscript, part, BIBLIOGRAPHY_COMMAND):
            continue
        if not asks_for(manuscript, part, FILE_COMMAND):
            groups[part.at.path, part.why.rpartition(": ")[2]].append(part)
        elif REMARK.search(part.why):
            yield raised(
                manuscript,
                part.at,
                f"{part.why}. It was read all the same; correct the name, or the paper does not "
                "build on other machines.",
                severity=Severity.WARNING,
            )
        elif asks_for(manuscript, part, BIBLIOGRAPHY_COMMAND) and _typeset_only(manuscript):
            yield raised(
                manuscript,
                part.at,
                f"{part.why}. The typeset list was read in its place: it has no abstracts, so no "
                "citation can be checked. Add the .bib to the project to have them checked.",
                severity=Severity.NOTE,
            )
        else:
            yield raised(
                manuscript,
                part.at,
                f"This was not read, so nothing in it was checked ({part.why}). Add the file, or "
                "remove the command.",
                severity=Severity.WARNING,
            )
    for (_, why), parts in groups.items():
        times = f" {len(parts)} times in this file" if len(parts) > 1 else ""
        yield raised(
            manuscript,
            parts[0].at,
            f"This could not be understood{times}, so it was not checked: {why}.",
            severity=Severity.NOTE,
            quote=manuscript.text(parts[0].at)[:_SHORT_QUOTE],
        )


def _typeset_only(manuscript: Manuscript) -> bool:
    """Whether all entries come from a .bbl or a thebibliography, as a build left them."""
    return all(
        entry.kind == "bibitem" or entry.at.path.lower().endswith(".bbl")
        for entry in manuscript.entries
    )


def no_bibliography(manuscript: Manuscript) -> Iterator[Raised]:
    """A paper that cites, with no bibliography at all: one finding for all its keys."""
    if manuscript.entries or not manuscript.citations:
        return
    keys = {key.name for citation in manuscript.citations for key in citation.keys}
    keys.discard("*")
    if not keys:
        return
    missing = missing_bibliographies(manuscript)
    place = missing[0].at if missing else manuscript.citations[0].at
    why = f" ({missing[0].why})" if missing else ""
    what = f"{len(keys)} keys are" if len(keys) > 1 else "1 key is"
    yield raised(
        manuscript,
        place,
        f"{what} cited, but no bibliography was found{why}, so none could be checked. Add the "
        ".bib (or the .bbl) to the project, or name it with the setting bib.",
        severity=Severity.ERROR,
    )


def undefined_citation(manuscript: Manuscript) -> Iterator[Raised]:
    """Keys that no entry defines: [?] in the PDF."""
    if not manuscript.entries or any_source(manuscript, _FOREIGN_KEYS):
        return
    names = _Defined(manuscript)
    unknown: dict[str, list[Key]] = defaultdict(list)
    for citation in manuscript.citations:
        for key in citation.keys:
            if not names.has(key.name) and not is_placeholder_key(key.name):
                unknown[key.name].append(key)
    missing = missing_bibliographies(manuscript)
    if missing and unknown:
        count = f"{len(unknown)} cited keys are" if len(unknown) > 1 else "1 cited key is"
        listed = ", ".join(sorted(unknown)[:8]) + (", ..." if len(unknown) > 8 else "")
        yield raised(
            manuscript,
            missing[0].at,
            f"{count} in none of the bibliographies that were found ({listed}). They may be in "
            "this one, which was not found: add it to the project.",
            severity=Severity.WARNING,
        )
        return
    for index, (name, keys) in enumerate(unknown.items()):
        near = names.nearest(name) if index < _MOST_SUGGESTED else None
        for key in keys:
            yield _undefined(manuscript, names, key, near)
    yield from _case_mismatches(manuscript, names)


class _Defined:
    """The keys that the bibliography defines, as the program that reads it compares them."""

    def __init__(self, manuscript: Manuscript) -> None:
        self.typeset = _typeset_only(manuscript)
        self.from_bbl = all(e.at.path.lower().endswith(".bbl") for e in manuscript.entries)
        # BibTeX compares keys without case; biber and \bibitem compare them exactly.
        self.exact = self.typeset or uses_biblatex(manuscript)
        self.keys = {e.key for e in manuscript.entries if e.key}
        self.known = set(self.keys)
        for entry in manuscript.entries:
            self.known.update(aliases(entry))
        for source in manuscript.sources.values():
            # Entries that we hold for comments may be live for the program that builds the paper.
            pattern = _BIB_KEYS if source.path.lower().endswith(".bib") else _SETS
            self.known.update(m[1].strip() for m in pattern.finditer(source.text))
        self.folded: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.known):
            self.folded[name.lower()].append(name)

    def has(self, name: str) -> bool:
        if name in self.known or _NOT_A_NAME.search(name) or not _LETTER.search(name):
            return True  # \cite{??} is a placeholder, and another rule's
        return not self.exact and name.lower() in self.folded

    def same_but_for_case(self, name: str) -> str | None:
        """The one key that differs in case only, or None."""
        same = self.folded.get(name.lower(), [])
        return same[0] if len(same) == 1 else None

    def nearest(self, name: str) -> str | None:
        """The key most like `name`, or None when none is."""
        folded = get_close_matches(name.lower(), list(self.folded), n=1, cutoff=0.8)
        return self.folded[folded[0]][0] if folded else None


def _undefined(manuscript: Manuscript, names: _Defined, key: Key, near: str | None) -> Raised:
    severity = Severity.WARNING if names.from_bbl else Severity.ERROR
    place = (
        "the .bbl that was found (run BibTeX again if it is out of date)"
        if names.from_bbl
        else "the bibliography"
    )
    message = f"The key {key.name} is not in {place}, so the PDF shows [?]."
    same = names.same_but_for_case(key.name)
    apart = _taken_apart(names, key.name)
    edit = None
    if same is not None:
        message += f" It differs from {same} in case only: write {same}."
        if key.editable:
            edit = _rename(manuscript, key, same)
    elif apart is not None:
        message += f" Keys are separated by commas: write {apart}."
    elif near is not None:
        message += f" Did you mean {near}?"
    else:
        message += " Add the entry, or correct the key."
    return raised(manuscript, key.at, message, severity=severity, quote=key.name, edit=edit)


def _rename(manuscript: Manuscript, key: Key, name: str) -> Edit | None:
    if manuscript.text(key.at) != key.name:
        return None
    return fix(
        manuscript,
        {key.at: name},
        f"the bibliography spells this key {name}",
        Allowed("citation key", key.at, key.name, name),
    )


def _taken_apart(names: _Defined, name: str) -> str | None:
    parts = _SEPARATOR.split(name)
    return ", ".join(parts) if len(parts) > 1 and all(p in names.known for p in parts) else None


def _case_mismatches(manuscript: Manuscript, names: _Defined) -> Iterator[Raised]:
    """BibTeX stops at a key that is cited in two spellings."""
    if names.exact:
        return
    spellings: dict[str, set[str]] = defaultdict(set)
    for citation in manuscript.citations:
        for key in citation.keys:
            spellings[key.name.lower()].add(key.name)
    for citation in manuscript.citations:
        for key in citation.keys:
            same = names.same_but_for_case(key.name)
            if len(spellings[key.name.lower()]) > 1 and same is not None and same != key.name:
                yield raised(
                    manuscript,
                    key.at,
                    f"This work is cited as {key.name} here and as "
                    f"{' and '.join(sorted(spellings[key.name.lower()] - {key.name}))} elsewhere: "
                    f"BibTeX reports a case mismatch. Write {same}, as the entry does.",
                    severity=Severity.ERROR,
                    quote=key.name,
                    edit=_rename(manuscript, key, same) if key.editable else None,
                )
