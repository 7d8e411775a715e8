"""Judges whose every fault is chosen: how well they see, how they waver, what they are partial to.

`SeeingJudge` knows how good a text is in truth (order of the sentences, citations, hollow words,
and words that a test plants for better and worse), and then errs as judges do. The others lie.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.review.model import Dimension, Grade, Scorecard
from reviser.revise.controls import FINER, HOLLOW
from reviser.revise.judging import Excerpt, Preference

BETTER, WORSE = "sharper", "duller"
"""Words to plant: each one makes a text as much better or worse as `SeeingJudge.worth` says."""

_CITE = re.compile(r"\\[a-zA-Z]*cite[a-zA-Z]*\*?\s*(?:\[[^]]*\]\s*)*\{[^}]*\}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_EITHER = frozenset(FINER) | {word for words in FINER.values() for word in words.split()}
_FINE = frozenset(word.split()[0] for word in FINER.values())


@dataclass
class SeeingJudge:
    """Sees the truth, and grades it with noise. All sizes are in grades on the scale of 1 to 5.

    `noise` is the standard deviation of one grade of one dimension, drawn anew for each sample;
    `mood` the same for all dimensions at once; `whim` is drawn once for each text. `wordy` is what
    a doubling of the length is worth to it, `vain` what ten finer words in a hundred are. In
    comparisons `first` is what standing first is worth, `blur` the noise, `band` the difference
    below which it has no preference. `worth` is what a planted word adds to every dimension.
    """

    paper: Manuscript | str
    seed: int = 0
    noise: float = 0.0
    mood: float = 0.0
    whim: float = 0.0
    wordy: float = 0.0
    vain: float = 0.0
    first: float = 0.0
    blur: float = 0.1
    band: float = 0.0
    worth: float = 0.4
    whole: bool = False
    name: str = "simulated"
    graded: list[tuple[Excerpt, int]] = field(default_factory=list)
    compared: list[tuple[Excerpt, Excerpt, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        if isinstance(self.paper, Manuscript):
            sentences = [self.paper.text(sentence.at) for sentence in self.paper.sentences]
        else:
            sentences = _sentences(self.paper)
        self._rank = {_key(one): number for number, one in enumerate(sentences)}
        self._cites = {_key(one): len(_CITE.findall(one)) for one in sentences}

    def truth(self, text: str) -> Mapping[Dimension, float]:
        """How good a text is: 3 where nothing is wrong and nothing planted."""
        sentences = _sentences(text)
        keys = [_key(one) for one in sentences]
        known = [self._rank[key] for key in keys if key in self._rank]
        pairs = list(pairwise(known))
        disorder = sum(later <= sooner for sooner, later in pairs) / max(1, len(pairs))
        wanted = sum(self._cites.get(key, 0) for key in keys)
        lost = 1 - min(1.0, len(_CITE.findall(text)) / wanted) if wanted else 0.0
        again = sum(1 for n, key in enumerate(keys) if key in _HOLLOW or key in keys[:n])
        hollow = again / max(1, len(keys))
        planted = self.worth * (text.count(BETTER) - text.count(WORSE))
        harm = {
            Dimension.COVERAGE: 1.5 * lost,
            Dimension.STRUCTURE: 3.0 * disorder + 1.5 * hollow,
            Dimension.RELEVANCE: 3.0 * hollow,
            Dimension.SYNTHESIS: 2.0 * disorder + 1.0 * lost + hollow,
            Dimension.CRITICAL_ANALYSIS: 1.0 * lost + hollow,
        }
        return {dimension: 3.0 + planted - harm[dimension] for dimension in Dimension}

    def taste(self, text: str) -> float:
        """What length and finer words are worth to it, and its whim."""
        words = re.findall(r"[a-z]+", text.lower())
        fine = sum(word in _FINE for word in words) / max(1, len(words))
        whim = _draw(f"{self.seed} whim {text}").gauss(0, self.whim)
        return float(
            self.wordy * math.log2(max(1, len(words)) / 100) + self.vain * 10 * fine + whim
        )

    def scores(self, excerpts: Sequence[tuple[Excerpt, int]]) -> list[Scorecard | Unusable]:
        self.graded += excerpts
        return [self._card(excerpt, sample) for excerpt, sample in excerpts]

    def _card(self, excerpt: Excerpt, sample: int) -> Scorecard | Unusable:
        draw = _draw(f"{self.seed} {sample} {excerpt.text}")
        shared = self.taste(excerpt.text) + draw.gauss(0, self.mood)
        grades = []
        for dimension, value in self.truth(excerpt.text).items():
            score = min(5.0, max(1.0, value + shared + draw.gauss(0, self.noise)))
            grades.append(Grade(dimension, float(round(score)) if self.whole else score))
        return Scorecard(tuple(grades), self.name)

    def prefers(self, first: Excerpt, second: Excerpt, sample: int = 0) -> Preference | Unusable:
        self.compared.append((first, second, sample))
        draw = _draw(f"{self.seed} pair {sample} {first.text}\0{second.text}")
        ahead = self.first + draw.gauss(0, self.blur) + self._liking(first) - self._liking(second)
        if abs(ahead) <= self.band:
            return "neither"
        return "first" if ahead > 0 else "second"

    def _liking(self, excerpt: Excerpt) -> float:
        truth = self.truth(excerpt.text)
        return sum(truth.values()) / len(truth) + self.taste(excerpt.text)


@dataclass
class LyingJudge:
    """Grades by a function of text and sample, and prefers by one of two texts and sample."""

    grade: Callable[[str, int], float]
    prefer: Callable[[str, str, int], Preference]
    name: str = "liar"

    def scores(self, excerpts: Sequence[tuple[Excerpt, int]]) -> list[Scorecard | Unusable]:
        return [
            Scorecard(tuple(Grade(d, self.grade(e.text, sample)) for d in Dimension), self.name)
            for e, sample in excerpts
        ]

    def prefers(self, first: Excerpt, second: Excerpt, sample: int = 0) -> Preference | Unusable:
        return self.prefer(first.text, second.text, sample)


def constant(score: float = 4.0) -> LyingJudge:
    """Everything is alike to it, but it likes the first best."""
    return LyingJudge(lambda text, sample: score, lambda one, other, sample: "first")


def lover_of_the_first(seed: int = 0) -> LyingJudge:
    """Grades at random and prefers whatever it is shown first."""
    return LyingJudge(
        lambda text, sample: _draw(f"{seed} {sample} {text}").uniform(1, 5),
        lambda one, other, sample: "first",
    )


def random(seed: int = 0) -> LyingJudge:
    """Draws every grade and every preference."""
    return LyingJudge(
        lambda text, sample: _draw(f"{seed} {sample} {text}").uniform(1, 5),
        lambda one, other, sample: _draw(f"{seed} {sample} {one}\0{other}").choice(
            ("first", "second")
        ),
    )


def inverted(judge: SeeingJudge) -> LyingJudge:
    """Says the contrary of what another says."""

    def grade(text: str, sample: int) -> float:
        card = judge.scores([(Excerpt(text, ""), sample)])[0]
        assert isinstance(card, Scorecard)
        return 6 - sum(grade.score for grade in card.grades) / len(card.grades)

    def prefer(one: str, other: str, sample: int) -> Preference:
        said = judge.prefers(Excerpt(one, ""), Excerpt(other, ""), sample)
        assert not isinstance(said, Unusable)
        contrary: Mapping[Preference, Preference] = {"first": "second", "second": "first"}
        return contrary.get(said, "neither")

    return LyingJudge(grade, prefer)


@dataclass
class MuteJudge:
    """Never gives an answer that could be used."""

    name: str = "mute"

    def scores(self, excerpts: Sequence[tuple[Excerpt, int]]) -> list[Scorecard | Unusable]:
        return [Unusable("the reply was empty") for _ in excerpts]

    def prefers(self, first: Excerpt, second: Excerpt, sample: int = 0) -> Preference | Unusable:
        return Unusable("the reply was empty")


def _draw(what: str) -> Random:
    return Random(what)  # noqa: S311 - the same every time is what is wanted


def _sentences(text: str) -> list[str]:
    return [one for one in _SENTENCE_END.split(text) if one.strip()]


def _key(sentence: str) -> str:
    """A sentence by its words, whatever it cites and however fine they are."""
    words = re.findall(r"[a-z0-9]+", _CITE.sub(" ", sentence).lower())
    return " ".join(word for word in words if word not in _EITHER)


_HOLLOW = frozenset(map(_key, HOLLOW))
