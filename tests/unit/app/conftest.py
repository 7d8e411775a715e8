"""A small paper as a literal, with one finding, verdict and edit of each sort that is shown."""

from dataclasses import replace

import pytest

from reviser.findings import Evidence, Finding, Severity, fingerprinted
from reviser.manuscript.model import FileFacts, Manuscript
from reviser.pipeline.checking import Checked
from reviser.pipeline.improving import Improved
from reviser.revise.verdict import Layer, Outcome, Revision, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement
from reviser.text.edit import apply as applied
from reviser.text.source import Place, Source, Span
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure
from reviser.verify.model import Claim, Label, Lead, Passage, Support

MAIN = (
    "\\documentclass{article}\n"
    "\\begin{document}\n"
    "Cats sleep~\\cite{miller2001,he2016}.\n"
    "Dogs bark~\\citep{typo2020}, see [bold]x[/bold] \x1b[31m and :: %0A.\n"
    "\\end{document}\n"
)
BIB = "@misc{miller2001, abstract = {Cats sleep.}}\n"


def place(text, words, path):
    start = text.index(words)
    return Place(path, Span(start, start + len(words)))


@pytest.fixture
def manuscript():
    sources = {
        "sec one/main.tex": Source("sec one/main.tex", MAIN),
        "refs.bib": Source("refs.bib", BIB),
    }
    facts = tuple(
        FileFacts(path, "utf-8", "lf", role)
        for path, role in (("sec one/main.tex", "main"), ("refs.bib", "bibliography"))
    )
    return Manuscript(
        main="sec one/main.tex",
        sources=sources,
        files=facts,
        sections=(),
        paragraphs=(),
        sentences=(),
        citations=(),
        labels=(),
        references=(),
        floats=(),
        footnotes=(),
        math=(),
        comments=(),
        skipped=(),
        macros=(),
        bibliography=("refs.bib",),
        entries=(),
        unparsed=(),
        language="en",
    )


@pytest.fixture
def findings():
    main = "sec one/main.tex"
    return fingerprinted(
        [
            Finding(
                "undefined-citation",
                place(MAIN, "typo2020", main),
                "typo2020",
                "no entry has the key typo2020\nCheck, its: spelling 100%.",
                Severity.ERROR,
            ),
            Finding(
                "citation-off-topic",
                place(MAIN, "he2016", main),
                "Cats sleep [1] \x1b[31m\u202e",
                "he2016 is about images",
                Severity.WARNING,
                (Evidence("Deep residual learning [bold]x[/bold].", "abstract of he2016"),),
            ),
            Finding("unused-entry", place(BIB, "miller2001", "refs.bib"), "miller2001",
                    "one entry is unused", Severity.NOTE),
            Finding("todo-in-prose", place(MAIN, "Dogs", main), "Dogs", "a todo",
                    Severity.WARNING, suppressed="a draft"),
        ]
    )  # fmt: skip


@pytest.fixture
def edits(findings):
    main = "sec one/main.tex"
    off_topic = next(f for f in findings if f.rule == "citation-off-topic")
    good = Edit(
        "e1",
        "citation-off-topic",
        (Replacement(place(MAIN, ",he2016", main), ",he2016", ""),),
        Purpose.PRUNE,
        "he2016 is about images",
        allows=(Allowed("citation key", place(MAIN, "he2016", main), "he2016", None),),
        evidence=("Deep residual learning.",),
        answers=(off_topic.fingerprint,),
    )
    bad = Edit(
        "e2",
        "x",
        (
            Replacement(place(MAIN, "Dogs", main), "Dogs", "Wolves"),
            Replacement(place(BIB, "Cats", "refs.bib"), "Cats", "Lions"),
        ),
        Purpose.RULE_FIX,
        "because",
    )
    return good, bad


@pytest.fixture
def checked(manuscript, findings, edits):
    at = place(MAIN, "Cats sleep~\\cite{miller2001,he2016}.", "sec one/main.tex")
    supports = (
        Support(0, "miller2001", Label.ON_TOPIC, 0.61234567, "topic", "same words",
                (Lead("number", "40%"),),
                (Passage("miller2001", "Cats sleep.", "abstract", 0, 11),)),
        Support(0, "he2016", Label.OFF_TOPIC, 0.02, "topic", "other words", (),
                (Passage("he2016", "Deep residual learning.", "abstract", 0, 23),)),
        Support(1, "typo2020", Label.UNCHECKED, None, "", "no entry has this key"),
    )  # fmt: skip
    claims = (
        Claim(at, "Cats sleep.", 0, (0,), ("miller2001", "he2016")),
        Claim(place(MAIN, "Dogs bark", at.path), "Dogs bark.", 1, (1,), ("typo2020",)),
    )
    return Checked(
        manuscript=manuscript,
        claims=claims,
        supports=supports,
        findings=findings,
        edits=edits,
        figures=(
            Figure("on topic", 0.5, 1, 2, 0.25),
            Figure("recall (001)", None, 0, 0, why="no verifier"),
        ),
        coverage=Coverage(3, 2, (("no entry has this key", 1),)),
    )


@pytest.fixture
def improved(manuscript, checked, edits, findings):
    good, bad = edits
    verdicts = (
        Verdict(good, Outcome.ACCEPTED, Layer.EVIDENCE, ("topic evidence only",)),
        Verdict(bad, Outcome.REJECTED, Layer.INVARIANTS, ("a word outside the edit changed",)),
    )
    after = applied(manuscript.sources, [good])
    revision = Revision(manuscript.sources, after, verdicts)
    left = tuple(f for f in findings if f.rule != "citation-off-topic")
    later = replace(manuscript, sources={**manuscript.sources, **after})
    return Improved(checked, revision, replace(checked, manuscript=later, findings=left, edits=()))
