"""Search the corpus of a paper, fill it from services and files, and say what is in it."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from reviser.adapters.clusters import SphericalKMeans
from reviser.adapters.workers import Threads
from reviser.app.corpus import open_library, take_own, told
from reviser.app.opening import Opened
from reviser.app.services import services_of
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.literature.expand import Candidate, Expansion, Limits, Means, Step, begin, expand
from reviser.literature.filter import Filtered, filtered
from reviser.literature.index import Held
from reviser.literature.naming import AskedNamer, Namer, Phrases
from reviser.literature.paper import Paper
from reviser.literature.sources import Answer, Silent, Source
from reviser.roles import Role
from reviser.text.printable import printable
from reviser.verify.words import STOPWORDS

AT_A_TIME = 50
"""Papers asked of each service in one search."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search of the corpus found, best first. `silent` are services that did not answer;
    `judged` is None where no model was asked which of the works matter."""

    topic: str
    corpus: str
    works: tuple[Held, ...]
    silent: tuple[str, ...]
    judged: Filtered | None


def search(opened: Opened, topic: str, most: int, helper: Role | None) -> Searched:
    """The works of the corpus on a topic, after the services that may be asked have added theirs.

    Raises NoIndex, UsageError, and what asking the helper raises.
    """
    library = open_library(opened)
    seen = progress()
    take_own(library, opened, seen)
    silent: list[str] = []
    sources = services_of(opened).sources
    if sources:
        _say(sources, f"the words {topic!r}")

        def ask(source: Source) -> Answer:
            return source.search(topic, AT_A_TIME)

        for answer in Threads(len(sources)).each(ask, sources):
            if isinstance(answer, Silent):
                silent.append(str(answer))
            else:
                library.corpus.add(answer, f"search: {topic}", told(seen, "embedding"))
    works = library.corpus.ranked(topic, most)
    judged = None
    if helper is not None:
        step = told(seen, "judging papers")
        judged = filtered(
            topic,
            [held.paper for held in works],
            vectors=library.vectors,
            helper=helper,
            nearest=len(works),
            told=None if step is None else lambda done: step(done, len(works)),
        )
    return Searched(topic, library.name, works, tuple(silent), judged)


@dataclass(frozen=True, slots=True)
class Expanded:
    """What an expansion found, in this run and in earlier ones; the first `before` steps are of
    those."""

    expansion: Expansion
    before: int
    corpus: str
    size: int


def expand_topic(
    opened: Opened,
    topic: str,
    keywords: Sequence[str],
    limits: Limits,
    helper: Role | None,
    *,
    anew: bool,
) -> Expanded:
    """Fill the corpus with the literature of a topic; an earlier run of the same is gone on with
    unless it is to be done `anew`.

    Raises UsageError where no service may be asked, NoIndex, and what asking the helper raises.
    """
    sources = services_of(opened).sources
    if not sources:
        raise UsageError(
            "no literature service may be asked, so nothing can be found",
            hint="Say which: --lookup all, or --lookup openalex,arxiv",
        )
    library = open_library(opened)
    seen = progress()
    take_own(library, opened, seen)
    _say(sources, f"the words {topic!r} and keywords of the papers that are found")
    phrases: Namer = Phrases(STOPWORDS)
    started = time.monotonic()
    note = f"expand: {topic}"
    begun = None if anew else _read(library.index.note(note))
    begun = begun or begin(topic, keywords)
    new = [k for k in keywords if k not in begun.pool]
    begun = replace(begun, pool=(*begun.pool, *new))

    def keep(papers: Sequence[Paper], via: str) -> None:
        library.corpus.add(papers, via, told(seen, "embedding"))

    def record(expansion: Expansion) -> None:
        library.index.keep_note(note, json.dumps(asdict(expansion)))
        if seen is not None:
            total = max(limits.documents, len(expansion.names) + 1)
            seen.step("papers found", len(expansion.names), total)

    means = Means(
        sources=sources,
        vectors=library.vectors,
        clusters=SphericalKMeans(library.vectors),
        namer=phrases if helper is None else AskedNamer(helper, phrases),
        workers=Threads(len(sources)),
        seconds=lambda: time.monotonic() - started,
        keep=keep,
        record=record,
    )
    known = tuple(library.corpus.get(begun.names).values())
    found = expand(begun, known, limits, means)
    if seen is not None:
        seen.step("papers found", 1, 1)
    return Expanded(found, len(begun.steps), library.name, library.index.size())


@dataclass(frozen=True, slots=True)
class Status:
    """What is in a corpus: works, those with an abstract, an identifier, a notice; how many each
    way brought; how many are not embedded yet; bytes of the file, 0 where a server keeps it."""

    corpus: str
    works: int
    abstracts: int
    identified: int
    notices: int
    waiting: int
    size: int
    brought: tuple[tuple[str, int], ...]


def status(opened: Opened) -> Status:
    """What is in the corpus; a corpus that is not there yet has nothing in it."""
    library = open_library(opened)
    ways: dict[str, int] = {}
    works = abstracts = identified = notices = 0
    for held in library.index.all():
        works += 1
        abstracts += bool(held.paper.abstract)
        identified += bool(held.paper.doi or held.paper.arxiv)
        notices += held.paper.notice is not None
        for via in held.via:
            ways[via] = ways.get(via, 0) + 1
    brought = tuple(sorted(ways.items(), key=lambda way: (-way[1], way[0])))
    return Status(
        library.name, works, abstracts, identified, notices, library.waiting, _size(library.file),
        brought,
    )  # fmt: skip


def _size(file: Path | None) -> int:
    return file.stat().st_size if file is not None and file.exists() else 0


def _say(sources: Sequence[Source], what: str) -> None:
    names = ", ".join(source.name for source in sources)
    click.echo(f"asking {printable(names)}: {printable(what)} are sent", err=True)


def _read(text: str) -> Expansion | None:
    """The expansion that a note holds, None where it holds none that can be read."""
    try:
        said = json.loads(text)
        steps = tuple(
            Step(
                keyword=str(step["keyword"]),
                found=tuple((str(name), int(count)) for name, count in step["found"]),
                silent=tuple(map(str, step["silent"])),
                new=int(step["new"]),
                total=int(step["total"]),
                candidates=tuple(Candidate(**one) for one in step["candidates"]),
                chosen=str(step["chosen"]),
            )
            for step in said["steps"]
        )
        return Expansion(
            topic=str(said["topic"]),
            pool=tuple(map(str, said["pool"])),
            steps=steps,
            names=tuple(map(str, said["names"])),
            stopped=str(said["stopped"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
