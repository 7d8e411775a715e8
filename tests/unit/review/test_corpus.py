"""Public reviews are read line by line, in both shapes of the API; a bad line hides no other."""

import json
from typing import Any

import pytest

from reviser.review.corpus import (
    LONGEST_FIELD,
    LONGEST_LINE,
    Corpus,
    Fault,
    PublicPaper,
    PublicReview,
    as_line,
    read_corpus,
)

PAPER_2 = {
    "id": "p1",
    "forum": "p1",
    "invitations": ["V.cc/2024/Conference/-/Submission"],
    "readers": ["everyone"],
    "content": {
        "title": {"value": "Kites that fly"},
        "abstract": {"value": "We fly\nkites."},
        "venue": {"value": "V 2024 poster"},
    },
}
REVIEW_2 = {
    "id": "r1",
    "forum": "p1",
    "invitations": ["V.cc/2024/Conference/Submission7/-/Official_Review"],
    "readers": ["everyone"],
    "license": "CC BY 4.0",
    "content": {
        "summary": {"value": "Kites."},
        "strengths": {"value": "They fly."},
        "weaknesses": {"value": "Wind is not told."},
        "questions": {"value": "How high?"},
        "rating": {"value": "6: marginally above"},
        "soundness": {"value": "3 good"},
        "confidence": {"value": 4},
    },
}
READ_2 = PublicReview(
    "r1",
    "p1",
    summary="Kites.",
    strengths="They fly.",
    weaknesses="Wind is not told.",
    questions="How high?",
    marks=(("rating", 6.0), ("confidence", 4.0), ("soundness", 3.0)),
    license="CC BY 4.0",
)


def lines(*notes: object) -> str:
    return "\n".join(json.dumps(note) for note in notes)


def changed(note: dict[str, Any], **members: object) -> dict[str, Any]:
    """The note with these members; None takes one away."""
    return {k: v for k, v in (note | members).items() if v is not None}


def test_version_2() -> None:
    read = read_corpus(lines(PAPER_2, REVIEW_2))
    paper = PublicPaper("p1", "Kites that fly", "We fly kites.", "V 2024 poster")
    assert read.corpus == Corpus((paper,), (READ_2,))
    assert read.faults == ()
    assert read.corpus.reviewed == (paper,)
    assert read.corpus.reviews_of == {"p1": (READ_2,)}


def test_version_1() -> None:
    paper = {"id": "p1", "forum": "p1", "content": {"title": "Kites", "abstract": "High."}}
    review = {
        "id": "r1",
        "forum": "p1",
        "invitation": "V.cc/2019/Conference/-/Paper7/Official_Review",
        "content": {"review": "All of it in one text.", "rating": "3: Clear rejection"},
    }
    read = read_corpus(lines(paper, review))
    assert read.corpus.papers == (PublicPaper("p1", "Kites", "High."),)
    expected = PublicReview("r1", "p1", remarks="All of it in one text.", marks=(("rating", 3.0),))
    assert read.corpus.reviews == (expected,)


def test_replies_inside_their_paper_and_notes_inside_a_page() -> None:
    nested = changed(PAPER_2, details={"replies": [REVIEW_2, "no note"]})
    page = {"notes": [nested], "count": 1}
    assert read_corpus(lines(page)).corpus == read_corpus(lines(PAPER_2, REVIEW_2)).corpus


@pytest.mark.parametrize(
    "form", ["Meta_Review", "Ethics_Review", "Decision", "Official_Comment", "Rebuttal"]
)
def test_what_is_no_review_is_counted(form: str) -> None:
    other = changed(REVIEW_2, invitations=[f"V.cc/2024/Conference/Submission7/-/{form}"])
    read = read_corpus(lines(PAPER_2, other))
    assert (read.corpus.reviews, read.others, read.faults) == ((), 1, ())


def test_a_review_is_told_by_its_fields_where_its_form_is_not_named() -> None:
    assert read_corpus(lines(changed(REVIEW_2, invitations=None))).corpus.reviews == (READ_2,)
    comment = {"id": "c", "forum": "p1", "content": {"title": "Thanks", "comment": "We agree."}}
    assert read_corpus(lines(comment)).others == 1


