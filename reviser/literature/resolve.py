"""Resolve bibliography entries: find the published work that each of them means."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reviser.literature.match import Match, Standing, match, standing
from reviser.literature.merging import merge, same_work
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Silent, Source, Wanted
from reviser.ports import Workers

MOST_REFUSED = 3
"""Near works that are named for an entry that was not resolved."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A work that was found. `paper` has the best of what the sources say of it, and
    `said_by` names for each of its fields that is known who says so: ("abstract", "OpenAlex").

    `how` is "DOI", "arXiv id" or "title"; `match` says why it is the work. `misled` is another
    work, to which the entry's own DOI belongs. `silent` are the sources that did not answer.
    """

    wanted: Wanted
    paper: Paper
    how: str
    match: Match
    said_by: tuple[tuple[str, str], ...] = ()
    silent: tuple[Silent, ...] = ()
    misled: Paper | None = None

    def source_of(self, field: str) -> str:
        """Who says what `paper` has in `field`; "" where it is unknown."""
        return dict(self.said_by).get(field, "")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A work that came near, and why it is not taken for the one that is meant."""

    paper: Paper
    match: Match


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A work that was not found. `answered` names the sources that were asked and had nothing
    that fits, `silent` are those that did not answer; it is found nowhere only where there are
    none of these. `refused` are the nearest works, the nearest first. `misled` as in `Resolved`.
    """

    wanted: Wanted
    answered: tuple[str, ...] = ()
    silent: tuple[Silent, ...] = ()
    refused: tuple[Refusal, ...] = ()
    misled: Paper | None = None

    @property
    def why(self) -> str:
        """ "not found in A, B", "A unreachable", "no source was asked": the same for like cases."""
        if self.silent:
            return "; ".join(dict.fromkeys(str(silent) for silent in self.silent))
        if self.answered:
            return f"not found in {', '.join(self.answered)}"
        return "no source was asked"


def resolve(
    wanted: Sequence[Wanted],
    sources: Sequence[Source],
    workers: Workers,
    *,
    own: Sequence[Source] = (),
) -> tuple[Resolved | Unresolved, ...]:
    """What each of the works is, in their order.

    All sources are asked side by side for what has a DOI or arXiv id, in one go each; that tells
    of retractions too. A work that is still unknown or without its abstract is then looked for by
    its title, in one source after the other, each work beginning with another source so that all
    of them are busy at once and none is asked for what another has found. `own` are the reader's
    own collections, which are searched before any of the `sources` hears of a work. What an
    identifier leads to is taken only when it is the work that the entry describes.
    """
    cases = [_Case(item) for item in wanted]
    for ring in (own, sources):
        known: list[Source] = list(ring)
        while known and (_by_id(cases, known, workers) or _by_title(cases, known, workers)):
            pass
    return tuple(case.outcome() for case in cases)


@dataclass(eq=False)
class _Case:
    """What is known so far of one work. `asked` are pairs of a source's name and what it was
    asked for."""

    wanted: Wanted
    accounts: list[Paper] = field(default_factory=list)
    how: str = ""
    match: Match | None = None
    refused: list[Refusal] = field(default_factory=list)
    misled: Paper | None = None
    asked: set[tuple[str, str]] = field(default_factory=set)
    answered: dict[str, None] = field(default_factory=dict)
    silent: dict[str, Silent] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Found with its abstract."""
        return any(account.abstract for account in self.accounts)

    def identified(self) -> Wanted:
        """The work with the identifiers that are known by now; one that misled is left out."""
        doi, arxiv = self.wanted.doi, self.wanted.arxiv
        if self.accounts:
            paper = merge(self.accounts).paper
            doi, arxiv = paper.doi or doi, paper.arxiv or arxiv
        if self.misled is not None and doi == self.misled.doi:
            doi = ""
        return replace(self.wanted, doi=doi, arxiv=arxiv)

    def hear(self, source: str, answer: Answer, *, by_id: bool) -> None:
        """Take in what a source says."""
        if isinstance(answer, Silent):
            self.silent[source] = answer
            return
        self.silent.pop(source, None)
        self.answered[source] = None
        if by_id:
            self._looked_up(answer)
        else:
            self._found(answer)

    def _looked_up(self, papers: Sequence[Paper]) -> None:
        for paper in papers:
            found = match(self.wanted, paper)
            how = "DOI" if paper.doi and paper.doi == self.identified().doi else "arXiv id"
            stands = standing(self.wanted, paper)
            if stands is Standing.SAME:
                self._take(paper, how, found)
            else:
                self.refused.append(Refusal(paper, found))
                if stands is Standing.OTHER and how == "DOI" and paper.doi == self.wanted.doi:
                    self.misled = paper

    def _found(self, papers: Sequence[Paper]) -> None:
        accepted: list[tuple[Paper, Match]] = []
        for paper in papers:
            found = match(self.wanted, paper)
            if found.accepted:
                accepted.append((paper, found))
            else:
                self.refused.append(Refusal(paper, found))
        for paper, found in sorted(accepted, key=lambda pair: pair[1].figures.years or 0):
            self._take(paper, "title", found)

    def _take(self, paper: Paper, how: str, found: Match) -> None:
        if all(same_work(paper, account) for account in self.accounts):
            self.accounts.append(paper)
            self.how, self.match = self.how or how, self.match or found

    def outcome(self) -> Resolved | Unresolved:
        """What came of it."""
        silent = tuple(self.silent.values())
        if self.accounts and self.match is not None:
            merged = merge(self.accounts)
            return Resolved(
                self.wanted, merged.paper, self.how, self.match, merged.said_by, silent, self.misled
            )
        nearest = sorted(self.refused, key=lambda refusal: -refusal.match.figures.title)
        answered = tuple(name for name in self.answered if name not in self.silent)
        return Unresolved(self.wanted, answered, silent, tuple(nearest[:MOST_REFUSED]), self.misled)


