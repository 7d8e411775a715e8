"""Numbers in prose, read with their units, and compared as people round them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELLED = {word: float(value) for value, word in enumerate(_UNITS)} | {
    word: float(20 + 10 * value) for value, word in enumerate(_TENS)
}
_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "millions": 1e6, "thousands": 1e3, "billions": 1e9,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.\-/^_:])(?<!\d,)"
    r"(?P<digits>\d{1,3}(?:[,\u00a0\u2009 ']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?:\s?(?P<scale>[kKMB](?![\w])|bn\b|hundred\b|thousands?\b|millions?\b|billions?\b|trillion\b))?"
    r"(?P<plus>\+)?(?P<percent>\s?%|\s?per\s?cent\b|\s?percent\b|\s?percentage points?\b)?"
    r"(?![\w]|[.\-/:]\d|-[A-Za-z]{1,2}\b)"
)
_WORDS = re.compile(
    # The lookaheads only save time: most words begin no number.
    r"\b(?=[ \-]?[efnostz])(?=" + "|".join(_TENS) + r"|[ \-]?(?:" + "|".join(_UNITS) + r"))"
    r"(?P<tens>" + "|".join(_TENS) + r")?[ \-]?(?P<unit>" + "|".join(_UNITS) + r")?"
    r"(?:[ \-](?P<scale>hundred|thousand|million|billion|trillion))?\b"
    r"(?P<percent>\s+per\s?cent\b)?",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"[\s\-]*([^\W\d_][\w\-]*)(?:\s+([^\W\d_][\w\-]*))?")
_POINTER = re.compile(
    r"(?:sections?|sect?s?\.?|figures?|figs?\.?|tables?|tabs?\.?|equations?|eqs?\.?|chapters?|"
    r"ch\.?|appendix|step|algorithms?|alg\.?|lines?|pages?|pp?\.?|vol\.?|no\.?|version|v\.?|part|"
    r"theorem|lemma|definition|level|type|phase|stage|class|group|item|model|case|nr\.?|§)\s*\(?$",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(r"(?:^|[\s(])\($|[A-Z][A-Za-z]*[\- ]$")
_ROUGHLY = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|over|under|more than|less than|"
    r"some|up to|at least|at most|fewer than|close to|circa|~|≈|>|<|≥|≤)\s*$",
    re.IGNORECASE,
)
ROUGH = 0.10
"""How far "about" and its like may be off."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written, its value (a percentage as its count of hundredths), half the step it
    is rounded to, whether it is a percentage, and the folded words that follow it."""

    text: str
    value: float
    half_step: float
    percent: bool
    following: tuple[str, ...]
    start: int

    def agrees(self, other: "Number") -> bool:
        """Whether the two may be the same quantity: as rounded, and 95% as well as 0.95.

        A fraction is written with its point: "1" counts, and is no 77% rounded.
        """
        slack = max(self.half_step, other.half_step) * 1.001
        if abs(self.value - other.value) <= slack:
            return True
        if self.percent != other.percent:
            mine, theirs = (self, other) if self.percent else (other, self)
            if "." not in theirs.text:
                return False
            return abs(mine.value - 100 * theirs.value) <= max(
                mine.half_step, 100 * theirs.half_step
            )
        return False

    def counts_the_same(self, other: "Number") -> bool:
        """Whether both are percentages, or count the same thing ("185,445 claims")."""
        if self.percent or other.percent:
            return self.percent and other.percent
        return bool(set(self.following) & set(other.following))


@lru_cache(maxsize=2_000)
def numbers(text: str) -> tuple[Number, ...]:
    """The numbers of `text` in order: digits with separators, scales and percent signs, and words
    from ten up. Years, references to parts of a paper, and digits inside names are left out."""
    found = [*_in_digits(text), *_in_words(text)]
    return tuple(sorted(found, key=lambda number: number.start))


def _in_digits(text: str) -> list[Number]:
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        digits, scale = match["digits"], (match["scale"] or "").lower()
        before = text[max(0, match.start() - 24) : match.start()]
        percent = bool(match["percent"])
        plain = re.sub(r"[,\u00a0\u2009 ']", "", digits)
        value = float(plain)
        if _POINTER.search(before) or (_LABEL_BEFORE.search(before) and not percent and not scale):
            continue
        if (
            not scale
            and not percent
            and plain.isdigit()
            and len(digits) == 4
            and 1500 <= value < 2100
        ):
            continue
        times = _SCALES.get(scale, 1.0)
        half = 0.5 * _step(plain) * times
        if _ROUGHLY.search(before) or match["plus"]:
            half = max(half, ROUGH * value * times)
        found.append(
            Number(
                text=match.group().strip(),
                value=value * times,
                half_step=half,
                percent=percent,
                following=_following(text, match.end()),
                start=match.start(),
            )
        )
    return found


def _in_words(text: str) -> list[Number]:
    found: list[Number] = []
    for match in _WORDS.finditer(text):
        if not match.group() or not (match["tens"] or match["unit"]):
            continue
        value = _SPELLED.get((match["tens"] or "").lower(), 0.0)
        value += _SPELLED.get((match["unit"] or "").lower(), 0.0)
        scale = (match["scale"] or "").lower()
        value *= _SCALES.get(scale, 1.0)
        found.append(
            Number(
                text=match.group().strip(),
                value=value,
                half_step=0.5 * _SCALES.get(scale, 1.0) if scale else 0.0,
                percent=bool(match["percent"]),
                following=_following(text, match.end()),
                start=match.start(),
            )
        )
    return found


def _step(digits: str) -> float:
    """The place value of the last digit that is not a rounding zero: 185,000 is given to 1,000."""
    if "." in digits:
        return float(10.0 ** -len(digits.split(".")[1]))
    zeros = len(digits) - len(digits.rstrip("0"))
    return float(10.0 ** min(zeros, len(digits) - 1))


def _following(text: str, stop: int) -> tuple[str, ...]:
    match = _FOLLOWING.match(text, stop)
    if not match:
        return ()
    return tuple(word.lower().rstrip("s") for word in match.groups() if word and len(word) > 2)


def missing(claim: str, evidence: str) -> tuple[Number, ...]:
    """The numbers of `claim` that no number of `evidence` agrees with; small counts are no issue.

    Whole numbers up to ten without a percent sign are ordinary words ("two kinds") and skipped.
    """
    given = numbers(evidence)
    return tuple(
        number
        for number in numbers(claim)
        if (number.percent or number.value > 10 or number.value != int(number.value))
        and not any(number.agrees(other) for other in given)
    )


def conflicting(number: Number, given: Sequence[Number]) -> Number | None:
    """A number that counts the same thing as `number` and differs, when exactly one does."""
    rivals = [other for other in given if number.counts_the_same(other)]
    return rivals[0] if len(rivals) == 1 else None
