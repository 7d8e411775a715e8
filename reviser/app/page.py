"""A page of styled lines: written as plain text into a pipe, wrapped and coloured on a terminal."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TextIO

from reviser.app.ticking import clear_line

_NARROWEST, _WIDEST = 40, 120


class Style(StrEnum):
    """What a piece of text is; only `_LOOKS` knows what it looks like."""

    PLAIN = "plain"
    HEADING = "heading"
    FAINT = "faint"
    PLACE = "place"
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    GOOD = "good"
    QUOTE = "quote"
    LOST = "lost"
    GAINED = "gained"
    LOST_WORD = "lost word"
    GAINED_WORD = "gained word"


_LOOKS: Mapping[Style, str] = {
    Style.PLAIN: "",
    Style.HEADING: "bold",
    Style.FAINT: "dim",
    Style.PLACE: "cyan",
    Style.ERROR: "bold red",
    Style.WARNING: "yellow",
    Style.NOTE: "blue",
    Style.GOOD: "green",
    Style.QUOTE: "italic",
    Style.LOST: "red",
    Style.GAINED: "green",
    Style.LOST_WORD: "bold red reverse",
    Style.GAINED_WORD: "bold green reverse",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words and what they are."""

    text: str
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """One line of output. `indent` is in characters; a wrapped line goes on at `hang`."""

    pieces: tuple[Piece, ...]
    indent: int = 0
    hang: int = 0

    @property
    def plain(self) -> str:
        """The line without styles, unwrapped."""
        return (" " * self.indent + "".join(piece.text for piece in self.pieces)).rstrip()


@dataclass(slots=True)
class Page:
    """Lines in the making. `width` is the terminal's, None in a pipe, where nothing is wrapped."""

    width: int | None = None
    lines: list[Line] = field(default_factory=list)

    def add(self, *pieces: Piece | str, indent: int = 0, hang: int | None = None) -> None:
        """A line of pieces; a bare string is plain text."""
        made = tuple(Piece(p) if isinstance(p, str) else p for p in pieces)
        self.lines.append(Line(made, indent, indent if hang is None else hang))

    def blank(self) -> None:
        """An empty line, also at the beginning: between two pages shown one after the other."""
        self.lines.append(Line(()))

    def gap(self) -> None:
        """An empty line, never two in a row and never the first."""
        if self.lines and self.lines[-1].pieces:
            self.lines.append(Line(()))

    def heading(self, text: str) -> None:
        """A heading after a gap."""
        self.gap()
        self.add(Piece(text, Style.HEADING))

    @property
    def plain(self) -> str:
        """The whole page as plain text with a line end on every line."""
        return "".join(f"{line.plain}\n" for line in self.lines)


def is_terminal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to colour and wrap: a real terminal that is not dumb, and no NO_COLOR."""
    wished = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    return wished and stream.isatty()


def page_for(stream: TextIO) -> Page:
    """An empty page as wide as the terminal behind `stream`, unlimited when there is none."""
    if not stream.isatty():
        return Page()
    from shutil import get_terminal_size

    return Page(width=max(_NARROWEST, min(get_terminal_size().columns, _WIDEST)))


def show(page: Page, stream: TextIO) -> None:
    """Write the page: coloured on a terminal, plain without colour, unwrapped in a pipe."""
    clear_line()
    if page.width is None:
        stream.write(page.plain)
    else:
        _show_wrapped(page, stream, page.width, colour=is_terminal(stream, os.environ))
    stream.flush()


def _show_wrapped(page: Page, stream: TextIO, width: int, *, colour: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=stream,
        width=width,
        force_terminal=colour,
        no_color=not colour,
        color_system="standard" if colour else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for line in page.lines:
        text = Text.assemble(*((p.text, _LOOKS[p.style] if colour else "") for p in line.pieces))
        # A Text is never read as markup, so that brackets in a paper stay brackets.
        for number, part in enumerate(text.wrap(console, max(20, width - line.hang))):
            lead = line.indent if number == 0 else line.hang
            part.rstrip()
            console.print(Text(" " * lead).append_text(part), soft_wrap=True)
