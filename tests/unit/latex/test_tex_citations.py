"""Citations as they are really written: every package's forms, with gaps, notes and odd keys."""

import pytest

from reviser.latex.elements import CitationForm
from reviser.latex.tex import TexFile, read_tex
from reviser.text.source import Source


def tex(text: str) -> TexFile:
    return read_tex(Source("paper.tex", text))


def keys(text: str) -> list[list[str]]:
    read = tex(text)
    for citation in read.citations:
        for key in citation.keys:
            if key.editable:
                assert read.source[key.at.span] == key.name
            assert citation.at.span.covers(key.at.span)
    return [[key.name for key in citation.keys] for citation in read.citations]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\cite{a}", [["a"]]),
        (r"\cite{a,b, c }", [["a", "b", "c"]]),
        (r"\cite {a}", [["a"]]),
        ("\\cite\n  {a}", [["a"]]),
        ("\\cite% note\n{a}", [["a"]]),
        ("\\cite\n\n{a}", []),
        ("\\cite{a,% gone, b\n  c}", [["a", "c"]]),
        ("\\cite{\n  a,\n  b\n}", [["a", "b"]]),
        ("\\cite{\r\n  a,\r\n  b%\r\n}", [["a", "b"]]),
        (r"\citep[see][p.~3]{a}", [["a"]]),
        (r"\citep[{Sec.~2, [p.~3]}]{a}", [["a"]]),
        (r"\citet*{a}", [["a"]]),
        (r"\Citet{a} \Textcite{b}", [["a"], ["b"]]),
        (r"\cites(see)(end)[1][2]{a}[3]{b,c}{d}", [["a", "b", "c", "d"]]),
        (r"\textcites{a}{b}", [["a", "b"]]),
        (r"\volcite[see]{2}[12]{a}", [["a"]]),
        (r"\pvolcite{2}{a}", [["a"]]),
        (r"\footcite[1]{a} \smartcite{b} \supercite{c} \fullcite{d}", [["a"], ["b"], ["c"], ["d"]]),
        (r"\citetitle{a} \citedate{b} \citeyear{c} \citeauthor*{d}", [["a"], ["b"], ["c"], ["d"]]),
        (r"\citeA<see>[p.~3]{a}", [["a"]]),
        (r"\shortcite{a} \citeNP{b} \citeasnoun{c} \possessivecite{d}", [[k] for k in "abcd"]),
        (r"\onlinecite{a} \citenum{b} \bibentry{c} \nocite{*}", [["a"], ["b"], ["c"], ["*"]]),
        (r"\cite{a,*b,*[{note; }] c}", [["a", "b", "c"]]),
        (r"\cite{{a},{b}}", [["a", "b"]]),
        (r"\textcquote[see][9]{a}[.]{words \cite{b}}", [["a"], ["b"]]),
        (r"\section{x \cite{a}}\caption[y]{z \cite{b}}\footnote{\cite{c}}", [["a"], ["b"], ["c"]]),
        (r"\foo[\cite{a}]{\cite{b}}", [["a"], ["b"]]),
        (r"\citep[see also \cite{b}]{a}", [["a"], ["b"]]),
        ("%\\cite{a}\n\\verb|\\cite{b}| \\iffalse\\cite{c}\\fi", []),
        (r"\begin{verbatim}\cite{a}\end{verbatim}\newcommand{\x}{\cite{b}}", []),
        (r"\begin{document}\cite{a}\end{document}\cite{b}", [["a"]]),
        (r"\begin{equation}a \text{ by \cite{b}}\end{equation}", [["b"]]),
        (r"{\bf[} \cite{a} $[0,1)$ \cite{b}", [["a"], ["b"]]),
        ("\\[x\\]\\cite{a}\\\\[2pt]\\cite{b}\\ \\cite{c}", [["a"], ["b"], ["c"]]),
        (r"{\cite[a}]{b}", []),
        (r"\cite{} \cite{ }", []),
        (r"\href{http://a#b%c}{\cite{d}}", [["d"]]),
        ("\\cite{Müller2020,中文}", [["Müller2020", "中文"]]),
        (r"\cite{a:b/c-d_e.f+g}", [["a:b/c-d_e.f+g"]]),
    ],
)
def test_keys(text: str, expected: list[list[str]]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("cite", CitationForm.PARENTHETICAL),
        ("autocite", CitationForm.PARENTHETICAL),
        ("citet", CitationForm.TEXTUAL),
        ("textcites", CitationForm.TEXTUAL),
        ("Citeauthor", CitationForm.AUTHOR),
        ("citeyearpar", CitationForm.YEAR),
        ("citetitle", CitationForm.TITLE),
        ("footfullcite", CitationForm.FOOTNOTE),
        ("bibentry", CitationForm.FULL),
        ("nocite", CitationForm.UNSEEN),
    ],
)
def test_forms(command: str, form: CitationForm) -> None:
    [citation] = tex(f"\\{command}{{a}}").citations
    assert citation.form is form
    assert citation.command == command
    assert citation.via is None


def test_star_notes_and_place() -> None:
    text = r"x \citep*[see][{p.~3, [4]}]{a} y"
    [citation] = tex(text).citations
    assert citation.command == "citep*"
    assert citation.notes == ("see", "{p.~3, [4]}")
    assert text[citation.at.span.start : citation.at.span.stop] == text[2:-2]


def test_a_key_glued_by_a_comment_or_escaped_is_not_editable() -> None:
    [citation] = tex("\\cite{a%\n  b, c\\_d, e}").citations
    assert [(key.name, key.editable) for key in citation.keys] == [
        ("ab", False),
        ("c_d", False),
        ("e", True),
    ]


def test_what_names_no_key_is_unparsed_and_accuses_nobody() -> None:
    read = tex("\\cite{\\unknown} \\cite{} \\cite{a")
    assert read.citations == ()
    assert [part.why for part in read.unparsed] == [
        "a name that a macro makes up",
        "a citation without a key",
        "the braces of a citation never close",
        "group is never closed",
    ]
