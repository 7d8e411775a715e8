"""What each cited work says of each claim: topic by relevance, support only by a verifier model."""

from collections.abc import Collection, Mapping, Sequence

from reviser.latex.language import detect
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailment
from reviser.text.source import Place
from reviser.verify.evidence import Work
from reviser.verify.exempt import topic_still_read
from reviser.verify.hearing import READ, Hearing, More, Reading
from reviser.verify.kept import compares
from reviser.verify.languages import LANGUAGES, language_name, readable, reads
from reviser.verify.leads import affirmed, bibliography_surnames, leads
from reviser.verify.model import Claim, Label, Passage, Support
from reviser.verify.relevance import Fit, Relevance, best_passages, closeness, explained, relate
from reviser.verify.strangers import strangers
from reviser.verify.thresholds import DEFAULT, Thresholds

_ENOUGH_WORDS = 9
"""Words of a claim from which its own language is asked; a shorter one is its paper's."""


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
    more: More | None = None,
    known: Mapping[tuple[int, str], Support] | None = None,
) -> tuple[Support, ...]:
    """One verdict per claim and key, in their order; the same input gives the same verdicts.

    `rivals` are keys of works to compare with although nothing cites them any more: a paper under
    repair is held to the works it began with, or mending one of two swapped keys hides the other.
    A verifier reads up to `sentences` of a work, and no claim that has words in `hidden` places;
    where `asked` is given, it is asked about the claims with these numbers alone. It reads the
    abstract first, and a full text where that is silent; `more` is asked for those not at hand.
    Pairs of claim and key that are `known` keep their verdict; where all are, nothing is compared.
    Without `entailment` nothing is supported, contradicted or silent. Each verdict on a work that
    has text quotes the work's closest sentences, names the check that spoke, and carries leads.
    """
    fresh = known is None or compares(claims, works, known)
    relevance = compared(claims, works, embedder, rivals) if fresh else None
    settled, reads = _readings(
        manuscript, claims, works, relevance, embedder=embedder, sentences=sentences, known=known
    )
    topic, meant = f"topic fit ({embedder.name})", _meant(reads, claims, thresholds)
    fitting: list[tuple[Reading, Support]] = []
    for read in reads:
        support = _by_topic(read, claims[read.claim], thresholds, topic, meant)
        settled[read.claim, support.key] = support
        if support.label is Label.ON_TOPIC and (asked is None or read.claim in asked):
            fitting.append((read, support))
    if manuscript.language in LANGUAGES and relevance is not None:
        settled |= strangers(claims, works, relevance, settled, check=topic)
    if entailment is not None:
        hearing = Hearing(claims, entailment, embedder, thresholds, sentences, more)
        settled |= hearing.heard(fitting, hidden)
    return tuple(settled[n, key] for n, claim in enumerate(claims) for key in claim.keys)


def _readings(
    manuscript: Manuscript,
    claims: Sequence[Claim],
    works: Mapping[str, Work],
    relevance: Relevance | None,
    *,
    embedder: Embedder,
    sentences: int,
    known: Mapping[tuple[int, str], Support] | None,
) -> tuple[dict[tuple[int, str], Support], list[Reading]]:
    """The verdicts on pairs that are not compared, and what was read for the others."""
    settled: dict[tuple[int, str], Support] = dict(known or {})
    surnames = bibliography_surnames(works)
    reads: list[Reading] = []
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
    return settled, reads


def _spelt(claim: Claim, work: Work) -> str:
    """The key as the claim writes it: BibTeX does not mind its case."""
    return next(key for key in claim.keys if key.lower() == work.key.lower())


def _unread(manuscript: Manuscript, claim: Claim, work: Work | None) -> tuple[str, Label | None]:
    """Why a pair is not compared and its label, or ("", None) when it is."""
    if work is None:
        return "the key is not in the bibliography", Label.UNCHECKED
    if claim.exempt and not topic_still_read(claim.exempt):
        return claim.exempt, Label.NOT_CHECKABLE
    if not work.passages:
        return work.why_none, Label.UNCHECKED
    if not readable(work):
        return f"its text is in {language_name(work.language)}", Label.NOT_CHECKABLE
    spoken = manuscript.language
    if spoken in LANGUAGES | {""} and len(claim.text.split()) >= _ENOUGH_WORDS:
        spoken = detect(claim.text) or spoken
    if reads(spoken, claim.text):
        return "", None
    return f"the claim is in {language_name(spoken)}", Label.NOT_CHECKABLE


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
) -> Reading | None:
    found = fitted(number, claim, work, relevance=relevance, embedder=embedder, sentences=sentences)
    if found is None:
        return None
    fit, passages = found
    return Reading(
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


def _off(read: Reading, claim: Claim, thresholds: Thresholds) -> bool:
    pointer = bool(claim.exempt)
    return not read.affirmed and is_off_topic(read.fit, thresholds, pointer=pointer)


def _meant(
    reads: Sequence[Reading], claims: Sequence[Claim], thresholds: Thresholds
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
    read: Reading, claim: Claim, thresholds: Thresholds, check: str, meant: frozenset[str]
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
