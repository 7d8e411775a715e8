"""The rule on what authors leave for themselves and print: reminders, blanks, filler text.

A paper *about* code comments speaks of TODO and FIXME all the time, so a reminder must stand
where reminders stand: at the opening of something, or before a colon.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised
from reviser.review.typeset import LONGEST, Hit, Page, matches, pages, prints_nothing, reported

_COMMAND_JUST_BEFORE = re.compile(r"(?:\\[A-Za-z@]{1,40}\*?|[}\]])[ \t]{0,3}\Z")

# TODO, FIXME, TBD, ToDo, Todo; the first letter alone lets the regex engine find them quickest.
_REMINDER = re.compile(r"[TF](?<![\w\\@/.#-][TF])(?:(?<=T)(?:ODO|BD|oDo|odo)|(?<=F)IXME)(?![\w/-])")
_ABOUT_REMINDERS = re.compile(
    r"(?:TODO|FIXME|XXX)s?['’]*[\s~]+(?:and[\s~]+\w+[\s~]+|or[\s~]+\w+[\s~]+)?"
    r"(?:comments?|tags?|markers?|keywords?|annotations?)\b",
    re.IGNORECASE,
)
_REMINDER_OPENS = re.compile(r"(?:^|[.!?:;&|({\[]|\\\\|\\item|\n[ \t]*)[ \t~]*\Z")
_REMINDER_GOES_ON = re.compile(r"[\s~]{0,3}(?:[:!?\])}&]|--|\\\\|\Z)")
_UNKNOWN_NUMBER = re.compile(
    r"(?<![\w\\])(?:Sections?|Sec\.|Figures?|Figs?\.|Tables?|Tab\.|Appendix|Equations?|Eqs?\."
    r"|Chapters?|Algorithm|Theorem|Lemma)[\s~]{1,3}\(?(?:XXX+|\?\?+)\)?"
    r"|(?<![\w\\-])(?:XX+|\?\?+)[\s~]{0,2}\\%|(?<![\w\\-])XXX+(?=:\s)|\(XXX+\)"
)
_IN_UNKNOWN_NUMBERS = ("XX", "??")
_IN_FILLER = ("ipsum", "blind", "\\kant", "[insert", "[enter", "[your")
_FILLER = re.compile(
    r"\blorem[\s~]{1,3}ipsum\b|\\(?:lipsum|blindtext|Blindtext|blinddocument|kant)(?![A-Za-z@])"
    r"|\[(?:insert|enter|your)\s(?:your\s|the\s|a\s)?(?:name|title|text|institution|university"
    r"|department|topic|number|date|results?|values?|details?|figure|table)(?:\shere)?\]",
    re.IGNORECASE,
)
_TODO_COMMAND = re.compile(
    r"\\([Tt]odo|TODO|todo[a-z]{1,20}|[a-z]{1,20}todo|missingfigure|fxnote|fxwarning|fxerror"
    r"|FIXME)(?![A-Za-z@])\*?(?=[\s\[{])"
)
_TODO_SWITCHES = frozenset(("todototoc", "todos", "listtodo", "todolist", "todostyle"))
# A macro that prints its argument in colour behind an author's name or initials, as in
# \newcommand{\jd}[1]{\textcolor{red}{[JD: #1]}}, prints what co-authors say to each other.
_SIGNED_NOTE = re.compile(
    r"\\(?:text)?color(?![A-Za-z])[^#]{0,120}?(?<![A-Za-z\\])([^\W\d_]{2,12})\s{0,3}:"
    r"[^#A-Za-z]{0,12}#\d"
)
_NO_NAMES = frozenset(
    (
        *("note", "example", "proof", "remark", "definition", "theorem", "lemma", "claim", "fact"),
        *("question", "answer", "rq", "hint", "step", "case", "warning", "key", "input", "output"),
    )
)
_WRAPS_TODO = re.compile(r"\\todo\s{0,3}[\[{][^#]{0,300}#\d|\\todo\s{0,3}\[[^\]]{0,300}\]\{#\d")
_NOTES_PACKAGE = re.compile(
    r"\\usepackage\s{0,3}(?:\[([^\]\[]{0,300})\]\s{0,3})?\{[^{}]{0,300}?\b(todonotes|fixme)\b"
)
# With obeyFinal and obeyDraft it depends on the class, so nothing is said.
_NOTES_OFF = re.compile(r"(?:^|[,\s])(?:disable|off|obeyFinal|obeyDraft)(?:[,\s=]|$)")
_DRAFT = re.compile(r"(?:^|[,\s=])draft(?:[,\s]|$)")
_DRAFT_CLASS = re.compile(r"\\documentclass\s{0,3}\[[^\]\[]{0,300}?\bdraft\b")


_LINES_SHOWN = 10


def todo_in_prose(manuscript: Manuscript) -> Iterable[Raised]:
    """A reminder of the authors, or filler text, that is printed with the paper."""
    everything = pages(manuscript)
    discussed = any(_REMINDER.search(page.prose) for page in everything) and any(
        _ABOUT_REMINDERS.search(page.prose) for page in everything
    )
    silent = {macro.name for macro in manuscript.macros if prints_nothing(manuscript, macro)}
    pattern = _note_pattern(_own_note_commands(manuscript))
    packages = _silent_packages([page.live for page in everything])
    for page in everything:
        yield from reported(manuscript, page, _reminders(page, discussed=discussed))
        yield from reported(manuscript, page, _unfilled(page))
        yield from reported(manuscript, page, _todo_commands(page, pattern, silent, packages))


def _reminders(page: Page, *, discussed: bool) -> Iterator[Hit]:
    text = page.prose
    for match in matches(_REMINDER, text, page.body):
        start, stop = match.span()
        if _about_reminders(text, start, stop, discussed=discussed):
            continue
        if not page.quotes(start, stop, styled=False):
            yield Hit(
                start,
                _clause_end(text, stop),
                "A reminder is printed with the paper. Do what it says, or move it into a comment.",
            )


def _unfilled(page: Page) -> Iterator[Hit]:
    # A cheap look first, since hardly any paper has any of these.
    if any(words in page.prose for words in _IN_UNKNOWN_NUMBERS):
        yield from _unknown_numbers(page)
    lowered = page.prose.lower()
    if any(words in lowered for words in _IN_FILLER):
        yield from _filler(page)


def _unknown_numbers(page: Page) -> Iterator[Hit]:
    for match in matches(_UNKNOWN_NUMBER, page.prose, page.body):
        if not page.quotes(*match.span(), styled=False):
            yield Hit(
                match.start(),
                match.end(),
                "A number is still missing here. Fill it in; for a figure, table or section use "
                "\\ref with its label.",
            )


def _filler(page: Page) -> Iterator[Hit]:
    for match in matches(_FILLER, page.prose, page.body):
        before = page.live[max(0, match.start() - 60) : match.start()]
        if match[0].startswith("[") and _COMMAND_JUST_BEFORE.search(before):
            continue
        if not page.quotes(*match.span(), styled=True):
            yield Hit(
                match.start(),
                match.end(),
                "Filler text of a template is printed here. Replace it with your own, or remove "
                "it.",
            )


def _about_reminders(text: str, start: int, stop: int, *, discussed: bool) -> bool:
    """Whether the word is the subject of the sentence and not a reminder.

    A reminder opens something (a sentence, a bracket, a cell) or is followed by a colon.
    """
    if _ABOUT_REMINDERS.match(text, start):
        return True
    opens = _REMINDER_OPENS.search(text, max(0, start - 80), start) is not None
    goes_on = _REMINDER_GOES_ON.match(text, stop) is not None
    if text[start:stop] in ("ToDo", "Todo") or discussed:
        return not (opens and goes_on)
    return not (opens or goes_on)


def _clause_end(text: str, start: int) -> int:
    """Where the sentence that goes on at `start` ends, within its line and the quote's length."""
    end = re.compile(r"[.!?](?=\s|\Z)|[\r\n\]})&]|\\\\").search(text, start, start + LONGEST)
    if end is None:
        return min(len(text), start + LONGEST)
    return end.end() if end[0] in ".!?" else end.start()


