"""Which files make up the paper: found by following it, read once, kept with what was lost.

A quick look (no parsing) collects what the main file seems to include, so that the paper's
macros are known before anything is parsed. Then the parsed files are followed. Where that finds
more (a path built by a macro), the macros are learnt again; three rounds are enough for paths
that come out of included macros.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reviser.errors import NoConclusion
from reviser.latex.dialect import Dialect
from reviser.latex.elements import BibliographyUse, Include, Unparsed
from reviser.latex.tex import TexFile
from reviser.manuscript import encodings
from reviser.manuscript.files import folder_of, joined
from reviser.manuscript.generated import is_lfs_pointer
from reviser.manuscript.memory import Memory
from reviser.manuscript.resolve import Found, Index, Lost, quick_includes, uncommented
from reviser.ports import ProjectFiles, Refused
from reviser.text.source import Place, Source, Span

TOTAL_LIMIT = 50_000_000  # bytes of all files together
FILE_LIMIT = 2_000
_ROUNDS = 3
_EXPANSIONS = 20
_LONGEST_TARGET = 500

_PACKAGES = re.compile(
    r"\\(usepackage|RequirePackage|documentclass|LoadClass)\s{0,9}(?:\[[^\]]{0,2000}\]\s{0,9})?"
    r"\{([^{}]{1,1000})\}"
)
_INPUT_PATH = re.compile(r"\\input@path\s{0,9}\{((?:\s?\{[^{}]{0,200}\}){1,20})")
_MACRO = re.compile(r"\\([A-Za-z@]+)(?:\{\}| ?)")
# Files that TeX installations bring: when a project lacks them, nothing is missing.
_DISTRIBUTED = re.compile(
    r"(?:glyphtounicode|xy|xypic|epsf|psfig|pictex|pstricks|pst-\w+|pgf\w*|tikz\w*|insbox|rotate"
    r"|ucode\w*|multido|fp|binhex|miniltx|amssym|lineno|ushyphex|t1enc|colordvi|blackdvi|.*\.(?:def"
    r"|fd|ldf|clo|cfg|enc|map|ind|gls|acr|nls|toc|lof|lot|aux|out|code\.tex))(?:\.tex)?",
    re.IGNORECASE,
)
_LONG_STYLE = 30_000  # characters; what authors write for themselves is shorter
_MACHINERY = re.compile(
    r"\\(?:[eg]?def|(?:re)?newcommand\*?|DeclareRobustCommand\*?)\s?\{?"
    r"\\@?(?:cite|citex|bibitem|section|label|ref|caption|maketitle|thebibliography)(?![a-z])"
)
_FILE_NAME = re.compile(r"\s{0,9}(?:\[[^\[\]]{0,200}\]\s{0,9})?\{([^{}]{1,300})\}")
_OPTIONAL = frozenset({"InputIfFileExists", "@input"})


@dataclass(frozen=True, slots=True)
class Gathered:
    """The files of one paper. `roles` has every file of `sources`, in reading order; `follows`
    maps each include that leads on to the file it leads to; `bibliography` are the .bib files
    in order, `missing_bibliography` whether one that the paper names was not found, `embedded`
    where filecontents environments hold those that stand in no file of their own."""

    main: str
    sources: Mapping[str, Source]
    roles: Mapping[str, str]
    parsed: Mapping[str, TexFile]
    follows: Mapping[Place, str]
    bibliography: tuple[str, ...]
    missing_bibliography: bool
    embedded: tuple[Place, ...]
    unparsed: tuple[Unparsed, ...]


class Shelf:
    """Sources by name, each decoded once; changed ones stand before what is on disk."""

    def __init__(
        self,
        files: ProjectFiles,
        declared: str | None = None,
        changed: Mapping[str, Source] | None = None,
    ) -> None:
        """`declared` is the codec that the paper's main file names, if any."""
        self.index = Index(files)
        self._files = files
        self._declared = declared
        self._changed = dict(changed or {})
        self._kept: dict[str, Source | Lost] = {}
        self._total = 0

    def source(self, name: str) -> Source | Lost:
        """The text of a file of the project, or why there is none."""
        if name in self._changed:
            return self._changed[name]
        if name not in self._kept:
            self._kept[name] = self._read(name)
        return self._kept[name]

    def _read(self, name: str) -> Source | Lost:
        if len(self._kept) >= FILE_LIMIT or self._total > TOTAL_LIMIT:
            return Lost("not read, because the paper is too large")
        data = self._files.read(name)
        if data is None:
            return Lost("there is no such file")
        if isinstance(data, Refused):
            return Lost(f"not read, because {data.why}")
        self._total += len(data)
        if self._total > TOTAL_LIMIT:
            return Lost("not read, because the paper is too large")
        own = encodings.declared(data)
        return Source.decode(name, data, declared=own or self._declared)

    def with_changes(self, changed: Mapping[str, Source]) -> "Shelf":
        """The same shelf with some files replaced; nothing is read or decoded again."""
        other = Shelf.__new__(Shelf)
        vars(other).update(vars(self))
        other._changed = {**self._changed, **changed}
        return other


