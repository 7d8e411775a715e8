"""The evidence layer: is the paper better supported after a citation repair than before?"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, TypeVar

from reviser.manuscript.model import Manuscript
from reviser.revise.atoms import CITATION_KEY, ENTRY
from reviser.revise.change import Change
from reviser.revise.verdict import Outcome, Score
from reviser.text.edit import Allowed, Purpose
from reviser.text.source import Place
from reviser.verify.model import Claim, Label, Support

#: How far a new key's score must lie above the old one's, where one check gave both.
MARGIN = 0.1

Answer = TypeVar("Answer")

ACCUSED = frozenset({Label.OFF_TOPIC, Label.CONTRADICTED})
_GOOD = frozenset({Label.ON_TOPIC, Label.SUPPORTED})
VERIFIED = frozenset({Label.SUPPORTED, Label.CONTRADICTED, Label.SILENT})


class Known(NamedTuple):
    """What verify says of a paper: its claims, and one support for each claim and key."""

    claims: tuple[Claim, ...]
    supports: tuple[Support, ...]


#: Verifies a whole paper. It must give the same answer for the same paper.
Evidence: TypeAlias = Callable[[Manuscript], Known]


class Weighed(NamedTuple):
    """What the evidence says of an edit, in words and in the scores of the keys it touches."""

    outcome: Outcome
    reasons: tuple[str, ...]
    before: tuple[Score, ...] = ()
    after: tuple[Score, ...] = ()


def weigh(change: Change, before: Known, after: Known, *, margin: float = MARGIN) -> Weighed:
    """Judge a prune, a replacement or a rewritten claim by the verdicts before and after it.

    Undecided where the evidence does not speak of the claim; rejected where it speaks against.
    """
    old, new = _Table(before), _Table(after)
    worse = old.worse(new)
    if worse:
        return Weighed(Outcome.REJECTED, (worse,))
    if change.edit.purpose is Purpose.CLAIM_REWRITE:
        return _rewritten(change, after)
    keys = [allowed for allowed in change.edit.allows if allowed.kind != ENTRY]
    parts = [_repaired(change, allowed, old, new, margin) for allowed in keys]
    if not parts:
        return Weighed(Outcome.UNDECIDED, ("the edit names no key that evidence could speak of",))
    outcome = next(
        (o for o in (Outcome.REJECTED, Outcome.UNDECIDED) if any(p.outcome is o for p in parts)),
        Outcome.ACCEPTED,
    )
    reasons = tuple(r for p in parts if p.outcome is outcome for r in p.reasons)
    if outcome is Outcome.ACCEPTED and not _verified(before, after):
        reasons = ("topic evidence only", *reasons)
    return Weighed(
        outcome,
        reasons,
        tuple(s for p in parts for s in p.before),
        tuple(s for p in parts for s in p.after),
    )


class _Table:
    """Supports by the citations of their claim (which edits do not renumber) and key."""

    def __init__(self, known: Known) -> None:
        self.claims = known.claims
        self.of: dict[tuple[tuple[int, ...], str], Support] = {}
        for support in known.supports:
            citations = known.claims[support.claim].citations
            self.of.setdefault((citations, support.key.lower()), support)

    def get(self, claim: Claim, key: str) -> Support | None:
        return self.of.get((claim.citations, key.lower()))

    def worse(self, after: "_Table") -> str | None:
        """The first pair of claim and key that the evidence judges worse afterwards."""
        for identity, then in self.of.items():
            now = after.of.get(identity)
            if now is None:
                continue
            accused = now.label in ACCUSED and then.label not in ACCUSED
            if accused or (then.label is Label.SUPPORTED and now.label is not Label.SUPPORTED):
                return f"a claim would fare worse: {then.key} {then.label}, then {now.label}"
        return None


def _repaired(
    change: Change, allowed: Allowed, before: _Table, after: _Table, margin: float
) -> Weighed:
    """The word on one key that goes, and on the one that comes for it, if any."""
    where = _citation(change.before, allowed.at)
    claims = [claim for claim in before.claims if where in claim.citations]
    if allowed.kind != CITATION_KEY or allowed.lost is None or not claims:
        return Weighed(Outcome.UNDECIDED, ("no claim rests on the citation that changes",))
    found = [_of_claim(claim, allowed, before, after, margin) for claim in claims]
    return next((w for w in found if w.outcome is not Outcome.ACCEPTED), found[0])


def _of_claim(
    claim: Claim, allowed: Allowed, before: _Table, after: _Table, margin: float
) -> Weighed:
    lost, gained = allowed.lost or "", allowed.gained
    old = before.get(claim, lost)
    if old is None or old.label in {Label.UNCHECKED, Label.NOT_CHECKABLE}:
        what = old.label if old else "no verdict"
        return Weighed(Outcome.UNDECIDED, (f"{lost}: {what}, so nothing speaks against it",))
    then = (score_of(old),)
    if old.label not in ACCUSED:
        return Weighed(Outcome.REJECTED, (f"{lost} is {old.label}",), then)
    if gained is None:
        return _pruned(claim, old, before, after, then)
    return _replaced(old, after.get(claim, gained), gained, margin, then)


def _replaced(
    old: Support, new: Support | None, gained: str, margin: float, then: tuple[Score, ...]
) -> Weighed:
    if new is None or new.label in {Label.UNCHECKED, Label.NOT_CHECKABLE}:
        return Weighed(Outcome.UNDECIDED, (f"{gained} could not be checked",), then)
    now = (score_of(new),)
    outcome, reason = Outcome.REJECTED, ""
    if new.label not in _GOOD:
        reason = f"{gained} is {new.label}"
    elif new.label is Label.SUPPORTED:
        outcome, reason = (
            Outcome.ACCEPTED,
            f"{old.key} {said_of(old)}; {gained} {said_of(new)}",
        )
    elif old.label is Label.CONTRADICTED:
        reason = f"{old.key} is contradicted, and nothing shows that {gained} supports the claim"
    elif new.check != old.check or new.score is None or old.score is None:
        outcome = Outcome.UNDECIDED
        reason = f"the scores of {old.key} and {gained} cannot be compared"
    elif new.score - old.score < margin:
        reason = f"{gained} is ahead of {old.key} by {new.score - old.score:.2f} only"
    else:
        outcome, reason = (
            Outcome.ACCEPTED,
            f"{old.key} {said_of(old)}; {gained} {said_of(new)}",
        )
    return Weighed(outcome, (reason,), then, now)


def _pruned(
    claim: Claim, old: Support, before: _Table, after: _Table, then: tuple[Score, ...]
) -> Weighed:
    for key in claim.keys:
        was, now = before.get(claim, key), after.get(claim, key)
        if key.lower() != old.key.lower() and was and now and {was.label, now.label} <= _GOOD:
            reason = f"{old.key} {said_of(old)}; {key} stays and {said_of(now)}"
            return Weighed(Outcome.ACCEPTED, (reason,), then, (score_of(now),))
    reason = f"no other key of the claim holds it up without {old.key}"
    return Weighed(Outcome.REJECTED, (reason,), then)


def _rewritten(change: Change, after: Known) -> Weighed:
    """A rewritten claim must be supported by what it cites, which only a verifier can say."""
    touched = [
        number
        for number, claim in enumerate(after.claims)
        if any(_near(change, part.at.path, claim.at) for part in change.edit.replacements)
    ]
    if not touched or not _verified(after):
        return Weighed(Outcome.UNDECIDED, ("no verifier model says whether the claim is entailed",))
    for number in touched:
        mine = [support for support in after.supports if support.claim == number]
        labels = {support.label for support in mine}
        if Label.SUPPORTED not in labels or labels & ACCUSED:
            reason = "the rewritten claim is not supported by what it cites"
            return Weighed(Outcome.REJECTED, (reason,), (), tuple(score_of(s) for s in mine))
    scores = tuple(score_of(s) for s in after.supports if s.claim in touched)
    reason = "the rewritten claim is supported by what it cites"
    return Weighed(Outcome.ACCEPTED, (reason,), (), scores)


def _near(change: Change, path: str, place: Place) -> bool:
    return place.path == path and any(
        window.overlaps(place.span) for _, window in change.windows(path)
    )


def _citation(manuscript: Manuscript, at: Place) -> int | None:
    """The index of the citation whose key stands at `at`."""
    for index, citation in enumerate(manuscript.citations):
        if citation.at.path == at.path and citation.at.span.covers(at.span):
            return index
    return None


def _verified(*known: Known) -> bool:
    return any(support.label in VERIFIED for one in known for support in one.supports)


def said_of(support: Support) -> str:
    """The label with its score, as the end of a sentence."""
    score = "" if support.score is None else f" ({support.score:.2f})"
    return f"is {support.label}{score}"


def score_of(support: Support) -> Score:
    """The support's score by the name of its key and check."""
    return Score(f"{support.key}, {support.check}", support.score, None, str(support.label))


def remembering(ask: Callable[[Manuscript], Answer]) -> Callable[[Manuscript], Answer]:
    """The same question, put once of each of the two papers last asked about."""
    asked: list[tuple[Manuscript, Answer]] = []

    def known(manuscript: Manuscript) -> Answer:
        for place, (paper, answer) in enumerate(asked):
            if paper is manuscript:
                asked.append(asked.pop(place))
                return answer
        answer = ask(manuscript)
        asked.append((manuscript, answer))
        del asked[:-2]
        return answer

    return known
