"""Searching the paper's own bibliography for a work that bears a claim out, window by window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from reviser.ports import Embedder, Entailed, Entailment
from reviser.verify.evidence import Work
from reviser.verify.hearing import READ, premise
from reviser.verify.kept import Kept
from reviser.verify.languages import readable
from reviser.verify.model import Claim, Passage, Support
from reviser.verify.recall import check_by
from reviser.verify.relevance import Fit, best_passages, relate, representative
from reviser.verify.thresholds import Thresholds
from reviser.verify.words import Rarity, content_words

MARGIN = 0.30
"""By how much a replacement's rank must exceed the old key's; see `Fit.rank` for the rank."""
LEAD_OVER_NEXT = 0.20
"""By how much it must exceed the next candidate's: two equally near works are a person's choice.
In a survey of 235 abstracts 8 of the 9 works that pass these limits are the one its authors cite;
with a lead of .10 it is 13 of 20."""
RANK = 0.75
"""The least rank of a replacement."""
CLOSENESS = 0.40
"""The least closeness of a replacement to the claim."""
FEWEST_WORDS = 5
"""Content words of a claim below which too many works fit it."""
READ_SHARE = 0.5
"""The share of the cited works that must have text: else the right one is likely unread."""
UNCITED = 20
"""Uncited works compared by meaning, by words shared with the claim; cited ones all are."""
SHOWN = 3


class Limits(Protocol):
    """How many works are tried, and how many at a time."""

    @property
    def candidates(self) -> int:
        """K: works tried in all (FIKSurvey, appendix B)."""
        ...

    @property
    def window(self) -> int:
        """w: works tried at a time (FIKSurvey, appendix B)."""
        ...


@dataclass(frozen=True, slots=True)
class Candidate:
    """A work of the bibliography that might be cited instead, and its closest sentence."""

    key: str
    rank: float
    passage: Passage
    why: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One search: the windows of keys tried, the nearest few, and the one chosen, if any was."""

    claim: int
    key: str
    windows: tuple[tuple[str, ...], ...]
    shown: tuple[Candidate, ...]
    chosen: Candidate | None

    @property
    def named(self) -> tuple[Candidate, ...]:
        """The candidates that it names."""
        return self.shown if self.chosen is None else (*self.shown, self.chosen)

    def advice(self, fixed: str = "") -> str:
        """What to do about the key, as a sentence; `fixed` says why its place takes no edit."""
        if self.chosen is not None:
            blocked = f" ({fixed}, so no edit is offered)" if fixed else ""
            return f"In this bibliography '{self.chosen.key}' fits{blocked}."
        if self.shown:
            nearest = ", ".join(f"'{candidate.key}'" for candidate in self.shown)
            return f"Nearest in this bibliography, none clearly right: {nearest}."
        return "Nothing in this bibliography comes near; check the key."


