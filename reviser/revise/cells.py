"""What a cell of a table may say: no more than its quotation does, word by word.

Content words, numbers and the words that carry a claim's truth must stand in the quotation, and a
negation there must not get lost. This is a hard check: no score speaks for a cell.
"""

from collections.abc import Sequence

from reviser.revise.words import charged, numbers, words
from reviser.verify.words import content_words, word_set

LEAST_ROWS = 3
LEAST_FILLED = 0.5
"""The share of a table's cells that must be filled."""
MOST_WORDS = 14
"""Of a cell."""
LEAST_QUOTED = 4
"""Words of a quotation: fewer stand anywhere."""

HEADS = word_set(
    """approach assumption baseline benchmark category data dataset domain evaluation event finding
    focus goal input language limitation material measure method metric model object outcome output
    period place problem purpose question region result sample scale scope setting size source
    strength subject task technique theory tool topic type year comparison compared overview
    timeline history"""
)
"""Words that head columns and captions of any paper's tables."""


def cell_fault(cell: str, quote: str) -> str:
    """What a cell says beyond its quotation, both in plain words, or ""."""
    mine, given = set(content_words(cell)), set(content_words(quote))
    figures = {found.words for found in numbers(cell)}
    absent = figures - {found.words for found in numbers(quote)}
    loaded, there = _charged(cell), _charged(quote)
    denied = {word for kind, word in there - loaded if kind == "negation"}
    unsaid = {word for _, word in loaded - there}
    for wrong, why in (
        (len(cell.split()) > MOST_WORDS, f"it has more than {MOST_WORDS} words"),
        (not mine and not figures, "it says nothing"),
        (len(quote.split()) < LEAST_QUOTED, "its quotation is too short to bear it out"),
        (mine - given, f"its quotation does not have the word {_first(cell, mine - given)!r}"),
        (absent, f"its quotation does not have the number {min(absent, default='')!r}"),
        (unsaid, f"its quotation does not have the word {min(unsaid, default='')!r}"),
        (denied, f"its quotation says {min(denied, default='')!r}, which it leaves out"),
    ):
        if wrong:
            return why
    return ""


def heading_fault(text: str, known: frozenset[str], given: Sequence[str] = ()) -> str:
    """Whether words of a title, a caption or the head of a column stand nowhere at hand: neither in
    the paper (`known` are stems of its words) nor in the `given` texts."""
    there = known.union(*(content_words(one) for one in given))
    for word in text.split():
        stems = content_words(word)
        if any(stem not in there and stem not in _HEAD_STEMS for stem in stems):
            return f"{word!r} stands neither in the paper nor in what is quoted"
    if {found.words for found in numbers(text)} - {
        found.words for one in given for found in numbers(one)
    }:
        return "it has a number that is in none of the texts"
    return ""


def _charged(text: str) -> set[tuple[str, str]]:
    found = ((charged(word.words), word.words.lower()) for word in words(text))
    return {(kind, word) for kind, word in found if kind}


def _first(cell: str, stems: set[str]) -> str:
    return next((word for word in cell.split() if stems.intersection(content_words(word))), "")


_HEAD_STEMS = frozenset(stem for head in HEADS for stem in content_words(head))
