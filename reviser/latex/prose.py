"""The prose of a LaTeX file: its blocks and sentences, without markup, each with its place."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from reviser.latex import control
from reviser.latex import prose_tables as tables
from reviser.latex.elements import (
    Citation,
    CitationForm,
    Footnote,
    Heading,
    Reference,
    Skipped,
)
from reviser.latex.page import Page
from reviser.latex.plain import Plain
from reviser.latex.sentences import BINDING, OBJECT
from reviser.latex.signs import SHORTHANDS
from reviser.latex.surroundings import Interruption
from reviser.latex.tex import TexFile
from reviser.latex.wording import Words, citation, display_math, inline_math, reference
from reviser.text.source import Source, Span

# The first character alone decides where to stop, which the regex engine finds quickest.
_TOKEN = re.compile(
    r"[\\{}~&$\n\r\t\f\v\-`',<>\"](?:(?<=\\)(?:([A-Za-z@]+)\*?|([\s\S])?)|(?<=[{}~&$])"
    r"|(?<=[\n\r\t\f\v])[ \t\r\n\f\v]*|(?<=-)-{1,2}|(?<=`)`|(?<=')'|(?<=,),|(?<=<)<|(?<=>)>"
    r"|(?<=[^\W\d_]\")[=~\-](?=[^\W\d_])|(?<=\")`(?=\w)|(?<=[\w.,!?]\")'(?!\w))"
)
_UNREAD = re.compile(r"\\(begin|end|caption(?:of)?)(?![A-Za-z@])")
_BLANK_LINE = re.compile(r"\n[ \t\f\v]*\r?\n|\r[ \t\f\v]*\r")
_COMMENT_END = re.compile(r"(?:\r\n?|\n)?[ \t\f\v]*")
_INLINE_VERBATIM = re.compile(r"\\[A-Za-z@]+\*?(?:\[[^\]\r\n]*\])?(?:\{[a-z]*\})?([^\w\s])")
_SAME_LINE = re.compile(r"[ \t]*[\w,.;:)\]~$]")
_NAME = re.compile(r"[\w.+\-/]+")
_AFTER_DISPLAY = re.compile(
    r"(?:\s|\\label\{[^{}]{0,80}\}|\\noindent(?![A-Za-z])|%[^\r\n]*[\r\n]){0,40}([A-Z][a-z]*)\s"
)
_IN_PREAMBLE = tuple(
    word for word, kind in tables.OWN_TEXT.items() if kind in {"title", "abstract"}
)


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
    page = Page(tex, source)
    for command in tex.scan.commands(*_IN_PREAMBLE):
        if command.span.start < tex.body.start and not command.in_definition:
            control.own_text(page, command.name, command.span.stop)
    page.waiting.append((tex.body, "body"))
    while page.waiting:
        _read(page, *page.waiting.pop())
    found = [
        Block(kind, Span(sentences[0].at.start, sentences[-1].at.stop), sentences)
        for kind, sentences in page.found
    ]
    return tuple(sorted(found, key=lambda block: block.at))


def _read(page: Page, region: Span, kind: str) -> None:
    page.begin(region, kind)
    starts, at = page.starts, region.start
    following = bisect_left(starts, at)
    while at < region.stop:
        while following < len(starts) and starts[following] < at:
            following += 1
        limit = min(region.stop, starts[following]) if following < len(starts) else region.stop
        if at < limit:
            at = _unread(page, at, limit) if page.places.unread else _running(page, at, limit)
        else:
            at = min(max(_interrupt(page, following), at + 1), region.stop)
    page.flush()


def _unread(page: Page, at: int, limit: int) -> int:
    """Within what holds no prose: only its end and its captions matter."""
    for match in _UNREAD.finditer(page.text, at, limit):
        if match.group(1) in ("begin", "end"):
            stop = control.environment(page, match.group(1), *match.span())
        else:
            stop = control.own_text(page, match.group(1), match.end())
        if not page.places.unread or stop > match.end():
            return stop
    return limit


def _running(page: Page, at: int, limit: int) -> int:
    """Read running text from `at` to `limit`; an argument may carry reading further."""
    text, places = page.text, page.places
    while at < limit:
        match = _TOKEN.search(text, at, limit)
        if match is None:
            page.draft.copy(at, limit)
            return limit
        start, stop = match.span()
        if start > at:
            page.draft.copy(at, start)
        char = text[start]
        if char == "\n" and stop == start + 1:
            page.draft.space(start)
        elif char == "\\":
            name, sign = match.groups()
            if name == "@":
                stop = start + 2  # \@ sets the space behind a full stop and swallows none
            elif name:
                stop = control.word(page, name, start, stop)
            elif sign:
                stop = control.symbol(page, sign, start, stop)
        elif char in "{}":
            stop = page.brace(start)
        else:
            _short(page, match.group(), start, stop)
        at = stop
        if places.unread:
            break
    return at


def _short(page: Page, mark: str, start: int, stop: int) -> None:
    if mark.isspace():
        if _BLANK_LINE.search(mark):
            page.flush()
        else:
            page.draft.space(start)
    elif mark == "~":
        page.draft.space(start, BINDING)
    elif mark == "&" and page.places.table:
        page.flush()
    elif mark == "&":
        page.draft.space(start)
    elif mark != "$":
        page.draft.put(SHORTHANDS[mark], start, stop)


def _interrupt(page: Page, number: int) -> int:
    """What the reader of TeX has found at this place: where reading goes on."""
    start, stop, what, element = page.events[number]
    stop = min(stop, page.stop)
    if what is Interruption.COMMENT:
        return _comment(page, stop)
    if what is Interruption.HEADING and isinstance(element, Heading):
        page.flush()
        page.places.restart()
        page.waiting.append((element.title.span, "title"))
    elif not page.places.unread:
        _insert(page, number, start, stop)
    return stop


def _insert(page: Page, number: int, start: int, stop: int) -> None:
    what, element = page.events[number].what, page.events[number].element
    match what:
        case Interruption.INLINE:
            _inline(page, number, start, stop)
        case Interruption.DISPLAY:
            _display(page, start, stop)
        case Interruption.BREAK if len(page.draft) and _SAME_LINE.match(page.text, stop, page.stop):
            # The line goes on, as where a number is kept in a file of its own.
            page.draft.put(OBJECT, start, stop)
        case Interruption.BREAK:
            page.flush()
        case _:
            if isinstance(element, Citation) and element.form is not CitationForm.UNSEEN:
                page.draft.marks.append(len(page.draft))
                page.draft.put(citation(element), start, stop)
            elif isinstance(element, Reference):
                page.draft.put(reference(element), start, stop)
            elif isinstance(element, Footnote):
                page.waiting.append((element.body.span, "footnote"))
            elif isinstance(element, Skipped) and what is Interruption.VERBATIM:
                _verbatim(page, start, stop)


def _comment(page: Page, stop: int) -> int:
    """TeX drops a comment with its line end and the next line's indent."""
    if page.draft.last in ".?!":
        page.draft.space(stop - 1)
    match = _COMMENT_END.match(page.text, stop, page.stop)
    end = match.end() if match else stop
    if stop < end < page.stop and page.text[end] in "\n\r":
        page.flush()
    return end


