"""Where a block may stand: behind the last words of a section, or behind a paragraph."""

import re

from reviser.latex.scan import scan
from reviser.latex.structure import Kind
from reviser.manuscript.model import Manuscript
from reviser.text.source import Place, Span

NO_SECTION = "it stands before the first heading, so there is no section to add to"
NOT_AT_A_LINES_END = "something else stands in the line where the section ends"
NOT_EDITABLE = "the file it would stand in must not be edited"
NO_PROSE = "its section has no running text behind which anything could be added"

_REST = re.compile(r"[ \t]*(?:%[^\r\n]*)?(?=[\r\n]|\Z)")
_EMPTY = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)|\s*\Z")
_BLANK = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_LINE_END = re.compile(r"\r\n|\n|\r")
_RUNNING = frozenset({"body", "abstract", "item"})
_CLOSING = re.compile(
    r"conclu|summary|acknowledg|outlook|future|appendi|discussion|limitation|ethic|reference",
    re.IGNORECASE,
)
_MOST_NESTED = 40
SECTION = 2
SUBSECTION = 3


def subtree(manuscript: Manuscript, section: int) -> frozenset[int]:
    """A section and all that lie in it."""
    inside = {section}
    for number, one in enumerate(manuscript.sections):
        if one.parent in inside and number != section:
            inside.add(number)
    return frozenset(inside)


def climbed(manuscript: Manuscript, section: int, level: int) -> int | None:
    """The section of this level or above, as near as possible, that a section is or lies in; None
    before the first heading."""
    number: int | None = section
    while number is not None and manuscript.sections[number].level > level:
        number = manuscript.sections[number].parent
    if number is None or manuscript.sections[number].heading is None:
        return None
    return number


def host_of_subsection(manuscript: Manuscript, section: int) -> int | None:
    """The section or subsection behind whose text a new subsection stands."""
    return climbed(manuscript, section, SUBSECTION)


def host_of_section(manuscript: Manuscript, section: int) -> int | None:
    """The section behind whose text a new one stands: not behind the words that close a paper."""
    found = climbed(manuscript, section, SECTION)
    while found is not None and _CLOSING.search(manuscript.sections[found].title):
        before = [
            number
            for number, one in enumerate(manuscript.sections[:found])
            if one.heading is not None
            and one.level == manuscript.sections[found].level
            and one.parent == manuscript.sections[found].parent
        ]
        if not before:
            return None
        found = before[-1]
    return found


def end_of_section(manuscript: Manuscript, section: int) -> Place | str:
    """The place behind the last words of a section and all that lie in it, or why there is none."""
    inside = subtree(manuscript, section)
    last = None
    for paragraph in manuscript.paragraphs:
        if paragraph.section in inside and paragraph.kind in _RUNNING:
            last = paragraph
    if last is None:
        return NO_PROSE
    path, stop = last.at.path, last.at.span.stop
    border = _border(manuscript, inside, path, stop)
    for elements in (manuscript.floats, manuscript.math, manuscript.labels, manuscript.references):
        for one in elements:
            span = one.at.span
            if one.at.path == path and stop < span.stop <= border and span.start < border:
                stop = span.stop
    for skipped in manuscript.skipped:
        span = skipped.at.span
        if skipped.at.path == path and skipped.kind == "verbatim" and stop < span.stop <= border:
            stop = span.stop
    return _line_end(manuscript, path, stop)


def end_of_paragraph(manuscript: Manuscript, paragraph: int) -> Place | str:
    """The place behind a paragraph and all that it stands in, or why there is none."""
    at = manuscript.paragraphs[paragraph].at
    return _line_end(manuscript, at.path, at.span.stop)


def frame(manuscript: Manuscript, place: Place) -> tuple[str, str]:
    """The line ends before and behind a block at a place, so that empty lines set it off."""
    text, spot = manuscript.sources[place.path].text, place.span.start
    if not _begins_a_line(text, spot):
        return "\n\n", "" if _EMPTY.match(text, spot) else "\n"
    return "\n", "\n" if _BLANK.match(text, spot) else "\n\n"


def place_fault(manuscript: Manuscript, place: Place, after: str) -> str:
    """Why no block with the text `after` may stand at a place, or ""."""
    text, spot = manuscript.sources[place.path].text, place.span.start
    ends = spot == len(text) or text[spot] in "\r\n"
    if text[spot - 1 : spot + 1] == "\r\n" or not (ends or _begins_a_line(text, spot)):
        return "a block stands at the border of two lines"
    led = _LINE_END.findall(after[: len(after) - len(after.lstrip())])
    if len(led) < 2 and not _begins_a_line(text, spot):
        return "a block begins behind an empty line"
    if not ends and not after.endswith(("\n", "\r")):
        return "a block ends with its line"
    read = scan(text)
    node = read.enclosing(max(spot - 1, 0)) if spot else read.node(0)
    nodes = [node, *read.ancestors(node.index)] if node is not None else []
    for one in nodes:
        if one.kind is Kind.COMMENT or (one.kind is Kind.DOCUMENT):
            continue
        if one.span.start < spot < one.span.stop and one.name != "document":
            return f"a block does not stand within {one.name or 'a group'}"
    return ""


def _border(manuscript: Manuscript, inside: frozenset[int], path: str, stop: int) -> int:
    """Where the first heading of another section stands behind `stop` in its file."""
    starts = [
        section.at.span.start
        for number, section in enumerate(manuscript.sections)
        if number not in inside and section.at.path == path and section.heading is not None
        and section.at.span.start >= stop
    ]  # fmt: skip
    return min(starts, default=len(manuscript.sources[path].text))


def _line_end(manuscript: Manuscript, path: str, stop: int) -> Place | str:
    """The end of the line at `stop`, out of all environments and groups but the document."""
    facts = manuscript.facts_of.get(path)
    if facts is None or facts.untouchable or facts.role not in {"main", "input"}:
        return NOT_EDITABLE
    text = manuscript.sources[path].text
    read = scan(text)
    for _ in range(_MOST_NESTED):
        inner = read.enclosing(stop - 1)
        around = [inner, *read.ancestors(inner.index)] if inner is not None else []
        open_ = [
            node
            for node in around
            if node.span.start < stop < node.span.stop
            and node.kind in {Kind.ENVIRONMENT, Kind.GROUP, Kind.MATH, Kind.DEFINITION}
            and node.name != "document"
        ]
        if not open_:
            break
        stop = open_[-1].span.stop
    rest = _REST.match(text, stop)
    if rest is None:
        return NOT_AT_A_LINES_END
    # The beginning of the next line: a sentence that is added later at the end of this one does not
    # stand at the same place.
    ended = _LINE_END.match(text, rest.end())
    spot = ended.end() if ended is not None else rest.end()
    return Place(path, Span(spot, spot))


def _begins_a_line(text: str, spot: int) -> bool:
    return spot > 0 and text[spot - 1] in "\r\n" and text[spot - 1 : spot + 1] != "\r\n"
