"""Verdicts of earlier runs put in the place of new ones, and new ones kept for later runs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailment, Versioned
from reviser.text.source import Place
from reviser.verify.entail import verify
from reviser.verify.evidence import Work, lengthened
from reviser.verify.figures import JUDGED
from reviser.verify.hearing import HIDDEN, READ, More, touches, unjudged
from reviser.verify.kept import Check, Kept, check_of, rests_on_text
from reviser.verify.model import Claim, Support
from reviser.verify.thresholds import DEFAULT, Thresholds


def verify_once(
    manuscript: Manuscript,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    *,
    kept: Kept | None,
    embedder: Embedder,
    entailment: Entailment | None = None,
    rivals: Collection[str] = (),
    sentences: int = READ,
    hidden: Collection[Place] = (),
    asked: Collection[int] | None = None,
    more: More | None = None,
) -> tuple[Support, ...]:
    """As `verify`, whose verdicts are kept: what an earlier run said is said again, and where that
    is all, no model is asked and nothing compared. None keeps nothing."""
    known: Mapping[tuple[int, str], Support] | None = None
    check = check_by(embedder, entailment, sentences)
    if kept is not None:
        known = recalled(kept, claims, works, check, hidden=hidden, asked=asked)
    fetched: dict[str, Text] = {}

    def noting(keys: Collection[str]) -> Mapping[str, Text]:
        found = {} if more is None else more(keys)
        fetched.update(found)
        return found

    supports = verify(
        manuscript,
        claims,
        works,
        embedder=embedder,
        entailment=entailment,
        rivals=rivals,
        sentences=sentences,
        hidden=hidden,
        asked=asked,
        more=None if more is None else noting,
        known=known,
    )
    if kept is None or known is None:
        return supports
    longer = {key: lengthened(works[key], text) for key, text in fetched.items() if key in works}
    return told(kept, claims, {**works, **longer}, supports, check, known=known, asked=asked)


def check_by(
    embedder: Embedder,
    entailment: Entailment | None,
    sentences: int = READ,
    thresholds: Thresholds = DEFAULT,
) -> Check:
    """The check that these make."""
    verifier = "" if entailment is None else entailment.name
    version = entailment.version if isinstance(entailment, Versioned) else ""
    return check_of(embedder.name, repr(thresholds), verifier, sentences, version)


def recalled(
    kept: Kept,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    check: Check,
    *,
    hidden: Collection[Place] = (),
    asked: Collection[int] | None = None,
) -> Mapping[tuple[int, str], Support]:
    """The verdicts that are known beforehand, by claim and key; as `verify` would give them, a
    verifier's word on a sentence with words in `hidden` places is none."""
    found: dict[tuple[int, str], Support] = {}
    for number, claim in enumerate(claims):
        if not rests_on_text(claim):
            continue
        mine = check if asked is None or number in asked else check.by_topic
        unseen = any(touches(claim.at, place) for place in hidden)
        for key in claim.keys:
            work = works.get(key.lower())
            support = kept.verdict(claim, work, mine) if work is not None else None
            if support is None:
                continue
            support = replace(support, claim=number, key=key)
            if unseen and support.label in JUDGED:
                support = unjudged(support, HIDDEN)
            found[number, key] = support
    return found


def told(
    kept: Kept,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    supports: Sequence[Support],
    check: Check,
    *,
    known: Collection[tuple[int, str]] = (),
    asked: Collection[int] | None = None,
) -> tuple[Support, ...]:
    """The verdicts in the words in which they are kept, after keeping those that are new."""
    said: list[Support] = []
    for support in supports:
        work = works.get(support.key.lower())
        claim = claims[support.claim]
        if (support.claim, support.key) in known or work is None or not rests_on_text(claim):
            said.append(support)
            continue
        mine = check if asked is None or support.claim in asked else check.by_topic
        again = kept.keep(claim, work, support, mine)
        said.append(replace(again, claim=support.claim, key=support.key))
    return tuple(said)
