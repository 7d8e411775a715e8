"""Words as the checks compare them: folded, lightly stemmed, weighed by how rare they are."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SUFFIXES = (
    "ational", "ization", "isation", "fulness", "ousness", "iveness", "ations", "ators",
    "ation", "ement", "ments", "ating", "ities", "ized", "ised", "izes", "ises", "izing", "ising",
    "ator", "ated", "ates", "ment", "ness", "ally", "able", "ible", "ings", "less", "ical", "ions",
    "ity", "ing", "ive", "ion", "ies", "ed", "es", "ly", "al", "ic", "s", "e",
)  # fmt: skip
_SHORTEST_STEM = 4


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as one string."""
    return frozenset(text.split())


STOPWORDS = word_set(
    """a about above after again against all also although am among an and another any are around as
    at be because been before being below between both but by can cannot could did do does doing
    done down due during each either et few for from further had has have having he her here hers
    him his how however i if in into is it its itself just least less let like many may me might
    more moreover most much must my near neither no nor not now of off often on once one only onto
    or other our ours out over own per quite rather same several shall she should since so some
    such than that the their theirs them then there therefore these they this those though through
    thus to too toward towards under until up upon us use used uses using very via was we well were
    what when where whereas whether which while who whom whose why will with within without would
    yet you your al eg ie etc cf see e.g i.e paper papers work works author authors show shows
    shown present presents presented propose proposes proposed study studies studied recent recently
    approach approaches method methods result results new based fig figure table section eq
    equation first second two three different various found find proposes x"""
)
"""Function words and the words every paper uses of every other: neither tells two works apart."""


def folded(text: str) -> str:
    """Lower case without accents, so that `Müller` and `Muller` are one word."""
    if text.isascii():
        return text.lower()
    split = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in split if not unicodedata.combining(char))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A folded word without its common English ending; never shorter than four letters."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)]
    return word


@lru_cache(maxsize=20_000)
def content_words(text: str) -> tuple[str, ...]:
    """The stems of the words of `text` that carry meaning, in order, repeats kept."""
    words = (match.group() for match in _WORD.finditer(folded(text)))
    return tuple(
        stem(word)
        for word in words
        if word not in STOPWORDS and (len(word) > 1 or not word.isascii()) and not word.isdigit()
    )


@dataclass(frozen=True, slots=True)
class Rarity:
    """How much a word weighs: the logarithm of how few of the documents hold it (IDF)."""

    documents: int
    holding: Mapping[str, int]

    @classmethod
    def of(cls, documents: Iterable[Iterable[str]]) -> "Rarity":
        """Count over documents given as their content words."""
        counts: Counter[str] = Counter()
        total = 0
        for words in documents:
            counts.update(set(words))
            total += 1
        return cls(total, counts)

    def weight(self, word: str) -> float:
        """log((N + 1) / (n + 1/2)), at least 0.1: a word in all of them still counts."""
        return max(0.1, math.log((self.documents + 1) / (self.holding.get(word, 0) + 0.5)))

    def coverage(self, wanted: Iterable[str], given: frozenset[str]) -> float:
        """The share in [0, 1], by weight, of the distinct words `wanted` that `given` holds."""
        return covered(self.weights(wanted), given)

    def weights(self, wanted: Iterable[str]) -> dict[str, float]:
        """The weight of each distinct word."""
        return {word: self.weight(word) for word in wanted}


def coverages(
    weights: Mapping[str, float], documents: int, holders: Mapping[str, Sequence[int]]
) -> tuple[float, ...]:
    """What `covered` gives for each of `documents`, to the last bit, when `holders` are the numbers
    of the documents that hold a word: a document without any of the words costs nothing."""
    total = sum(weights.values())
    held = [0.0] * documents
    for word, weight in weights.items():
        for number in holders.get(word, ()):
            held[number] += weight
    return tuple(weight / total if total else 0.0 for weight in held)


def covered(weights: Mapping[str, float], given: frozenset[str]) -> float:
    """The share in [0, 1] of the weight that `given` holds; 0 when there is none."""
    total = sum(weights.values())
    if total == 0:
        return 0.0
    return sum(weight for word, weight in weights.items() if word in given) / total
