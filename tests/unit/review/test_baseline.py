import json
from dataclasses import replace

import pytest

from reviser.errors import SettingsError
from reviser.findings import Finding, Severity, fingerprinted
from reviser.review.baseline import SCHEMA, STALE, apply, make, read
from reviser.text.source import Place, Span


def finding(rule: str = "tone", path: str = "a.tex", quote: str = "very", at: int = 0) -> Finding:
    return Finding(rule, Place(path, Span(at, at + 4)), quote, "Oh.", Severity.WARNING)


PAPER = fingerprinted([finding(), finding(at=9), finding("todo"), finding(path="b\ud800.tex")])


def test_everything_accepted_is_silent_and_says_why() -> None:
    result = apply(PAPER, read(make(PAPER), where="reviser.baseline"), main="a.tex")
    assert {f.suppressed for f in result} == {"accepted in reviser.baseline"}
    assert len(result) == len(PAPER)


def test_moved_text_stays_accepted_and_new_text_is_heard() -> None:
    accepted = read(make(PAPER))
    moved = fingerprinted([replace(f, place=Place(f.place.path, Span(500, 504))) for f in PAPER])
    assert all(f.suppressed for f in apply(moved, accepted, main="a.tex"))
    new = fingerprinted([*PAPER, finding(at=40)])
    assert [f.suppressed for f in apply(new, accepted, main="a.tex")].count(None) == 1


def test_no_word_of_the_paper_enters_and_the_file_is_stable() -> None:
    text = make(PAPER)
    assert "very" not in text
    assert "Oh" not in text
    assert text == make(reversed(PAPER))
    assert json.loads(text)["schema"] == SCHEMA
    assert text.isascii()


def test_silenced_findings_are_not_accepted_again() -> None:
    text = make([replace(PAPER[0], suppressed="a quote")])
    assert json.loads(text)["accepted"] == {}
    assert apply(PAPER, read(text), main="a.tex") == PAPER


def test_a_reason_already_given_stays() -> None:
    (result,) = apply([replace(PAPER[0], suppressed="quoted")], read(make(PAPER[:1])), main="a")
    assert result.suppressed == "quoted"


def test_what_is_gone_is_reported_once() -> None:
    accepted = read(make(PAPER))
    (*rest, note) = apply(PAPER[:1], accepted, main="main.tex")
    assert rest == [replace(PAPER[0], suppressed="accepted in the baseline")]
    assert (note.rule, note.severity, note.place.path) == (STALE, Severity.NOTE, "main.tex")
    assert "2 of tone in a.tex" in note.message
    assert note.fingerprint
    assert make([note]) == make([])


def test_rules_that_did_not_run_are_not_stale() -> None:
    accepted = read(make(PAPER))
    assert apply((), accepted, main="a.tex", ran=("other",)) == ()
    assert len(apply((), accepted, main="a.tex", ran=("todo",))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        "{}",
        '{"schema": "reviser.baseline/2", "accepted": {}}',
        '{"schema": "reviser.baseline/1"}',
        '{"schema": "reviser.baseline/1", "accepted": []}',
        '{"schema": "reviser.baseline/1", "accepted": {"a": 3}}',
        '{"schema": "reviser.baseline/1", "accepted": {"a": {"r": "x"}}}',
        '{"schema": "reviser.baseline/1", "accepted": {"a": {"r": [1]}}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_baseline_is_a_settings_error(text: str) -> None:
    with pytest.raises(SettingsError, match=r"mine\.json"):
        read(text, where="mine.json")
