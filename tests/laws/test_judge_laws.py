"""Laws of the rubric layer, over many seeds: who lies gets nothing accepted, and no tricks pay.

The shares that are allowed are those the layer promises: an edit that says no more than the text
before is accepted in at most one of twenty cases.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from reviser.manuscript.model import Manuscript
from reviser.revise.judging import Judge
from reviser.revise.rubric import Rubric, prepare
from reviser.revise.verdict import Outcome
from reviser.text.edit import Edit, apply
from tests.fakes.judges import SeeingJudge, constant, inverted, lover_of_the_first, random
from tests.unit.revise.judged_paper import edit, long_paper, paragraph_numbers

PAPER = long_paper(6, 8)
TEXT = PAPER.manuscript
NUMBERS = paragraph_numbers(TEXT)
KINDS = ("better", "worse", "nothing", "style", "padding")
SEEDS = range(12)


@cache
def edits() -> Mapping[str, list[tuple[Edit, Manuscript]]]:
    """Six edits of each kind, in six sections, with the texts that they give."""
    made: dict[str, list[tuple[Edit, Manuscript]]] = {}
    for kind in KINDS:
        for number in NUMBERS[2::8]:
            one = edit(TEXT, number, kind)
            made.setdefault(kind, []).append((one, PAPER.reread(apply(TEXT.sources, [one]))))
    return made


def shares(judge: Callable[[int], Judge], seeds: range = SEEDS) -> dict[str, float]:
    """The share of edits accepted, by kind; of them all by unsound judges none."""
    accepted: Counter[str] = Counter()
    for seed in seeds:
        rubric = prepare(TEXT, judge(seed))
        for kind in KINDS:
            for one, after in edits()[kind]:
                said = rubric.weigh(TEXT, after, [one]).outcome
                assert rubric.report.sound or said is Outcome.UNDECIDED
                accepted[kind] += said is Outcome.ACCEPTED
    return {kind: accepted[kind] / len(seeds) / len(edits()[kind]) for kind in KINDS}


def seeing(**faults: float) -> Callable[[int], Judge]:
    return lambda seed: SeeingJudge(TEXT, seed, **faults)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "liar",
    [
        lambda seed: constant(1 + seed % 5),
        lambda seed: inverted(SeeingJudge(TEXT, seed, noise=0.2)),
        lover_of_the_first,
        # Three controls must seem to be noticed by luck: less than one judge in a hundred.
        random,
    ],
    ids=["constant", "inverted", "lover of the first", "random"],
)
def test_who_lies_gets_nothing_accepted(liar: Callable[[int], Judge]) -> None:
    assert shares(liar, range(20)) == dict.fromkeys(KINDS, 0.0)


# As token probabilities make it, as single digits make it, swayed by wording, and partial.
JUDGES = {
    "sure": {"noise": 0.15, "mood": 0.05, "blur": 0.2, "first": 0.1},
    "unsure": {"noise": 0.4, "mood": 0.1, "blur": 0.3, "first": 0.2, "whole": 1},
    "whimsical": {"noise": 0.1, "mood": 0.05, "whim": 0.15, "blur": 0.1, "first": 0.1},
    "wordy": {"noise": 0.15, "mood": 0.05, "wordy": 0.5, "blur": 0.2, "first": 0.1},
    "very wordy": {"noise": 0.15, "mood": 0.05, "wordy": 2.0, "blur": 0.2, "first": 0.1},
    "vain": {"noise": 0.15, "mood": 0.05, "vain": 0.1, "blur": 0.2, "first": 0.1},
    "very vain": {"noise": 0.15, "mood": 0.05, "vain": 0.6, "blur": 0.2, "first": 0.1},
    "partial to the first": {"noise": 0.2, "mood": 0.1, "first": 2.0},
}


@pytest.mark.parametrize("faults", JUDGES.values(), ids=JUDGES.keys())
def test_neither_length_nor_finer_words_nor_chance_pay(faults: Mapping[str, float]) -> None:
    found = shares(seeing(**faults))
    assert found["worse"] == 0
    idle = [found[kind] for kind in ("nothing", "style", "padding")]
    assert sum(idle) / 3 <= 0.05
    # 72 edits of a kind: one in twenty may by chance be one in ten.
    assert max(idle) <= 0.1


def test_good_edits_pass() -> None:
    assert shares(seeing(**JUDGES["sure"]))["better"] >= 0.8


def test_a_group_in_different_passages_fares_as_each_alone() -> None:
    seen = set()
    for seed in SEEDS:
        rubric: Rubric = prepare(TEXT, SeeingJudge(TEXT, seed, noise=0.2, blur=0.2))
        # Half of the groups are good ones only; one bad one in the others.
        kinds = ["better"] * len(edits()["better"])
        kinds[seed % len(kinds)] = ("better", "worse", "better", "nothing")[seed % 4]
        group = [edits()[kind][place][0] for place, kind in enumerate(kinds)]
        alone = [
            rubric.weigh(TEXT, edits()[kind][place][1], [group[place]]).outcome
            for place, kind in enumerate(kinds)
        ]
        after = PAPER.reread(apply(TEXT.sources, group))
        together = rubric.weigh(TEXT, after, group).outcome
        assert (together is Outcome.ACCEPTED) == (set(alone) == {Outcome.ACCEPTED})
        seen.add(together)
    assert {Outcome.ACCEPTED, Outcome.REJECTED} <= seen
