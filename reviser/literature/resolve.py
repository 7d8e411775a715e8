"""Resolve bibliography entries: find the published work that each of them means."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from reviser.literature.match import STRICT, Match, Standing, contains, match, standing
from reviser.literature.merging import merge, of_a_server, same_work
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Silent, Source, Wanted
from reviser.literature.titles import likeness
from reviser.ports import Workers

REGISTRARS = frozenset({"Crossref", "arXiv"})
"""The sources that know at first hand which work an identifier names."""
MOST_REFUSED = 3
"""Near works that are named for an entry that was not resolved."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A work that was found. `paper` has the best of what the sources say of it, and
    `said_by` names for each of its fields that is known who says so: ("abstract", "OpenAlex").

    `how` is "DOI", "arXiv id" or "title"; `match` says why it is the work. `misled` is another
    work, to which the entry's own DOI or arXiv id belongs. `silent` are the sources that did not
    answer. `disputed` are the fields of `paper` in which a source says otherwise of that very
    version of the work.
    """

    wanted: Wanted
    paper: Paper
    how: str
    match: Match
    said_by: tuple[tuple[str, str], ...] = ()
    silent: tuple[Silent, ...] = ()
    misled: Paper | None = None
    disputed: tuple[str, ...] = ()

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
        desk = _Desk(ring, workers)
        while desk.by_id(cases) or desk.by_title(cases):
            pass
    names = [source.name for source in (*own, *sources)]
    return tuple(case.outcome(names) for case in cases)


@dataclass(eq=False)
class _Case:
    """What is known so far of one work. `asked` are pairs of a source's name and what it was
    asked for."""

    wanted: Wanted
    accounts: list[Paper] = field(default_factory=list)
    how: str = ""
    match: Match | None = None
    refused: list[Refusal] = field(default_factory=list)
    misled: list[Paper] = field(default_factory=list)
    asked: set[tuple[str, str]] = field(default_factory=set)
    answered: dict[str, None] = field(default_factory=dict)
    silent: dict[str, Silent] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Found with its abstract."""
        return any(account.abstract for account in self.accounts)

    def open_to(self, source: str, name: str) -> bool:
        """Whether to ask a source for an identifier: one it was not asked for, and, once the work
        is found with its abstract, only where it was never asked: it may know of a retraction."""
        names = {what for who, what in self.asked if who == source and what}
        return name not in names and not (names and self.done)

    def identified(self) -> Wanted:
        """The work with the identifiers that are known by now; one that misled is left out."""
        doi, arxiv = self.wanted.doi, self.wanted.arxiv
        if self.accounts:
            paper = merge(self.accounts).paper
            doi, arxiv = paper.doi or doi, paper.arxiv or arxiv
        for other in self.misled:
            doi = "" if doi == other.doi else doi
            arxiv = "" if arxiv == other.arxiv else arxiv
        return replace(self.wanted, doi=doi, arxiv=arxiv)

    def hear(self, source: str, answer: Answer, *, by_id: bool) -> None:
        """Take in what a source says. Who was silent on an identifier or the title has not looked,
        whatever it says on the other, unless it finds the work there."""
        if isinstance(answer, Silent):
            self.silent[source] = answer
            return
        before = len(self.accounts)
        if by_id:
            self._looked_up(answer)
        else:
            self._found(answer)
        self.answered[source] = None
        if len(self.accounts) > before:
            self.silent.pop(source, None)

    def _looked_up(self, papers: Sequence[Paper]) -> None:
        for paper in papers:
            found = match(self.wanted, paper)
            how = "DOI" if paper.doi and paper.doi == self.identified().doi else "arXiv id"
            stands = standing(self.wanted, paper)
            if stands is Standing.SAME:
                self._take(paper, how, found)
            else:
                self.refused.append(Refusal(paper, found))
                asked = (self.wanted.doi, self.wanted.arxiv)
                own = any(
                    x and x == y for x, y in zip(asked, (paper.doi, paper.arxiv), strict=True)
                )
                if stands is Standing.OTHER and own:
                    self.misled.append(paper)

    def _found(self, papers: Sequence[Paper]) -> None:
        accepted: list[tuple[Paper, Match]] = []
        for paper in papers:
            found = match(self.wanted, paper)
            if found.accepted:
                accepted.append((paper, found))
            else:
                self.refused.append(Refusal(paper, found))
        for paper, found in sorted(accepted, key=self._nearness):
            self._take(paper, "title", found)

    def _nearness(self, found: tuple[Paper, Match]) -> tuple[float, int, float]:
        """The order in which works that all fit are taken: title, year, then venue."""
        paper, figures = found[0], found[1].figures
        venue = likeness(self.wanted.venue, paper.venue).ratio
        return -figures.title, figures.years or 0, -venue

    def _take(self, paper: Paper, how: str, found: Match) -> None:
        if all(same_work(paper, account) for account in self.accounts):
            self.accounts.append(paper)
            self.how, self.match = self.how or how, self.match or found

    def outcome(self, names: Sequence[str]) -> Resolved | Unresolved:
        """What came of it; `names` is the order in which sources are told."""
        silent = tuple(self.silent[name] for name in names if name in self.silent)
        misled = self._misled()
        if self.accounts and self.match is not None:
            merged = merge(self.accounts)
            return Resolved(
                self.wanted,
                merged.paper,
                self.how,
                self.match,
                merged.said_by,
                silent,
                misled,
                merged.disputed,
            )
        nearest = sorted(self.refused, key=lambda refusal: -refusal.match.figures.title)
        heard = self.answered.keys() - self.silent.keys()
        answered = tuple(dict.fromkeys(name for name in names if name in heard))
        return Unresolved(self.wanted, answered, silent, tuple(nearest[:MOST_REFUSED]), misled)

    def _misled(self) -> Paper | None:
        """The work that the entry's DOI belongs to, where that is certainly another: nothing of it
        agrees, or the work that is meant was found under a DOI of its own."""
        own = self.wanted.doi
        if self.misled:
            # Another source may have the right work under it.
            names = {name for one in self.accounts for name in (one.doi, one.arxiv) if name}
            sure = (other for other in self.misled if other.source in REGISTRARS)
            return None if names & {own, self.wanted.arxiv} else next(sure, self.misled[0])
        if not own or not self.accounts or any(one.doi == own for one in self.accounts):
            return None
        found = merge(self.accounts).paper.doi
        if not found or found == own or of_a_server(found) or of_a_server(own):
            return None
        for refusal in self.refused:
            unlike = refusal.match.figures.title < STRICT.unlike
            if refusal.paper.doi == own and unlike and not contains(self.wanted, refusal.paper):
                return refusal.paper
        return None


