"""Searching for a work that bears a claim out, window by window: in the paper's own bibliography,
then, where nothing there does, in one place behind it after the other (METHODS 3, steps 5 and 6).

A work from outside is chosen only if a verifier says that it entails the claim. Topic alone tells
the right work among those that an author chose to cite; among all that a service has on a matter
several are always as near.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from reviser.literature.sources import Searchable
from reviser.ports import Embedder, Entailed, Entailment, Unjudged
from reviser.verify.beyond import Beyond, Outside
from reviser.verify.evidence import Work
from reviser.verify.hearing import READ, premise
from reviser.verify.kept import Kept
from reviser.verify.languages import readable
from reviser.verify.model import Claim, Support
from reviser.verify.recall import check_by
from reviser.verify.relevance import Fit, Relevance, best_passages, relate, representative
from reviser.verify.thresholds import Thresholds
from reviser.verify.trials import Candidate, Tier, Trial
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
ASKED_FOR = 2
"""Works that a place is asked for, in multiples of K: many have no abstract."""


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
        beyond: Beyond | None = None,
    ) -> None:
        """Nothing is compared before the first search; a verifier reads `sentences` of a work."""
        self._kept = kept
        self._unjudged = False
        self._beyond = beyond
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
        trial = self._again(self._kept.search(claim, work, check, limits))
        if trial is None:
            self._unjudged = False
            trial = self._searched(support, claim)
            if not self._unjudged:
                told = self._kept.keep_search(claim, work, trial, check, limits)
                trial = self._again(told) or trial
        return replace(trial, claim=support.claim, key=support.key)

    def _again(self, trial: Trial | None) -> Trial | None:
        """A search of an earlier run with the entries of the works it found, where it still
        holds."""
        if trial is None or not trial.covers([p.name for p in self._places]):
            return None
        if not all(c.key.lower() in self._works for c in trial.named if c.paper is None):
            return None
        chosen = trial.chosen
        if chosen is None or chosen.paper is None:
            return trial
        if self._beyond is None:
            return None
        brought = self._beyond.known(chosen.paper)
        if brought is None:
            return None
        self._beyond.take(brought)
        return replace(trial, chosen=replace(chosen, key=brought.key, brought=brought))

    @property
    def _places(self) -> Sequence[Searchable]:
        return () if self._beyond is None else self._beyond.places

    def _searched(self, support: Support, claim: Claim) -> Trial:
        pool = self._pool(claim, support.key)
        relevance = relate([claim.text], [claim.keys], pool, self._embedder)
        old = relevance.fit(0, support.key)
        before = 0.0 if old is None else old.rank
        ranked = self._ranked(claim, relevance, pool)
        trial = self._try(support, claim, ranked, before)
        if trial.chosen is None:
            trial = self._outside(trial, claim, pool, before)
        return trial

    def _ranked(
        self, claim: Claim, relevance: Relevance, works: Sequence[Work]
    ) -> list[tuple[Fit, Work]]:
        """The best of these works for a claim, without those that its sentence cites."""
        beside = {
            key.lower()
            for other in self._claims
            if other.sentence == claim.sentence
            for key in other.keys
        }
        fits = [(relevance.fit(0, work.key), work) for work in works]
        found = [(f, w) for f, w in fits if f is not None and w.key.lower() not in beside]
        found.sort(key=lambda pair: (-pair[0].rank, pair[1].key))
        return found[: self._limits.candidates]

    def _outside(self, trial: Trial, claim: Claim, pool: Sequence[Work], before: float) -> Trial:
        """The search gone on behind the bibliography, until a place has what bears the claim out;
        without a verifier, until one has something near it."""
        tried = {key.lower() for window in trial.windows for key in window}
        tiers: list[Tier] = []
        for number, _ in enumerate(self._places):
            if self._beyond is None:
                break
            found = self._beyond.found(number, claim, ASKED_FOR * self._limits.candidates)
            new = {w.work.key: w for w in found.works if w.work.key.lower() not in tried}
            works = [outside.work for outside in new.values()]
            others = [work for work in pool if work.key not in new]
            relevance = relate([claim.text], [claim.keys], [*others, *works], self._embedder)
            ranked = self._ranked(claim, relevance, works)
            windows, chosen = self._windows(claim, ranked)
            near = [
                self._candidate(claim, fit, work, _rank_words(fit, before))
                for fit, work in ranked[:SHOWN]
                if fit.rank > before and fit.closeness >= CLOSENESS
            ]
            tiers.append(
                Tier(
                    name=found.source,
                    windows=tuple(tuple(new[k].paper.identity for k in w) for w in windows),
                    shown=tuple(_from(new[one.key], one) for one in near),
                    silent=found.silent,
                    left=found.left,
                )
            )
            if chosen is not None:
                chosen = _from(new[chosen.key], chosen)
                if chosen.brought is not None:
                    self._beyond.take(chosen.brought)
                return replace(trial, chosen=chosen, beyond=tuple(tiers))
            if self._entailment is None and near:
                break
        return replace(trial, beyond=tuple(tiers))

    def _windows(
        self, claim: Claim, ranked: Sequence[tuple[Fit, Work]]
    ) -> tuple[list[tuple[str, ...]], Candidate | None]:
        """The windows that were tried of works from outside, and the one that is entailing."""
        windows: list[tuple[str, ...]] = []
        step = max(1, self._limits.window)
        for start in range(0, len(ranked) if self._entailment is not None else 0, step):
            window = ranked[start : start + step]
            windows.append(tuple(work.key for _, work in window))
            chosen = self._entailed(claim, window)
            if chosen is not None:
                return windows, chosen
        return windows, None

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
        # Nothing is kept of a search in which somebody was silent: another run may find more.
        self._unjudged |= any(isinstance(one, Unjudged) for one in judged)
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


def _from(outside: Outside, candidate: Candidate) -> Candidate:
    """The candidate as a work from outside, unless the bibliography has it already."""
    if outside.brought is None:
        return candidate
    return replace(candidate, paper=outside.paper, brought=outside.brought)


def _rank_words(fit: Fit, old: float) -> str:
    return (
        f"similarity {fit.closeness:.2f}, {fit.shared:.0%} of the claim's words, "
        f"{fit.rank - old:.2f} ahead of the cited work"
    )
