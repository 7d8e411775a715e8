"""Work done side by side, in order, and given up at the first error."""

import threading
import time

import pytest

from reviser.adapters.workers import Threads


def test_results_come_in_the_order_of_the_items() -> None:
    told: list[int] = []
    found = Threads(4).each(lambda n: (time.sleep(0.01 * (5 - n)), n)[1], range(5), told.append)
    assert found == [0, 1, 2, 3, 4]
    assert told == [1, 2, 3, 4, 5]


def test_nothing_to_do() -> None:
    assert Threads(4).each(str, []) == []


def test_no_more_threads_than_were_allowed() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1

    Threads(3).each(work, range(20))
    assert most == 3


def test_the_first_error_is_raised_at_once_and_nothing_more_is_begun() -> None:
    begun: list[int] = []
    release = threading.Event()

    def work(number: int) -> None:
        begun.append(number)
        if number == 0:
            raise ValueError("first")
        release.wait(5)

    started = time.monotonic()
    with pytest.raises(ValueError, match="first"):
        Threads(2).each(work, range(50))
    assert time.monotonic() - started < 2
    release.set()
    time.sleep(0.05)
    assert len(begun) <= 3


def test_an_interruption_does_not_wait_for_what_is_under_way() -> None:
    release = threading.Event()

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Threads(2).each(lambda n: release.wait(5) if n else None, range(4), interrupted)
    assert time.monotonic() - started < 2
    release.set()
