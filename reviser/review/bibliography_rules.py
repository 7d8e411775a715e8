"""Rules on how a .bib file is written: what BibTeX would drop, merge or refuse."""

from collections.abc import Iterator, Mapping

from reviser.findings import Evidence, Severity
from reviser.latex.bib import (
    BibFault,
    BibFile,
    aliases,
    depends_on,
    read_bib,
    removal,
    second_reading,
)
from reviser.latex.bibparts import FaultKind
from reviser.latex.elements import BibEntry, Field
from reviser.manuscript.model import Manuscript
from reviser.review.raised import (
    Raised,
    bib_files,
    cited,
    fix,
    head,
    in_use,
    raised,
    uses_biblatex,
    where,
)
from reviser.text.edit import Allowed, Edit
from reviser.text.source import Place, Source, Span

# What each fault means to the one who must mend it. BibTeX stops reading an entry at most of them.
_MEANING: Mapping[FaultKind, str] = {
    FaultKind.EXTRA_COMMA: "There is one comma too many here: BibTeX drops the rest of the entry. "
    "Remove it.",
    FaultKind.EXTRA_BRACE: "This brace closes the entry too early, and the fields behind it are "
    "lost without a word. Remove it.",
    FaultKind.MISSING_KEY: "This entry has no key, so it cannot be cited. Give it one.",
    FaultKind.SPACE_IN_KEY: "A key must not contain a space: BibTeX drops the entry's fields. "
    "Rename it here and where it is cited.",
    FaultKind.MISSING_EQUALS: "There is no = behind this name, so BibTeX drops the rest of the "
    "entry. Write name = {value}.",
    FaultKind.MISSING_VALUE: "This field has no value, so BibTeX drops the rest of the entry. "
    "Write one, or remove the field.",
    FaultKind.UNCLOSED_VALUE: "The value that begins here never ends: a closing brace or quote is "
    "missing.",
    FaultKind.UNCLOSED_ENTRY: "This entry never ends: its closing brace is missing.",
    FaultKind.STRAY_TEXT: "This text belongs to no field, and BibTeX drops the rest of the entry. "
    "Remove it, or put it into a field.",
    FaultKind.PERCENT_SIGN: "BibTeX knows no comments inside an entry and drops what follows the "
    "percent sign in it. Remove the line, or put another character before the field's name.",
}
_BEHIND_A_FAULT = 40  # code points quoted where a character is missing
_MOST_UNUSED = 8  # keys named in the note on unused entries
# These hold settings, shared data or groups: they are not cited and need no fields.
NOT_WORKS = frozenset(
    {"control", "ieeetranbstctl", "set", "xdata", "string", "bibnote", "preamble"}
)


def missing_comma(manuscript: Manuscript) -> Iterator[Raised]:
    """Two fields with no comma between: BibTeX drops everything from the second one on."""
    keys = cited(manuscript)
    for source, bib, fault in _faults(manuscript):
        if fault.kind is not FaultKind.MISSING_COMMA:
            continue
        line = source.line(fault.at.span.start)
        after = f"the field {fault.name}" if fault.name else f"the key {fault.key}"
        yield raised(
            manuscript,
            fault.at,
            f"The comma after {after} is missing on line {line}: BibTeX drops the rest "
            f"of the entry {fault.key}. Add it.",
            severity=_severity(keys, fault),
            quote=_before(source, fault),
            edit=_mended(manuscript, source, bib, fault, (fault.at.span, ",")),
        )


def bib_syntax(manuscript: Manuscript) -> Iterator[Raised]:
    """The other faults at which BibTeX loses something."""
    biber = uses_biblatex(manuscript)
    keys = cited(manuscript)
    for source, bib, fault in _faults(manuscript):
        if fault.kind not in _MEANING:
            continue
        if fault.kind is FaultKind.PERCENT_SIGN and (biber or _commented_out(source, fault)):
            continue
        name = f" (entry {fault.key})" if fault.key else ""
        yield raised(
            manuscript,
            fault.at,
            _MEANING[fault.kind] + name,
            severity=_severity(keys, fault),
            quote=source[fault.at.span] or _before(source, fault),
            edit=_repair(manuscript, source, bib, fault),
        )


def duplicate_field(manuscript: Manuscript) -> Iterator[Raised]:
    """A field that an entry has twice with different values: only one of them is used."""
    keys = cited(manuscript)
    for source, bib, fault in _faults(manuscript):
        entry = bib.entry_at.get(fault.entry)
        if fault.kind is not FaultKind.DUPLICATE_FIELD or entry is None:
            continue
        values = [field for field in entry.fields if field.name == fault.name]
        second = next(field for field in values if field.at == fault.at)
        if second.text == values[0].text or fault.name not in _PRINTED:
            continue
        yield raised(
            manuscript,
            fault.at,
            f"The entry {fault.key} has the field {fault.name} twice, and BibTeX ignores this one "
            f"(the first is on line {source.line(values[0].at.span.start)}). Keep the right one.",
            severity=_lesser(_severity(keys, fault), Severity.WARNING),
            evidence=(Evidence(values[0].raw[:200], where(manuscript, values[0].at)),),
        )