class Search:
    """Searches for one paper; `trials` keeps what was tried, in order."""

    def __init__(
        self,
        claims: Sequence[Claim],
        works: Mapping[str, Work],
        *,
        embedder: Embedder,
        entailment: Entailment | None,
        thresholds: Thresholds,
        limits: Limits,
        sentences: int = READ,
        kept: Kept | None = None,
    ) -> None:
        """Nothing is compared before the first search; a verifier reads `sentences` of a work."""
        self._kept = kept
        self._claims = claims
        self._works = works
        self._embedder = embedder
        self._entailment = entailment
        self._thresholds = thresholds
        self._limits = limits
        self._sentences = sentences
        self._cited = {key.lower() for claim in claims for key in claim.keys}
        known = [works[key] for key in self._cited if key in works]
        self._enough = sum(bool(w.passages) for w in known) >= READ_SHARE * len(known)
        self.trials: list[Trial] = []

    def candidates(self, support: Support) -> Trial:
        """Look for a replacement of the key that `support` speaks of, and keep the record."""
        claim = self._claims[support.claim]
        trial = self._known_or_searched(support, claim)
        self.trials.append(trial)
        return trial

    def _known_or_searched(self, support: Support, claim: Claim) -> Trial:
        work = self._works.get(support.key.lower())
        if self._kept is None or work is None:
            return self._searched(support, claim)
        check = check_by(self._embedder, self._entailment, self._sentences, self._thresholds)
        limits = f"{self._limits.candidates} by {self._limits.window}"
        trial = self._kept.search(claim, work, check, limits)
        if trial is None or not all(one.key.lower() in self._works for one in trial.named):
            trial = self._searched(support, claim)
            trial = self._kept.keep_search(claim, work, trial, check, limits)
        return replace(trial, claim=support.claim, key=support.key)

    def _searched(self, support: Support, claim: Claim) -> Trial:
        pool = self._pool(claim, support.key)
        relevance = relate([claim.text], [claim.keys], pool, self._embedder)
        old = relevance.fit(0, support.key)
        beside = {
            key.lower()
            for other in self._claims
            if other.sentence == claim.sentence
            for key in other.keys
        }
        ranked = sorted(
            (
                (fit, work)
                for work in pool
                if work.key.lower() not in beside
                and (fit := relevance.fit(0, work.key)) is not None
            ),
            key=lambda pair: (-pair[0].rank, pair[1].key),
        )[: self._limits.candidates]
        return self._try(support, claim, ranked, 0.0 if old is None else old.rank)

    def _pool(self, claim: Claim, key: str) -> list[Work]:
        """All cited works with text, and the uncited ones that share most words with the claim."""
        usable = [work for work in self._works.values() if work.passages and readable(work)]
        cited = [w for w in usable if w.key.lower() in self._cited or w.key.lower() == key.lower()]
        uncited = [w for w in usable if w.key.lower() not in self._cited]
        asked = content_words(claim.text)
        held = [frozenset(content_words(" ".join(representative(work)))) for work in uncited]
        rarity = Rarity.of(held)
        coverage = [rarity.coverage(asked, words) for words in held]
        order = sorted(range(len(uncited)), key=lambda i: (-coverage[i], uncited[i].key))
        return [*cited, *(uncited[i] for i in order[:UNCITED] if coverage[i] > 0)]

    def _try(
        self, support: Support, claim: Claim, ranked: Sequence[tuple[Fit, Work]], old: float
    ) -> Trial:
        windows: list[tuple[str, ...]] = []
        chosen: Candidate | None = None
        step = max(1, self._limits.window)
        for start in range(0, len(ranked), step):
            window = ranked[start : start + step]
            windows.append(tuple(work.key for _, work in window))
            following = ranked[start + step][0].rank if start + step < len(ranked) else 0.0
            chosen = self._best(claim, window, old, following)
            if chosen is not None or self._entailment is None:
                # Ranks only fall: without a verifier, later windows cannot do better.
                break
        shown = tuple(
            self._candidate(claim, fit, work, _rank_words(fit, old))
            for fit, work in ranked[:SHOWN]
            if fit.rank > old
        )
        return Trial(support.claim, support.key, tuple(windows), shown, chosen)

    def _best(
        self, claim: Claim, window: Sequence[tuple[Fit, Work]], old: float, following: float
    ) -> Candidate | None:
        if self._entailment is not None:
            return self._entailed(claim, window)
        fit, work = window[0]
        next_rank = window[1][0].rank if len(window) > 1 else following
        clear = (
            self._enough
            and len(set(content_words(claim.text))) >= FEWEST_WORDS
            and fit.rank >= max(RANK, old + MARGIN, next_rank + LEAD_OVER_NEXT)
            and fit.closeness >= CLOSENESS
        )
        if not clear:
            return None
        return self._candidate(claim, fit, work, _rank_words(fit, old))

    def _entailed(self, claim: Claim, window: Sequence[tuple[Fit, Work]]) -> Candidate | None:
        """The window's work that a verifier says entails the claim most surely, if any does."""
        if self._entailment is None:
            return None
        quoted = [
            best_passages(claim.text, work, self._embedder, most=self._sentences)
            for _, work in window
        ]
        pairs = [
            (premise(work, [p for p, _ in passages]), claim.text)
            for (_, work), passages in zip(window, quoted, strict=True)
        ]
        judged = self._entailment.judge(pairs)
        chances = [one.entails if isinstance(one, Entailed) else 0.0 for one in judged]
        best = max(range(len(window)), key=lambda i: (chances[i], -i))
        sure = chances[best]
        if sure < self._thresholds.entails:
            return None
        fit, work = window[best]
        return self._candidate(
            claim, fit, work, f"the verifier gives {sure:.2f} that it entails it"
        )

    def _candidate(self, claim: Claim, fit: Fit, work: Work, why: str) -> Candidate:
        ((passage, _), *_) = best_passages(claim.text, work, self._embedder, most=1)
        return Candidate(work.key, fit.rank, passage, why)


def _rank_words(fit: Fit, old: float) -> str:
    return (
        f"similarity {fit.closeness:.2f}, {fit.shared:.0%} of the claim's words, "
        f"{fit.rank - old:.2f} ahead of the cited work"
    )
