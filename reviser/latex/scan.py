"""The lossless scan of a LaTeX text: tokens that tile it, and a tree of nested spans over them."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from reviser.latex.definitions import gap
from reviser.latex.scanner import Scanner
from reviser.latex.structure import (
    IN_DEFINITION,
    IN_MATH,
    KIND_BITS,
    PLAIN,
    UNCLOSED,
    Kind,
    Lexicon,
    Problem,
    Recording,
)
from reviser.latex.tokens import Token, tile
from reviser.text.source import Span

_LONGEST_OPTION = 2000
_WORTH_KEEPING = 256
_BEGIN = re.compile(r"\\begin[ \t]*(?:\r\n?|\n)?[ \t]*\{[^{}]*\}")
_WORD = re.compile(r"\\[A-Za-z@]+")
_NEW_VERBATIM = re.compile(
    r"\\(lstnewenvironment|newminted|DefineVerbatimEnvironment|newverbatim|newtcblisting"
    r"|NewTCBListing|CustomVerbatimEnvironment|RecustomVerbatimEnvironment|excludecomment"
    r"|newmintinline|DefineVerbatimCommand|CustomVerbatimCommand)"
    r"\s*(?:\[([A-Za-z@*]*)[^\[\]\r\n]*\]\s*)?(?:\{\\?([A-Za-z@*]+)\}|\\([A-Za-z@]+))"
)


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the span tree. `inner` is the span without its delimiters.

    `name` is the environment's name, the opening delimiter of mathematics, the command of an
    inline verbatim, the kind of skipped text, and empty for groups and comments.
    """

    index: int
    kind: Kind
    span: Span
    inner: Span
    name: str
    parent: int
    closed: bool
    in_definition: bool
    in_math: bool  # an ancestor is $…$ or the like; mathematical environments do not count


