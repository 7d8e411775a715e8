r"""What a TeX-marked value of a bibliography says, as plain text.

Only what bibliographies hold is decoded: accents, letters and symbols, dashes and quotes, simple
mathematics. Markup is removed and its text kept; an unknown command loses its name alone. A
decoder that guessed more would put words into titles that two entries are compared by.
"""

import re
import unicodedata

_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
    "t": "\u0361",
}

_WORDS = {
    "aa": "å",
    "AA": "Å",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ss": "ß",
    "SS": "SS",
    "i": "ı",
    "j": "ȷ",
    "dh": "ð",
    "DH": "Ð",
    "dj": "đ",
    "DJ": "Đ",
    "th": "þ",
    "TH": "Þ",
    "ng": "ŋ",
    "NG": "Ŋ",
    "S": "§",
    "P": "¶",
    "copyright": "©",
    "textcopyright": "©",
    "textregistered": "®",
    "texttrademark": "™",
    "pounds": "£",
    "textsterling": "£",
    "euro": "€",
    "texteuro": "€",
    "textyen": "¥",
    "textdegree": "°",
    "degree": "°",
    "dag": "†",
    "ddag": "‡",
    "ldots": "…",
    "dots": "…",
    "textellipsis": "…",
    "textendash": "–",
    "textemdash": "—",
    "textquoteleft": "‘",
    "textquoteright": "’",
    "textquotedblleft": "“",
    "textquotedblright": "”",
    "textquotesingle": "'",
    "textquotedbl": '"',
    "quotesinglbase": "‚",
    "quotedblbase": "„",
    "guillemotleft": "«",
    "guillemotright": "»",
    "flqq": "«",
    "frqq": "»",
    "glqq": "„",
    "grqq": "“",
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbackslash": "\\",
    "textbar": "|",
    "textless": "<",
    "textgreater": ">",
    "textunderscore": "_",
    "textbullet": "•",
    "textperiodcentered": "·",
    "textmu": "µ",
    "slash": "/",
    "lbrace": "{",
    "rbrace": "}",
    "textbraceleft": "{",
    "textbraceright": "}",
    "TeX": "TeX",
    "LaTeX": "LaTeX",
    "LaTeXe": "LaTeX2e",
    "BibTeX": "BibTeX",
    "quad": " ",
    "qquad": " ",
    "space": " ",
    "newline": " ",
    "par": " ",
    "times": "×",
    "cdot": "·",
    "pm": "±",
    "mp": "∓",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "neq": "≠",
    "ne": "≠",
    "approx": "≈",
    "sim": "∼",
    "infty": "∞",
    "partial": "∂",
    "nabla": "∇",
    "sum": "∑",
    "prod": "∏",
    "int": "∫",
    "in": "∈",
    "subset": "⊂",
    "cup": "∪",
    "cap": "∩",
    "to": "→",
    "rightarrow": "→",
    "leftarrow": "←",
    "Rightarrow": "⇒",
    "leftrightarrow": "↔",
    "circ": "∘",
    "star": "⋆",
    "ast": "*",
    "prime": "′",
    "ell": "ℓ",
    "hbar": "ħ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "vartheta": "ϑ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "upsilon": "υ",
    "phi": "φ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
}

_SIGNS = {
    "\\": " ",
    "&": "&",
    "%": "%",
    "#": "#",
    "_": "_",
    "$": "$",
    "{": "{",
    "}": "}",
    " ": " ",
    "\n": " ",
    "\t": " ",
    "\r": " ",
    ",": "\u2009",
    ";": " ",
    ":": " ",
    "!": "",
    "-": "",
    "/": "",
    "(": "",
    ")": "",
    "[": "",
    "]": "",
    "@": "",
}

_PUNCTUATION = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}

# A control word takes the spaces behind it with it, as TeX does.
_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]+)\*?[ \t\r\n]*"
    r"|\\(?P<sign>[^A-Za-z])[ \t\r\n]*"
    r"|(?P<mark>[{}$~^_])"
    r"|(?P<dash>---?)"
    r"|(?P<quote>``|'')"
)
_BRACE = re.compile(r"[{}]")
_SPACES = re.compile(r"\s+")
_VERBATIM_SIGN = re.compile(r"\\([%#&_{}$~])|\{?\\textasciitilde\s*(?:\{\})?\}?|\\url\b")
_LONGEST_HIDDEN = 2000  # characters of an argument that is looked past; keeps reading linear
_MOST_FAILED_LOOKS = 50  # for arguments that do not end

# Their argument is an address or a length, or their first argument is not the text.
_WITH_HIDDEN_ARGUMENT = frozenset(
    {"href", "textcolor", "color", "hspace", "vspace", "fontsize", "bibinfo", "bibfield"}
)


def plain(value: str) -> str:
    r"""The text of a value without its outer delimiters: `{\'E}tude of {DNA}` is `Étude of DNA`.

    Linear in the length of `value`, for any `value`; line ends and runs of spaces become one
    space, and letters are composed (Unicode NFC).
    """
    decoded = _decoded(value) if _TOKEN.search(value) else value
    return unicodedata.normalize("NFC", _SPACES.sub(" ", decoded).strip())


def verbatim(value: str) -> str:
    """The text of an address, a DOI or a file name: braces go, escaped signs lose the escape."""
    unescaped = _VERBATIM_SIGN.sub(lambda m: m.group(1) or ("~" if "tilde" in m[0] else ""), value)
    return _SPACES.sub(" ", unescaped.replace("{", "").replace("}", "")).strip()


def _decoded(value: str) -> str:
    parts: list[str] = []
    accent = ""  # combining characters that wait for their letter
    math = False
    looks = _MOST_FAILED_LOOKS
    cursor = 0
    while match := _TOKEN.search(value, cursor):
        if match.start() > cursor:
            parts.append(_accented(value[cursor : match.start()], accent))
            accent = ""
        cursor = match.end()
        command = match["word"] or match["sign"] or ""
        if command in _COMBINING and not math:
            accent = _COMBINING[command] + accent
            continue
        if match["word"]:
            if command in _WITH_HIDDEN_ARGUMENT and looks:
                behind = _past_group(value, cursor)
                looks -= behind == cursor
                cursor = behind
            text = _WORDS.get(command, "")
        elif match["sign"]:
            text = _SIGNS.get(command, command)
            cursor = match.start() + 2  # the spaces behind a sign are the reader's
        else:
            mark = match["mark"]
            text = _PUNCTUATION.get(match[0], "")
            if mark == "$":
                math = not math
            elif mark == "}":
                accent = ""
            elif mark in {"^", "_"} and not math:
                text = mark
        if text:
            parts.append(_accented(text, accent))
            accent = ""
    parts.append(_accented(value[cursor:], accent))
    return "".join(parts)


def _accented(text: str, accent: str) -> str:
    if not accent or not text:
        return text
    head = text[0]
    # TeX puts accents on dotless letters; Unicode composes them with the ordinary ones.
    head = {"ı": "i", "ȷ": "j"}.get(head, head)
    if not head.isalpha():
        return text
    return unicodedata.normalize("NFC", head + accent) + text[1:]


def _past_group(value: str, position: int) -> int:
    """Behind the short brace group that opens at `position`, or `position` when none does."""
    depth = 0
    for match in _BRACE.finditer(value, position, position + _LONGEST_HIDDEN):
        if depth == 0 and match.start() > position:
            break
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    return position
