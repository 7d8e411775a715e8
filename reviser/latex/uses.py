"""Reading one use of a command: which keys, labels, titles or files its arguments name."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from reviser.latex.dialect import Dialect
from reviser.latex.elements import (
    BibliographyUse,
    Citation,
    CitationForm,
    Footnote,
    Heading,
    Include,
    Key,
    Label,
    Reference,
    Skipped,
    Unparsed,
)
from reviser.latex.keys import items
from reviser.latex.scan import Argument, Scan
from reviser.text.source import Place, Span

_LONGEST_NOTE = 400
_LONGEST_TARGET = 1000
# Without braces: a quoted name, one after a blank or a line end, one that begins with a macro.
_BARE_FILE = re.compile(
    r"(?:[ \t]*(?:\r\n|[\r\n])?[ \t]*)(?:\"([^\"{}\\%\r\n]+)\"|(\\[A-Za-z@]+/[^\s{}\\%\"]+)"
    r"|(?<=\s)([^\s{}\\%\"\[\]]+))"
)
_LABEL_OPTION = re.compile(r"\blabel\s*=\s*\{?\s*([^,{}\[\]\s]+)")
_COMMENT = re.compile(r"(?<!\\)%[^\r\n]*(?:\r\n|[\r\n]|\Z)[ \t]*")


@dataclass(frozen=True, slots=True)
class Use:
    """One use of a command: `name` as written, `means` the standard command it amounts to."""

    name: str
    means: str
    start: int
    stop: int  # where the name ends
    parent: int

    @property
    def via(self) -> str | None:
        """The standard command behind the paper's own name for it."""
        return None if self.name == self.means else self.means


@dataclass(slots=True)
class Reading:
    """What is found while the uses in one file are read, in order."""

    path: str
    scan: Scan
    dialect: Dialect
    citations: list[Citation] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    footnotes: list[Footnote] = field(default_factory=list)
    captions: list[tuple[int, Place]] = field(default_factory=list)  # parent node, inside
    includes: list[Include] = field(default_factory=list)
    bibliographies: list[BibliographyUse] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    unparsed: list[Unparsed] = field(default_factory=list)
    dead: list[Span] = field(default_factory=list)  # dropped arguments: nothing counts there

    def place(self, start: int, stop: int) -> Place:
        """The stretch from `start` to `stop` of this file."""
        return Place(self.path, Span(start, stop))

    def is_dead(self, offset: int) -> bool:
        """Whether `offset` stands in a dropped argument; to be asked in ascending order."""
        self.dead = [span for span in self.dead if span.stop > offset]
        return any(span.start <= offset for span in self.dead)

    def words(self, argument: Argument, most: int) -> str:
        """What stands inside `argument`, cut to `most` characters."""
        inner = argument.inner
        return self.scan.text[inner.start : min(inner.stop, inner.start + most)]

    def unread(self, use: Use, why: str) -> None:
        """Note that `use` was met but not understood."""
        self.unparsed.append(Unparsed(self.place(use.start, use.stop), why))

    def is_open(self, offset: int) -> bool:
        """Whether a brace opens after the gap at `offset` (and, asked for, never closes)."""
        return self.scan.text.startswith("{", self.scan.after_gap(offset))

    def keys(self, use: Use, argument: Argument, stop: int, *, split: bool = True) -> list[Key]:
        """The keys or labels listed in `argument`; `stop` is where the whole use ends."""
        found: list[Key] = []
        for item in items(self.scan, argument.inner, self.dialect.texts, split=split):
            if not item.name:
                at = self.place(item.span.start, item.span.stop)
                self.unparsed.append(Unparsed(at, "a name that a macro makes up"))
            elif item.literal:
                found.append(Key(item.name, Place(self.path, item.span)))
            else:
                found.append(Key(item.name, self.place(use.start, stop), editable=False))
        return found

    def star(self, offset: int) -> int:
        """One past the star at `offset`, or `offset`."""
        return offset + self.scan.text.startswith("*", offset)

    def options(self, offset: int, brackets: str, most: int) -> tuple[list[Argument], int]:
        """Up to `most` optional arguments that begin with one of `brackets`, and where they end."""
        found: list[Argument] = []
        while len(found) < most:
            start = self.scan.after_gap(offset)
            mark = self.scan.text[start : start + 1]
            argument = self.scan.argument(start, mark) if mark and mark in brackets else None
            if argument is None:
                break
            found.append(argument)
            offset = argument.span.stop
        return found, offset


Reader = Callable[[Reading, Use], None]


