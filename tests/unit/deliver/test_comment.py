from dataclasses import replace
from pathlib import Path

import pytest
from rendered import rendered
from small_edits import diff, noted, plan, replacement, sources, verdict

from reviser.deliver.comment import LIMIT, finding_comment, suggestion_comment
from reviser.deliver.ledger import digest
from reviser.deliver.marker import read_marks
from reviser.deliver.suggestion import suggest
from reviser.deliver.wording import SUPPLIED, lines_of
from reviser.findings import Severity
from reviser.text.source import Source, Span

GOLDEN = Path(__file__).parent / "golden"
TEXT = "One.\nTwo \\cite{a,smith2020}.\nThree.\n"
WORDS = (("We grow tomatoes.", "abstract of smith2020"), ("Plants.", "title of smith2020"))


def made(text, before, after, *said, root=""):
    files = sources(main=text)
    wanted = verdict(replacement(files, "main.tex", before, after))
    found = suggest([wanted], files, diff(f"{root}main.tex", "", text), root)
    return found.suggestions[0], suggestion_comment(found.suggestions[0], said, plan(root=root))


def the_finding(**changes):
    return noted(sources(main=TEXT), "main.tex", "smith2020", evidence=WORDS, **changes)


def test_a_suggestion_says_what_why_and_how_to_decline():
    one = the_finding(supplied=("abstract of smith2020",))
    suggestion, comment = made(TEXT, ",smith2020", "", one, root="paper/")
    assert (comment.path, comment.first, comment.last) == ("paper/main.tex", 2, 2)
    assert comment.points == ("f" * 12,)
    visible, _, hidden = comment.body.rpartition("\n\n")
    assert visible == (
        "'smith2020' seems to be about something else.\n\n"
        "```suggestion\nTwo \\cite{a}.\n```\n\n"
        f"> “We grow tomatoes.” (abstract of smith2020) · *{SUPPLIED}*\n>\n"
        "> “Plants.” (title of smith2020)\n\n"
        "<sub>`citation-off-topic` · warning · ID `ffffffff` · to decline: "
        "`/reviser ignore ffffffff reason`, or `% reviser: ignore[citation-off-topic] reason` "
        "in the source</sub>"
    )
    (mark,) = read_marks(hidden)
    assert mark.kind == "comment"
    assert mark.data == {
        "paper": "",
        "points": ["f" * 12],
        "rule": "citation-off-topic",
        "new": digest(suggestion.new),
    }


def test_a_long_line_shows_its_changed_words():
    text = "word " * 100 + "\\cite{a,smith2020} " + "word " * 100 + "\n"
    _, comment = made(text, ",smith2020", "", the_finding())
    document = rendered(comment.body)
    assert "del" in document.tags
    assert "… word word word word word word \\cite{a,smith2020} word" in document.text
    assert document.codes[0] == text.replace(",smith2020", "")


def test_a_short_line_does_not():
    assert "del" not in rendered(made(TEXT, ",smith2020", "")[1].body).tags


def test_without_a_finding_the_edits_own_reason_is_told():
    _, comment = made(TEXT, ",smith2020", "")
    assert comment.body.startswith("why\n\n```suggestion\n")


def test_a_finding_stands_on_its_lines():
    comment = finding_comment(the_finding(), sources(main=TEXT), plan(root="x/y/"))
    assert (comment.path, comment.first, comment.last) == ("x/y/main.tex", 2, 2)
    assert comment.points == ("f" * 12,)
    assert "```" not in comment.body
    assert read_marks(comment.body)[0].data["points"] == ["f" * 12]
    assert "new" not in read_marks(comment.body)[0].data


def test_what_a_verdict_rests_on_is_named_even_where_it_is_not_quoted():
    one = the_finding(supplied=("setting: verifier",))
    body = finding_comment(one, sources(main=TEXT), plan()).body
    assert f"Rests on setting: verifier · *{SUPPLIED}*" in body


def test_figures_are_small_print():
    one = the_finding()
    one = replace(one, finding=replace(one.finding, measured="topic 0.12 <b>"))
    _, suggestion = made(TEXT, ",smith2020", "", one, one)
    comment = finding_comment(one, sources(main=TEXT), plan())
    for body in (suggestion.body, comment.body):
        assert body.count("<sub>Measured: topic 0.12 ") == 1
        assert "<b>" not in body


def test_several_findings_are_each_told_and_the_worst_severity():
    second = the_finding(fingerprint="e" * 12, severity=Severity.ERROR, message="Other.")
    _, comment = made(TEXT, ",smith2020", "", the_finding(), second)
    assert "something else.\n\nOther.\n\n" in comment.body
    assert "· error · IDs `ffffffff` `eeeeeeee` ·" in comment.body


@pytest.mark.parametrize("text", ["@a " * 20_000, "`" * 60_000, "$" * 60_000, "</sub>" * 9_000])
def test_no_comment_is_too_long_and_its_mark_is_always_there(text):
    files = sources(main=TEXT)
    findings = [
        noted(files, "main.tex", "smith2020", message=f"{n} {text}", evidence=((text, text),),
              fingerprint=f"{n:012x}")
        for n in range(300)
    ]  # fmt: skip
    _, comment = made(TEXT, ",smith2020", "", *findings)
    assert len(comment.body) <= LIMIT
    assert len(read_marks(comment.body)) == 1
    assert "```suggestion" in comment.body
    assert len(finding_comment(findings[0], files, plan()).body) <= LIMIT


def test_hostile_words_do_nothing():
    hostile = "</sub> @all #1 <script> ``` \n```suggestion\nevil\n``` <!-- x --> https://e.x/ $a$"
    one = noted(
        sources(main=TEXT), "main.tex", "smith2020", message=hostile, evidence=((hostile, hostile),)
    )
    document = rendered(made(TEXT, ",smith2020", "", one)[1].body)
    assert document.links == []
    assert document.tags.count("pre") == 1
    assert "script" not in document.tags
    assert len(document.comments) == 1


@pytest.mark.parametrize(
    ("text", "span", "lines"),
    [
        ("a\nb\n", Span(0, 1), (1, 1)),
        ("a\nb\n", Span(0, 2), (1, 1)),
        ("a\nb\n", Span(0, 3), (1, 2)),
        ("a\nb\n", Span(4, 4), (2, 2)),
        ("a\rb\nc", Span(4, 5), (2, 2)),
        ("", Span(0, 0), (1, 1)),
    ],
)
def test_lines_are_counted_as_git_does(text, span, lines):
    assert lines_of(Source("x", text), span) == lines
    assert lines_of(None, span) == (1, 1)


def test_an_edit_that_answers_thousands_still_has_a_mark():
    files = sources(main=TEXT)
    answers = tuple(f"{n:012x}" for n in range(2_000))
    wanted = verdict(replacement(files, "main.tex", ",smith2020", ""), answers=answers)
    (one,) = suggest([wanted], files, diff("main.tex", "", TEXT), "").suggestions
    comment = suggestion_comment(one, (), plan())
    assert comment.points == answers
    assert read_marks(comment.body)[0].data["points"] == list(answers[:250])
