"""What a whole review run will ask for, told before its first question.

Nobody knows how many points a reviewer will find, so this is an estimate and no bound: the limits
of the purse are. It reckons with the size of the paper and with ordinary figures for the rest.
"""

from dataclasses import dataclass

from reviser.budget import Limits, Price, dollars, tokens_of
from reviser.manuscript.model import Manuscript
from reviser.review.shown import body, shown

POINTS = 20
"""Points of a round that are worked off: the reviews of our trials had 10 to 25."""
DRAFTS = 1.5
"""Drafts of an edit before it changes no more, of at most four."""
DECIDED = 8
"""Points that one question decides on."""
TRIED = 24
"""Passages that the judge grades before it judges anything."""
GRADED = 2
"""Passages graded for each point, old and new text; every second one is compared as well."""
PASSAGE = 550
"""Tokens of a passage with its digest."""
PARAGRAPH = 700
"""Tokens of a paragraph, or a sentence and what stands around it, as a writer is shown it."""
INSTRUCTIONS = 700
"""Tokens of a prompt without its data."""
DIGEST = 800
EVIDENCE = 1_000
REPLY = 300
BLOCK = 3
"""Drafts of a new section or table of a round."""
WORKS = 3_000
"""Tokens of what it is written from."""
TREES = 6
"""Works that a table is filled from, of at most eight, each asked about twice; every third block is
a table."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one part is asked: questions, and tokens in and out."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Load") -> "Load":
        return Load(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the writer and the helper are asked in `rounds` rounds over a paper of `tokens`; with
    none, for one review that nothing is revised for."""

    tokens: int
    rounds: int
    writer: Load
    helper: Load


def forecast(manuscript: Manuscript, *, rounds: int, context: int, blocks: int = 1) -> Forecast:
    """The forecast for a paper read with models that take `context` tokens in all. Without a round
    it is reviewed and graded once, and each point decided; `blocks` are new sections and tables
    that a round may put in."""
    tokens = sum(tokens_of(shown(manuscript, place).text) for _, place in body(manuscript))
    section = min(tokens, max(context // 4, 1), 1_500)
    parts = max(1, -(-tokens // max(context // 2, 1)))
    asked = -(-POINTS // DECIDED)
    reading = _load(2 * parts + 1, tokens * 2 // (2 * parts + 1) + DIGEST, 2 * REPLY)
    decided = _load(asked, 3 * section + DIGEST, DECIDED * REPLY // 2)
    if not rounds:
        graded = _load(parts, tokens // parts + DIGEST, 2 * REPLY)
        return Forecast(tokens, rounds, Load(), reading + graded + decided)
    helper = (
        reading  # review, points
        + decided  # revise or rebut
        + _load(asked, POINTS * 100, 2 * REPLY)  # plan again
        + _load(POINTS, EVIDENCE, REPLY // 2)  # is what is added borne out
        + _load(GRADED * POINTS, PASSAGE, REPLY // 6)
        + _load(POINTS // 2, 2 * PASSAGE, REPLY // 6)
    )
    helper += _load(blocks * 2 * TREES // 3, EVIDENCE, REPLY)
    writer = _load(round(POINTS * DRAFTS), PARAGRAPH, REPLY)
    writer += _load(blocks * BLOCK, WORKS, 4 * REPLY)
    tried = _load(TRIED, PASSAGE, REPLY // 6)
    return Forecast(tokens, rounds, _times(writer, rounds), _times(helper, rounds) + tried)


def _load(calls: int, tokens_in: int, tokens_out: int) -> Load:
    return Load(calls, calls * (INSTRUCTIONS + tokens_in), calls * tokens_out)


def _times(load: Load, rounds: int) -> Load:
    return Load(load.calls * rounds, load.tokens_in * rounds, load.tokens_out * rounds)


@dataclass(frozen=True, slots=True)
class Share:
    """What one model is asked, and its price; None where that is not known."""

    model: str
    load: Load
    price: Price | None

    @property
    def cost(self) -> float | None:
        """In US dollars."""
        if self.price is None:
            return None
        return self.price.of(self.load.tokens_in, self.load.tokens_out)


def told(found: Forecast, shares: tuple[Share, ...], limits: Limits) -> str:
    """The forecast in words, without a capital or a full stop."""
    rounds = f"of {found.rounds} round" + ("" if found.rounds == 1 else "s")
    asked = "; ".join(
        f"{s.model}: {s.load.calls:,} questions, {s.load.tokens_in + s.load.tokens_out:,} tokens, "
        + ("price unknown" if s.cost is None else dollars(s.cost))
        for s in shares
        if s.load.calls
    )
    costs = [s.cost for s in shares]
    priced = None not in costs
    total = sum(cost for cost in costs if cost is not None)
    tokens = sum(s.load.tokens_in + s.load.tokens_out for s in shares)
    calls = sum(s.load.calls for s in shares)
    short = [
        limits.money is not None and priced and total > limits.money,
        limits.tokens is not None and tokens > limits.tokens,
        limits.calls is not None and calls > limits.calls,
    ]
    bounds = limits.said(priced=any(cost is not None for cost in costs))
    over = f"over a paper of about {found.tokens:,} tokens, with {POINTS} points"
    said = (
        f"a review {rounds} {over} a round, would ask {asked}. It ends at {bounds}, with what was "
        "accepted by then"
        if found.rounds
        else f"a review {over}, would ask {asked}. It ends at {bounds}"
    )
    return f"{said}; the estimate is above that" if any(short) else said
