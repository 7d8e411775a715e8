"""How many of the works that a paper cites have a text to check against, and from whom."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from reviser.literature.sources import Silent, unheard
from reviser.verify.evidence import SOURCE_TEXT, Work

BIBLIOGRAPHY = "the bibliography"
OWN_FILES = "own files"
OPEN_TEXTS = "open-access texts"


@dataclass(frozen=True, slots=True)
class Holdings:
    """Of `cited` works `held` have text; `by` says how many are from whom, most first. `silent`
    are the sources that did not answer, each reason once; `asked` names the services that the
    works were looked up in."""

    cited: int
    held: int
    by: tuple[tuple[str, int], ...] = ()
    silent: tuple[Silent, ...] = ()
    asked: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """All of it, without a capital or a full stop."""
        whose = ", ".join(f"{count} {name}" for name, count in self.by)
        said = f"evidence: {self.held} of {self.cited} cited works have text"
        told = f"{said} ({whose})" if whose else said
        return "; ".join(filter(None, (told, unheard(self.silent))))


def holdings(
    works: Mapping[str, Work],
    cited: Collection[str],
    services: Collection[str] = (),
    silent: Iterable[Silent] = (),
    *,
    places: Collection[str] = (),
    earlier: Mapping[str, str] | None = None,
) -> Holdings:
    """What is held of the `cited` works, by key in lower case. A full text from one of the `places`
    is an open one; any other text that is from none of the `services` is the reader's own.
    `earlier` names who had the text of works whose verdicts are kept, and which may not be at hand
    any more."""
    known = [works[key] for key in cited if key in works]
    read = {key.lower(): name for key, name in (earlier or {}).items()}
    whose = Counter(
        read.get(work.key.lower()) or _whose(work, services, places)
        for work in known
        if work.passages or work.key.lower() in read
    )
    by = sorted(whose.items(), key=lambda pair: (-pair[1], pair[0]))
    return Holdings(
        len(known),
        sum(whose.values()),
        tuple(by),
        tuple(dict.fromkeys(silent)),
        tuple(dict.fromkeys(services)),
    )


def _whose(work: Work, services: Collection[str], places: Collection[str]) -> str:
    first = work.passages[0]
    if first.where == SOURCE_TEXT and first.origin in places:
        return OPEN_TEXTS
    if first.origin in services:
        return first.origin
    return OWN_FILES if first.origin or first.where == SOURCE_TEXT else BIBLIOGRAPHY
