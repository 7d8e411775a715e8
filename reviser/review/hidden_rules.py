"""The rule on text that a reader of the PDF cannot see and a program can.

White words on a coloured ground are seen very well, and much of TeX's craft consists of moving
things about; so a trick counts only when it hides several words of prose.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from reviser.findings import Severity
from reviser.manuscript.model import Manuscript
from reviser.review.colours import is_white, is_white_value, white_names
from reviser.review.invisible import invisible_characters
from reviser.review.raised import Raised
from reviser.review.typeset import Hit, Page, matches, pages, reported
from reviser.text.source import Place, Span

_COLOURED = re.compile(
    r"\\(textcolor|color)\s{0,3}(?:\[([^\]\[{}]{0,20})\]\s{0,3})?\{([^{}]{0,60})\}\s{0,3}"
)
_COLOUR_ENDS = re.compile(r"\\(?:color\s{0,3}[\[{]|normalcolor\b)")
_COLOURED_GROUND = re.compile(
    r"\\(?:row|cell|column)colou?rs?(?![A-Za-z])|\\Set(?:Row|Cell|Column)|\\rowfont|\\CellColor"
)
_GROUND_IN_BODY = re.compile(
    r"color(?:box|ed)|\\(?:tikz|node|fill|tcb|row|cell|column|hl)|tcolorbox"
)
_OTHER_PAGES = re.compile(
    r"\\documentclass\s{0,3}(?:\[[^\]\[]{0,300}\]\s{0,3})?\{[^{}]{0,40}(?:beamer|poster)[^{}]{0,40}\}"
    r"|\\pagecolor(?![A-Za-z])|\\usetheme(?![A-Za-z])"
)
# On these something else than white paper may lie behind the words.
_GROUNDS = ("tikz", "pgf", "pict", "box", "framed", "shaded", "titlepage", "pic", "axis", "poster")
_GROUND_COMMANDS = frozenset(
    ("colorbox", "fcolorbox", "hl", "tcbox", "node", "tikz", "shadowbox", "cellcolor", "rowcolor")
)
_LENGTH = r"([-+]?\s{0,3}\d{0,6}\.?\d{0,6})\s{0,3}(pt|mm|cm|in|bp|em|ex|pc|dd|sp|true\s?cm)?"
_FONT_SIZE = re.compile(
    rf"\\fontsize\s{{0,3}}\{{\s{{0,3}}{_LENGTH}\s{{0,3}}\}}\s{{0,3}}\{{[^{{}}]{{0,30}}\}}"
)
_SIZE_ENDS = re.compile(
    r"\\(?:fontsize|normalsize|tiny|scriptsize|footnotesize|small|large|Large|LARGE|huge|Huge)"
    r"(?![A-Za-z])"
)
_SCALED = re.compile(
    r"\\scalebox\s{0,3}\{\s{0,3}(\d{0,4}\.?\d{0,8})\s{0,3}\}\s{0,3}(?:\[[^\]\[]{0,20}\]\s{0,3})?(?=\{)"
)
_RESIZED = re.compile(
    rf"\\resizebox\*?\s{{0,3}}\{{\s{{0,3}}{_LENGTH}\s{{0,3}}\}}\s{{0,3}}\{{[^{{}}]{{0,30}}\}}\s{{0,3}}(?=\{{)"
)
_TRANSPARENT = re.compile(
    r"\\(?:transparent|texttransparent|pgfsetfillopacity|pgfsetopacity)\s{0,3}"
    r"\{\s{0,3}0?\.?0{0,6}\s{0,3}\}\s{0,3}"
)
_PHANTOM = re.compile(r"\\[hv]?phantom\s{0,3}(?=\{)")
_OVERLAP = re.compile(r"\\llap\s{0,3}(?=\{)")
_MOVED = re.compile(
    rf"\\([hv]space)\*?\s{{0,3}}\{{\s{{0,3}}{_LENGTH}|\\([hv]skip|kern)\s{{0,3}}{_LENGTH}"
    rf"|\\(raisebox)\s{{0,3}}\{{\s{{0,3}}{_LENGTH}"
)
_PUT = re.compile(r"\\put\s{0,3}\(\s{0,3}(-?\d{1,7})(?:\.\d{0,6})?\s{0,3},\s{0,3}(-?\d{1,7})")
_CLEAR_NODE = re.compile(
    r"\\node\s{0,3}\[[^\]\[]{0,300}?opacity\s{0,3}=\s{0,3}0?\.?0{0,4}\s{0,3}[,\]][^{};]{0,200}(?=\{)"
)
_RENDER_MODE = re.compile(
    r"\\(?:pdfliteral|pdfextension\s{0,3}literal|special|directlua)(?![A-Za-z])[^{}]{0,40}"
    r"\{[^{}]{0,200}?\b(?:[37]\s{1,3}Tr|1(?:\s{1,3}1){2}\s{1,3}(?:rg|sc)|1\s{1,3}g)\b|TextRenderingMode\s{0,3}=\s{0,3}(?:Invisible|[37]\b)"
)
_PARAGRAPH_END = re.compile(r"\n[ \t\r]{0,80}\n")
_MARKUP = re.compile(
    r"\\(?:begin|end|vspace|hspace|includegraphics|fontfamily|setlength)\*?\s{0,3}"
    r"(?:\[[^\]\[]{0,200}\])?\{[^{}]{0,200}\}|\\[A-Za-z@]{1,40}\*?(?:\[[^\]\[]{0,200}\])?|\\."
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_NO_SPACES_BETWEEN_WORDS = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")

_POINTS = {"mm": 2.845, "cm": 28.45, "in": 72.27, "bp": 1.004, "em": 10.0, "ex": 4.3, "pc": 12.0}
_POINTS |= {"pt": 1.0, "dd": 1.07, "sp": 1 / 65536, "truecm": 28.45, "true cm": 28.45}
_READABLE = 2.0  # points: below this size nobody reads
_OFF_PAGE = 850.0  # points: more than the height of A4 paper
_FAR = 400  # code points that are looked at after a move
_SCOPE = 4000  # code points of a coloured or resized stretch that are read

_SEEN_BY_NOBODY = "readers of the PDF do not see it, programs that read it do. Remove it, or "


def hidden_text(manuscript: Manuscript) -> Iterable[Raised]:
    """White, tiny, transparent or off-page prose, and characters that are not to be seen."""
    for page, hits in _hidden(manuscript):
        yield from reported(manuscript, page, hits)
    yield from invisible_characters(manuscript)


def hidden_places(manuscript: Manuscript) -> tuple[Place, ...]:
    """Every place with prose that is there for programs only; the rule names but the first few."""
    return tuple(
        Place(page.path, Span(hit.start, max(hit.start, hit.stop)))
        for page, hits in _hidden(manuscript)
        for hit in hits
    )


def _hidden(manuscript: Manuscript) -> Iterator[tuple[Page, Iterator[Hit]]]:
    everything = pages(manuscript)
    whites = white_names(page.live for page in everything)
    on_paper = not any(_OTHER_PAGES.search(page.live) for page in everything)
    grounds = frozenset(
        macro.name
        for macro in manuscript.macros
        if _GROUND_IN_BODY.search(manuscript.text(macro.body))
    )
    for page in everything:
        hits = chain(
            _white(page, whites, grounds) if on_paper else (),
            _tiny(page),
            _unprinted(page),
            _moved_away(page),
            _render_modes(page),
        )
        yield page, hits


def prose_words(page: Page, start: int, stop: int) -> int:
    """How many words of prose stand between two offsets; six ideographs count as three words."""
    text = _MARKUP.sub(" ", page.prose[start : min(stop, start + _SCOPE)])
    ideographs = len(_NO_SPACES_BETWEEN_WORDS.findall(text))
    return len(_WORD.findall(text)) + ideographs // 2


def _white(page: Page, whites: frozenset[str], grounds: frozenset[str]) -> Iterator[Hit]:
    for match in matches(_COLOURED, page.live, page.body):
        model, value = match[2], match[3]
        if not (is_white_value(model, value) if model else is_white(value, whites)):
            continue
        if page.live[max(0, match.start() - 1) : match.start()] == "=":
            continue  # the value of an option, as in backgroundcolor=\color{white}
        if match[1] == "textcolor":
            if page.live[match.end() : match.end() + 1] != "{":
                continue
            start, stop = match.end() + 1, page.group_end(match.end())
        else:
            start, stop = match.end(), _scope_end(page, match, _COLOUR_ENDS)
        if prose_words(page, start, stop) >= 3 and not _on_a_ground(page, match.start(), grounds):
            yield Hit(
                match.start(),
                stop,
                f"This text is white: {_SEEN_BY_NOBODY}give it a colour that is seen.",
            )


def _on_a_ground(page: Page, offset: int, grounds: frozenset[str]) -> bool:
    """Whether white is seen here: a coloured box, row or cell, or a drawing lies behind it."""
    row = page.live.rfind("\\\\", max(0, offset - 600), offset)
    if _COLOURED_GROUND.search(page.live, max(row, offset - 600, 0), offset):
        return True
    for part in page.around(offset):
        if part.name:
            name = part.name.lower()
            if any(ground in name for ground in _GROUNDS) or name == "frame":
                return True
            if "tab" in name and _COLOURED_GROUND.search(page.live, part.start, part.stop):
                return True
        elif (command := page.command_of(part.start)) in _GROUND_COMMANDS or command in grounds:
            return True
    return False


def _tiny(page: Page) -> Iterator[Hit]:
    message = f"This text is too small to be read: {_SEEN_BY_NOBODY}set it in a readable size."
    for match in matches(_FONT_SIZE, page.live, page.body):
        size = _in_points(match[1], match[2])
        stop = _scope_end(page, match, _SIZE_ENDS)
        if size is not None and size <= _READABLE and prose_words(page, match.end(), stop) >= 3:
            yield Hit(match.start(), stop, message)
    for match in matches(_SCALED, page.live, page.body):
        scale = _number(match[1])
        stop = page.group_end(match.end())
        if (
            scale is not None
            and scale * 10 <= _READABLE
            and prose_words(page, match.end(), stop) >= 3
        ):
            yield Hit(match.start(), stop, message)
    for match in matches(_RESIZED, page.live, page.body):
        size = _in_points(match[1], match[2])
        stop = page.group_end(match.end())
        if size is not None and size <= _READABLE and prose_words(page, match.end(), stop) >= 3:
            yield Hit(match.start(), stop, message)


def _unprinted(page: Page) -> Iterator[Hit]:
    for match in matches(_TRANSPARENT, page.live, page.body):
        braced = page.live[match.end() : match.end() + 1] == "{"
        stop = page.group_end(match.end()) if braced else _scope_end(page, match, _COLOUR_ENDS)
        if prose_words(page, match.end(), stop) >= 3:
            message = f"This text is transparent: {_SEEN_BY_NOBODY}let it be seen."
            yield Hit(match.start(), stop, message)
    for match in matches(_CLEAR_NODE, page.live, page.body):
        stop = page.group_end(match.end())
        if prose_words(page, match.end(), stop) >= 5:
            message = f"This node is transparent: {_SEEN_BY_NOBODY}let it be seen."
            yield Hit(match.start(), stop, message)
    for pattern, words, what in (
        (_PHANTOM, 6, "\\phantom leaves room for this text and does not print it"),
        (_OVERLAP, 8, "\\llap prints this text to the left of its place, perhaps off the page"),
    ):
        for match in matches(pattern, page.live, page.body):
            stop = page.group_end(match.end())
            if prose_words(page, match.end(), stop) >= words:
                message = f"{what}. Remove it if it is not needed for the layout."
                yield Hit(match.start(), stop, message, Severity.NOTE)


def _moved_away(page: Page) -> Iterator[Hit]:
    message = f"This text is moved off the page: {_SEEN_BY_NOBODY}let it stand where it belongs."
    for match in matches(_MOVED, page.live, page.body):
        number, unit = next(
            (n, u)
            for n, u in ((match[2], match[3]), (match[5], match[6]), (match[8], match[9]))
            if n is not None
        )
        length = _in_points(number, unit)
        if length is None or abs(length) < _OFF_PAGE:
            continue
        stop = _reach(page, match)
        if prose_words(page, match.end(), stop) >= 3:
            yield Hit(match.start(), stop, message)
    for match in matches(_PUT, page.live, page.body):
        if min(int(match[1]), int(match[2])) > -1000:
            continue
        stop = _reach(page, match)
        if prose_words(page, match.end(), stop) >= 3:
            yield Hit(match.start(), stop, message)


def _render_modes(page: Page) -> Iterator[Hit]:
    for match in _RENDER_MODE.finditer(page.live):
        yield Hit(
            match.start(),
            match.end(),
            "This makes the text of the PDF invisible. Remove it, unless the words below it are "
            "those of a scanned page.",
        )


def _reach(page: Page, match: re.Match[str]) -> int:
    """How far the text goes that a move takes along: to the paragraph's or the group's end."""
    stop = min(_enclosing_end(page, match.start()), match.end() + _FAR)
    paragraph = _PARAGRAPH_END.search(page.live, match.end(), stop)
    return paragraph.start() if paragraph else stop


def _scope_end(page: Page, match: re.Match[str], ends: re.Pattern[str]) -> int:
    """Where a declaration stops: at the next one, or with the group around it."""
    stop = min(_enclosing_end(page, match.start()), match.end() + _SCOPE)
    following = ends.search(page.live, match.end(), stop)
    return following.start() if following else stop


def _enclosing_end(page: Page, offset: int) -> int:
    """Where the innermost group or environment around `offset` ends, its closing left out."""
    part = next(page.around(offset), None)
    if part is None:
        return len(page.live)
    if not part.name:
        return max(offset, part.stop - 1)
    closing = page.live.rfind("\\end", offset, part.stop)
    return part.stop if closing < 0 else closing


def _in_points(number: str, unit: str | None) -> float | None:
    value = _number(number)
    return None if value is None else value * _POINTS.get(unit or "pt", 1.0)


def _number(text: str) -> float | None:
    plain = re.sub(r"\s", "", text)
    return float(plain) if re.fullmatch(r"[-+]?(?:\d+\.?\d*|\.\d+)", plain, re.ASCII) else None
