"""How a paper writes headings, labels, references and tables, so that a block looks like its own.

Nothing here loads a package: a table uses `booktabs` or `tabularx` only where the paper does.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reviser.latex.commands import HEADINGS
from reviser.latex.elements import CitationForm, Float, Heading, Label
from reviser.manuscript.model import Manuscript
from reviser.revise.citing import Habit, habit_of

TABLES = ("table", "table*")
_LEVELS = {2: "section", 3: "subsection", 4: "subsubsection"}
_ENDS = {"crlf": "\r\n", "cr": "\r"}
_PACKAGES = re.compile(
    r"\\(?:usepackage|RequirePackage)\s{0,9}(?:\[[^\]]{0,2000}\]\s{0,9})?\{([^{}]{0,2000})\}"
)
_CLASS = re.compile(r"\\documentclass\s{0,9}(?:\[([^\]]{0,2000})\])?\s{0,9}\{([^{}]{0,200})\}")
_TWO_COLUMNS = re.compile(
    r"(?:ieee|acl|cvpr|iccv|icml|aaai|ijcai|sigconf|revtex|sig-alternate)", re.IGNORECASE
)
_COMMENT = re.compile(r"(?<!\\)%[^\r\n]*")
_PREFIX = re.compile(r"^[A-Za-z]{1,12}[:._-]")
_LOADED_BY = {"acmart": frozenset({"booktabs"})}
_POINTING = ("Cref", "autoref", "ref")


@dataclass(frozen=True, slots=True)
class Style:
    """A paper's habits. `heading` is the prefix of its headings' labels, None where it labels none;
    `table` that of its tables; `joint` stands between the words of a label. `point` is the command
    that refers to a table, `textual` the one for a citation that is part of a sentence, "" where
    there is none; `wide` tells that a table takes both columns."""

    newline: str
    heading: str | None
    heading_below: bool
    starred: frozenset[int]
    table: str
    joint: str
    point: str
    habit: Habit | None
    textual: str
    wide: bool
    caption_above: bool
    booktabs: bool
    tabularx: bool

    def command(self, level: int) -> str:
        """The heading command of a level from 2 to 4, with its star where the paper has one."""
        return _LEVELS[level] + ("*" if level in self.starred else "")


def style_of(manuscript: Manuscript, path: str) -> Style:
    """The habits of a paper, for a block in the file `path`."""
    source = manuscript.sources[path]
    headed = list(_headed(manuscript))
    loaded = packages(manuscript)
    tables = [f for f in manuscript.floats if f.environment in TABLES]
    return Style(
        newline=_ENDS.get(source.newline, "\n"),
        heading=_prefix([label for _, label, _ in headed], "sec:") if headed else None,
        heading_below=sum(below for *_, below in headed) * 2 > len(headed),
        starred=_starred(manuscript),
        table=_prefix(list(_inside(manuscript, tables)), "tab:"),
        joint=_joint(manuscript),
        point=_pointing(manuscript),
        habit=habit_of(manuscript),
        textual=_textual(manuscript),
        wide=_wide(manuscript),
        caption_above=_above(manuscript, tables),
        booktabs="booktabs" in loaded,
        tabularx="tabularx" in loaded,
    )


def packages(manuscript: Manuscript) -> frozenset[str]:
    """The packages that the paper's own files load."""
    found: set[str] = set()
    for source in manuscript.sources.values():
        if source.path in manuscript.bibliography:
            continue
        text = _COMMENT.sub("", source.text)
        for match in _PACKAGES.finditer(text):
            found.update(name.strip() for name in match[1].split(","))
        for match in _CLASS.finditer(text):
            found |= _LOADED_BY.get(match[2].strip(), frozenset())
    return frozenset(found)


def fresh_label(manuscript: Manuscript, style: Style, prefix: str, words: str) -> str:
    """A label made of words that the paper does not have yet, in letters and digits of ASCII."""
    known = {label.name.name.lower() for label in manuscript.labels}
    parts = re.findall(r"[a-z0-9]+", words.lower())[:5] or ["new"]
    base = prefix + style.joint.join(parts)
    name, number = base, 2
    while name.lower() in known:
        name, number = f"{base}{style.joint}{number}", number + 1
    return name


def _headed(manuscript: Manuscript) -> Iterator[tuple[Heading, Label, bool]]:
    """Headings with the label that follows at once, and whether it stands in a line of its own."""
    at = {(label.at.path, label.at.span.start): label for label in manuscript.labels}
    for section in manuscript.sections:
        heading = section.heading
        if heading is None:
            continue
        text = manuscript.sources[heading.at.path].text
        stop = heading.at.span.stop
        gap = re.compile(r"[ \t]*%?[ \t]*(?:\r\n|\n|\r)?[ \t]*").match(text, stop)
        end = gap.end() if gap else stop
        label = at.get((heading.at.path, end))
        if label is not None:
            yield heading, label, "\n" in text[stop:end] or "\r" in text[stop:end]


def _inside(manuscript: Manuscript, floats: list[Float]) -> Iterator[Label]:
    for label in manuscript.labels:
        at = label.at
        if any(f.at.path == at.path and f.at.span.covers(at.span) for f in floats):
            yield label


def _prefix(labels: list[Label], usual: str) -> str:
    found = [_PREFIX.match(label.name.name) for label in labels]
    if not found:
        return usual
    counted = Counter(match[0] if match else "" for match in found)
    return counted.most_common(1)[0][0]


def _joint(manuscript: Manuscript) -> str:
    names = "".join(label.name.name.partition(":")[2] for label in manuscript.labels)
    return "_" if names.count("_") > names.count("-") else "-"


def _starred(manuscript: Manuscript) -> frozenset[int]:
    """The levels at which most headings have a star; a new one follows its upper level's habit."""
    found = set()
    habit = False
    for level in sorted(_LEVELS):
        stars = [
            s.heading.starred
            for s in manuscript.sections
            if s.level == level and s.heading is not None
        ]
        habit = 2 * sum(stars) > len(stars) if stars else habit
        if habit:
            found.add(level)
    return frozenset(found)


def _pointing(manuscript: Manuscript) -> str:
    used = {reference.command.rstrip("*") for reference in manuscript.references}
    if "cref" in used or "Cref" in used:
        return "Cref"
    return next((command for command in _POINTING if command in used), "ref")


def _textual(manuscript: Manuscript) -> str:
    plain = [
        c.command
        for c in manuscript.citations
        if c.form is CitationForm.TEXTUAL and c.via is None and not c.notes and c.keys
    ]
    return Counter(plain).most_common(1)[0][0] if plain else ""


def _wide(manuscript: Manuscript) -> bool:
    if any(f.environment.endswith("*") for f in manuscript.floats):
        return True
    match = _CLASS.search(_COMMENT.sub("", manuscript.sources[manuscript.main].text))
    if match is None:
        return False
    options, name = match[1] or "", match[2]
    if "onecolumn" in options or "manuscript" in options:
        return False
    return "twocolumn" in options or bool(_TWO_COLUMNS.search(f"{name} {options}"))


def _above(manuscript: Manuscript, tables: list[Float]) -> bool:
    """Whether the captions of the paper's tables stand above them; so where it has none."""
    sides = []
    for table in tables:
        text = manuscript.text(table.at)
        body = text.find("\\begin{tabular")
        if table.captions and body >= 0:
            sides.append(table.captions[0].span.start - table.at.span.start < body)
    return 2 * sum(sides) >= len(sides)


def heading_level(command: str) -> int | None:
    """The level of a heading command, None where it is none."""
    return HEADINGS.get(command.rstrip("*"))