def citation(form: CitationForm) -> Reader:
    """A reader of \\name*<overlay>[before][after]{keys}."""

    def read(reading: Reading, use: Use) -> None:
        at = reading.star(use.stop)
        # apacite writes its first note, and beamer its overlay, in angle brackets.
        notes, at = reading.options(at, "[<", 3)
        _add_citation(reading, use, form, notes, at)

    return read


def volume_citation(form: CitationForm) -> Reader:
    """A reader of \\name[before]{volume}[page]{keys}."""

    def read(reading: Reading, use: Use) -> None:
        notes, at = reading.options(reading.star(use.stop), "[", 1)
        volume = reading.scan.argument(at, "{")
        if volume is not None:
            more, at = reading.options(volume.span.stop, "[", 1)
            notes += [volume, *more]
        _add_citation(reading, use, form, notes, at)

    return read


def multicitation(form: CitationForm) -> Reader:
    """A reader of \\name(before)(after)[..][..]{keys}[..][..]{keys}…"""

    def read(reading: Reading, use: Use) -> None:
        notes, at = reading.options(reading.star(use.stop), "(", 2)
        lists: list[Argument] = []
        while True:
            more, after = reading.options(at, "[", 2)
            argument = reading.scan.argument(after, "{")
            if argument is None:
                break
            notes += more
            lists.append(argument)
            at = argument.span.stop
        _finish_citation(reading, use, form, notes, lists)

    return read


def _add_citation(
    reading: Reading, use: Use, form: CitationForm, notes: list[Argument], at: int
) -> None:
    argument = reading.scan.argument(at, "{")
    _finish_citation(reading, use, form, notes, [argument] if argument else [])
    if argument is None and reading.is_open(at):
        reading.unread(use, "the braces of a citation never close")


def _finish_citation(
    reading: Reading, use: Use, form: CitationForm, notes: list[Argument], lists: list[Argument]
) -> None:
    if not lists:
        return
    stop = lists[-1].span.stop
    keys = [key for argument in lists for key in reading.keys(use, argument, stop)]
    if not keys:
        if not any(reading.words(argument, 1) for argument in lists):
            reading.unread(use, "a citation without a key")
        return
    starred = reading.scan.text.startswith("*", use.stop)
    reading.citations.append(
        Citation(
            at=reading.place(use.start, stop),
            command=use.name + "*" * starred,
            form=form,
            keys=tuple(keys),
            notes=tuple(reading.words(note, _LONGEST_NOTE) for note in notes),
            via=use.via,
        )
    )


def label(reading: Reading, use: Use) -> None:
    """Read \\label[kind]{name}."""
    _, at = reading.options(use.stop, "[", 1)
    argument = reading.scan.argument(at, "{")
    if argument is None:
        return
    stop = argument.span.stop
    for key in reading.keys(use, argument, stop, split=False):
        reading.labels.append(Label(reading.place(use.start, stop), key))


def reference(reading: Reading, use: Use) -> None:
    """Read \\ref*[..]{name}, and the comma lists of cleveref and zref."""
    _, at = reading.options(reading.star(use.stop), "[", 1)
    argument = reading.scan.argument(at, "{")
    if argument is not None:
        _add_reference(reading, use, [argument])


def reference_range(reading: Reading, use: Use) -> None:
    """Read \\crefrange{first}{last}."""
    _, at = reading.options(reading.star(use.stop), "[", 1)
    first = reading.scan.argument(at, "{")
    last = reading.scan.argument(first.span.stop, "{") if first else None
    if first is not None and last is not None:
        _add_reference(reading, use, [first, last])


def hyperref(reading: Reading, use: Use) -> None:
    """Read \\hyperref[name]{words}; its other form names no label."""
    argument = reading.scan.argument(use.stop, "[")
    if argument is not None:
        _add_reference(reading, use, [argument])


def _add_reference(reading: Reading, use: Use, arguments: list[Argument]) -> None:
    split = "cref" in use.means.lower() or use.means.startswith(("zc", "labelc", "namec", "lc"))
    stop = arguments[-1].span.stop
    names = [k for a in arguments for k in reading.keys(use, a, stop, split=split)]
    if names:
        place = reading.place(use.start, stop)
        reading.references.append(Reference(place, use.name, tuple(names)))


def heading(level: int) -> Reader:
    """A reader of \\section*[short]{title}."""

    def read(reading: Reading, use: Use) -> None:
        starred = reading.scan.text.startswith("*", use.stop)
        _, at = reading.options(use.stop + starred, "[<", 2)
        argument = reading.scan.argument(at, "{")
        if argument is None:
            if reading.is_open(at):
                reading.unread(use, "the braces of a heading never close")
            return
        place = reading.place(use.start, argument.span.stop)
        title = Place(reading.path, argument.inner)
        reading.headings.append(Heading(place, use.means, level, title, starred))

    return read


