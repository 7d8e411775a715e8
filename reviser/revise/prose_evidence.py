"""The evidence layer for written edits: touched claims fare no worse, and what is added is shown.

A citation that is gained must be supported, by a verifier, for each of its keys; a sentence that
is added without one must follow from what its own section already says (METHODS 8).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

from reviser.manuscript.model import Manuscript, Sentence
from reviser.ports import Entailed, Unjudged
from reviser.review import withheld
from reviser.revise.atoms import CITATION_KEY
from reviser.revise.block_evidence import Passages, block_at, own_section, table_at, weigh_cells
from reviser.revise.change import Change
from reviser.revise.evidence import ACCUSED, VERIFIED, Known, Weighed, said_of, score_of
from reviser.revise.verdict import Outcome
from reviser.text.source import Span
from reviser.verify.model import Claim, Label, Support
from reviser.verify.thresholds import DEFAULT

#: Whether the paper's own text, the first, entails a sentence, the second.
Grounded: TypeAlias = Callable[[str, str], Entailed | Unjudged]

_PROSE = frozenset({"body", "abstract", "item", "caption", "footnote"})
_UNKNOWN = frozenset({Label.UNCHECKED, Label.NOT_CHECKABLE})
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_MANY = 3
"""Long words that make another sentence of one whose beginning or end stays."""
_MARK = re.compile(r"\[\d[\d,;–\- ]*\]")


def weigh_prose(
    change: Change,
    before: Known | None,
    after: Known | None,
    grounded: Grounded | None,
    passages: Passages | None = None,
) -> Weighed:
    """Judge a written edit; `before` and `after` are None where nothing verifies citations.
    `passages` are what a table's quotations are looked up in.

    Undecided where what is needed could not be asked; rejected where the answer is no.
    """
    parts = [
        *_of_citations(change, before, after),
        *weigh_cells(change, passages),
        *_of_sentences(change, grounded),
    ]
    outcome = next(
        (o for o in (Outcome.REJECTED, Outcome.UNDECIDED) if any(p.outcome is o for p in parts)),
        Outcome.ACCEPTED,
    )
    reasons = tuple(dict.fromkeys(r for p in parts if p.outcome is outcome for r in p.reasons))
    return Weighed(
        outcome,
        reasons or ("no claim is touched or added",),
        tuple(s for p in parts for s in p.before),
        tuple(s for p in parts for s in p.after),
    )


def _of_citations(change: Change, before: Known | None, after: Known | None) -> Iterator[Weighed]:
    kept = _kept_citations(change)
    if kept is None:
        yield Weighed(Outcome.UNDECIDED, ("the citations before and after cannot be paired",))
        return
    # A table's citations are borne out by what is quoted for its cells, not by a claim.
    added = [
        number
        for number in sorted(frozenset(range(len(change.after.citations))) - frozenset(kept))
        if not table_at(change, change.after.citations[number].at)
    ]
    if before is None or after is None:
        if added or _cites_there(change):
            reason = "a claim is touched or added, and no evidence check was run"
            yield Weighed(Outcome.UNDECIDED, (reason,))
        return
    then, known = _Pairs(before), _Pairs(after)
    dropped, joined = _relisted(change, kept)
    for old, now in _touched(then, known, kept, frozenset(dropped)):
        yield _compared(old, now)
    for citation, name in dropped:
        yield _lost(name, then.get(citation, name))
    for citation, name in joined:
        yield _gained(name, known.get(citation, name))
    for citation in added:
        for key in change.after.citations[citation].keys:
            yield _gained(key.name, known.get(citation, key.name))


def _kept_citations(change: Change) -> tuple[int, ...] | None:
    """The number afterwards of each citation that there was before; None if they do not fit."""
    added = {path: change.inserted(path) for path in change.edit.paths}
    kept = tuple(
        number
        for number, citation in enumerate(change.after.citations)
        if not any(span.covers(citation.at.span) for span in added.get(citation.at.path, ()))
    )
    before = change.before.citations
    said = frozenset(
        name
        for allowed in change.edit.allows
        if allowed.kind == CITATION_KEY
        for name in (allowed.lost, allowed.gained)
        if name
    )
    same = len(kept) == len(before) and all(
        {key.name for key in old.keys} ^ {key.name for key in change.after.citations[new].keys}
        <= said
        for old, new in zip(before, kept, strict=True)
    )
    return kept if same else None


def _relisted(
    change: Change, kept: tuple[int, ...]
) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The keys that citations lose, by their numbers before, and that they gain, by those after."""
    dropped: list[tuple[int, str]] = []
    joined: list[tuple[int, str]] = []
    for old, new in enumerate(kept):
        before = [key.name for key in change.before.citations[old].keys]
        after = [key.name for key in change.after.citations[new].keys]
        dropped += [(old, name) for name in before if name not in after]
        joined += [(new, name) for name in after if name not in before]
    return dropped, joined


