"""The gate lets good edits through and keeps bad ones out, before a judge that wavers."""

import pytest

from tests.benchmarks.planted import shares


@pytest.mark.parametrize("size", [1, 8])
def test_most_good_edits_pass_and_few_bad_ones(size: int) -> None:
    found = shares([0], size)
    assert found.unsound == 0
    assert found.good >= 0.8
    assert found.bad <= 0.05