def _verbatim(page: Page, start: int, stop: int) -> None:
    match = _INLINE_VERBATIM.match(page.text, start, stop)
    if match is None:
        page.flush()
    elif _NAME.fullmatch(page.text, match.end(), stop - 1):
        page.draft.put(page.text[match.end() : stop - 1], start, stop)
    else:
        page.draft.put(OBJECT, start, stop)


def _inline(page: Page, number: int, start: int, stop: int) -> None:
    within = page.events[number + 1 : number + 2]
    if within and within[0].start < stop and isinstance(within[0].element, Citation):
        page.draft.marks.append(len(page.draft))
        page.draft.put("[1]", start, stop)
    else:
        _put(page, inline_math(page.text, Span(start, stop)), start, stop)


def _display(page: Page, start: int, stop: int) -> None:
    words = display_math(page.text, Span(start, stop))
    page.draft.space(start)
    _put(page, words, start, stop)
    page.draft.space(stop - 1)
    if len(words) == 1 and _AFTER_DISPLAY.match(page.text, stop, page.stop):
        # No mark ends the formula, but a capital begins what follows it.
        page.draft.cuts.append(len(page.draft))


def _put(page: Page, words: list[Words], start: int, stop: int) -> None:
    first = len(page.draft)
    for piece in words:
        if piece.words:
            page.draft.put(piece.words, piece.start, piece.stop)
        else:
            page.draft.copy(piece.start, piece.stop)
    page.draft.enclose(first, start, stop)
