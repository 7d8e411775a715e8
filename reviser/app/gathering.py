"""Bring in the evidence: texts of cited works from the reader's files and literature services."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import click

from reviser.adapters.workers import Threads
from reviser.app.opening import Opened
from reviser.app.own_texts import exports_of, texts_of
from reviser.app.services import services_of
from reviser.literature.sources import Searchable, Source, Text
from reviser.pipeline.gathering import Gathered, cited_entries, gather
from reviser.pipeline.locking import Settled
from reviser.pipeline.relating import Handful, look_up
from reviser.ports import Progress
from reviser.review.related import RULES as RELATED_RULES
from reviser.text.printable import many, printable
from reviser.verify.references import RULES as REFERENCE_RULES
from reviser.verify.repair import RULES as REPAIR_RULES

SIDE_BY_SIDE = 8
"""Sources that are asked, and texts that are fetched, at the same time; each has its own pace."""


Known: TypeAlias = Callable[[Mapping[str, Text]], Settled]
"""What is known of the cited works, given the texts at hand."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """`texts` of cited works by key in lower case, where works are searched that the bibliography
    does not have, and what came of looking, None where nobody was to look."""

    texts: Mapping[str, Text] = field(default_factory=dict)
    beyond: tuple[Searchable, ...] = ()
    gathered: Gathered | None = None


def evidence_of(
    opened: Opened, seen: Progress | None = None, known: Known | None = None
) -> Evidence:
    """What the settings say is to be had of the cited works; tells on the error stream what is
    sent to whom, and what could not be used. What is `known` is not looked up.

    Raises UsageError for a folder that is not there and a service that cannot be asked.
    """
    settings = opened.settings
    answering = {*REPAIR_RULES, *REFERENCE_RULES, *RELATED_RULES}
    if settings.rules and answering.isdisjoint(settings.rules):
        return Evidence()
    services = services_of(opened)
    if not services.sources and not settings.sources and known is None:
        return Evidence()
    texts = texts_of(opened, seen)
    settled = None if known is None else known(texts)
    spared = frozenset[str]() if settled is None else settled.spared
    if not services.sources and not settings.sources:
        whole = None if settled is None else settled.joined(None, opened.manuscript)
        return Evidence(texts, (), whole)
    if services.sources and not settings.lookup.offline:
        _tell(opened, services.sources, spared)
    gathered = gather(
        opened.manuscript,
        services.sources,
        Threads(SIDE_BY_SIDE),
        own=exports_of(opened),
        texts=texts,
        spared=spared,
        full_texts=services.full_texts,
        per=settings.claims,
        progress=seen,
    )
    if gathered.stopped:
        click.echo("stopped looking up cited works; going on with what came", err=True)
    whole = gathered if settled is None else settled.joined(gathered, opened.manuscript)
    near: tuple[Searchable, ...] = ()
    if settings.lookup.related and not gathered.stopped and whole is not None:
        related = look_up(whole.outcomes, services.sources)
        whole = replace(whole, related=related)
        # Works that the paper may lack are where a writer looks for them first.
        near = (Handful("works cited together", [one.paper for one in related]),)
    # Whoever pressed Ctrl-C does not want services to be searched later either.
    beyond = () if gathered.stopped else services.sources
    return Evidence(gathered.texts, (*near, *beyond), whole)


def _tell(opened: Opened, sources: Sequence[Source], spared: Collection[str]) -> None:
    cited = len(cited_entries(opened.manuscript).keys() - spared)
    if cited:
        names = ", ".join(source.name for source in sources)
        click.echo(
            f"looking up {many(cited, 'cited work')} in {printable(names)}: titles, names of "
            "authors and identifiers of these works are sent, and the words of a claim that no "
            "work in the bibliography bears out",
            err=True,
        )
