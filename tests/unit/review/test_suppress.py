import re
import time

import pytest

from reviser.findings import Finding, Severity, fingerprinted
from reviser.latex.elements import BibEntry, Comment
from reviser.manuscript.model import Manuscript
from reviser.review.suppress import NO_REASON, SAFETY, UNUSED, Ignore, suppress
from reviser.text.source import Place, Source, Span

KNOWN = ("tone", "todo", "hidden-text", UNUSED, NO_REASON, SAFETY)


def paper(**texts: str) -> Manuscript:
    """A manuscript of which only files, comments and entries matter here."""
    sources = {
        name.replace("__", "."): Source(name.replace("__", "."), text)
        for name, text in texts.items()
    }
    comments = [
        Comment(Place(path, Span(*match.span())))
        for path, source in sources.items()
        if path.endswith(".tex")
        for match in re.finditer(r"(?<!\\)%[^\r\n]*", source.text)
    ]
    entries = [
        BibEntry("k", "book", (), Place(path, Span(*match.span())), Place(path, Span(0, 0)))
        for path, source in sources.items()
        if path.endswith(".bib")
        for match in re.finditer(r"@[^@]*?\n\}", source.text)
    ]
    return Manuscript(
        main="main.tex",
        sources=sources,
        files=(),
        sections=(),
        paragraphs=(),
        sentences=(),
        citations=(),
        labels=(),
        references=(),
        floats=(),
        footnotes=(),
        math=(),
        comments=tuple(comments),
        skipped=(),
        macros=(),
        bibliography=(),
        entries=tuple(entries),
        unparsed=(),
        language="en",
    )


def raised(manuscript: Manuscript, rule: str, words: str) -> tuple[Finding, ...]:
    """A finding of `rule` wherever `words` stand."""
    return fingerprinted(
        Finding(rule, Place(path, Span(*m.span())), words, "Oh.", Severity.WARNING)
        for path, source in manuscript.sources.items()
        for m in re.finditer(re.escape(words), source.text)
    )


def heard(text: str, rule: str = "tone", words: str = "very", path: str = "main__tex") -> list[int]:
    """The lines on which findings are still heard."""
    manuscript = paper(**{path: text})
    result = suppress(manuscript, raised(manuscript, rule, words), (), KNOWN)
    return [manuscript.lines(f.place)[0] for f in result if f.rule == rule and f.suppressed is None]


def odd(text: str, **extra: object) -> list[tuple[str, Severity]]:
    manuscript = paper(main__tex=text)
    result = suppress(manuscript, raised(manuscript, "tone", "very"), (), KNOWN, **extra)  # type: ignore[arg-type]
    return [(f.rule, f.severity) for f in result if f.rule in {UNUSED, NO_REASON, SAFETY}]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("very good", [1]),
        ("very good % reviser: ignore[tone] a quote", []),
        ("very good % reviser: ignore[todo] a quote", [1]),
        ("% reviser: ignore[tone] a quote\nvery good\nvery bad", [3]),
        ("  %% Reviser: Ignore[todo, tone] a quote\nvery good", []),
        ("% reviser: ignore[tone] a\n% another comment\n\nvery good\nvery", [5]),
        ("very % reviser: ignore[tone] a\nvery", [2]),
        ("very\n% reviser: ignore-start[tone] a\nvery\nvery\n% reviser: ignore-end\nvery", [1, 6]),
        ("very\n% reviser: ignore-start[tone] no end\nvery", [1]),
        ("very\nx % reviser: ignore-file[tone] all of it\nvery", []),
        ("\\% reviser: ignore[tone] not a comment\nvery", [2]),
        ("% reviser: ignore[tone] at the end", []),
        ("% reviser: ignore tone\nvery", [2]),
        ("% reviser: ignore[]\nvery", [2]),
        ("\ufeff% reviser: ignore[tone] after the mark\r\nvery\r\nvery", [3]),
    ],
)
def test_what_a_suppression_reaches(text: str, lines: list[int]) -> None:
    assert heard(text) == lines


def test_nested_regions_close_from_the_inside_or_by_name() -> None:
    start = "% reviser: ignore-start"
    text = f"{start}[tone] a\n{start}[todo] b\n% reviser: ignore-end[tone]\nvery\nTBD"
    assert heard(text) == [4]
    assert heard(text, "todo", "TBD") == []