@dataclass(frozen=True, slots=True)
class Command:
    """A control word outside verbatims, comments and skipped text. `name` has no backslash."""

    name: str
    span: Span
    parent: int  # the index of the innermost node around it
    in_definition: bool


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument after a command: `kind` is "{", "[", "(" or "<", or the star itself."""

    kind: str
    span: Span
    inner: Span


@dataclass(frozen=True, eq=False)
class Scan:
    """One text, cut into tokens and nested spans. Nodes are numbered by where they start."""

    text: str
    lexicon: Lexicon
    record: Recording = field(repr=False)
    _known: list["_Closing"] = field(init=False, repr=False, default_factory=list)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What does not close, in the order it was noticed; at most about a thousand."""
        return tuple(self.record.problems)

    def __len__(self) -> int:
        return len(self.record.kind)

    def kind(self, index: int) -> Kind:
        """The kind of node `index`; quicker than making the node."""
        return Kind(self.record.kind[index] & KIND_BITS)

    def node(self, index: int) -> Node:
        """The node numbered `index`; 0 is the whole text."""
        record = self.record
        flags = record.kind[index]
        kind = Kind(flags & KIND_BITS)
        span = Span(record.start[index], record.stop[index])
        name = record.words[record.name[index]]
        closed = not flags & UNCLOSED
        return Node(
            index=index,
            kind=kind,
            span=span,
            inner=self._inner(kind, span, name, closed=closed),
            name=name,
            parent=record.parent[index],
            closed=closed,
            in_definition=bool(flags & IN_DEFINITION),
            in_math=bool(flags & IN_MATH),
        )

    def _inner(self, kind: Kind, span: Span, name: str, *, closed: bool) -> Span:
        text = self.text
        start, stop = span.start, span.stop
        if kind in (Kind.GROUP, Kind.DEFINITION):
            start, stop = start + 1, stop - closed
        elif kind is Kind.MATH:
            start, stop = start + len(name), stop - closed * len(name)
        elif kind is Kind.COMMENT:
            start += 1
        elif kind is Kind.ENVIRONMENT:
            opening = _BEGIN.match(text, start, stop) or _WORD.match(text, start, stop)
            start = opening.end() if opening else start
            if closed:
                closing = max(text.rfind("\\end", start, stop), start)
                if not text.endswith("}", start, stop) or closing == start:
                    closing = max(text.rfind("\\", start, stop), start)
                stop = closing
        return Span(start, max(start, stop))

    def nodes(self, *kinds: Kind) -> Iterator[Node]:
        """The nodes of these kinds (of all, without any), in order of where they start."""
        wanted = bytes(kinds)
        for index, flags in enumerate(self.record.kind):
            if not wanted or flags & KIND_BITS in wanted:
                yield self.node(index)

    def environments(self, *names: str) -> Iterator[Node]:
        """The environments with one of these names, those in definitions included."""
        record = self.record
        wanted = {record.names[name] for name in names if name in record.names}
        for index, flags in enumerate(record.kind):
            if flags & KIND_BITS == Kind.ENVIRONMENT and record.name[index] in wanted:
                yield self.node(index)

    def commands(self, *names: str) -> Iterator[Command]:
        """The control words with one of these names (all, without any), in order."""
        record = self.record
        wanted = {record.names[name] for name in names if name in record.names}
        for position, ident in enumerate(record.command_name):
            if not names or ident in wanted:
                yield self.command(position)

    def command(self, position: int) -> Command:
        """The control word numbered `position` in order of appearance."""
        record = self.record
        name = record.words[record.command_name[position]]
        start = record.command_start[position]
        parent = record.command_parent[position]
        return Command(name, Span(start, start + 1 + len(name)), parent, self.defines(parent))

    def defines(self, index: int) -> bool:
        """Whether node `index` is a definition's body or stands in one."""
        flags = self.record.kind[index]
        return bool(flags & IN_DEFINITION) or flags & KIND_BITS == Kind.DEFINITION

    def in_math(self, index: int) -> bool:
        """Whether node `index` stands in $…$, $$…$$, \\(…\\) or \\[…\\]."""
        return bool(self.record.kind[index] & IN_MATH)

    def enclosing(self, offset: int, *kinds: Kind) -> Node | None:
        """The innermost node (of these kinds, if any are given) whose span holds `offset`.

        A node holds the offsets from its first character to before its last one's end. Without
        kinds there is always one, the root.
        """
        record = self.record
        index = bisect_right(record.start, offset) - 1
        while index > 0:
            if offset < record.stop[index] and (not kinds or self.kind(index) in kinds):
                return self.node(index)
            index = record.parent[index]
        return self.node(0) if not kinds or Kind.DOCUMENT in kinds else None

    def ancestors(self, index: int) -> Iterator[Node]:
        """The nodes around node `index`, from the inside out, the root last."""
        index = self.record.parent[index]
        while index >= 0:
            yield self.node(index)
            index = self.record.parent[index]

    def group_at(self, offset: int) -> Span | None:
        """The span of the closed group (or address) whose brace stands at `offset`."""
        record = self.record
        index = bisect_left(record.start, offset, 1)
        while index < len(record.start) and record.start[index] == offset:
            flags = record.kind[index]
            if flags & UNCLOSED == 0 and self.text[offset] == "{":
                return Span(offset, record.stop[index])
            index += 1
        return None

    def after_gap(self, offset: int) -> int:
        """The first offset from `offset` on that holds neither a blank nor a comment; an empty
        line is not crossed, as no argument is read past one."""
        end = gap(self.text, offset)
        if end <= offset + 1:
            return end
        between = self.text[offset:end]
        lines = between.count("\n") + between.count("\r") - between.count("\r\n")
        if lines > 1 and _EMPTY_LINE.search(between):
            return offset
        return end

    def argument(self, offset: int, opening: str) -> Argument | None:
        """The argument that begins with `opening` ("{", "[", "(" or "<") at the first character
        after the gap at `offset`; None when something else stands there or it does not close."""
        start = self.after_gap(offset)
        if not self.text.startswith(opening, start):
            return None
        if opening == "{":
            span = self.group_at(start)
        else:
            span = self._option(start, {"[": "]", "(": ")", "<": ">"}[opening])
        return Argument(opening, span, Span(span.start + 1, span.stop - 1)) if span else None

    def arguments(self, offset: int, *, most: int = 9) -> tuple[Argument, ...]:
        """The star, [options] and {groups} that follow a command whose name ends at `offset`."""
        found: list[Argument] = []
        if self.text.startswith("*", offset):
            found.append(Argument("*", Span(offset, offset + 1), Span(offset, offset)))
            offset += 1
        while len(found) < most:
            argument = self.argument(offset, "[") or self.argument(offset, "{")
            if argument is None:
                break
            found.append(argument)
            offset = argument.span.stop
        return tuple(found)

    def _option(self, start: int, closing: str) -> Span | None:
        """From `start` to the first `closing` outside groups, within the paragraph."""
        known = self._known[0] if self._known else None
        if known is None or not known.speaks_of(start, closing):
            known = self._closing(start, closing)
            # A row of brackets without an end would else be read to its end from each of them.
            if known.stop - start > _WORTH_KEEPING:
                self._known[:] = [known]
        return Span(start, known.stop) if known.found else None

    def _closing(self, start: int, closing: str) -> "_Closing":
        text = self.text
        known = _Closing(start, start + 1, closing)
        limit = min(len(text), start + _LONGEST_OPTION)
        while match := _PIECES[closing].search(text, known.stop, limit):
            piece = match.group()
            known.stop = match.end()
            if piece == closing:
                known.found = True
                break
            if piece == "{":
                group = self.group_at(match.start())
                if group is None:
                    break
                known.groups.append(group.start)
                known.group_stops.append(group.stop)
                known.stop = group.stop
            elif piece == "%":
                known.stop = self._after_comment(match.start(), known.stop)
            elif piece[0] != "\\":
                break
        return known

    def _after_comment(self, start: int, at: int) -> int:
        record = self.record
        index = bisect_left(record.start, start)
        if index < len(record.start) and record.start[index] == start:
            return max(record.stop[index], at)
        return at

    def tokens(self) -> Iterator[Token]:
        """Tokens that tile the text: each begins where the one before ends."""
        return tile(self.text, self.record, at_letter=self.lexicon.at_letter)


