"""The evidence lockfile and a paper: what holds, what is missing, what need not be looked up."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from reviser.latex.elements import BibEntry
from reviser.literature.match import match
from reviser.literature.paper import Paper
from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Text, Wanted
from reviser.literature.wanted import wanted_of
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Judges
from reviser.pipeline.gathering import Gathered, cited_entries, lent
from reviser.verify.claim import Per
from reviser.verify.claim import claims as read_claims
from reviser.verify.evidence import works as read_works
from reviser.verify.exempt import field_still_read
from reviser.verify.keeping import Keeping
from reviser.verify.kept import Check, rests_on_text
from reviser.verify.lock import Line, Lock, read, write
from reviser.verify.model import Claim
from reviser.verify.recall import check_by, recalled
from reviser.verify.worklines import read_from, resolution_of, text_of_line

NOTHING: Mapping[str, Paper] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and a key it cites."""

    claim: Claim
    key: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How a lockfile stands to a paper.

    `held` pairs of claim and key have a verdict that holds; of `stale` ones the claim, the text or
    the check has changed; `missing` ones have a text that was not judged; on `textless` ones
    nothing can be said. `orphans` are lines that nothing in the paper uses.
    """

    held: tuple[Pair, ...] = ()
    stale: tuple[Pair, ...] = ()
    missing: tuple[Pair, ...] = ()
    textless: tuple[Pair, ...] = ()
    orphans: tuple[Line, ...] = ()

    @property
    def up_to_date(self) -> bool:
        """Whether there is nothing to judge."""
        return not self.stale and not self.missing


def with_lock(judges: Judges, manuscript: Manuscript, keeping: Keeping) -> Judges:
    """The judges with the verdicts that are known, and with what the lock has of the texts."""
    works = read_works(manuscript, judges.sources)
    texts = dict(judges.sources)
    for key, work in works.items():
        line = keeping.work(work)
        if line is not None:
            texts[key] = _completed(texts.get(key), text_of_line(line))
    return replace(judges, sources=texts, kept=keeping)


def _completed(at_hand: Text | None, kept: Text) -> Text:
    """What is at hand of a work, with what is kept of it where that is nothing."""
    if at_hand is None:
        return kept
    if at_hand.abstract or at_hand.sections:
        return at_hand
    return replace(
        kept,
        paper=at_hand.paper or kept.paper,
        why_none=kept.why_none or at_hand.why_none,
    )


def standing(
    manuscript: Manuscript, sources: Mapping[str, Text], keeping: Keeping, check: Check, per: Per
) -> Standing:
    """How what is kept stands to a paper with the texts at hand of its works."""
    claims = read_claims(manuscript, per)
    works = read_works(manuscript, sources)
    known = recalled(keeping, claims, works, check)
    sorted_out: dict[str, list[Pair]] = {"held": [], "stale": [], "missing": [], "textless": []}
    for number, claim in enumerate(claims):
        if not rests_on_text(claim) or field_still_read(claim.exempt):
            continue
        for key in claim.keys:
            work = works.get(key.lower())
            line = None if work is None else keeping.work(work)
            read = line is not None and bool(line.abstract or line.full)
            if (number, key) in known:
                kind = "held"
            elif keeping.has(claim, key):
                kind = "stale"
            elif work is not None and (work.passages or read):
                kind = "missing"
            else:
                kind = "textless"
            sorted_out[kind].append(Pair(claim, key))
    used = set(map(id, keeping.used(claims, set(works))))
    orphans = tuple(line for line in keeping.lines if id(line) not in used)
    return Standing(**{kind: tuple(pairs) for kind, pairs in sorted_out.items()}, orphans=orphans)


@dataclass(frozen=True, slots=True)
class Settled:
    """What is known of the cited works without looking them up, by key in lower case: what they
    are (`outcomes`), and who had the texts that were read of them (`earlier`). `spared` need not
    be looked up: their text is at hand, no service has one, or every verdict of the paper holds.
    Where one is to be given, the texts of all works are wanted: a topic is judged beside theirs,
    and beside none a work of another field would pass."""

    outcomes: Mapping[str, Resolved | Unresolved]
    earlier: Mapping[str, str]
    spared: frozenset[str]

    def joined(self, gathered: Gathered | None, manuscript: Manuscript) -> Gathered | None:
        """What came of looking for the others, with what is known; None where that is nothing."""
        if gathered is None and not self.outcomes:
            return None
        new = gathered or Gathered({})
        both = {**self.outcomes, **{one.wanted.key.lower(): one for one in new.outcomes}}
        ordered = tuple(both[key] for key in cited_entries(manuscript) if key in both)
        return replace(new, outcomes=ordered, earlier=self.earlier)


def settled(manuscript: Manuscript, judges: Judges, keeping: Keeping, per: Per) -> Settled:
    """What need not be looked up by these judges, whose texts are those at hand already."""
    check = check_by(judges.embedder, judges.entailment, judges.sentences)
    now = standing(manuscript, judges.sources, keeping, check, per)
    open_still = {pair.key.lower() for pair in (*now.stale, *now.missing)}
    judged = bool(open_still)
    outcomes: dict[str, Resolved | Unresolved] = {}
    earlier: dict[str, str] = {}
    spared: set[str] = set()
    without = {pair.key.lower() for pair in now.textless}
    works = read_works(manuscript, judges.sources)
    for key, entry in cited_entries(manuscript).items():
        line = keeping.work(works[key])
        outcome = None if line is None else resolution_of(line, _wanted(manuscript, entry))
        if line is None or outcome is None:
            judged = judged or key in without
            continue
        outcomes[key] = outcome
        if line.abstract or line.full:
            earlier[key] = read_from(line)
        at_hand = bool(works[key].passages) and key not in open_still
        if line.words or line.none or at_hand:
            spared.add(key)
    return Settled(outcomes, earlier, frozenset(spared if judged else outcomes))


def _wanted(manuscript: Manuscript, entry: BibEntry) -> Wanted:
    return wanted_of(entry, lent(manuscript, entry))


def learned(
    keeping: Keeping,
    manuscripts: Collection[Manuscript],
    sources: Mapping[str, Text],
    outcomes: Collection[Resolved | Unresolved] = (),
    *,
    brought: Mapping[str, Paper] = NOTHING,
    abstracts: bool = False,
) -> None:
    """Keep what came to hand of the works of these papers, and how they were found; `brought` are
    those whose entries were written from what a source says, by key in lower case."""
    by_key = {outcome.wanted.key.lower(): outcome for outcome in outcomes}
    for manuscript in manuscripts:
        cited = {key.name.lower() for one in manuscript.citations for key in one.keys}
        for key, work in read_works(manuscript, sources).items():
            text, outcome = sources.get(key), by_key.get(key)
            if outcome is None and key in brought:
                outcome = _named_by(brought[key], _wanted(manuscript, work.entry))
            if key in cited and (text is not None or outcome is not None):
                keeping.learn(work, text or Text(), outcome, abstracts=abstracts)


def _named_by(paper: Paper, wanted: Wanted) -> Resolved:
    """How a work was found whose entry was written from what a source says of it."""
    how = "DOI" if paper.doi else "arXiv id" if paper.arxiv else "title"
    said = tuple((name, paper.source) for name in ("title", "authors", "year", "abstract"))
    return Resolved(wanted, paper, how, match(wanted, paper), said_by=said)


def pruned(keeping: Keeping, manuscript: Manuscript, per: Per) -> bytes:
    """The file with no more than the paper uses."""
    claims = read_claims(manuscript, per)
    return write(keeping.used(claims, set(manuscript.entry_of)))


def keeping_of(data: bytes | None) -> tuple[Keeping, Lock]:
    """Who keeps the verdicts of a file, None for one that is not there; and what it says."""
    lock = Lock() if data is None else read(data)
    return Keeping(lock), lock
