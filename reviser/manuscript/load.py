"""Read a whole paper: from the files of a project to one frozen `Manuscript`."""

import re
from collections.abc import Mapping, Sequence

from reviser.latex.bib import STANDARD_STRINGS
from reviser.latex.elements import BibEntry, Unparsed
from reviser.latex.language import detect
from reviser.latex.tex import TexFile
from reviser.manuscript import encodings
from reviser.manuscript.discover import main_file
from reviser.manuscript.gather import Gathered, Shelf, gather
from reviser.manuscript.generated import written_by
from reviser.manuscript.memory import Memory
from reviser.manuscript.model import FileFacts, Manuscript, Sentence
from reviser.manuscript.order import ReadingOrder
from reviser.manuscript.outline import outline
from reviser.manuscript.resolve import Lost
from reviser.ports import ProjectFiles
from reviser.text.source import Place, Source, Span

_DOCUMENT_END = re.compile(r"\\end\s{0,9}\{document\}")
_LANGUAGE_SAMPLE = 20_000  # characters of prose that the language is told from


def load(
    files: ProjectFiles,
    *,
    main: str | None = None,
    bib: Sequence[str] = (),
    folder: str = "",
) -> Manuscript:
    """Read the paper in `files`.

    `main` is its main file (or a part of it, see `discover.main_file`), searched for in `folder`
    when None; `bib` are the .bib files to use instead of those the paper names, relative to the
    project's root. Raises NoConclusion when there is no main file; whatever else is missing or
    cannot be read is in `Manuscript.unparsed`.
    """
    return Reading(files, main=main, bib=bib, folder=folder).manuscript


class Reading:
    """A paper that was read and can be read again with some files changed, at little cost."""

    def __init__(
        self,
        files: ProjectFiles,
        *,
        main: str | None = None,
        bib: Sequence[str] = (),
        folder: str = "",
    ) -> None:
        """Read it; arguments and errors are those of `load`."""
        self._main = main_file(files, named=main, folder=folder)
        self._bib = tuple(bib)
        data = files.read(self._main)
        self._shelf = Shelf(files, encodings.declared(data) if isinstance(data, bytes) else None)
        self._memory = Memory()
        self.manuscript = self._read(self._shelf)

    def reread(self, changed: Mapping[str, Source]) -> Manuscript:
        """The paper as it would be with these files; the files on disk are not read again.

        Files whose text (and macros) stay the same are not parsed again.
        """
        return self._read(self._shelf.with_changes(changed))

    def _read(self, shelf: Shelf) -> Manuscript:
        gathered = gather(shelf, self._main, self._bib, self._memory)
        return _assembled(gathered, shelf, self._memory)


def _assembled(gathered: Gathered, shelf: Shelf, memory: Memory) -> Manuscript:
    sources = dict(gathered.sources)
    parsed = gathered.parsed
    order = ReadingOrder(
        gathered.main,
        {path: tex.includes for path, tex in parsed.items()},
        gathered.follows,
        {path: len(source.text) for path, source in sources.items()},
    )
    files = tuple(parsed.values())
    bibliography, entries, unparsed = _bibliography(gathered, shelf, memory, sources)
    citations = order.merged([tex.citations for tex in files], lambda x: x.at)
    text = outline(
        order,
        sources,
        order.merged([tex.headings for tex in files], lambda x: x.at),
        {path: memory.blocks(tex) for path, tex in parsed.items()},
        citations,
        main=gathered.main,
        ends={path: tex.body.stop for path, tex in parsed.items()},
    )
    return Manuscript(
        main=gathered.main,
        sources=sources,
        files=_facts(gathered, sources, shelf),
        sections=text.sections,
        paragraphs=text.paragraphs,
        sentences=text.sentences,
        citations=citations,
        labels=order.merged([tex.labels for tex in files], lambda x: x.at),
        references=order.merged([tex.references for tex in files], lambda x: x.at),
        floats=order.merged([tex.floats for tex in files], lambda x: x.at),
        footnotes=order.merged([tex.footnotes for tex in files], lambda x: x.at),
        math=order.merged([tex.math for tex in files], lambda x: x.at),
        comments=order.merged([tex.comments for tex in files], lambda x: x.at),
        skipped=order.merged([tex.skipped for tex in files], lambda x: x.at),
        macros=order.merged([tex.macros for tex in files], lambda x: x.at),
        bibliography=bibliography,
        entries=entries,
        unparsed=(
            *order.merged([_unparsed(tex, gathered.main) for tex in files], lambda x: x.at),
            *sorted(gathered.unparsed, key=lambda x: order.key(x.at)),
            *unparsed,
        ),
        language=_language(text.sentences),
        stretches=_body(order, gathered),
    )


