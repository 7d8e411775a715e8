"""From a .tex file to its parts: citations, labels, headings, floats, includes and the rest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from reviser.latex import uses
from reviser.latex.commands import (
    ADDRESSES,
    BIBLIOGRAPHIES,
    CAPTIONS,
    CITATIONS,
    FLOATS,
    FOLDER_INCLUDES,
    FOOTNOTES,
    HEADINGS,
    INCLUDES,
    INLINE_MATH_ENVIRONMENTS,
    LABELS,
    MATH_ENVIRONMENTS,
    MULTICITATIONS,
    QUOTE_CITATIONS,
    REFERENCE_RANGES,
    REFERENCES,
    VERBATIM_ARGUMENTS,
    VOLUME_CITATIONS,
)
from reviser.latex.dialect import STANDARD, Dialect, definitions
from reviser.latex.elements import (
    BibliographyUse,
    Citation,
    CitationForm,
    Comment,
    Float,
    Footnote,
    Heading,
    Include,
    Label,
    Macro,
    Math,
    Reference,
    Skipped,
    Unparsed,
)
from reviser.latex.expand import user_command
from reviser.latex.nesting import COMMENT, DEFINITION, ENVIRONMENT, MATH, SKIPPED
from reviser.latex.scan import Scan, scan
from reviser.latex.structure import IN_DEFINITION, KIND_BITS, UNCLOSED
from reviser.latex.uses import Reader, Reading, Use
from reviser.text.source import Place, Source, Span

_LONGEST_UNPARSED = 80
_MOST_ANCESTORS = 200


@dataclass(frozen=True, eq=False)
class TexFile:
    """One .tex file, read. Lists are in order of place; nothing in a definition's body, a
    comment, a verbatim or dead text is in them.

    `body` is the inside of the document environment, or the whole file without one. `math`
    holds outermost mathematics only. Addresses in \\url and \\href are not in `skipped`.
    """

    source: Source
    scan: Scan
    dialect: Dialect
    body: Span
    citations: tuple[Citation, ...]
    labels: tuple[Label, ...]
    references: tuple[Reference, ...]
    headings: tuple[Heading, ...]
    floats: tuple[Float, ...]
    footnotes: tuple[Footnote, ...]
    math: tuple[Math, ...]
    comments: tuple[Comment, ...]
    skipped: tuple[Skipped, ...]
    includes: tuple[Include, ...]
    bibliographies: tuple[BibliographyUse, ...]
    macros: tuple[Macro, ...]
    unparsed: tuple[Unparsed, ...]


class _Action(NamedTuple):
    read: Reader
    means: str


def read_tex(source: Source, dialect: Dialect = STANDARD) -> TexFile:
    """Read one file in the paper's `dialect` (see `macros.learn`); never raises."""
    scanned = scan(source.text, dialect.lexicon)
    reading = Reading(source.path, scanned, dialect)
    _read_uses(reading)
    _read_listing_options(reading)
    _read_reference_sections(reading)
    comments, skipped = _opaque(reading)
    return TexFile(
        source=source,
        scan=scanned,
        dialect=dialect,
        body=_body(scanned),
        citations=tuple(reading.citations),
        labels=tuple(sorted(reading.labels, key=lambda label: label.at)),
        references=tuple(reading.references),
        headings=tuple(reading.headings),
        floats=tuple(_floats(reading)),
        footnotes=tuple(reading.footnotes),
        math=tuple(_math(reading)),
        comments=comments,
        skipped=skipped,
        includes=tuple(reading.includes),
        bibliographies=tuple(reading.bibliographies),
        macros=tuple(found.macro for found in definitions(scanned, source.path)),
        unparsed=_unparsed(reading),
    )


@lru_cache(maxsize=8)
def _actions(dialect: Dialect) -> Mapping[str, _Action]:
    """What to do at each command that matters, the paper's own meanings included."""
    standard = dict(_standard())
    found = dict(standard)
    for name, command in dialect.commands.items():
        if name not in CITATIONS or _reads_differently(dialect, name):
            found[name] = _Action(user_command(command), name)
    for name in dialect.defined:
        if name in REFERENCES and name not in dialect.commands and name not in dialect.aliases:
            found.pop(name, None)
    for name, target in dialect.aliases.items():
        action = standard.get(target) or found.get(target)
        if action is not None and name not in CITATIONS:
            found[name] = _Action(action.read, action.means)
    return found


def _reads_differently(dialect: Dialect, name: str) -> bool:
    """Whether the paper's own version of a standard citation command takes other arguments."""
    command = dialect.commands[name]
    return bool(command.citations) and sum(p.kind in "mr" for p in command.parameters) != 1


def standard_names() -> frozenset[str]:
    """The commands that are read without being defined by the paper."""
    return frozenset(_standard())


@lru_cache(maxsize=1)
def _standard() -> Mapping[str, _Action]:
    readers: dict[str, Reader] = {}
    readers |= {name: uses.citation(form) for name, form in CITATIONS.items()}
    readers |= {name: uses.multicitation(form) for name, form in MULTICITATIONS.items()}
    readers |= {name: uses.volume_citation(form) for name, form in VOLUME_CITATIONS.items()}
    readers |= dict.fromkeys(QUOTE_CITATIONS, uses.citation(CitationForm.PARENTHETICAL))
    readers |= {name: uses.heading(level) for name, level in HEADINGS.items()}
    readers |= dict.fromkeys(LABELS, uses.label)
    readers |= dict.fromkeys(REFERENCES, uses.reference)
    readers |= dict.fromkeys(REFERENCE_RANGES, uses.reference_range)
    readers |= dict.fromkeys(FOOTNOTES, uses.footnote)
    readers |= dict.fromkeys(CAPTIONS, uses.caption)
    readers |= dict.fromkeys(INCLUDES, uses.include)
    readers |= dict.fromkeys(FOLDER_INCLUDES, uses.folder_include)
    readers |= dict.fromkeys(BIBLIOGRAPHIES, uses.bibliography)
    readers |= dict.fromkeys(("subfloat", "subfigure", "subtable"), uses.optional_caption)
    readers |= {"hyperref": uses.hyperref, "lstinputlisting": uses.labelled_options}
    return {name: _Action(read, name) for name, read in readers.items()}


