"""A paper's own commands: what it defines, and what those definitions stand for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from reviser.latex.commands import DEFINERS
from reviser.latex.definitions import Head, Parameter, head
from reviser.latex.elements import CitationForm, Macro
from reviser.latex.scan import Scan
from reviser.latex.structure import PLAIN, Kind, Lexicon
from reviser.text.source import Place, Span


@dataclass(frozen=True, slots=True)
class WrappedCitation:
    """A citation in a macro's body. `keys` and `notes` may hold #1 … #9."""

    command: str
    form: CitationForm
    keys: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrappedNames:
    """A command with names in a macro's body: a reference, label, include or bibliography."""

    command: str
    names: tuple[str, ...]
    folder: str = ""


@dataclass(frozen=True, slots=True)
class WrappedText:
    """A command around an argument in a macro's body: \\footnote{#1}, \\section{#2} …"""

    command: str
    argument: int
    starred: bool = False


@dataclass(frozen=True, slots=True)
class UserCommand:
    """A macro that wraps commands this program reads, or that drops arguments (`discards`,
    numbered from 1), so that what stands in them is never typeset."""

    name: str
    parameters: tuple[Parameter, ...]
    citations: tuple[WrappedCitation, ...] = ()
    references: tuple[WrappedNames, ...] = ()
    labels: tuple[str, ...] = ()
    includes: tuple[WrappedNames, ...] = ()
    bibliographies: tuple[WrappedNames, ...] = ()
    footnotes: tuple[WrappedText, ...] = ()
    headings: tuple[WrappedText, ...] = ()
    captions: tuple[WrappedText, ...] = ()
    discards: frozenset[int] = frozenset()

    @property
    def wraps(self) -> bool:
        """Whether a use of it yields anything at all."""
        return bool(
            self.citations
            or self.references
            or self.labels
            or self.includes
            or self.bibliographies
            or self.footnotes
            or self.headings
            or self.captions
            or self.discards
        )


def _empty() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Dialect:
    """What `macros.learn` found out about a paper's own commands.

    `aliases` maps a macro that merely is another command (\\let\\old\\cite) to that command;
    `texts` maps a macro without arguments to the plain words it stands for; `environments` maps
    the paper's own environments to the one they open (itself never a key). `defined` names
    every macro that is given a meaning anywhere.
    """

    commands: Mapping[str, UserCommand] = field(default_factory=lambda: MappingProxyType({}))
    aliases: Mapping[str, str] = field(default_factory=_empty)
    texts: Mapping[str, str] = field(default_factory=_empty)
    environments: Mapping[str, str] = field(default_factory=_empty)
    defined: frozenset[str] = frozenset()
    lexicon: Lexicon = PLAIN

    def environment(self, name: str) -> str:
        """What environment `name` is at bottom, without its star."""
        return self.environments.get(name, name).rstrip("*")


STANDARD = Dialect()


class Definition(NamedTuple):
    """A definition as it stands in a file; `bodies` are the insides of its bodies' braces."""

    macro: Macro
    head: Head
    bodies: tuple[Span, ...]


def definitions(scan: Scan, path: str) -> Iterator[Definition]:
    """The definitions in a file that are not themselves inside another one."""
    for command in scan.commands(*DEFINERS):
        if command.in_definition:
            continue
        found = head(scan.text, command.span.stop, command.name)
        if found is not None and (found.body is not None or found.equal):
            yield _definition(scan, path, command.name, command.span.start, found)


def _definition(scan: Scan, path: str, command: str, start: int, found: Head) -> Definition:
    bodies: list[Span] = []
    stop = found.stop
    brace = found.body
    while brace is not None and len(bodies) < found.bodies:
        node = scan.enclosing(brace, Kind.DEFINITION)
        if node is None or node.span.start != brace:
            break
        bodies.append(node.inner)
        stop = node.span.stop
        following = scan.after_gap(stop)
        brace = following if scan.text.startswith("{", following) else None
    macro = Macro(
        name=found.name,
        at=Place(path, Span(start, stop)),
        command=command,
        arguments=len(found.parameters),
        default=found.default,
        body=Place(path, bodies[0] if bodies else Span(stop, stop)),
        delimited=found.delimited,
    )
    return Definition(macro, found, tuple(bodies))
