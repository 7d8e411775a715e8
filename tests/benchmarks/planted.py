"""Good and bad edits planted in a paper, before a judge that wavers as real ones do.

Of forty edits twenty raise dimensions of their passage by .2 to .5, all or one or two of them; of
the others half lower as many, and the rest pad or only restyle. A grade wavers by .15 to .3 from
sample to sample; the judge likes long texts a little, and what stands first in a pair.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.ports import Entailed
from reviser.review.model import Dimension, Grade, Scorecard
from reviser.revise.batch import certify_group
from reviser.revise.gate import Gate
from reviser.revise.judging import Excerpt
from reviser.revise.rubric import prepare
from reviser.revise.verdict import Outcome
from reviser.text.edit import Edit
from tests.benchmarks.bars import Bar, at_least, at_most
from tests.fakes.judges import BETTER, WORSE, SeeingJudge
from tests.unit.revise.judged_paper import edit, long_paper, paragraph_numbers
from tests.unit.revise.small_paper import Paper, evidence

GOOD, BAD = 20, 20
KINDS = ("worse", "padding", "style", "worse")
"""Of bad edits, in turn."""


@dataclass(frozen=True)
class Planted:
    """A paper with its edits, whose names begin with their kinds."""

    paper: Paper
    edits: tuple[Edit, ...]


@cache
def planted() -> Planted:
    """Forty edits, each in a section of its own."""
    paper = long_paper(GOOD + BAD + 1, 2)
    kinds = ["better"] * GOOD + [KINDS[n % len(KINDS)] for n in range(BAD)]
    Random(1).shuffle(kinds)  # noqa: S311
    numbers = paragraph_numbers(paper.manuscript)[2::2]
    made = [
        edit(paper.manuscript, number, kind, f"{kind} {number}")
        for number, kind in zip(numbers, kinds, strict=True)
    ]
    return Planted(paper, tuple(made))


_PLANTED = re.compile(rf"In ({BETTER}|{WORSE}) case (\d+)")


@dataclass
class WaveringJudge(SeeingJudge):
    """Sees what is planted in so many dimensions of a passage as `wide` allows; every dimension's
    grade wavers by as much as was drawn for it."""

    wide: tuple[int, ...] = (5,)

    def truth(self, text: str) -> Mapping[Dimension, float]:
        known = dict(super().truth(_PLANTED.sub(r"In case \2", text)))
        for word, number in _PLANTED.findall(text):
            draw = Random(f"planted {number}")  # noqa: S311
            for dimension in draw.sample(list(Dimension), draw.choice(self.wide)):
                size = draw.uniform(0.2, 0.5)
                known[dimension] += size if word == BETTER else -size
        return known

    def _card(self, excerpt: Excerpt, sample: int) -> Scorecard | Unusable:
        draw = Random(f"{self.seed} {sample} {excerpt.text}")  # noqa: S311
        shared = self.taste(excerpt.text)
        grades = []
        for dimension, value in self.truth(excerpt.text).items():
            wavers = Random(f"{self.seed} {dimension}").uniform(0.15, 0.3)  # noqa: S311
            score = value + shared + draw.gauss(0, wavers)
            grades.append(Grade(dimension, min(5.0, max(1.0, score))))
        return Scorecard(tuple(grades), self.name)


def judge(paper: Manuscript, seed: int, *, wide: tuple[int, ...], vain: float) -> WaveringJudge:
    """A judge as they are; `vain` is what ten finer words in a hundred are worth to it."""
    return WaveringJudge(paper, seed=seed, wordy=0.1, vain=vain, first=0.05, blur=0.1, wide=wide)


@dataclass(frozen=True)
class Shares:
    """Shares of edits that were accepted, and how many judges were not sound."""

    good: float
    bad: float
    unsound: int


def shares(
    seeds: Sequence[int], size: int, *, wide: tuple[int, ...] = (5,), vain: float = 0.0
) -> Shares:
    """What passes a gate of which the rubric is all that counts, over judges by seed."""
    there = planted()
    good = bad = unsound = 0
    for seed in seeds:
        paper = there.paper.manuscript
        rubric = prepare(paper, judge(paper, seed, wide=wide, vain=vain))
        unsound += not rubric.report.sound
        gate = Gate(
            there.paper.reread,
            evidence({}),
            checks=(),
            rubric=rubric,
            grounded=lambda *_: Entailed(1.0, 0.0),
        )
        verdicts, _ = certify_group(gate, paper, there.edits, size=size)
        passed = [v.edit.id for v in verdicts if v.outcome is Outcome.ACCEPTED]
        good += sum(name.startswith("better") for name in passed)
        bad += sum(not name.startswith("better") for name in passed)
    return Shares(good / (GOOD * len(seeds)), bad / (BAD * len(seeds)), unsound)


def measure(seeds: int = 10) -> list[Bar]:
    """The shares of good and bad edits that pass, one by one and in groups of eight."""
    bars = []
    for size in (1, 8):
        for name, wide, vain in (
            ("all dimensions", (5,), 0.0),
            ("one or two dimensions", (1, 2), 0.0),
            ("all dimensions, a vain judge", (5,), 0.05),
        ):
            found = shares(range(seeds), size, wide=wide, vain=vain)
            what = f"groups of {size}, {name}"
            told = f"{seeds} seeds, {found.unsound} judges not sound"
            bars.append(at_least(f"good edits accepted, {what}", found.good, 0.8, told))
            bars.append(at_most(f"bad edits accepted, {what}", found.bad, 0.05, told))
    return bars
