"""What each cited work says of each claim: topic by relevance, support only by a verifier model."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.latex.language import detect
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailed, Entailment, Unjudged
from reviser.text.source import Place
from reviser.text.visible import visible
from reviser.verify.evidence import Work
from reviser.verify.exempt import topic_still_read
from reviser.verify.kept import compares
from reviser.verify.leads import affirmed, bibliography_surnames, leads
from reviser.verify.model import Claim, Label, Lead, Passage, Support
from reviser.verify.relevance import Fit, Relevance, best_passages, closeness, explained, relate
from reviser.verify.strangers import strangers

LANGUAGES = frozenset({"en"})
"""What the embedded model reads. Elsewhere true citations look unrelated, so nothing is said."""
_NAMES = {
    "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pt": "Portuguese", "ru": "Russian",
    "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
HIDDEN = "words that readers do not see stand in its sentence"
READ = 3
"""Sentences of a work that a verdict quotes, and that a verifier reads if not told otherwise."""
_ENOUGH_WORDS = 9
"""Words of a claim from which its own language is asked; a shorter one is its paper's."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits of the verdicts; see `relevance` for how the topic's were found.

    `closeness` and `distance`: a work is off topic when closer than neither allows, that is below
    the one and above the other, and another work the paper cites is nearer by `lag` (not asked for
    above `few_distance`). Where it cites fewer than `few` works with text, the comparison is rough
    and `few_distance` is the limit. `pointer_distance` holds for pointers and background lists.
    `alone_closeness` and `alone_shared` hold where a paper cites too few works with text for a
    comparison: among SciFact's and Citation-Integrity's true pairs fewer than 1% lie below .15.
    `strange`: strangeness from which a work is not of the paper's field.
    `entails` and `contradicts` are a verifier's probabilities; plain NLI models call too much a
    contradiction, hence the high bar, and a contradiction needs the topic to fit as well.
    """

    closeness: float = 0.35
    distance: float = 0.32
    lag: float = 0.15
    few_distance: float = 0.40
    few: int = 20
    pointer_distance: float = 0.40
    alone_closeness: float = 0.10
    alone_shared: float = 0.05
    strange: float = 0.30
    entails: float = 0.60
    contradicts: float = 0.95
    contradicts_closeness: float = 0.40


DEFAULT = Thresholds()


@dataclass(frozen=True, slots=True)
class _Read:
    """One pair that has text: what was read of the work, and how it fits."""

    claim: int
    work: Work
    fit: Fit
    passages: tuple[tuple[Passage, float], ...]
    leads: tuple[Lead, ...]
    affirmed: str

    @property
    def quoted(self) -> tuple[Passage, ...]:
        return tuple(passage for passage, _ in self.passages[:READ])

    @property
    def premise(self) -> str:
        return premise(self.work, [passage for passage, _ in self.passages])


def compared(
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    embedder: Embedder,
    rivals: Collection[str] = (),
) -> Relevance:
    """The fits of all cited works, and those `rivals`, that have text the embedder reads."""
    cited = dict.fromkeys(key.lower() for claim in claims for key in claim.keys)
    cited |= dict.fromkeys(sorted(key.lower() for key in rivals))
    usable = [
        works[key] for key in cited if key in works and works[key].passages and readable(works[key])
    ]
    asserting = [claim.keys if not claim.exempt else () for claim in claims]
    return relate([claim.text for claim in claims], asserting, usable, embedder)


def verify(
    manuscript: Manuscript,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    *,
    embedder: Embedder,
    entailment: Entailment | None = None,
    thresholds: Thresholds = DEFAULT,
    rivals: Collection[str] = (),
    sentences: int = READ,
    hidden: Collection[Place] = (),
    asked: Collection[int] | None = None,
    known: Mapping[tuple[int, str], Support] | None = None,
) -> tuple[Support, ...]:
    """One verdict per claim and key, in their order; the same input gives the same verdicts.

    `rivals` are keys of works to compare with although nothing cites them any more: a paper under
    repair is held to the works it began with, or mending one of two swapped keys hides the other.
    A verifier reads up to `sentences` of a work, and no claim that has words in `hidden` places;
    where `asked` is given, it is asked about the claims with these numbers alone. Pairs of claim
    and key that are `known` keep their verdict; where all are, nothing is compared.
    Without `entailment` nothing is supported, contradicted or silent. Each verdict on a work that
    has text quotes the work's closest sentences, names the check that spoke, and carries leads.
    """
    settled: dict[tuple[int, str], Support] = dict(known or {})
    fresh = known is None or compares(claims, works, known)
    relevance = compared(claims, works, embedder, rivals) if fresh else None
    surnames = bibliography_surnames(works)
    reads: list[_Read] = []
    for number, claim in enumerate(claims):
        for key in (k for k in claim.keys if (number, k) not in settled):
            work = works.get(key.lower())
            why, label = _unread(manuscript, claim, work)
            if work is None or label is not None or relevance is None:
                beside = leads(manuscript, claim, work, (), surnames) if work else ()
                settled[number, key] = Support(
                    number, key, label or Label.UNCHECKED, None, "none", why, beside
                )
                continue
            read = _read(
                manuscript,
                number=number,
                claim=claim,
                work=work,
                relevance=relevance,
                embedder=embedder,
                surnames=surnames,
                sentences=sentences,
            )
            if read is not None:
                reads.append(read)
    topic, meant = f"topic fit ({embedder.name})", _meant(reads, claims, thresholds)
    fitting: list[tuple[_Read, Support]] = []
    for read in reads:
        support = _by_topic(read, claims[read.claim], thresholds, topic, meant)
        settled[read.claim, support.key] = support
        if support.label is Label.ON_TOPIC and (asked is None or read.claim in asked):
            fitting.append((read, support))
    if manuscript.language in LANGUAGES and relevance is not None:
        settled |= strangers(claims, works, relevance, settled, check=topic)
    if entailment is not None:
        settled |= _heard(fitting, claims, entailment, thresholds, hidden)
    return tuple(settled[n, key] for n, claim in enumerate(claims) for key in claim.keys)


def _heard(
    fitting: Sequence[tuple[_Read, Support]],
    claims: Sequence[Claim],
    entailment: Entailment,
    thresholds: Thresholds,
    hidden: Collection[Place],
) -> dict[tuple[int, str], Support]:
    """What a verifier says of the pairs that fit in topic; where it says nothing they stay open."""
    found: dict[tuple[int, str], Support] = {}
    asked: list[tuple[_Read, Support]] = []
    for read, support in fitting:
        if any(touches(claims[read.claim].at, place) for place in hidden):
            found[read.claim, support.key] = unjudged(support, HIDDEN)
        else:
            asked.append((read, support))
    pairs = [(read.premise, claims[read.claim].text) for read, _ in asked]
    answers = entailment.judge(pairs) if pairs else ()
    for (read, support), judged in zip(asked, answers, strict=True):
        found[read.claim, support.key] = (
            unjudged(support, judged.why)
            if isinstance(judged, Unjudged)
            else _by_model(read, support.key, judged, thresholds, entailment.name)
        )
    return found


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


def _spelt(claim: Claim, work: Work) -> str:
    """The key as the claim writes it: BibTeX does not mind its case."""
    return next(key for key in claim.keys if key.lower() == work.key.lower())


def readable(work: Work) -> bool:
    """Whether the work's text is in a language the embedder reads."""
    return _reads(work.language, " ".join(passage.text for passage in work.passages[:10]))


