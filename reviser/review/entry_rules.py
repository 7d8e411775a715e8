"""Rules on what stands in a bibliography's entries: required fields, names, years, characters."""

import re
from collections.abc import Iterator, Mapping

from reviser.findings import Severity
from reviser.latex.bib import BibFile
from reviser.latex.bibparts import FaultKind
from reviser.latex.elements import BibEntry, Field
from reviser.manuscript.model import Manuscript
from reviser.review.bibliography_rules import NOT_WORKS
from reviser.review.raised import Raised, bib_files, cited, fix, head, in_use, raised
from reviser.text.edit import Allowed, Edit
from reviser.text.source import Place, Source, Span

# What the standard styles warn about when it is empty (BibTeX's manual, section 3.1; biblatex's,
# section 2.1), less publishers and chapters, which many styles leave out. Each item is a choice.
_THESIS = ("author", "title", "school|institution|organization", "year|date")
_IN_BOOK = ("author", "title", "booktitle|crossref|xref", "year|date")
_REQUIRED: Mapping[str, tuple[str, ...]] = {
    "article": ("author|editor", "title", "journal|journaltitle", "year|date"),
    "book": ("author|editor", "title", "year|date"),
    "inbook": ("author|editor", "title", "year|date"),
    "incollection": _IN_BOOK,
    "inproceedings": _IN_BOOK,
    "conference": _IN_BOOK,
    "phdthesis": _THESIS,
    "mastersthesis": _THESIS,
    "thesis": _THESIS,
    "techreport": ("author|editor", "title", "institution|organization|school", "year|date"),
    "report": ("author|editor", "title", "institution|organization|school", "year|date"),
    "proceedings": ("title", "year|date"),
    "unpublished": ("author|editor", "title"),
    "manual": ("title",),
    "booklet": ("title",),
}
# Where these stand, a name or a venue is printed from them.
_INSTEAD: Mapping[str, tuple[str, ...]] = {
    "author": (
        "organization",
        "key",
        "collaboration",
        "shortauthor",
        "institution",
        "editor",
        "label",
    ),
    "journal": (
        "eprint",
        "archiveprefix",
        "arxiv",
        "arxivid",
        "howpublished",
        "pubstate",
        "shortjournal",
    ),
    "booktitle": ("eprint", "archiveprefix", "arxiv", "eventtitle", "maintitle", "journal"),
    "year": ("pubstate", "issued", "eprint", "urldate"),
    "title": ("crossref", "shorttitle", "maintitle", "howpublished"),
    "school": ("publisher", "type"),
    "institution": ("publisher", "type", "number"),
}
_INHERITING = ("crossref", "xref", "xdata")
# A fault in the writing is the likelier reason for a field that is not there.
_HARMLESS = frozenset({FaultKind.DUPLICATE_FIELD, FaultKind.UNKNOWN_STRING})

