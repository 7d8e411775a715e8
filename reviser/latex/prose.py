"""The prose of a LaTeX file: its blocks and sentences, without markup, each with its place."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from reviser.latex import prose_tables as tables
from reviser.latex.commands import ADDRESSES, SILENT
from reviser.latex.elements import (
    Citation,
    CitationForm,
    Footnote,
    Heading,
    Reference,
    Skipped,
)
from reviser.latex.plain import Draft, Plain
from reviser.latex.sentences import BINDING, OBJECT
from reviser.latex.surroundings import Interruption, Surroundings, events
from reviser.latex.tex import TexFile
from reviser.latex.wording import Words, accent, citation, display_math, inline_math, reference
from reviser.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item, table cell, caption, footnote or title, cut into sentences.

    `kind` is "body", "abstract", "caption", "footnote", "title", "item" or "cell"; `at` runs
    from the first sentence to the last. A block may lie within a sentence of another (a footnote
    does): what stands in both belongs to the inner one.
    """

    kind: str
    at: Span
    sentences: tuple[Plain, ...]


def blocks(tex: TexFile, source: Source) -> tuple[Block, ...]:
    """The blocks of prose in a file, by where they start; nothing of the preamble but titles.

    In a sentence's text a parenthetical citation reads "[1]", a textual one "Authors",
    \\citeyear "2000", a reference "1", a formula "X" (a plain number between dollars reads as
    itself). Verbatims, formulas, drawings, algorithms and bibliographies hold no prose. Never
    raises; time is linear in the file's length.
    """
    reader = _Reader(tex, source)
    reader.read()
    return tuple(sorted(reader.found, key=lambda block: block.at))


_TOKEN = re.compile(
    r"\\(?:([A-Za-z@]+)\*?|([\s\S])?)|[{}~&$]|[ \t\r\n\f\v]{2,}|-{2,3}|``|''|,,|<<|>>"
    r"|(?<=[^\W\d_])\"[=~\-](?=[^\W\d_])|\"`(?=\w)|(?<=[\w.,!?])\"'(?!\w)"
)
_UNREAD = re.compile(r"\\(begin|end|caption(?:of)?)(?![A-Za-z@])")
_ENVIRONMENT = re.compile(r"[ \t]*\{\s*([^{}\r\n]{0,60}?)\s*\}")
_BLANK_LINE = re.compile(r"\n[ \t\f\v]*\r?\n|\r[ \t\f\v]*\r")
_COMMENT_END = re.compile(r"(?:\r\n?|\n)?[ \t\f\v]*")
_SWALLOWED = re.compile(r"[ \t]*(?:\r?\n(?![ \t]*\r?\n)[ \t]*)?")
_INLINE_VERBATIM = re.compile(r"\\[A-Za-z@]+\*?(?:\[[^\]\r\n]*\])?(?:\{[a-z]*\})?([^\w\s])")
_NAME = re.compile(r"[\w.+\-/]+")
_AFTER_DISPLAY = re.compile(
    r"(?:\s|\\label\{[^{}]{0,80}\}|\\noindent(?![A-Za-z])|%[^\r\n]*[\r\n]){0,40}([A-Z][a-z]*)\s"
)
_SHORT = {
    "---": "—",
    "--": "–",
    "``": "“",
    "''": "”",
    ",,": "„",
    "<<": "«",
    ">>": "»",
    '"=': "-",
    '"~': "-",
    '"`': "„",
    "\"'": "“",
    '"-': "",
}
_IN_PREAMBLE = tuple(
    word for word, kind in tables.OWN_TEXT.items() if kind in {"title", "abstract"}
)
_LETTER_ACCENTS = frozenset("cvuHkrbdt")
_ONE_LINE_KINDS = frozenset({"title", "caption", "footnote"})
_FONTS = SILENT - {"xspace", "protect"}