def test_a_finding_over_several_lines_is_reached_from_any_of_them() -> None:
    manuscript = paper(main__tex="very\nlong % reviser: ignore[tone] on purpose\nsentence")
    finding = Finding("tone", Place("main.tex", Span(0, 40)), "very", "Oh.", Severity.NOTE)
    (result,) = suppress(manuscript, [finding], (), KNOWN)
    assert result.suppressed == "on purpose"


def test_in_a_bibliography_the_line_above_speaks_of_the_whole_entry() -> None:
    text = "% reviser: ignore[tone] as printed\n@book{k,\n  title = {very},\n}\n@book{l, very\n}\n"
    assert heard(text, path="refs__bib") == [5]
    inside = "@book{k,\n% reviser: ignore[tone] no comment here\n  title = {very},\n}\n"
    assert heard(inside, path="refs__bib") == [3]


def test_other_files_are_not_reached() -> None:
    manuscript = paper(a__tex="% reviser: ignore-file[tone] a", b__tex="very")
    result = suppress(manuscript, raised(manuscript, "tone", "very"), (), KNOWN)
    assert [f.suppressed for f in result if f.rule == "tone"] == [None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("very % reviser: ignore[tone] quoted", []),
        ("very % reviser: ignore[tone]", [(NO_REASON, Severity.NOTE)]),
        ("fine % reviser: ignore[tone] quoted", [(UNUSED, Severity.NOTE)]),
        ("very % reviser: ignore[tome] quoted", [(UNUSED, Severity.WARNING)]),
        ("very % reviser: ignore quoted", [(UNUSED, Severity.WARNING)]),
        ("very % reviser: ignore-line[tone] quoted", [(UNUSED, Severity.WARNING)]),
        ("% reviser: ignore-end", [(UNUSED, Severity.WARNING)]),
        ("% reviser: ignore-start[tone] quoted\nvery", [(UNUSED, Severity.WARNING)]),
        ("% reviser: improve this\nvery", []),
    ],
)
def test_odd_suppressions_are_reported(text: str, expected: list[tuple[str, Severity]]) -> None:
    assert odd(text) == expected


def test_rules_that_did_not_run_are_not_called_unused() -> None:
    assert odd("fine % reviser: ignore[tone] quoted", ran=("todo",)) == []


def test_settings_silence_by_rule_and_glob_and_are_reported_too() -> None:
    manuscript = paper(main__tex="very", old__tex="very")
    ignores = [Ignore("tone", "a style of ours", "old*"), Ignore("todo", "later"), Ignore("x", "")]
    result = suppress(manuscript, raised(manuscript, "tone", "very"), ignores, KNOWN)
    assert {f.place.path: f.suppressed for f in result if f.rule == "tone"} == {
        "main.tex": None,
        "old.tex": "a style of ours",
    }
    assert sorted(f.rule for f in result if f.rule != "tone") == [NO_REASON, UNUSED, UNUSED]


def test_settings_may_silence_the_notes_about_suppressions() -> None:
    manuscript = paper(main__tex="fine % reviser: ignore[tone] kept for the next version")
    result = suppress(manuscript, (), [Ignore(UNUSED, "we like them")], KNOWN)
    assert [f.suppressed for f in result] == ["we like them"]


def test_hidden_text_is_silenced_but_never_unseen() -> None:
    manuscript = paper(main__tex="white % reviser: ignore[hidden-text] on a dark box")
    result = suppress(manuscript, raised(manuscript, "hidden-text", "white"), (), KNOWN)
    assert {f.rule: f.suppressed for f in result} == {"hidden-text": "on a dark box", SAFETY: None}


def test_findings_keep_their_number_and_fingerprints() -> None:
    manuscript = paper(main__tex="very % reviser: ignore[tone] so\nvery very")
    findings = raised(manuscript, "tone", "very")
    result = suppress(manuscript, findings, (), KNOWN)
    assert {f.fingerprint for f in result} == {f.fingerprint for f in findings}
    assert all(f.fingerprint for f in result)
    assert suppress(manuscript, result, (), KNOWN) == result


def test_many_directives_cost_little() -> None:
    begun = time.process_time()
    assert heard("% reviser: ignore[tone] x\n" * 20_000 + "very") == []
    assert time.process_time() - begun < 5
