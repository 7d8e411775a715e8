"""The grammar of blocks: all that the text of one may hold, so that it can be read back in full.

What does not fit it, letter by letter, is no block, whoever wrote it. It knows headings, labels,
plain sentences with citations and references, and tables of plain cells; no other command, no
definition, no file, no mathematics.
"""

import re
from dataclasses import dataclass

from reviser.text.edit import Replacement

YEAR = "Year"
"""The head of the column that comes first in a timeline."""
MOST_PARAGRAPHS = 8
MOST_ROWS = 20
MOST_COLUMNS = 6
MOST_CHARACTERS = 12_000
"""Of a block's text."""

_STARTS = re.compile(r"[ \t]*\n\s*\\(?:section|subsection|subsubsection)\*?\{")
_FLOATS = re.compile(r"[ \t]*\n[\s\S]*\\begin\{table\*?\}")
_LABEL = r"\\label\{(?P<label>[A-Za-z0-9:._+/-]{1,100})\}"
_HEADING = re.compile(
    r"\\(?P<command>section|subsection|subsubsection)(?P<star>\*?)\{(?P<title>[^{}\n]{1,200})\}"
    rf"(?:[ \t]*\n?[ \t]*{_LABEL})?"
)
_KEYS = r"[\w:.+/@&;'()*, -]{1,400}"
_CITE = rf"\\[A-Za-z]{{1,30}}\*?\{{(?:{_KEYS})\}}"
_REFER = r"\\(?:ref|Cref|autoref)\{[A-Za-z0-9:._+/-]{1,100}\}"
_WORDS = r"(?:[^\W_]|[ .,;:!?'()/+=\[\]<>*@-]|\\[%&])"
_PARAGRAPH = re.compile(rf"(?:{_WORDS}|\n(?![ \t]*\n)|~(?=\\)|{_CITE}|{_REFER})+")
_PLAIN = re.compile(rf"{_WORDS}*")
_FIRST_CELL = re.compile(rf"(?P<name>{_WORDS}*?)(?P<tie>~?)(?P<cite>{_CITE})")
_CAPTION = re.compile(r"\\caption\{(?P<caption>[^{}\n]{1,400})\}")
_OPENS = re.compile(r"\\begin\{(?P<float>table\*?)\}(?:\[[!tbhp]{1,5}\])?")
_PART = r"(?:[lX]|p\{0\.\d\d\\linewidth\})"
_TABULAR = re.compile(
    rf"\\begin\{{(?:tabular\}}|tabularx\}}\{{\\linewidth\}})\{{(?P<parts>{_PART}{{2,7}})\}}"
)
_CITED = re.compile(rf"\\([A-Za-z]+\*?)\{{({_KEYS})\}}")
_SIZES = frozenset({"\\small", "\\footnotesize"})
_RULES = ("\\toprule", "\\midrule", "\\bottomrule")

