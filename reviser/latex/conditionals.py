"""Which \\else and \\fi belong to which \\if…, over a whole text; TeX matches them by counting."""

import re
from array import array
from bisect import bisect_left
from typing import NamedTuple

from reviser.latex.commands import BRACED_CONDITIONALS

_PIECE = re.compile(
    r"\\(?:"
    r"newif\s*\\[A-Za-z@]+"
    r"|let\s*\\[A-Za-z@]+\s*=?\s*\\[A-Za-z@]+"
    r"|(if[A-Za-z@]*|else|fi)(?![A-Za-z@])"
    r"|[\s\S])"
    r"|%[^\r\n]*"
)


class Branch(NamedTuple):
    """Where a dead branch ends: `start` and `stop` of the \\else or \\fi after it."""

    start: int
    stop: int
    otherwise: bool  # it was an \else: the text after it lives


class Branches:
    """The conditionals of one text, matched in one pass; only dead branches are kept."""

    def __init__(self, text: str) -> None:
        self._after: dict[int, Branch] = {}
        self._ends = array("i")
        pending: list[int] = []  # starts of \if and \else still open
        kept: list[bool] = []  # whether anyone will ask for that start
        for match in _PIECE.finditer(text):
            word = match.group(1)
            if word is None or word in BRACED_CONDITIONALS:
                continue
            start, stop = match.start(), match.end()
            if word not in ("else", "fi"):
                pending.append(start)
                kept.append(word in ("iffalse", "if"))
                continue
            if word == "fi":
                self._ends.append(start)
            if pending:
                opened = pending.pop()
                if kept.pop():
                    self._after[opened] = Branch(start, stop, word == "else")
            if word == "else":
                pending.append(start)
                kept.append(True)

    def live_after(self, start: int) -> Branch | None:
        """The end of the dead branch that the \\iffalse at `start` opens.

        Where the counting does not come out, it is the next \\fi; None without one.
        """
        return self._after.get(start) or self._next(start)

    def end_of_else(self, start: int) -> Branch | None:
        """The end of the branch that the \\else at `start` opens."""
        return self._after.get(start)

    def _next(self, start: int) -> Branch | None:
        position = bisect_left(self._ends, start)
        if position == len(self._ends):
            return None
        end = self._ends[position]
        return Branch(end, end + len(r"\fi"), otherwise=False)
