"""Verdicts kept in the lines of a lockfile; see `kept` for when one holds."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from reviser.literature.resolve import Resolved, Unresolved
from reviser.literature.sources import Text
from reviser.verify.evidence import SOURCE_TEXT, Work
from reviser.verify.figures import JUDGED
from reviser.verify.kept import (
    Check,
    Digests,
    digest_of,
    digests_of,
    quoted_from,
    shortened,
    worth_keeping,
)
from reviser.verify.lock import (
    Line,
    Lock,
    SearchLine,
    TogetherLine,
    VerdictLine,
    WorkLine,
    plain,
)
from reviser.verify.model import Claim, Label, Lead, Passage, Support
from reviser.verify.triallines import passage_of, quote_line, search_line, trial_of
from reviser.verify.trials import Trial
from reviser.verify.worklines import (
    LONG,
    NOT_AT_HAND,
    doi_of,
    found_line,
    same_work,
    title_of,
    with_text,
)

ABSTRACT: Final = "abstract"
FULL: Final = "full text"
_BEGINS = 60
"""Characters of a claim that its line shows, so that a person can read what changed."""
_SAID = 2_000
_POINTED = 'it points at the words "'
_UNDECIDED = Label.ON_TOPIC


@dataclass(frozen=True, slots=True)
class Uses:
    """What became of the lines in a run: how many verdicts were told from them, and how many are
    new."""

    told: int
    new: int


class Keeping:
    """A `Kept` over a lockfile: begins with what the file says, and learns what is new."""

    def __init__(self, known: Lock) -> None:
        self._works = {line.id: line for line in known.works}
        self._verdicts = {line.id: line for line in known.verdicts}
        self._searches = {line.id: line for line in known.searches}
        self._together = {line.id: line for line in known.together}
        self._told: set[tuple[str, ...]] = set()
        self._new: set[tuple[str, ...]] = set()
        self._read: dict[tuple[str, ...], tuple[Passage, ...]] = {}
        self._digests: dict[str, tuple[tuple[Passage, ...], Digests]] = {}

    @property
    def lines(self) -> tuple[Line, ...]:
        """All that is known now."""
        return (
            *self._works.values(),
            *self._verdicts.values(),
            *self._searches.values(),
            *self._together.values(),
        )

    @property
    def uses(self) -> Uses:
        """What became of the lines so far."""
        return Uses(len(self._told - self._new), len(self._new))

    @property
    def recalled(self) -> int:
        """See `kept.Kept`."""
        return len(self._told - self._new)

    @property
    def verifier(self) -> str:
        """The verifier whose verdicts were told, "" where there were none; with several the last
        by name."""
        named = {self._verdicts[mark].verifier for mark in self._told if mark in self._verdicts}
        return max(named, default="")

    def work(self, work: Work) -> WorkLine | None:
        """What is known of a work; None where its entry means another by now."""
        line = self._works.get((work.key.lower(),))
        return line if line is not None and same_work(line, work) else None

    def learn(
        self, work: Work, text: Text, found: Resolved | Unresolved | None, *, abstracts: bool
    ) -> None:
        """Keep what came to hand of a work, and how it was found; `abstracts`: whatever their
        licence says."""
        kept = None if found is None else found_line(found)
        told = kept is not None and text.why_none != NOT_AT_HAND
        line = with_text(self._work_line(work), text, abstracts=abstracts, told=told)
        if kept is not None:
            line = line.model_copy(update={"found": kept})
        self._works[work.key.lower(),] = line

    def has(self, claim: Claim, key: str) -> bool:
        """Whether there is a verdict on the pair, whether it still holds or not."""
        return (digest_of(claim), key.lower()) in self._verdicts

    def used(self, claims: Sequence[Claim], works: Collection[str]) -> tuple[Line, ...]:
        """The lines that speak of these claims and works, by key in lower case, and the verdicts on
        works that searches found for them."""
        pairs = {(digest_of(claim), key.lower()) for claim in claims for key in claim.keys}
        chosen = {
            (mark[0], line.chosen.key.lower())
            for mark, line in self._searches.items()
            if mark in pairs and line.chosen is not None
        }
        pairs |= chosen
        asked = {mark for mark, _ in pairs}
        return (
            *(line for line in self._works.values() if line.work.lower() in works),
            *(line for mark, line in self._verdicts.items() if mark in pairs),
            *(line for mark, line in self._searches.items() if mark in pairs),
            *(line for (mark, *_), line in self._together.items() if mark in asked),
        )

    def verdict(self, claim: Claim, work: Work, check: Check) -> Support | None:
        """See `kept.Kept`."""
        line = self._verdicts.get((digest_of(claim), work.key.lower()))
        if line is None or not self._holds(line, work, check):
            return None
        self._told.add(line.id)
        return support_of(line, work)

    def keep(self, claim: Claim, work: Work, support: Support, check: Check) -> Support:
        """See `kept.Kept`."""
        if not worth_keeping(claim, work, support):
            return support
        before = self.verdict(claim, work, check)
        if before is not None:
            return before
        line = self._line(claim, work, support, check)
        self._verdicts[line.id] = line
        self._works[work.key.lower(),] = self._work_line(work)
        self._new.add(line.id)
        self._told.add(line.id)
        self._read[line.id] = support.passages
        return support_of(line, work)

    def read(self, claim: Claim, key: str) -> tuple[Passage, ...]:
        """See `kept.Kept`."""
        return self._read.get((digest_of(claim), key.lower()), ())

    def search(self, claim: Claim, work: Work, check: Check, limits: str) -> Trial | None:
        """See `kept.Kept`."""
        line = self._searches.get((digest_of(claim), work.key.lower()))
        if line is None or line.limits != plain(limits, LONG) or not _same_check(line, check):
            return None
        known = self._works.get((work.key.lower(),))
        return trial_of(line, work.key) if known is not None and same_work(known, work) else None

    def keep_search(
        self, claim: Claim, work: Work, trial: Trial, check: Check, limits: str
    ) -> Trial:
        """See `kept.Kept`."""
        line = search_line(digest_of(claim), work.key, trial, check, limits)
        self._searches[line.id] = line
        return replace(trial_of(line, trial.key), claim=trial.claim)

    def together(self, claim: Claim, works: Sequence[Work], check: Check) -> bool | None:
        """See `kept.Kept`."""
        line = self._together.get((digest_of(claim), *_keys(works)))
        if line is None or not _same_check(line, check):
            return None
        return line.entailed if line.text == self._text_of_all(works) else None

    def keep_together(
        self, claim: Claim, works: Sequence[Work], check: Check, *, entailed: bool
    ) -> None:
        """See `kept.Kept`."""
        line = TogetherLine(
            together=digest_of(claim),
            keys=tuple(plain(work.key, LONG) for work in works),
            topic=plain(check.topic, LONG),
            verifier=plain(check.verifier, LONG),
            reads=check.reads,
            version=check.version,
            text=self._text_of_all(works),
            entailed=entailed,
        )
        self._together[line.id] = line

    def _holds(self, line: VerdictLine, work: Work, check: Check) -> bool:
        known = self._works.get((work.key.lower(),))
        if known is None or not same_work(known, work) or not _same_verdict(line, check):
            return False
        same = line.text == _text(self._now(work, known), _weighed(line.label, line.read))
        return same and self._stands(line, work)

    def _stands(self, line: VerdictLine, work: Work) -> bool:
        """Whether the words quoted stand in the part of the work they are from, if it is here."""
        here = self._digests_of(work)
        at_hand = here.full if line.read == FULL else here.abstract
        return not at_hand or line.quote is None or quoted_from(line.quote.words, work)

    def _now(self, work: Work, known: WorkLine | None) -> Digests:
        """Digests of the texts: of those at hand, of the others as the lock has them."""
        here = self._digests_of(work)
        if known is None or not same_work(known, work):
            return here
        return Digests(here.abstract or known.abstract, here.full or known.full)

    def _digests_of(self, work: Work) -> Digests:
        found = self._digests.get(work.key)
        if found is None or found[0] != work.passages:
            found = self._digests[work.key] = (work.passages, digests_of(work))
        return found[1]

    def _line(self, claim: Claim, work: Work, support: Support, check: Check) -> VerdictLine:
        first = support.passages[0] if support.passages else None
        known = self._works.get((work.key.lower(),))
        full = any(passage.where == SOURCE_TEXT for passage in support.passages)
        part: Literal["abstract", "full text"] = FULL if full else ABSTRACT
        return VerdictLine(
            claim=digest_of(claim),
            key=plain(work.key, LONG),
            begins=plain(claim.text, _BEGINS),
            label=support.label,
            score=support.score,
            check=plain(support.check, LONG),
            topic=plain(check.topic, LONG),
            verifier=plain(check.verifier, LONG) if support.label in JUDGED else "",
            reads=check.reads if support.label in JUDGED else 0,
            version=check.version if support.label in JUDGED else "",
            read=part,
            text=_text(self._now(work, known), _weighed(support.label, part)),
            why=plain(_brief(support.why), _SAID),
            leads=tuple((plain(one.kind, LONG), plain(one.text, _SAID)) for one in support.leads),
            quote=None if first is None else quote_line(first),
        )

    def _work_line(self, work: Work) -> WorkLine:
        known = self._works.get((work.key.lower(),))
        if known is not None and not same_work(known, work):
            known = None
        now = self._now(work, known)
        line = WorkLine(
            work=plain(work.key, LONG),
            title=title_of(work),
            doi=plain(doi_of(work), LONG),
            abstract=now.abstract,
            full=now.full,
        )
        if known is None:
            return line
        mine = {"title": line.title, "doi": line.doi, "abstract": now.abstract, "full": now.full}
        return known.model_copy(update=mine)

    def _text_of_all(self, works: Sequence[Work]) -> str:
        texts = [_text(self._now(w, self._works.get((w.key.lower(),))), FULL) for w in works]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _same_check(line: VerdictLine | SearchLine | TogetherLine, check: Check) -> bool:
    """Whether a line is the word of this check; one without a verifier takes any verifier's."""
    if line.topic != plain(check.topic, LONG):
        return False
    mine = (plain(check.verifier, LONG), check.reads, check.version)
    return not check.verifier or (line.verifier, line.reads, line.version) == mine


