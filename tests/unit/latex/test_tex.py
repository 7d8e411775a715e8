"""Everything but citations that a .tex file is read into."""

import pytest

from reviser.latex.tex import TexFile, read_tex
from reviser.text.source import Place, Source


def tex(text: str) -> TexFile:
    return read_tex(Source("paper.tex", text))


def words(read: TexFile, *places: Place) -> list[str]:
    return [read.source[place.span] for place in places]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\ref{a} \eqref{b} \pageref{c}", ["a", "b", "c"]),
        (r"\cref{a, b} \Cref{c}", ["a", "b", "c"]),
        (r"\crefrange{a}{b}", ["a", "b"]),
        (r"\autoref*{a} \nameref{b} \vref{c} \labelcref{d,e}", ["a", "b", "c", "d", "e"]),
        (r"\hyperref[a]{words} \subref*{b}", ["a", "b"]),
        ("\\ref {fig: a} \\ref\n{b}", ["fig: a", "b"]),
        (r"%\ref{a}", []),
        (r"\newcommand{\x}{\ref{a}}", []),
    ],
)
def test_references(text: str, expected: list[str]) -> None:
    read = tex(text)
    assert [key.name for ref in read.references for key in ref.names] == expected
    for ref in read.references:
        assert words(read, *(key.at for key in ref.names)) == [key.name for key in ref.names]


def test_labels_in_commands_and_in_listing_options() -> None:
    read = tex(
        "\\label{a}\\label[sec]{ b }\\begin{lstlisting}[caption={x}, label=c]\n\\label{no}\n"
        "\\end{lstlisting}\\lstinputlisting[label={d}]{f.c}"
    )
    assert [label.name.name for label in read.labels] == ["a", "b", "c", "d"]
    assert words(read, *(label.name.at for label in read.labels)) == ["a", "b", "c", "d"]


def test_headings() -> None:
    read = tex(
        "\\part{P}\\section*[s]{A {b} \\cite{c}}\n\\subsection\n{B}\\paragraph{C.}\\section text"
    )
    assert [(h.command, h.level, h.starred) for h in read.headings] == [
        ("part", 0, False),
        ("section", 2, True),
        ("subsection", 3, False),
        ("paragraph", 5, False),
    ]
    assert words(read, *(h.title for h in read.headings)) == ["P", r"A {b} \cite{c}", "B", "C."]
    assert words(read, read.headings[2].at) == ["\\subsection\n{B}"]


def test_floats_hold_their_own_captions() -> None:
    read = tex(
        r"\begin{figure*}[t]\begin{subfigure}{1cm}\caption{a}\end{subfigure}"
        r"\subfloat[b]{x}\caption[short]{c $d$}\end{figure*}\captionof{table}{free}"
        r"\newenvironment{f}{\begin{figure}}{\end{figure}}"
    )
    assert [f.environment for f in read.floats] == ["figure*", "subfigure"]
    assert words(read, *read.floats[0].captions) == ["b", "c $d$"]
    assert words(read, *read.floats[1].captions) == ["a"]


def test_footnotes() -> None:
    read = tex(r"a\footnote{b {c}}\thanks{d}\footnotetext[3]{e}")
    assert words(read, *(f.body for f in read.footnotes)) == ["b {c}", "d", "e"]


def test_outermost_mathematics_only() -> None:
    read = tex(
        r"$a$ \(b\) \[c \mbox{$d$}\] \begin{align*}e &= \text{$f$}\end{align*} $$g$$ \$h\$"
        r"\begin{equation}\begin{aligned}i\end{aligned}\end{equation}"
    )
    assert [m.display for m in read.math] == [False, False, True, True, True, True]
    assert words(read, read.math[2].at) == [r"\[c \mbox{$d$}\]"]


def test_includes() -> None:
    read = tex(
        "\\input{a} \\input sec/b\n\\include{c}\\subfile{d}\\import{dir/}{e}\\subimport*{d2}{f}"
        "\\InputIfFileExists{g}{}{}\\input{%\n h.tex }\\subfileinclude{i}\\inputfrom{x}{j}"
        "\\loadglsentries{no}%\\input{no}\n\\input{\\path/k}"
    )
    assert [(i.command, i.folder, i.target) for i in read.includes] == [
        ("input", "", "a"),
        ("input", "", "sec/b"),
        ("include", "", "c"),
        ("subfile", "", "d"),
        ("import", "dir/", "e"),
        ("subimport", "d2", "f"),
        ("InputIfFileExists", "", "g"),
        ("input", "", "h.tex"),
        ("subfileinclude", "", "i"),
        ("inputfrom", "x", "j"),
        ("input", "", "\\path/k"),
    ]


def test_bibliographies() -> None:
    read = tex(
        "\\bibliography{a,b}\\addbibresource[location=local]{c.bib}\\putbib[d, e]\\putbib"
        "\\bibliography{\\jobname}\\nobibliography*\\addglobalbib{f.bib}"
    )
    assert [use.target for use in read.bibliographies] == [
        *["a", "b", "c.bib", "d", "e"],
        *["\\jobname", "f.bib"],
    ]


def test_what_is_not_prose() -> None:
    read = tex(
        "\\begin{document}a % b\r\n\\verb|c|\\url{d}\\begin{comment}e\\end{comment}"
        "\\iffalse f\\fi\\end{document}g"
    )
    assert words(read, *(c.at for c in read.comments)) == ["% b"]
    assert [(s.kind, *words(read, s.at)) for s in read.skipped] == [
        ("verbatim", r"\verb|c|"),
        ("comment environment", "e"),
        ("iffalse", " f"),
        ("after end", "g"),
    ]
    assert read.source[read.body].startswith("a % b")
    assert read.source[read.body].endswith(r"\fi")


def test_a_file_without_document_is_all_body() -> None:
    read = tex("words")
    assert read.source[read.body] == "words"


def test_macros_with_their_bodies() -> None:
    read = tex(
        "\\newcommand*{\\a}[2][d]{x #1}\\def\\b#1{y}\\def\\c[#1]#2{z}\\newenvironment{e}[1]{p}{q}"
        "\\NewDocumentCommand\\f{s O{k} m}{r}\\let\\g=\\h"
    )
    assert [(m.name, m.command, m.arguments, m.default, m.delimited) for m in read.macros] == [
        ("a", "newcommand", 2, "d", False),
        ("b", "def", 1, None, False),
        ("c", "def", 2, None, True),
        ("e", "newenvironment", 1, None, False),
        ("f", "NewDocumentCommand", 3, None, False),
        ("g", "let", 0, None, False),
    ]
    assert words(read, *(m.body for m in read.macros)) == ["x #1", "y", "z", "p", "r", ""]
    assert words(read, read.macros[3].at) == [r"\newenvironment{e}[1]{p}{q}"]


def test_unclosed_parts_are_reported_by_their_beginning() -> None:
    read = tex("\\begin{figure} words\n\\section{A} \\footnote{b")
    assert [(part.why, *words(read, part.at)) for part in read.unparsed] == [
        ("environment is never closed", "\\begin{figure} words"),
        ("the braces of a footnote never close", "\\footnote"),
        ("group is never closed", "{b"),
    ]
    assert [h.level for h in read.headings] == [2]