def _by_id(cases: Sequence[_Case], sources: Sequence[Source], workers: Workers) -> bool:
    """Ask every source for the identifiers that it was not asked for; whether any was asked."""
    batches = []
    for source in sources:
        batch: list[tuple[_Case, Wanted]] = []
        for case in cases:
            known = case.identified()
            name = f"{known.doi} {known.arxiv}"
            fresh = (source.name, name) not in case.asked
            first = not any(s == source.name and what for s, what in case.asked)
            if name.strip() and fresh and (first or not case.done):
                case.asked.add((source.name, name))
                batch.append((case, known))
        if batch:
            batches.append((source, batch))

    def ask(item: tuple[Source, list[tuple[_Case, Wanted]]]) -> Sequence[Answer]:
        return item[0].by_id([known for _, known in item[1]])

    _hear(batches, workers.each(ask, batches), by_id=True)
    return bool(batches)


def _by_title(cases: Sequence[_Case], sources: Sequence[Source], workers: Workers) -> bool:
    """Ask for what is still open, each work in the next source of its own order; whether any
    was asked."""
    batches: dict[int, list[tuple[_Case, Wanted]]] = {}
    for turn, case in enumerate(cases):
        if case.done or not case.wanted.title:
            continue
        for step in range(len(sources)):
            number = (turn + step) % len(sources)
            if (sources[number].name, "") not in case.asked:
                case.asked.add((sources[number].name, ""))
                batches.setdefault(number, []).append((case, case.wanted))
                break
    items = [(sources[number], batch) for number, batch in sorted(batches.items())]

    def ask(item: tuple[Source, list[tuple[_Case, Wanted]]]) -> Sequence[Answer]:
        return item[0].by_title([known for _, known in item[1]])

    _hear(items, workers.each(ask, items), by_id=False)
    return bool(items)


def _hear(
    batches: Sequence[tuple[Source, list[tuple[_Case, Wanted]]]],
    answers: Sequence[Sequence[Answer]],
    *,
    by_id: bool,
) -> None:
    for (source, batch), replies in zip(batches, answers, strict=True):
        for (case, _), answer in zip(batch, replies, strict=False):
            case.hear(source.name, answer, by_id=by_id)