def unknown_string(manuscript: Manuscript) -> Iterator[Raised]:
    """A bare word as value that no @string defines: BibTeX leaves the field empty."""
    if any(".bib" in part.why or "bibliography" in part.why for part in manuscript.unparsed):
        return  # the missing file may define it
    keys = cited(manuscript)
    for source, bib, fault in _faults(manuscript):
        if fault.kind is not FaultKind.UNKNOWN_STRING or fault.name.lower() in _STYLE_STRINGS:
            continue
        entry = bib.entry_at.get(fault.entry)
        field = _field_at(entry, fault.at)
        if entry is None or field is None or field.name not in _PRINTED:
            continue
        yield raised(
            manuscript,
            fault.at,
            f"{fault.name} stands without braces in the field {field.name} of {fault.key}, so "
            "BibTeX takes it for the name of an @string, and none has it: unless the style "
            f"defines it, nothing is printed. Write {{{fault.name}}}, or define the string.",
            severity=_lesser(_severity(keys, fault), Severity.WARNING),
            quote=source[fault.at.span],
        )


def duplicate_bib_key(manuscript: Manuscript) -> Iterator[Raised]:
    """A key that two entries have: BibTeX keeps the first and reports an error."""
    exact = uses_biblatex(manuscript)  # biber tells Key from key
    in_files = [
        (source, bib, entry) for source, bib in bib_files(manuscript) for entry in bib.entries
    ]
    first_of: dict[str, BibEntry] = {}
    keys = cited(manuscript)
    for source, bib, entry in in_files:
        name = entry.key if exact else entry.key.lower()
        if not name or (exact and _on_comment_line(source, entry.at)):
            continue
        first = first_of.setdefault(name, entry)
        if first is entry or entry.kind in NOT_WORKS:
            continue
        same = _says(first) == _says(entry)
        used = in_use(keys, entry)
        message = (
            f"The key {entry.key} is already defined at {where(manuscript, first.at)}, "
            + ("with the same content" if same else "with other content")
            + ": BibTeX uses the first and reports an error. "
            + ("Remove this one." if same else "Give one of them another key, or merge them.")
        )
        yield raised(
            manuscript,
            head(entry),
            message,
            severity=(Severity.NOTE if not used else Severity.WARNING if same else Severity.ERROR),
            evidence=(Evidence(first.get("title")[:200], where(manuscript, first.at)),),
            edit=_removed(manuscript, source, bib, entry) if same else None,
        )


def unused_entry(manuscript: Manuscript) -> Iterator[Raised]:
    """Entries that nothing cites: one note for each file."""
    keys = cited(manuscript)
    if keys is None or not keys:
        return
    needed = keys.union(name.lower() for e in manuscript.entries for name in depends_on(e))
    for source, bib in bib_files(manuscript):
        unused = [
            entry
            for entry in bib.entries
            if entry.kind not in NOT_WORKS
            and entry.key
            and entry.key.lower() not in needed
            and not any(name.lower() in keys for name in aliases(entry))
        ]
        if not unused:
            continue
        names = ", ".join(entry.key for entry in unused[:_MOST_UNUSED])
        more = ", ..." if len(unused) > _MOST_UNUSED else ""
        yield raised(
            manuscript,
            head(unused[0]),
            f"{len(unused)} of {len(bib.entries)} entries of {source.path} are not cited: "
            f"{names}{more}. They do no harm; remove them if the file belongs to this paper only.",
            severity=Severity.NOTE,
            quote=source.path,  # so that the note is the same one whichever entries come and go
        )


# Fields whose loss a reader of the paper can see.
# fmt: off
_PRINTED = frozenset({
    "author", "editor", "title", "booktitle", "journal", "journaltitle", "year", "date",
    "volume", "number", "pages", "publisher", "school", "institution", "organization",
    "series", "edition", "chapter", "note", "howpublished", "eprint", "doi",
})
# fmt: on
# Journal names that the standard styles define, and those of the usual society styles.
# fmt: off
_STYLE_STRINGS = frozenset({
    "acmcs", "acta", "cacm", "ibmjrd", "ibmsj", "ieeese", "ieeetc", "ieeetcad", "ipl", "jacm",
    "jcss", "scp", "sicomp", "tocs", "tods", "tog", "toms", "toois", "toplas", "tcs", "aap",
    "aapr", "aaps", "aj", "apj", "apjl", "apjs", "apss", "araa", "icarus", "jcap", "mnras",
    "nat", "pasp", "pasj", "pra", "prb", "prc", "prd", "pre", "prl", "rmp", "physrep",
    "nature", "science",
})
# fmt: on


