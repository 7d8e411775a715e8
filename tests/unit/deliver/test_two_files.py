"""Edits of two files, a key and the entry that it brings: whole or not at all."""

from dataclasses import replace

import pytest
from small_pulls import HEAD, plan

from reviser.deliver import suggestion
from reviser.deliver.branch import change
from reviser.deliver.confirm import confirm
from reviser.deliver.entered import NOT_OURS
from reviser.deliver.plan import Noted, Origin
from reviser.deliver.plan_json import read, write
from reviser.deliver.suggestion import suggest
from reviser.findings import Finding, Severity, fingerprinted
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.patch import read_patch
from reviser.text.source import Place, Span

MAIN = (
    "\\documentclass{article}\n\\begin{document}\n"
    "Marshes trap salt wherever the tide slows down past the creeks~\\citep{cats}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)
BIB = "@book{cats,\n  author = {Ann Author},\n  title = {On cats},\n  year = {2001},\n}\n"
ENTRY = (
    "\n@article{marshes,\n  author = {Fay Fen},\n  title = {Marshes},\n  journal = {Shores},\n"
    "  year = {2011},\n}\n"
)
PAPER = Reading(Memory({"main.tex": MAIN.encode(), "refs.bib": BIB.encode()}))
FILES = PAPER.manuscript.sources
AT = Place("main.tex", Span(MAIN.index("cats}"), MAIN.index("cats}") + 4))
END = Place("refs.bib", Span(len(BIB), len(BIB)))
CLAIM = PAPER.manuscript.sentences[0].at


def told(entry=ENTRY, **changes):
    """A plan with one edit that cites a work and brings its entry."""
    quote = PAPER.manuscript.text(CLAIM)[:240]
    (finding,) = fingerprinted(
        [Finding("citation-off-topic", AT, quote, "It is on another matter.", Severity.WARNING)]
    )
    edit = Edit(
        f"replace-{finding.fingerprint}",
        finding.rule,
        (Replacement(AT, "cats", "marshes"), Replacement(END, "", entry)),
        Purpose.REPLACE,
        "'marshes' fits instead of 'cats'",
        (
            Allowed("citation key", AT, "cats", "marshes"),
            Allowed("entry", END, None, "marshes"),
        ),
        (),
        (finding.fingerprint,),
    )
    verdict = Verdict(replace(edit, **changes), Outcome.ACCEPTED, Layer.EVIDENCE, ("good",))
    return plan(Noted(finding, Origin.HERE, "cats"), verdicts=[verdict])


def confirmed(made, *, ours=True):
    """The plan as it comes out of an artifact."""
    return confirm(read(write(made).encode()), PAPER.manuscript, PAPER.reread, ours=ours)


def shown_patch():
    lines = MAIN.splitlines(keepends=True)
    head = "diff --git a/main.tex b/main.tex\n--- a/main.tex\n+++ b/main.tex\n"
    hunk = f"@@ -1,{len(lines) - 1} +1,{len(lines)} @@\n"
    body = "".join(("+" if n == 2 else " ") + text for n, text in enumerate(lines))
    return read_patch((head + hunk + body).encode())


def test_it_is_no_suggestion_and_says_why():
    made = told()
    found = suggest(made.verdicts, FILES, shown_patch(), "")
    assert found.suggestions == ()
    assert [one.why for one in found.elsewhere] == [suggestion.SEVERAL_FILES]


def test_a_commit_holds_both_files():
    made = change(told().verdicts, FILES, "x/")
    assert set(made.files) == {"x/main.tex", "x/refs.bib"}
    assert made.files["x/refs.bib"].decode() == BIB + ENTRY
    assert b"\\citep{marshes}" in made.files["x/main.tex"]


def test_where_one_file_has_changed_neither_is_committed():
    moved = {**FILES, "main.tex": replace(FILES["main.tex"], text=MAIN.replace("cats", "dogs"))}
    assert change(told().verdicts, moved, "").files == {}


def test_it_is_confirmed_from_a_job_of_ours():
    found = confirmed(told())
    (verdict,) = found.plan.accepted
    after = apply(FILES, [verdict.edit])
    assert after["refs.bib"].text == BIB + ENTRY
    assert verdict.edit.why == "'marshes', a new entry, in the place of 'cats'."


def test_it_is_not_taken_from_a_stranger_s_run():
    found = confirmed(told(), ours=False)
    assert found.plan.accepted == ()
    assert any(NOT_OURS in why for why in found.refused)


@pytest.mark.parametrize(
    ("entry", "changes"),
    [
        (ENTRY + "@article{more,\n  title = {More},\n}\n", {}),
        (ENTRY.replace("Marshes", "\\input{secret}"), {}),
        (ENTRY.replace("marshes", "other"), {}),
        (ENTRY, {"replacements": (Replacement(END, "", ENTRY),)}),
        (ENTRY, {"allows": (Allowed("entry", END, None, "marshes"),)}),
        (
            ENTRY,
            {
                "replacements": (
                    Replacement(AT, "cats", "marshes"),
                    Replacement(Place("main.tex", Span(0, 0)), "", ENTRY),
                ),
                "allows": (
                    Allowed("citation key", AT, "cats", "marshes"),
                    Allowed("entry", Place("main.tex", Span(0, 0)), None, "marshes"),
                ),
            },
        ),
    ],
    ids=["two entries", "a command", "another key", "no key", "unannounced", "not in a .bib"],
)
def test_what_is_more_than_that_is_left_out(entry, changes):
    found = confirmed(told(entry, **changes))
    assert found.plan.accepted == ()
    assert found.refused
    assert found.plan.target.head == HEAD
