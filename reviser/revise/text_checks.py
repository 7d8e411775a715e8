"""Hard checks on the characters an edit brings: nothing but what it names, and nothing unsafe."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

from reviser.revise.atoms import CITATION, CITATION_KEY, LABEL, REFERENCE, SPECIAL
from reviser.revise.block_checks import blocks
from reviser.revise.block_shape import COMMANDS
from reviser.revise.change import Change
from reviser.revise.commands import FORBIDDEN, FORMATTING, control_words, harmless_macros
from reviser.revise.entry_checks import LOOK_ALIKE, entries_gained
from reviser.text.edit import Purpose
from reviser.text.source import Source, Span

#: Purposes whose edits come from rules and verify: every word they change must be announced.
STRICT = frozenset({Purpose.RULE_FIX, Purpose.PRUNE, Purpose.REPLACE})

_TYPOGRAPHIC = frozenset("–—‘’“”…")
_UNESCAPED = re.compile(r"\\.|[%&#$_^\"]", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+")
_LINE_END = re.compile(r"\r\n|\n|\r")
_SLACK = 400  # code points that an edit may always add or take
_ROLES = frozenset({"main", "input", "bibliography"})


def touches_only_files_of_the_paper(change: Change) -> str | None:
    """Only files that were read as the paper's own text, and none that a program writes."""
    if not change.edit.replacements or all(r.before == r.after for r in change.edit.replacements):
        return "the edit changes nothing"
    for path in change.edit.paths:
        facts = change.before.facts_of.get(path)
        if facts is None or path not in change.before.sources:
            return f"{path} is no file of the paper"
        if facts.untouchable:
            return f"{path} must not be edited: {facts.untouchable}"
        if facts.role not in _ROLES:
            return f"{path} is a {facts.role} file, which no edit may touch"
    return None


def changes_nothing_elsewhere(change: Change) -> str | None:
    """Outside the edit's spans every file is the same, character by character."""
    before, after = change.before.sources, change.after.sources
    if before.keys() != after.keys():
        changed = sorted(before.keys() ^ after.keys())
        return f"the paper would be made of other files: {', '.join(changed[:3])}"
    for path, source in before.items():
        pieces: list[str] = []
        cursor = 0
        for part in change.parts(path):
            span = part.at.span
            if span.start < cursor or source[span] != part.before:
                return f"{path} does not hold the text that the edit expects"
            pieces += [source.text[cursor : span.start], part.after]
            cursor = span.stop
        if "".join([*pieces, source.text[cursor:]]) != after[path].text:
            return f"{path} changes outside the edit's spans"
    for path in change.edit.paths:
        source, new = before[path], after[path]
        again = Source.decode(path, new.encode(), declared=source.encoding)
        if (again.text, again.encoding) != (new.text, source.encoding):
            return f"{path} would be read in another encoding ({again.encoding})"
    return None


def brings_no_file_access_or_shell(change: Change) -> str | None:
    """No command more that reads, writes, runs, redefines or hides."""
    for path, old, new in _texts(change):
        gained = Counter(_dangerous(new)) - Counter(_dangerous(old))
        if gained:
            return f"{path} would gain {', '.join(sorted(gained))}"
    return None


def brings_no_unknown_command(change: Change) -> str | None:
    """New commands are plain formatting or the paper's own, and those hide nothing forbidden."""
    macros = change.before.macros
    bodies = [change.before.text(macro.body) for macro in macros]
    known = FORMATTING | harmless_macros(macros, bodies)
    if is_strict(change):
        known = frozenset()
    for path, old, new in _texts(change):
        gained = Counter(control_words(new)) - Counter(control_words(old))
        unknown = sorted(name for name in gained if name not in known)
        if unknown and not _announced(change, path, unknown):
            return f"{path} would gain the command \\{unknown[0]}"
    return None


def brings_no_special_character(change: Change) -> str | None:
    """No new comment sign, active or invisible character, foreign letter or look-alike."""
    seen = frozenset().union(*(source.text for source in change.before.sources.values()))
    for path, old, new in _texts(change):
        gained = Counter(_unescaped(new)) - Counter(_unescaped(old)) - _in_added_keys(change, path)
        if gained and not _announced(change, path, list(gained)):
            return f"{path} would gain an unescaped {next(iter(gained))!r}"
        strangers = Counter(new) - Counter(old)
        for letter in strangers:
            reason = _foreign(letter, change.before.sources[path].encoding, seen)
            if reason:
                return f"{path} would gain U+{ord(letter):04X}, {reason}"
        for word in Counter(_WORD.findall(new)) - Counter(_WORD.findall(old)):
            if len(_scripts(word) & LOOK_ALIKE) > 1:
                return f"{path} would gain {word!r}, whose letters are of several scripts"
    return None


