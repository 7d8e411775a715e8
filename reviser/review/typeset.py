"""What TeX prints of a file, at the file's own offsets, for rules that search for words.

A phrase that a paper quotes is not one that it says; `Page.quotes` tells the two apart by the
quotation marks, groups and environments around it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from reviser.findings import Severity
from reviser.latex.elements import Macro
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised
from reviser.text.source import Place, Source, Span

# Arguments that name things and are not read as prose.
_NAMING = re.compile(
    r"\\(?:[a-zA-Z]{0,30}(?:url|href|path|label|ref|cite[a-zA-Z]{0,30})|input|include|includegraphics|bibliography"
    r"|addbibresource|bibliographystyle|hypersetup|graphicspath|pgfplotsset|hyperlink|hypertarget)"
    r"\*?\s{0,9}(?:\[[^\]\[{}]{0,300}\]\s{0,9}){0,3}\{[^{}]{0,4000}\}"
)
_BEGIN_DOCUMENT = re.compile(r"\\begin\s{0,9}\{document\}")
_NEST = re.compile(r"\\(begin|end)\s{0,9}\{([^{}\s]{1,60})\}|\\.|[{}]", re.DOTALL)
_COMMAND_BEFORE = re.compile(
    r"\\([A-Za-z@]{1,40})\*?\s{0,3}(?:\[[^\]\[]{0,200}\]|\{[^{}]{0,200}\}){0,4}\Z"
)
_DECLARED_STYLE = re.compile(r"\s{0,9}\\(em|it|itshape|sl|slshape|tt|ttfamily|sffamily)\b")
_NO_LINE_END = re.compile(r"[^\r\n]+")
_PARAGRAPH_END = re.compile(r"\n[ \t\r]*\n")

_PRINTS_NOTHING = re.compile(
    r"(?:[\s{}%]|\\(?:relax|ignorespaces|unskip|@gobble|@bsphack|@esphack|empty)(?![A-Za-z@]))*\Z"
)


# How far around a phrase its quotation marks are looked for, in code points.
_NEAR = 1500
# How many groups and environments around a phrase are asked: hostile files nest by the million.
_DEEP = 60

# Code points of a finding; it points at words and does not reprint them.
LONGEST = 160
# Findings of one rule in one file.
_MOST = 12
# Places in one file that one pattern may have looked at closely.
_MOST_LOOKS = 5000

_QUOTING_COMMANDS = frozenset(
    (
        *("enquote", "textquote", "blockquote", "foreignquote", "hyphenquote", "textcquote"),
        *("say", "quotes", "texttt", "code", "lstinline", "mintinline", "verb", "prompt"),
    )
)
_STYLING_COMMANDS = frozenset(("emph", "textit", "textsl", "textsf", "textsc"))
_STYLES = frozenset(("em", "it", "itshape", "sl", "slshape", "sffamily"))
_QUOTING_ENVIRONMENTS = (
    "quot",
    "verbatim",
    "listing",
    "minted",
    "box",
    "framed",
    "shaded",
    "prompt",
    "example",
    "dialog",
    "chat",
    "transcript",
    "code",
    "tabu",
    "tblr",
    "longtable",
)


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A group or environment around a place. `name` is the environment's name, or "" for a group;
    `start` and `stop` are those of its delimiters."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True)
class Page:
    """One .tex file. `live` has the file's length and lines, with comments, skipped text and macro
    definitions blanked; `body` is where the document's text begins in it."""

    source: Source
    live: str
    body: int
    math: tuple[Span, ...] = field(repr=False)

    @property
    def path(self) -> str:
        """The file's path."""
        return self.source.path

    @cached_property
    def prose(self) -> str:
        """`live` without mathematics, addresses, labels, references and citations."""
        names = (Span(*match.span()) for match in _NAMING.finditer(self.live))
        return blanked(self.live, (*self.math, *names))

    @cached_property
    def _nest(self) -> tuple[list[int], list[int], list[int], list[str]]:
        return _nest(self.live)

    def around(self, offset: int) -> Iterator[Enclosure]:
        """The groups and environments around `offset`, innermost first, at most sixty."""
        starts, stops, parents, names = self._nest
        node = bisect_right(starts, offset - 1) - 1
        for _ in range(_DEEP * 4):
            if node < 0:
                return
            if stops[node] > offset:
                yield Enclosure(names[node], starts[node], stops[node])
            node = parents[node]

    def group_end(self, opening: int) -> int:
        """Where the group that opens at `opening` closes (the offset of its brace)."""
        starts, stops, _, _ = self._nest
        node = bisect_right(starts, opening) - 1
        return stops[node] - 1 if node >= 0 and starts[node] == opening else len(self.live)

    def command_of(self, opening: int) -> str:
        """The command whose argument opens at the brace `opening`, or ""."""
        found = _COMMAND_BEFORE.search(self.live, max(0, opening - 300), opening)
        return found[1] if found else ""

    def environments(self, offset: int) -> Iterator[str]:
        """The names of the environments around `offset`, innermost first."""
        return (part.name for part in self.around(offset) if part.name)

    def quotes(self, start: int, stop: int, *, styled: bool) -> bool:
        """Whether the paper quotes or shows the words at `start` instead of saying them.

        With `styled`, italics and emphasis count as a quotation too.
        """
        if in_marks(self.live, start, stop):
            return True
        commands = _QUOTING_COMMANDS | _STYLING_COMMANDS if styled else _QUOTING_COMMANDS
        for part in self.around(start):
            if part.name:
                if any(word in part.name.lower() for word in _QUOTING_ENVIRONMENTS):
                    return True
                continue
            if self.command_of(part.start) in commands:
                return True
            style = _DECLARED_STYLE.match(self.live, part.start + 1)
            if style and (styled or style[1] not in _STYLES):
                return True
        return False


