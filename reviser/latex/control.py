"""What control words and symbols do to running text: read as words, keep it, end it, hide it."""

import re

from reviser.latex import prose_tables as tables
from reviser.latex.commands import ADDRESSES, SILENT
from reviser.latex.dialect import UserCommand
from reviser.latex.page import Page
from reviser.latex.sentences import BINDING, OBJECT
from reviser.latex.signs import ACCENTS, SIGNS
from reviser.latex.wording import accent

_ENVIRONMENT = re.compile(r"[ \t]*\{\s*([^{}\r\n]{0,60}?)\s*\}")
_SWALLOWED = re.compile(r"[ \t]*(?:\r?\n(?![ \t]*\r?\n)[ \t]*)?")
_GOES_ON = re.compile(r"(?:\{\})?[ \t]*(?:\r?\n)?[ \t]*[a-z,;')]")
_LENGTH = re.compile(
    r"[ \t]*=?[ \t]*-?[ \t]*[\d.]{1,12}[ \t]*"
    r"(?:(?:true[ \t]*)?(?:pt|em|ex|cm|mm|in|bp|pc|dd|cc|sp|mu)(?![A-Za-z])|\\[A-Za-z]+)?"
    r"(?:[ \t]+(?:plus|minus)[ \t]*[\d.]{1,12}[ \t]*(?:pt|em|ex|cm|mm|in|fil{1,3}))*[ \t]?"
)
_LETTER_ACCENTS = frozenset("cvuHkrbdt")
_ONE_LINE_KINDS = frozenset({"title", "caption", "footnote"})
_FONTS = SILENT - {"xspace", "protect"}


def symbol(page: Page, char: str, start: int, stop: int) -> int:
    """A backslash at `start` and `char`, no letter, up to `stop`: where reading goes on."""
    draft, text = page.draft, page.text
    if char == "\\":
        if page.places.kind in _ONE_LINE_KINDS:
            draft.space(start)
        else:
            page.flush()
        return page.after_arguments(stop, 0)
    if char in "%&$#_{}":
        draft.put(char, start, stop)
    elif char in ACCENTS:
        return _accented(page, char, start, stop)
    elif char.isspace():
        draft.space(start, BINDING if draft.last == "." else " ")
    elif char == "," and draft.last.isdigit() and text[stop : stop + 1].isdigit():
        pass  # 10\,000 is one number
    elif char in ",:;":
        draft.space(start, BINDING if draft.last == "." else " ")
    return stop


def word(page: Page, name: str, start: int, stop: int) -> int:
    """The control word `name` from `start` to `stop`: where reading goes on."""
    if name in ("begin", "end"):
        return environment(page, name, start, stop)
    dialect = page.dialect
    name = dialect.aliases.get(name, name)
    meaning = dialect.texts.get(name)
    if meaning is None and name in dialect.defined:
        return _own_command(page, name, start, stop)
    if meaning is None:
        meaning = SIGNS.get(name)
    if meaning is not None:
        return _meaning(page, meaning, start, stop)
    if name in tables.BREAKS and not (name == "item" and page.places.inline_list):
        page.flush()
    if name in tables.OWN_TEXT:
        return own_text(page, name, stop)
    return _plain_word(page, name, start, stop)


def environment(page: Page, command: str, start: int, stop: int) -> int:
    """\\begin or \\end from `start` to `stop`, where its braces stand: where reading goes on."""
    match = _ENVIRONMENT.match(page.text, stop, page.stop)
    if match is None:
        return stop
    name = match.group(1)
    opens = command == "begin"
    if name not in tables.RUNNING:
        page.flush()
    elif opens:
        page.draft.braces.append((start, 1, start))
    else:
        page.draft.braces.append((start, -1, match.end()))
    if not opens:
        page.places.leave(name)
        return match.end()
    standard = page.dialect.environments.get(name, name)
    page.places.enter(name, standard)
    count = tables.ENVIRONMENT_ARGUMENTS.get(name)
    if count is None:
        count = tables.ENVIRONMENT_ARGUMENTS.get(standard, 0)
    return page.after_arguments(match.end(), count)


