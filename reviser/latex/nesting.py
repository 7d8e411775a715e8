"""The stack of what is open while a text is read, and the nodes it leaves behind."""

from reviser.latex.structure import (
    IN_DEFINITION,
    IN_MATH,
    KIND_BITS,
    UNCLOSED,
    Kind,
    Problem,
    Recording,
)
from reviser.text.source import Span

# Plain numbers, since the members of an enumeration are slow to look up.
DOCUMENT, GROUP, DEFINITION, ENVIRONMENT, MATH, COMMENT, VERBATIM, SKIPPED = map(int, Kind)

_MOST_PROBLEMS = 1000
_NEVER_CLOSED = {
    ENVIRONMENT: "environment is never closed",
    MATH: "mathematics is never closed",
    GROUP: "group is never closed",
    DEFINITION: "group is never closed",
}


class Nesting:
    """What is open, innermost last. Every question is answered without walking the stack, so
    that ten thousand open groups cost no more than one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.record = Recording()
        self.stack: list[int] = []  # node numbers
        self.inherited: list[int] = [0]  # the flags of what stands in each; the first is the root's
        self.groups: list[int] = []  # positions in the stack
        self.definitions: list[tuple[int, int]] = []  # position, bodies still to come
        self.environments: dict[str, list[int]] = {}  # positions by name; mathematics too

    def push(self, kind: int, start: int, name: str) -> int:
        """Open a node at `start`; its number."""
        node = self.leaf(kind, start, start, self.record.intern(name))
        flags = self.inherited[-1]
        if kind == GROUP:
            self.groups.append(len(self.stack))
        elif kind == DEFINITION:
            self.groups.append(len(self.stack))
            flags = IN_DEFINITION
        elif kind != DOCUMENT:
            self.environments.setdefault(name, []).append(len(self.stack))
            flags |= IN_MATH * (kind == MATH)
        self.stack.append(node)
        self.inherited.append(flags)
        return node

    def leaf(self, kind: int, start: int, stop: int, ident: int) -> int:
        """Add a node that is whole already, its name being numbered `ident`; its number."""
        record = self.record
        record.kind.append(kind | self.inherited[-1])
        record.start.append(start)
        record.stop.append(stop)
        record.parent.append(self.stack[-1] if self.stack else -1)
        record.name.append(ident)
        return len(record.kind) - 1

    def pop(self, stop: int) -> int:
        """Close the innermost node at `stop`; its number."""
        node = self.stack.pop()
        self.inherited.pop()
        kind = self.record.kind[node] & KIND_BITS
        if kind in (GROUP, DEFINITION):
            self.groups.pop()
        else:
            self.environments[self.name(node)].pop()
        self.record.stop[node] = stop
        return node

    def name(self, node: int) -> str:
        """The name of node `node`."""
        return self.record.words[self.record.name[node]]

    def abandon(self, stop: int) -> None:
        """Close the innermost node although its end is missing."""
        node = self.stack[-1]
        kind = self.record.kind[node] & KIND_BITS
        if kind == DEFINITION:
            self.definitions.pop()
        self.pop(stop)
        self.record.kind[node] |= UNCLOSED
        if not self.definitions and not (kind == MATH and self._column_specification(node)):
            self.problem(self.record.start[node], stop, _NEVER_CLOSED[kind])

    def _column_specification(self, node: int) -> bool:
        """Whether `node` is a $ in a table's >{$} or <{$}."""
        parent = self.record.parent[node]
        before = self.record.start[parent] - 1 if parent > 0 else -1
        return before >= 0 and self.text[before] in "<>"

    def problem(self, start: int, stop: int, why: str) -> None:
        """Note that something does not close."""
        problems = self.record.problems
        if len(problems) < _MOST_PROBLEMS:
            problems.append(Problem(Span(start, stop), why))
        elif len(problems) == _MOST_PROBLEMS:
            rest = Span(start, len(self.text))
            problems.append(Problem(rest, "more does not close than is worth listing"))

    def in_definition(self) -> bool:
        """Whether a definition's body is being read."""
        return bool(self.definitions)

    def floor(self) -> int:
        """The stack position of the innermost definition's body, or 0: no \\end reaches below."""
        return self.definitions[-1][0] if self.definitions else 0

    def top_kind(self) -> int:
        """The kind of the innermost open node."""
        return self.record.kind[self.stack[-1]] & KIND_BITS

    def close_named(self, name: str, start: int, stop: int) -> int | None:
        """Close the innermost open `name` whose end stands at `start` to `stop`; its number.

        What is open within it ends unclosed at `start`. None if no `name` is open within the
        definition's body that is being read, or in the text when there is none.
        """
        positions = self.environments.get(name)
        if not positions or positions[-1] <= self.floor():
            return None
        while len(self.stack) - 1 > positions[-1]:
            self.abandon(start)
        return self.pop(stop)
