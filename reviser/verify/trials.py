"""What a search for a better source tried, what it came near, and what it found."""

from collections.abc import Collection
from dataclasses import dataclass

from reviser.literature.paper import Paper
from reviser.text.visible import visible
from reviser.verify.bringing import Brought
from reviser.verify.model import Passage

LONGEST_TITLE = 120
"""Characters of a title that a message quotes."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A work that might be cited instead, and its closest sentence.

    `paper` is what a source says of a work from outside the bibliography, and `brought` the entry
    it would have; both are None for one that is there. `key` is then the entry's.
    """

    key: str
    rank: float
    passage: Passage
    why: str
    paper: Paper | None = None
    brought: Brought | None = None

    @property
    def named(self) -> str:
        """How a reader knows it."""
        if self.paper is None:
            return f"'{self.key}'"
        first = self.paper.authors[0].family if self.paper.authors else ""
        who = f"{first} et al." if len(self.paper.authors) > 1 else first
        title = self.paper.title
        short = title if len(title) <= LONGEST_TITLE else f"{title[:LONGEST_TITLE]}…"
        return visible(f'{who} ({self.paper.year}), "{short}" ({self.paper.identity})')


@dataclass(frozen=True, slots=True)
class Tier:
    """One place behind the bibliography: the windows of works tried, by `Paper.identity`, and the
    nearest few. `silent` says in words that it did not answer, else ""; `left` tells of works that
    were left out, and why."""

    name: str
    windows: tuple[tuple[str, ...], ...] = ()
    shown: tuple[Candidate, ...] = ()
    silent: str = ""
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One search: the windows of keys tried, the nearest few, and the one chosen, if any was.
    `beyond` are the places that were asked after the bibliography, in their order."""

    claim: int
    key: str
    windows: tuple[tuple[str, ...], ...]
    shown: tuple[Candidate, ...]
    chosen: Candidate | None
    beyond: tuple[Tier, ...] = ()

    @property
    def named(self) -> tuple[Candidate, ...]:
        """The candidates that it names."""
        near = tuple(one for tier in self.beyond for one in tier.shown)
        return (*self.shown, *near, *((self.chosen,) if self.chosen is not None else ()))

    @property
    def silent(self) -> tuple[str, ...]:
        """The places that did not answer, and why."""
        return tuple(tier.silent for tier in self.beyond if tier.silent)

    def covers(self, places: Collection[str]) -> bool:
        """Whether asking these places once more could find nothing else."""
        answered = {tier.name for tier in self.beyond if not tier.silent}
        return self.chosen is not None or answered.issuperset(places)

    def advice(self, fixed: str = "") -> str:
        """What to do about the key, in sentences; `fixed` says why its place takes no edit."""
        blocked = f" ({fixed}, so no edit is offered)" if fixed else ""
        if self.chosen is not None and self.chosen.paper is not None:
            source = self.chosen.paper.source
            return f"{self.chosen.named}, found in {source}, fits{blocked}."
        if self.chosen is not None:
            return f"In this bibliography '{self.chosen.key}' fits{blocked}."
        said = []
        if self.shown:
            nearest = ", ".join(candidate.named for candidate in self.shown)
            said.append(f"Nearest in this bibliography, none clearly right: {nearest}.")
        named = {candidate.named for candidate in self.shown}
        for tier in self.beyond:
            # A service has works of the bibliography too.
            new = [one.named for one in tier.shown if one.named not in named]
            if new:
                said.append(f"Nearest in {tier.name}, none clearly right: {'; '.join(new)}.")
            named.update(new)
        asked = " or in ".join(tier.name for tier in self.beyond if not tier.silent)
        if not said:
            places = f"this bibliography or in {asked}" if asked else "this bibliography"
            said.append(f"Nothing in {places} comes near; check the key.")
        if self.silent:
            said.append(f"Not searched: {'; '.join(self.silent)}.")
        return " ".join(said)
