"""Show on one line of the terminal what is being done."""

import os
import sys
import time
from typing import ClassVar, TextIO

from reviser.ports import Progress


class Ticker:
    """A `Progress` on one line of the terminal, at most ten times a second, gone at the end."""

    standing: ClassVar["Ticker | None"] = None
    """The one whose line is not cleared yet."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = 0.0

    def step(self, what: str, done: int, total: int) -> None:
        """Show `done` of `total`; a step of one part is only named, and the last part clears."""
        now = time.monotonic()
        if 0 < done < total and now < self._next:
            return
        self._next = now + 0.1
        shown = "" if done >= total else f"{what} ..." if total == 1 else f"{what}: {done}/{total}"
        self._stream.write(f"\r\x1b[K{shown}")
        self._stream.flush()
        Ticker.standing = self if shown else None

    def clear(self) -> None:
        """Take the line away."""
        self._stream.write("\r\x1b[K")
        self._stream.flush()
        Ticker.standing = None


def clear_line() -> None:
    """Take away what a ticker left standing, before anything else is written: a run that is
    interrupted, or that tells something on its way, comes to no last part."""
    if Ticker.standing is not None:
        Ticker.standing.clear()


def progress() -> Progress | None:
    """A ticker where somebody looks, nothing in a pipe or a log."""
    clever = os.environ.get("TERM") != "dumb"
    return Ticker(sys.stderr) if sys.stderr.isatty() and clever else None