def _reads(language: str, text: str) -> bool:
    """Whether the embedder reads a text of this language; an unsure one must be in its letters."""
    if language:
        return language in LANGUAGES
    letters = [char for char in text if char.isalpha()]
    return sum(char.isascii() for char in letters) * 10 >= len(letters) * 9


def _unread(manuscript: Manuscript, claim: Claim, work: Work | None) -> tuple[str, Label | None]:
    """Why a pair is not compared and its label, or ("", None) when it is."""
    if work is None:
        return "the key is not in the bibliography", Label.UNCHECKED
    if claim.exempt and not topic_still_read(claim.exempt):
        return claim.exempt, Label.NOT_CHECKABLE
    if not work.passages:
        return work.why_none, Label.UNCHECKED
    if not readable(work):
        return f"its text is in {_language(work.language)}", Label.NOT_CHECKABLE
    spoken = manuscript.language
    if spoken in LANGUAGES | {""} and len(claim.text.split()) >= _ENOUGH_WORDS:
        spoken = detect(claim.text) or spoken
    if _reads(spoken, claim.text):
        return "", None
    return f"the claim is in {_language(spoken)}", Label.NOT_CHECKABLE


def _language(code: str) -> str:
    return _NAMES.get(code, f"another language ({code})" if code else "another language")


def fitted(
    number: int,
    claim: Claim,
    work: Work,
    *,
    relevance: Relevance,
    embedder: Embedder,
    sentences: int = READ,
) -> tuple[Fit, tuple[tuple[Passage, float], ...]] | None:
    """How the work fits the claim with that number, and its `sentences` closest to it with their
    cosines; None without its text."""
    fit = relevance.fit(number, work.key)
    if fit is None:
        return None
    passages = best_passages(claim.text, work, embedder, most=sentences)
    if work.full:
        fit = fit.lifted(closeness([cosine for _, cosine in passages[:READ]]))
    return fit, passages


