"""Which accepted edits can be committed with one click, and exactly which lines that replaces."""

from dataclasses import dataclass

from reviser.revise.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The head's lines `first` to `last` of `path` (from the repository's top) and what comes in
    their place. `old` and `new` are lines without line ends; no new line deletes the old ones.
    Edits whose lines touch are one suggestion, so that no two suggestions overlap."""

    path: str
    first: int
    last: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def points(self) -> tuple[str, ...]:
        """The fingerprints of the findings that it settles, without repeats."""
        return tuple(dict.fromkeys(p for v in self.verdicts for p in v.edit.answers))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An accepted edit that cannot be a suggestion, and why: a clause for the reader."""

    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """Every accepted edit, in one of the two forms."""

    suggestions: tuple[Suggestion, ...]
    elsewhere: tuple[Elsewhere, ...]
