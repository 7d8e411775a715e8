"""Searches as lines of a lockfile, and back; quotations as lines hold them."""

from dataclasses import replace

from reviser.verify.kept import Check, clipped
from reviser.verify.lock import CandidateLine, QuoteLine, SearchLine, TierLine, plain
from reviser.verify.model import Passage
from reviser.verify.trials import Candidate, Tier, Trial
from reviser.verify.worklines import LONG, NAME, paper_line, paper_of

_SAID = 2_000
_MOST_LEFT = 50


def search_line(digest: str, key: str, trial: Trial, check: Check, limits: str) -> SearchLine:
    """What is kept of a search for a claim with this digest."""
    return SearchLine(
        search=digest,
        key=plain(key, LONG),
        limits=plain(limits, LONG),
        topic=plain(check.topic, LONG),
        verifier=plain(check.verifier, LONG),
        reads=check.reads,
        version=check.version,
        windows=_windows(trial.windows),
        shown=tuple(_candidate_line(one) for one in trial.shown),
        chosen=None if trial.chosen is None else _candidate_line(trial.chosen),
        beyond=tuple(_tier_line(tier) for tier in trial.beyond),
    )


def trial_of(line: SearchLine, key: str) -> Trial:
    """The search that a line tells; the number of the claim in it means nothing."""
    return Trial(
        claim=0,
        key=key,
        windows=line.windows,
        shown=tuple(_candidate_of(one) for one in line.shown),
        chosen=None if line.chosen is None else _candidate_of(line.chosen),
        beyond=tuple(_tier_of(tier) for tier in line.beyond),
    )


def quote_line(passage: Passage) -> QuoteLine:
    """The words of a passage as they are kept."""
    words = clipped(replace(passage, text=plain(passage.text, len(passage.text)) or "?")).text
    return QuoteLine(
        words=words,
        where=plain(passage.where, LONG),
        start=passage.start,
        stop=passage.stop,
        section=plain(passage.section, NAME),
        origin=plain(passage.origin, LONG),
    )


def passage_of(line: QuoteLine, key: str) -> Passage:
    """The passage that is kept in a line."""
    return Passage(
        key=key,
        text=line.words,
        where=line.where,
        start=line.start,
        stop=line.stop,
        section=line.section,
        origin=line.origin,
    )


def _windows(windows: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(plain(name, LONG) for name in window) for window in windows)


def _tier_line(tier: Tier) -> TierLine:
    return TierLine(
        name=plain(tier.name, LONG),
        windows=_windows(tier.windows),
        shown=tuple(_candidate_line(one) for one in tier.shown),
        silent=plain(tier.silent, LONG),
        left=tuple(plain(why, _SAID) for why in tier.left[:_MOST_LEFT]),
    )


def _tier_of(line: TierLine) -> Tier:
    shown = tuple(_candidate_of(one) for one in line.shown)
    return Tier(line.name, line.windows, shown, line.silent, line.left)


def _candidate_line(one: Candidate) -> CandidateLine:
    return CandidateLine(
        key=plain(one.key, LONG),
        rank=round(one.rank, 4),
        why=plain(one.why, _SAID),
        quote=quote_line(one.passage),
        paper=None if one.paper is None else paper_line(one.paper),
    )


def _candidate_of(line: CandidateLine) -> Candidate:
    passage = passage_of(line.quote, line.key)
    paper = None if line.paper is None else paper_of(line.paper)
    return Candidate(line.key, line.rank, passage, line.why, paper)
