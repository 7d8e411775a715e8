"""Surnames as bibliographies and services write them, in forms that can be compared."""

import re
import unicodedata

from reviser.latex import bibtext
from reviser.literature.paper import Author

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_LAST_GROUP = re.compile(r"(?:^|[\s~])\{([^{}]*[^\W\d_]{2}[^{}]*)\}$")
_SUFFIX = re.compile(r"(?:jr|sr|i{2,3}|iv)\.?", re.IGNORECASE)
_OTHERS = frozenset({"others", "et al", "et al.", "et. al.", "and others"})
_PARTICLES = frozenset(
    {
        "de", "da", "di", "del", "della", "dello", "der", "den", "des", "dos", "du", "do", "das",
        "la", "le", "lo", "van", "von", "vom", "zu", "zum", "zur", "ten", "ter", "te", "'t", "af",
        "av", "el", "al", "bin", "ibn", "ben", "y", "e", "i", "und", "of", "d", "l", "dal",
        "dalla", "dei", "degli", "st", "san", "santa",
    }
)  # fmt: skip
_MANY = re.compile(
    r"\b(?:collaboration|consortium|team|group|project|committee|network|society|institute|"
    r"university|organi[sz]ation|foundation|association|initiative|investigators)\b",
    re.IGNORECASE,
)
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
        "ß": "ss", "ŋ": "ng", "ħ": "h", "ə": "e", "’": "", "'": "", "‘": "", "ʼ": "", "`": "",
    }
)  # fmt: skip
_CYRILLIC = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "e", "ж": "zh", "з": "z",
        "и": "i", "й": "i", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r",
        "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh",
        "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "iu", "я": "ia", "і": "i",
        "ї": "i", "є": "ie", "ґ": "g",
    }
)  # fmt: skip
# The German, Dutch and Scandinavian ways to write a letter that a keyboard lacks.
_DOUBLED = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
# Romanisations of one Slavic ending, and of one sound.
_SPELLINGS = (
    ("off", "ov"), ("eff", "ev"), ("skii", "ski"), ("skiy", "ski"), ("skij", "ski"),
    ("sky", "ski"), ("yi", "i"), ("iy", "i"), ("ij", "i"), ("ya", "ia"), ("yu", "iu"),
    ("ja", "ia"), ("ju", "iu"), ("tch", "ch"), ("tsch", "ch"), ("tj", "ti"), ("ye", "e"),
    ("yo", "e"), ("kh", "h"), ("ks", "x"), ("y", "i"), ("j", "i"), ("w", "v"), ("c", "k"),
)  # fmt: skip


def surnames(field: str) -> tuple[str, ...]:
    """The surnames of a BibTeX name list, in plain text and in order; "others" is left out.

    `field` may hold TeX markup and braces: a name that is wholly in braces is an organisation's
    and is kept whole. Reads any text.
    """
    found: list[str] = []
    for name in _split(_SPACES.sub(" ", field).strip()):
        bare = name.strip(" ,;~")
        if bibtext.plain(bare).strip(". ").lower() not in _OTHERS:
            found.append(_surname(bare))
    return tuple(name for name in found if name)


def author_of(name: str) -> Author:
    """The parts of a name in plain text: "Ada B. van der Byron", "van der Byron, Ada B."; what
    names many people, and a name of one word, is a family name only."""
    name = " ".join(name.split()).strip(" ,;")
    if _MANY.search(name):
        return Author(name)
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and not _SUFFIX.fullmatch(given):
        return Author(family, given) if family else Author(given)
    words = family.split()
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    start = _family_start(words)
    return Author(" ".join(words[start:]), " ".join(words[:start]))


def _split(field: str) -> list[str]:
    """The names between the "and"s that stand outside braces."""
    names: list[str] = []
    start = depth = counted = 0
    for match in _AND.finditer(field):
        depth += field.count("{", counted, match.start()) - field.count("}", counted, match.start())
        counted = match.start()
        if depth <= 0:
            names.append(field[start : match.start()])
            start = match.end()
    names.append(field[start:])
    return names


def _surname(name: str) -> str:
    last = _LAST_GROUP.search(name)
    if last is not None and "," not in name:
        # An organisation, or a surname of several words as in Ludwig {van Beethoven}.
        return bibtext.plain(last.group(1))
    bare = bibtext.plain(name)
    if "," in bare:
        return bare.split(",")[0].strip()
    words = bare.split()
    if len(words) > 1 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    return " ".join(words[_family_start(words) :]).rstrip(".")


def _family_start(words: list[str]) -> int:
    """Where the surname begins in a name of these words, its particles among it."""
    start = max(0, len(words) - 1)
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    return start


def folded(name: str) -> str:
    """A name in lower-case ASCII letters where that can be had, its parts apart by one space."""
    lowered = unicodedata.normalize("NFKC", name).casefold().translate(_LETTERS)
    if not lowered.isascii():
        lowered = unicodedata.normalize("NFC", lowered).translate(_CYRILLIC)
        split = unicodedata.normalize("NFKD", lowered)
        lowered = "".join(c for c in split if not unicodedata.combining(c))
    return _SPACES.sub(" ", re.sub(r"[\W_]+", " ", lowered)).strip()
