"""A judge behind a memory: each score is asked for once, and what it says is looked at first."""

from collections.abc import Sequence

from reviser.asking import Unusable
from reviser.errors import ReviserError
from reviser.review.model import Dimension, Scorecard
from reviser.revise.judging import Excerpt, Judge

TURNS = 2
"""How often two texts are compared in both orders before one is said to be better."""
OFF_THE_SCALE = "the grades are not one from 1 to 5 for each dimension"


class AskedJudge:
    """Keeps what the judge said in a run. Whatever keeps the judge from answering is `Unusable`."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._kept: dict[tuple[Excerpt, int], Scorecard] = {}
        self._preferred: dict[tuple[Excerpt, Excerpt, int], bool] = {}

    @property
    def name(self) -> str:
        """Model and host."""
        return self._judge.name

    def grade(self, wanted: Sequence[tuple[Excerpt, int]]) -> Unusable | None:
        """Have every excerpt scored in these samples, side by side; the first reason why not."""
        new = [pair for pair in dict.fromkeys(wanted) if pair not in self._kept]
        if not new:
            return None
        try:
            cards = self._judge.scores(new)
        except ReviserError as error:
            return Unusable(str(error))
        wrong: Unusable | None = None
        for pair, card in zip(new, cards, strict=True):
            if isinstance(card, Unusable):
                wrong = wrong or card
            elif not _is_whole(card):
                wrong = wrong or Unusable(OFF_THE_SCALE)
            else:
                self._kept[pair] = card
        return wrong

    def cards(self, excerpt: Excerpt, samples: int) -> list[Scorecard]:
        """The scorecards of the first samples of an excerpt, all of which were asked for."""
        return [self._kept[excerpt, sample] for sample in range(samples)]

    def prefers_both_ways(
        self, better: Excerpt, worse: Excerpt, turns: int = TURNS
    ) -> bool | Unusable:
        """Whether `better` is preferred in either order, every time it is asked.

        The first answer to the contrary ends it.
        """
        asked = (better, worse, turns)
        if asked not in self._preferred:
            said = self._prefers(better, worse, turns)
            if isinstance(said, Unusable):
                return said
            self._preferred[asked] = said
        return self._preferred[asked]

    def _prefers(self, better: Excerpt, worse: Excerpt, turns: int) -> bool | Unusable:
        for sample in range(turns):
            for first, second, wanted in ((worse, better, "second"), (better, worse, "first")):
                try:
                    said = self._judge.prefers(first, second, sample)
                except ReviserError as error:
                    return Unusable(str(error))
                if isinstance(said, Unusable):
                    return said
                if said != wanted:
                    return False
        return True


def _is_whole(card: Scorecard) -> bool:
    return [grade.dimension for grade in card.grades] == list(Dimension) and all(
        1 <= grade.score <= 5 for grade in card.grades
    )
