"""The plain words that a macro's body stands for, where it is nothing but words."""

import re
import unicodedata
from collections.abc import Mapping

from reviser.latex.commands import DRESSING, SILENT

_LONGEST = 200
_PIECE = re.compile(
    r"%[^\r\n]*(?:\r\n|[\r\n]|\Z)[ \t]*"
    r"|\\([A-Za-z@]+)[ \t]*"
    r"|\\([`'^\"~=.])[ \t]*(?:\{([A-Za-z])\}|([A-Za-z]))"
    r"|\\([\s\S])"
    r"|([\s~]+)"
    r"|([{}])"
    r"|([$&#^\\])"
    r"|([^\s~{}$&#^\\%]+)"
)
_SYMBOLS = {
    " ": " ",
    "\n": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    "/": "",
    "-": "",
    "!": "",
    "@": "",
    **{mark: mark for mark in "&%$#_{}"},
}
_WORDS = {
    "ldots": "...",
    "dots": "...",
    "textellipsis": "...",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "BibTeX": "BibTeX",
    "space": " ",
    "nobreakspace": " ",
    "textendash": "--",
    "textemdash": "---",
    "textunderscore": "_",
    "textasciitilde": "~",
    "textbackslash": "\\",
    "slash": "/",
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "o": "ø",
    "O": "Ø",
    "aa": "å",
    "AA": "Å",
    "oe": "œ",
    "OE": "Œ",
    "l": "ł",
    "L": "Ł",
    "i": "ı",
}
_ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    '"': "\u0308",
}


def plain_words(body: str, texts: Mapping[str, str]) -> str | None:
    """The words of `body`, at most 200 characters; None if it does more than say words.

    `texts` holds the words of other macros. \\xspace and font changes say nothing; ties and
    line ends are blanks.
    """
    if len(body) > 4 * _LONGEST:
        return None
    said: list[str] = []
    for match in _PIECE.finditer(body):
        words = _piece(match, texts)
        if words is None:
            return None
        said.append(words)
    text = "".join(said)
    return text if len(text) <= _LONGEST else None


def _piece(match: re.Match[str], texts: Mapping[str, str]) -> str | None:
    word, accent, braced, letter, symbol, blank, brace, active, run = match.groups()
    words: str | None
    if word is not None:
        silent = word in SILENT or word in DRESSING
        words = "" if silent else texts.get(word, _WORDS.get(word))
    elif accent is not None:
        words = unicodedata.normalize("NFC", (braced or letter) + _ACCENTS[accent])
    elif symbol is not None:
        words = _SYMBOLS.get(symbol)
    elif active is not None:
        words = None
    elif blank is not None:
        words = " "
    else:
        words = "" if brace is not None or run is None else run
    return words
