"""The sections of a paper's text, where that came without markup: out of a PDF, or as a plain text
or Markdown. A heading is taken for one only where that is safe: what is missed makes a section
longer, and nothing else worse."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reviser.literature.sources import Section
from reviser.text.visible import visible

LONGEST = 600_000
"""Characters of a text that are read."""
MOST = 400
"""Sections; what lies behind the last heading that counts belongs to it."""
_LONGEST_TITLE = 100
_MOST_WORDS = 14
_RUNNING = 3
"""Times that a short line stands in a text from which it is taken for the head of its pages."""

_MARKED = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t]*#*")
_UNDER = re.compile(r"={3,}|-{3,}")
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]+(?P<title>[^\W\d_].*)")
_ROMAN = re.compile(r"(?P<number>[IVX]{1,5})\.[ \t]+(?P<title>[^\W\d_].*)")
_LETTERED = re.compile(
    r"(?:appendix[ \t]+)?(?P<number>[A-Z](?:\.\d{1,2}){0,2})[.:]?[ \t]+(?P<title>[^\W\d_].*)",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"(?P<title>abstract|summary|keywords|index terms)[ \t]*[.:—–\-]+[ \t]*(?P<rest>\S.*)",
    re.IGNORECASE,
)
_RUN_IN = re.compile(
    r"(?P<title>\d{1,2}(?:\.\d{1,2}){1,3}[ \t]+[^\W\d_][^.]{2,80})\.[ \t]+(?P<rest>[^\W\d_].*)"
)
_PAGE = re.compile(r"(?:page[ \t]*)?\d{1,4}(?:[ \t]*(?:of|/)[ \t]*\d{1,4})?", re.IGNORECASE)
_NO_TITLE = re.compile(r"[.;,:!]$|\b(?:19|20)\d\d\b|https?:|@|[=<>{}]|\.{3,}|et al\b|\bpp\.")
_EMPHASIS = re.compile(r"^([*_]{1,3})([^*_].*?)\1$")
_LETTERS = re.compile(r"[^\W\d_]")
_BARE = re.compile(r"[\W\d_]+")
_ROMANS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV")

_BACK = ("references", "bibliography", "literaturecited", "workscited")
_KNOWN = frozenset(
    {
        "abstract", "summary", "keywords", "introduction", "background", "motivation",
        "relatedwork", "relatedworks", "previouswork", "priorwork", "literaturereview",
        "preliminaries", "problemstatement", "problemformulation", "method", "methods",
        "methodology", "materialsandmethods", "methodsandmaterials", "materialandmethods",
        "approach", "proposedmethod", "proposedapproach", "theory", "model", "data", "dataset",
        "datasets", "implementation", "experiments", "experimentalsetup", "experimentalresults",
        "experiment", "evaluation", "results", "resultsanddiscussion", "findings", "analysis",
        "discussion", "discussionandconclusion", "discussionandconclusions", "limitations",
        "threatstovalidity", "futurework", "conclusion", "conclusions", "concludingremarks",
        "conclusionandfuturework", "conclusionsandfuturework", "acknowledgment",
        "acknowledgments", "acknowledgement", "acknowledgements", "funding", "ethicsstatement",
        "broaderimpact", "authorcontributions", "conflictofinterest", "conflictsofinterest",
        "competinginterests", "dataavailability", "appendix", "appendices",
        "supplementarymaterial", "supplementarymaterials", "supportinginformation", *_BACK,
    }
)  # fmt: skip


_COMMON = frozenset(
    {
        "analysis", "approach", "background", "data", "dataset", "datasets", "evaluation",
        "experiment", "findings", "implementation", "keywords", "method", "methods", "model",
        "motivation", "results", "summary", "theory",
    }
)  # fmt: skip
"""Those that stand in figures and tables as well: alone on their line they need a number, or a
text that numbers no sections."""


@dataclass(slots=True)
class _State:
    """Which numbers came: a number that does not follow on the last is a row or an item."""

    top: int = -1
    roman: int = -1
    letter: str = ""
    back: bool = False
    found: list[tuple[str, list[str]]] = field(default_factory=lambda: [("", [])])


def sections_of(text: str) -> tuple[Section, ...]:
    """The sections of a text, in order; without a heading it is one section without a title.

    Headings are those of Markdown, numbered ones (1, 2.3, IV., A.1) whose number follows on the
    last, and the usual names on a line of their own. Heads and numbers of pages are left out.
    Reads any text; sections without text are dropped.
    """
    lines = list(_lines(text[:LONGEST]))
    state = _State()
    skip = False
    for at, line in enumerate(lines):
        if skip:
            skip = False
            continue
        after = lines[at + 1] if at + 1 < len(lines) else ""
        alone = not line or (not after and (at == 0 or not lines[at - 1]))
        title, rest = _heading(line, state, alone=alone) if line else ("", "")
        if not title and line and _UNDER.fullmatch(after) and _fits(line):
            title, rest, skip = line, "", True
        if title and len(state.found) < MOST:
            state.back = _bare(title) in _BACK
            state.found.append((_shown(title), [rest] if rest else []))
        else:
            state.found[-1][1].append(line)
    parts = ((title, _joined(body)) for title, body in state.found)
    return tuple(Section(title, body) for title, body in parts if body)


def _lines(text: str) -> Iterator[str]:
    """The lines without what stands on every page."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    often = Counter(line for line in lines if 0 < len(line) <= _LONGEST_TITLE)
    for line in lines:
        running = often[line] >= _RUNNING and _bare(line) not in _KNOWN and _LETTERS.search(line)
        if not (running or _PAGE.fullmatch(line)):
            yield line


