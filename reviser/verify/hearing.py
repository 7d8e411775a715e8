"""What a verifier says of works that fit in topic: the abstract first, then a full text."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from reviser.literature.sources import Text
from reviser.ports import Embedder, Entailed, Entailment, Unjudged
from reviser.text.source import Place
from reviser.text.visible import visible
from reviser.verify.evidence import ABSTRACT, SOURCE_TEXT, Work, lengthened, spoken
from reviser.verify.languages import readable
from reviser.verify.model import Claim, Label, Lead, Passage, Support
from reviser.verify.relevance import Fit, best_passages
from reviser.verify.thresholds import Thresholds

HIDDEN = "words that readers do not see stand in its sentence"
READ = 3
"""Sentences of a work that a verdict quotes, and that a verifier reads if not told otherwise."""

More: TypeAlias = Callable[[Collection[str]], Mapping[str, Text]]
"""Brings the full texts of works, by key in lower case, as far as they are to be had. The same
works get the same answer throughout a run. Raises nothing."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One pair that has text: what was read of the work, best first, and how it fits."""

    claim: int
    work: Work
    fit: Fit
    passages: tuple[tuple[Passage, float], ...]
    leads: tuple[Lead, ...]
    affirmed: str

    @property
    def quoted(self) -> tuple[Passage, ...]:
        """What a verdict quotes."""
        return tuple(passage for passage, _ in self.passages[:READ])

    @property
    def premise(self) -> str:
        """What a verifier reads."""
        return premise(self.work, [passage for passage, _ in self.passages])

    @property
    def where(self) -> str:
        """What was read, as a reader calls it."""
        full = any(passage.where == SOURCE_TEXT for passage, _ in self.passages)
        return "full text" if full else ABSTRACT


Pair: TypeAlias = tuple[Reading, Support]
"""What was read, and the verdict by the topic."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """A verifier, and what it is asked about: `sentences` of a work at most, first of those of
    its abstract and, where these are silent, of its full text, which `more` may have to bring."""

    claims: Sequence[Claim]
    entailment: Entailment
    embedder: Embedder
    thresholds: Thresholds
    sentences: int = READ
    more: More | None = None

    def heard(
        self, fitting: Sequence[Pair], hidden: Collection[Place]
    ) -> dict[tuple[int, str], Support]:
        """Its verdicts; where it says nothing the question stays open. It is not asked about
        claims with words in `hidden` places."""
        found: dict[tuple[int, str], Support] = {}
        asked: list[Pair] = []
        for read, support in fitting:
            if any(touches(self.claims[read.claim].at, place) for place in hidden):
                found[read.claim, support.key] = unjudged(support, HIDDEN)
            else:
                asked.append((read, support))
        first = [(self._abstract(read), support) for read, support in asked]
        found |= self._judged(first)
        silent = [
            pair
            for pair, (read, support) in zip(asked, first, strict=True)
            if found[read.claim, support.key].label is Label.SILENT and read.where == ABSTRACT
        ]
        for at, support in self._judged(self._full(silent)).items():
            before = f"; its abstract is silent ({found[at].score:.2f})"
            open_still = support.label is Label.UNCHECKED
            found[at] = support if open_still else replace(support, why=support.why + before)
        return found

    def _abstract(self, read: Reading) -> Reading:
        """The same of the abstract alone, where there is one beside a full text."""
        work = read.work
        brief = tuple(p for p in work.passages if p.where != SOURCE_TEXT)
        if not brief or len(brief) == len(work.passages):
            return read
        return self._reading(read, replace(work, passages=brief, full=False))

    def _full(self, silent: Sequence[Pair]) -> list[Pair]:
        """The same of the full texts, as far as they are at hand or can be had and read."""
        lacking = {read.work.key.lower() for read, _ in silent if not read.work.full}
        brought = self.more(sorted(lacking)) if self.more is not None and lacking else {}
        found: list[Pair] = []
        for read, support in silent:
            work, key = read.work, read.work.key.lower()
            if key in brought and not work.full:
                work = lengthened(work, brought[key])
            long = tuple(p for p in work.passages if p.where == SOURCE_TEXT)
            work = replace(work, passages=long, language=spoken(long))
            if long and readable(work):
                found.append((self._reading(read, work), support))
        return found

    def _reading(self, read: Reading, work: Work) -> Reading:
        text = self.claims[read.claim].text
        passages = best_passages(text, work, self.embedder, most=self.sentences)
        return replace(read, work=work, passages=passages)

    def _judged(self, asked: Sequence[Pair]) -> dict[tuple[int, str], Support]:
        pairs = [(read.premise, self.claims[read.claim].text) for read, _ in asked]
        answers = self.entailment.judge(pairs) if pairs else ()
        return {
            (read.claim, support.key): unjudged(support, judged.why)
            if isinstance(judged, Unjudged)
            else _by_model(read, support.key, judged, self.thresholds, self.entailment.name)
            for (read, support), judged in zip(asked, answers, strict=True)
        }


def premise(work: Work, passages: Sequence[Passage]) -> str:
    """What a verifier reads of a work: its title and its closest sentences, joined. A few stand
    best first; more than that is an excerpt, which makes sense in the order it was written in."""
    title = work.title.rstrip(". ")
    if len(passages) > READ:
        order = {passage: number for number, passage in enumerate(work.passages)}
        passages = sorted(passages, key=lambda passage: order.get(passage, len(order)))
    return " ".join([*([f"{title}."] if title else []), *(p.text for p in passages)])


def touches(one: Place, other: Place) -> bool:
    """Whether two places share a character."""
    return one.path == other.path and one.span.overlaps(other.span)


def unjudged(support: Support, why: str) -> Support:
    """A verdict on the topic alone is not what a verifier was asked for: it stays open."""
    return replace(support, label=Label.UNCHECKED, score=None, check="none", why=why)


def _by_model(
    read: Reading, key: str, judged: Entailed, thresholds: Thresholds, name: str
) -> Support:
    contradicts = judged.contradicts
    quoted = f"the quoted sentences of its {read.where}"
    if judged.entails >= thresholds.entails:
        label = Label.SUPPORTED
        why = f"the verifier gives {judged.entails:.2f} that {quoted} entail the claim"
    elif (
        contradicts is not None
        and contradicts >= thresholds.contradicts
        and read.fit.closeness >= thresholds.contradicts_closeness
    ):
        label = Label.CONTRADICTED
        why = f"the verifier gives {contradicts:.2f} that {quoted} contradict the claim"
    else:
        label = Label.SILENT
        why = (
            f"the verifier gives only {judged.entails:.2f} that {quoted} entail the claim; the "
            f"{read.where} may just not mention it"
        )
    if judged.quote:
        why += f'; it points at the words "{judged.quote}"'
    return Support(
        claim=read.claim,
        key=key,
        label=label,
        score=round(contradicts or 0.0 if label is Label.CONTRADICTED else judged.entails, 4),
        check=f"entailment ({name})",
        why=why,
        leads=read.leads,
        passages=_pointed_at(read, judged.quote),
    )


def _pointed_at(read: Reading, quote: str) -> tuple[Passage, ...]:
    """The closest sentences, before them the one that holds the words a verifier pointed at."""
    holding = [p for p, _ in read.passages if quote and quote in visible(p.text)]
    rest = [passage for passage in read.quoted if passage not in holding[:1]]
    return (*holding[:1], *rest)[:READ]
