"""Gather what cited works say: look each of them up, and hold the texts that come of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeAlias

from reviser.latex.elements import BibEntry, CitationForm
from reviser.literature.paper import Paper
from reviser.literature.resolve import Resolved, Unresolved, resolve
from reviser.literature.sources import FullTexts, Section, Silent, Source, Text, Wanted, unheard
from reviser.literature.wanted import wanted_of
from reviser.manuscript.model import Manuscript
from reviser.pipeline.watching import Watch, Watched
from reviser.ports import Progress, Workers
from reviser.review.related import Known
from reviser.verify.claim import Per
from reviser.verify.claim import claims as read_claims
from reviser.verify.evidence import inherited, works
from reviser.verify.exempt import topic_still_read

Outcome: TypeAlias = Resolved | Unresolved
_NONE: Mapping[str, Text] = MappingProxyType({})
READING = "reading open-access texts"
_LENT = ("author", "editor", "year", "date", "journal", "journaltitle", "booktitle")


class Library:
    """Open-access texts of works, each fetched once, when it is asked for."""

    def __init__(
        self,
        papers: Mapping[str, Paper],
        full_texts: FullTexts,
        workers: Workers,
        progress: Progress | None = None,
    ) -> None:
        """`papers` are the works by citation key in lower case."""
        self._papers = papers
        self._full_texts = full_texts
        self._workers = workers
        self._progress = progress
        self._known: dict[str, tuple[Section, ...] | Silent] = {}

    def __call__(self, keys: Collection[str]) -> Mapping[str, Text]:
        """The texts of these works, as far as there are any; after Ctrl-C those that came."""
        new = [key for key in keys if key in self._papers and key not in self._known]
        if new:
            try:
                self._workers.each(self._fetch, new, self._told(len(new)))
            except KeyboardInterrupt:
                for key in new:
                    self._known.setdefault(key, ())
        found: dict[str, Text] = {}
        for key in keys:
            sections = self._known.get(key, ())
            if sections and not isinstance(sections, Silent):
                place = self._full_texts.place_of(self._papers[key])
                found[key] = Text(sections=sections, full_from=place)
        return found

    @property
    def places(self) -> frozenset[str]:
        """Where the texts are from, as a passage names it."""
        known = (key for key, text in self._known.items() if text and not isinstance(text, Silent))
        return frozenset(self._full_texts.place_of(self._papers[key]) for key in known)

    @property
    def silent(self) -> tuple[Silent, ...]:
        """Why texts could not be had, each reason once."""
        silent = (one for one in self._known.values() if isinstance(one, Silent))
        return tuple(dict.fromkeys(silent))

    def _fetch(self, key: str) -> None:
        sections = self._full_texts.text(self._papers[key])
        self._known.setdefault(key, sections)

    def _told(self, total: int) -> Callable[[int], None] | None:
        progress = self._progress
        return None if progress is None else lambda done: progress.step(READING, done, total)


@dataclass(frozen=True)
class Gathered:
    """What came of looking for the works that a paper cites.

    `texts` are by citation key in lower case, as in `Judges`; `more` brings full texts when they
    are asked for. `outcomes` are of those that were looked up, in the order in which they are
    cited. `asked` names the services; `silent` are those that did not answer, each reason once.
    `earlier` says who had the texts that an earlier run read and that are not at hand, by key.
    `stopped`: somebody ended it before its end. `related` are works that several of the cited
    ones cite (`pipeline.relating`), where somebody asked for these.
    """

    texts: Mapping[str, Text]
    outcomes: tuple[Outcome, ...] = ()
    asked: tuple[str, ...] = ()
    silent: tuple[Silent, ...] = ()
    more: Library | None = None
    stopped: bool = False
    related: tuple[Known, ...] = ()
    earlier: Mapping[str, str] = field(default_factory=dict)


def gather(
    manuscript: Manuscript,
    sources: Sequence[Source],
    workers: Workers,
    *,
    own: Sequence[Source] = (),
    texts: Mapping[str, Text] = _NONE,
    full_texts: FullTexts | None = None,
    spared: Collection[str] = (),
    per: Per = "group",
    progress: Progress | None = None,
) -> Gathered:
    """Look up every cited work, but for those that are `spared`, by key in lower case.

    All are looked up, those with an abstract in the bibliography too: that tells of retractions
    and of entries that mean another work. `own` are the reader's collections, searched before any
    of the `sources`; `texts` are at hand already, by key. Open-access texts are read at once for
    works without any other text that a claim rests on, for others when `Gathered.more` is called.
    A source that is silent leaves its works as they are. Raises nothing; Ctrl-C keeps what came.
    """
    wanted = [
        wanted_of(entry, lent(manuscript, entry))
        for key, entry in cited_entries(manuscript).items()
        if key not in spared
    ]
    watch = Watch(len(wanted), progress)
    outcomes = _looked_up(wanted, [*own], [Watched(one, watch) for one in sources], workers, watch)
    names = tuple(one.name for one in (*own, *sources))
    held = dict(texts)
    for outcome in outcomes:
        key = outcome.wanted.key.lower()
        held[key] = told(held.get(key, Text()), outcome, names)
    library = None
    if full_texts is not None and not watch.stopped:
        papers = {
            outcome.wanted.key.lower(): outcome.paper
            for outcome in outcomes
            if isinstance(outcome, Resolved) and full_texts.place_of(outcome.paper)
        }
        library = Library(papers, full_texts, workers, progress)
        bare = _bare(manuscript, held, per) & papers.keys()
        for key, text in library(sorted(bare)).items():
            held[key] = replace(held[key], sections=text.sections, full_from=text.full_from)
    order = {name: number for number, name in enumerate(names)}
    silent = sorted(
        dict.fromkeys(one for outcome in outcomes for one in outcome.silent),
        key=lambda one: order.get(one.source, len(order)),
    )
    return Gathered(
        held,
        outcomes,
        tuple(one.name for one in sources),
        tuple(silent),
        library,
        watch.stopped,
    )


def _looked_up(
    wanted: Sequence[Wanted],
    own: Sequence[Source],
    sources: Sequence[Source],
    workers: Workers,
    watch: Watch,
) -> tuple[Outcome, ...]:
    """What the works are; after Ctrl-C as far as that is known from what was answered."""
    if not wanted or not (own or sources):
        return ()
    watch.begin()
    try:
        return resolve(wanted, sources, workers, own=own)
    except KeyboardInterrupt:
        watch.stopped = True
        return resolve(wanted, sources, workers, own=own)
    finally:
        watch.over()


def cited_entries(manuscript: Manuscript) -> Mapping[str, BibEntry]:
    """The entries that the text cites, by key in lower case, in the order of their first citation;
    what stands in the bibliography only is not among them."""
    cited = dict.fromkeys(
        key.name.lower()
        for citation in manuscript.citations
        if citation.form is not CitationForm.UNSEEN
        for key in citation.keys
    )
    return {key: manuscript.entry_of[key] for key in cited if key in manuscript.entry_of}


def lent(manuscript: Manuscript, entry: BibEntry) -> Mapping[str, str]:
    """The fields that a parent of the entry lends it."""
    return {name: text for name in _LENT if (text := inherited(manuscript, entry, name))}


def told(at_hand: Text, outcome: Outcome, names: Sequence[str]) -> Text:
    """The text of a work with what looking it up brought; `names` are all that could be asked, in
    the order in which they are told."""
    order = {name: number for number, name in enumerate(names)}
    silent = sorted(outcome.silent, key=lambda one: order.get(one.source, len(order)))
    mute = unheard(silent)
    if isinstance(outcome, Unresolved):
        found = ", ".join(name for name in names if name in outcome.answered)
        nowhere = f"not found in {found}" if found else outcome.why
        return replace(at_hand, why_none=mute or nowhere)
    paper = outcome.paper
    return replace(
        at_hand,
        paper=paper,
        abstract=paper.abstract,
        abstract_from=outcome.source_of("abstract"),
        why_none="" if paper.abstract else mute or f"no abstract in {', '.join(names)}",
    )


def _bare(manuscript: Manuscript, held: Mapping[str, Text], per: Per) -> set[str]:
    """The works, by key in lower case, that a claim rests on and that have no text."""
    asserting = {
        key.lower()
        for claim in read_claims(manuscript, per)
        if not claim.exempt or topic_still_read(claim.exempt)
        for key in claim.keys
    }
    known = works(manuscript, held)
    return {key for key in asserting if key in known and not known[key].passages}