def footnote(reading: Reading, use: Use) -> None:
    """Read \\footnote[number]{text}."""
    _, at = reading.options(use.stop, "[", 1)
    argument = reading.scan.argument(at, "{")
    if argument is not None:
        body = Place(reading.path, argument.inner)
        reading.footnotes.append(Footnote(reading.place(use.start, argument.span.stop), body))
    elif reading.is_open(at):
        reading.unread(use, "the braces of a footnote never close")


def caption(reading: Reading, use: Use) -> None:
    """Read \\caption*[short]{text} and \\captionof{kind}[short]{text}."""
    at = reading.star(use.stop)
    if use.means == "captionof":
        kind = reading.scan.argument(at, "{")
        at = kind.span.stop if kind else at
    _, at = reading.options(at, "[", 1)
    argument = reading.scan.argument(at, "{")
    if argument is not None:
        reading.captions.append((use.parent, Place(reading.path, argument.inner)))


def optional_caption(reading: Reading, use: Use) -> None:
    """Read \\subfloat[caption]{picture}."""
    argument = reading.scan.argument(use.stop, "[")
    if argument is not None:
        reading.captions.append((use.parent, Place(reading.path, argument.inner)))


def include(reading: Reading, use: Use) -> None:
    """Read \\input{file}, \\input file and \\include{file}."""
    _, at = reading.options(reading.star(use.stop), "[", 1)
    argument = reading.scan.argument(at, "{")
    if argument is not None:
        _add_include(reading, use, argument)
        return
    primitive = use.means in {"input", "@@input"}
    bare = _BARE_FILE.match(reading.scan.text, use.stop) if primitive else None
    if bare is not None:
        place = reading.place(use.start, bare.end())
        target = bare.group(1) or bare.group(2) or bare.group(3)
        reading.includes.append(Include(place, use.means, target))


def folder_include(reading: Reading, use: Use) -> None:
    """Read \\import{folder}{file}."""
    folder = reading.scan.argument(reading.star(use.stop), "{")
    file = reading.scan.argument(folder.span.stop, "{") if folder else None
    if folder is not None and file is not None:
        _add_include(reading, use, file, folder=_file_name(reading, folder))


def _add_include(reading: Reading, use: Use, argument: Argument, *, folder: str = "") -> None:
    target = _file_name(reading, argument)
    if target:
        place = reading.place(use.start, argument.span.stop)
        reading.includes.append(Include(place, use.means, target, folder))


def _file_name(reading: Reading, argument: Argument) -> str:
    words = reading.words(argument, _LONGEST_TARGET)
    return _COMMENT.sub("", words).strip().strip('"').strip()


def bibliography(reading: Reading, use: Use) -> None:
    """Read \\bibliography{a,b}, \\addbibresource[..]{a.bib}, \\putbib[a,b] and the like."""
    at = reading.star(use.stop)
    options, at = reading.options(at, "[", 1)
    argument = reading.scan.argument(at, "{")
    if use.means in {"putbib", "newrefsection"}:
        argument = options[0] if options else None
    if argument is None:
        return
    bibliography_named(reading, use, argument)


def bibliography_named(reading: Reading, use: Use, argument: Argument) -> None:
    """Note the bibliographies that an argument names."""
    place = reading.place(use.start, argument.span.stop)
    split = not use.means.startswith("add")
    for target in _targets(reading, argument, split=split):
        reading.bibliographies.append(BibliographyUse(place, use.means, target))


def _targets(reading: Reading, argument: Argument, *, split: bool) -> list[str]:
    words = _COMMENT.sub("", reading.words(argument, _LONGEST_TARGET * 4))
    parts = words.split(",") if split else [words]
    return [part.strip().strip('"').strip() for part in parts if part.strip()]


def labelled_options(reading: Reading, use: Use) -> None:
    """Read the label in \\lstinputlisting[label=name]{file}."""
    argument = reading.scan.argument(use.stop, "[")
    if argument is not None:
        label_in_options(reading, argument.inner)


def label_in_options(reading: Reading, options: Span) -> None:
    """Read label=name in a listing's options."""
    match = _LABEL_OPTION.search(reading.scan.text, options.start, options.stop)
    if match is not None:
        at = Place(reading.path, Span(*match.span(1)))
        reading.labels.append(Label(at, Key(match.group(1), at)))