class _Reader:
    """One file on its way to blocks: regions of text are read one after the other."""

    def __init__(self, tex: TexFile, source: Source) -> None:
        self.found: list[Block] = []
        self._tex = tex
        self._scan = tex.scan
        self._text = source.text
        self._events = events(tex)
        self._starts = [event.start for event in self._events]
        self._regions: list[tuple[Span, str]] = []
        self._draft = Draft(self._text)
        self._stop = 0
        self._owner = (-1, -1)
        self._places = Surroundings("body")

    def read(self) -> None:
        """Read the titles of the preamble, the document, and the texts nested in them."""
        document = self._tex.document
        self._stop = document.start
        for command in self._scan.commands(*_IN_PREAMBLE):
            if command.span.start < document.start and not command.in_definition:
                self._own_text(command.name, command.span.stop)
        self._region(document, "body")
        while self._regions:
            self._region(*self._regions.pop())

    def _region(self, region: Span, kind: str) -> None:
        self._draft = Draft(self._text)
        self._places = Surroundings(kind)
        self._stop = region.stop
        at = region.start
        following = bisect_left(self._starts, at)
        while at < region.stop:
            while following < len(self._starts) and self._starts[following] < at:
                following += 1
            limit = region.stop
            if following < len(self._starts):
                limit = min(limit, self._starts[following])
            if at < limit:
                at = self._unread(at, limit) if self._places.unread else self._plain(at, limit)
            elif following < len(self._starts):
                at = min(max(self._event(following), at + 1), region.stop)
        self._flush()

    def _flush(self) -> None:
        draft = self._draft
        if len(draft):
            sentences = draft.sentences()
            if sentences:
                at = Span(sentences[0].at.start, sentences[-1].at.stop)
                self.found.append(Block(self._places.kind, at, sentences))
        if len(draft) or draft.braces:
            self._draft = Draft(self._text)

    def _unread(self, at: int, limit: int) -> int:
        """Within what holds no prose: only its end and its captions matter."""
        for match in _UNREAD.finditer(self._text, at, limit):
            if match.group(1) in ("begin", "end"):
                stop = self._environment(match.group(1), match.end())
            else:
                stop = self._own_text("caption", match.end())
            if not self._places.unread or stop > match.end():
                return min(max(stop, match.end()), self._stop)
        return limit

    def _plain(self, at: int, limit: int) -> int:
        """Read markup and text from `at` to `limit`; an argument may carry it further."""
        text, places = self._text, self._places
        while at < limit:
            match = _TOKEN.search(text, at, limit)
            if match is None:
                self._draft.copy(at, limit)
                return limit
            start, stop = match.span()
            if start > at:
                self._draft.copy(at, start)
            char = text[start]
            if char == "\\":
                word = match.group(1)
                if word:
                    stop = self._word(word, start, stop)
                else:
                    stop = self._symbol(match.group(2) or "", start, stop)
                stop = min(stop, self._stop)
            elif char in "{}":
                self._brace(char, start)
            else:
                self._short(match.group(), start, stop)
            at = stop
            if places.unread:
                return at
        return at

    def _brace(self, char: str, start: int) -> None:
        owned, owner = self._owner
        step = 1 if char == "{" else -1
        self._draft.braces.append((start, step, owner if owned == start else start))

    def _short(self, mark: str, start: int, stop: int) -> None:
        if mark.isspace():
            if _BLANK_LINE.search(mark):
                self._flush()
            else:
                self._draft.space(start)
        elif mark == "~":
            self._draft.space(start, BINDING)
        elif mark == "&":
            if self._places.table:
                self._flush()
            else:
                self._draft.space(start)
        elif mark != "$":
            self._draft.put(_SHORT[mark], start, stop)

    def _symbol(self, char: str, start: int, stop: int) -> int:
        """A backslash and one character that is no letter."""
        draft, text = self._draft, self._text
        if char == "\\":
            if self._places.kind in _ONE_LINE_KINDS:
                draft.space(start)
            else:
                self._flush()
            stop += text.startswith("*", stop)
            return self._after_option(stop)
        if char in "%&$#_{}":
            draft.put(char, start, stop)
        elif char in tables.ACCENTS:
            made = accent(text, char, stop)
            if made:
                draft.put(made[0], start, made[1])
                return made[1]
        elif char.isspace():
            draft.space(start, BINDING if draft.last == "." else " ")
        elif char in ",:;":
            between_digits = draft.last.isdigit() and text[stop : stop + 1].isdigit()
            if char != "," or not between_digits:
                draft.space(start, BINDING if draft.last == "." else " ")
        return stop

    def _word(self, word: str, start: int, stop: int) -> int:
        """A control word whose name ends at `stop`: where reading goes on."""
        if word in ("begin", "end"):
            return self._environment(word, stop)
        meaning = self._tex.dialect.expansions.get(word, tables.SIGNS.get(word))
        if meaning is not None:
            return self._meaning(meaning, start, stop)
        if word in tables.BREAKS:
            self._flush()
        if word in tables.OWN_TEXT:
            return self._own_text(word, stop)
        if word in _FONTS:
            return self._swallowed(stop)
        if word in _LETTER_ACCENTS:
            made = accent(self._text, word, stop)
            if made:
                self._draft.put(made[0], start, made[1])
                return made[1]
        return self._arguments(word, start, stop)

    def _arguments(self, word: str, start: int, stop: int) -> int:
        """A control word that says nothing: past those of its arguments that are no text."""
        if word == "item":
            return self._item(stop)
        if word in ADDRESSES:
            return self._address(stop)
        if word in tables.DROPPED:
            return self._without_arguments(stop, tables.DROPPED[word])
        stop = self._without_arguments(stop, tables.FIRST_DROPPED.get(word, 0))
        if self._text.startswith("{", stop):
            self._owner = (stop, start)
        return stop

    def _swallowed(self, stop: int) -> int:
        match = _SWALLOWED.match(self._text, stop)
        return match.end() if match else stop

    def _meaning(self, meaning: str, start: int, stop: int) -> int:
        """A command that reads as `meaning`; a blank after its name is one to the reader."""
        words = meaning.strip()
        if self._text.startswith("{}", stop):
            stop += 2
        self._draft.put(words, start, stop)
        if len(words) == 1 and words.isalpha():
            return self._swallowed(stop)
        if words != meaning and meaning[-1:].isspace():
            self._draft.space(stop - 1, BINDING if words.endswith(".") else " ")
        return stop

    def _item(self, stop: int) -> int:
        label = self._scan.argument(stop, "[")
        if label is None or label.span.stop > self._stop:
            return stop
        self._regions.append((label.inner, self._places.kind))
        return label.span.stop

    def _own_text(self, word: str, stop: int) -> int:
        kind = tables.OWN_TEXT.get(word, "caption")
        if kind != "footnote":
            self._flush()
        stop += self._text.startswith("*", stop)
        if word.startswith("captionof"):
            stop = self._without_arguments(stop, 1)
        body = self._scan.argument(self._after_option(stop), "{")
        if body is None or body.span.stop > self._stop:
            return stop
        self._regions.append((body.inner, kind))
        return body.span.stop

    def _address(self, stop: int) -> int:
        address = self._scan.argument(self._after_option(stop), "{")
        if address is None or address.span.stop > self._stop:
            return stop
        self._draft.braces.append((address.span.start, 1, stop))
        if address.inner.start < address.inner.stop:
            self._draft.copy(address.inner.start, address.inner.stop)
        self._draft.braces.append((address.inner.stop, -1, address.inner.stop))
        return address.span.stop

    def _after_option(self, stop: int) -> int:
        """Past the options that stand right at `stop`."""
        while self._text.startswith("[", stop):
            option = self._scan.argument(stop, "[")
            if option is None:
                break
            stop = option.span.stop
        return stop

    def _without_arguments(self, stop: int, count: int) -> int:
        """Past the options, and past `count` arguments in braces, that follow `stop`."""
        stop += self._text.startswith("*", stop)
        stop = self._after_option(stop)
        for _ in range(count):
            argument = self._scan.argument(stop, "{")
            if argument is None:
                break
            stop = self._after_option(argument.span.stop)
        return stop

    def _environment(self, word: str, stop: int) -> int:
        match = _ENVIRONMENT.match(self._text, stop)
        if match is None:
            return stop
        self._flush()
        name = match.group(1)
        if word == "end":
            self._places.leave(name)
            return match.end()
        self._places.enter(name)
        return self._without_arguments(match.end(), tables.ENVIRONMENT_ARGUMENTS.get(name, 0))

    def _event(self, number: int) -> int:
        """What the reader of TeX has found at this place: where reading goes on."""
        start, stop, what, element = self._events[number]
        stop = min(stop, self._stop)
        unread = self._places.unread
        match what:
            case Interruption.COMMENT:
                return self._comment(stop)
            case Interruption.BREAK:
                self._flush()
            case Interruption.HEADING if isinstance(element, Heading):
                self._flush()
                self._places.restart()
                self._regions.append((element.title.span, "title"))
            case Interruption.FOOTNOTE if isinstance(element, Footnote) and not unread:
                self._regions.append((element.body.span, "footnote"))
            case Interruption.VERBATIM if isinstance(element, Skipped) and not unread:
                self._verbatim(start, stop)
            case Interruption.INLINE if not unread:
                self._inline(number, start, stop)
            case Interruption.DISPLAY if not unread:
                self._display(start, stop)
            case Interruption.CITATION if isinstance(element, Citation) and not unread:
                if element.form is not CitationForm.UNSEEN:
                    self._draft.marks.append(len(self._draft))
                    self._draft.put(citation(element), start, stop)
            case Interruption.REFERENCE if isinstance(element, Reference) and not unread:
                self._draft.put(reference(element), start, stop)
            case _:
                pass
        return stop

    def _comment(self, stop: int) -> int:
        """TeX drops a comment with its line end and the next line's indent."""
        if self._draft.last in ".?!":
            self._draft.space(stop - 1)
        match = _COMMENT_END.match(self._text, stop, self._stop)
        end = match.end() if match else stop
        if end > stop and self._text[end : end + 1] in ("\n", "\r") and end < self._stop:
            self._flush()
        return end

    def _verbatim(self, start: int, stop: int) -> None:
        match = _INLINE_VERBATIM.match(self._text, start, stop)
        if match is None:
            self._flush()
            return
        first, last = match.end(), stop - 1
        if first < last and _NAME.fullmatch(self._text, first, last):
            self._draft.put(self._text[first:last], start, stop)
        else:
            self._draft.put(OBJECT, start, stop)

    def _put(self, words: list[Words]) -> None:
        for piece in words:
            if piece.words:
                self._draft.put(piece.words, piece.start, piece.stop)
            else:
                self._draft.copy(piece.start, piece.stop)

    def _inline(self, number: int, start: int, stop: int) -> None:
        within = self._events[number + 1 : number + 2]
        if within and within[0].start < stop and isinstance(within[0].element, Citation):
            self._draft.marks.append(len(self._draft))
            self._draft.put("[1]", start, stop)
            return
        self._put(inline_math(self._text, Span(start, stop)))

    def _display(self, start: int, stop: int) -> None:
        words = display_math(self._text, Span(start, stop))
        self._draft.space(start)
        self._put(words)
        self._draft.space(stop - 1)
        if len(words) == 1:
            match = _AFTER_DISPLAY.match(self._text, stop, self._stop)
            if match:
                self._draft.cuts.append(len(self._draft))
