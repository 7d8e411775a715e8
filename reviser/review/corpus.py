"""Public reviews of other papers, in OpenReview's shape: one JSON object (a note) on each line.

A note has `id`, `forum` (the id of the paper it belongs to) and `content`, whose fields are
`{"value": ...}` in version 2 of the API and bare values in version 1. As the API gives them,
replies may stand inside their paper's note, as `details.replies`, and notes in a page, as `notes`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reviser.text.visible import visible

LONGEST_LINE = 4_000_000
"""Characters of a line that are read; a paper with all its discussion has far fewer."""
LONGEST_FIELD = 50_000
"""Characters of one field of a note, before what nobody sees is taken out."""
MOST_NOTES = 200_000
"""Notes that are read from one file."""

EVERYONE = "everyone"
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:~-]{0,99}")
_REVIEW = re.compile(r"(?:^|_)review$")
_NO_REVIEW = re.compile(r"meta|ethic|comment|rebuttal|revision")
_NUMBER = re.compile(r"\s{0,9}(\d{1,2}(?:\.\d{1,3})?)(?![\d.])")

# What the fields of different venues are to us; the first of each is the name we write.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "summary": ("summary", "summary_of_the_paper", "summary_of_paper", "summary_of_contributions"),
    "strengths": ("strengths", "strength", "reasons_to_accept", "pros"),
    "weaknesses": ("weaknesses", "weakness", "limitations", "reasons_to_reject", "cons"),
    "questions": ("questions", "questions_for_authors", "questions_for_the_authors"),
    "remarks": (
        "review",
        "main_review",
        "strengths_and_weaknesses",
        "strength_and_weaknesses",
        "clarity,_quality,_novelty_and_reproducibility",
        "additional_comments",
        "comments",
    ),
}
_MARKS: Mapping[str, tuple[str, ...]] = {
    "rating": ("rating", "recommendation", "overall_recommendation", "overall_assessment"),
    "confidence": ("confidence", "reviewer_confidence"),
    "soundness": ("soundness", "correctness", "technical_quality"),
    "presentation": ("presentation", "clarity"),
    "contribution": ("contribution", "significance"),
}


@dataclass(frozen=True, slots=True)
class PublicPaper:
    """A paper that was reviewed in public. `id` is its forum's, `venue` "" where it is not told."""

    id: str
    title: str
    abstract: str
    venue: str = ""


@dataclass(frozen=True, slots=True)
class PublicReview:
    """A public review of the paper `forum`. `remarks` is what stood under no heading of ours.

    `marks` are the numbers that were given, by name, each on its venue's own scale; `license` is
    "" where none is told. In the texts nothing is hidden and white space is single.
    """

    id: str
    forum: str
    summary: str = ""
    strengths: str = ""
    weaknesses: str = ""
    questions: str = ""
    remarks: str = ""
    marks: tuple[tuple[str, float], ...] = ()
    license: str = ""


Noted = PublicPaper | PublicReview


@dataclass(frozen=True)
class Corpus:
    """Papers and the public reviews of them. Where a note came twice the later one stands."""

    papers: tuple[PublicPaper, ...] = ()
    reviews: tuple[PublicReview, ...] = ()

    @property
    def notes(self) -> tuple[Noted, ...]:
        """Both, papers first."""
        return (*self.papers, *self.reviews)

    @cached_property
    def reviews_of(self) -> Mapping[str, tuple[PublicReview, ...]]:
        """The reviews of each paper, by its id."""
        found: dict[str, list[PublicReview]] = {}
        for review in self.reviews:
            found.setdefault(review.forum, []).append(review)
        return {forum: tuple(reviews) for forum, reviews in found.items()}

    @cached_property
    def reviewed(self) -> tuple[PublicPaper, ...]:
        """The papers that have a review."""
        return tuple(paper for paper in self.papers if paper.id in self.reviews_of)


