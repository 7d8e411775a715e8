"""How a bibliography makes its citation keys, and one more key made in the same way.

A scheme is found by taking the keys apart: which stretch is an author, which the year, which words
of the title, and what stands between them.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SEPARATOR = re.compile(r"[:._+/-]{1,2}")
_NUMBERED = re.compile(r"([A-Za-z:._-]{0,12})(\d{1,4})")
_NOT_IN_KEY = re.compile(r"[^A-Za-z0-9:._+/-]")
_UNDECOMPOSED = str.maketrans(
    {"ß": "ss", "æ": "ae", "ø": "o", "å": "a", "œ": "oe", "ł": "l", "đ": "d", "ı": "i", "þ": "th"}
)
_SMALL_WORDS = (
    "a an the on of in for to and with from by at as is are be or via how what why "
    "do does can un une le la les der die das ein eine zur zum über el los las"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_LONGEST = 60
"""Characters of a key; a surname or a first word is seldom longer than a third of it."""
_FEWEST = 3
"""Entries that must agree before a scheme is taken for the file's own."""
_LEAST = 0.3
"""The share of the keys that must follow it."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a key is made of: surnames, a year in four digits or "", and a title, in plain text."""

    surnames: tuple[str, ...]
    year: str
    title: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """The parts of a key in order. A part is a form's name ("author", "Author", "authors", "lead"
    for the first word of a surname, "initials", "year", "yy", "word", "Word", "Words", "system" …)
    or a separator as written; "#" stands for a running number, which goes on at `following`."""

    parts: tuple[str, ...]
    following: int = 0


DEFAULT = Scheme(("lead", "year", "word"))
"""As Google Scholar makes them: smith2020title."""


def scheme_of(pairs: Sequence[tuple[str, Known]]) -> Scheme:
    """The scheme that most of the keys follow; the default where few agree on one."""
    found: Counter[tuple[str, ...]] = Counter()
    numbers: dict[str, int] = {}
    for key, known in pairs:
        numbered = _NUMBERED.fullmatch(key)
        if numbered is not None and numbered[2] != known.year:
            prefix = numbered[1]
            found[prefix, "#"] += 1
            numbers[prefix] = max(numbers.get(prefix, 0), int(numbered[2]))
        for parts in dict.fromkeys(_taken_apart(key, known)):
            found[parts] += 1
    if not found:
        return DEFAULT
    # Of schemes that explain as many keys, the one with more parts says more, and the plainer form
    # of a part goes further.
    parts, agreeing = max(found.items(), key=lambda one: (one[1], len(one[0]), _plainness(one[0])))
    if agreeing < min(_FEWEST, len(pairs)) or agreeing < _LEAST * len(pairs):
        return DEFAULT
    return Scheme(parts, numbers[parts[0]] + 1 if parts[1:] == ("#",) else 0)


def key_for(known: Known, scheme: Scheme, taken: Collection[str]) -> str:
    """A key for a work that no key of `taken`, which is in lower case, is equal to but for case."""
    if scheme.parts[1:] == ("#",):
        numbers = (f"{scheme.parts[0]}{number}" for number in count(scheme.following))
        return next(key for key in numbers if key.lower() not in taken)
    forms = _forms(known)
    made = "".join(
        forms.get(part, part if _SEPARATOR.fullmatch(part) else "") for part in scheme.parts
    )
    if not re.search(r"[A-Za-z0-9]", made):
        made = "".join(_forms(known).get(part, "") for part in DEFAULT.parts) or "work"
    key = _NOT_IN_KEY.sub("", made).strip(":._+/-")[:_LONGEST] or "work"
    letters = (chr(code) for code in range(ord("a"), ord("z") + 1))
    tails = (f"{'-' if key[-1].isalpha() else ''}{letter}" for letter in letters)
    for tail in ("", *tails):
        if (key + tail).lower() not in taken:
            return key + tail
    return next(f"{key}-{n}" for n in count(2) if f"{key}-{n}".lower() not in taken)


def _plainness(parts: tuple[str, ...]) -> tuple[int, ...]:
    forms = list(_GROUP)
    return tuple(-forms.index(part) if part in _GROUP else 0 for part in parts)


