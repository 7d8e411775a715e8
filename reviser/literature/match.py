"""Whether a work that a source describes is the work that a bibliography entry means."""

import re
from dataclasses import dataclass
from enum import StrEnum

from reviser.literature.names import folded
from reviser.literature.paper import Paper
from reviser.literature.sources import Wanted

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Figures:
    """What a match rests on. `title` is the likeness of the titles in [0, 1]; `years` how many
    years they are apart and `first_author` whether the surnames agree, None where one lacks it."""

    title: float = 0.0
    years: int | None = None
    first_author: bool | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Whether two descriptions are of one work, and why, as a clause for a reader."""

    accepted: bool
    why: str
    figures: Figures = Figures()


class Standing(StrEnum):
    """What a work found under an entry's identifier is to the entry."""

    SAME = "the work that is meant"
    UNSURE = "perhaps the work that is meant"
    OTHER = "another work"


def match(wanted: Wanted, paper: Paper) -> Match:
    """Whether `paper` is the work `wanted`, by title, first author and year; no identifier counts.

    Strict: where it cannot be sure, it refuses.
    """
    same = _words(wanted.title) == _words(paper.title) != []
    years = None
    if wanted.year is not None and paper.year is not None:
        years = abs(wanted.year - paper.year)
    first = None
    if wanted.authors and paper.authors:
        first = folded(wanted.authors[0]) == folded(paper.authors[0].family)
    figures = Figures(float(same), years, first)
    if not same:
        return Match(False, "the titles differ", figures)
    if first is None or not first:
        return Match(False, "the first authors differ", figures)
    if years is None or years > 1:
        return Match(False, "the years differ", figures)
    return Match(True, "same title and first author, year within one", figures)


def standing(wanted: Wanted, paper: Paper) -> Standing:
    """What `paper`, which a source has under the identifier of `wanted`, is to the entry."""
    if not wanted.title or not paper.title or match(wanted, paper).accepted:
        return Standing.SAME
    if _words(wanted.title) == _words(paper.title):
        return Standing.SAME
    return Standing.UNSURE


def _words(title: str) -> list[str]:
    return _WORD.findall(folded(title))