class _Closing:
    """How the search for a closing bracket came out; it holds for every bracket in its stretch
    that stands outside the groups it leapt over."""

    __slots__ = ("closing", "found", "group_stops", "groups", "start", "stop")

    def __init__(self, start: int, stop: int, closing: str) -> None:
        self.start = start
        self.stop = stop
        self.closing = closing
        self.found = False
        self.groups = array("i")
        self.group_stops = array("i")

    def speaks_of(self, offset: int, closing: str) -> bool:
        if closing != self.closing or not self.start < offset < self.stop:
            return False
        group = bisect_right(self.groups, offset) - 1
        return group < 0 or self.group_stops[group] <= offset


_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n|\r[ \t]*\r")
_PIECES = {
    closing: re.compile(rf"\\[\s\S]|[{{}}\{closing}%]|\n[ \t\r]*\n|\r[ \t]*\r") for closing in "])>"
}


def scan(text: str, lexicon: Lexicon = PLAIN) -> Scan:
    """Scan any text; never raises, in time linear in its length.

    Names that the text itself gives to verbatim-like environments and commands are heeded; what
    other files define comes with `lexicon` (see `macros.learn`).
    """
    lexicon = with_verbatims(lexicon, text)
    return Scan(text, lexicon, Scanner(text, lexicon).run())


def with_verbatims(lexicon: Lexicon, text: str) -> Lexicon:
    """`lexicon` and the verbatim-like names that `text` defines."""
    verbatims: dict[str, str] = {}
    inline: set[str] = set()
    for match in _NEW_VERBATIM.finditer(text):
        command, option, braced, bare = match.groups()
        name = braced or bare
        if command == "newmintinline":
            inline.add(option or f"{name}inline")
        elif "Command" in command:
            inline.add(name)
        elif command == "newminted":
            made = option or f"{name}code"
            verbatims |= {made: "verbatim", f"{made}*": "verbatim"}
        else:
            kind = "comment environment" if command == "excludecomment" else "verbatim"
            verbatims[name] = kind
    if not verbatims and not inline:
        return lexicon
    return replace(
        lexicon,
        verbatims={**lexicon.verbatims, **verbatims},
        inline_verbatims=lexicon.inline_verbatims | inline,
    )
