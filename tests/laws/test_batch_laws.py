"""Groups against one by one: the same edits where the judge vetoes, and at what cost; how many
others where it only adds up."""

import pytest

from tests.benchmarks.groups import disagreement, vetoed


@pytest.mark.parametrize(("size", "most"), [(20, 15.0), (8, 13.0)])
def test_the_same_edits_as_one_by_one_for_fewer_scorings(size: int, most: float) -> None:
    average, apart = vetoed(size, 1000)
    assert apart == 0
    assert average <= most < 16


def test_a_judge_that_adds_up_hides_a_loss_behind_a_gain() -> None:
    alone, few, many = (disagreement(size, 25) for size in (1, 4, 20))
    assert alone < 0.07, "noise alone"
    assert alone < few <= many + 0.02
    assert 0.09 <= many < 0.15, "in a large group the bad ones come along"
