"""Reading what TeX takes letter by letter: \\verb and its kin, listings, addresses."""

import re

from reviser.latex.commands import VERBATIM_ARGUMENTS
from reviser.latex.definitions import gap
from reviser.latex.delimiters import LONGEST, address_braces, delimited, option
from reviser.latex.nesting import SKIPPED, VERBATIM, Nesting

_HREF_OPTIONS = re.compile(r"[ \t]*\[[^\[\]{}\r\n]*\]")
_SHORT_VERB = re.compile(
    r"\*?[ \t]*(?:\[[^\[\]{}\r\n]*\])?[ \t]*(?:\{\\([^A-Za-z\s])\}|\\?([^A-Za-z\s{}\\]))"
)


class Letterwise(Nesting):
    """Readers of verbatims; each answers where reading goes on, or -1 for just after itself."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.limit = len(text)  # nothing is read beyond it
        self.short = ""  # the marks that are short verbs
        self.barren = {"[": 0, "{": 0}  # no argument that opens before there ends

    def skip(self, start: int, stop: int, kind: str) -> None:
        """Note dead text."""
        if stop > start:
            self.leaf(SKIPPED, start, stop, self.record.intern(kind))

    def verbatim(self, start: int, stop: int, name: str) -> int:
        """Note a verbatim; where reading goes on."""
        self.leaf(VERBATIM, start, stop, self.record.intern(name))
        return stop

    def verb(self, word: str, start: int, stop: int) -> int:
        """Read \\verb|…| and \\verb*|…|."""
        if self.in_definition():
            return -1
        mark = stop + self.text.startswith("*", stop)
        end = delimited(self.text, mark, self.limit)
        if end is None:
            self.problem(start, stop, "\\verb is never closed on its line")
            return -1
        return self.verbatim(start, end, word)

    def inline_listing(self, word: str, start: int, stop: int) -> int:
        """Read \\lstinline[..]|…| and its kin, with braces or any other mark."""
        if self.in_definition():
            return -1
        at = stop + self.text.startswith("*", stop)
        at = self.argument("[", at) or at
        if word == "mintinline":
            at = self.argument("{", at) or at
        end = self.argument("{", at)
        if end is None:
            end = delimited(self.text, at, self.limit)
        return -1 if end is None else self.verbatim(start, end, word)

    def address(self, word: str, _start: int, stop: int) -> int:
        """Read the address of a \\url, \\href or \\path."""
        if self.in_definition():
            return -1
        options = _HREF_OPTIONS.match(self.text, stop, self.limit) if word == "href" else None
        at = options.end() if options else stop
        end = self.argument("{", at)
        if end is None:
            # \path begins a drawing as well, so only \url has its other form read.
            end = delimited(self.text, at, self.limit) if word == "url" else None
        if end is None:
            return -1
        return self.verbatim(gap(self.text, at), end, word)

    def short_verb(self, _word: str, _start: int, stop: int) -> int:
        """Read \\MakeShortVerb: from here on the mark opens a verbatim."""
        match = _SHORT_VERB.match(self.text, stop, self.limit)
        if match is None or self.in_definition():
            return -1
        mark = match.group(1) or match.group(2)
        if mark not in "%$&#~^_()[]" and mark not in self.short:
            self.short += mark
        return match.end()

    def no_short_verb(self, _word: str, _start: int, stop: int) -> int:
        """Read \\DeleteShortVerb."""
        match = _SHORT_VERB.match(self.text, stop, self.limit)
        if match is None or self.in_definition():
            return -1
        self.short = self.short.replace(match.group(1) or match.group(2), "")
        return match.end()

    def short_verbatim(self, _piece: str, start: int, _stop: int) -> int:
        """Read |…| where the mark is a short verb."""
        end = None if self.in_definition() else delimited(self.text, start, self.limit)
        return -1 if end is None else self.verbatim(start, end, "verb")

    def after_arguments(self, name: str, offset: int) -> int:
        """Where the body of the verbatim environment `name` begins."""
        for argument in VERBATIM_ARGUMENTS.get(name, ""):
            stop = self.argument("[", offset) if argument == "o" else self.argument("{", offset)
            offset = offset if stop is None else stop
        return offset

    def argument(self, opening: str, offset: int) -> int | None:
        """One past the argument at `offset`. Where one does not end, none is sought before the
        point up to which that was seen: else a row of them would cost its square."""
        if offset < self.barren[opening]:
            return None
        read = option if opening == "[" else address_braces
        stop = read(self.text, offset, self.limit)
        if stop is None and self.text.startswith(opening, offset):
            self.barren[opening] = min(offset + LONGEST, self.limit)
        return stop
