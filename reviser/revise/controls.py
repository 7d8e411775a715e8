"""Texts that are known to be no better than what they were made from: they put a judge to the test.

Each is made from a real stretch of the paper by rules alone, the same every time. A judge that
does not mind sentences in disorder, lost citations or hollow words, or that likes finer words for
the same thing, cannot tell a better text either.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from reviser.text.source import Span

FEWEST_SENTENCES = 5
"""Of a stretch that can be put in disorder."""
FEWEST_CITATIONS = 2
FEWEST_FINER = 3
"""Words that finer ones stand for."""

HOLLOW = (
    "This point deserves to be kept in mind in what follows.",
    "Such questions are of great importance and have many sides.",
    "It goes without saying that the matter is a complex one.",
    "There is much that could be said about this from several points of view.",
    "Needless to say, these aspects play a central role in the field as a whole.",
    "This is, in many respects, an interesting and relevant observation.",
    "As is well known, progress in this direction has been considerable in recent years.",
    "In sum, what has been described here shows how rich the subject is.",
)
"""Sentences that say nothing, and fit anywhere."""

FINER: Mapping[str, str] = MappingProxyType(
    {
        "aim": "objective", "aims": "objectives", "allow": "enable", "allows": "enables",
        "also": "additionally", "approach": "methodology", "approaches": "methodologies",
        "area": "domain", "areas": "domains", "because": "owing to the fact that",
        "best": "foremost", "better": "superior", "big": "substantial", "choose": "select",
        "clear": "lucid", "common": "prevalent", "complex": "intricate", "different": "distinct",
        "enough": "sufficient", "especially": "particularly", "field": "realm",
        "find": "ascertain", "found": "ascertained", "good": "commendable", "hard": "arduous",
        "help": "facilitate", "helps": "facilitates", "high": "elevated", "idea": "notion",
        "ideas": "notions", "important": "crucial", "improve": "enhance", "improved": "enhanced",
        "improves": "enhances", "improving": "enhancing", "key": "pivotal",
        "large": "considerable", "low": "diminished", "main": "principal",
        "mainly": "predominantly", "many": "numerous", "mostly": "predominantly",
        "need": "necessitate", "new": "novel", "often": "frequently", "only": "solely",
        "part": "component", "parts": "components", "problem": "challenge",
        "problems": "challenges", "propose": "put forward", "provide": "furnish",
        "provides": "furnishes", "quickly": "swiftly", "recent": "contemporary",
        "recently": "lately", "results": "outcomes", "same": "identical",
        "several": "a variety of", "show": "demonstrate", "showed": "demonstrated",
        "shown": "demonstrated", "shows": "demonstrates", "small": "modest", "some": "certain",
        "still": "nonetheless", "strong": "robust", "then": "subsequently",
        "thus": "consequently", "use": "leverage", "used": "leveraged", "uses": "leverages",
        "using": "leveraging", "usually": "typically", "various": "diverse",
        "very": "exceedingly", "way": "manner", "while": "whilst", "whole": "entire",
        "wide": "broad",
    }
)  # fmt: skip
"""Finer words that say no more."""

_WORD = re.compile(r"(?<![^\s(])[a-z]+(?=[\s,.;:)])")
_MOST_FINER = 0.12
"""Of a stretch's words that are put finer: a polish, not a parody."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some running text as a judge is shown it; sentences and citations are spans of `text`."""

    text: str
    sentences: tuple[Span, ...]
    citations: tuple[Span, ...]


def shuffled(stretch: Stretch) -> str | None:
    """Its sentences in another order; None where there are too few."""
    places = stretch.sentences
    if len(places) < FEWEST_SENTENCES:
        return None
    words = [stretch.text[p.start : p.stop] for p in places]
    for turn in range(50):
        order = sorted(range(len(places)), key=lambda n: _hash(f"{turn} {n} {words[n]}"))
        neighbours = sum(later == sooner + 1 for sooner, later in pairwise(order))
        if neighbours * 4 <= len(order):
            return _with(stretch.text, [(p, words[n]) for p, n in zip(places, order, strict=True)])
    return None


def stripped(stretch: Stretch) -> str | None:
    """Without its citations; None where there are too few."""
    if len(stretch.citations) < FEWEST_CITATIONS:
        return None
    changes = []
    for place in stretch.citations:
        start = place.start
        while start and stretch.text[start - 1] in " ~\n\t":
            start -= 1
        changes.append((Span(start, place.stop), ""))
    return _with(stretch.text, changes)


def padded(stretch: Stretch) -> str | None:
    """With a hollow sentence, or an earlier one once more, behind every second sentence."""
    places = stretch.sentences
    if len(places) < FEWEST_SENTENCES:
        return None
    first = int(_hash(stretch.text)[:8], 16)
    changes = []
    for number in range(1, len(places), 2):
        hollow = HOLLOW[(first + number // 2) % len(HOLLOW)]
        if number % 4 == 3:
            again = places[number - 3]
            hollow = stretch.text[again.start : again.stop]
        changes.append((Span(places[number].stop, places[number].stop), f" {hollow}"))
    return _with(stretch.text, changes)


def dressed(stretch: Stretch, turn: int = 0) -> str | None:
    """In finer words that say no more, by turns in others; None where it has too few of them."""
    found = [
        Span(place.start + match.start(), place.start + match.end())
        for place in stretch.sentences
        for match in _WORD.finditer(stretch.text[place.start : place.stop])
        if match[0] in FINER
    ]
    if len(found) < FEWEST_FINER:
        return None
    most = max(FEWEST_FINER, round(_MOST_FINER * len(stretch.text.split())))
    chosen = sorted(sorted(found, key=lambda s: _hash(f"{turn} {s} {stretch.text}"))[:most])
    return _with(stretch.text, [(s, FINER[stretch.text[s.start : s.stop]]) for s in chosen])


WORSE: Mapping[str, Callable[[Stretch], str | None]] = MappingProxyType(
    {"sentences shuffled": shuffled, "citations stripped": stripped, "text padded": padded}
)
"""What a sound judge grades lower, by what was done to the text."""

DRESSED = "words made finer"
"""What a sound judge does not grade higher."""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _with(text: str, changes: Sequence[tuple[Span, str]]) -> str:
    """The text with other words at these places, which do not overlap."""
    pieces: list[str] = []
    cursor = 0
    for place, words in sorted(changes, key=lambda change: change[0]):
        pieces += [text[cursor : place.start], words]
        cursor = place.stop
    return "".join([*pieces, text[cursor:]])