COMMANDS = frozenset(
    {"section", "subsection", "subsubsection", "label", "begin", "end", "centering", "caption",
     "linewidth", "hline", "toprule", "midrule", "bottomrule", "small", "footnotesize", "ref",
     "Cref", "autoref"}
)  # fmt: skip
"""The control words of the grammar beside those that cite."""


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A row as it stands: what names the work, its key, and the cells in LaTeX."""

    name: str
    key: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as it stands, in LaTeX; `columns` leave out the one that names the works."""

    environment: str
    caption: str
    label: str
    columns: tuple[str, ...]
    rows: tuple[ReadRow, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """A block as it stands: its heading's command, star, title and label, if it has one; its
    paragraphs; its table, if it is one."""

    command: str
    title: str
    label: str
    paragraphs: tuple[str, ...]
    table: ReadTable | None = None


def is_block(part: Replacement) -> bool:
    """Whether a replacement means to put in a block: in a new line a heading, or a table."""
    text = _folded(part.after)
    return not part.before and bool(_STARTS.match(text) or _FLOATS.match(text))


def shape_of(text: str) -> Shape | str:
    """What a block's text is made of, or what in it is not of the grammar."""
    text = _folded(text)
    if len(text) > MOST_CHARACTERS:
        return "it is too long"
    begun = re.match(r"[ \t]*\n[ \t\n]*", text)
    if begun is None:
        return "a block begins with an empty line"
    body = text[begun.end() :].rstrip(" \t\n")
    if text[begun.end() + len(body) :].count("\n") > 2:
        return "a block ends with its last line"
    heading = _HEADING.match(body)
    if heading is not None:
        return _section(heading, body[heading.end() :])
    return _table(body)


def is_plain(words: str) -> bool:
    """Whether plain words can stand in a title, a caption or a cell once they are escaped."""
    return _PLAIN.fullmatch(re.sub(r"[%&]", "", words)) is not None and "\\" not in words


def unescaped(latex: str) -> str:
    """Words of a block as they are read: escapes undone."""
    return re.sub(r"\\([%&])", r"\1", latex)


def cited(latex: str) -> tuple[str, ...]:
    """The keys that some text of a block cites, in its order."""
    return tuple(
        key.strip()
        for match in _CITED.finditer(latex)
        if match[1] not in COMMANDS
        for key in match[2].split(",")
    )


def _folded(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _section(heading: re.Match[str], rest: str) -> Shape | str:
    title = heading["title"]
    if not _PLAIN.fullmatch(title):
        return f"the title {title[:60]!r} is not of plain words"
    rest = rest.lstrip(" \t")
    if not rest.startswith("\n"):
        return "behind a heading of a block a new line begins"
    paragraphs = re.split(r"\n[ \t]*\n\s*", rest.strip(" \t\n"))
    if not paragraphs or not paragraphs[0].strip():
        return "a section without a paragraph is none"
    if len(paragraphs) > MOST_PARAGRAPHS:
        return f"it has more than {MOST_PARAGRAPHS} paragraphs"
    for one in paragraphs:
        wrong = _paragraph_fault(one)
        if wrong:
            return wrong
    command = heading["command"] + heading["star"]
    return Shape(command, title, heading["label"] or "", tuple(paragraphs))


def _paragraph_fault(text: str) -> str:
    fits = _PARAGRAPH.match(text)
    stop = fits.end() if fits else 0
    if stop < len(text):
        return f"{text[stop : stop + 30]!r} is not of the plain text that a block may have"
    return ""


def _table(body: str) -> Shape | str:
    pointer, opened, rest = body.partition("\\begin{table")
    if not opened:
        return "it is neither a section nor a table"
    pointer = pointer.strip()
    wrong = _paragraph_fault(pointer) if pointer else "no sentence points to the table"
    if wrong:
        return wrong
    lines = [line.strip() for line in (opened + rest).split("\n")]
    table = _Lines(lines).table()
    return table if isinstance(table, str) else Shape("", "", "", (pointer,), table)


class _Lines:
    """The lines of a float, taken one after the other."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines

    def table(self) -> ReadTable | str:
        try:
            return self._read()
        except _Odd as odd:
            return str(odd)

    def _next(self) -> str:
        if not self._lines:
            raise _Odd("the table does not end")
        return self._lines.pop(0)

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        line = self._next()
        match = pattern.fullmatch(line)
        if match is None:
            raise _Odd(f"{line[:60]!r} has no place in the table")
        return match

    def _word(self, *words: str) -> str:
        line = self._next()
        if line not in words:
            raise _Odd(f"{line[:60]!r} has no place in the table")
        return line

    def _named(self) -> tuple[str, str]:
        caption = self._match(_CAPTION)["caption"]
        if not _PLAIN.fullmatch(caption):
            raise _Odd(f"the caption {caption[:60]!r} is not of plain words")
        return caption, self._match(re.compile(_LABEL))["label"]

    def _read(self) -> ReadTable:
        environment = self._match(_OPENS)["float"]
        self._word("\\centering")
        if self._lines and self._lines[0] in _SIZES:
            self._next()
        named = self._named() if self._lines and self._lines[0].startswith("\\caption") else None
        opened = self._lines[0] if self._lines else ""
        count = len(re.findall(_PART, self._match(_TABULAR)["parts"]))
        kind = "tabularx" if "tabularx" in opened else "tabular"
        ruled = self._word("\\hline", _RULES[0]) == _RULES[0]
        head = self._cells(count)
        if not all(_PLAIN.fullmatch(cell) for cell in head):
            raise _Odd("the head of the table is not of plain words")
        self._word(_RULES[1] if ruled else "\\hline")
        at = 1 if head[0] == YEAR else 0
        rows = []
        while self._lines and self._lines[0].endswith("\\\\"):
            rows.append(self._row(count, at))
        self._word(_RULES[2] if ruled else "\\hline")
        self._word(f"\\end{{{kind}}}")
        caption, label = named or self._named()
        self._word(f"\\end{{{environment}}}")
        if self._lines or not rows or len(rows) > MOST_ROWS or count > MOST_COLUMNS:
            raise _Odd("the table has no rows, too much of them, or something behind it")
        return ReadTable(environment, caption, label, (*head[:at], *head[at + 1 :]), tuple(rows))

    def _cells(self, count: int) -> tuple[str, ...]:
        line = self._next()
        cells = tuple(cell.strip() for cell in re.split(r"(?<!\\)&", line.removesuffix("\\\\")))
        if not line.endswith("\\\\") or len(cells) != count:
            raise _Odd(f"{line[:60]!r} is no row of {count} cells")
        return cells

    def _row(self, count: int, at: int) -> ReadRow:
        cells = list(self._cells(count))
        named = cells.pop(at)
        match = _FIRST_CELL.fullmatch(named)
        keys = cited(match["cite"]) if match else ()
        if match is None or len(keys) != 1:
            raise _Odd(f"{named[:60]!r} does not name one work")
        wrong = next((cell for cell in cells if not _PLAIN.fullmatch(cell)), None)
        if wrong is not None:
            raise _Odd(f"the cell {wrong[:60]!r} is not of plain words")
        return ReadRow(match["name"], keys[0], tuple(cells))


class _Odd(Exception):  # noqa: N818 - it never leaves this module
    """A line that is not of the grammar."""
