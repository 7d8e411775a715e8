"""A paper reviewed in the form of a conference (I&E 3.2, the function delta).

A paper that fits into the model's context is shown whole in one question. A longer one is read
part by part, each beside a digest of the whole; the notes on the parts, whose quotations must
stand in the paper, then become one review.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from reviser.asking import Answered, Unusable
from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review.digest import Part, digest, left_out, parts
from reviser.review.foreign import foreign
from reviser.review.model import Criterion, Mark, Review
from reviser.review.treatable import section_at
from reviser.roles import Question, Role, cost_of
from reviser.text.printable import many
from reviser.text.source import Place
from reviser.text.visible import visible

PROMPTS = PAPER, PART, WHOLE = "review-paper", "review-part", "review-whole"
REVIEW_TOKENS = 2048
"""Tokens of a review, where the context is large enough; see `_reply_tokens`."""
MOST_DIGEST = 1500
"""Tokens of the digest that stands beside each part."""
_SPARE = 32
"""Tokens kept free of what a part may fill: counts of tokens are estimates."""
_FEWEST = 100
"""Tokens of a part below which reading it makes no sense."""
NO_CRITERIA = "none are given: examine it by your own judgement."

_Text = Annotated[str, StringConstraints(min_length=10, max_length=600)]
_Why = Annotated[str, StringConstraints(min_length=1, max_length=500)]
_Quote = Annotated[str, StringConstraints(max_length=400)]


class WrittenMark(BaseModel):
    """A mark from 1 to 4 with its reason."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    why: _Why
    score: Annotated[float, Field(ge=1, le=4)]


class Remark(BaseModel):
    """What is said of the paper, and words of it that it is about; "" where it is about none."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: _Text
    quote: _Quote


class WrittenReview(BaseModel):
    """A review as the model writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    summary: Annotated[str, StringConstraints(min_length=20, max_length=2000)]
    strengths: Annotated[tuple[Remark, ...], Field(max_length=8)]
    weaknesses: Annotated[tuple[Remark, ...], Field(max_length=12)]
    questions: Annotated[tuple[_Text, ...], Field(max_length=8)]
    soundness: WrittenMark
    presentation: WrittenMark
    contribution: WrittenMark
    rating: Annotated[float, Field(ge=1, le=10)]
    confidence: Annotated[float, Field(ge=1, le=5)]


