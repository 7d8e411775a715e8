"""The hub cycle: look for evidence with the draft in hand, draft again with what was found.

SGMC 3.2 and METHODS 10: F(t) is located against M(t-1) and M(t) drafted from it, until two drafts
running hardly differ by ROUGE-1 (equation 10) or t reaches its limit. Where what was found is the
same as before, another draft would rest on nothing new, so the cycle ends there too: this is ours.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from reviser.asking import Unusable

Item = TypeVar("Item")
Found = TypeVar("Found")
Draft = TypeVar("Draft")

ENOUGH = 0.9
"""F-measure of ROUGE-1 above which two drafts count as the same; the papers give no figure."""
MOST = 4
"""The largest t; the first draft has t = 0."""

SETTLED = "two drafts running were nearly the same"
NOTHING_NEW = "nothing new was found for another draft"
LIMIT = "the limit of drafts was reached"
ONE = "one draft was asked for"


@dataclass(frozen=True, slots=True)
class Turn(Generic[Item, Found, Draft]):
    """A draft that is due: what it is of, what was found for it, and the draft before, if any."""

    item: Item
    found: Found
    last: Draft | None
    number: int


@dataclass(frozen=True, slots=True)
class Cycled(Generic[Found, Draft]):
    """The last draft that could be used and what was found for it; why there is none.

    `drafts` counts those that could be used, `stopped` says why no other was asked for.
    """

    draft: Draft | None
    found: Found | None
    drafts: int
    stopped: str


@dataclass(slots=True)
class _State(Generic[Item, Found, Draft]):
    item: Item
    draft: Draft | None = None
    found: Found | None = None
    drafts: int = 0
    stopped: str = ""


def cycle(
    items: Sequence[Item],
    locate: Callable[[Sequence[tuple[Item, Draft | None]]], Sequence[Found]],
    redraft: Callable[[Sequence[Turn[Item, Found, Draft]]], Sequence[Draft | Unusable]],
    words: Callable[[Draft], str],
    *,
    alike: Callable[[str, str], float] | None = None,
    enough: float = ENOUGH,
    most: int = MOST,
    once: Callable[[Item], bool] = lambda _: False,
) -> tuple[Cycled[Found, Draft], ...]:
    """The drafts of all items, which go through the cycle step by step together.

    `locate` and `redraft` are given all items that are still under way and answer in their order.
    `words` is the text of a draft that `alike` (ROUGE-1 by default) compares, in [0, 1]. An item
    for which `once` holds is drafted once. A draft that comes to nothing leaves the one before.
    """
    same = alike or rouge1
    states: list[_State[Item, Found, Draft]] = [_State(item) for item in items]
    for number in range(most + 1):
        waiting = [state for state in states if not state.stopped]
        if not waiting:
            break
        turns = _turns(waiting, locate, number)
        if not turns:
            break
        drafted = redraft([turn for _, turn in turns])
        for (state, turn), draft in zip(turns, drafted, strict=True):
            if isinstance(draft, Unusable):
                state.stopped = draft.why
                if state.draft is None:
                    state.found = turn.found
                continue
            before, state.draft, state.found = state.draft, draft, turn.found
            state.drafts += 1
            if once(state.item):
                state.stopped = ONE
            elif before is not None and same(words(before), words(draft)) > enough:
                state.stopped = SETTLED
    return tuple(Cycled(s.draft, s.found, s.drafts, s.stopped or LIMIT) for s in states)


def _turns(
    waiting: Sequence[_State[Item, Found, Draft]],
    locate: Callable[[Sequence[tuple[Item, Draft | None]]], Sequence[Found]],
    number: int,
) -> list[tuple[_State[Item, Found, Draft], Turn[Item, Found, Draft]]]:
    """The drafts that are due; an item for which nothing new was found stops."""
    found = locate([(state.item, state.draft) for state in waiting])
    turns = []
    for state, new in zip(waiting, found, strict=True):
        if state.drafts and new == state.found:
            state.stopped = NOTHING_NEW
        else:
            turns.append((state, Turn(state.item, new, state.draft, number)))
    return turns


def rouge1(one: str, other: str) -> float:
    """The F-measure of ROUGE-1 between two texts, in [0, 1]; 1 for equal ones."""
    if one == other:
        return 1.0
    return float(_scorer().score(one, other)["rouge1"].fmeasure)


@lru_cache(maxsize=1)
def _scorer() -> Any:
    # Half a second, most of it nltk: only a run that drafts pays for it.
    from rouge_score.rouge_scorer import RougeScorer  # noqa: PLC0415

    return RougeScorer(["rouge1"])
