"""Things beside a citation that the cited work does not show: worth a look, never a verdict."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reviser.latex.elements import CitationForm
from reviser.manuscript.model import Manuscript
from reviser.verify.claim import plain_offset
from reviser.verify.evidence import Work
from reviser.verify.model import Claim, Lead, Passage
from reviser.verify.numbers import conflicting, missing, numbers
from reviser.verify.words import content_words, folded

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀ-Ž]"
_PARTICLE = (
    r"(?:van|von|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|zu|zur|af|al|el|ben|bin)[ \-]"
)
_SURNAME = (
    rf"(?:{_PARTICLE}){{0,3}}(?:[A-ZÀ-ÖØ-Þ]\.[ \-]?){{0,3}}"
    rf"(?:d'|O'|Mc|Mac|D')?{_CAPITAL}[\w’'\-]+"
)
_BEFORE_ET_AL = re.compile(
    rf"({_SURNAME}(?:,? (?:and|&) {_SURNAME}|, {_SURNAME}){{0,3}}),?\s+et\.?\s+al\.?(?:['’]s)?"
    r"\s*(?:\(?\s*(?P<year>(?:19|20)\d\d)[a-z]?\s*\)?)?\s*(?:,|in)?\s*$"
)
_PAIR = re.compile(
    rf"({_SURNAME}) (?:and|&) ({_SURNAME})(?:['’]s)?"
    r"\s*(?:\(?\s*(?P<year>(?:19|20)\d\d)[a-z]?\s*\)?)?\s*(?:,|in)?\s*$"
)
_SINGLE = re.compile(
    rf"(?:^|\b(?:by|of|from|to|see|following) )({_SURNAME})(?:['’]s)?"
    r"\s*(?:\(?\s*(?P<year>(?:19|20)\d\d)[a-z]?\s*\)?)?\s*(?:,|in)?\s*$"
)
_LAST_WORD = re.compile(r"([\w\-+]{3,40})\s?$")
_NEGATORS = re.compile(
    r"\b(?:(?:does |do |did )?not|never|cannot|fails? to|failed to|unable to)\b|n['’]t\b",
    re.IGNORECASE,
)
_DENIALS = re.compile(
    r"(?:\b(?:not|no|never|cannot|without|neither|nor|none|hardly|lacks?|fails?|failed|unable|"
    r"rather than|instead of)\b|n['’]t\b)((?:[ \u00a0,]{1,2}[\w\-]+){1,6})",
    re.IGNORECASE,
)
_NEXT_WORDS = re.compile(r"(?:[ \u00a0][\w\-]+){1,3}")
SIMILAR_NAME = 0.75
"""Ratio from which two spellings may be one name (Chebyshev, Tschebyschow): no mismatch."""
ALIGNED_COSINE = 0.45
ALIGNED_WORDS = 3
"""A sentence so close to the claim, sharing so many words, speaks of the same fact."""


@dataclass(frozen=True, slots=True)
class NameMismatch:
    """An author named right before a citation who did not write what is cited there.

    `candidate` is the one entry of the bibliography by that author, "" when there is none or more
    than one.
    """

    claim: int
    citation: int
    keys: tuple[str, ...]
    named: str
    candidate: str


@dataclass(frozen=True, slots=True)
class _Named:
    """Surnames read before a citation; `sure` when "et al." shows that they are authors."""

    names: tuple[str, ...]
    year: str
    sure: bool
    text: str


def before_citation(manuscript: Manuscript, claim: Claim) -> str:
    """The words of the sentence right before the claim's first citation, other marks removed."""
    if not claim.citations:
        return ""
    sentence = manuscript.sentences[claim.sentence]
    first = manuscript.citations[claim.citations[0]]
    stop = plain_offset(sentence.offsets, first.at.span.start)
    return sentence.plain[max(0, stop - 120) : stop].rstrip(" \u00a0~(")


