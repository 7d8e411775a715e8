"""What the scanner records of a file, and what it must know of the paper's own commands."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from reviser.latex.commands import VERBATIM_ENVIRONMENTS
from reviser.text.source import Span


class Kind(IntEnum):
    """What a node of the span tree is."""

    DOCUMENT = 0  # the whole text, the root
    GROUP = 1  # { … }
    DEFINITION = 2  # the braces around a definition's body
    ENVIRONMENT = 3  # \begin{name} … \end{name}
    MATH = 4  # $…$, $$…$$, \(…\), \[…\]; mathematical environments are environments
    COMMENT = 5  # from the % to the end of its line, which is not included
    VERBATIM = 6  # \verb and its kin whole, an address's braces, a verbatim body
    SKIPPED = 7  # \iffalse bodies, comment environments' bodies, text after the end


# A node's byte: the kind in the low bits, these above.
KIND_BITS = 0x0F
IN_DEFINITION = 0x10
IN_MATH = 0x20
UNCLOSED = 0x40


@dataclass(frozen=True, slots=True)
class Problem:
    """Where the nesting of groups, environments or mathematics does not close."""

    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What changes how text is cut into pieces; `Dialect.lexicon` is a paper's own.

    `verbatims` maps environments taken letter by letter to the kind of the skipped text;
    `inline_verbatims` are commands like \\lstinline; `opens` and `closes` map macros to the
    environment that they begin or end; `at_letter` is true for style files.
    """

    verbatims: Mapping[str, str] = field(default_factory=lambda: VERBATIM_ENVIRONMENTS)
    inline_verbatims: frozenset[str] = frozenset()
    opens: Mapping[str, str] = field(default_factory=dict)
    closes: Mapping[str, str] = field(default_factory=dict)
    at_letter: bool = False


PLAIN = Lexicon()
STYLE_FILE = Lexicon(at_letter=True)


class Recording:
    """The scanner's notebook: parallel arrays, one place per node or per control word.

    Arrays and not objects: a figure file of 3 MB holds a million of either.
    """

    __slots__ = (
        "command_name",
        "command_parent",
        "command_start",
        "kind",
        "modes",
        "name",
        "names",
        "parent",
        "problems",
        "start",
        "stop",
        "words",
    )

    def __init__(self) -> None:
        self.kind = bytearray()
        self.start = array("i")
        self.stop = array("i")
        self.parent = array("i")
        self.name = array("i")
        self.command_start = array("i")
        self.command_name = array("i")
        self.command_parent = array("i")
        self.names: dict[str, int] = {"": 0}
        self.words: list[str] = [""]
        self.modes: list[tuple[int, str]] = []
        self.problems: list[Problem] = []

    def intern(self, name: str) -> int:
        """The number that stands for `name`; equal names have equal numbers."""
        ident = self.names.get(name)
        if ident is None:
            ident = len(self.words)
            self.names[name] = ident
            self.words.append(name)
        return ident
