"""What a work offers a section in a few words: its data, its family of methods, its limits.

From its tree where there is one; else by rules from its own sentences, which find less and only
in English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from reviser.latex.orders import gives_orders
from reviser.latex.sentences import split
from reviser.literature.attributes import Leaf, Reading, Tree
from reviser.text.visible import visible

LONGEST = 240
"""Characters of a clue; a longer sentence is cut at a word."""
MOST_OF_A_KIND = 6
"""Clues of one kind that one work gives."""
_READ = 20_000
"""Characters of a text in which rules look."""


class ClueKind(StrEnum):
    """What a clue is about (FIKSurvey 2025, C.1)."""

    DATASET = "dataset"
    BENCHMARK = "benchmark"
    FAMILY = "method family"
    LIMITATION = "limitation"


@dataclass(frozen=True, slots=True)
class Clue:
    """Something a work offers, and its words for it. `noted` tells that a model noted it in a
    tree; else a rule took it from the text."""

    kind: ClueKind
    text: str
    work: str
    quote: str
    noted: bool = False


_NAMED = r"(?:[A-Z][\w+-]*[\w+]|[A-Z]\w*[A-Z0-9]\w*)(?:[ -](?:[A-Z0-9][\w+-]*|of|and)){0,3}"
_DATA = re.compile(
    rf"\b(?:the |our |on |called |named )({_NAMED}) ((?:benchmark )?data ?sets?|corpus|corpora"
    r"|benchmarks?|challenge|collection|test suite)\b"
)
_BENCHMARK = re.compile(r"benchmark|challenge|test suite", re.IGNORECASE)
_HEADS = (
    r"(?:neural networks?|networks?|gaussian process(?:es)?|kriging|regressions?|random forests?"
    r"|support vector machines?|transformers?|auto-?encoders?|language models?|decision trees?"
    r"|reinforcement learning|transfer learning|active learning|deep learning|optimi[sz]ation"
    r"|(?:genetic|evolutionary|greedy|swarm|clustering) algorithms?|inference|simulated annealing"
    r"|response surfaces?|surrogate models?|topic models?|mixture models?|diffusion models?)"
)
_FAMILY = re.compile(rf"\b((?:[A-Za-z][a-z-]{{2,20}} ){{0,2}}{_HEADS})\b", re.IGNORECASE)
_EMPTY = frozenset(
    [
        *(
            "the",
            "a",
            "an",
            "this",
            "that",
            "these",
            "those",
            "our",
            "their",
            "its",
            "new",
            "novel",
        ),
        *(
            "proposed",
            "using",
            "use",
            "uses",
            "used",
            "via",
            "with",
            "for",
            "and",
            "or",
            "of",
            "in",
        ),
        *("on", "by", "to", "from", "based", "such", "both", "each", "various", "several", "many"),
        *("different", "existing", "recent", "efficient", "general", "simple", "we", "can", "are"),
        *("is", "was", "be", "as", "than", "standard", "traditional", "given", "into", "other"),
        *("more", "most", "first", "two", "three", "paper", "method", "methods", "popular"),
        *("powerful", "called", "which", "where", "while", "when", "through", "between", "over"),
        *(
            "under",
            "toward",
            "towards",
            "also",
            "not",
            "any",
            "all",
            "some",
            "have",
            "has",
            "behind",
        ),
        *("present", "presents", "propose", "proposes", "introduce", "apply", "applied", "train"),
        *("trained", "training", "large", "single", "massive", "handle", "handling", "solve"),
        *("solving", "perform", "performing", "state-of-the-art", "state-of-the", "art"),
    ]
)
_BARE = frozenset(
    ("network", "networks", "optimization", "optimisation", "inference", "regression")
)
_PLURAL = re.compile(r"(?:(?<=ss)es|(?<!s)s)\Z")
_LIMITATION = re.compile(
    r"\b(?:limitations?|drawbacks?|shortcomings?|bottlenecks?|suffers? from|fails? to"
    r"|(?:is|are|remains?) (?:limited (?:to|by)|restricted to|an open (?:problem|question)"
    r"|challenging|difficult|unclear|poorly understood)"
    r"|(?:computationally|prohibitively) (?:expensive|costly|intractable|demanding)"
    r"|(?:does|do) not (?:scale|generali[sz]e)|only (?:applicable|valid|applies|works?) )",
    re.IGNORECASE,
)


def clues_of(reading: Reading, tree: Tree | None = None) -> tuple[Clue, ...]:
    """The clues that a work gives, by kinds; those of its tree where it gives any of that kind."""
    noted = list(_of_tree(tree)) if tree is not None else []
    kinds = {clue.kind for clue in noted}
    found = [*noted, *(clue for clue in _of_text(reading) if clue.kind not in kinds)]
    kept: list[Clue] = []
    for kind in ClueKind:
        there: dict[str, Clue] = {}
        for clue in found:
            if clue.kind is kind and not gives_orders(clue.text):
                there.setdefault(folded(clue.text), clue)
        kept += list(there.values())[:MOST_OF_A_KIND]
    return tuple(kept)


def folded(text: str) -> str:
    """What two clues that say the same have in common: words in small letters, without plurals."""
    words = re.findall(r"\w+", text.casefold())
    return " ".join(_PLURAL.sub("", word) if len(word) > 3 else word for word in words)


def _of_tree(tree: Tree) -> Iterator[Clue]:
    def of(kind: ClueKind, leaves: tuple[Leaf, ...]) -> Iterator[Clue]:
        for leaf in leaves:
            yield Clue(kind, _cut(leaf.text), tree.work, leaf.quote, noted=True)

    own = ClueKind.BENCHMARK if tree.kind == "benchmark" else ClueKind.DATASET
    yield from of(own, tree.under("dataset", "name"))
    for leaf in tree.under("experiments", "data"):
        kind = ClueKind.BENCHMARK if _BENCHMARK.search(leaf.text) else ClueKind.DATASET
        yield from of(kind, (leaf,))
    yield from of(ClueKind.FAMILY, tree.under("method", "family"))
    yield from of(ClueKind.FAMILY, tree.under("architecture", "classes"))
    yield from of(ClueKind.LIMITATION, tree.under("discussion", "limitation"))
    yield from of(ClueKind.LIMITATION, tree.under("discussion", "gaps"))


def _of_text(reading: Reading) -> Iterator[Clue]:
    text = visible(reading.text[:_READ])
    for span in split(text):
        sentence = text[span.start : span.stop].strip()
        for match in _DATA.finditer(sentence):
            kind = ClueKind.BENCHMARK if _BENCHMARK.match(match[2]) else ClueKind.DATASET
            yield Clue(kind, match[1], reading.work, _cut(sentence))
        for match in _FAMILY.finditer(sentence):
            family = _family(match[1])
            if family:
                yield Clue(ClueKind.FAMILY, family, reading.work, _cut(sentence))
        if _LIMITATION.search(sentence):
            yield Clue(ClueKind.LIMITATION, _cut(sentence), reading.work, _cut(sentence))


def _family(words: str) -> str:
    """The name of a family out of words that end with one; "" where nothing names it."""
    kept = words.split()
    while kept and kept[0].lower() in _EMPTY:
        kept.pop(0)
    # An empty word in the middle ends the name: "surrogates for global optimization".
    for number in range(len(kept) - 1, -1, -1):
        if kept[number].lower() in _EMPTY:
            kept = kept[number + 1 :]
            break
    return "" if len(kept) < 2 and (not kept or kept[0].lower() in _BARE) else " ".join(kept)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST].rpartition(" ")[0] + " …"
