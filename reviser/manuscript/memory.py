"""What a reading of a paper leaves for the next one: parses, kept as long as the text is the same.

The gate reads a paper anew after every edit. Nearly all of it is then as before, so parses are
kept by the very text (`Source`) they were made from.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Generic, TypeVar

from reviser.latex.bbl import read_bbl
from reviser.latex.bib import read_bib
from reviser.latex.dialect import STANDARD, Dialect
from reviser.latex.elements import BibEntry, Unparsed
from reviser.latex.macros import learn
from reviser.latex.prose import Block, blocks
from reviser.latex.tex import TexFile, read_tex, standard_names
from reviser.text.source import Source

_BUDGET = 4_000_000  # characters of the texts whose parses are kept, for each sort of parse

# Definitions that change how a text is cut, and that are no macros with a body.
_CUTTING = re.compile(
    r"\\(?:lstnew|newmint|newverb|newtcb|NewTCB|Define|Custom|Recustom|exclude|@name|MakeShort"
    r"|DeleteShort|lstMake|lstDelete|catcode|ExplSyntax)[^\r\n]{0,300}"
)

# A definition of one command, with its name to be filled in.
_DEFINITION = (
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|(?:New|Renew|Provide|Declare)"
    r"DocumentCommand|[egx]?def|let)\*?\s{0,9}\{?\s{0,9}\\%s(?![A-Za-z@])"
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class _Kept(Generic[K, V]):
    """Values by key, the least recently used forgotten when their texts exceed the budget."""

    def __init__(self) -> None:
        self._values: dict[K, tuple[V, int]] = {}
        self._total = 0

    def get(self, key: K, size: int, make: Callable[[], V]) -> V:
        """The value kept for `key`, else a new one; `size` is the length of its text."""
        found = self._values.pop(key, None)
        if found is None:
            found = make(), size
            self._total += size
        self._values[key] = found  # at the end: used last
        while self._total > _BUDGET and len(self._values) > 1:
            oldest = next(iter(self._values))
            self._total -= self._values.pop(oldest)[1]
        return found[0]

    def clear(self) -> None:
        """Forget all."""
        self._values.clear()
        self._total = 0


@dataclass(frozen=True, slots=True)
class Entries:
    """What one .bib file holds."""

    entries: tuple[BibEntry, ...]
    unparsed: tuple[Unparsed, ...]
    strings: Mapping[str, str]


class Memory:
    """Parses by text. Answers are those of the functions asked, whatever was asked before."""

    def __init__(self) -> None:
        self._dialect = STANDARD
        self._learnt_from: tuple[Source, ...] | None = None
        self._parsed: _Kept[Source, TexFile] = _Kept()
        self._blocks: _Kept[Source, tuple[Block, ...]] = _Kept()
        self._bibs: _Kept[tuple[Source, tuple[tuple[str, str], ...]], Entries] = _Kept()
        self._typeset: _Kept[Source, tuple[BibEntry, ...]] = _Kept()

    def dialect(self, sources: Sequence[Source]) -> Dialect:
        """What `macros.learn` learns from the sources."""
        if self._learnt_from is None or not self._define_alike(self._learnt_from, sources):
            learnt = _own(learn(sources), sources)
            if not same(learnt, self._dialect):
                self._dialect = learnt
                self._parsed.clear()
                self._blocks.clear()
        self._learnt_from = tuple(sources)
        return self._dialect

    def _define_alike(self, old: Sequence[Source], new: Sequence[Source]) -> bool:
        if [s.path for s in old] != [s.path for s in new]:
            return False
        changed = [(was, now) for was, now in zip(old, new, strict=True) if was != now]
        return all(
            not _is_style(was) and self._definitions(was) == self._definitions(now)
            for was, now in changed
        )

    def _definitions(self, source: Source) -> list[str]:
        tex = self.parse(source, self._dialect)
        bodies = [source[macro.at.span] for macro in tex.macros]
        return [*bodies, "", *_CUTTING.findall(source.text)]

    def parse(self, source: Source, dialect: Dialect) -> TexFile:
        """`read_tex`."""
        if dialect is not self._dialect:
            return read_tex(source, dialect)
        return self._parsed.get(source, len(source.text), lambda: read_tex(source, dialect))

    def blocks(self, tex: TexFile) -> tuple[Block, ...]:
        """`prose.blocks`."""
        if tex.dialect is not self._dialect:
            return blocks(tex, tex.source)
        return self._blocks.get(tex.source, len(tex.source.text), lambda: blocks(tex, tex.source))

    def entries(self, source: Source, strings: Mapping[str, str]) -> Entries:
        """`read_bib`."""

        def read() -> Entries:
            bib = read_bib(source, strings)
            return Entries(bib.entries, bib.unparsed, bib.strings)

        return self._bibs.get((source, tuple(sorted(strings.items()))), len(source.text), read)

    def typeset(self, source: Source) -> tuple[BibEntry, ...]:
        """`read_bbl`."""
        return self._typeset.get(source, len(source.text), lambda: read_bbl(source))


def _own(dialect: Dialect, sources: Sequence[Source]) -> Dialect:
    """The dialect without what style files do to standard commands.

    A class that builds its own \\cite out of internals still means a citation by it; only what
    the authors write in their .tex files gives a standard command another meaning.
    """
    touched = standard_names() & dialect.defined
    if not touched:
        return dialect
    texts = [source.text for source in sources if not _is_style(source)]
    kept = {
        name
        for name in touched
        if any(re.search(_DEFINITION % re.escape(name), text) for text in texts)
    }
    gone = touched - kept
    return replace(
        dialect,
        commands=MappingProxyType({n: c for n, c in dialect.commands.items() if n not in gone}),
        aliases=MappingProxyType({n: c for n, c in dialect.aliases.items() if n not in gone}),
        texts=MappingProxyType({n: c for n, c in dialect.texts.items() if n not in gone}),
        defined=dialect.defined - gone,
    )


def _is_style(source: Source) -> bool:
    return not source.path.lower().endswith((".tex", ".ltx"))


def same(one: Dialect, other: Dialect) -> bool:
    """Whether two dialects read every text alike."""
    return (
        one.commands == other.commands
        and one.aliases == other.aliases
        and one.texts == other.texts
        and one.environments == other.environments
        and one.defined == other.defined
        and one.lexicon == other.lexicon
    )
