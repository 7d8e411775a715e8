"""What the rubric layer asks of a judge, in the words of this room; see METHODS 8."""

from dataclasses import dataclass
from typing import Literal, Protocol

from reviser.asking import Unusable
from reviser.review.model import Scorecard

Preference = Literal["first", "second", "neither"]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a paper that a judge is shown: LaTeX without what readers do not see, and a digest
    of the rest. It never tells whether it is the old or the new text."""

    text: str
    digest: str


class Judge(Protocol):
    """Grades excerpts blindly: it is never told which text is new."""

    @property
    def name(self) -> str:
        """Model and host, as printed beside every score."""
        ...

    def scores(self, excerpts: "list[tuple[Excerpt, int]]") -> "list[Scorecard | Unusable]":
        """One scorecard for each excerpt and sample number, asked side by side; another number is
        another sample of the same question."""
        ...

    def prefers(self, first: Excerpt, second: Excerpt, sample: int = 0) -> Preference | Unusable:
        """Which of two is the better text, in the order they are shown in; another number is
        another sample of the same question."""
        ...
