"""Ask the sources for works that several of a paper's references cite."""

from collections.abc import Sequence

from reviser.literature.paper import Paper
from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Answer, Numbered, Silent, Source, Wanted
from reviser.review.related import CitedTogether, Known, cited_together


def look_up(
    outcomes: Sequence[Resolved | Unresolved], sources: Sequence[Source]
) -> tuple[Known, ...]:
    """The works that at least three of the resolved references cite, as far as a source tells of
    them; a silent source tells of none. Raises nothing; Ctrl-C keeps what came."""
    together, telling = cited_together(outcomes)
    papers: dict[str, Paper] = {}
    try:
        for source in sources:
            _ask(source, [one for one in together if one.name not in papers], papers)
    except KeyboardInterrupt:
        pass
    return tuple(Known(papers[one.name], one.by, telling) for one in together if one.name in papers)


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
