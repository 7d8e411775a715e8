"""Titles in the form they are compared in, and in what two of them differ.

The same title is written in TeX, HTML, MathML or plain text, in British or American spelling, with
its hyphens, accents, capitals and subtitle or without. All that is levelled out here, on both sides
alike; what may tell two works apart (numbers, negations, "Part II", "Erratum") is not.
"""

import html
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache
from itertools import islice

from reviser.latex import bibtext
from reviser.literature.spelling import harmless, normal_words

MOST_CHARACTERS = 600
"""Of a title; what lies behind is not compared."""
MOST_WORDS = 120
"""Of a title whose words are compared one by one: no longer one was ever written."""
FEWEST_OF_A_CUT_TITLE = 5
"""Words that a title which ends in an ellipsis needs to be taken for the head of another."""

_MARKUP = re.compile(r"[\\${}]")
_TWICE = re.compile(
    r"<(tex-math|annotation(?:-xml)?)\b[^<>]{0,200}>.{0,400}?</\1\s*>", re.IGNORECASE | re.DOTALL
)
_INLINE = re.compile(
    r"</?(?:sub|sup|su[bp]erscript|i|b|em|strong|italic|bold|sc|scp|small|span|u|tt|inf|"
    r"(?:mml:|jats:)?m[a-z]{1,10}|jats:[a-z-]{1,20})(?:\s[^<>]{0,300})?/?>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-z][\w:.-]{0,30}(?:\s[^<>]{0,300})?/?>", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\u202a-\u202e™®©℠]")
_STAMP = re.compile(
    r"^\W*(?:retracted|withdrawn|removed)(?:\s+(?:article|paper|chapter|publication))?\s*[:：—–-]\s*"
    r"|\s*[\[(]\s*(?:retracted|withdrawn)(?:\s+(?:article|paper|in:[^()\[\]]{0,80}))?\s*[\])]\W*$",
    re.IGNORECASE,
)
_VERSION = re.compile(
    r"\s*[\[(](?:(?:extended|full|long|preliminary|arxiv|preprint|revised) version|preprint|online"
    r"|full paper|technical report)[\])]\W*$",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"\s*[:：]\s+|\s+[:：]\s*|\s*[;；—]\s*|\s+[-–−~]\s+|\s*-{2,3}\s*|(?<=[^\W\d_]{3})[.]\s+"
    r"|[?!？！][\"'”’»]*\s+|\s+[(\[](?=[^()\[\]]*[)\]]\W*$)|[:：](?=[^\W\d])|\s*\|\s*|\s+//\s+|:$"
)
_CUT_OFF = re.compile(r"(?:…|\.\.\.)\s*$")
_STAR = re.compile(r"(?<![^\W_])([a-z])\s?[*∗⋆★](?=\W|$)")
_MEANT = (
    ("≠", " not equal "), ("∄", " no "), ("¬", " not "), ("=", " equals "), ("&", " and "),
    ("+", " plus "), ("%", " percent "), ("×", "x"), ("∞", " infinity "), ("→", " to "),
    ("<", " less "), (">", " greater "), ("ⅰ", "i"), ("@", " at "), ("'", ""), ("’", ""),
    ("‘", ""), ("ʼ", ""), ("`", ""), ("´", ""),
)  # fmt: skip
_SHARP = re.compile(r"(?<=\b[a-z])#|♯")
_WORD = re.compile(r"[^\W_]+")
_GREEK = str.maketrans(
    {
        "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
        "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
        "ξ": "xi", "ο": "o", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
        "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "ϕ": "phi",
        "ϵ": "epsilon", "ϑ": "theta",
    }
)  # fmt: skip
_LETTERS = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
        "ħ": "h", "ß": "ss", "∂": "d", "ℏ": "h",
    }
)  # fmt: skip


class Kinship(StrEnum):
    """How two titles are related, from the surest to none."""

    SAME = "the same title"
    SPELLING = "the same title but for its spelling"
    SUBTITLE = "the same title, one without its subtitle"
    HEADLESS = "the same title, one without the name before its colon"
    OTHER = "another title"


@dataclass(frozen=True, slots=True)
class Title:
    """`parts` are the folded words of each part of a title, as colons, dashes and full stops part
    it; `cut_off` tells that it ends in an ellipsis."""

    parts: tuple[tuple[str, ...], ...]
    cut_off: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(word for part in self.parts for word in part)

    @property
    def joined(self) -> str:
        """The words without blanks, so that a hyphen or a blank makes no difference."""
        return "".join(self.words)


@dataclass(frozen=True, slots=True)
class Likeness:
    """`ratio` in [0, 1] is twice the letters in common by all letters; `kinship` is what it takes
    to call titles the same. `apart` are the words in which they differ, of both; `slips` how many
    harmless differences of spelling there are, and `common` the words of the part that both have.
    """

    ratio: float
    kinship: Kinship
    apart: tuple[str, ...] = ()
    slips: int = 0
    common: tuple[str, ...] = ()


