"""What is no running text in a file, and what stands open around a place in it."""

from enum import IntEnum
from itertools import chain
from typing import NamedTuple

from reviser.latex import prose_tables as tables
from reviser.latex.elements import Citation, Footnote, Heading, Reference, Skipped
from reviser.latex.tex import TexFile
from reviser.text.source import Span

Element = Citation | Footnote | Heading | Reference | Skipped | None


class Interruption(IntEnum):
    """What interrupts running text, and how."""

    NOTHING = 0
    BREAK = 1
    COMMENT = 2
    VERBATIM = 3
    INLINE = 4
    DISPLAY = 5
    CITATION = 6
    REFERENCE = 7
    FOOTNOTE = 8
    HEADING = 9


class Event(NamedTuple):
    """An interruption and where it stands; `element` where its words matter."""

    start: int
    stop: int
    what: Interruption
    element: Element


def events(tex: TexFile) -> list[Event]:
    """What is no running text, by where it starts; the outer of two before the inner."""
    found: list[Event] = []

    def add(span: Span, what: Interruption, element: Element = None) -> None:
        found.append(Event(span.start, span.stop, what, element))

    for comment in tex.comments:
        add(comment.at.span, Interruption.COMMENT)
    for skipped in tex.skipped:
        verbatim = skipped.kind == "verbatim"
        add(skipped.at.span, Interruption.VERBATIM if verbatim else Interruption.NOTHING, skipped)
    for math in tex.math:
        add(math.at.span, Interruption.DISPLAY if math.display else Interruption.INLINE)
    for use in tex.citations:
        add(use.at.span, Interruption.CITATION, use)
    for reference_ in tex.references:
        if reference_.command != "hyperref":
            add(reference_.at.span, Interruption.REFERENCE, reference_)
    for note in tex.footnotes:
        add(note.at.span, Interruption.FOOTNOTE, note)
    for heading in tex.headings:
        add(heading.at.span, Interruption.HEADING, heading)
    for silent in chain(
        (label.at for label in tex.labels),
        (macro.at for macro in tex.macros),
    ):
        add(silent.span, Interruption.NOTHING)
    for other in chain(
        (include.at for include in tex.includes),
        (use.at for use in tex.bibliographies),
    ):
        add(other.span, Interruption.BREAK)
    found.sort(key=lambda event: (event[0], -event[1], event[2]))
    return found


class Surroundings:
    """The environments open at a place, and what they make of the text there."""

    __slots__ = ("_base", "_open", "_opened", "inline_list", "kind", "table", "unread")

    def __init__(self, kind: str) -> None:
        self._base = kind
        self.restart()

    def restart(self) -> None:
        """Forget what is open, as at a heading: what no \\end closed must not swallow the rest."""
        self.kind = self._base
        self.table = False
        self.unread = False
        self.inline_list = False
        self._open: list[tuple[str, str, bool, bool, bool]] = []
        self._opened: dict[str, int] = {}

    def enter(self, name: str, standard: str = "") -> None:
        """\\begin{name}, which the paper may have made of the environment `standard`."""
        names = {name, standard or name}
        self._open.append((name, self.kind, self.table, self.unread, self.inline_list))
        self._opened[name] = self._opened.get(name, 0) + 1
        table = not names.isdisjoint(tables.TABLES)
        inline = not names.isdisjoint(tables.INLINE_LISTS)
        listed = inline or not names.isdisjoint(tables.LISTS)
        self.unread = self.unread or not names.isdisjoint(tables.UNREAD_ENVIRONMENTS)
        self.table = self.table or table
        if listed:
            self.inline_list = inline
        if self._base != "body":
            return
        if table or not names.isdisjoint(tables.FLOATS):
            self.kind = "cell"
        elif not names.isdisjoint(tables.ABSTRACTS):
            self.kind = "abstract"
        elif listed and not inline and self.kind == "body":
            self.kind = "item"

    def leave(self, name: str) -> None:
        """\\end{name}, which also ends what was opened within and not closed."""
        if not self._opened.get(name):
            return
        while self._open:
            opened, self.kind, self.table, self.unread, self.inline_list = self._open.pop()
            self._opened[opened] -= 1
            if opened == name:
                return