def _cites_there(change: Change) -> bool:
    """Whether a sentence whose text is replaced cites anything."""
    return any(
        sentence.citations
        and sentence.at.path == part.at.path
        and part.before
        and sentence.at.span.overlaps(part.at.span)
        for part in change.edit.replacements
        for sentence in change.before.sentences
    )


class _Pair(NamedTuple):
    """What is known of a claim and one of its keys; `support` None where nothing is."""

    claim: Claim | None
    support: Support | None


class _Pairs:
    """Claims and supports by the number of a citation and its key."""

    def __init__(self, known: Known) -> None:
        self.claim_of = {c: claim for claim in known.claims for c in claim.citations}
        self._supports: dict[tuple[int, str], Support] = {}
        for support in known.supports:
            for citation in known.claims[support.claim].citations:
                self._supports.setdefault((citation, support.key.lower()), support)

    def get(self, citation: int, key: str) -> _Pair:
        return _Pair(self.claim_of.get(citation), self._supports.get((citation, key.lower())))


def _touched(
    before: _Pairs, after: _Pairs, kept: tuple[int, ...], gone: frozenset[tuple[int, str]]
) -> Iterator[tuple[Support, Support | None]]:
    """What was known of each claim whose words change, and what is known of it afterwards."""
    for old, claim in sorted(before.claim_of.items()):
        now = after.claim_of.get(kept[old])
        if now is not None and now.text == claim.text:
            continue
        for key in claim.keys:
            then = before.get(old, key).support
            if then is not None and (old, key) not in gone:
                yield then, after.get(kept[old], key).support


def _compared(then: Support, now: Support | None) -> Weighed:
    scores = (score_of(then),), () if now is None else (score_of(now),)
    if now is None or (then.label is Label.SUPPORTED and now.label in _UNKNOWN):
        if then.label in _UNKNOWN:
            return Weighed(Outcome.ACCEPTED, (f"{then.key} could not be checked before",), *scores)
        reason = f"a claim is touched, and {then.key} could not be checked afterwards"
        return Weighed(Outcome.UNDECIDED, (reason,), *scores)
    accused = now.label in ACCUSED and then.label not in ACCUSED
    if accused or (then.label is Label.SUPPORTED and now.label is not Label.SUPPORTED):
        reason = f"a claim would fare worse: {then.key} {then.label}, then {now.label}"
        return Weighed(Outcome.REJECTED, (reason,), *scores)
    sort = "" if now.label in VERIFIED else ", topic evidence only"
    reason = f"a touched claim fares no worse: {then.key} {said_of(now)}{sort}"
    return Weighed(Outcome.ACCEPTED, (reason,), *scores)


def _gained(key: str, pair: _Pair) -> Weighed:
    """The word on a key that is newly cited: only a verifier can say that it supports."""
    support = pair.support
    if support is None or support.label in _UNKNOWN:
        why = pair.claim.exempt if pair.claim is not None and pair.claim.exempt else "not checked"
        said = why if support is None else support.why or support.label
        reason = f"{key} is newly cited, and whether it supports the claim is not known ({said})"
        return Weighed(Outcome.UNDECIDED, (reason,))
    now = (score_of(support),)
    if support.label is Label.SUPPORTED:
        return Weighed(Outcome.ACCEPTED, (f"{key}, newly cited, {said_of(support)}",), (), now)
    if support.label is Label.ON_TOPIC:
        reason = f"{key} is newly cited: a verifier is needed to say that it supports the claim"
        return Weighed(Outcome.UNDECIDED, (reason,), (), now)
    reason = f"{key}, newly cited, {said_of(support)}"
    return Weighed(Outcome.REJECTED, (reason,), (), now)


