"""Complaints of TeX and BibTeX, in words that stay when lines move."""

import pytest

from reviser.adapters.tex.log import bibliography_faults, faults, is_fatal


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (
            "./sec/a.tex:12: Undefined control sequence.\nl.12 Salt is \\foo\n         ly old",
            "sec/a.tex: Undefined control sequence. \\foo",
        ),
        ("./a.tex:3: Missing $ inserted.\n<inserted text>", "a.tex: Missing $ inserted."),
        (
            "./a.tex:9: LaTeX Error: \\begin{itemize} on input line 7 ended by \\end{document}.",
            "a.tex: LaTeX Error: \\begin{itemize} ended by \\end{document}.",
        ),
        (
            "! LaTeX Error: File `x.sty' not found.\n\nType X to quit",
            "LaTeX Error: File `x.sty' not found.",
        ),
        (
            "LaTeX Warning: Reference `fig:a' on page 2 undefined on input line 40.",
            "reference fig:a is undefined",
        ),
        (
            "LaTeX Warning: Citation `k' on page 1 undefined on input line 4.",
            "citation k is undefined",
        ),
        (
            "Package natbib Warning: Citation `k:1' on page 1 undefined on input line 4.",
            "citation k:1 is undefined",
        ),
        (
            "LaTeX Warning: Label `eq:1' multiply defined.",
            "label eq:1 is defined twice",
        ),
    ],
)
def test_a_complaint(log: str, told: str) -> None:
    assert list(faults(f"This is pdfTeX\n{log}\n)\n")) == [told]


def test_the_same_error_further_down_is_the_same_complaint() -> None:
    log = "./a.tex:{n}: Undefined control sequence.\nl.{n} {before}\\foo\n"
    here = list(faults(log.format(n=5, before="Salt ")))
    assert here == list(faults(log.format(n=77, before="Ice floats \\emph{and} ")))


@pytest.mark.parametrize(
    "line",
    [
        "Overfull \\hbox (3.0pt too wide) in paragraph at lines 5--9",
        "LaTeX Warning: There were undefined references.",
        "Package hyperref Warning: Token not allowed in a PDF string",
        "LaTeX Warning: Label(s) may have changed. Rerun to get cross-references right.",
        "(/usr/share/texlive/texmf-dist/tex/latex/base/article.cls",
    ],
)
def test_what_is_no_complaint(line: str) -> None:
    assert list(faults(line)) == []


def test_each_time_counts() -> None:
    line = "LaTeX Warning: Citation `k' on page 1 undefined on input line {}.\n"
    assert list(faults(line.format(4) + line.format(9))) == ["citation k is undefined"] * 2


def test_the_bibliography() -> None:
    log = (
        'Warning--I didn\'t find a database entry for "gray"\n'
        "I was expecting a `,' or a `}'---line 5 of file refs.bib\n"
        "Warning--empty journal in x\n"
    )
    assert list(bibliography_faults(log)) == [
        "no entry gray",
        "refs.bib: I was expecting a `,' or a `}'",
    ]


def test_long_complaints_are_shortened() -> None:
    (told,) = faults("./a.tex:1: " + "x " * 1000)
    assert len(told) == 300


def test_giving_up() -> None:
    assert is_fatal("!  ==> Fatal error occurred, no output PDF file produced!")
    assert not is_fatal("Output written on main.pdf (3 pages).")