def _heading(line: str, state: _State, *, alone: bool) -> tuple[str, str]:
    """The title that a line is, with what of it is text already; ("", "") for none."""
    if marked := _MARKED.fullmatch(line):
        return marked[2], ""
    if inline := _INLINE.fullmatch(line):
        return inline["title"], inline["rest"]
    if _is_known(line, state):
        _count(line, state)
        return line, ""
    if run_in := _RUN_IN.fullmatch(line) if len(line) <= 2 * _LONGEST_TITLE else None:
        title, rest = run_in["title"], run_in["rest"]
    else:
        title, rest = line, ""
    return (title, rest) if _fits(title) and _follows(title, state, alone=alone) else ("", "")


def _is_known(line: str, state: _State) -> bool:
    bare = _bare(line)
    if bare not in _KNOWN or line.endswith((",", ";")) or line[:1].islower():
        return False
    numbered = line[:1].isdigit() or _ROMAN.fullmatch(line) is not None
    return numbered or bare not in _COMMON or max(state.top, state.roman) < 0


def _follows(line: str, state: _State, *, alone: bool) -> bool:
    """Whether a line has a number that comes next, and remember it."""
    if state.back or state.letter:
        found = _LETTERED.fullmatch(line)
        return found is not None and _next_letter(found, line, state)
    if (roman := _ROMAN.fullmatch(line)) and roman["number"] in _ROMANS:
        place = _ROMANS.index(roman["number"])
        follows = place == state.roman + 1
        state.roman = place if follows else state.roman
        return follows
    numbered = _NUMBERED.fullmatch(line)
    if numbered is None or not numbered["title"][:1].isupper():
        return False
    parts = [int(part) for part in numbered["number"].split(".")]
    if len(parts) > 1:
        return parts[0] == state.top and all(parts[1:])
    follows = parts[0] == state.top + 1 or (state.top < 0 and parts[0] == 1)
    # An item of a list looks the same, but stands among others.
    if follows and (alone or len(numbered["title"].split()) <= _MOST_WORDS // 2):
        state.top = parts[0]
        return True
    return False


def _next_letter(found: re.Match[str], line: str, state: _State) -> bool:
    letter, _, rest = found["number"].partition(".")
    if not letter.isupper() or not found["title"][:1].isupper():
        return False
    if rest:
        return letter == state.letter
    following = chr(ord(state.letter) + 1) if state.letter else "A"
    named = line.lower().startswith("appendix")
    if letter != following and not (named and not state.letter):
        return False
    state.letter = letter
    return True


def _count(line: str, state: _State) -> None:
    """Remember the number before a well-known title."""
    if numbered := _NUMBERED.fullmatch(line):
        state.top = int(numbered["number"].split(".")[0])
    elif (roman := _ROMAN.fullmatch(line)) and roman["number"] in _ROMANS:
        state.roman = _ROMANS.index(roman["number"])


def _fits(line: str) -> bool:
    """Whether a line could be a title by its length and its signs."""
    return (
        0 < len(line) <= _LONGEST_TITLE
        and len(line.split()) <= _MOST_WORDS
        and not _NO_TITLE.search(line)
        and len(_LETTERS.findall(line)) * 2 > len(line)
    )


def _bare(title: str) -> str:
    """A title's letters alone: small capitals come out of a PDF as "I NTRODUCTION"."""
    letters = _BARE.sub("", title).lower()
    roman = re.match(r"[IVX]{1,5}\.\s*", title)
    return _BARE.sub("", title[roman.end() :]).lower() if roman else letters


def _shown(title: str) -> str:
    """A title as it is shown beside a quotation."""
    bare = _bare(title)
    words = _EMPHASIS.sub(r"\2", visible(title))
    if bare in _KNOWN and re.search(r"\b[A-Z] [A-Z]{2,}", words):
        words = re.sub(r"\b([A-Z]) ([A-Z]{2,})", r"\1\2", words)
    return words[:_LONGEST_TITLE]


def _joined(body: Sequence[str]) -> str:
    """The lines of a section; a sentence that a page ends in the middle is made whole again."""
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(body).strip())
    return re.sub(r"(?<=[a-z,])\n\n(?=[a-z])", "\n", text)
