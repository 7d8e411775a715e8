"""Cut a .bib file into its blocks and an entry into its fields, every part with its offsets.

It follows what BibTeX itself does (the program `bibtex.web`): an @ opens a block wherever it
stands, a percent sign included; braces count even behind a backslash; text between blocks is
ignored. Where BibTeX would give up on an entry, reading goes on and a fault says where and why.
Everything is found by one pass over the braces and one over the text, so time is linear.
"""

from __future__ import annotations  # array[int] exists for the checker only

import re
from array import array
from bisect import bisect_left

from reviser.latex.bibparts import FaultKind, Piece, RawBlock, RawFault, RawField
from reviser.text.source import Span

_BRACE = re.compile(r"[{}]")
_COMMAND = re.compile(r"@[ \t\r\n]*([^\s\"#%'(),={}@]+)[ \t\r\n]*([{(]?)")
# Something that can only be the beginning of another block: it starts a line and has a key.
_HEAD = re.compile(
    r"(?:^|(?<=[\r\n]))[ \t\ufeff]*(@[ \t]*[A-Za-z]+[ \t]*[{(]\s*[^\s,{}()=\"@]+\s*[,=])"
)
_ANY_HEAD = re.compile(r"@[ \t]*[A-Za-z]+[ \t]*[{(]")
_BRACE_KEY = re.compile(r"[^\s,}]*")
_PAREN_KEY = re.compile(r"[^\s,]*")
_SPACED_KEY = re.compile(r"[^\s,{}=\"@]+(?:[ \t]+[^\s,{}=\"@]+)+(?=[ \t]*,)")
_NAME = re.compile(r"[^\s\"#%'(),={}@]+")
_SPACE = re.compile(r"\s*")
_LINE = re.compile(r"[^\r\n]*")
_FIELD_AHEAD = re.compile(r"[^\s\"#%'(),={}@0-9][^\s\"#%'(),={}@]*\s*=")
# A field that begins a line inside a value whose brace or quote was forgotten.
_SWALLOWED = re.compile(
    r"[\r\n][ \t]*((?:author|editor|title|booktitle|journal|journaltitle|year|date|month|volume"
    r"|number|pages|publisher|doi|url|issn|isbn|abstract|keywords|note|address|series|school"
    r"|institution|organization|eprint|file|urldate|edition|chapter|howpublished|annote|language"
    r"|shorttitle|location|crossref)[ \t]*=[ \t]*[{\"\w])",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s*,\s*[A-Za-z][\w-]*\s*=\s*[{\"\w]")
_IN_QUOTES = re.compile(r"[{}\"]")
_RESUME = re.compile(r"[{},)@\r\n]")
# Their text may hold a whole entry, so an entry inside them proves nothing.
_FREE_TEXT = frozenset({"abstract", "annote", "annotation", "note", "bibtex", "comment", "review"})
_MOST_FAULTS = 20  # per entry
_MOST_SECOND_LOOKS = 3  # per entry: keeps reading linear
_LONGEST_MARGIN = 80  # characters before an entry that are looked at for a percent sign
_LONGEST_QUOTE = 80  # characters of stray text that a fault spans


def split(text: str) -> tuple[RawBlock, ...]:
    """The blocks of a .bib file in order, for any text."""
    return _Splitter(text).blocks()


class _Splitter:
    def __init__(self, text: str) -> None:
        self.text = text
        self.closing = _closing_braces(text)
        self.heads = [match.start(1) for match in _HEAD.finditer(text)]

    def blocks(self) -> tuple[RawBlock, ...]:
        found: list[RawBlock] = []
        position = 0
        while (position := self.text.find("@", position)) >= 0:
            match = _COMMAND.match(self.text, position)
            if match is None:
                position += 1
                continue
            kind, opener = match[1].lower(), match[2]
            if kind == "comment":
                # Without braces BibTeX ignores the word alone and reads on behind it.
                closing = self.closing[match.start(2)] if opener == "{" else -1
                stop = closing + 1 if closing >= 0 else match.end(1)
                here = Span(stop, stop)
                found.append(RawBlock(kind, Span(position, stop), "", here, (), ()))
                position = stop
            elif opener:
                block = _Block(self, position, kind, match.end()).read()
                found.append(block)
                position = block.span.stop
            else:
                position = match.end(1)
        return tuple(found)

    def next_head(self, position: int) -> int:
        """Where the next block surely begins at or after `position`, or the end of the file."""
        index = bisect_left(self.heads, position)
        return self.heads[index] if index < len(self.heads) else len(self.text)


class _Block:
    """The reading of one entry, @string or @preamble."""

    def __init__(self, splitter: _Splitter, start: int, kind: str, position: int) -> None:
        self.splitter = splitter
        self.text = splitter.text
        self.start = start
        self.kind = kind
        self.position = position
        self.closer = "}" if self.text[position - 1] == "{" else ")"
        self.fields: list[RawField] = []
        self.faults: list[RawFault] = []
        self.key = ""
        self.key_span = Span(position, position)
        self.second_looks = 0
        self.value_end = position
        before = self.text[max(start - _LONGEST_MARGIN, 0) : start]
        line = max(before.rfind("\n"), before.rfind("\r")) + 1
        # In an entry that is commented out line by line, the signs are all that is to be passed.
        self.commented = before[line:].lstrip().startswith("%")

    def read(self) -> RawBlock:
        if self.kind == "preamble":
            self.read_preamble()
        else:
            if self.kind != "string":
                self.read_key()
            self.read_fields()
            self.note_duplicates()
        return RawBlock(
            self.kind,
            Span(self.start, self.position),
            self.key,
            self.key_span,
            tuple(self.fields),
            tuple(self.faults),
        )

    def fault(self, kind: FaultKind, start: int, stop: int, name: str = "") -> None:
        if len(self.faults) < _MOST_FAULTS:
            self.faults.append(RawFault(kind, Span(start, stop), name))

    def skip(self) -> int:
        """Pass spaces, and percent comments (which BibTeX does not know inside an entry)."""
        while True:
            match = _SPACE.match(self.text, self.position)
            self.position = match.end() if match else self.position
            if not self.text.startswith("%", self.position):
                return self.position
            line = None if self.commented else _LINE.match(self.text, self.position)
            stop = line.end() if line else self.position + 1
            if not any(fault.kind is FaultKind.PERCENT_SIGN for fault in self.faults):
                self.fault(FaultKind.PERCENT_SIGN, self.position, stop)
            self.position = stop

    def read_key(self) -> None:
        space = _SPACE.match(self.text, self.position)
        start = space.end() if space else self.position
        pattern = _BRACE_KEY if self.closer == "}" else _PAREN_KEY
        match = _SPACED_KEY.match(self.text, start) or pattern.match(self.text, start)
        key = match[0] if match else ""
        if self.closer == ")":
            key = (
                key.removesuffix(")") if self.text[start + len(key) :].lstrip()[:1] != "," else key
            )
        after = _SPACE.match(self.text, start + len(key))
        follows = self.text[after.end() : after.end() + 1] if after else ""
        if not key or "=" in key or follows == "=":
            self.key_span = Span(start, start)
            self.position = start
            self.fault(FaultKind.MISSING_KEY, start, start)
            if follows == "," and not key:
                self.position = start + 1
            return
        self.key = key
        self.key_span = Span(start, start + len(key))
        self.position = start + len(key)
        if any(character in key for character in " \t"):
            self.fault(FaultKind.SPACE_IN_KEY, start, start + len(key))
        self.skip()
        if self.text.startswith(",", self.position):
            self.position += 1
        elif not self.text.startswith(self.closer, self.position) and _FIELD_AHEAD.match(
            self.text, self.position
        ):
            self.fault(FaultKind.MISSING_COMMA, start + len(key), start + len(key))

    def read_preamble(self) -> None:
        self.skip()
        self.read_pieces([], "preamble")
        self.skip()
        if self.text.startswith(self.closer, self.position):
            self.position += 1
        else:
            self.note_unclosed()

    def read_fields(self) -> None:
        while True:
            position = self.skip()
            if position >= len(self.text) or _ANY_HEAD.match(self.text, position):
                if self.second_look():
                    continue
                self.note_unclosed()
                return
            character = self.text[position]
            if character == self.closer:
                self.position += 1
                if self.closer == ")" or not _GOES_ON.match(self.text, self.position):
                    return
                self.fault(FaultKind.EXTRA_BRACE, position, position + 1)
                self.position = self.text.index(",", self.position) + 1
            elif character == ",":
                self.fault(FaultKind.EXTRA_COMMA, position, position + 1)
                self.position += 1
            else:
                self.read_field()

    def read_field(self) -> None:
        name = _NAME.match(self.text, self.position)
        if name is None:
            self.recover()
            return
        self.position = name.end()
        self.skip()
        if not self.text.startswith("=", self.position):
            self.fault(FaultKind.MISSING_EQUALS, name.start(), name.end(), name[0])
            self.position = name.end()
            self.recover(told=True)
            return
        self.position += 1
        start = self.skip()
        pieces: list[Piece] = []
        ended = self.read_pieces(pieces, name[0].lower())
        stop = self.value_end
        if pieces:
            self.fields.append(RawField(name[0].lower(), Span(start, stop), tuple(pieces)))
        else:
            self.fault(FaultKind.MISSING_VALUE, name.start(), name.end(), name[0])
        if not ended:
            return
        self.skip()
        follows = self.text[self.position : self.position + 1]
        if follows == ",":
            self.position += 1
        elif follows and follows != self.closer and not _ANY_HEAD.match(self.text, self.position):
            if _FIELD_AHEAD.match(self.text, self.position):
                self.fault(FaultKind.MISSING_COMMA, stop, stop, name[0])
            else:
                self.recover()

    def read_pieces(self, pieces: list[Piece], name: str) -> bool:
        """Read a value up to `value_end`. False when a delimiter is missing, so that the end was
        found by what comes next and reading has already gone on to there."""
        end = self.position
        while True:
            character = self.text[self.position : self.position + 1]
            if character in {"{", '"'} and character:
                stop = self.delimited_end(character, name)
                if stop < 0:
                    self.cut_value(pieces, self.position, self.splitter.next_head(self.position))
                    return False
                pieces.append(Piece(self.text[self.position + 1 : stop], bare=False))
                self.position = end = stop + 1
            elif word := _NAME.match(self.text, self.position):
                pieces.append(Piece(word[0], bare=True))
                self.position = end = word.end()
            else:
                if pieces:
                    self.fault(FaultKind.MISSING_VALUE, end, self.position, name)
                break
            if self.text[self.skip() : self.position + 1] != "#":
                break
            self.position += 1
            self.skip()
        self.position = self.value_end = end
        return True

    def delimited_end(self, opener: str, name: str) -> int:
        """Where the value that opens here closes, or -1."""
        start = self.position
        limit = self.splitter.next_head(start)
        if opener == "{":
            stop = self.splitter.closing[start]
            return -1 if stop > limit and name not in _FREE_TEXT else stop
        position = start + 1
        while match := _IN_QUOTES.search(self.text, position, limit):
            if match[0] == '"':
                return match.start()
            stop = self.splitter.closing[match.start()] if match[0] == "{" else -1
            if stop < 0:
                return -1
            position = stop + 1
        return -1

    def cut_value(self, pieces: list[Piece], start: int, limit: int) -> None:
        """End a value that lacks its delimiter before the next field, else at `limit`."""
        following = _SWALLOWED.search(self.text, start, limit)
        stop = following.start() if following else limit
        inside = self.text[start + 1 : stop].rstrip().removesuffix(",").rstrip()
        pieces.append(Piece(inside, bare=False))
        self.value_end = end = start + 1 + len(inside)
        self.fault(FaultKind.UNCLOSED_VALUE, start, end)
        self.position = following.start(1) if following else end

    def second_look(self) -> bool:
        """An entry that never closes may have a field that swallowed those after it."""
        if not self.fields or self.second_looks >= _MOST_SECOND_LOOKS:
            return False
        self.second_looks += 1
        last = self.fields[-1]
        if self.text[last.span.start] != "{":
            return False
        if not _SWALLOWED.search(self.text, last.span.start, last.span.stop):
            return False
        pieces: list[Piece] = []
        self.fields.pop()
        self.cut_value(pieces, last.span.start, last.span.stop)
        span = Span(last.span.start, self.value_end)
        self.fields.append(RawField(last.name, span, tuple(pieces)))
        return True

    def recover(self, *, told: bool = False) -> None:
        """Go on behind the next comma, or at the closing delimiter, a field or another block."""
        start = self.position
        while match := _RESUME.search(self.text, self.position):
            self.position = match.end()
            mark = match[0]
            if mark == "{" and self.splitter.closing[match.start()] >= 0:
                closing = self.splitter.closing[match.start()]
                if closing < self.splitter.next_head(match.start()):
                    self.position = closing + 1
            elif mark == ",":
                break
            elif mark == self.closer or (mark == "@" and _ANY_HEAD.match(self.text, match.start())):
                self.position = match.start()
                break
            elif mark in "\r\n" and _FIELD_AHEAD.match(self.text, self.skip()):
                break
        else:
            self.position = len(self.text)
        if not told:
            stop = min(self.position, start + _LONGEST_QUOTE)
            text = self.text[start:stop].rstrip()
            self.fault(FaultKind.STRAY_TEXT, start, start + len(text))

    def note_unclosed(self) -> None:
        self.position = self.start + len(self.text[self.start : self.position].rstrip())
        if not any(fault.kind is FaultKind.UNCLOSED_VALUE for fault in self.faults):
            self.fault(FaultKind.UNCLOSED_ENTRY, self.position, self.position)

    def note_duplicates(self) -> None:
        seen: set[str] = set()
        for field in self.fields:
            if field.name in seen:
                self.fault(FaultKind.DUPLICATE_FIELD, field.span.start, field.span.stop, field.name)
            seen.add(field.name)


def _closing_braces(text: str) -> array[int]:
    """For each opening brace's offset the offset of the brace that closes it, elsewhere -1."""
    closing = array("i", [-1]) * len(text)
    open_at: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            open_at.append(match.start())
        elif open_at:
            closing[open_at.pop()] = match.start()
    return closing
