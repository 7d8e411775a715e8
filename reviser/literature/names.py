"""A person's name, given as one text, in two parts."""

import re

from reviser.literature.paper import Author

_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)
_PARTICLES = frozenset(
    {
        *("al", "bin", "da", "das", "de", "del", "della", "den", "der", "des", "di", "dos", "du"),
        *("el", "la", "le", "ten", "ter", "van", "von", "vom", "zu", "zum", "zur", "'t"),
    }
)
_MANY = re.compile(
    r"\b(?:collaboration|consortium|team|group|project|committee|network|society|institute|"
    r"university|organi[sz]ation|foundation|association|initiative|investigators)\b",
    re.IGNORECASE,
)


def author_of(name: str) -> Author:
    """The parts of "Ada B. van der Byron" or "van der Byron, Ada B."; what names many people, and
    a name of one word, is a family name only."""
    name = " ".join(name.split()).strip(" ,;")
    if _MANY.search(name):
        return Author(name)
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and not _SUFFIX.fullmatch(given):
        return Author(family, given) if family else Author(given)
    words = family.split()
    if len(words) > 2 and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    start = len(words) - 1
    while start > 1 and words[start - 1].lower() in _PARTICLES:
        start -= 1
    if start <= 0:
        return Author(" ".join(words))
    return Author(" ".join(words[start:]), " ".join(words[:start]))