# Fields whose text every style prints, and in which TeX therefore meets every character.
_TYPESET = frozenset(
    {"author", "editor", "title", "booktitle", "journal", "series", "journaltitle", "maintitle",
     "subtitle"}
)  # fmt: skip
# Exported entries carry publishers of articles and the like, which no standard style prints.
_TYPESET_FOR: Mapping[str, frozenset[str]] = {
    "publisher": frozenset(
        {"book", "inbook", "incollection", "inproceedings", "conference", "proceedings",
         "collection", "mvbook", "mvcollection", "bookinbook", "suppbook"}
    ),
    "school": frozenset({"phdthesis", "mastersthesis", "thesis"}),
    "institution": frozenset({"techreport", "report", "thesis", "phdthesis", "mastersthesis"}),
    "organization": frozenset({"manual", "inproceedings", "conference", "proceedings", "online"}),
}  # fmt: skip
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|[^A-Za-z])|\$|[&%#_]|https?://\S*|\bwww\.\S*", re.DOTALL)
_HIDES_ITS_ARGUMENT = re.compile(
    r"\\(?:url|href|path|nolinkurl|doi|verb|lstinline|ensuremath|ce|SI|qty|num)(?![A-Za-z])"
)
_UNDERSCORE_IS_TEXT = re.compile(r"\\usepackage(?:\[[^\]]{0,200}\])?\{[^}]{0,200}\bunderscore\b")
_ENTITY = re.compile(r"&amp;")
_ANY_ENTITY = re.compile(r"&(?:[A-Za-z]{2,8}|#\d{1,5});")
_CHARACTER_EFFECT: Mapping[str, str] = {
    "&": "TeX stops at it with 'Misplaced alignment tab'",
    "%": "TeX takes the rest of the line for a comment, so the text behind it is lost",
    "#": "TeX stops at it with 'You can't use macro parameter character'",
    "_": "TeX stops at it with 'Missing $ inserted'",
}

_DELIMITER = re.compile(r'[{}"]')
_BRACE = re.compile(r"([{}])")
_APART = re.compile(r"[, \t\r\n]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_ET_AL = re.compile(r"(?<=\sand\s)(?:et\.?\s*al\.?|\{et\.?\s*al\.?\})(?=\s*[}\"]\Z)")
_INITIAL_NAME = re.compile(r"(?:[A-Z]\.[ ~-]?){1,4}\s*[A-Z][^\s,.]+\Z")
_SUFFIX = re.compile(
    r"(?:jr|sr|junior|senior|i{1,3}|iv|v|vi|\d(?:nd|rd|th)|filho|neto)\.?\Z", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


def missing_field(manuscript: Manuscript) -> Iterator[Raised]:
    """A cited entry without what its kind requires: BibTeX warns, the reader sees a hole."""
    keys = cited(manuscript)
    for _, bib in bib_files(manuscript):
        faulty = {fault.entry for fault in bib.faults if fault.kind not in _HARMLESS}
        for entry in bib.entries:
            required = _REQUIRED.get(entry.kind)
            if required is None or not in_use(keys, entry) or entry.at in faulty or not entry.key:
                continue
            if manuscript.entry_of.get(entry.key.lower(), entry).at != entry.at:
                continue  # a duplicate that is not used
            lacks = [choice for choice in required if not _has(manuscript, entry, choice)]
            if lacks:
                names = ", ".join(choice.split("|")[0] for choice in lacks)
                yield raised(
                    manuscript,
                    head(entry),
                    f"{entry.key} has no {names}, which @{entry.kind} requires: BibTeX warns, and "
                    f"the reference is printed without. Add {'it' if len(lacks) == 1 else 'them'}"
                    + (", or use another kind of entry." if len(lacks) > 1 else "."),
                    severity=Severity.WARNING,
                )


def _has(manuscript: Manuscript, entry: BibEntry, choice: str) -> bool:
    if choice == "title" and all(_filled(entry, name) for name in ("journal", "volume")):
        return True  # physics journals print no titles, and their databases export none
    names = [*choice.split("|"), *_INSTEAD.get(choice.split("|", maxsplit=1)[0], ())]
    if any(_filled(entry, name) for name in names):
        return True
    for link in _INHERITING:
        for key in entry.get(link).split(","):
            parent = manuscript.entry_of.get(key.strip().lower())
            if not key.strip():
                continue
            # An unknown parent may hold anything; a parent's title is its part's booktitle.
            if parent is None or any(_filled(parent, name) for name in (*names, "crossref")):
                return True
            if choice.startswith("booktitle") and _filled(parent, "title"):
                return True
    return False


def _filled(entry: BibEntry, name: str) -> bool:
    return any(f.name == name and f.raw.strip('{}" \t\r\n') for f in entry.fields)


def special_character(manuscript: Manuscript) -> Iterator[Raised]:
    """A character in a printed field that TeX does not take for text."""
    keys = cited(manuscript)
    text = any(_UNDERSCORE_IS_TEXT.search(s.text) for s in manuscript.sources.values())
    signs = frozenset("&%#" if text else "&%#_")
    for source, bib in bib_files(manuscript):
        for entry in _sound(bib):
            if not in_use(keys, entry):
                continue
            for field in _used(entry):
                if field.name in _TYPESET or entry.kind in _TYPESET_FOR.get(field.name, ()):
                    yield from _specials(manuscript, (source, entry, field), signs)


def _specials(
    manuscript: Manuscript, what: tuple[Source, BibEntry, Field], signs: frozenset[str]
) -> Iterator[Raised]:
    source, entry, field = what
    places = [at for at in _bare_specials(field.raw) if field.raw[at[0]] in signs]
    if not places:
        return
    raw = field.raw
    pieces: list[str] = []
    cursor = 0
    for start, stop in places:
        pieces += [raw[cursor:start], "\\", raw[start]]
        cursor = stop
    mended = "".join([*pieces, raw[cursor:]])
    start = field.at.span.start + places[0][0]
    place = Place(source.path, Span(start, start + 1))
    sign = raw[places[0][0]]
    line = source[source.line_span(source.line(start))].strip()
    edit: Edit | None = fix(
        manuscript,
        {field.at: mended},
        f"{sign} is not text for TeX until it is escaped",
        Allowed("field", field.at, f"{field.name} = {raw}", f"{field.name} = {mended}"),
    )
    yield raised(
        manuscript,
        place,
        f"A bare {sign} in the {field.name} of {entry.key}: {_CHARACTER_EFFECT[sign]}. "
        f"Write \\{sign}.",
        severity=Severity.ERROR,
        quote=line,
        edit=None if _ANY_ENTITY.search(raw.replace("&amp;", "")) else edit,
    )


def _bare_specials(raw: str) -> Iterator[tuple[int, int]]:
    """Where bare special characters stand outside mathematics and addresses; `&amp;` is one."""
    if not _literal(raw) or _HIDES_ITS_ARGUMENT.search(raw):
        return
    math = False
    for match in _TOKEN.finditer(raw):
        token = match[0]
        if token in {"$", "\\(", "\\)"}:
            math = not math
        elif token in {"&", "%", "#", "_"} and not math:
            entity = _ENTITY.match(raw, match.start())
            yield match.start(), entity.end() if entity else match.end()


def _used(entry: BibEntry) -> Iterator[Field]:
    """The fields without those that BibTeX ignores because the name came before."""
    seen: set[str] = set()
    for field in entry.fields:
        if field.name not in seen:
            seen.add(field.name)
            yield field


def _literal(raw: str) -> bool:
    """Whether the value is one pair of braces or quotes, with nothing joined to it."""
    if raw[:1] not in {"{", '"'}:
        return False
    depth = 0
    closing = '"' if raw[0] == '"' else "}"
    for match in _DELIMITER.finditer(raw):
        character = match[0]
        depth += (character == "{") - (character == "}")
        if depth == 0 and character == closing and match.start():
            return match.end() == len(raw)
    return False


def names(manuscript: Manuscript) -> Iterator[Raised]:
    """Lists of names in which BibTeX finds other people than those meant."""
    keys = cited(manuscript)
    for _, bib in bib_files(manuscript):
        for entry in _sound(bib):
            if not in_use(keys, entry):
                continue
            for field in _used(entry):
                if field.name in {"author", "editor"}:
                    yield from _misread_names(manuscript, entry, field)


def _misread_names(manuscript: Manuscript, entry: BibEntry, field: Field) -> Iterator[Raised]:
    et_al = _ET_AL.search(field.raw)
    if et_al:
        mended = field.raw[: et_al.start()] + "others" + field.raw[et_al.end() :]
        yield raised(
            manuscript,
            field.at,
            f"In the {field.name} of {entry.key}, '{et_al[0]}' is printed as a person's name. "
            "Write 'and others'.",
            severity=Severity.WARNING,
            edit=fix(
                manuscript,
                {field.at: mended},
                "BibTeX knows 'and others', which styles print as et al.",
                Allowed(
                    "field", field.at, f"{field.name} = {field.raw}", f"{field.name} = {mended}"
                ),
            ),
        )
    for person in _people(field.raw):
        parts = [part.strip() for part in person]
        if len(parts) > 3:
            why = f"has {len(parts) - 1} commas, and BibTeX knows at most two in one name"
        elif len(parts) == 3 and not _SUFFIX.match(parts[1]) and parts[2]:
            why = f"is read as the family name {parts[0]} with {parts[1]} as in 'Lee, Jr, Ann'"
        elif len(parts) == 2 and all(_INITIAL_NAME.match(part) for part in parts):
            why = f"is read as one person with the family name {parts[0]}"
        else:
            continue
        shown = ", ".join(parts)
        shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
        yield raised(
            manuscript,
            field.at,
            f"In the {field.name} of {entry.key}, '{shown}' {why}. Write 'Family, First' with "
            "'and' between people, and put an institution into braces.",
            severity=Severity.WARNING,
        )
        return


def _people(raw: str) -> Iterator[list[str]]:
    """Each name of a literal value in its parts between commas; braces hide both."""
    if not _literal(raw) or "family=" in raw:
        return
    pieces: list[str] = []
    depth = 0
    for piece in _BRACE.split(raw[1:-1]):
        depth += (piece == "{") - (piece == "}")
        # What braces protect is one word to BibTeX.
        pieces.append(_APART.sub("x", piece) if depth > 0 else piece)
    for person in _AND.split("".join(pieces)):
        yield person.strip().rstrip(",").split(",")


def year(manuscript: Manuscript) -> Iterator[Raised]:
    """A year of digits that are no year."""
    keys = cited(manuscript)
    for _, bib in bib_files(manuscript):
        for entry in _sound(bib):
            field = next((f for f in entry.fields if f.name == "year"), None)
            if field is None or not in_use(keys, entry) or not field.text:
                continue
            digits = sum(character.isdigit() for character in field.text)
            if not digits or _YEAR.search(field.text) or len(field.text) > 20:
                continue
            yield raised(
                manuscript,
                field.at,
                f"The year of {entry.key} is {field.text}, which is no year of four digits. "
                "Correct it.",
                severity=Severity.WARNING,
            )


def _sound(bib: BibFile) -> Iterator[BibEntry]:
    """The entries that are read without a fault that could misplace their values."""
    faulty = {fault.entry for fault in bib.faults if fault.kind not in _HARMLESS}
    for entry in bib.entries:
        if entry.at not in faulty and entry.kind not in NOT_WORKS:
            yield entry
