"""The state of the connection to one service within a run: its pace, and whether it answers."""

from collections.abc import Callable
from threading import Lock, Semaphore

FAILURES = 3
"""Failures in a row after which a service is not asked again in the run; lateness counts twice."""
BUSY = 4
"""Times in a row that it may say it was asked too often."""


class Line:
    """One host's pace and health. Safe to share between threads."""

    def __init__(self, pace: float, at_once: int, clock: Callable[[], float]) -> None:
        self.places = Semaphore(at_once)
        self._pace = pace
        self._clock = clock
        self._lock = Lock()
        self._next = 0.0
        self._began: float | None = None
        self._spoke = False
        self._failures = 0
        self._busy = 0
        self._last = ""
        self._why = ""

    @property
    def silent(self) -> str:
        """Why it is not asked again in this run, "" where it is."""
        with self._lock:
            return self._why

    def reserve(self) -> float:
        """Take the next moment at which it may be asked; the seconds until then."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._pace
            if self._began is None:
                self._began = start
            return start - now

    def patience(self, first: float) -> float | None:
        """The seconds that a service which has not said a word yet still has, out of `first`; None
        for one that has."""
        with self._lock:
            if self._spoke or self._began is None:
                return None
            return first - (self._clock() - self._began)

    def hold(self, seconds: float) -> None:
        """It asked to be left alone so long."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)

    def answered(self) -> None:
        """It did what it was asked."""
        with self._lock:
            self._spoke = True
            self._failures = self._busy = 0

    def spoke(self) -> None:
        """It is there, whatever it said."""
        with self._lock:
            self._spoke = True

    def failed(self, why: str, *, counts: int = 1) -> int:
        """It did not; too many such tries in a row silence it. How many there were."""
        with self._lock:
            self._last = why
            self._failures += counts
            if self._failures >= FAILURES:
                self._why = self._why or why
            return self._failures

    def busy(self, why: str) -> int:
        """It was asked too often, which is not its fault; as `failed`."""
        with self._lock:
            self._last = why
            self._busy += 1
            if self._busy >= BUSY:
                self._why = self._why or why
            return self._busy

    def silence(self, why: str = "") -> None:
        """Do not ask it again; the reason is that of the last failure where none is given."""
        with self._lock:
            self._why = self._why or why or self._last or "did not answer in time"


class Meter:
    """How long a run has been asking: the time during which something was under way, however much
    of it at once. What a run does between its questions is not counted."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._lock = Lock()
        self._used = 0.0
        self._since = 0.0
        self._under_way = 0

    def __enter__(self) -> None:
        """Something is asked."""
        with self._lock:
            if not self._under_way:
                self._since = self._clock()
            self._under_way += 1

    def __exit__(self, *_: object) -> None:
        """It is no more."""
        with self._lock:
            self._under_way -= 1
            if not self._under_way:
                self._used += self._clock() - self._since

    @property
    def left(self) -> float:
        """The seconds that are left, 0 or less when there are none."""
        with self._lock:
            running = self._clock() - self._since if self._under_way else 0.0
            return self._seconds - self._used - running