def _silent_packages(texts: Sequence[str]) -> set[str]:
    """Which packages for notes print none: todonotes when disabled, fixme unless in draft mode."""
    draft = any(_DRAFT_CLASS.search(text) for text in texts)
    silent = set() if draft else {"fixme"}
    for text in texts:
        for match in _NOTES_PACKAGE.finditer(text):
            options = match[1] or ""
            if match[2] == "todonotes" and _NOTES_OFF.search(options):
                silent.add("todonotes")
            if match[2] == "fixme" and _DRAFT.search(options):
                silent.discard("fixme")
    return silent


def _own_note_commands(manuscript: Manuscript) -> set[str]:
    """The paper's own commands for notes: todo under another name, or signed by an author."""
    names = set()
    for macro in manuscript.macros:
        body = manuscript.text(macro.body)[:1000]
        signed = _SIGNED_NOTE.search(body)
        if macro.arguments and (
            _WRAPS_TODO.search(body)
            or (
                signed
                and signed[1].lower() not in _NO_NAMES
                and signed[1][:1].lower() == macro.name[:1].lower()
            )
        ):
            names.add(macro.name)
    return names


def _note_pattern(names: set[str]) -> re.Pattern[str]:
    if not names:
        return _TODO_COMMAND
    own = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(rf"{_TODO_COMMAND.pattern}|\\({own})(?![A-Za-z@])\s{{0,3}}(?=[\[{{])")


def _todo_commands(
    page: Page, pattern: re.Pattern[str], silent: set[str], packages: set[str]
) -> Iterator[Hit]:
    """One hit for all notes of a file: who keeps twenty knows of them, and wants to see the rest
    of the report."""
    found: list[tuple[str, int, int]] = []
    for match in matches(pattern, page.live, page.body):
        name = match[match.lastindex or 1]
        if name in silent or name in _TODO_SWITCHES:
            continue
        if ("fixme" if name.startswith("fx") else "todonotes") in packages:
            continue
        opening = page.live.find("{", match.end(), match.end() + 200)
        stop = page.group_end(opening) + 1 if opening >= 0 else match.end()
        found.append((name, match.start(), min(stop, len(page.live))))
    if not found:
        return
    name, start, stop = found[0]
    lines = [str(page.source.line(begin)) for _, begin, _ in found[1:]]
    more = ""
    if lines:
        shown = ", ".join(lines[:_LINES_SHOWN]) + (", ..." if len(lines) > _LINES_SHOWN else "")
        more = f", as do {len(lines)} more in this file (lines {shown})"
    what = "Do what they say" if lines else "Do what it says"
    yield Hit(
        start,
        stop,
        f"\\{name} prints a note of the authors{more}. {what}, or switch these notes "
        "off before the paper leaves your hands.",
    )
