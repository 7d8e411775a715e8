"""What a reading of a paper leaves for the next one: parses, kept as long as the text is the same.

The gate reads a paper anew after every edit. Nearly all of it is then as before, so parses are
kept by the very text (`Source`) they were made from, and forgotten oldest first.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reviser.latex.bbl import read_bbl
from reviser.latex.bib import read_bib
from reviser.latex.dialect import STANDARD, Dialect
from reviser.latex.elements import BibEntry, Unparsed
from reviser.latex.macros import learn
from reviser.latex.prose import Block, blocks
from reviser.latex.tex import TexFile, read_tex
from reviser.text.source import Source

_MOST_KEPT = 400  # values of each sort, besides one for every file of the paper

# Definitions that change how a text is cut, and that are no macros with a body.
_CUTTING = re.compile(
    r"\\(?:lstnew|newmint|newverb|newtcb|NewTCB|Define|Custom|Recustom|exclude|@name|MakeShort"
    r"|DeleteShort|lstMake|lstDelete|catcode|ExplSyntax)[^\r\n]{0,300}"
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


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
        self._parsed: dict[Source, TexFile] = {}
        self._blocks: dict[Source, tuple[Block, ...]] = {}
        self._bibs: dict[tuple[Source, tuple[tuple[str, str], ...]], Entries] = {}
        self._typeset: dict[Source, tuple[BibEntry, ...]] = {}

    def dialect(self, sources: Sequence[Source]) -> Dialect:
        """What `macros.learn` learns from the sources."""
        if self._learnt_from is None or not self._define_alike(self._learnt_from, sources):
            learnt = learn(sources)
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
            was.path.lower().endswith((".tex", ".ltx"))
            and self._definitions(was) == self._definitions(now)
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
        return _kept(self._parsed, source, lambda: read_tex(source, dialect))

    def blocks(self, tex: TexFile) -> tuple[Block, ...]:
        """`prose.blocks`."""
        if tex.dialect is not self._dialect:
            return blocks(tex, tex.source)
        return _kept(self._blocks, tex.source, lambda: blocks(tex, tex.source))

    def entries(self, source: Source, strings: Mapping[str, str]) -> Entries:
        """`read_bib`."""

        def read() -> Entries:
            bib = read_bib(source, strings)
            return Entries(bib.entries, bib.unparsed, bib.strings)

        return _kept(self._bibs, (source, tuple(sorted(strings.items()))), read)

    def typeset(self, source: Source) -> tuple[BibEntry, ...]:
        """`read_bbl`."""
        return _kept(self._typeset, source, lambda: read_bbl(source))


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


def _kept(store: dict[K, V], key: K, make: Callable[[], V]) -> V:
    if key in store:
        return store[key]
    if len(store) >= _MOST_KEPT:
        del store[next(iter(store))]
    value = store[key] = make()
    return value