@dataclass(frozen=True, slots=True)
class Fault:
    """A line, from 1, of which a note was not taken, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Read:
    """What a text holds: the corpus, the faults, and how many notes are neither paper nor review
    (comments, decisions, meta-reviews)."""

    corpus: Corpus
    faults: tuple[Fault, ...] = ()
    others: int = 0


class _Refused(ValueError):  # noqa: N818 - it names what became of the note
    """A note cannot be taken; the message says why."""


def read_corpus(text: str, *, public_only: bool = False) -> Read:
    """The corpus in a text of JSON lines.

    A line that cannot be read is a fault and hides no other. A note whose readers are named and
    are not everyone is none; with `public_only` neither is one that does not name them.
    """
    return gathered(enumerate(text.split("\n"), start=1), public_only=public_only)


def gathered(lines: Iterable[tuple[int, str]], *, public_only: bool = False) -> Read:
    """The corpus in numbered lines, as `read_corpus`."""
    kept: dict[str, Noted] = {}
    faults: list[Fault] = []
    others = 0
    for number, line in lines:
        if not line.strip():
            continue
        for found in _of_line(line, public_only=public_only):
            if found is None:
                others += 1
            elif isinstance(found, str):
                faults.append(Fault(number, found))
            elif len(kept) < MOST_NOTES or found.id in kept:
                kept[found.id] = found
            else:
                faults.append(Fault(number, f"there are more than {MOST_NOTES:,} notes"))
    papers = tuple(noted for noted in kept.values() if isinstance(noted, PublicPaper))
    reviews = tuple(noted for noted in kept.values() if isinstance(noted, PublicReview))
    return Read(Corpus(papers, reviews), tuple(faults), others)


def as_line(noted: Noted) -> str:
    """The note as one line, in the shape of version 2, without its line end; read again, it gives
    an equal value."""
    if isinstance(noted, PublicPaper):
        fields: dict[str, str | float] = {"title": noted.title, "abstract": noted.abstract}
        if noted.venue:
            fields["venue"] = noted.venue
        note: dict[str, Any] = {"id": noted.id, "forum": noted.id, "invitations": ["-/Submission"]}
    else:
        said = {names[0]: getattr(noted, text) for text, names in _TEXTS.items()}
        fields = {name: text for name, text in said.items() if text} | dict(noted.marks)
        note = {"id": noted.id, "forum": noted.forum, "invitations": ["-/Official_Review"]}
        if noted.license:
            note["license"] = noted.license
    note["readers"] = [EVERYONE]
    note["content"] = {name: {"value": value} for name, value in fields.items()}
    return json.dumps(note, ensure_ascii=True, separators=(",", ":"))


def _of_line(line: str, *, public_only: bool) -> Iterator[Noted | str | None]:
    """What the notes of a line are: papers and reviews, None for any other, a text that says why
    one was not taken."""
    try:
        for note in _notes(line):
            try:
                yield _noted(note, public_only=public_only)
            except _Refused as fault:
                yield str(fault)
    except _Refused as fault:
        yield str(fault)


def _notes(line: str) -> Iterator[Mapping[str, Any]]:
    """The notes of a line: the one it is, those of a page, and the replies inside each."""
    if len(line) > LONGEST_LINE:
        raise _Refused(f"the line has {len(line):,} characters, at most {LONGEST_LINE:,} are read")
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _Refused("it is no JSON") from error
    if not isinstance(found, dict):
        raise _Refused("it is no JSON object")
    page = found.get("notes")
    for note in page if isinstance(page, list) and "content" not in found else [found]:
        if not isinstance(note, dict):
            raise _Refused("a note of it is no JSON object")
        yield note
        details = note.get("details")
        if isinstance(details, dict):
            for name in ("replies", "directReplies"):
                replies = details.get(name)
                if isinstance(replies, list):
                    yield from (reply for reply in replies if isinstance(reply, dict))


def _noted(note: Mapping[str, Any], *, public_only: bool) -> Noted | None:
    """The paper or review that a note is, None when it is neither."""
    content = note.get("content")
    if not isinstance(content, dict):
        raise _Refused("it has no content")
    invitations = _invitations(note)
    own = _id(note, "id")
    forum = _id(note, "forum") if note.get("forum") is not None else own
    if note.get("ddate") is not None:
        return None
    if forum == own and _text(content, ("title",)):
        _check_readers(note, public_only=public_only)
        venue = _text(content, ("venue",))
        return PublicPaper(own, _text(content, ("title",)), _text(content, ("abstract",)), venue)
    if forum == own or not _is_review(invitations, content):
        return None
    _check_readers(note, public_only=public_only)
    review = PublicReview(
        own,
        forum,
        **{name: _text(content, fields) for name, fields in _TEXTS.items()},
        marks=tuple(_marks(content)),
        license=_plain(note.get("license"), "license"),
    )
    if not any(getattr(review, name) for name in _TEXTS):
        raise _Refused("it is a review without a word")
    return review


def _invitations(note: Mapping[str, Any]) -> tuple[str, ...]:
    """The last parts of the names of the forms a note was written in."""
    given = note.get("invitations", note.get("invitation"))
    names = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return tuple(n.rpartition("/")[2].lower()[:200] for n in names if isinstance(n, str))


def _is_review(invitations: tuple[str, ...], content: Mapping[str, Any]) -> bool:
    if invitations:
        return any(_REVIEW.search(name) and not _NO_REVIEW.search(name) for name in invitations)
    names = {name for fields in _TEXTS.values() for name in fields} - {"comments", "summary"}
    return any(content.get(name) for name in names)


def _check_readers(note: Mapping[str, Any], *, public_only: bool) -> None:
    readers = note.get("readers")
    if readers is None:
        if public_only:
            raise _Refused("it does not say who may read it")
    elif not isinstance(readers, list) or EVERYONE not in readers:
        raise _Refused("not everyone may read it")


def _id(note: Mapping[str, Any], name: str) -> str:
    value = note.get(name)
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _Refused(f"its {name} is missing or has characters that no {name} has")
    return value


def _text(content: Mapping[str, Any], fields: Iterable[str]) -> str:
    """What the first of these fields that says anything says; further ones follow it."""
    said = [_plain(_bare(content.get(name)), name) for name in fields]
    return _within(" ".join(part for part in said if part), "text")


def _bare(value: object) -> object:
    return value.get("value") if isinstance(value, dict) else value


def _plain(value: object, name: str) -> str:
    if isinstance(value, list):
        value = " ".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    return visible(_within(value, name))


def _within(value: str, name: str) -> str:
    if len(value) > LONGEST_FIELD:
        raise _Refused(
            f"its {name} has {len(value):,} characters, at most {LONGEST_FIELD:,} are read"
        )
    return value


def _marks(content: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for mark, fields in _MARKS.items():
        for name in fields:
            number = _number(_bare(content.get(name)))
            if number is not None:
                yield mark, number
                break


def _number(value: object) -> float | None:
    """The number a mark begins with ("6: marginally above"), from 0 to below 100."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        value = format(value, ".3f") if 0 <= value < 100 else ""
    match = _NUMBER.match(value) if isinstance(value, str) else None
    return float(match[1]) if match else None
