"""Where works are looked up and searched: the ports, and an answer that never came as a value."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Protocol, TypeAlias, runtime_checkable

from reviser.literature.paper import Paper


@dataclass(frozen=True, slots=True)
class Wanted:
    """A work that is looked for, by what a bibliography says of it, in plain text.

    `key` is the citation key. `authors` are surnames as written, "others" left out. `doi` and
    `arxiv` are normalised as in `Paper`; everything may be empty but the key.
    """

    key: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    kind: str = ""
    doi: str = ""
    arxiv: str = ""


@dataclass(frozen=True, slots=True)
class Silent:
    """A source that did not answer. It speaks neither for nor against any work.

    `why` is short and the same for like cases, so that they can be counted: "unreachable",
    "was asked too often", "was not asked: out of time", "needs a key". It follows on the name.
    """

    source: str
    why: str

    def __str__(self) -> str:
        return f"{self.source} {self.why}"


_OF_SEVERAL = (("was ", "were "), ("is ", "are "), ("needs ", "need "), ("sends ", "send "))


def unheard(silent: Iterable[Silent]) -> str:
    """Who did not answer, those with the same reason together, each once: "OpenAlex unreachable;
    Crossref and arXiv were not asked: out of time"."""
    whose: dict[str, dict[str, None]] = {}
    for one in silent:
        whose.setdefault(one.why, {})[one.source] = None
    said = []
    for why, sources in whose.items():
        *names, last = sources
        if names:
            verb = next(((v, p) for v, p in _OF_SEVERAL if why.startswith(v)), ("", ""))
            said.append(f"{', '.join(names)} and {last} {verb[1]}{why.removeprefix(verb[0])}")
        else:
            said.append(f"{last} {why}")
    return "; ".join(said)


Answer: TypeAlias = tuple[Paper, ...] | Silent
"""The works that a source has for one question, none of them checked; or that it was silent."""


class Searchable(Protocol):
    """A service or a corpus that is searched by words or meaning."""

    @property
    def name(self) -> str:
        """As it is printed: "OpenAlex"."""
        ...

    def search(self, query: str, most: int) -> Answer:
        """At most so many works on the matter of `query`, best first. Raises nothing."""
        ...


class Source(Searchable, Protocol):
    """A literature service, or a reader's own collection, in which works are looked up."""

    def by_id(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """What it has under the DOI or arXiv id of each, in their order; () where it has nothing
        or knows no such ids. Asks as few times as it can. Raises nothing."""
        ...

    def by_title(self, wanted: Sequence[Wanted]) -> Sequence[Answer]:
        """Works whose title is like that of each, in their order, for a strict match."""
        ...


@runtime_checkable
class Numbered(Protocol):
    """A source that has works under names of its own, and tells with them what a work cites."""

    @property
    def name(self) -> str:
        """As it is printed."""
        ...

    def by_own_id(self, ids: Sequence[str]) -> Sequence[Answer]:
        """The work under each of these names (`Paper.id`), in their order; () where there is none
        any more. Asks as few times as it can. Raises nothing."""
        ...


_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a text under one heading; the title is "" before the first."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """What is at hand of one cited work beside its bibliography entry.

    `abstract_from` and `full_from` name where they come from ("OpenAlex", "smith2020.pdf").
    `paper` is the work as it was resolved. `why_none` says, where there is neither abstract nor
    full text, why: "OpenAlex unreachable", "not found in OpenAlex, Crossref".
    """

    abstract: str = ""
    abstract_from: str = ""
    sections: tuple[Section, ...] = ()
    full_from: str = ""
    paper: Paper | None = None
    why_none: str = ""

    @property
    def whole(self) -> str:
        """The sections' texts without their titles, a blank line between them: what the offsets of
        passages count in."""
        return _BETWEEN.join(section.text for section in self.sections)

    @property
    def parts(self) -> tuple[tuple[int, Section], ...]:
        """Each section with the offset at which its text begins in `whole`."""
        starts = accumulate((len(s.text) + len(_BETWEEN) for s in self.sections), initial=0)
        return tuple(zip(starts, self.sections, strict=False))


def text_of(words: str, name: str = "") -> Text:
    """A text at hand as a whole, without sections; `name` is its file's."""
    return Text(sections=(Section("", words),), full_from=name)


class FullTexts(Protocol):
    """Where the full text of a work can be had, if its licence lets us read it by machine."""

    def place_of(self, paper: Paper) -> str:
        """Where that is, as it is printed ("arXiv", "example.org"), "" where there is none to be
        had. Asks nobody."""
        ...

    def text(self, paper: Paper) -> tuple[Section, ...] | Silent:
        """Its sections; () where there is none to be had. Raises nothing."""
        ...
