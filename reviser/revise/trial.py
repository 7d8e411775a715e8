"""A judge is tried before it judges: how much it wavers, and whether it knows worse from better.

The texts of the trial are passages of the paper itself, as they are and spoilt by `controls`. Most
of it is scoring: three samples of each passage, one of each control, side by side. Comparisons
are made only where scores alone did not tell, and to try the tie-break on texts that are no better.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.review.digest import digest
from reviser.review.model import Scorecard, Weights
from reviser.revise.asked_judge import AskedJudge
from reviser.revise.controls import DRESSED, WORSE, dressed
from reviser.revise.excerpts import cut, runs, stretch
from reviser.revise.judging import Excerpt
from reviser.revise.noise import Noise, Scored, measured
from reviser.revise.treatment import JudgeReport

PASSAGES = 3
"""Passages that are tried, the best suited of the paper."""
FEWEST = 2
"""Of them must be fit for each control."""
SAMPLES = 3
"""Scorings of each unchanged passage: six degrees of freedom, and six more from the finer words,
so that the spread is known to about a quarter of itself."""
FINER_TURNS = 2
"""Wordings in finer words of each passage."""
WANTED, MOST_ALONE = 0.30, 2
"""Where comparisons decide ties, an excerpt is scored once before and once after an edit: more
samples would cost more than comparing and tell less. Where they may not, until the margin is no
wider than this, in grades, and so often at most."""
_WORTH_IT = 0.93
"""To what share one more sample must narrow the margin."""
DIGEST = 120
"""Tokens of the digest beside a passage."""
PRICE = 0.25
"""What a text of double length must be better by for its length alone, in grades."""

NO_TEXT = "the paper has too few passages of {} to try it on"
_FIT = {
    "sentences shuffled": "five sentences",
    "citations stripped": "two citations",
    "text padded": "five sentences",
}


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it. Without `noise` nothing may be judged. `price` is what a text of double
    length must be better by; `breaks_ties` tells whether comparisons may decide."""

    report: JudgeReport
    noise: Noise | None = None
    price: float = PRICE
    breaks_ties: bool = False


@dataclass(frozen=True, slots=True)
class _Made:
    """A passage of a section as it is, spoilt, and in finer words."""

    section: int
    text: str
    worse: dict[str, str]
    finer: list[str]


@dataclass(frozen=True, slots=True)
class _Tried:
    """The same as a judge is shown it, by what was done."""

    passage: Excerpt
    worse: dict[str, Excerpt]
    finer: tuple[Excerpt, ...]


def put_on_trial(
    manuscript: Manuscript, judge: AskedJudge, weights: Weights, *, ties: bool
) -> Trial:
    """Try the judge on this paper; its comparisons too where it is to break `ties`."""
    tried = _chosen(manuscript)
    unfit = [what for what in WORSE if sum(what in one.worse for one in tried) < FEWEST]
    blank = JudgeReport(judge.name, None, 0, (), sound=False)
    if unfit:
        lacking = dict.fromkeys(_FIT[what] for what in unfit)
        return Trial(replace(blank, why=NO_TEXT.format(" or ".join(lacking))))
    wanted = [(one.passage, sample) for one in tried for sample in range(SAMPLES)]
    wanted += [(spoilt, 0) for one in tried for spoilt in one.worse.values()]
    wanted += [(finer, 0) for one in tried for finer in one.finer]
    unusable = judge.grade(wanted)
    if unusable is not None:
        return Trial(replace(blank, why=f"its trial came to nothing: {unusable.why}"))
    scored = [
        Scored(judge.cards(one.passage, SAMPLES), [judge.cards(f, 1)[0] for f in one.finer])
        for one in tried
    ]
    noise = measured(scored, weights)
    if noise is None:
        return Trial(replace(blank, why="its spread could not be measured"))
    return _Test(judge, weights, tried, scored, noise, len(wanted)).trial(ties=ties)


def enough(noise: Noise, *, alone: bool) -> int:
    """How often an excerpt is scored, before and after an edit each; `alone` when comparisons may
    not decide."""
    count = 1
    while (
        alone
        and count < MOST_ALONE
        and noise.margin(count) > WANTED
        and noise.margin(count + 1) < _WORTH_IT * noise.margin(count)
    ):
        count += 1
    return count