def stamp(title: str) -> str:
    """What a publisher has stamped on the title, as the kind of a notice: "retraction",
    "withdrawal", or ""."""
    found = _STAMP.search(title[:MOST_CHARACTERS])
    if found is None:
        return ""
    return "retraction" if "retracted" in found.group().lower() else "withdrawal"


def unstamped(title: str) -> str:
    """The title without such a stamp."""
    return _STAMP.sub("", title).strip() if len(title) <= MOST_CHARACTERS else title


@lru_cache(maxsize=20_000)
def folded_title(text: str) -> Title:
    """A title as it is compared. Reads any text."""
    bare = _VERSION.sub("", _STAMP.sub("", _plain(text[: 2 * MOST_CHARACTERS])))
    bare = bare[:MOST_CHARACTERS]
    parts = [words for part in _BREAK.split(bare) if (words := _words(part))]
    normal = iter(normal_words([word for words in parts for word in words]))
    return Title(
        tuple(tuple(islice(normal, len(words))) for words in parts), bool(_CUT_OFF.search(bare))
    )


def _plain(text: str) -> str:
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAG.sub(" ", _INLINE.sub("", _TWICE.sub("", text)))
    if _MARKUP.search(text):
        text = bibtext.plain(text)
    return _INVISIBLE.sub("", text).strip()


def _words(text: str) -> list[str]:
    text = text.replace("≠", " not equal ")
    lowered = unicodedata.normalize("NFKC", text).casefold()
    lowered = _SHARP.sub(" sharp ", _STAR.sub(r"\1 star ", lowered))
    for sign, words in _MEANT:
        lowered = lowered.replace(sign, words)
    if not lowered.isascii():
        split = unicodedata.normalize("NFKD", lowered.translate(_LETTERS))
        lowered = "".join(c for c in split if not "\u0300" <= c <= "\u036f").translate(_GREEK)
        lowered = unicodedata.normalize("NFC", lowered)
    return _WORD.findall(lowered)


def likeness(one: str, other: str) -> Likeness:
    """In what two titles differ. The order of the two makes no difference."""
    first, second = sorted((one, other))
    return _likeness(first, second)


@lru_cache(maxsize=20_000)
def _likeness(one: str, other: str) -> Likeness:
    first, second = folded_title(one), folded_title(other)
    if not first.joined or not second.joined:
        return Likeness(0.0, Kinship.OTHER)
    if first.joined == second.joined:
        return Likeness(1.0, Kinship.SAME, common=_longer(first.words, second.words))
    ratio = _ratio(first.joined, second.joined)
    parted = _parted(first, second) or _parted(second, first)
    if parted is not None:
        kinship, common, apart = parted
        return Likeness(ratio, kinship, apart, 0, common)
    if max(len(first.words), len(second.words)) > MOST_WORDS:
        return Likeness(ratio, Kinship.OTHER)
    apart, slips = _apart(first.words, second.words)
    if slips >= 0:
        return Likeness(ratio, Kinship.SPELLING, apart, slips, _longer(first.words, second.words))
    return Likeness(ratio, Kinship.OTHER, apart)


def _longer(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return max(one, other, key=lambda words: (len(words), words))


def _ratio(one: str, other: str) -> float:
    """Twice the pairs of neighbouring letters in common by all of them (Dice's coefficient)."""
    first, second = _pairs(one), _pairs(other)
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else float(one == other)


def _pairs(text: str) -> Counter[str]:
    return Counter(text[i : i + 2] for i in range(len(text) - 1))


def _parted(whole: Title, part: Title) -> tuple[Kinship, tuple[str, ...], tuple[str, ...]] | None:
    """How `part` is a part of `whole`, with the words in common and those that it lacks."""
    for cut in range(1, len(whole.parts)):
        head = tuple(word for words in whole.parts[:cut] for word in words)
        tail = tuple(word for words in whole.parts[cut:] for word in words)
        if "".join(head) == part.joined:
            return Kinship.SUBTITLE, head, tail
        if "".join(tail) == part.joined:
            return Kinship.HEADLESS, tail, head
    long_enough = len(part.words) >= FEWEST_OF_A_CUT_TITLE
    if part.cut_off and long_enough and whole.joined.startswith(part.joined):
        return Kinship.SUBTITLE, part.words, ()
    return None


def _apart(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The words in which two titles differ, and how many slips make up for all of it, -1 where
    none do."""
    apart: list[str] = []
    slips = 0
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        run, instead = one[a:b], other[c:d]
        more = harmless(run, instead)
        if more:
            apart += [*run, *instead]
        slips = -1 if more < 0 or slips < 0 else slips + more
    return tuple(apart), slips


def joined(text: str) -> str:
    """The words of any text, folded as a title's are and written without blanks, to look for a
    title's `joined` in it."""
    return "".join(normal_words(_words(_plain(text))))
