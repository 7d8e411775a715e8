r"""Plain text as the value of a bibliography field: nothing in it means anything to TeX or BibTeX.

The opposite of `bibtext`: what is written here is read there as the same text. Whoever wrote the
text is a stranger, so a backslash of theirs becomes a printed backslash. The one exception is a
short formula of letters, digits and known symbols, as arXiv has them in titles.
"""

import re
import unicodedata
from collections.abc import Callable

from reviser.latex.bibtext import plain

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': '{"}',
    "@": "{@}",
    "–": "--",
    "—": "---",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "„": r"\quotedblbase{}",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "§": r"\S{}",
    "©": r"\copyright{}",
    "®": r"\textregistered{}",
    "°": r"\textdegree{}",
    "™": r"\texttrademark{}",
    "•": r"\textbullet{}",
    "·": r"\textperiodcentered{}",
}
_LETTERS = {
    "å": "{\\aa}", "Å": "{\\AA}", "æ": "{\\ae}", "Æ": "{\\AE}", "œ": "{\\oe}", "Œ": "{\\OE}",
    "ø": "{\\o}", "Ø": "{\\O}", "ł": "{\\l}", "Ł": "{\\L}", "ß": "{\\ss}", "ı": "{\\i}",
}  # fmt: skip
"""Letters that every TeX font has under a name of its own."""
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
_SYMBOLS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu",
    "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega", "×": "times", "±": "pm", "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx",
    "∼": "sim", "∞": "infty", "→": "rightarrow", "←": "leftarrow", "∈": "in", "ℓ": "ell",
    "∂": "partial", "∇": "nabla", "∑": "sum", "∏": "prod", "∫": "int", "∘": "circ",
}  # fmt: skip
"""Symbols that every TeX engine has in mathematics, and few have in running text."""
SYMBOL_NAMES = frozenset(_SYMBOLS.values()) | {"epsilon", "phi", "ast", "star", "cdot", "le", "ge"}
"""Control words that a formula may hold."""
WRITTEN_WORDS = frozenset(
    re.findall(r"\\([A-Za-z]+)", " ".join([*_SIGNS.values(), *_LETTERS.values()]))
)
"""Control words that are written for a sign or a letter."""
ACCENT_MARKS = frozenset(_ACCENTS.values())
"""What follows the backslash of an accent."""

UNWRITABLE = "\0"
"""Stands for a letter that cannot be written; no folded text holds it."""
_APART = "\1"

_FORMULA = re.compile(r"\$([A-Za-z0-9+\-*/=(),.'|<> \\^_{}]{1,60})\$")
_IN_FORMULA = re.compile(r"\\([A-Za-z]+)(?![A-Za-z])|\\")
_SPACES = re.compile(r"\s+")
_LIGATURES = re.compile(r"-(?=-)|`(?=`)|'(?=')|[?!](?=`)")


def folded(text: str, most: int) -> str:
    """The text without what cannot be seen, its white space folded, composed (NFC) and cut at a
    word so that it has at most `most` characters."""
    seen = "".join(c if not _hidden(c) else " " if c.isspace() else "" for c in text[: 4 * most])
    whole = _SPACES.sub(" ", unicodedata.normalize("NFC", seen)).strip()
    if len(whole) <= most:
        return whole
    return whole[: most + 1].rsplit(" ", 1)[0][:most].rstrip(" ,;:-")


def _hidden(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def escaped(text: str, *, keeps: Callable[[str], bool]) -> str:
    """`text`, which is `folded`, as a value without its delimiters; `UNWRITABLE` stands in it for
    a letter that has no form which TeX is sure to know.

    `keeps` tells of a letter beyond ASCII whether it may stand as it is; all others are written
    with TeX's accents and names.
    """
    parts: list[str] = []
    cursor = 0
    for formula in _FORMULA.finditer(text):
        if not is_formula(formula[1]):
            continue
        parts.append(_plainly(text[cursor : formula.start()], keeps))
        parts.append(formula[0])
        cursor = formula.end()
    parts.append(_plainly(text[cursor:], keeps))
    return "".join(parts)


def reads_as(text: str) -> str:
    """What a `folded` text says once it is escaped and read again: itself, but for formulas."""
    parts: list[str] = []
    cursor = 0
    for formula in _FORMULA.finditer(text):
        if is_formula(formula[1]):
            parts += [text[cursor : formula.start()], plain(formula[0])]
            cursor = formula.end()
    return "".join([*parts, text[cursor:]])


def is_formula(text: str) -> bool:
    """Whether what stands between two dollar signs is a formula that can do nothing but print."""
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return False
    words = _IN_FORMULA.findall(text)
    known = all(word in SYMBOL_NAMES for word in words)
    telling = any(char.isalnum() for char in text)
    ends = not text[-1:].isspace() and not text[:1].isspace() and text[-1:] not in "^_\\"
    doubled = re.search(r"[\^_]\s*[\^_}]|[\^_]\s*\\?$|'\s*\^", text)
    twice = re.search(r"([\^_])(?:\{[^{}]*\}|\\[A-Za-z]+|[^{}\\])\s*\1", text)
    return depth == 0 and known and telling and ends and not doubled and not twice


def _plainly(text: str, keeps: Callable[[str], bool]) -> str:
    apart = _LIGATURES.sub(lambda sign: sign[0] + _APART, text)
    return "".join("{}" if char == _APART else _written(char, keeps) for char in apart)


def _written(char: str, keeps: Callable[[str], bool]) -> str:
    """One character, `UNWRITABLE` where there is no way to write it."""
    if char in _SIGNS:
        return _SIGNS[char]
    if char.isascii() or keeps(char):
        return char
    if char in _SYMBOLS:
        return f"$\\{_SYMBOLS[char]}$"
    return _LETTERS.get(char) or _accented(char)


def _accented(char: str) -> str:
    apart = unicodedata.normalize("NFD", char)
    letter, mark = apart[:1], _ACCENTS.get(apart[1:], "")
    if not mark or not letter.isascii() or not letter.isalpha():
        return UNWRITABLE
    bare = f"\\{letter}" if letter in "ij" and mark not in "cdbk" else letter
    return f"{{\\{mark}{{{bare}}}}}" if mark.isalpha() else f"{{\\{mark}{bare}}}"
