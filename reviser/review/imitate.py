"""Imitation (I&E 3.2): reviews of like papers are found, and what their authors looked at becomes
instructions to our own reviewer.

Whoever wrote a public review may have written orders into it. Such a review is not shown to the
model; of what the model distils, only instructions in words of its own are kept, each with the
reviews that were shown and that it came from.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from reviser.asking import Unusable
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.review.about import About, about
from reviser.review.corpus import Corpus, PublicReview
from reviser.review.criteria import MOST_CRITERIA, kinds_of, seeds_for
from reviser.review.model import Criterion
from reviser.review.similar import Similar, similar
from reviser.roles import Question, Role, cost_of
from reviser.text.printable import many
from reviser.text.visible import visible

PROMPT = "distil-criteria"
REVIEWS_OF_ONE = 3
"""Reviews that are read of one paper, the fullest first."""
MOST_QUESTIONS = 3
"""Questions over which the reviews are spread, where not all fit into one."""
FEWEST = 6
"""With fewer distilled criteria than this, those of the seed set fill up."""
ALIKE = 0.8
"""Cosine from which two criteria say the same."""
_RUN = 8
"""So many words in a row are a quotation."""
_REPLY_TOKENS = 1500

# What an instruction to a reviewer is not about, and signs that none needs.
_VERDICT = re.compile(
    r"\b(?:rate|accept|reject|score|grade|praise|favou?r|approve)\w* (?:of )?"
    r"(?:it\b|(?:the|this|every|any|each|all) (?:\w+ ){0,2}"
    r"(?:paper|manuscript|submission|work)s?\b)"
    r"|\b(?:give|award|assign|deserve|grant|set|get)\w* (?:\w+ ){0,4}?(?:high|low|best|worst|top"
    r"|full|perfect|maxim|minim)\w* (?:\w+ )?(?:ratings?|scores?|marks?|grades?)\b"
    r"|\b\d+ ?(?:out of|/) ?\d+"
)
_SIGNS = re.compile(r"https?:|www\.|<<<|>>>|```|[\\{}<>|$`@\[\]]")
_WORD = re.compile(r"\w+")
_DRESS = re.compile(r"\\[A-Za-z]+|[{}*_`#]")

_Name = Annotated[str, StringConstraints(min_length=3, max_length=60)]
_Instruction = Annotated[str, StringConstraints(min_length=20, max_length=300)]
_Source = Annotated[str, StringConstraints(min_length=1, max_length=20)]


class DistilledCriterion(BaseModel):
    """One thing that reviewers looked at, and the reviews in which they did."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Name
    instruction: _Instruction
    sources: Annotated[tuple[_Source, ...], Field(min_length=1, max_length=20)]


