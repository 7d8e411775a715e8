"""What new words do to a claim, seen before the gate sees it: a reply can then be asked for again.

The gate compares the whole paper read anew; this compares two texts as a writer is shown them, by
the same words and the same order, in a fraction of the time. It accepts nothing.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from reviser.latex.language import detect
from reviser.revise.placeholders import MARK
from reviser.revise.words import charged, numbers, opposite, words
from reviser.verify.numbers import numbers as quantities_in

KINDS = ("number", "negation", "modality", "direction", "quantifier")
"""The kinds of words that carry a claim's truth."""
MOST_COMPARED = 400
"""Words and signs that are compared with one another; the gate compares no more at once."""

_SIGN = re.compile(r"[^\w\s]")
_ESCAPED = "%&#_$"
_QUOTES = re.compile(r"[\"“”„«»]|``|''")
_LATEX = re.compile(r"\\[A-Za-z]+|\\.|[{}]")
_MARKDOWN = re.compile(r"\*\*|(?:^|\s)#{1,6}\s|^\s*[-*]\s")
_ENOUGH_WORDS = 8


class Shift(NamedTuple):
    """A word of a claim that is there only before (`lost`) or only after."""

    kind: str
    words: str
    lost: bool


class _Item(NamedTuple):
    start: int
    kind: str
    words: str


def shifts(before: str, after: str) -> tuple[Shift, ...]:
    """The numbers, negations, modal words, directions and quantifiers that come or go.

    The two are laid over one another in their order, as the gate does it, so words that trade
    places come and go.
    """
    old, new = _items(before), _items(after)
    head = 0
    while head < min(len(old), len(new)) and old[head][1:] == new[head][1:]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail][1:] == new[-1 - tail][1:]:
        tail += 1
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    kept_old, kept_new = _common([o[1:] for o in old], [n[1:] for n in new])
    lost = [o for number, o in enumerate(old) if number not in kept_old]
    gained = [n for number, n in enumerate(new) if number not in kept_new]
    found = [Shift(o.kind, o.words, True) for o in lost if o.kind in KINDS]
    found += [Shift(n.kind, n.words, False) for n in gained if n.kind in KINDS]
    turned = _turned(
        [o.words for o in lost if o.kind == "word"], [n.words for n in gained if n.kind == "word"]
    )
    return (*found, *turned)


def _turned(lost: Sequence[str], gained: Sequence[str]) -> list[Shift]:
    """Words that differ by a negating prefix alone."""
    for new in gained:
        for old in lost:
            if opposite(old, new):
                return [Shift("negation", old, True), Shift("negation", new, False)]
    return []


def carried(text: str) -> tuple[str, ...]:
    """The words of a text that must stay, in their order."""
    return tuple(item.words for item in _items(text) if item.kind in KINDS)


def _items(text: str) -> list[_Item]:
    text = MARK.sub(lambda match: " " * len(match[0]), text)
    found = [_Item(n.start, n.kind, n.words) for n in numbers(text)]
    for word in words(text):
        found.append(_Item(word.start, "word", word.words))
        sort = charged(word.words)
        if sort:
            found.append(_Item(word.start, sort, word.words.lower()))
    found += [_Item(m.start(), "sign", m[0]) for m in _SIGN.finditer(text)]
    return sorted(found)


def _common(
    rows: Sequence[tuple[str, str]], columns: Sequence[tuple[str, str]]
) -> tuple[set[int], set[int]]:
    """What stays in the same order: a longest common subsequence."""
    if len(rows) > MOST_COMPARED or len(columns) > MOST_COMPARED:
        return set(), set()
    best = [[0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i in range(len(rows) - 1, -1, -1):
        for j in range(len(columns) - 1, -1, -1):
            same = rows[i] == columns[j]
            best[i][j] = best[i + 1][j + 1] + 1 if same else max(best[i + 1][j], best[i][j + 1])
    i = j = 0
    kept: tuple[set[int], set[int]] = (set(), set())
    while i < len(rows) and j < len(columns):
        if rows[i] == columns[j]:
            kept[0].add(i)
            kept[1].add(j)
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return kept


def unstated(text: str, given: str) -> tuple[str, ...]:
    """The numbers in digits of a text that do not stand in what is given, nor agree with a number
    there as rounded, or as a fraction."""
    there = {_bare(found.words) for found in numbers(given)}
    quantities = quantities_in(given)
    mine = {number.start: number for number in quantities_in(text)}
    absent = []
    for found in numbers(text):
        number = mine.get(found.start)
        alike = number is not None and any(number.agrees(other) for other in quantities)
        if _bare(found.words) not in there and not alike:
            absent.append(found.words)
    return tuple(absent)


def _bare(words: str) -> str:
    return words.partition(" ")[0].lstrip("+").replace(",", "")


def size(before: str, after: str) -> int:
    """About how many words and signs of one replacement the gate compares."""
    return max(len(_items(before)), len(_items(after)))


def told(found: Sequence[Shift]) -> str:
    """The shifts as a complaint, or ""."""
    lost = [f"'{shift.words}'" for shift in found if shift.lost]
    gained = [f"'{shift.words}'" for shift in found if not shift.lost]
    both = [word for word in dict.fromkeys(lost) if word in gained]
    parts = []
    if both:
        parts.append(f"these words changed their order or place: {', '.join(both[:6])}")
    missing = [word for word in lost if word not in both]
    if missing:
        parts.append(f"these words must stay: {', '.join(missing[:8])}")
    new = [word for word in gained if word not in both]
    if new:
        parts.append(f"these words must not come: {', '.join(new[:8])}")
    return "; ".join(parts)


def unfit(before: str, after: str) -> str:
    """What makes a text unfit to stand for another whatever it means: markup, quotations, signs
    that LaTeX would need a command for, another language. "" when nothing does."""
    bare_before, bare = MARK.sub(" ", before), MARK.sub(" ", after)
    if _LATEX.search(bare) and Counter(_LATEX.findall(bare)) - Counter(_LATEX.findall(bare_before)):
        return "it holds LaTeX; write plain words and the given marks"
    if _MARKDOWN.search(bare) and not _MARKDOWN.search(bare_before):
        return "it holds Markdown; write plain words"
    if Counter(_QUOTES.findall(bare)) != Counter(_QUOTES.findall(bare_before)):
        return "it adds or drops quotation marks"
    for sign in (*_ESCAPED, "~", "^"):
        if bare.count(sign) != bare_before.count(sign):
            return f"the sign {sign} comes or goes; put it in words, or leave it as it was"
    return foreign(bare)


def foreign(text: str) -> str:
    """Whether a text is in another language than English, in which alone words are compared."""
    language = detect(text)
    if len(text.split()) >= _ENOUGH_WORDS and language not in {"en", ""}:
        return "it is not in English"
    return ""