def _lost(key: str, pair: _Pair) -> Weighed:
    """The word on a key that a citation loses: only what was found wrong may go."""
    support = pair.support
    if support is None or support.label in _UNKNOWN:
        reason = f"{key} would go, and nothing speaks against it"
        return Weighed(Outcome.UNDECIDED, (reason,))
    was = (score_of(support),)
    if support.label in ACCUSED:
        return Weighed(Outcome.ACCEPTED, (f"{key} goes: {said_of(support)}",), was)
    return Weighed(Outcome.REJECTED, (f"{key} would go, and {said_of(support)}",), was)


def _of_sentences(change: Change, grounded: Grounded | None) -> Iterator[Weighed]:
    for sentence in _added(change):
        said = sentence.plain if len(sentence.plain) <= 60 else f"{sentence.plain[:57]}..."
        if grounded is None:
            reason = f"a verifier is needed to say that the paper itself bears out {said!r}"
            yield Weighed(Outcome.UNDECIDED, (reason,))
            continue
        judged = grounded(_premise(change, sentence), sentence.plain)
        if isinstance(judged, Unjudged):
            reason = f"whether the paper itself bears out {said!r} is not known: {judged.why}"
            yield Weighed(Outcome.UNDECIDED, (reason,))
        elif judged.entails >= DEFAULT.entails and judged.entails > (judged.contradicts or 0.0):
            reason = f"its section bears out {said!r} ({judged.entails:.2f})"
            yield Weighed(Outcome.ACCEPTED, (reason,))
        else:
            reason = f"its section does not bear out {said!r} ({judged.entails:.2f})"
            yield Weighed(Outcome.REJECTED, (reason,))


def _added(change: Change) -> Iterator[Sentence]:
    """The sentences without citation that the edit adds: those that are put in, and those of
    replaced text of whose long words most did not stand in the paragraph."""
    for path in change.edit.paths:
        source = change.before.sources[path]
        words = {word for old, _ in change.windows(path) for word in _long_words(source[old])}
        landed = [(not part.before, change.landed(part)) for part in change.parts(path)]
        for sentence in change.after.sentences:
            here = sentence.at.path == path and sentence.kind in _PROSE
            here = here and not table_at(change, sentence.at)
            if here and not sentence.citations and _is_added(sentence, landed, words):
                yield sentence


def _is_added(
    sentence: Sentence, landed: Sequence[tuple[bool, Span]], words: AbstractSet[str]
) -> bool:
    own = _long_words(sentence.plain)
    mostly = 2 * len(own & words) < len(own)
    for put_in, span in landed:
        if span.covers(sentence.at.span):
            if put_in or mostly:
                return True
        elif span.overlaps(sentence.at.span) and mostly and len(own - words) >= _MANY:
            return True
    return False


def _long_words(text: str) -> set[str]:
    return {word.lower() for word in _LONG_WORD.findall(text)}


def _premise(change: Change, sentence: Sentence) -> str:
    """What an added sentence must follow from: its section as it was, and in a new section that
    behind which it stands and the sentences with citations there, which are judged themselves."""
    block = block_at(change, sentence.at)
    if block is None:
        return _own_text(change.before, sentence.section)
    cited = (
        _MARK.sub("", s.plain)
        for s in change.after.sentences
        if s.at.path == sentence.at.path and block.covers(s.at.span) and s.citations
    )
    own = _own_text(change.before, own_section(change, sentence.at.path))
    return " ".join([own, *cited])


def _own_text(manuscript: Manuscript, section: int) -> str:
    """A section's own sentences, without citation marks and without its subsections'; none that is
    hidden or gives orders: what no reader sees bears out nothing."""
    said = (
        s.plain
        for s in manuscript.sentences
        if s.section == section and s.kind in _PROSE and not withheld.marked(manuscript, s.at)
    )
    return _MARK.sub("", " ".join(said))