def _taken_apart(key: str, known: Known) -> Iterator[tuple[str, ...]]:
    """The schemes that make just this key, a last letter that sets equals apart left out."""
    forms = _forms(known)
    yield from _parsed(key, forms, ())
    if len(key) > 4 and key[-1].isalpha() and key[-2].isdigit():
        yield from _parsed(key[:-1], forms, ())


def _parsed(rest: str, forms: dict[str, str], parts: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not rest:
        yield parts
        return
    last = parts[-1] if parts else ""
    if parts and last in forms:
        mark = _SEPARATOR.match(rest)
        if mark is not None and mark.end() < len(rest):
            yield from _parsed(rest[mark.end() :], forms, (*parts, mark[0]))
    used = {_GROUP[part] for part in parts if part in _GROUP}
    for form, said in forms.items():
        if said and _GROUP[form] not in used and rest.startswith(said):
            yield from _parsed(rest[len(said) :], forms, (*parts, form))


_GROUP = {
    "author": "a", "Author": "a", "lead": "a", "Lead": "a", "AUTHOR": "a", "authors": "a",
    "Authors": "a", "initials": "a", "etal": "a", "EtAl": "a", "year": "y", "yy": "y",
    "word": "t", "Word": "t",
    "first": "t", "First": "t", "Words": "t", "words": "t", "words_": "t", "words-": "t",
    "system": "t", "System": "t", "Title": "t",
}  # fmt: skip


def _forms(known: Known) -> dict[str, str]:
    """What each form says of a work; "" where it says nothing."""
    written = [ascii_of(name) for name in known.surnames]
    lead = next(iter(re.findall(r"[A-Za-z]+", written[0])), "") if written else ""
    names = [re.sub(r"[^A-Za-z]", "", name) for name in written]
    names = [name for name in names if name]
    head = names[0] if names else ""
    others = len(names) > 1
    words = [re.sub(r"[^A-Za-z0-9]", "", ascii_of(word)) for word in _WORD.findall(known.title)]
    words = [word for word in words if word]
    telling = [word for word in words if word.lower() not in _SMALL] or words
    system = _system(known.title)
    cap = [word[:1].upper() + word[1:] for word in telling]
    return {
        "author": head.lower(),
        "Author": head[:1].upper() + head[1:],
        "lead": lead.lower(),
        "Lead": lead[:1].upper() + lead[1:],
        "AUTHOR": head.upper(),
        "authors": "".join(names[:3]).lower() if others else head.lower(),
        "Authors": "".join(name[:1].upper() + name[1:] for name in names[:3]),
        "initials": "".join(name[:1].upper() for name in names[:4]) if others else head[:3],
        "etal": f"{head}etal".lower() if others else head.lower(),
        "EtAl": f"{head}EtAl" if others else head,
        "year": known.year,
        "yy": known.year[-2:],
        "word": telling[0].lower() if telling else "",
        "Word": cap[0] if cap else "",
        "first": words[0].lower() if words else "",
        "First": words[0][:1].upper() + words[0][1:] if words else "",
        "Words": "".join(cap[:3]),
        "words": "".join(telling[:3]).lower(),
        "words_": "_".join(telling[:3]).lower(),
        "words-": "-".join(telling[:3]).lower(),
        "system": system.lower(),
        "System": system,
        "Title": "".join(cap[:6]),
    }  # fmt: skip


def _system(title: str) -> str:
    """The name before a colon, of a system or a data set; else the first telling word."""
    name, colon, _ = title.partition(":")
    short = re.sub(r"[^A-Za-z0-9-]", "", ascii_of(name)) if colon and len(name.split()) == 1 else ""
    if short:
        return short
    words = [word for word in _WORD.findall(title) if word.lower() not in _SMALL]
    return re.sub(r"[^A-Za-z0-9]", "", ascii_of(words[0])) if words else ""


def ascii_of(text: str) -> str:
    """The text in ASCII letters: accents go, and what has no Latin letter goes."""
    apart = unicodedata.normalize("NFKD", text.translate(_UNDECOMPOSED))
    return "".join(char for char in apart if char.isascii())
