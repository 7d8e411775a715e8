"""Ask the sources for works that several of a paper's references cite."""

from collections.abc import Sequence
from dataclasses import replace

from reviser.findings import Finding
from reviser.literature.paper import Paper
from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Answer, Numbered, Silent, Source, Wanted
from reviser.literature.wanted import wanted_of
from reviser.manuscript.model import Manuscript
from reviser.pipeline.gathering import Gathered
from reviser.ports import Embedder
from reviser.review import related
from reviser.review.related import CitedTogether, Known, cited_together


def look_up(
    outcomes: Sequence[Resolved | Unresolved], sources: Sequence[Source]
) -> tuple[Known, ...]:
    """The works that at least three of the resolved references cite, as far as a source tells of
    them; a silent source tells of none. Raises nothing; Ctrl-C keeps what came."""
    papers: dict[str, Paper] = {}
    together: Sequence[CitedTogether] = ()
    telling = 0
    try:
        together, telling = cited_together(_told(outcomes, sources))
        for source in sources:
            _ask(source, [one for one in together if one.name not in papers], papers)
    except KeyboardInterrupt:
        pass
    return tuple(Known(papers[one.name], one.by, telling) for one in together if one.name in papers)


def _told(
    outcomes: Sequence[Resolved | Unresolved], sources: Sequence[Source]
) -> list[Resolved | Unresolved]:
    """The outcomes with what the works cite also where that was not kept: an earlier run's answer
    tells which work it is, and no more."""
    told = list(outcomes)
    for source in sources:
        bare = {
            number: Wanted(one.wanted.key, doi=one.paper.doi, arxiv=one.paper.arxiv)
            for number, one in enumerate(told)
            if isinstance(one, Resolved) and not one.paper.cites
            if one.paper.doi or one.paper.arxiv
        }
        answers = source.by_id(list(bare.values())) if bare else ()
        for number, answer in zip(bare, answers, strict=False):
            one = told[number]
            cites = () if isinstance(answer, Silent) or not answer else answer[0].cites
            if cites and isinstance(one, Resolved):
                paper = replace(one.paper, cites=cites)
                told[number] = replace(one, paper=paper, said_by=(("cites", source.name),))
    return told


def _ask(source: Source, open_: Sequence[CitedTogether], papers: dict[str, Paper]) -> None:
    own = [one.name for one in open_ if one.name.startswith(f"{source.name}:")]
    if own and isinstance(source, Numbered):
        answers = source.by_own_id([name.partition(":")[2] for name in own])
        _take(own, answers, papers)
    known = {one.name: _wanted(one.name) for one in open_}
    named = [name for name, wanted in known.items() if wanted is not None]
    if named:
        _take(named, source.by_id([w for w in known.values() if w is not None]), papers)


def _wanted(name: str) -> Wanted | None:
    kind, _, value = name.partition(":")
    if kind == "doi":
        return Wanted(name, doi=value)
    return Wanted(name, arxiv=value) if kind == "arxiv" else None


def _take(names: Sequence[str], answers: Sequence[Answer], papers: dict[str, Paper]) -> None:
    for name, answer in zip(names, answers, strict=False):
        if not isinstance(answer, Silent) and answer:
            papers[name] = answer[0]


def missing_from(
    manuscript: Manuscript, gathered: Gathered | None, embedder: Embedder
) -> tuple[Finding, ...]:
    """The works that the paper may lack, where somebody looked for these."""
    if gathered is None or not gathered.related:
        return ()
    wanted = [wanted_of(entry) for entry in manuscript.entries]
    found = related.missing_works(manuscript, gathered.related, gathered.outcomes, wanted, embedder)
    return related.findings_of(manuscript, found, embedder)


class Handful:
    """A `Searchable` of a few works that are at hand; whatever is asked, they are the answer."""

    def __init__(self, name: str, papers: Sequence[Paper]) -> None:
        self._name = name
        self._papers = tuple(papers)

    @property
    def name(self) -> str:
        """As it is printed."""
        return self._name

    def search(self, query: str, most: int) -> Answer:  # noqa: ARG002 - the port's signature
        """The first of them."""
        return self._papers[:most]