def _body(order: ReadingOrder, gathered: Gathered) -> tuple[Place, ...]:
    """What is read, in order, each file's part of it within its document."""
    ends = {(at.path, at.span.stop): at.span.start for at in gathered.follows}
    found = []
    for stretch in order.stretches:
        body = gathered.parsed[stretch.path].body
        start = max(stretch.start, body.start)
        stop = min(ends.get((stretch.path, stretch.stop), stretch.stop), body.stop)
        if start < stop:
            found.append(Place(stretch.path, Span(start, stop)))
    return tuple(found)


def _unparsed(tex: TexFile, main: str) -> tuple[Unparsed, ...]:
    """What could not be read in one file; an included file may end the document of another."""
    if tex.source.path == main:
        return tex.unparsed
    return tuple(u for u in tex.unparsed if not _DOCUMENT_END.match(tex.source[u.at.span]))


def _bibliography(
    gathered: Gathered, shelf: Shelf, memory: Memory, sources: dict[str, Source]
) -> tuple[tuple[str, ...], tuple[BibEntry, ...], tuple[Unparsed, ...]]:
    """The entries of every .bib, of the typeset bibliographies in the paper, and, where a .bib
    is missing or none is named, of the .bbl beside the main file for the keys still unknown."""
    strings = dict(STANDARD_STRINGS)
    entries: list[BibEntry] = []
    unparsed: list[Unparsed] = []
    names = list(gathered.bibliography)
    for name in gathered.bibliography:
        bib = memory.entries(gathered.sources[name], strings)
        entries += bib.entries
        unparsed += bib.unparsed
        strings |= bib.strings
    for place in gathered.embedded:
        carried = memory.entries(_up_to(sources[place.path], place.span), strings)
        entries += carried.entries
        unparsed += carried.unparsed
        strings |= carried.strings
    for tex in gathered.parsed.values():
        if "\\bibitem" in tex.source.text or "\\entry{" in tex.source.text:
            live = _live(tex, memory.typeset(tex.source))
            entries += live
            if live and gathered.roles[tex.source.path] == "bbl":
                names.append(tex.source.path)
    if not entries or gathered.missing_bibliography:
        bbl = shelf.source(gathered.main.rpartition(".")[0] + ".bbl")
        if not isinstance(bbl, Lost) and bbl.path not in sources:
            known = {entry.key.lower() for entry in entries}
            more = [entry for entry in memory.typeset(bbl) if entry.key.lower() not in known]
            if more:
                entries += more
                names.append(bbl.path)
                sources[bbl.path] = bbl
    return tuple(names), tuple(entries), tuple(unparsed)


def _up_to(source: Source, part: Span) -> Source:
    """One part of a file as a bibliography whose places are those of the file."""
    return Source(source.path, " " * part.start + source[part], source.encoding)


def _live(tex: TexFile, entries: Sequence[BibEntry]) -> list[BibEntry]:
    """The entries that do not stand in verbatim or skipped text."""
    dead: list[Span] = [skipped.at.span for skipped in tex.skipped]
    return [e for e in entries if not any(span.covers(e.at.span) for span in dead)]


def _facts(
    gathered: Gathered, sources: Mapping[str, Source], shelf: Shelf
) -> tuple[FileFacts, ...]:
    there = frozenset(shelf.index.names).__contains__
    facts = []
    for path, source in sources.items():
        role = gathered.roles.get(path, "bbl")
        untouchable = {
            "bbl": "BibTeX or biber writes it",
            "style": "it is a style file, read for its macros only",
        }.get(role) or written_by(path, source.text, there)
        facts.append(FileFacts(path, source.encoding, source.newline, role, untouchable))
    return tuple(facts)


def _language(sentences: Sequence[Sentence]) -> str:
    sample: list[str] = []
    size = 0
    for sentence in sentences:
        if sentence.kind in {"body", "abstract", "item"} and size < _LANGUAGE_SAMPLE:
            sample.append(sentence.plain)
            size += len(sentence.plain)
    return detect(" ".join(sample)) if sample else ""
