"""What a rule raises, and the few questions every rule asks of a manuscript."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviser.findings import Evidence, Finding, Severity
from reviser.latex.bib import STANDARD_STRINGS, BibFile, read_bib
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.source import Place, Source, Span

_LONGEST_QUOTE = 200  # code points of a finding's quote
_BIBLATEX = re.compile(
    r"^[^%\r\n]*\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]{0,999}\])?\s*\{[^}]{0,999}\bbiblatex\b"
    r"|^[^%\r\n]*\\addbibresource\b|^[^%\r\n]*\\printbibliography\b",
    re.MULTILINE,
)
_BIBLATEX_WORDS = ("biblatex", "addbibresource", "printbibliography")


@dataclass(frozen=True, slots=True)
class Raised:
    """A finding and, where the repair is certain, the edit that settles it."""

    finding: Finding
    edit: Edit | None = None


def raised(
    manuscript: Manuscript,
    place: Place,
    message: str,
    *,
    severity: Severity,
    quote: str | None = None,
    evidence: tuple[Evidence, ...] = (),
    edit: Edit | None = None,
) -> Raised:
    """A finding at `place`, quoting what stands there unless `quote` says otherwise.

    The registry fills in the rule's id, the fingerprint, and the edit's id and answers.
    """
    words = manuscript.text(place) if quote is None else quote
    finding = Finding("", place, words[:_LONGEST_QUOTE], message, severity, evidence)
    return Raised(finding, edit)


def fix(
    manuscript: Manuscript, changes: dict[Place, str], why: str, *allows: Allowed
) -> Edit | None:
    """The edit that puts new text at some places, or None when a file must not be touched."""
    if not all(editable(manuscript, place.path) for place in changes):
        return None
    parts = [Replacement(at, manuscript.text(at), text) for at, text in sorted(changes.items())]
    return Edit("", "", tuple(parts), Purpose.RULE_FIX, why, allows)


def editable(manuscript: Manuscript, path: str) -> bool:
    """Whether the file may be edited: it is neither generated nor outside the paper."""
    facts = manuscript.facts_of.get(path)
    return facts is None or not facts.untouchable


def uses_biblatex(manuscript: Manuscript) -> bool:
    """Whether the paper's bibliography is made by biblatex, and so by biber as a rule."""
    return any(
        any(word in source.text for word in _BIBLATEX_WORDS) and _BIBLATEX.search(source.text)
        for path, source in manuscript.sources.items()
        if not path.lower().endswith((".bib", ".bbl"))
    )


def bib_files(manuscript: Manuscript) -> Iterator[tuple[Source, BibFile]]:
    """Each .bib of the paper as read, with the strings of those before it known."""
    known = dict(STANDARD_STRINGS)
    for path in manuscript.bibliography:
        source = manuscript.sources.get(path)
        if source is None or not path.lower().endswith(".bib"):
            continue
        bib = read_bib(source, known)
        known |= bib.strings
        yield source, bib


def cited(manuscript: Manuscript) -> frozenset[str] | None:
    """The keys in use, lower case, with those their entries depend on not followed; None when
    \\nocite{*} puts every entry into the bibliography."""
    keys = {key.name.lower() for citation in manuscript.citations for key in citation.keys}
    return None if "*" in keys else frozenset(keys)


def in_use(keys: frozenset[str] | None, entry: BibEntry) -> bool:
    """Whether `entry` is among the keys in use (see `cited`)."""
    return keys is None or entry.key.lower() in keys


def head(entry: BibEntry) -> Place:
    """From the @ (or backslash) of an entry to the end of its key: where to point at it."""
    stop = max(entry.key_at.span.stop, entry.at.span.start)
    return Place(entry.at.path, Span(entry.at.span.start, stop))


def where(manuscript: Manuscript, place: Place) -> str:
    """A place as people write it: `refs.bib:12`."""
    return f"{place.path}:{manuscript.lines(place)[0]}"
