"""Verdicts of earlier runs: what is asked of whoever keeps them, and how `verify` uses them.

A verdict holds while the claim's words, what was read of the work and the check are the same. The
other works of the paper are deliberately no part of that, although the topic is judged relative to
them: else a new entry in the bibliography would call every verdict of the paper into question. So
the first verdict on a pair stays, within a run as between runs, and a rerun repeats it.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from reviser.verify.evidence import ABSTRACT, ANNOTE, NOTE, Work
from reviser.verify.exempt import field_still_read, topic_still_read
from reviser.verify.model import Claim, Label, Passage, Support

if TYPE_CHECKING:
    from reviser.verify.trials import Trial

VERSION = 1
"""Goes up when the same text would be judged otherwise: verdicts of another version do not hold."""
QUOTED = 240
"""Characters that are kept of the sentence a verdict rests on."""
_SHORT = frozenset({ABSTRACT, ANNOTE, NOTE})
_CUT = " …"


@dataclass(frozen=True, slots=True)
class Check:
    """Who gives verdicts. `topic` is the embedder with the limits of all verdicts, `verifier` the
    model that is asked whether a work says what is claimed, "" where none is, `reads` how many
    sentences of a work that one reads, and `version` a mark of all else that its word follows
    from."""

    topic: str
    verifier: str = ""
    reads: int = 0
    version: str = ""

    @property
    def by_topic(self) -> "Check":
        """The same without a verifier."""
        return Check(self.topic)


@dataclass(frozen=True, slots=True)
class Digests:
    """SHA-256 of the sentences at hand of a work, in hexadecimal, "" where there are none: of its
    abstract and notes, and of its full text."""

    abstract: str = ""
    full: str = ""


class Kept(Protocol):
    """Keeps verdicts. What it is told it gives back in the same words, whoever asks when."""

    def verdict(self, claim: Claim, work: Work, check: Check) -> Support | None:
        """What is known of the pair, None where nothing is that still holds. The number of the
        claim in it means nothing."""
        ...

    def keep(self, claim: Claim, work: Work, support: Support, check: Check) -> Support:
        """Keep a new verdict; what it will be told as from now on. One that cannot be kept, or
        that somebody gave before on the same words, changes nothing and is returned as it is, or
        was."""
        ...

    def read(self, claim: Claim, key: str) -> tuple[Passage, ...]:
        """All sentences that a verdict of this run rests on; () for one of an earlier run."""
        ...

    @property
    def recalled(self) -> int:
        """How many verdicts of earlier runs were told in this one."""
        ...

    @property
    def verifier(self) -> str:
        """The verifier on whose word verdicts of this run rest, "" where they rest on none's."""
        ...

    def search(self, claim: Claim, work: Work, check: Check, limits: str) -> "Trial | None":
        """An earlier search for a work to cite instead of `work`; `limits` says how far it goes."""
        ...

    def keep_search(
        self, claim: Claim, work: Work, trial: "Trial", check: Check, limits: str
    ) -> "Trial":
        """Keep a search; what it will be told as from now on."""
        ...

    def together(self, claim: Claim, works: Sequence[Work], check: Check) -> bool | None:
        """Whether the works, read together, entail the claim; None where that is not known."""
        ...

    def keep_together(
        self, claim: Claim, works: Sequence[Work], check: Check, *, entailed: bool
    ) -> None:
        """Keep that they do, or do not."""
        ...


def check_of(embedder: str, limits: str, verifier: str, reads: int, version: str = "") -> Check:
    """The check by an embedder and a verifier of these names, with the limits of their verdicts
    and the verifier's version in any words."""
    topic = f"{embedder}; v{VERSION} {_mark(limits)}"
    if not verifier:
        return Check(topic)
    return Check(topic, verifier, reads, _mark(version) if version else "")


def _mark(words: str) -> str:
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def digest_of(claim: Claim) -> str:
    """SHA-256 in hexadecimal of what a claim says, and of why it may say nothing."""
    words = "\0".join((" ".join(claim.text.split()), claim.exempt))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()


def digests_of(work: Work) -> Digests:
    """Digests of what is at hand of a work."""
    short = [p.text for p in work.passages if p.where in _SHORT]
    full = [p.text for p in work.passages if p.where not in _SHORT]
    return Digests(_digest(short), _digest(full))


def _digest(texts: Sequence[str]) -> str:
    if not texts:
        return ""
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def rests_on_text(claim: Claim) -> bool:
    """Whether a verdict on the claim may rest on the text of what it cites."""
    return not claim.exempt or topic_still_read(claim.exempt) or field_still_read(claim.exempt)


def worth_keeping(claim: Claim, work: Work, support: Support) -> bool:
    """Whether a verdict rests on what was read of the work: nothing is kept of a failure, nor of
    what is known of a claim without reading anything."""
    if not work.passages or support.label is Label.UNCHECKED:
        return False
    return support.label is Label.OFF_TOPIC or not field_still_read(claim.exempt)


def clipped(passage: Passage) -> Passage:
    """The passage with no more of its words than are kept."""
    return replace(passage, text=shortened(passage.text))


def shortened(text: str) -> str:
    """At most `QUOTED` characters of a text, cut between two words where it has to be."""
    if len(text) <= QUOTED:
        return text
    cut = text[: QUOTED - len(_CUT)]
    return (cut.rpartition(" ")[0] or cut) + _CUT


def quoted_from(quote: str, work: Work) -> bool:
    """Whether the words stand in what is at hand of the work."""
    words = " ".join(quote.removesuffix(_CUT).split())
    return any(words in " ".join(_shown(passage.text).split()) for passage in work.passages)


def _shown(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def compares(
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    known: Mapping[tuple[int, str], Support],
) -> bool:
    """Whether a pair of claim and key that is not known has text to compare."""
    return any(
        (number, key) not in known and key.lower() in works and works[key.lower()].passages
        for number, claim in enumerate(claims)
        if not claim.exempt or topic_still_read(claim.exempt)
        for key in claim.keys
    )