def pages(manuscript: Manuscript) -> tuple[Page, ...]:
    """The .tex files of the paper, in its own order."""
    hidden: dict[str, list[Span]] = {}
    math: dict[str, list[Span]] = {}
    unseen = (
        *(comment.at for comment in manuscript.comments),
        *(skipped.at for skipped in manuscript.skipped),
        *(macro.at for macro in manuscript.macros),
    )
    for at in unseen:
        hidden.setdefault(at.path, []).append(at.span)
    for formula in manuscript.math:
        math.setdefault(formula.at.path, []).append(formula.at.span)
    result = []
    for facts in manuscript.files:
        source = manuscript.sources.get(facts.path)
        if source is None or facts.role not in ("main", "input"):
            continue
        live = blanked(source.text, hidden.get(facts.path, ()))
        begin = _BEGIN_DOCUMENT.search(live) if facts.role == "main" else None
        result.append(
            Page(source, live, begin.end() if begin else 0, tuple(math.get(facts.path, ())))
        )
    return tuple(result)


def _spaces(line: re.Match[str]) -> str:
    return " " * (line.end() - line.start())


def blanked(text: str, spans: Iterable[Span]) -> str:
    """`text` with each span turned into spaces; its length and line ends stay."""
    pieces: list[str] = []
    cursor = 0
    for span in sorted(spans):
        if span.stop <= cursor:
            continue
        start = max(span.start, cursor)
        pieces += [text[cursor:start], _NO_LINE_END.sub(_spaces, text[start : span.stop])]
        cursor = span.stop
    return "".join([*pieces, text[cursor:]])


@dataclass(frozen=True, slots=True)
class Hit:
    """What a search found: code points of a page, and what to say about them."""

    start: int
    stop: int
    message: str
    severity: Severity = Severity.WARNING


def matches(pattern: re.Pattern[str], text: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Where `pattern` matches, up to a number that no paper reaches and a hostile file would."""
    return islice(pattern.finditer(text, start), _MOST_LOOKS)


def reported(manuscript: Manuscript, page: Page, hits: Iterable[Hit]) -> Iterator[Raised]:
    """The first dozen hits as findings; when there are more, the last of them says so."""
    for number, hit in enumerate(hits, start=1):
        stop = max(hit.start, min(hit.stop, hit.start + LONGEST))
        at = Place(page.path, Span(hit.start, stop))
        if number == _MOST:
            message = f"{hit.message} There are more such places in this file."
            yield raised(manuscript, at, message, severity=hit.severity)
            return
        yield raised(manuscript, at, hit.message, severity=hit.severity)


def prints_nothing(manuscript: Manuscript, macro: Macro) -> bool:
    """Whether a macro's body is empty, so that its uses leave no words on the page."""
    return _PRINTS_NOTHING.match(manuscript.text(macro.body)) is not None


def _nest(text: str) -> tuple[list[int], list[int], list[int], list[str]]:
    """Starts, stops, parents and names of all groups and environments, by start."""
    starts: list[int] = []
    stops: list[int] = []
    parents: list[int] = []
    names: list[str] = []
    open_: list[int] = []
    for match in _NEST.finditer(text):
        if match[0] == "{" or match[1] == "begin":
            starts.append(match.start())
            stops.append(len(text))
            parents.append(open_[-1] if open_ else -1)
            names.append(match[2] or "")
            open_.append(len(starts) - 1)
        elif match[0] == "}" or match[1] == "end":
            name = match[2] or ""
            # What was opened in between and never closed ends here as well.
            for depth in range(len(open_) - 1, max(-1, len(open_) - _DEEP), -1):
                if names[open_[depth]] == name:
                    for node in open_[depth:]:
                        stops[node] = match.end()
                    del open_[depth:]
                    break
    return starts, stops, parents, names


def in_marks(text: str, start: int, stop: int) -> bool:
    """Whether quotation marks open before `start` and close after `stop`, in one paragraph."""
    before = text[max(0, start - _NEAR) : start]
    last = max((m.end() for m in _PARAGRAPH_END.finditer(before)), default=0)
    before = before[last:]
    after = _PARAGRAPH_END.split(text[stop : stop + _NEAR], maxsplit=1)[0]
    for opening, closing in (("``", "''"), ("“", "”"), ("«", "»"), ("„", "“"), ("‘", "’")):
        if before.rfind(opening) > before.rfind(closing) and closing in after:
            return True
    if before.count('"') % 2 == 1 and '"' in after:
        return True
    return _in_single_marks(before, after)


def _in_single_marks(before: str, after: str) -> bool:
    """`...' around it; an apostrophe inside a word closes nothing."""
    plain = before.replace("``", "  ").replace("''", "  ")
    opening = plain.rfind("`")
    if opening < 0 or not re.search(r"'(?![A-Za-z])", after):
        return False
    return not re.search(r"'(?![A-Za-z])", plain[opening:])
