"""An `Index` in memory, whose meaning is the words that texts share; the slow and simple truth."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from reviser.literature.index import Held, Hit
from reviser.literature.joining import title_key


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


@dataclass
class MemoryIndex:
    held: list[Held] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    puts: list[tuple[Held, ...]] = field(default_factory=list)
    name: str = "memory"

    def put(self, works: Sequence[Held], told: Callable[[int, int], None] | None = None) -> int:
        self.puts.append(tuple(works))
        for one in works:
            self.held = [h for h in self.held if not set(h.names) & set(one.names)]
            self.held.append(one)
        return len(works)

    def forget(self, names: Sequence[str]) -> int:
        before = len(self.held)
        self.held = [h for h in self.held if not set(h.names) & set(names)]
        return before - len(self.held)

    def get(self, names: Sequence[str]) -> Mapping[str, Held]:
        return {name: held for name in names for held in self.held if name in held.names}

    def titled(self, keys: Sequence[str]) -> Mapping[str, tuple[Held, ...]]:
        found = {
            key: tuple(h for h in self.held if title_key(h.paper.title) == key) for key in keys
        }
        return {key: held for key, held in found.items() if held}

    def nearest(self, text: str, most: int) -> Sequence[Hit]:
        return self._by(text, most, lambda asked, has: len(asked & has) / len(asked | has))

    def matching(self, text: str, most: int) -> Sequence[Hit]:
        return self._by(text, most, lambda asked, has: float(len(asked & has)))

    def all(self) -> Iterator[Held]:
        return iter(tuple(self.held))

    def size(self) -> int:
        return len(self.held)

    def note(self, name: str) -> str:
        return self.notes.get(name, "")

    def keep_note(self, name: str, text: str) -> None:
        self.notes[name] = text

    def _by(
        self, text: str, most: int, score: Callable[[set[str], set[str]], float]
    ) -> Sequence[Hit]:
        asked = words(text)
        hits = [
            Hit(held.names[0], score(asked, words(f"{held.paper.title} {held.paper.abstract}")))
            for held in self.held
        ]
        return sorted((h for h in hits if h.score > 0), key=lambda h: -h.score)[:most]
