"""Descriptions sorted into works, those that were kept before among them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from reviser.literature.index import Held
from reviser.literature.joining import agree, joined, one_work, title_key

Fate: TypeAlias = Literal["new", "more", "known", "odd"]
"""What became of a description: its work is new, it says more of a known one, it says nothing
that was not known, or it has the id of a work with quite another title and was left out."""


@dataclass(slots=True)
class _Work:
    """The descriptions of one work, in the order they came; `kept` are those of before."""

    kept: list[Held] = field(default_factory=list)
    new: list[Held] = field(default_factory=list)

    @property
    def all(self) -> list[Held]:
        return [*self.kept, *self.new]

    @property
    def whole(self) -> Held:
        first, *others = self.all
        return joined(first, others)

    @property
    def changed(self) -> bool:
        return len(self.kept) != 1 or self.whole != self.kept[0]


class Groups:
    """Works by any of their names and by title; see `joining` for what makes them one."""

    def __init__(self, kept: Iterable[Held]) -> None:
        self._named: dict[str, _Work] = {}
        self._titled: dict[str, list[_Work]] = {}
        for held in kept:
            self._enter(_Work(kept=[held]), held)

    def take(self, held: Held) -> Fate:
        """Find the work that a new description is of, and say what it brings."""
        named = _once(self._named[name] for name in held.names if name in self._named)
        if any(not agree(one.paper, held.paper) for work in named for one in work.all):
            return "odd"
        works = named or self._alike(held)[:1]
        if not works:
            self._enter(_Work(new=[held]), held)
            return "new"
        work = self._merged(works)
        before = work.whole
        work.new.append(held)
        self._enter(work, held)
        return "known" if work.whole.paper == before.paper and len(works) == 1 else "more"

    def changed(self) -> tuple[Held, ...]:
        """The works that are not as they were kept, each in one description."""
        return tuple(w.whole for w in _once(self._named.values()) if w.changed)

    def _enter(self, work: _Work, held: Held) -> None:
        for name in held.names:
            self._named[name] = work
        titled = self._titled.setdefault(title_key(held.paper.title), [])
        if not any(other is work for other in titled):
            titled.append(work)

    def _alike(self, held: Held) -> list[_Work]:
        """Works none of whose descriptions speaks against being this one: were one in favour
        enough, a preprint would make one work of two published ones."""
        titled = self._titled.get(title_key(held.paper.title), [])
        return [w for w in titled if all(one_work(h.paper, held.paper) for h in w.all)]

    def _merged(self, works: Sequence[_Work]) -> _Work:
        first, *others = works
        for other in others:
            first.kept += other.kept
            first.new += other.new
            for held in other.all:
                self._enter(first, held)
            for titled in self._titled.values():
                titled[:] = [work for work in titled if work is not other]
        return first


def _once(works: Iterable[_Work]) -> list[_Work]:
    return list({id(work): work for work in works}.values())
