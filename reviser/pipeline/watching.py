"""Sources that are asked under somebody's eyes: told how far they are, and stopped by Ctrl-C."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeAlias

from reviser.literature.sources import Answer, Silent, Source, Wanted
from reviser.ports import Progress

STOPPED = "was not asked: stopped"
LOOKING = "looking up cited works"
_AT_ONCE = {"id": 100, "title": 8}
"""Works that a source is asked for before it is looked whether to go on."""

_Ask: TypeAlias = Callable[[Sequence[Wanted]], Sequence[Answer]]


@dataclass(eq=False)
class Watch:
    """How far several sources are with `total` works, and whether they go on."""

    total: int
    progress: Progress | None = None
    stopped: bool = False
    _answered: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def begin(self) -> None:
        """Say that nothing is looked up yet."""
        self._tell(0)

    def heard(self, wanted: Sequence[Wanted]) -> None:
        """A source has answered about these works."""
        with self._lock:
            self._answered.update(one.key for one in wanted)
            # The last word is `over`: what one source has answered another may still be asked.
            self._tell(min(len(self._answered), self.total - 1))

    def over(self) -> None:
        """Say that nothing more is asked."""
        self._tell(self.total)

    def _tell(self, done: int) -> None:
        if self.progress is not None and self.total and not self.stopped:
            self.progress.step(LOOKING, done, self.total)


class Watched:
    """A `Source` that asks another one, never twice for the same, and nothing once the watch is
    stopped: what was answered by then is answered again."""

    def __init__(self, source: Source, watch: Watch) -> None:
        self._source = source
        self._watch = watch
        self._known: dict[tuple[str, Wanted], Answer] = {}

    @property
    def name(self) -> str:
        """As it is printed."""
        return self._source.name

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """What the source has under the identifiers."""
        return self._answers("id", wanted, self._source.by_id)

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """What the source has under the titles."""
        return self._answers("title", wanted, self._source.by_title)

    def search(self, query: str, most: int) -> Answer:
        """What the source finds."""
        return self._source.search(query, most)

    def _answers(self, kind: str, wanted: Sequence[Wanted], ask: _Ask) -> Sequence[Answer]:
        new = [one for one in dict.fromkeys(wanted) if (kind, one) not in self._known]
        for start in range(0, len(new), _AT_ONCE[kind]):
            if self._watch.stopped:
                break
            batch = new[start : start + _AT_ONCE[kind]]
            for one, answer in zip(batch, ask(batch), strict=True):
                self._known[kind, one] = answer
            self._watch.heard(batch)
        nothing = Silent(self.name, STOPPED)
        return [self._known.get((kind, one), nothing) for one in wanted]
