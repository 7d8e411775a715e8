"""Differences on a page: a unified diff in a pipe, changed words set off on a terminal."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from reviser.app.page import Page, Piece, Style
from reviser.text.diff import Change, Hunk, Part, hunks, words
from reviser.text.printable import printable, printable_line
from reviser.text.source import Source

_LINE = {Change.SAME: Style.PLAIN, Change.LOST: Style.LOST, Change.GAINED: Style.GAINED}
_WORD = {Change.LOST: Style.LOST_WORD, Change.GAINED: Style.GAINED_WORD}
_AROUND = 40  # characters kept on either side of a change in a long line


def add_diff(
    page: Page, before: Source, after: Source, *, prefix: str = "", indent: int = 0
) -> None:
    """The changed lines of one file, with one line of context (three in a pipe)."""
    context = 3 if page.width is None else 1
    found = hunks(before.text, after.text, context=context)
    if not found:
        return
    path = printable(prefix + before.path)
    page.add(Piece(f"--- {path}", Style.HEADING), indent=indent)
    page.add(Piece(f"+++ {path}", Style.HEADING), indent=indent)
    for hunk in found:
        page.add(Piece(hunk.header, Style.PLACE), indent=indent)
        if page.width is None:
            for part in hunk.lines:
                page.add(_whole(part), indent=indent)
        else:
            _add_hunk(page, hunk, page.width - indent - 1, indent)


def _whole(part: Part) -> Piece:
    return Piece(f"{part.change}{printable_line(part.text)}", _LINE[part.change])


def _add_hunk(page: Page, hunk: Hunk, width: int, indent: int) -> None:
    runs = [list(group) for _, group in groupby(hunk.lines, key=lambda part: part.change)]
    position = 0
    while position < len(runs):
        run = runs[position]
        following = runs[position + 1] if position + 1 < len(runs) else []
        paired = (
            run[0].change is Change.LOST
            and bool(following)
            and following[0].change is Change.GAINED
            and len(run) == len(following)
        )
        if paired:
            compared = [words(old.text, new.text) for old, new in zip(run, following, strict=True)]
            for change in (Change.LOST, Change.GAINED):
                for parts in compared:
                    page.add(*_emphasised(parts, change, width), indent=indent, hang=indent + 1)
            position += 2
            continue
        for part in run:
            shown = _clipped(printable_line(part.text), width, keep="both")
            page.add(Piece(f"{part.change}{shown}", _LINE[part.change]), indent=indent)
        position += 1


def _emphasised(parts: Iterable[Part], change: Change, width: int) -> Sequence[Piece]:
    """One side of a changed line; unchanged stretches of a long line are cut short."""
    own = [part for part in parts if part.change in {Change.SAME, change}]
    long = sum(len(part.text) for part in own) > width
    pieces = [Piece(str(change), _LINE[change])]
    for number, part in enumerate(own):
        shown = printable_line(part.text)
        if part.change is change:
            pieces.append(Piece(shown, _WORD[change]))
            continue
        if long:
            first, last = number == 0, number == len(own) - 1
            keep = "end" if first else "start" if last else "both"
            shown = _clipped(shown, _AROUND * (2 if keep == "both" else 1), keep=keep)
        pieces.append(Piece(shown, _LINE[change]))
    return pieces


def _clipped(text: str, width: int, *, keep: str) -> str:
    """What there is room for at the start, the end or both, with stops for the rest."""
    if len(text) <= width:
        return text
    match keep:
        case "start":
            return f"{text[: width - 4]} ..."
        case "end":
            return f"... {text[4 - width :]}"
        case _:
            half = (width - 5) // 2
            return f"{text[:half]} ... {text[-half:]}"
