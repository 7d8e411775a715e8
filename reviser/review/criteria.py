"""The criteria that ship with the program, and which of them are for which kind of paper."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache

from reviser.errors import SettingsError
from reviser.manuscript.model import Manuscript
from reviser.review.about import about
from reviser.review.model import Criterion
from reviser.templates import template_text

SEED = "criteria/seed.toml"
SEED_SOURCE = "seed"
"""Stands in `Criterion.sources` of what was distilled from no review."""
MOST_CRITERIA = 12
"""Criteria that a reviewer is given at most."""


class Kind(StrEnum):
    """What sort of paper it is, as far as its reviewers look at other things (METHODS 11)."""

    SURVEY = "survey"
    BENCHMARK = "benchmark"
    THEORY = "theory"
    METHOD = "method"


_TITLES: Mapping[Kind, re.Pattern[str]] = {
    Kind.SURVEY: re.compile(
        r"\b(?:survey|surveys|overview|(?:literature|systematic|scoping|critical) review|tutorial"
        r"|roadmap|state of the art|taxonomy|a review|review of)\b"
    ),
    Kind.BENCHMARK: re.compile(
        r"\b(?:benchmark|benchmarks|benchmarking|data ?sets?|corpus|corpora|shared task"
        r"|challenge|test suite)\b"
    ),
}
_OF_ITSELF: Mapping[Kind, re.Pattern[str]] = {
    Kind.SURVEY: re.compile(
        r"\b(?:this|the present|our) (?:paper |article |work |chapter )?"
        r"(?:\w+ )?(?:survey|review|overview)s?\b|\bwe (?:\w+ )?(?:survey|review)\b"
    ),
    Kind.BENCHMARK: re.compile(
        r"\b(?:new|novel|introduce|present|release|propose)\w* (?:\w+ ){0,5}"
        r"(?:benchmark|data ?set|corpus)\b"
    ),
}
_STATED = re.compile(
    r"\\begin\s*\{(?:theorem|lemma|proposition|corollary|proof|thm|lem|prop)\*?\}", re.IGNORECASE
)
_ENOUGH_STATED = 4


def kinds_of(manuscript: Manuscript) -> tuple[Kind, ...]:
    """What the paper is by its title, what its abstract says of it, and its theorems; a paper that
    is nothing else is a method."""
    said = about(manuscript)
    title, abstract = said.title.lower(), said.abstract.lower()
    found = [
        kind
        for kind, pattern in _TITLES.items()
        if pattern.search(title) or _OF_ITSELF[kind].search(abstract)
    ]
    stated = sum(
        len(_STATED.findall(manuscript.sources[facts.path].text))
        for facts in manuscript.files
        if facts.role in ("main", "input") and facts.path in manuscript.sources
    )
    if stated >= _ENOUGH_STATED and Kind.SURVEY not in found:
        found.append(Kind.THEORY)
    return tuple(found) or (Kind.METHOD,)


def seeds_for(kinds: Iterable[Kind]) -> tuple[Criterion, ...]:
    """The shipped criteria for papers of these kinds: those for them first, then those for all."""
    wanted = {kind.value for kind in kinds}
    own = [criterion for criterion, only in _seeds() if only & wanted]
    general = [criterion for criterion, only in _seeds() if not only]
    return (*own, *general)[:MOST_CRITERIA]


@cache
def _seeds() -> tuple[tuple[Criterion, frozenset[str]], ...]:
    """The shipped criteria, each with the kinds of paper it is for, none for all."""
    found = []
    for entry in tomllib.loads(template_text(SEED))["criterion"]:
        kinds = frozenset(entry.get("kinds", ()))
        unknown = kinds - {kind.value for kind in Kind}
        if unknown:
            raise SettingsError(f"{SEED}: {entry['name']}: unknown kinds {sorted(unknown)}")
        found.append((Criterion(entry["name"], entry["instruction"], (SEED_SOURCE,)), kinds))
    return tuple(found)