def _read_uses(reading: Reading) -> None:
    record = reading.scan.record
    known = _actions(reading.dialect)
    actions = [known.get(word) for word in record.words]
    kinds = record.kind
    for position, ident in enumerate(record.command_name):
        action = actions[ident]
        if action is None:
            continue
        parent = record.command_parent[position]
        flags = kinds[parent]
        if flags & IN_DEFINITION or flags & KIND_BITS == DEFINITION:
            continue
        start = record.command_start[position]
        if reading.dead and reading.is_dead(start):
            continue
        name = record.words[ident]
        stop = start + 1 + len(name)
        action.read(reading, Use(name, action.means, start, stop, parent))


def _read_listing_options(reading: Reading) -> None:
    """Labels that stand in a listing environment's options."""
    for node in reading.scan.environments(*VERBATIM_ARGUMENTS):
        argument = reading.scan.argument(node.inner.start, "[") if not node.in_definition else None
        if argument is not None:
            uses.label_in_options(reading, argument.inner)


def _read_reference_sections(reading: Reading) -> None:
    """The bibliographies that biblatex's \\begin{refsection}[a,b] names."""
    for node in reading.scan.environments("refsection"):
        argument = reading.scan.argument(node.inner.start, "[") if not node.in_definition else None
        if argument is not None:
            start = node.span.start
            use = uses.Use("refsection", "refsection", start, node.inner.start, 0)
            uses.bibliography_named(reading, use, argument)


def _body(scanned: Scan) -> Span:
    for node in scanned.environments("document"):
        if not node.in_definition:
            return node.inner
    return Span(0, len(scanned.text))


def _floats(reading: Reading) -> Iterator[Float]:
    scanned = reading.scan
    record = scanned.record
    dialect = reading.dialect
    wanted = {ident for word, ident in record.names.items() if dialect.environment(word) in FLOATS}
    captions: dict[int, list[Place]] = {}
    for parent, place in reading.captions:
        index = parent
        for _ in range(_MOST_ANCESTORS):
            if index <= 0:
                break
            kind = record.kind[index] & KIND_BITS
            if kind == ENVIRONMENT and record.name[index] in wanted:
                captions.setdefault(index, []).append(place)
                break
            index = record.parent[index]
    for index, flags in enumerate(record.kind):
        if flags & KIND_BITS == ENVIRONMENT and record.name[index] in wanted:
            if flags & IN_DEFINITION or record.parent[index] < 0:
                continue
            if scanned.defines(record.parent[index]):
                continue
            at = reading.place(record.start[index], record.stop[index])
            name = record.words[record.name[index]]
            yield Float(at, name, tuple(captions.get(index, ())))


def _math(reading: Reading) -> Iterator[Math]:
    scanned = reading.scan
    record = scanned.record
    dialect = reading.dialect
    environments = {
        ident: dialect.environment(word) not in INLINE_MATH_ENVIRONMENTS
        for word, ident in record.names.items()
        if dialect.environment(word) in MATH_ENVIRONMENTS
    }
    inline = {record.names.get("$"), record.names.get(r"\(")}
    until = 0
    for index, flags in enumerate(record.kind):
        kind = flags & KIND_BITS
        if kind == MATH:
            display = record.name[index] not in inline
        elif kind == ENVIRONMENT and record.name[index] in environments:
            display = environments[record.name[index]]
        else:
            continue
        start = record.start[index]
        if start < until or flags & (UNCLOSED | IN_DEFINITION):
            continue
        if record.kind[record.parent[index]] & KIND_BITS == DEFINITION:
            continue
        until = record.stop[index]
        yield Math(reading.place(start, until), display)


def _opaque(reading: Reading) -> tuple[tuple[Comment, ...], tuple[Skipped, ...]]:
    record = reading.scan.record
    comments: list[Comment] = []
    skipped = reading.skipped
    addresses = {record.names.get(name) for name in ADDRESSES}
    for index, flags in enumerate(record.kind):
        kind = flags & KIND_BITS
        if kind < COMMENT:
            continue
        place = reading.place(record.start[index], record.stop[index])
        if kind == COMMENT:
            comments.append(Comment(place))
        elif kind == SKIPPED:
            skipped.append(Skipped(place, record.words[record.name[index]]))
        elif record.name[index] not in addresses:
            skipped.append(Skipped(place, "verbatim"))
    return tuple(comments), tuple(sorted(skipped, key=lambda part: part.at))


def _unparsed(reading: Reading) -> tuple[Unparsed, ...]:
    """What did not close, each by its beginning only: what follows it was read."""
    text = reading.scan.text
    for problem in reading.scan.problems:
        start = problem.span.start
        stop = min(problem.span.stop, start + _LONGEST_UNPARSED)
        line = text[start:stop].splitlines()[:1]
        stop = start + max(len(line[0]) if line else 0, min(1, stop - start))
        reading.unparsed.append(Unparsed(reading.place(start, stop), problem.why))
    return tuple(sorted(reading.unparsed, key=lambda part: part.at))
