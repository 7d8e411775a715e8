"""Searches for a better source as lines of a lockfile, and back."""

from collections.abc import Sequence
from dataclasses import replace

from reviser.literature.paper import Author, Paper
from reviser.verify.evidence import Work
from reviser.verify.kept import Check, clipped, digest_of
from reviser.verify.lock import (
    CandidateLine,
    PaperLine,
    QuoteLine,
    SearchLine,
    TierLine,
    plain,
)
from reviser.verify.model import Claim, Passage
from reviser.verify.trials import Candidate, Tier, Trial

LONGEST_WORDS, LONGEST_NAME, LONGEST_SAID = 300, 600, 2_000
"""Characters of a name of a check or key, of a title, and of a reason."""
_MOST_AUTHORS = 500


def search_line(claim: Claim, work: Work, trial: Trial, check: Check, limits: str) -> SearchLine:
    """The line of a search."""
    return SearchLine(
        search=digest_of(claim),
        key=plain(work.key, LONGEST_WORDS),
        limits=plain(limits, LONGEST_WORDS),
        topic=plain(check.topic, LONGEST_WORDS),
        verifier=plain(check.verifier, LONGEST_WORDS),
        reads=check.reads,
        windows=_windows(trial.windows),
        shown=tuple(_candidate_line(one) for one in trial.shown),
        chosen=None if trial.chosen is None else _candidate_line(trial.chosen),
        beyond=tuple(_tier_line(tier) for tier in trial.beyond),
    )


def trial_of(line: SearchLine, key: str) -> Trial:
    """The search that a line tells; the number of the claim in it means nothing. Works from
    outside have no entries yet."""
    return Trial(
        claim=0,
        key=key,
        windows=line.windows,
        shown=tuple(_candidate_of(one) for one in line.shown),
        chosen=None if line.chosen is None else _candidate_of(line.chosen),
        beyond=tuple(
            Tier(
                name=tier.name,
                windows=tier.windows,
                shown=tuple(_candidate_of(one) for one in tier.shown),
                silent=tier.silent,
            )
            for tier in line.beyond
        ),
    )


def paper_line(paper: Paper) -> PaperLine:
    """What is kept of a work that is not in the bibliography: what its entry is written from."""
    authors = tuple(
        (plain(author.family, LONGEST_WORDS), plain(author.given, LONGEST_WORDS))
        for author in paper.authors[:_MOST_AUTHORS]
    )
    return PaperLine(
        source=plain(paper.source, LONGEST_WORDS),
        id=plain(paper.id, LONGEST_NAME),
        title=plain(paper.title, LONGEST_NAME),
        authors=authors,
        year=paper.year,
        venue=plain(paper.venue, LONGEST_NAME),
        kind=plain(paper.kind, LONGEST_WORDS),
        doi=plain(paper.doi, LONGEST_WORDS),
        arxiv=plain(paper.arxiv, LONGEST_WORDS),
        volume=plain(paper.volume, LONGEST_WORDS),
        number=plain(paper.number, LONGEST_WORDS),
        pages=plain(paper.pages, LONGEST_WORDS),
        publisher=plain(paper.publisher, LONGEST_NAME),
    )


def paper_of(line: PaperLine) -> Paper:
    """The work that is kept in a line."""
    return Paper(
        source=line.source,
        id=line.id,
        title=line.title,
        authors=tuple(Author(family, given) for family, given in line.authors),
        year=line.year,
        venue=line.venue,
        kind=line.kind,
        doi=line.doi,
        arxiv=line.arxiv,
        volume=line.volume,
        number=line.number,
        pages=line.pages,
        publisher=line.publisher,
    )


def quote_line(passage: Passage) -> QuoteLine:
    """The words of a passage as they are kept."""
    words = clipped(replace(passage, text=plain(passage.text, len(passage.text)) or "?")).text
    where = plain(passage.where, LONGEST_WORDS)
    return QuoteLine(
        words=words,
        where=where,
        start=passage.start,
        stop=passage.stop,
        section=plain(passage.section, LONGEST_NAME),
        origin=plain(passage.origin, LONGEST_WORDS),
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


def _tier_line(tier: Tier) -> TierLine:
    return TierLine(
        name=plain(tier.name, LONGEST_WORDS),
        windows=_windows(tier.windows),
        shown=tuple(_candidate_line(one) for one in tier.shown),
        silent=plain(tier.silent, LONGEST_WORDS),
    )


def _windows(windows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(plain(key, LONGEST_WORDS) for key in window) for window in windows)


def _candidate_line(one: Candidate) -> CandidateLine:
    return CandidateLine(
        key=plain(one.key, LONGEST_WORDS),
        rank=round(one.rank, 4),
        why=plain(one.why, LONGEST_SAID),
        quote=quote_line(one.passage),
        paper=None if one.paper is None else paper_line(one.paper),
    )


def _candidate_of(line: CandidateLine) -> Candidate:
    paper = None if line.paper is None else paper_of(line.paper)
    return Candidate(line.key, line.rank, passage_of(line.quote, line.key), line.why, paper)
