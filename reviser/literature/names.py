"""Surnames as bibliographies and services write them, in forms that can be compared."""

import re
import unicodedata
from functools import lru_cache

from reviser.latex import bibtext
from reviser.literature.paper import Author
from reviser.literature.spelling import distance

SHORTEST_MISSPELLED = 6
"""Letters of a surname from which a wrong letter in it is taken for a slip."""

_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_LAST_GROUP = re.compile(r"(?:^|[\s~])\{([^{}]*[^\W\d_]{2}[^{}]*)\}$")
_SUFFIX = re.compile(r"(?:jr|sr|i{2,3}|iv)\.?", re.IGNORECASE)
_INITIALS = re.compile(r"(?:[A-Z]\.?-?){1,3}")
_ET_AL = re.compile(r"\s+et\.?\s+al\.?$", re.IGNORECASE)
_COLLECTIVE = re.compile(
    r"\b(?:collaborations?|consortium|group|team|network|committee|organi[sz]ation|association"
    r"|society|institute|council|agency|initiative|project|panel|commission|investigators|editors"
    r"|department|ministry|university|center|centre|office|foundation)\b",
    re.IGNORECASE,
)
_OTHERS = frozenset({"others", "et al", "et al.", "et. al.", "and others"})
_PARTICLES = frozenset(
    {
        "de", "da", "di", "del", "della", "dello", "der", "den", "des", "dos", "du", "do", "das",
        "la", "le", "lo", "van", "von", "vom", "zu", "zum", "zur", "ten", "ter", "te", "'t", "af",
        "av", "el", "al", "bin", "ibn", "ben", "y", "e", "i", "und", "of", "d", "l", "dal",
        "dalla", "dei", "degli", "st", "san", "santa",
    }
)  # fmt: skip
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


def name_list(field: str) -> tuple[str, ...]:
    """The names of a BibTeX name list that is in plain text already, "others" left out."""
    names = (name.strip(" ,;~") for name in _split(_SPACES.sub(" ", field).strip()))
    return tuple(name for name in names if name and name.strip(". ").lower() not in _OTHERS)


def author_of(name: str) -> Author:
    """The parts of a name in plain text: "Ada B. van der Byron", "van der Byron, Ada B."; what
    names many people, and a name of one word, is a family name only."""
    name = " ".join(name.split()).strip(" ,;")
    if is_collective(name):
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
    words = _ET_AL.sub("", bare).split()
    if len(words) > 1 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    if len(words) > 1 and words[0][1:].islower():
        # Medicine writes "Siegel RL", with the initials last.
        while len(words) > 1 and _INITIALS.fullmatch(words[-1]):
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


def is_collective(name: str) -> bool:
    """Whether it is the name of an organisation or a collaboration, as far as a word of it says."""
    return bool(_COLLECTIVE.search(name))


@lru_cache(maxsize=20_000)
def agree(one: str, other: str, given: str = "") -> bool | None:
    """Whether two surnames can be of one person, or two names of one organisation; None when they
    are in two scripts that cannot be compared. `given` belongs to `other`: names given first and
    names given last are often swapped."""
    first, second = folded(one), folded(other)
    if not first or not second:
        return None
    if first.isascii() != second.isascii():
        return None
    if _alike(first, second) or _acronym(first, second):
        return True
    swapped = folded(given)
    return len(swapped.replace(" ", "")) > 1 and _alike(first, swapped)


def _alike(one: str, other: str) -> bool:
    first, second = _without_particles(one), _without_particles(other)
    joined = "".join(first), "".join(second)
    spelled = _spelled(joined[0]), _spelled(joined[1])
    if joined[0] == joined[1] or spelled[0] == spelled[1]:
        return True
    # One of two surnames, or a surname that took in an initial: "Devlin J", "García Márquez".
    long_first = {word for word in first if len(word) > 2}
    long_second = {word for word in second if len(word) > 2}
    if long_first and long_second and (long_first <= long_second or long_second <= long_first):
        return min(len(first), len(second)) == 1 or len(long_first & long_second) > 1
    return _misspelt(*joined) or _misspelt(*spelled)


def _misspelt(one: str, other: str) -> bool:
    shortest = min(len(one), len(other))
    if shortest < SHORTEST_MISSPELLED or one[0] != other[0]:
        return False
    return distance(one, other, 2) <= (2 if shortest >= 2 * SHORTEST_MISSPELLED else 1)


def _without_particles(name: str) -> list[str]:
    words = name.split()
    kept = [word for word in words if word not in _PARTICLES]
    # Initials that a reader took for a part of the surname.
    longer = [word for word in kept if len(word) > 1]
    return longer or kept or words


def _spelled(name: str) -> str:
    for doubled, plain in _DOUBLED:
        name = name.replace(doubled, plain)
    for one, other in _SPELLINGS:
        name = name.replace(one, other)
    return re.sub(r"(.)\1", r"\1", name)


def _acronym(one: str, other: str) -> bool:
    """Whether one is made of the first letters of the other's words: WHO."""
    short, long = sorted((one, other), key=len)
    if " " in short or not 2 <= len(short) <= 8:
        return False
    words = long.split()
    every = "".join(word[0] for word in words)
    main = "".join(word[0] for word in words if word not in {"of", "the", "for", "and", "on", "in"})
    return len(words) > 2 and short in {every, main}