@dataclass
class _Test:
    judge: AskedJudge
    weights: Weights
    tried: Sequence[_Tried]
    scored: Sequence[Scored]
    noise: Noise
    trials: int

    def trial(self, *, ties: bool) -> Trial:
        missed: list[str] = []
        controls: list[tuple[str, bool]] = []
        for what in WORSE:
            seen = self._sees(what)
            if isinstance(seen, Unusable):
                missed.append(f"{what} ({seen.why})")
            elif not seen:
                missed.append(what)
            controls.append((what, seen is True))
        dazzled = self._dazzled()
        if any(one.finer for one in self.tried):
            controls.append((DRESSED, not dazzled))
        why = f"it did not notice: {', '.join(missed)}" if missed else ""
        if dazzled:
            why += f"{'; ' if why else ''}it took finer words for a better text"
        doubt = self._doubt() if ties and not why else ""
        breaks_ties = ties and not why and not doubt
        count = enough(self.noise, alone=not breaks_ties)
        report = JudgeReport(
            self.judge.name,
            self.noise.mean.deviation(),
            self.trials,
            tuple(controls),
            sound=not why,
            why=f"it may not break ties: {doubt}" if doubt else why,
            samples=count,
            margin=self.noise.margin(count),
        )
        return Trial(report, self.noise, self._price(), breaks_ties)

    def _differences(self, what: str) -> list[float]:
        """By how much the means of the spoilt passages are above those of the passages."""
        return [
            self._mean(self.judge.cards(one.worse[what], 1)) - self._mean(scored.same)
            for one, scored in zip(self.tried, self.scored, strict=True)
            if what in one.worse
        ]

    def _mean(self, cards: Sequence[Scorecard]) -> float:
        return sum(card.mean(self.weights) for card in cards) / len(cards)

    def _sees(self, what: str) -> bool | Unusable:
        """Whether the spoilt passages score lower, or most of them lose every comparison."""
        found = self._differences(what)
        if sum(found) / len(found) < -self.noise.doubt(SAMPLES, len(found)):
            return True
        lost = 0
        fit = [one for one in self.tried if what in one.worse]
        for one in fit:
            seen = self.judge.prefers_both_ways(one.passage, one.worse[what], turns=1)
            if isinstance(seen, Unusable):
                return seen
            lost += seen
        return lost * 2 > len(fit)

    def _dazzled(self) -> bool:
        """Whether it would accept finer words as a gain."""
        return self.noise.vanity > self.noise.margin(1)

    def _price(self) -> float:
        """At least `PRICE`, and what padding may have gained at most for all that is known."""
        found = self._differences("text padded")
        grown = [
            len(one.worse["text padded"].text.split()) / len(one.passage.text.split()) - 1
            for one in self.tried
            if "text padded" in one.worse
        ]
        most = sum(found) / len(found) + self.noise.doubt(SAMPLES, len(found))
        return max(PRICE, most * len(grown) / sum(grown))

    def _doubt(self) -> str:
        """Why comparisons may not decide, "" where they may: the tie-break itself is tried on
        texts that are no better, and must let none of them through."""
        if not any(one.finer for one in self.tried):
            return "there were too few words that finer ones stand for"
        if self.noise.likes_finer_words:
            return "it likes finer words"
        if self.noise.mean.apart:
            return "it grades other wordings of the same otherwise"
        for one in self.tried:
            padded = one.worse.get("text padded")
            others = [(DRESSED, text) for text in one.finer[:1]]
            for what, other in [*others, *([("padding", padded)] if padded else [])]:
                said = self.judge.prefers_both_ways(other, one.passage)
                if isinstance(said, Unusable):
                    return said.why
                if said:
                    return f"it preferred a passage with {what}"
        return ""


def _chosen(manuscript: Manuscript) -> list[_Tried]:
    """The passages that most can be made of, those with more citations first."""
    found: list[tuple[int, int, _Made]] = []
    for run in runs(manuscript, cut(manuscript)):
        real = stretch(manuscript, run)
        made = {what: make(real) for what, make in WORSE.items()}
        worse = {what: text for what, text in made.items() if text is not None}
        turns = dict.fromkeys(dressed(real, turn) for turn in range(FINER_TURNS))
        finer = [text for text in turns if text is not None]
        if worse:
            fitness = (len(worse) + len(finer), len(real.citations))
            found.append((*fitness, _Made(run.section, real.text, worse, finer)))
    found.sort(key=lambda item: item[:2], reverse=True)
    return [_tried(manuscript, made) for _, _, made in found[:PASSAGES]]


def _tried(manuscript: Manuscript, made: _Made) -> _Tried:
    rest = digest(manuscript, DIGEST, without=[made.section]).text
    return _Tried(
        Excerpt(made.text.strip(), rest),
        {what: Excerpt(text.strip(), rest) for what, text in made.worse.items()},
        tuple(Excerpt(text.strip(), rest) for text in made.finer),
    )