def named_before(text: str, surnames: frozenset[str]) -> _Named | None:
    """The authors named at the end of `text`. Without "et al." only words that are somebody's
    surname in the bibliography (`surnames`, folded) are taken for one."""
    match = _BEFORE_ET_AL.search(text)
    if match:
        names = tuple(re.split(r",? (?:and|&) |, ", match[1]))
        return _Named(names, match["year"] or "", True, match.group().strip(" ,"))
    match = _PAIR.search(text)
    if match and _known(match[1], surnames) and _known(match[2], surnames):
        return _Named((match[1], match[2]), match["year"] or "", True, match.group().strip(" ,"))
    match = _SINGLE.search(text)
    if match and _known(match[1], surnames):
        return _Named((match[1],), match["year"] or "", bool(match["year"]), match[1])
    return None


def _known(name: str, surnames: frozenset[str]) -> bool:
    return _bare(name) in surnames


def _bare(name: str) -> str:
    """A surname folded, without initials, particles and possessive."""
    words = [w for w in re.split(r"[\s]+", re.sub(r"['’]s$", "", name)) if not w.endswith(".")]
    return folded(words[-1] if words else name).replace("-", " ").strip(" .,")


def _author_words(work: Work) -> frozenset[str]:
    """Every word of the authors' names, given names too: fields swap them often enough."""
    field = work.entry.get("author") or work.entry.get("editor")
    written = folded(re.sub(r"[{}\\]", "", field)).replace("-", " ")
    names = {word for word in re.split(r"[^\w'’]+", written) if len(word) > 1}
    return frozenset(names) | frozenset(work.authors)


def wrote(work: Work, name: str) -> bool:
    """Whether somebody of that surname, or of one spelt nearly so, is among the authors."""
    wanted = _bare(name)
    words = _author_words(work)
    parts = wanted.split()
    if wanted in words or (parts and all(part in words for part in parts)):
        return True
    return any(SequenceMatcher(None, wanted, word).ratio() >= SIMILAR_NAME for word in words)


def bibliography_surnames(works: Mapping[str, Work]) -> frozenset[str]:
    """All authors' surnames in the bibliography, folded, last word only."""
    return frozenset(_bare(name) for work in works.values() for name in work.authors)


def name_mismatch(
    manuscript: Manuscript,
    number: int,
    claim: Claim,
    works: Mapping[str, Work],
    surnames: frozenset[str],
) -> NameMismatch | None:
    """The mismatch of an author named beside the citation, if there is one.

    Nothing is said when any key is unknown or its entry names no author, when the citation prints
    its authors itself, or when any of the names wrote any of the cited works.
    """
    cited = [works.get(key.lower()) for key in claim.keys]
    forms = {manuscript.citations[c].form for c in claim.citations}
    if forms - {CitationForm.PARENTHETICAL, CitationForm.FOOTNOTE, CitationForm.YEAR}:
        return None
    present = [work for work in cited if work is not None and work.authors]
    if not present or len(present) < len(cited):
        return None
    named = named_before(before_citation(manuscript, claim), surnames)
    if named is None or not named.sure:
        return None
    if any(wrote(work, name) for work in present for name in named.names):
        return None
    rivals = [
        work
        for key, work in works.items()
        if work.authors
        and _bare(work.authors[0]) == _bare(named.names[0])
        and (len(named.names) < 2 or wrote(work, named.names[-1]))
        and (not named.year or not work.year or abs(int(work.year) - int(named.year)) <= 1)
        and key not in {k.lower() for k in claim.keys}
    ]
    candidate = rivals[0].key if len(rivals) == 1 else ""
    return NameMismatch(number, claim.citations[0], claim.keys, named.text, candidate)


def affirmed(manuscript: Manuscript, claim: Claim, work: Work, surnames: frozenset[str]) -> str:
    """What beside the citation speaks for this work: its author's name, or a system its title or
    text names. Empty when nothing does."""
    before = before_citation(manuscript, claim)
    named = named_before(before, surnames)
    if named and work.authors and any(_exactly(work, name) for name in named.names):
        return f"its author {named.names[0]} is named beside the citation"
    system = system_before(before)
    if system and _mentions(work, system):
        return f"it names {system}, as the sentence does"
    return ""


def _exactly(work: Work, name: str) -> bool:
    return _bare(name) in _author_words(work)


