"""Several things that wait for the network, done side by side; Ctrl-C ends them at once."""

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Generic

from reviser.ports import Item, Result


class Threads:
    """`Workers` with up to `count` threads. They are daemons: a process that is told to end does
    not wait for what a server may never answer."""

    def __init__(self, count: int) -> None:
        self._count = max(1, count)

    def each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Result]:
        """`work` of every item, in their order; `told` hears, here, how many are done. The first
        error of an item is raised as soon as it comes, and nothing more is begun."""
        desk = _Desk(work, items)
        for _ in range(min(self._count, len(items))):
            Thread(target=desk.serve, daemon=True).start()
        try:
            return desk.results(told)
        finally:
            desk.close()


class _Desk(Generic[Item, Result]):
    """One list of items, given out one at a time."""

    def __init__(self, work: Callable[[Item], Result], items: Sequence[Item]) -> None:
        self._work = work
        self._items = items
        self._next = 0
        self._lock = Lock()
        self._done: SimpleQueue[tuple[int, Result | None, BaseException | None]] = SimpleQueue()

    def serve(self) -> None:
        """Work until there is nothing left."""
        while (number := self._taken()) is not None:
            try:
                result = self._work(self._items[number])
            except BaseException as error:
                self._done.put((number, None, error))
            else:
                self._done.put((number, result, None))

    def results(self, told: Callable[[int], None] | None) -> list[Result]:
        """Wait for all of them."""
        found: dict[int, Result] = {}
        for done in range(1, len(self._items) + 1):
            number, result, error = self._done.get()
            if error is not None:
                raise error
            found[number] = result  # type: ignore[assignment]  # there is one where no error is
            if told is not None:
                told(done)
        return [found[number] for number in range(len(self._items))]

    def close(self) -> None:
        """Begin nothing more."""
        with self._lock:
            self._next = len(self._items)

    def _taken(self) -> int | None:
        with self._lock:
            if self._next >= len(self._items):
                return None
            self._next += 1
            return self._next - 1