_Asked: TypeAlias = tuple[Source, list[tuple[_Case, Wanted]]]


class _Desk:
    """Where a ring of sources is asked. One that is silent to all of a batch is not asked again:
    what is down stays down for the time that this takes."""

    def __init__(self, sources: Sequence[Source], workers: Workers) -> None:
        self._sources = sources
        self._workers = workers
        self._down: dict[str, Silent] = {}

    def by_id(self, cases: Sequence[_Case]) -> bool:
        """Ask every source for the identifiers that it was not asked for; whether any was asked."""
        batches: list[_Asked] = []
        for source in self._sources:
            batch: list[tuple[_Case, Wanted]] = []
            for case in cases:
                known = case.identified()
                name = f"{known.doi} {known.arxiv}"
                if name.strip() and case.open_to(source.name, name):
                    case.asked.add((source.name, name))
                    batch.append((case, known))
            batches += self._reachable(source, batch)

        def ask(item: _Asked) -> Sequence[Answer]:
            return item[0].by_id([known for _, known in item[1]])

        self._hear(batches, self._workers.each(ask, batches), by_id=True)
        return bool(batches)

    def by_title(self, cases: Sequence[_Case]) -> bool:
        """Ask for what is still open, each work in the next source of its own order; whether any
        was asked."""
        batches: dict[int, list[tuple[_Case, Wanted]]] = {}
        count = len(self._sources)
        for turn, case in enumerate(cases):
            for number in ((turn + step) % count for step in range(count)):
                if case.done or not case.wanted.title:
                    break
                name = self._sources[number].name
                if (name, "") not in case.asked:
                    case.asked.add((name, ""))
                    batches.setdefault(number, []).append((case, case.wanted))
                    if name not in self._down:
                        break
        items: list[_Asked] = []
        for number, batch in sorted(batches.items()):
            items += self._reachable(self._sources[number], batch)

        def ask(item: _Asked) -> Sequence[Answer]:
            return item[0].by_title([known for _, known in item[1]])

        self._hear(items, self._workers.each(ask, items), by_id=False)
        return bool(items)

    def _reachable(self, source: Source, batch: list[tuple[_Case, Wanted]]) -> list[_Asked]:
        """The batch, where there is one and the source is not down; who waits for it hears that."""
        down = self._down.get(source.name)
        if down is None:
            return [(source, batch)] if batch else []
        for case, _ in batch:
            case.hear(source.name, down, by_id=False)
        return []

    def _hear(
        self, batches: Sequence[_Asked], answers: Sequence[Sequence[Answer]], *, by_id: bool
    ) -> None:
        for (source, batch), replies in zip(batches, answers, strict=True):
            missing = Silent(source.name, "gave no answer")
            heard = [*replies, *[missing] * (len(batch) - len(replies))]
            for (case, _), answer in zip(batch, heard, strict=False):
                case.hear(source.name, answer, by_id=by_id)
            silent = [answer for answer in heard if isinstance(answer, Silent)]
            if len(silent) == len(heard):
                self._down[source.name] = silent[0]