def keeps_line_ends(change: Change) -> str | None:
    """A file keeps its kind of line ends."""
    ends = {"lf": {"\n"}, "crlf": {"\r\n"}, "cr": {"\r"}, "mixed": {"\n", "\r\n", "\r"}}
    for part in change.edit.replacements:
        source = change.before.sources.get(part.at.path)
        wanted = ends.get(source.newline) if source else None
        if wanted and not set(_LINE_END.findall(part.after)) <= wanted:
            return f"{part.at.path} would get line ends of another kind"
    return None


def keeps_its_size(change: Change) -> str | None:
    """A paragraph neither grows to something else nor loses most of its text."""
    announced = sum(len(allowed.gained or "") for allowed in change.edit.allows)
    for path in change.edit.paths:
        old, new = 0, -sum(len(span) for span in _entered(change, path))
        for before, after in change.windows(path):
            old += len(before)
            new += len(after)
        # A block has a limit of its own, in its grammar.
        slack = _SLACK + announced + sum(len(p.after) for p in blocks(change) if p.at.path == path)
        if new > (old + slack if is_strict(change) else 1.5 * old + slack):
            return f"{path} would grow by {new - old} characters"
        if not is_strict(change) and new + slack < old / 2:
            return f"{path} would lose {old - new} characters"
    return None


def is_strict(change: Change) -> bool:
    """Whether every word that changes must be announced."""
    return change.edit.purpose in STRICT


def _texts(change: Change) -> Iterator[tuple[str, str, str]]:
    """Path and text around each replacement, before and after; new entries, which have checks of
    their own, are left out."""
    for path in change.edit.paths:
        entered = _entered(change, path)
        for old, new in change.windows(path):
            text, cursor = "", new.start
            for span in entered:
                if new.covers(span):
                    text += change.after.sources[path].text[cursor : span.start]
                    cursor = span.stop
            text += change.after.sources[path].text[cursor : new.stop]
            yield path, change.before.sources[path][old], text


def _entered(change: Change, path: str) -> list[Span]:
    """Where the new entries of a .bib stand afterwards."""
    return sorted(e.at.span for part, e in entries_gained(change) if part.at.path == path)


def _dangerous(text: str) -> Iterator[str]:
    for word in control_words(text):
        if word in FORBIDDEN or "@" in word:
            yield f"\\{word}"
    for sign in ("^^", "\\begin{filecontents"):
        for _ in range(text.count(sign)):
            yield sign


def _unescaped(text: str) -> list[str]:
    return [token for token in _UNESCAPED.findall(text) if not token.startswith("\\")]


def _in_added_keys(change: Change, path: str) -> Counter[str]:
    """The special characters in keys and label names of what a written edit adds, and those
    between the cells of a table that it puts in."""
    return Counter(
        token
        for allowed in change.edit.allows
        if not is_strict(change) and allowed.at.path == path
        if allowed.kind in {CITATION_KEY, REFERENCE, LABEL, SPECIAL}
        for token in _unescaped(allowed.gained or "")
    )


def _announced(change: Change, path: str, words: list[str]) -> bool:
    """Whether each of these words stands in something the edit is allowed to bring there.

    A written edit is allowed the commands of the citations and references it adds, by name, and
    those of a sound block.
    """
    if not is_strict(change):
        made = {
            (a.gained or "").partition(" ")[0].rstrip("*")
            for a in change.edit.allows
            if a.at.path == path and a.kind in {CITATION, REFERENCE}
        }
        if any(part.at.path == path for part in blocks(change)):
            made |= COMMANDS
        return made.issuperset(words)
    brought = " ".join(a.gained or "" for a in change.edit.allows if a.at.path == path)
    return all(word in brought for word in words)


def _foreign(letter: str, encoding: str, seen: frozenset[str]) -> str | None:
    if letter in "\n\r\t" or " " <= letter <= "~":
        return None
    if encoding != "utf-8":
        return f"in a file that is not UTF-8 ({encoding})"
    kind = unicodedata.category(letter)
    if kind.startswith("C") or kind in {"Mn", "Me", "Zl", "Zp"}:
        return "which cannot be seen"
    if letter in _TYPOGRAPHIC or (letter in seen and kind[0] in "LPSN"):
        return None
    return "which the paper does not use"


def _scripts(word: str) -> set[str]:
    return {unicodedata.name(letter, "?").partition(" ")[0] for letter in word}