def _faults(manuscript: Manuscript) -> Iterator[tuple[Source, BibFile, BibFault]]:
    for source, bib in bib_files(manuscript):
        for fault in bib.faults:
            yield source, bib, fault


def _severity(keys: frozenset[str] | None, fault: BibFault) -> Severity:
    """An entry that nothing cites spoils nothing in the paper."""
    used = keys is None or not fault.key or fault.key.lower() in keys
    return Severity.ERROR if used and fault.key else Severity.WARNING


def _lesser(severity: Severity, most: Severity) -> Severity:
    if severity is Severity.ERROR:
        return most
    return Severity.NOTE


def _before(source: Source, fault: BibFault) -> str:
    """The words before a missing character, on its line."""
    stop = fault.at.span.start
    start = max(fault.entry.span.start, stop - _BEHIND_A_FAULT)
    lines = source.text[start:stop].splitlines()
    return lines[-1].strip() if lines else ""


def _commented_out(source: Source, fault: BibFault) -> bool:
    return _on_comment_line(source, fault.entry)


def _on_comment_line(source: Source, at: Place) -> bool:
    line = source.line_span(source.line(at.span.start))
    return source.text[line.start : at.span.start].lstrip().startswith("%")


def _field_at(entry: BibEntry | None, at: Place) -> Field | None:
    return next((f for f in entry.fields if f.at == at), None) if entry else None


def _says(entry: BibEntry) -> tuple[str, frozenset[tuple[str, str]], int]:
    return entry.kind, frozenset((f.name, f.text) for f in entry.fields), len(entry.fields)


def _removed(manuscript: Manuscript, source: Source, bib: BibFile, entry: BibEntry) -> Edit | None:
    span = removal(source, entry, bib)
    if span is None or bib.faults_at(entry.at):
        return None
    place = Place(source.path, span)
    return fix(
        manuscript,
        {place: ""},
        f"an entry with the key {entry.key} and the same content stands before",
        Allowed("entry", entry.at, entry.key, None),
    )


def _repair(manuscript: Manuscript, source: Source, bib: BibFile, fault: BibFault) -> Edit | None:
    span, stop = fault.at.span, fault.at.span.stop
    end = Span(stop, stop)
    match fault.kind:
        case FaultKind.EXTRA_COMMA | FaultKind.EXTRA_BRACE:
            return _mended(manuscript, source, bib, fault, (span, ""))
        case FaultKind.UNCLOSED_ENTRY:
            # The entry's last character is written again, so that the edit lies inside the entry.
            newline = "\r\n" if source.newline == "crlf" else "\n"
            last = Span(stop - 1, stop)
            return _mended(manuscript, source, bib, fault, (last, f"{source[last]}{newline}}}"))
        case FaultKind.UNCLOSED_VALUE:
            closer = "}" if source.text[span.start] == "{" else '"'
            return _mended(manuscript, source, bib, fault, (end, closer))
        case _:
            return None


def _mended(
    manuscript: Manuscript, source: Source, bib: BibFile, fault: BibFault, change: tuple[Span, str]
) -> Edit | None:
    """The edit that puts new text at a span (`change`), if it certainly mends the entry.

    It does when it is the entry's only fault, and when both our reader and bibtexparser read the
    mended entry without a fault, with the very fields that we read before.
    """
    at, after = change
    before = bib.entry_at.get(fault.entry)
    alone = [f for f in bib.faults_at(fault.entry) if f.kind is not FaultKind.UNKNOWN_STRING]
    if before is None or alone != [fault] or _commented_out(source, fault):
        return None
    start, stop = fault.entry.span.start, fault.entry.span.stop
    text = source.text[start : at.start] + after + source.text[at.stop : stop]
    read = read_bib(Source(source.path, text), bib.strings)
    faults = [f for f in read.faults if f.kind is not FaultKind.UNKNOWN_STRING]
    names = tuple(field.name for field in before.fields)
    if faults or len(read.entries) != 1 or read.entries[0].key != before.key:
        return None
    now = read.entries[0]
    if now.at.span != Span(0, len(text)) or tuple(f.name for f in now.fields) != names:
        return None
    if second_reading(text) != ((before.kind, before.key, names),):
        return None
    allows = [
        Allowed("field", old.at, f"{old.name} = {old.raw}", f"{new.name} = {new.raw}")
        for old, new in zip(before.fields, now.fields, strict=True)
        if old.raw != new.raw
    ]
    why = f"the entry {fault.key} has a fault that BibTeX stops at ({fault.kind.value})"
    return fix(manuscript, {Place(source.path, at): after}, why, *allows)