def test_a_deleted_note_is_none() -> None:
    assert read_corpus(lines(changed(REVIEW_2, ddate=1700000000000))).others == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[1]", "it is no JSON object"),
        ("{}", "it has no content"),
        ('{"notes": [3]}', "a note of it is no JSON object"),
        (lines(changed(REVIEW_2, id=7)), "its id is missing or has characters that no id has"),
        (lines(changed(REVIEW_2, id="../x")), "its id is missing or has characters that no id has"),
        (
            lines(changed(REVIEW_2, forum="a b")),
            "its forum is missing or has characters that no forum has",
        ),
        (lines(changed(REVIEW_2, readers=["V.cc/Chairs"])), "not everyone may read it"),
        (lines(changed(REVIEW_2, readers="everyone else")), "not everyone may read it"),
        (
            lines(changed(REVIEW_2, content={"rating": {"value": 3}})),
            "it is a review without a word",
        ),
        (
            lines(changed(REVIEW_2, content={"strengths": {"value": "x" * (LONGEST_FIELD + 1)}})),
            "its strengths has 50,001 characters, at most 50,000 are read",
        ),
        (
            " " * (LONGEST_LINE - 1) + "{}",
            "the line has 4,000,001 characters, at most 4,000,000 are read",
        ),
    ],
)
def test_a_bad_line_says_why_and_hides_no_other(line: str, why: str) -> None:
    read = read_corpus("\n".join([lines(PAPER_2), line, "", lines(REVIEW_2 | {"id": "r2"})]))
    assert read.faults == (Fault(2, why),)
    assert [p.id for p in read.corpus.papers] == ["p1"]
    assert [r.id for r in read.corpus.reviews] == ["r2"]


def test_a_bad_reply_hides_no_other_in_its_line() -> None:
    hidden = changed(REVIEW_2, readers=["V.cc/Chairs"])
    nested = changed(PAPER_2, details={"replies": [hidden, REVIEW_2 | {"id": "r2"}]})
    read = read_corpus(lines(nested))
    assert read.faults == (Fault(1, "not everyone may read it"),)
    assert [r.id for r in read.corpus.reviews] == ["r2"]


def test_readers_must_be_named_where_only_what_is_public_is_wanted() -> None:
    silent = changed(REVIEW_2, readers=None)
    assert read_corpus(lines(silent)).corpus.reviews
    read = read_corpus(lines(silent), public_only=True)
    assert (read.corpus.reviews, read.faults) == (
        (),
        (Fault(1, "it does not say who may read it"),),
    )


def test_the_later_of_two_notes_stands_in_the_place_of_the_first() -> None:
    newer = changed(REVIEW_2, content={"weaknesses": {"value": "Now it is told."}})
    read = read_corpus(lines(REVIEW_2, REVIEW_2 | {"id": "r2"}, newer))
    assert [(r.id, r.weaknesses) for r in read.corpus.reviews] == [
        ("r1", "Now it is told."),
        ("r2", "Wind is not told."),
    ]


def test_what_nobody_sees_is_not_in_it() -> None:
    content = {"weaknesses": {"value": "Too\u200b\u202e sh\x1b[31mort\x00.\n\ud800"}}
    (review,) = read_corpus(lines(changed(REVIEW_2, content=content))).corpus.reviews
    assert review.weaknesses == "Too sh[31mort."


@pytest.mark.parametrize(
    ("given", "mark"),
    [("8: accept", 8.0), ("10", 10.0), (4, 4.0), (3.5, 3.5), ("2.5 fair", 2.5)]
    + [(bad, None) for bad in (True, "good", "-1", "100", 1e300, float(-3), None, [], "1.2.3")],
)
def test_a_mark_is_the_number_it_begins_with(given: object, mark: float | None) -> None:
    content = {"strengths": {"value": "Good."}, "rating": {"value": given}}
    (review,) = read_corpus(lines(changed(REVIEW_2, content=content))).corpus.reviews
    assert dict(review.marks).get("rating") == mark


def test_a_note_that_is_written_is_read_again() -> None:
    read = read_corpus(lines(PAPER_2, REVIEW_2)).corpus
    again = read_corpus("\n".join(as_line(noted) for noted in (*read.papers, *read.reviews)))
    assert (again.corpus, again.faults) == (read, ())
