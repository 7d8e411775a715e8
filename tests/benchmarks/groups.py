"""How many scorings groups of edits take, and how many edits they decide otherwise than one by one.

Twenty points of which two are bad, before a judge that vetoes every group with a bad member, and
before one that sees of a group no more than the sum of its gains, with noise.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from reviser.revise.batch import certify_group
from reviser.revise.verdict import Outcome
from tests.benchmarks.bars import Bar, at_most
from tests.unit.revise.judged_group import Judging, edits, fast, sections, vetoing

COUNT = 20
GAIN, NOISE = 0.3, 0.1
"""What a good point gains and a bad one loses, and the standard deviation of a scoring."""

PAPER = sections(COUNT)
POINTS = edits(PAPER.manuscript, COUNT)
NAMES = [edit.id for edit in POINTS]


def measure(seeds: int = 1000) -> list[Bar]:
    """The figures of both judges."""
    bars = []
    for size in (20, 8):
        average, apart = vetoed(size, seeds)
        bars += [
            at_most(f"scorings, groups of {size}, a vetoing judge", average, 16, f"{seeds} seeds"),
            at_most(f"edits decided otherwise by groups of {size}, likewise", apart, 0),
        ]
    for size in (20, 8, 4, 1):
        share = disagreement(size, 50)
        name = f"share of edits decided otherwise by groups of {size}"
        bars.append(Bar(name, share, "-", None, "a judge that adds up; 50 seeds"))
    return bars


def vetoed(size: int, seeds: int) -> tuple[float, int]:
    """Scorings on average, that of the unchanged text among them, and how many edits came out
    otherwise than one by one."""
    found = [_vetoed(_bad(seed), size) for seed in range(seeds)]
    return sum(count for count, _ in found) / seeds, sum(apart for _, apart in found)


@lru_cache
def _vetoed(bad: frozenset[str], size: int) -> tuple[int, int]:
    rubric = vetoing(sorted(bad))
    apart = accepted(rubric, size) ^ (frozenset(NAMES) - bad)
    return 1 + len(rubric.asked), len(apart)


def disagreement(size: int, seeds: int) -> float:
    """The share of edits that groups decide otherwise than each one's own scoring did."""
    apart = 0
    for seed in range(seeds):
        bad = _bad(seed)
        gains = {name: -GAIN if name in bad else GAIN for name in NAMES}
        alone = {n for n in NAMES if _adding_up(gains, f"{seed} {n}").word([n]) > 0}
        apart += len(alone ^ accepted(_adding_up(gains, f"{seed}"), size))
    return apart / (seeds * COUNT)


def accepted(rubric: Judging, size: int) -> frozenset[str]:
    """The names of the edits that pass."""
    verdicts, _ = certify_group(fast(PAPER, rubric), PAPER.manuscript, POINTS, size=size)
    return frozenset(v.edit.id for v in verdicts if v.outcome is Outcome.ACCEPTED)


def _bad(seed: int) -> frozenset[str]:
    return frozenset(Random(seed).sample(NAMES, 2))  # noqa: S311


def _adding_up(gains: dict[str, float], seed: str) -> Judging:
    """Grades whole papers: a group must gain more than the noise."""
    random = Random(seed)  # noqa: S311

    def word(names: Sequence[str]) -> float:
        return sum(gains[name] for name in names) + random.gauss(0.0, NOISE) - NOISE

    return Judging(word)
