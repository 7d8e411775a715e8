"""Make text of a paper safe to print: nothing in it may steer a terminal or a build log."""

import re
import unicodedata

# Format characters (Cf) hide text or turn its direction round; a plain mark tells them apart.
_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SPACES = re.compile(r"[ \t\r\n]+")
_SHOWN_ASCII = re.compile(r"[ -~]*")


def printable(text: str) -> str:
    """One line of `text`: spaces folded, and every control, direction, zero-width, surrogate or
    unassigned character shown as <U+XXXX>."""
    folded = _SPACES.sub(" ", text).strip()
    if _SHOWN_ASCII.fullmatch(folded):
        return folded
    return "".join(_shown(character) for character in folded)


def printable_line(text: str) -> str:
    """Like `printable`, but a line of source keeps its own spaces; its line end is dropped."""
    bare = text.rstrip("\r\n").replace("\t", "    ")
    if _SHOWN_ASCII.fullmatch(bare):
        return bare
    return "".join(_shown(character) for character in bare)


def shortened(text: str, width: int) -> str:
    """`text` cut in the middle, with an ellipsis of three stops, to at most `width` characters."""
    if len(text) <= width:
        return text
    head = (width - 5) * 2 // 3
    return f"{text[:head].rstrip()} ... {text[len(text) - (width - 5 - head) :].lstrip()}"


def many(number: int, noun: str, plural: str = "") -> str:
    """ "1 edit", "2 edits"; `plural` where an s is not enough."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def _shown(character: str) -> str:
    if unicodedata.category(character) in _KINDS:
        return f"<U+{ord(character):04X}>"
    return character