def gather(shelf: Shelf, main: str, bib: Sequence[str], memory: Memory) -> Gathered:
    """Follow the paper from `main`. `bib` names .bib files to use instead of those the paper
    names. Raises NoConclusion when `main` cannot be read."""
    first = shelf.source(main)
    if isinstance(first, Lost):
        raise NoConclusion(f"{main}: {first.why}")
    styles, seen = _quick_walk(shelf, first)
    for _ in range(_ROUNDS):
        dialect = memory.dialect([*styles.values(), *seen.values()])
        walk = _Walk(shelf, dialect, memory, first)
        if all(name in seen for name in walk.reached):
            break
        seen |= {name: walk.sources[name] for name in walk.reached}
    named, embedded, lost = _bibliographies(shelf, walk, bib)
    sources = {n: walk.sources[n] for n in walk.reached} | named | styles
    roles = (
        dict.fromkeys(styles, "style")
        | dict.fromkeys(named, "bibliography")
        | {name: _role(name, main) for name in walk.reached}
    )
    return Gathered(
        main=main,
        sources=sources,
        roles=roles,
        parsed={name: walk.parsed[name] for name in walk.reached},
        follows=walk.follows,
        bibliography=tuple(named),
        missing_bibliography=bool(lost),
        embedded=embedded,
        unparsed=(*walk.unparsed, *lost),
    )


def _role(name: str, main: str) -> str:
    if name == main:
        return "main"
    return "bbl" if name.lower().endswith(".bbl") else "input"


def _quick_walk(shelf: Shelf, main: Source) -> tuple[dict[str, Source], dict[str, Source]]:
    """The project's own styles and the files that seem to be included, main first."""
    styles: dict[str, Source] = {}
    seen = {main.path: main}
    base = folder_of(main.path)
    waiting = [main]
    while waiting:
        source = waiting.pop()
        text = uncommented(source.text)
        here = folder_of(source.path)
        for name in _style_names(shelf.index, text, (base, here)):
            style = shelf.source(name)
            if isinstance(style, Source) and name not in styles and not _is_machinery(style.text):
                styles[name] = style
                waiting.append(style)
        for folder, target in quick_includes(text):
            for place in (joined(base, folder), joined(here, folder)):
                found = shelf.index.tex(target, (place,))
                if isinstance(found, Found) and found.name not in seen:
                    included = shelf.source(found.name)
                    if isinstance(included, Source) and not is_lfs_pointer(included.text):
                        seen[found.name] = included
                        waiting.append(included)
    return styles, seen


def _is_machinery(text: str) -> bool:
    """Whether a style is a publisher's class or a citation package: long, and it builds the
    standard commands anew. Its thousand internals say nothing about the authors' own macros."""
    return len(text) > _LONG_STYLE and _MACHINERY.search(text) is not None


def _style_names(index: Index, text: str, folders: Sequence[str]) -> Iterator[str]:
    for match in _PACKAGES.finditer(text):
        ending = ".cls" if "lass" in match[1] else ".sty"
        for target in match[2].split(","):
            found = index.style(target.strip(), ending, folders) if target.strip() else None
            if isinstance(found, Found):
                yield found.name