def system_before(text: str) -> str:
    """A name like BERT, GPT-3 or PyTorch at the end of `text`, or an empty string."""
    match = _LAST_WORD.search(text)
    if match is None or not match[1][0].isalpha():
        return ""
    word = match[1].rstrip("-+")
    inner_capital = any(char.isupper() for char in word[1:])
    return word if inner_capital or any(char.isdigit() for char in word) else ""


def _mentions(work: Work, system: str) -> bool:
    wanted = re.sub(r"[\W_]", "", folded(system)).removesuffix("s")
    texts = [work.title, work.keywords, *(p.text for p in work.passages[:60])]
    # Names are printed with and without hyphens: compare letters and digits only, word by word.
    return any(
        re.sub(r"[\W_]", "", word).removesuffix("s") == wanted
        for text in texts
        for word in re.split(r"[\s,;:()/]+", folded(text))
    )


def leads(
    manuscript: Manuscript,
    claim: Claim,
    work: Work,
    passages: Sequence[tuple[Passage, float]],
    surnames: frozenset[str],
) -> tuple[Lead, ...]:
    """The leads of one claim against one work; `passages` are its best, with their cosines."""
    found: list[Lead] = []
    evidence = f"{work.title}. " + " ".join(passage.text for passage in work.passages)
    if work.passages:
        given = [n for passage, _ in passages for n in numbers(passage.text)]
        for number in missing(claim.text, evidence):
            rival = conflicting(number, given)
            said = f"{number.text} (the source says {rival.text})" if rival else number.text
            found.append(Lead("number", said))
        if (clash := negation_clash(claim.text, passages, evidence)) is not None:
            found.append(Lead("negation", clash))
    named = named_before(before_citation(manuscript, claim), surnames)
    if named and named.sure and work.authors:
        if not any(wrote(work, name) for name in named.names):
            found.append(Lead("name", ", ".join(named.names)))
        elif named.year and work.year and abs(int(named.year) - int(work.year)) > 1:
            found.append(Lead("year", f"{named.year} (the entry says {work.year})"))
    system = system_before(before_citation(manuscript, claim))
    if system and len(claim.keys) == 1 and work.passages and not _mentions(work, system):
        found.append(Lead("name", system))
    return tuple(found)


def negation_clash(claim: str, passages: Sequence[tuple[Passage, float]], text: str) -> str | None:
    """A word that is denied on one side and affirmed on the other, where both speak of one fact.

    The claim and a quoted sentence must align; the denied word (the first telling one after the
    negation) must stand in the other side's sentence, and be denied nowhere in its `text`.
    """
    mine = denied(claim)
    for passage, cosine in passages:
        if not _aligned(claim, passage.text, cosine):
            continue
        said = set(content_words(passage.text))
        for word, phrase in mine.items():
            if word in said and word not in _near_denial(text):
                return f"'{phrase}' is denied here; the source says it without the negation"
        asked = set(content_words(claim))
        for word, phrase in denied(passage.text).items():
            if word in asked and word not in _near_denial(claim):
                return f"the source says '{phrase}'; the sentence says it without the negation"
    return None


def _near_denial(text: str) -> frozenset[str]:
    """The stems within six words behind any word that denies: "without wear or noise"."""
    return frozenset(stem for match in _DENIALS.finditer(text) for stem in content_words(match[1]))


def _aligned(claim: str, sentence: str, cosine: float) -> bool:
    asked, said = set(content_words(claim)), set(content_words(sentence))
    common = len(asked & said)
    enough = common >= ALIGNED_WORDS and common * 2 >= min(len(asked), len(said))
    return enough and cosine >= ALIGNED_COSINE


def denied(text: str) -> dict[str, str]:
    """The stems that stand right behind a negation, each with the words that deny it."""
    found: dict[str, str] = {}
    for match in _NEGATORS.finditer(text):
        behind = _NEXT_WORDS.match(text, match.end())
        if behind is None:
            continue
        for word in behind.group().split():
            stems = content_words(word)
            if stems and not word.endswith("ly"):
                until = behind.group().index(word) + len(word)
                found.setdefault(stems[0], f"{match.group()}{behind.group()[:until]}")
                break
    return found