def _same_verdict(line: VerdictLine, check: Check) -> bool:
    """Whether this check would have come to the verdict: a verifier has no part in what the topic
    alone decides, and topic alone decides nothing where a verifier is to be asked."""
    if line.label in JUDGED:
        return _same_check(line, check)
    undecided = line.label is _UNDECIDED and check.verifier
    return line.topic == plain(check.topic, LONG) and not undecided


def support_of(line: VerdictLine, work: Work) -> Support:
    """The verdict that a line tells; the number of the claim in it means nothing."""
    quoted = () if line.quote is None else (passage_of(line.quote, work.key),)
    return Support(
        claim=0,
        key=work.key,
        label=line.label,
        score=line.score,
        check=line.check,
        why=line.why,
        leads=tuple(Lead(kind, text) for kind, text in line.leads),
        passages=quoted,
    )


def _weighed(label: Label, read: str) -> str:
    """What the verdict would change with: a work is silent in all of it that is at hand."""
    return FULL if label is Label.SILENT else read


def _brief(why: str) -> str:
    """The reason with no more of the work's words than are kept."""
    before, mark, rest = why.partition(_POINTED)
    words, end, after = rest.rpartition('"')
    return "".join((before, mark, shortened(words), end, after)) if mark and end else why


def _text(digests: Digests, read: str) -> str:
    """One digest of what was read."""
    parts = (digests.abstract, digests.full if read == FULL else "")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _keys(works: Sequence[Work]) -> tuple[str, ...]:
    return tuple(work.key.lower() for work in works)
