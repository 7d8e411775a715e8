"""Where the works of a corpus are kept and found again, by words and by meaning: the port."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reviser.errors import ReviserError
from reviser.literature.paper import Paper


class NoIndex(ReviserError):  # noqa: N818 - it names the state of the index
    """The index cannot be used: its server does not answer, or its file cannot be read or made.

    `why` is short and the same for like cases, as in `sources.Silent`.
    """

    def __init__(self, why: str, *, message: str = "", hint: str = "") -> None:
        super().__init__(message or f"the corpus is not there: {why}", hint=hint)
        self.why = why


@dataclass(frozen=True, slots=True)
class Held:
    """A work as the corpus holds it.

    `names` are all identities under which it is known, its own (`paper.identity`) first: a work
    that came from two sources has the names of both. `via` says what brought it ("bibliography",
    "search: graph networks", "zotero.bib"), the first first.
    """

    paper: Paper
    names: tuple[str, ...]
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A work that was found, by its own name (`Held.names[0]`). `score` is a cosine in [-1, 1]
    where it was found by meaning, and a BM25 score where by words: greater is better, and the two
    cannot be compared."""

    name: str
    score: float


class Index(Protocol):
    """Works by name, by title, by words and by meaning. Every method may raise NoIndex.

    It keeps what it is given: that two papers are one work is the caller's to find out
    (`literature.corpus`).
    """

    @property
    def name(self) -> str:
        """As it is printed: its file, or the host of its server."""
        ...

    def put(self, works: Sequence[Held], told: Callable[[int, int], None] | None = None) -> int:
        """Keep these in the place of all that has one of their names, and make them searchable.

        Only texts that are new are embedded: how many is returned, and `told` hears how many of
        them are done. Works that were put together are all there or none is.
        """
        ...

    def forget(self, names: Sequence[str]) -> int:
        """Remove the works with these names; how many there were."""
        ...

    def get(self, names: Sequence[str]) -> Mapping[str, Held]:
        """The works with these names, by the name asked for."""
        ...

    def titled(self, keys: Sequence[str]) -> Mapping[str, tuple[Held, ...]]:
        """The works whose title has one of these keys (`joining.title_key`), by key."""
        ...

    def nearest(self, text: str, most: int) -> Sequence[Hit]:
        """At most so many works, those nearest to the meaning of `text` first."""
        ...

    def matching(self, text: str, most: int) -> Sequence[Hit]:
        """At most so many works that have words of `text` in title or abstract, by BM25."""
        ...

    def all(self) -> Iterator[Held]:
        """Every work, in an order that stays the same while nothing is changed."""
        ...

    def size(self) -> int:
        """How many works there are."""
        ...

    def note(self, name: str) -> str:
        """What was noted under this name, "" for nothing: how far a long job has come."""
        ...

    def keep_note(self, name: str, text: str) -> None:
        """Note this in the place of what was there."""
        ...