class Note(BaseModel):
    """A note on a part: what is said, of which words, and whether it matters much."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["strength", "weakness", "question"]
    text: _Text
    quote: Annotated[str, StringConstraints(min_length=8, max_length=400)]
    weight: Literal["major", "minor"]


class PartNotes(BaseModel):
    """The notes on one part."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    notes: Annotated[tuple[Note, ...], Field(max_length=10)]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The review, None where there is none that can be used. `unusable` tells which questions had
    no answer, and what was dropped of the answers."""

    review: Review | None
    unusable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Noted:
    """A note whose words stand in the paper, as it is shown."""

    text: str
    major: bool


def review_paper(manuscript: Manuscript, helper: Role, criteria: Sequence[Criterion]) -> Reviewed:
    """The paper's review by `helper`, who is told to examine it by `criteria`; none is the
    ablation without imitation. Raises ReviserError when the endpoint answers nobody."""
    followed = tuple(c for c in criteria if not gives_orders(f"{c.name}: {c.instruction}"))
    told = _told(followed)
    room = helper.room(_about_paper(helper, told, "")) - _SPARE
    whole = parts(manuscript, room)
    if len(whole) == 1:
        question = _about_paper(helper, told, whole[0].text)
        answer = helper.ask(_readable(manuscript, question))
        reviewed = _reviewed(manuscript, helper, followed, whole, answer)
    else:
        reviewed = _in_parts(manuscript, helper, followed)
    if len(followed) == len(criteria):
        return reviewed
    dropped = many(len(criteria) - len(followed), "criterion", "criteria")
    return Reviewed(reviewed.review, (f"{dropped} dropped: orders", *reviewed.unusable))


def _readable(manuscript: Manuscript, question: Question[WrittenReview]) -> Question[WrittenReview]:
    """The question for a review that the authors of the paper can read."""

    def wrong(review: WrittenReview) -> str:
        remarks = (remark.text for remark in (*review.strengths, *review.weaknesses))
        texts = [review.summary, *remarks, *review.questions]
        return question.check(review) or foreign(manuscript, texts)

    return replace(question, check=wrong)


def _in_parts(manuscript: Manuscript, helper: Role, criteria: tuple[Criterion, ...]) -> Reviewed:
    """The review of a paper that is too long for one question."""
    told = _told(criteria)
    overview = digest(manuscript, _digest_tokens(helper, told)).text
    room = helper.room(_about_part(helper, told, overview, "")) - _SPARE
    pieces = parts(manuscript, room) if room >= _FEWEST else ()
    if not pieces:
        return Reviewed(
            None, (f"nothing to review fits into {helper.context:,} tokens of context",)
        )
    questions = [_about_part(helper, told, overview, piece.text) for piece in pieces]
    notes: list[_Noted] = []
    unusable: list[str] = []
    unread: list[str] = []
    false = orders = 0
    for piece, answer in zip(pieces, helper.ask_each(questions), strict=True):
        if isinstance(answer, Unusable):
            unusable.append(f"notes on {_named(manuscript, piece)}: {answer.why}")
            unread.append(f"{_named(manuscript, piece)}: no usable notes ({answer.why})")
            continue
        for note in answer.value.notes:
            place = piece.find(note.quote)
            if place is None:
                false += 1
            elif gives_orders(visible(note.text)):
                orders += 1
            else:
                notes.append(_noted(manuscript, note, place))
    unusable += _dropped("note", false, orders)
    if len(unread) == len(pieces):
        return Reviewed(None, tuple(unusable))
    kept, lesser = _fitting(helper, told, overview, notes)
    if lesser:
        unread.append(f"{many(lesser, 'note')} on its parts, for which there was no room")
    question = _about_whole(helper, told, overview, kept)
    written = helper.ask(_readable(manuscript, question))
    reviewed = _reviewed(manuscript, helper, criteria, pieces, written, unread=unread)
    return Reviewed(reviewed.review, (*unusable, *reviewed.unusable))


def _reviewed(
    manuscript: Manuscript,
    helper: Role,
    criteria: tuple[Criterion, ...],
    shown: Sequence[Part],
    answer: Answered[WrittenReview] | Unusable,
    *,
    unread: Iterable[str] = (),
) -> Reviewed:
    """The review that was written, with what was shown of the paper, and what was dropped."""
    if isinstance(answer, Unusable):
        return Reviewed(None, (f"the review: {answer.why}",))
    written = answer.value
    strengths = _standing(written.strengths, shown)
    weaknesses = _standing(written.weaknesses, shown)
    questions = tuple(q for q in map(visible, written.questions) if not gives_orders(q))
    orders = len(written.questions) - len(questions) + strengths.orders + weaknesses.orders
    review = Review(
        summary=visible(written.summary),
        soundness=_mark(written.soundness),
        presentation=_mark(written.presentation),
        contribution=_mark(written.contribution),
        strengths=strengths.texts,
        weaknesses=weaknesses.texts,
        questions=questions,
        rating=written.rating,
        confidence=written.confidence,
        model=helper.name,
        criteria=criteria,
        left_out=(*left_out(manuscript, shown), *unread),
    )
    return Reviewed(review, _dropped("remark", strengths.false + weaknesses.false, orders))


@dataclass(frozen=True, slots=True)
class _Standing:
    """Remarks that may stand, and how many were dropped: for words that do not stand in the paper
    exactly once, and for orders."""

    texts: tuple[str, ...]
    false: int
    orders: int


def _standing(remarks: Iterable[Remark], shown: Sequence[Part]) -> _Standing:
    texts: list[str] = []
    false = orders = 0
    for remark in remarks:
        text, quote = visible(remark.text), visible(remark.quote)
        if quote and not _stands_once(quote, shown):
            false += 1
        elif gives_orders(text):
            orders += 1
        else:
            texts.append(f'{text} (At: "{quote}")' if quote else text)
    return _Standing(tuple(dict.fromkeys(texts)), false, orders)


def _stands_once(quote: str, shown: Sequence[Part]) -> bool:
    return sum(len(one.places(quote)) for part in shown for one in part.shown) == 1


def _dropped(noun: str, false: int, orders: int) -> tuple[str, ...]:
    """What was dropped of a reply, in words."""
    told = []
    if false:
        told.append(f"{many(false, noun)} dropped: quoting what does not stand in the paper once")
    if orders:
        told.append(f"{many(orders, noun)} dropped: giving orders")
    return tuple(told)


def objection(written: WrittenReview) -> str:
    """What is wrong with a review as a whole, "" for nothing."""
    said = (written.summary, *(mark.why for mark in _marks(written)))
    if any(gives_orders(visible(text)) for text in said):
        return "its summary or a reason gives orders to a reader"
    if not any(visible(text) for text in said[:1]):
        return "its summary has no words"
    if not (written.strengths or written.weaknesses or written.questions):
        return "it has neither strengths nor weaknesses nor questions"
    return ""


def _marks(written: WrittenReview) -> tuple[WrittenMark, ...]:
    return (written.soundness, written.presentation, written.contribution)


def _mark(written: WrittenMark) -> Mark:
    return Mark(written.score, visible(written.why))


def _about_paper(helper: Role, criteria: str, paper: str) -> Question[WrittenReview]:
    return _review_question(helper, PAPER, {"criteria": criteria, "paper": paper})


def _about_whole(
    helper: Role, criteria: str, overview: str, notes: Iterable[_Noted]
) -> Question[WrittenReview]:
    told = "\n".join(note.text for note in notes) or "none"
    return _review_question(
        helper, WHOLE, {"criteria": criteria, "digest": overview, "notes": told}
    )


def _review_question(helper: Role, prompt: str, values: dict[str, str]) -> Question[WrittenReview]:
    return Question(
        prompt, values, WrittenReview, objection, max_tokens=_reply_tokens(helper, REVIEW_TOKENS)
    )


def _about_part(helper: Role, criteria: str, overview: str, part: str) -> Question[PartNotes]:
    values = {"criteria": criteria, "digest": overview, "part": part}
    return Question(PART, values, PartNotes, max_tokens=_reply_tokens(helper, REVIEW_TOKENS // 2))


def _reply_tokens(helper: Role, wanted: int) -> int:
    """What a reply may take: what it needs, but no more than a quarter of the context, unless the
    role is given more."""
    return max(helper.reply_tokens, min(wanted, helper.context // 4))


def _digest_tokens(helper: Role, criteria: str) -> int:
    room = helper.room(_about_part(helper, criteria, "", ""))
    return min(MOST_DIGEST, room // 4)


def _fitting(
    helper: Role, criteria: str, overview: str, notes: Sequence[_Noted]
) -> tuple[list[_Noted], int]:
    """The notes there is room for, in the order of the paper, and how many there is none for: minor
    ones go first, then those that come last."""
    room = helper.room(_about_whole(helper, criteria, overview, ())) - _SPARE
    used = 0
    taken: set[int] = set()
    for index in sorted(range(len(notes)), key=lambda n: (not notes[n].major, n)):
        cost = cost_of("", notes[index].text)
        if used + cost <= room:
            used += cost
            taken.add(index)
    return [note for index, note in enumerate(notes) if index in taken], len(notes) - len(taken)


def _noted(manuscript: Manuscript, note: Note, place: Place) -> _Noted:
    """A note as the reviewer of the whole is shown it."""
    title = _title(manuscript, place)
    where = f' in the section "{title}"' if title else ""
    weight = " (minor)" if note.weight == "minor" else ""
    told = f"- {note.kind}{weight}{where}: {visible(note.text)} Quotation: {visible(note.quote)}"
    return _Noted(told, note.weight == "major")


def _title(manuscript: Manuscript, place: Place) -> str:
    """The title of the section that a place stands in, "" before the first."""
    title = manuscript.sections[section_at(manuscript, place)].title
    return "" if gives_orders(title) else visible(title)


def _named(manuscript: Manuscript, piece: Part) -> str:
    """A part by where it stands."""
    first = piece.shown[0].place
    last = piece.shown[-1].place
    start, stop = manuscript.lines(first)[0], manuscript.lines(last)[1]
    if first.path == last.path:
        return f"{first.path}:{start}-{stop}"
    return f"{first.path}:{start} to {last.path}:{stop}"


def _told(criteria: Sequence[Criterion]) -> str:
    """The criteria as they are shown."""
    told = (
        f"{number}. {criterion.name}: {criterion.instruction}"
        for number, criterion in enumerate(criteria, start=1)
    )
    return "\n".join(told) or NO_CRITERIA
