from dataclasses import replace

from reading import manuscript_of

from reviser.findings import Severity
from reviser.manuscript.model import Manuscript
from reviser.review.raised import fix, raised
from reviser.review.rules import RULES, Rule, run
from reviser.text.source import Place, Span

PAPER = {
    "main.tex": "\\documentclass{article}\n\\begin{document}\none two three\n\\end{document}\n"
}


def rule(*words: str) -> Rule:
    """A rule that finds some words and wants each in capitals."""

    def check(manuscript: Manuscript):
        text = manuscript.sources["main.tex"].text
        for word in words:
            start = text.index(word)
            place = Place("main.tex", Span(start, start + len(word)))
            edit = fix(manuscript, {place: word.upper()}, "louder")
            yield raised(manuscript, place, "Shout.", severity=Severity.NOTE, edit=edit)

    return Rule("shout", Severity.NOTE, "words to shout", check)


def test_rules_have_names_of_their_own() -> None:
    ids = [rule.id for rule in RULES]
    assert len(ids) == len(set(ids))
    assert all(rule.summary and not rule.summary.endswith(".") for rule in RULES)


def test_findings_are_in_order_and_edits_answer_them() -> None:
    report = run(manuscript_of(PAPER), [rule("three", "one")])
    assert [finding.quote for finding in report.findings] == ["one", "three"]
    assert all(finding.rule == "shout" for finding in report.findings)
    assert [edit.answers for edit in report.edits] == [(f.fingerprint,) for f in report.findings]
    assert [edit.id for edit in report.edits] == [
        f"shout-{finding.fingerprint}" for finding in report.findings
    ]


def test_of_two_edits_that_touch_the_first_is_offered() -> None:
    report = run(manuscript_of(PAPER), [rule("one two", "two three")])
    assert len(report.findings) == 2
    assert [edit.answers for edit in report.edits] == [(report.findings[0].fingerprint,)]


def test_nothing_is_offered_for_a_file_that_must_not_be_touched() -> None:
    manuscript = manuscript_of(PAPER)
    facts = tuple(replace(facts, untouchable="generated") for facts in manuscript.files)
    report = run(replace(manuscript, files=facts), [rule("one")])
    assert len(report.findings) == 1
    assert report.edits == ()


def test_a_paper_without_fault_has_no_finding() -> None:
    files = {
        "main.tex": "\\documentclass{article}\n\\begin{document}\n\\section{A}\\label{a}\n"
        "See \\ref{a} and \\cite{k}.\n\\bibliography{refs}\n\\end{document}\n",
        "refs.bib": "@book{k, author={Lee, Ann}, title={T}, publisher={P}, year=2000}\n",
    }
    assert run(manuscript_of(files)).findings == ()


def test_many_undefined_keys_and_entries_take_little_time() -> None:
    keys = ",".join(f"key{n}" for n in range(3_000))
    entries = "".join(
        f"@misc{{other{n}, author={{Lee, A}}, title={{One and the same title}}, year=2000}}\n"
        for n in range(3_000)
    )
    files = {
        "main.tex": f"\\documentclass{{a}}\\begin{{document}}\\cite{{{keys}}}"
        "\\bibliography{refs}\\end{document}",
        "refs.bib": entries,
    }
    assert len(run(manuscript_of(files)).findings) >= 3_000