class DistilledCriteria(BaseModel):
    """What the reviews that were shown look at."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    criteria: Annotated[tuple[DistilledCriterion, ...], Field(max_length=12)]


@dataclass(frozen=True, slots=True)
class Distilled:
    """The criteria a reviewer is to follow.

    `like` are the papers whose reviews were read, the nearest first. `left_out` tells which
    reviews were not shown to the model and why; `unusable` which questions had no answer, and
    which criteria were dropped.
    """

    criteria: tuple[Criterion, ...]
    unusable: tuple[str, ...] = ()
    like: tuple[Similar, ...] = ()
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Batch:
    """Reviews that are shown in one question, by the labels they are shown under."""

    reviews: Mapping[str, PublicReview]

    @property
    def text(self) -> str:
        return "\n".join(_shown(label, review) for label, review in self.reviews.items())


def distil(
    manuscript: Manuscript, corpus: Corpus | None, helper: Role, embedder: Embedder
) -> Distilled:
    """Criteria from public reviews of like papers, filled up from the seed set where they are few.

    Without a corpus, or where it has nothing like the paper, the seed set alone; nothing is asked
    then. Raises ReviserError when the endpoint answers nobody.
    """
    ours = about(manuscript)
    seeds = seeds_for(kinds_of(manuscript))
    like = similar(ours, corpus, embedder) if corpus is not None else ()
    if corpus is None or not like:
        return Distilled(seeds)
    reviews, left_out = _readable(corpus, like)
    batches, unread = _batches(ours, reviews, helper)
    foreign = [ours.text, *(f"{s.paper.title} {s.paper.abstract}" for s in like)]
    questions = [_question(ours, batch.text) for batch in batches]
    found: list[Criterion] = []
    unusable: list[str] = []
    for batch, answer in zip(batches, helper.ask_each(questions), strict=True):
        if isinstance(answer, Unusable):
            unusable.append(f"criteria could not be distilled: {answer.why}")
            continue
        said = _quotable([*foreign, *(_words(review) for review in batch.reviews.values())])
        for criterion in answer.value.criteria:
            wrong = _wrong(criterion, said)
            sources = _sources(criterion, batch.reviews)
            if wrong or not sources:
                unusable.append(f"a criterion was dropped: {wrong or 'no review shown has it'}")
            else:
                name, told = visible(criterion.name), visible(criterion.instruction)
                found.append(Criterion(name, told, sources))
    criteria = _merged(found, embedder)
    if len(criteria) < FEWEST:
        criteria = _merged((*criteria, *seeds), embedder, first=len(criteria))
    return Distilled(criteria[:MOST_CRITERIA], tuple(unusable), like, (*left_out, *unread))


def _readable(
    corpus: Corpus, like: Sequence[Similar]
) -> tuple[list[PublicReview], tuple[str, ...]]:
    """The reviews that are read, first one of each paper, then the second ones; what is not."""
    left_out: list[str] = []
    ranked: list[tuple[int, int, PublicReview]] = []
    for place, one in enumerate(like):
        fit = []
        for review in corpus.reviews_of[one.paper.id]:
            if _commands(review):
                left_out.append(f"review {review.id}: withheld, since it gives orders to a reader")
            else:
                fit.append(review)
        fit.sort(key=lambda review: (-len(_words(review)), review.id))
        ranked += [(turn, place, review) for turn, review in enumerate(fit[:REVIEWS_OF_ONE])]
        if len(fit) > REVIEWS_OF_ONE:
            more = many(len(fit) - REVIEWS_OF_ONE, "more review")
            left_out.append(f"paper {one.paper.id}: {more}, not read")
    ranked.sort(key=lambda item: item[:2])
    return [review for _, _, review in ranked], tuple(left_out)


def _batches(
    ours: About, reviews: Sequence[PublicReview], helper: Role
) -> tuple[list[_Batch], tuple[str, ...]]:
    """Reviews by questions that fit, each review whole; those for which there is no room."""
    room = helper.room(_question(ours, ""))
    batches: list[dict[str, PublicReview]] = [{}]
    unread = []
    used = 0
    for number, review in enumerate(reviews, start=1):
        label = f"r{number}"
        cost = cost_of("reviews", _shown(label, review))
        if cost > room:
            unread.append(f"review {review.id}: too long to be shown")
            continue
        if used + cost > room:
            if len(batches) == MOST_QUESTIONS:
                unread.append(f"review {review.id}: no room for it")
                continue
            batches.append({})
            used = 0
        batches[-1][label] = review
        used += cost
    return [_Batch(found) for found in batches if found], tuple(unread)


def _question(ours: About, reviews: str) -> Question[DistilledCriteria]:
    return Question(
        PROMPT,
        {"paper": ours.text, "reviews": reviews},
        DistilledCriteria,
        max_tokens=_REPLY_TOKENS,
    )


def _commands(review: PublicReview) -> bool:
    """Whether it gives orders, in one of its texts or across them, dressed up or plain."""
    texts = (
        review.strengths,
        review.weaknesses,
        review.questions,
        review.remarks,
        _words(review),
    )
    return any(gives_orders(text) or gives_orders(_DRESS.sub("", text)) for text in texts)


def _words(review: PublicReview) -> str:
    """What of a review is shown: not its summary, which retells somebody's paper."""
    parts = (
        ("Strengths", review.strengths),
        ("Weaknesses", review.weaknesses),
        ("Questions", review.questions),
        ("Remarks", review.remarks),
    )
    return " ".join(f"{heading}: {text}" for heading, text in parts if text)


def _shown(label: str, review: PublicReview) -> str:
    return f"Review {label}. {_words(review)}"


def _wrong(criterion: DistilledCriterion, said: Collection[str]) -> str:
    """What is wrong with a criterion, "" for nothing."""
    name, instruction = visible(criterion.name), visible(criterion.instruction)
    text = f"{name}: {instruction}"
    if any(gives_orders(part) for part in (name, instruction, text)):
        return "it gives orders"
    if _VERDICT.search(text.lower()):
        return "it speaks of the verdict"
    if _SIGNS.search(text):
        return "it holds more than words"
    if any(run in said for run in _runs(text)):
        return "it quotes"
    return ""


def _sources(criterion: DistilledCriterion, shown: Mapping[str, PublicReview]) -> tuple[str, ...]:
    """The ids of the reviews it names, of those that were shown."""
    labels = (label.strip().lower() for label in criterion.sources)
    return tuple(dict.fromkeys(shown[label].id for label in labels if label in shown))


def _quotable(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(run for text in texts for run in _runs(text))


def _runs(text: str) -> Iterator[str]:
    words = _WORD.findall(text.lower())
    for start in range(len(words) - _RUN + 1):
        yield " ".join(words[start : start + _RUN])


def _merged(
    criteria: Sequence[Criterion], embedder: Embedder, *, first: int = 0
) -> tuple[Criterion, ...]:
    """The criteria without near-duplicates, whose sources go to the one that stays. What comes
    after the `first` ones is only filled in, and leaves its sources behind."""
    texts = [f"{criterion.name}: {criterion.instruction}" for criterion in criteria]
    cosines = embedder.similarities(texts, texts)
    kept: list[int] = []
    sources: dict[int, tuple[str, ...]] = {}
    for index, criterion in enumerate(criteria):
        same = next((k for k in kept if cosines[index][k] >= ALIKE), None)
        if same is None:
            kept.append(index)
            sources[index] = criterion.sources
        elif not first or index < first:
            sources[same] = tuple(dict.fromkeys((*sources[same], *criterion.sources)))
    return tuple(Criterion(criteria[k].name, criteria[k].instruction, sources[k]) for k in kept)
