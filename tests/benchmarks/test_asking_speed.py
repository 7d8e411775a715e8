"""The bars of asking chat models hold, on a busy machine too: a ratio, and processor time."""

import pytest

from tests.benchmarks import asking


@pytest.mark.benchmark
def test_the_bars_of_asking_hold() -> None:
    for bar in asking.measure():
        assert bar.holds, bar