def own_text(page: Page, name: str, stop: int) -> int:
    """A caption, title or the like, whose braces hold a text apart: where reading goes on."""
    kind = tables.OWN_TEXT[name]
    if kind != "footnote":
        page.flush()
    stop = page.after_arguments(stop, name.startswith("captionof"))
    body = page.argument(stop)
    if body is None:
        return stop
    page.waiting.append((body.inner, kind))
    return body.span.stop


def _plain_word(page: Page, name: str, start: int, stop: int) -> int:
    """A command that says nothing itself: past those of its arguments that are no text."""
    swallowed = _SWALLOWED if name in _FONTS else _LENGTH if name in tables.LENGTHS else None
    if swallowed is not None:
        match = swallowed.match(page.text, stop, page.stop)
        return match.end() if match else stop
    if name in _LETTER_ACCENTS:
        return _accented(page, name, start, stop)
    if name == "item":
        return _item(page, stop)
    if name in ADDRESSES and name not in tables.FIRST_DROPPED:
        return _address(page, start, stop)
    if name in tables.DROPPED:
        return page.after_arguments(stop, tables.DROPPED[name])
    after = page.after_arguments(stop, tables.FIRST_DROPPED.get(name, 0))
    if page.text.startswith("{", after):
        page.owner = (after, start)
    elif after == stop and _stands_for_a_word(page, name, stop):
        page.draft.put(OBJECT, start, stop)
    return after


def _swallowed(page: Page, stop: int) -> int:
    match = _SWALLOWED.match(page.text, stop, page.stop)
    return match.end() if match else stop


def _accented(page: Page, mark: str, start: int, stop: int) -> int:
    made = accent(page.text, mark, stop)
    if made is None or made[1] > page.stop:
        return stop
    page.draft.put(made[0], start, made[1])
    return made[1]


def _meaning(page: Page, meaning: str, start: int, stop: int) -> int:
    """A command that reads as `meaning`; a blank after its name is one to the reader."""
    words = " ".join(meaning.split())
    if page.text.startswith("{}", stop):
        stop += 2
    if not words:
        return stop
    page.draft.put(words, start, stop)
    if len(words) == 1 and words.isalpha():
        return _swallowed(page, stop)
    if meaning[-1].isspace():
        page.draft.space(stop - 1, BINDING if words.endswith(".") else " ")
    return stop


def _own_command(page: Page, name: str, start: int, stop: int) -> int:
    """A command of the paper's own that is more than a few words."""
    dialect = page.dialect
    if name in dialect.lexicon.opens:
        page.flush()
        page.places.enter(dialect.lexicon.opens[name])
    elif name in dialect.lexicon.closes:
        page.flush()
        page.places.leave(dialect.lexicon.closes[name])
    elif name in dialect.commands:
        _note_arguments(page, dialect.commands[name], stop)
    return _plain_word(page, name, start, stop)


def _note_arguments(page: Page, command: UserCommand, stop: int) -> None:
    captions = {wrapped.argument for wrapped in command.captions}
    for number, parameter in enumerate(command.parameters, start=1):
        argument = page.argument(stop, "[" if parameter.kind == "o" else "{")
        if argument is None:
            continue
        stop = argument.span.stop
        if argument.kind == "{" and (number in command.discards or number in captions):
            page.groups[argument.span.start] = "caption" if number in captions else ""


def _stands_for_a_word(page: Page, name: str, stop: int) -> bool:
    """Whether an unknown command without arguments stands where a word is missing."""
    if name in tables.QUIET or name in tables.KNOWN or name in page.dialect.commands:
        return False
    inside = len(page.draft) > 0 and page.draft.last not in ".!?:"
    return inside or _GOES_ON.match(page.text, stop, page.stop) is not None


def _item(page: Page, stop: int) -> int:
    label = page.argument(stop, "[")
    if label is None:
        return stop
    page.waiting.append((label.inner, page.places.kind))
    return label.span.stop


def _address(page: Page, start: int, stop: int) -> int:
    address = page.argument(page.after_option(stop))
    if address is None:
        return stop
    braces = page.draft.braces
    braces.append((address.span.start, 1, start))
    if address.inner.start < address.inner.stop:
        page.draft.copy(address.inner.start, address.inner.stop)
    braces.append((address.inner.stop, -1, address.span.stop))
    return address.span.stop
