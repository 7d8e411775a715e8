"""The words of a question that are worth looking for, and what FTS5 is asked with them."""

import re
from collections.abc import Callable

from reviser.verify.words import STOPWORDS

MOST_WORDS = 48
"""Different words of a question, the first ones."""
POSTINGS = 15_000
"""Works scored for a question, over all its words: rare words first, since the others move the
score least and cost most. On 100,000 abstracts and 25 words: 14 ms, where all words take 360."""

_WORD = re.compile(r"[^\W_]+")


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, each once, without those that every text has; all of
    them where nothing else is left."""
    every = dict.fromkeys(_WORD.findall(text.casefold()))
    telling = [
        word for word in every if word not in STOPWORDS and (len(word) > 1 or word.isdigit())
    ]
    return tuple(telling or every)[:MOST_WORDS]


def expression(text: str, works_with: Callable[[str, int], int]) -> str:
    """What FTS5 is asked for a text: any of its words, "" where it has none that a work has.

    `works_with` says in how many works a phrase stands, counting up to a number. Words stand in
    quotation marks and are letters and digits only, so nothing in them can be an operator.
    """
    found = sorted(
        (count, place, phrase)
        for place, phrase in enumerate(f'"{word}"' for word in words_of(text))
        if (count := works_with(phrase, POSTINGS)) > 0
    )
    taken: list[str] = []
    left = POSTINGS
    for count, _, phrase in found:
        if taken and count > left:
            break
        taken.append(phrase)
        left -= count
    return " OR ".join(taken)
