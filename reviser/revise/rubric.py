"""The rubric layer: does a judge that was put to the test grade the text higher after an edit?

Each passage that edits touch is graded by itself, before and after, beside the same digest of the
paper. What a passage gains must exceed what the judge wavers by, after the price of its growth is
taken off. So a group of edits in different passages fares as each would by itself.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reviser.asking import Unusable
from reviser.errors import StaleEdit
from reviser.manuscript.model import Manuscript
from reviser.review.digest import digest
from reviser.review.model import PRESETS, Dimension, Scorecard, Weights
from reviser.revise.asked_judge import AskedJudge
from reviser.revise.evidence import Weighed
from reviser.revise.excerpts import Pair, cut, fits, pairs, runs
from reviser.revise.judging import Excerpt, Judge
from reviser.revise.noise import Noise, Wavering
from reviser.revise.treatment import JudgeReport
from reviser.revise.trial import DIGEST, Trial, put_on_trial
from reviser.revise.verdict import Outcome, Score
from reviser.text.edit import Edit, Purpose, apply

Ties: TypeAlias = Literal["reject", "accept", "pairwise"]
"""What becomes of an edit whose gain lies within the noise."""

GUARD = 2_000
"""Tokens of the digest by which the whole paper is guarded."""

_SCORED = frozenset({Purpose.POINT, Purpose.HUMAN, Purpose.OUTLINE})


@dataclass(frozen=True, slots=True)
class _Graded:
    """A passage before and after, with its scores in the same samples."""

    pair: Pair
    old: Excerpt
    new: Excerpt
    before: list[Scorecard]
    after: list[Scorecard]


@dataclass(frozen=True, slots=True)
class _Word:
    """What is said of passages that hang together; `tie` where comparisons are to decide."""

    outcome: Outcome
    why: str
    tie: bool = False


class Rubric:
    """A judge with what is known of it; it remembers every score that it asked for."""

    def __init__(
        self,
        start: Manuscript,
        judge: AskedJudge,
        trial: Trial,
        *,
        weights: Weights,
        ties: Ties,
        threshold: float | None = None,
    ) -> None:
        self.report: JudgeReport = trial.report
        self._start = start
        self._plan = cut(start)
        self._judge = judge
        self._trial = trial
        self._weights = weights
        self._ties = ties
        self._threshold = threshold
        self._rest: dict[int, str] = {}

    def weigh(self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]) -> Weighed:
        """What the judge says of `edits`, all of `before`, which give `after`.

        Undecided where the judge is not sound or did not answer; it raises nothing.
        """
        noise = self._trial.noise
        if not self.report.sound or noise is None:
            return _undecided(f"{self.report.model} may not judge: {self.report.why}")
        found = self._pairs(before, after, edits)
        if isinstance(found, str):
            return _undecided(found)
        graded = self._graded(before, found)
        if isinstance(graded, Unusable):
            return _undecided(f"{self.report.model}: {graded.why}")
        said = self._said(graded, edits, noise)
        old, new = self._scores(graded, noise)
        if said.outcome is not Outcome.ACCEPTED:
            return Weighed(said.outcome, (said.why,), old, new)
        whole, guarded = self._guarded(before, after, noise)
        reasons = (said.why, whole.why) if whole.outcome is Outcome.ACCEPTED else (whole.why,)
        return Weighed(whole.outcome, reasons, (*old, *guarded[:1]), (*new, *guarded[1:]))

    def _pairs(
        self, before: Manuscript, after: Manuscript, edits: Sequence[Edit]
    ) -> tuple[Pair, ...] | str:
        """The passages before and after, or why they cannot be graded."""
        if not any(edit.purpose in _SCORED for edit in edits):
            return "none of the edits is decided by a rubric"
        try:
            texts = {**before.sources, **apply(before.sources, edits)}
        except StaleEdit as error:
            return str(error)
        if texts.keys() != after.sources.keys() or any(
            source.text != after.sources[path].text for path, source in texts.items()
        ):
            return "the text to be graded is not what the edits give"
        plan = self._plan if fits(self._start, before) else cut(before)
        found = pairs(before, after, edits, runs(before, plan))
        if found is None:
            return "an edit stands in no running text that could be graded"
        if any(pair.hides for pair in found):
            return "the new text holds what no judge may be shown"
        return found

    def _graded(self, before: Manuscript, found: Sequence[Pair]) -> list[_Graded] | Unusable:
        """The passages with their scores; those that read the same afterwards are alike."""
        samples = self.report.samples
        texts = [
            (pair, Excerpt(pair.before, rest), Excerpt(pair.after, rest))
            for pair in found
            for rest in [self._digest(before, pair.section)]
        ]
        unusable = self._judge.grade(
            [
                (excerpt, sample)
                for _, old, new in texts
                if old != new
                for sample in range(samples)
                for excerpt in (old, new)
            ]
        )
        if unusable is not None:
            return unusable
        return [
            _Graded(pair, old, new, cards(old, samples), cards(new, samples))
            for cards in [self._judge.cards]
            for pair, old, new in texts
            if old != new
        ]

    def _digest(self, before: Manuscript, section: int) -> str:
        """The digest of the paper as it was at the start, so that a passage is always graded in
        the same surroundings; of the paper at hand where its sections are others."""
        if len(before.sections) != len(self._start.sections):
            return digest(before, DIGEST, without=[section]).text
        if section not in self._rest:
            self._rest[section] = digest(self._start, DIGEST, without=[section]).text
        return self._rest[section]

    def _said(self, graded: Sequence[_Graded], edits: Sequence[Edit], noise: Noise) -> _Word:
        """The word on all edits: that on each lot of passages that hang together must be good."""
        words: list[tuple[_Word, list[_Graded]]] = []
        for numbers, lot in _lots(graded, edits):
            purposes = {edits[n].purpose for n in numbers} & _SCORED
            words += [(self._word(lot, purpose, noise), lot) for purpose in sorted(purposes)]
        for word, _ in words:
            if word.outcome is Outcome.REJECTED:
                return word
        final: list[_Word] = []
        for word, lot in words:
            final.append(self._break(lot, word.why) if word.tie else word)
            if final[-1].outcome is not Outcome.ACCEPTED:
                return final[-1]
        return _Word(Outcome.ACCEPTED, "; ".join(dict.fromkeys(word.why for word in final)))

    def _word(self, lot: Sequence[_Graded], purpose: Purpose, noise: Noise) -> _Word:
        """What the scores of one lot say of edits with this purpose."""
        if not lot:
            # Whoever wished for it may have it; nothing is gained.
            wished = purpose is Purpose.HUMAN
            outcome = Outcome.ACCEPTED if wished else Outcome.REJECTED
            return _Word(outcome, "a reader sees no difference")
        gain = sum(self._gain(one) for one in lot) / len(lot)
        margin = noise.margin(self.report.samples, len(lot))
        figures = f"{self._where(lot)}: mean {gain:+.2f}, margin {margin:.2f}"
        if purpose is Purpose.HUMAN:
            good = gain >= -margin
        elif purpose is Purpose.OUTLINE:
            level = sum(self._mean(one.after) for one in lot) / len(lot)
            good = gain > 0 or (self._threshold is not None and level >= self._threshold)
        else:
            return self._gained(lot, gain, noise, figures)
        return _Word(Outcome.ACCEPTED if good else Outcome.REJECTED, figures)

    def _gained(self, lot: Sequence[_Graded], gain: float, noise: Noise, figures: str) -> _Word:
        """Whether a lot has really gained: nothing in it fell, and the mean rose by more than the
        noise after the price of its growth was taken off."""
        count = self.report.samples
        for dimension in Dimension:
            fell = sum(_of(one.before, dimension) - _of(one.after, dimension) for one in lot)
            if fell / len(lot) > noise.fall(dimension, count, len(lot)):
                why = f"{figures}; {dimension} fell by {fell / len(lot):.2f}"
                return _Word(Outcome.REJECTED, why)
        least = min(self._gain(one) for one in lot)
        if least < -noise.margin(count):
            return _Word(Outcome.REJECTED, f"{figures}; one passage fell by {-least:.2f}")
        price = self._trial.price * sum(one.pair.growth for one in lot) / len(lot)
        price += max(0.0, noise.vanity)
        if price:
            figures += f", {price:.2f} taken off for length and finer words"
        if gain - price > noise.margin(count, len(lot)):
            return _Word(Outcome.ACCEPTED, figures)
        if gain - price <= 0 or self._ties == "reject":
            return _Word(Outcome.REJECTED, f"{figures}: no gain beyond the noise")
        return _Word(Outcome.ACCEPTED, f"{figures}: a tie", tie=self._ties == "pairwise")

    def _break(self, lot: Sequence[_Graded], figures: str) -> _Word:
        """A tie: every passage must be preferred as it is afterwards, in both orders."""
        if not self._trial.breaks_ties:
            return _Word(Outcome.REJECTED, f"{figures}, and {self.report.why}")
        for one in lot:
            better = self._judge.prefers_both_ways(one.new, one.old)
            if isinstance(better, Unusable):
                return _Word(Outcome.UNDECIDED, f"{figures}: {better.why}")
            if not better:
                why = f"{figures}, and the new text is not preferred in both orders"
                return _Word(Outcome.REJECTED, why)
        return _Word(Outcome.ACCEPTED, f"{figures}, preferred in both orders")

    def _guarded(
        self, before: Manuscript, after: Manuscript, noise: Noise
    ) -> tuple[_Word, tuple[Score, ...]]:
        """The guard against harm to the whole: its digest must not be graded lower. What is after
        one group is before the next, so a group costs one scoring, and none where the digest,
        which holds headings and first sentences, stays the same."""
        old, new = (Excerpt(digest(paper, GUARD).text, "") for paper in (before, after))
        if old == new:
            return _Word(Outcome.ACCEPTED, "the digest of the whole paper is unchanged"), ()
        count = self.report.samples
        unusable = self._judge.grade([(e, s) for e in (old, new) for s in range(count)])
        if unusable is not None:
            return _Word(Outcome.UNDECIDED, f"the whole paper: {unusable.why}"), ()
        then, now = self._judge.cards(old, count), self._judge.cards(new, count)
        change = self._mean(now) - self._mean(then)
        margin = noise.margin(count)
        why = f"whole paper: mean {change:+.2f}, margin {margin:.2f}"
        outcome = Outcome.REJECTED if change < -margin else Outcome.ACCEPTED
        for dimension in Dimension:
            fell = _of(then, dimension) - _of(now, dimension)
            if fell > noise.fall(dimension, count):
                outcome, why = Outcome.REJECTED, f"{why}; {dimension} fell by {fell:.2f}"
        spread = noise.mean.deviation(count)
        scores = (self._mean(then), self._mean(now))
        return _Word(outcome, why), tuple(Score("whole paper", s, spread) for s in scores)

    def _scores(
        self, graded: Sequence[_Graded], noise: Noise
    ) -> tuple[tuple[Score, ...], tuple[Score, ...]]:
        """The weighted mean and the dimensions over all passages, before and after."""
        if not graded:
            return (), ()

        def spread(one: Wavering) -> float:
            return one.deviation(self.report.samples) / math.sqrt(len(graded))

        def told(cards: Sequence[Scorecard]) -> tuple[Score, ...]:
            mean = Score("weighted mean", self._mean(cards), spread(noise.mean))
            return mean, *(Score(str(d), _of(cards, d), spread(noise.of[d])) for d in Dimension)

        return (
            told([card for one in graded for card in one.before]),
            told([card for one in graded for card in one.after]),
        )

    def _gain(self, one: _Graded) -> float:
        return self._mean(one.after) - self._mean(one.before)

    def _mean(self, cards: Sequence[Scorecard]) -> float:
        return sum(card.mean(self._weights) for card in cards) / len(cards)

    def _where(self, lot: Sequence[_Graded]) -> str:
        titles = dict.fromkeys(
            self._start.sections[one.pair.section].title or "opening"
            for one in lot
            if one.pair.section < len(self._start.sections)
        )
        return ", ".join(f"'{title}'" for title in titles) or "passage"


def prepare(
    manuscript: Manuscript,
    judge: Judge,
    *,
    weights: Weights = PRESETS["equal"],
    ties: Ties = "pairwise",
    threshold: float | None = None,
) -> Rubric:
    """A rubric whose judge was tried on texts made from this paper; it raises nothing.

    `threshold` is a mean that is good enough for an outline although it did not rise.
    """
    asked = AskedJudge(judge)
    trial = put_on_trial(manuscript, asked, weights, ties=ties == "pairwise")
    return Rubric(manuscript, asked, trial, weights=weights, ties=ties, threshold=threshold)


def _undecided(why: str) -> Weighed:
    return Weighed(Outcome.UNDECIDED, (why,))


def _of(cards: Sequence[Scorecard], dimension: Dimension) -> float:
    return sum(card.score(dimension) for card in cards) / len(cards)


def _lots(graded: Sequence[_Graded], edits: Sequence[Edit]) -> list[tuple[set[int], list[_Graded]]]:
    """Edits with the passages they touch, joined where they share an edit or a passage."""
    lots: list[tuple[set[int], list[_Graded]]] = []
    for one in graded:
        numbers, passages = set(one.pair.edits), [one]
        apart = []
        for lot in lots:
            if numbers & lot[0]:
                numbers |= lot[0]
                passages = [*lot[1], *passages]
            else:
                apart.append(lot)
        lots = [*apart, (numbers, passages)]
    seen = {number for numbers, _ in lots for number in numbers}
    return lots + [({n}, []) for n in range(len(edits)) if n not in seen]
