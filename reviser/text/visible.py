"""A text as a reader sees it."""

import re
import unicodedata
from collections.abc import Iterator

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u17b4\u17b5\u3164]")


def visible(text: str) -> str:
    """The text without what nobody sees (characters without width or glyph, marks that turn the
    direction of writing, hidden selectors), its white space single."""
    if not text.isascii() or not text.isprintable():
        text = "".join(
            " " if char.isspace() else char
            for char in _SELECTORS.sub("", text)
            if char.isspace() or unicodedata.category(char) not in _UNSEEN
        )
    return " ".join(text.split())


def unseen(text: str) -> Iterator[tuple[int, int]]:
    """Starts and ends of the runs that `visible` drops from the text, white space left alone."""
    if text.isascii() and text.isprintable():
        return
    start = -1
    for offset, char in enumerate(text):
        dropped = not (" " <= char <= "~" or char.isspace()) and (
            unicodedata.category(char) in _UNSEEN or _SELECTORS.match(char) is not None
        )
        if dropped and start < 0:
            start = offset
        elif not dropped and start >= 0:
            yield start, offset
            start = -1
    if start >= 0:
        yield start, len(text)


def visible_lines(text: str) -> str:
    """Like `visible`, but lines stay lines; of empty ones in a row one stays, at the ends none."""
    lines: list[str] = []
    for line in map(visible, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).rstrip("\n")
