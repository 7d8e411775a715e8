"""TexSoup as a second, independent reader of a small piece of LaTeX; it gives an opinion only.

It shares no code with our own scanner, so one mistake cannot hide on both sides. It never
writes, never sees more than `LONGEST` characters, and whatever it raises means "cannot read".
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from TexSoup import TexSoup
from TexSoup.data import TexNode

# TexSoup is quadratic in commands: these keep its worst input below about a second.
LONGEST = 4000
MOST_COMMANDS = 600
DEEPEST = 80

# What TexSoup was seen to raise on hostile text; a memory or interrupt error is not its opinion.
_ITS_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    RuntimeError,  # RecursionError is one
    StopIteration,
    TypeError,
    ValueError,
)
_KEY_GAP = re.compile(r"%[^\n]*\n?|\s+")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What TexSoup makes of a fragment. `why` is empty when it parses.

    `uses` are the asked-for commands, each with the words of its braces, spaces and comments
    folded away; sorted, since TexSoup's order is not the text's.
    """

    why: str
    uses: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def parses(self) -> bool:
        """Whether TexSoup read the fragment to its end."""
        return not self.why


@lru_cache(maxsize=64)  # the text before an edit is asked about again for the next
def opinion(fragment: str, commands: frozenset[str]) -> Opinion | None:
    """TexSoup's reading of `fragment`, or None when the fragment is too much for it.

    `commands` are names without backslash, stars included, whose uses are wanted. Never raises.
    """
    if len(fragment) > LONGEST or fragment.count("\\") > MOST_COMMANDS:
        return None
    if _depth(fragment) > DEEPEST:
        return None
    try:
        soup = TexSoup(fragment)
        uses = tuple(sorted(_use(node) for node in _nodes(soup) if node.name in commands))
    except _ITS_ERRORS as error:
        return Opinion(f"{type(error).__name__}: {' '.join(str(error).split())[:120]}")
    return Opinion("", uses)


def _depth(fragment: str) -> int:
    depth = deepest = 0
    for match in re.finditer(r"[{\[]|[}\]]|\\begin|\\end|\\[(\[]", fragment):
        depth += -1 if match[0] in {"}", "]", "\\end"} else 1
        depth = max(depth, 0)
        deepest = max(deepest, depth)
    return deepest


def _nodes(soup: TexNode) -> list[TexNode]:
    return [node for node in soup.descendants if isinstance(node, TexNode)]


def _use(node: TexNode) -> tuple[str, tuple[str, ...]]:
    braces = [str(arg)[1:-1] for arg in node.args if str(arg).startswith("{")]
    return str(node.name), tuple(_KEY_GAP.sub("", words) for words in braces)
