"""Reading order: what stands where once every include is followed where it stands."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reviser.latex.elements import Include
from reviser.text.source import Place

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a file that is read without interruption."""

    path: str
    start: int
    stop: int


class ReadingOrder:
    """The stretches of a paper's files in the order in which they are read."""

    def __init__(
        self,
        main: str,
        includes: Mapping[str, Sequence[Include]],
        follows: Mapping[Place, str],
        lengths: Mapping[str, int],
    ) -> None:
        """`includes` are each file's, `follows` says which of them lead on, each file once."""
        self.stretches = _stretches(main, includes, follows, lengths)
        self._starts: dict[str, list[int]] = {}
        self._numbers: dict[str, list[int]] = {}
        for number, stretch in enumerate(self.stretches):
            self._starts.setdefault(stretch.path, []).append(stretch.start)
            self._numbers.setdefault(stretch.path, []).append(number)

    def key(self, place: Place) -> tuple[int, int]:
        """Sorts places by where their beginnings are read; places of other files come last."""
        starts = self._starts.get(place.path)
        if not starts:
            return len(self.stretches), place.span.start
        index = max(bisect_right(starts, place.span.start) - 1, 0)
        return self._numbers[place.path][index], place.span.start

    def merged(self, lists: Iterable[Sequence[T]], at: Callable[[T], Place]) -> tuple[T, ...]:
        """The elements of several files' lists (each ascending) as they are read."""
        by_path = {at(items[0]).path: items for items in lists if items}
        starts = {path: [at(i).span.start for i in items] for path, items in by_path.items()}
        result: list[T] = []
        for stretch in self.stretches:
            if stretch.path in by_path:
                here = starts[stretch.path]
                first = bisect_left(here, stretch.start)
                result += by_path[stretch.path][first : bisect_left(here, stretch.stop)]
        return tuple(result)


def _stretches(
    main: str,
    includes: Mapping[str, Sequence[Include]],
    follows: Mapping[Place, str],
    lengths: Mapping[str, int],
) -> tuple[Stretch, ...]:
    result: list[Stretch] = []
    leading = {
        path: [i.at for i in sorted(items, key=lambda i: i.at) if i.at in follows]
        for path, items in includes.items()
    }
    stack = [(main, 0, 0)]  # a file, how far it was read, and its next include
    while stack:
        path, cursor, number = stack.pop()
        ahead = leading.get(path, ())
        if number < len(ahead):
            stop = max(ahead[number].span.stop, cursor)
            stack.append((path, stop, number + 1))
            stack.append((follows[ahead[number]], 0, 0))
        else:
            stop = lengths[path] + 1  # what is empty may stand at the very end
        result.append(Stretch(path, cursor, stop))
    return tuple(result)