class _Walk:
    """One pass over the parsed files, in reading order, under one dialect."""

    def __init__(self, shelf: Shelf, dialect: Dialect, memory: Memory, main: Source) -> None:
        self.shelf = shelf
        self.dialect = dialect
        self.memory = memory
        self.parsed: dict[str, TexFile] = {}
        self.main = main
        self.sources: dict[str, Source] = {}
        self.reached: list[str] = []
        self.follows: dict[Place, str] = {}
        self.bibliography: list[BibliographyUse] = []
        self.unparsed: list[Unparsed] = []
        self._folders = [folder_of(main.path), *_input_path(main)]
        self._run()

    def _run(self) -> None:
        """Depth first, iteratively: a stack of what is still to be followed in each open file."""
        open_files: list[str] = [self.main.path]
        stack: list[Iterator[Include]] = [self._enter(self.main)]
        while stack:
            include = next(stack[-1], None)
            if include is None:
                stack.pop()
                open_files.pop()
                continue
            source = self._target(include, open_files)
            if source is not None:
                self.follows[include.at] = source.path
                open_files.append(source.path)
                stack.append(self._enter(source))

    def _enter(self, source: Source) -> Iterator[Include]:
        path = source.path
        self.sources[path] = source
        self.reached.append(path)
        tex = self.parsed[path] = self.memory.parse(source, self.dialect)
        self.bibliography += tex.bibliographies
        return iter(sorted(tex.includes, key=lambda include: include.at))

    def _target(self, include: Include, open_files: Sequence[str]) -> Source | None:
        """The file to go on with, or None, with the reason noted where a reader should know."""
        found = self._found(include)
        if found is None or (found.name in self.sources and found.name not in open_files):
            return None  # the latter was read where it stood first
        source = self.shelf.source(found.name)
        why = found.remark
        if found.name in open_files:
            why = "it includes itself, so this include is not followed"
        elif isinstance(source, Lost):
            why = source.why
        elif is_lfs_pointer(source.text):
            why = "it is a git LFS pointer, its content is not here"
        if why:
            self._lose(include, why)
        return source if why == found.remark and isinstance(source, Source) else None

    def _found(self, include: Include) -> Found | None:
        target = self.expanded(include.target)
        folder = self.expanded(include.folder)
        if target is None or folder is None:
            self._lose(include, "its name is built by macros that are not understood")
            return None
        here = folder_of(include.at.path)
        bases = [here] if include.command.startswith("sub") and folder else [*self._folders, here]
        places = [joined(base, folder) for base in bases] if folder else bases
        found = self.shelf.index.tex(target, places)
        if isinstance(found, Found):
            return found
        if not self._may_be_missing(include, target):
            self._lose(include, found.why)
        return None

    def _lose(self, include: Include, why: str) -> None:
        """Note what is wrong with an include."""
        self.unparsed.append(Unparsed(include.at, f"{include.target}: {why}"))

    def _may_be_missing(self, include: Include, target: str) -> bool:
        if include.command in _OPTIONAL or _DISTRIBUTED.fullmatch(target.rpartition("/")[2]):
            return True
        if target.lower().endswith(".bbl"):
            return True  # made by BibTeX; without it the .bib is read
        start = include.at.span.start
        before = self.sources[include.at.path].text[max(start - 300, 0) : start]
        return "IfFileExists" in before and include.target in before

    def expanded(self, target: str) -> str | None:
        """A file name with the paper's macros replaced, or None when some stay unknown."""
        stem = self.main.path.rpartition("/")[2].rpartition(".")[0]
        for _ in range(_EXPANSIONS):
            if "\\" not in target:
                return target.strip().strip('"').strip()
            if len(target) > _LONGEST_TARGET:
                return None
            target = _MACRO.sub(lambda match: self._meaning(match, stem), target)
        return None

    def _meaning(self, match: re.Match[str], stem: str) -> str:
        if match[1] == "jobname":
            return stem
        if match[1] in {"space", "relax", "unskip", "ignorespaces"}:
            return ""
        return self.dialect.texts.get(match[1], match[0])


def _input_path(main: Source) -> list[str]:
    match = _INPUT_PATH.search(uncommented(main.text)) if "input@path" in main.text else None
    folders = re.findall(r"\{([^{}]*)\}", match[1]) if match else []
    return [joined(folder_of(main.path), folder) for folder in folders]


def _bibliographies(
    shelf: Shelf, walk: _Walk, bib: Sequence[str]
) -> tuple[dict[str, Source], tuple[Place, ...], list[Unparsed]]:
    """The .bib files, in order, those that the paper itself carries, and those not to be had."""
    found: dict[str, Source] = {}
    carried = _file_contents(walk)
    embedded: dict[Place, None] = {}
    lost: list[Unparsed] = []
    start = Place(walk.main.path, Span(0, 0))
    wanted: Iterable[tuple[Place, str]] = (
        [(start, name) for name in bib]
        if bib
        else [(use.at, use.target) for use in walk.bibliography]
    )
    for at, written in wanted:
        target = walk.expanded(written)
        if target is None:
            lost.append(Unparsed(at, f"{written}: its name is built by macros not understood"))
            continue
        if re.match(r"[a-z]+://", target, re.IGNORECASE):
            lost.append(Unparsed(at, f"{target}: nothing is read from the network"))
            continue
        folders = ("",) if bib else (folder_of(walk.main.path), folder_of(at.path), "")
        name = shelf.index.bibliography(target, folders)
        source = shelf.source(name.name) if isinstance(name, Found) else name
        if isinstance(source, Lost) and (place := carried.get(_bib_name(target))):
            embedded[place] = None
        elif isinstance(source, Lost):
            lost.append(Unparsed(at, f"{written}: {source.why}"))
        elif is_lfs_pointer(source.text):
            lost.append(Unparsed(at, f"{written}: it is a git LFS pointer, not the bibliography"))
        else:
            found.setdefault(source.path, source)
            if isinstance(name, Found) and name.remark:
                walk.unparsed.append(Unparsed(at, f"{written}: {name.remark}"))
    return found, tuple(embedded), lost


def _bib_name(target: str) -> str:
    """The last part of a bibliography's name, with its ending."""
    base = target.rpartition("/")[2]
    return base if base.endswith(".bib") else f"{base}.bib"


def _file_contents(walk: _Walk) -> dict[str, Place]:
    """The insides of filecontents environments, by the names of the files that TeX makes."""
    found: dict[str, Place] = {}
    for path in walk.reached:
        tex = walk.parsed[path]
        for node in tex.scan.environments("filecontents", "filecontents*"):
            name = _FILE_NAME.match(tex.source.text, node.inner.start, node.inner.stop)
            if name is not None and not node.in_definition:
                place = Place(path, Span(name.end(), node.inner.stop))
                found.setdefault(name[1].strip().rpartition("/")[2], place)
    return found