def _read(
    manuscript: Manuscript,
    *,
    number: int,
    claim: Claim,
    work: Work,
    relevance: Relevance,
    embedder: Embedder,
    surnames: frozenset[str],
    sentences: int,
) -> _Read | None:
    found = fitted(number, claim, work, relevance=relevance, embedder=embedder, sentences=sentences)
    if found is None:
        return None
    fit, passages = found
    return _Read(
        claim=number,
        work=work,
        fit=fit,
        passages=passages,
        leads=leads(manuscript, claim, work, passages[:READ], surnames),
        affirmed=affirmed(manuscript, claim, work, surnames),
    )


def is_off_topic(fit: Fit, thresholds: Thresholds, *, pointer: bool = False) -> bool:
    """Whether both the absolute and the relative figure say that the work is about other things."""
    if not fit.relative:
        return fit.closeness < thresholds.alone_closeness and fit.shared < thresholds.alone_shared
    strict = thresholds.pointer_distance if pointer else thresholds.distance
    limit = max(strict, thresholds.few_distance) if fit.others < thresholds.few else strict
    rivalled = fit.lag >= thresholds.lag or fit.distance > thresholds.few_distance
    return fit.closeness < thresholds.closeness and fit.distance > limit and rivalled


def _off(read: _Read, claim: Claim, thresholds: Thresholds) -> bool:
    pointer = bool(claim.exempt)
    return not read.affirmed and is_off_topic(read.fit, thresholds, pointer=pointer)


def _meant(
    reads: Sequence[_Read], claims: Sequence[Claim], thresholds: Thresholds
) -> frozenset[str]:
    """Keys of this paper's field that look off topic in more than one sentence.

    A slip does not repeat itself: such a work is known for something its abstract puts in other
    words. A work strange to the paper as a whole stays off topic however often it is cited.
    """
    places: dict[str, set[int]] = {}
    for read in reads:
        claim = claims[read.claim]
        if read.fit.strangeness < thresholds.strange and _off(read, claim, thresholds):
            places.setdefault(read.work.key, set()).add(claim.sentence)
    return frozenset(key for key, sentences in places.items() if len(sentences) > 1)


def _by_topic(
    read: _Read, claim: Claim, thresholds: Thresholds, check: str, meant: frozenset[str]
) -> Support:
    fit = read.fit
    off = _off(read, claim, thresholds)
    if off and read.work.key in meant:
        label = Label.NOT_CHECKABLE if claim.exempt else Label.ON_TOPIC
        why = f"{explained(fit)}; it is of this paper's field and cited alike in other places"
    elif off:
        label, why = Label.OFF_TOPIC, explained(fit)
    elif claim.exempt:
        label, why = Label.NOT_CHECKABLE, claim.exempt
    else:
        label, why = Label.ON_TOPIC, explained(fit)
    if read.affirmed:
        why = f"{why}; {read.affirmed}"
    score = fit.standing if fit.relative else fit.closeness
    return Support(
        claim=read.claim,
        key=_spelt(claim, read.work),
        label=label,
        score=round(score, 4),
        check=check,
        why=why,
        leads=read.leads,
        passages=read.quoted,
    )


def _by_model(
    read: _Read, key: str, judged: Entailed, thresholds: Thresholds, name: str
) -> Support:
    contradicts = judged.contradicts
    if judged.entails >= thresholds.entails:
        label = Label.SUPPORTED
        why = f"the verifier gives {judged.entails:.2f} that the quoted sentences entail the claim"
    elif (
        contradicts is not None
        and contradicts >= thresholds.contradicts
        and read.fit.closeness >= thresholds.contradicts_closeness
    ):
        label = Label.CONTRADICTED
        why = f"the verifier gives {contradicts:.2f} that the quoted sentences contradict the claim"
    else:
        label = Label.SILENT
        where = "text" if read.work.full else "abstract"
        why = (
            f"the verifier gives only {judged.entails:.2f} that the quoted sentences entail the "
            f"claim; the {where} may just not mention it"
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


def _pointed_at(read: _Read, quote: str) -> tuple[Passage, ...]:
    """The closest sentences, before them the one that holds the words a verifier pointed at."""
    holding = [p for p, _ in read.passages if quote and quote in visible(p.text)]
    rest = [passage for passage in read.quoted if passage not in holding[:1]]
    return (*holding[:1], *rest)[:READ]
