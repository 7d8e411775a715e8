"""What is learnt from a paper's own definitions, seen at the uses of its macros."""

import pytest

from reviser.latex.dialect import Dialect
from reviser.latex.elements import CitationForm
from reviser.latex.macros import learn
from reviser.latex.plainwords import plain_words
from reviser.latex.structure import Kind
from reviser.latex.tex import TexFile, read_tex
from reviser.text.source import Place, Source


def dialect(text: str, path: str = "main.tex") -> Dialect:
    return learn([Source(path, text)])


def read(definitions: str, text: str) -> TexFile:
    return read_tex(Source("body.tex", text), dialect(definitions))


def words(file: TexFile, *places: Place) -> list[str]:
    return [file.source[place.span] for place in places]


@pytest.mark.parametrize(
    ("definition", "use", "keys", "via", "editable"),
    [
        (r"\newcommand{\mycite}[2]{\cite[#1]{#2}}", r"\mycite{p.~2}{a, b}", "ab", "cite", True),
        (r"\def\mycite#1#2{\cite[#1]{#2}}", r"\mycite{p.~2}{a}", "a", "cite", True),
        (r"\newcommand\mycite[2][]{\citep[#1]{#2}}", r"\mycite[p.]{a}\mycite{b}", "ab", "citep", 1),
        (r"\newcommand{\tool}{Tool~\cite{a}}", r"We use \tool.", "a", "cite", False),
        (r"\let\oldcite\cite", r"\oldcite[x]{a}", "a", "cite", True),
        (r"\let\oldcite=\citep", r"\oldcite{a}", "a", "citep", True),
        (r"\newcommand{\ct}{\citet}", r"\ct*{a,b}", "ab", "citet", True),
        (r"\newcommand{\sct}{see~\protect\citet}", r"\sct{a}", "a", "citet", True),
        (
            r"\newcommand{\inner}[1]{\cite{#1}}\newcommand{\outer}[2]{#1 \inner{#2}}",
            r"\outer{x}{a}",
            "a",
            "cite",
            True,
        ),
        (r"\NewDocumentCommand{\mc}{s O{} m}{\cite[#2]{#3}}", r"\mc*[x]{a}", "a", "cite", True),
        (r"\NewDocumentCommand\mc{o +m}{\parencite{#2}}", r"\mc{a}", "a", "parencite", True),
        (r"\def\mc[#1]#2{\cite[#1]{#2}}", r"\mc[p]{a}", "a", "cite", True),
        (r"\def\mc#1;{\cite{#1}}", r"\mc a,b; c", "ab", "cite", True),
        (r"\newcommand{\pc}[1]{\cite{p:#1}}", r"\pc{a}", ["p:a"], "cite", False),
        (r"\newcommand{\two}[1]{\cite{z,#1}}", r"\two{a}", "za", "cite", None),
        (r"\DeclareCiteCommand{\mc}{a}{b}{c}{d}", r"\mc[x]{a}", "a", "parencite", True),
        (r"\DeclareRobustCommand{\mc}[1]{\cite{#1}}", r"\mc {a}", "a", "cite", True),
        (r"\newcommand{\mc}[1]{\mbox{\upshape\cite{#1}}}", r"\mc{a}", "a", "cite", True),
        (r"\newcommand{\mc}[1]{}\renewcommand{\mc}[1]{\cite{#1}}", r"\mc{a}", "a", "cite", True),
        (r"\makeatletter\def\my@c#1{\cite{#1}}\def\mc{\my@c}", r"\mc{a}", "a", "cite", True),
        (r"\newcommand{\mc}[1]{\nocite{#1}}", r"\mc{a}", "a", "nocite", True),
        (r"\newcommand{\k}{a}", r"\cite{\k}", "a", None, False),
    ],
)
def test_macros_that_cite(
    definition: str, use: str, keys: str, via: str | None, editable: bool | None
) -> None:
    file = read(definition, use)
    found = [key for citation in file.citations for key in citation.keys]
    assert [key.name for key in found] == list(keys)
    assert {citation.via for citation in file.citations} == {via}
    if editable is not None:
        assert {key.editable for key in found} == {bool(editable)}
    for key in found:
        if key.editable:
            assert file.source[key.at.span] == key.name


def test_the_place_and_notes_of_a_wrapped_citation() -> None:
    file = read(r"\newcommand{\mycite}[2]{\cite[see][#1]{#2}}", r"x \mycite {p.~2} {a} y")
    [citation] = file.citations
    assert words(file, citation.at) == [r"\mycite {p.~2} {a}"]
    assert citation.command == "mycite"
    assert citation.notes == ("see", "p.~2")


def test_a_possessive_is_one_textual_citation() -> None:
    file = read(r"\newcommand{\citepos}[1]{\citeauthor{#1}'s (\citeyear{#1})}", r"\citepos{a}")
    assert [citation.form for citation in file.citations] == [CitationForm.TEXTUAL]
    own = read(r"\newcommand{\theirs}[1]{\citeauthor{#1}'s (\citeyear{#1})}", r"\theirs{a}")
    assert [(c.form, c.via) for c in own.citations] == [(CitationForm.TEXTUAL, "citeauthor")]


def test_a_citation_in_a_footnote_macro() -> None:
    file = read(r"\newcommand{\fc}[1]{\footnote{\cite{#1}}}", r"a\fc{b}")
    assert [citation.form for citation in file.citations] == [CitationForm.FOOTNOTE]


def test_further_bibliographies() -> None:
    file = read(
        r"\newcites{own,web}{Own Papers,Sites}", r"\citeown{a}\citetweb*{b}\bibliographyown{c}"
    )
    assert [(c.command, c.via, c.keys[0].name) for c in file.citations] == [
        ("citeown", "cite", "a"),
        ("citetweb*", "citet", "b"),
    ]
    assert [use.target for use in file.bibliographies] == ["c"]


def test_definitions_themselves_cite_nothing() -> None:
    text = r"\newcommand{\mycite}[1]{\cite{#1}}\def\b{\cite{x}}\let\oldcite\cite"
    assert read(text, text).citations == ()


def test_macros_that_refer_label_and_include() -> None:
    file = read(
        r"\newcommand{\secref}[1]{Section~\ref{sec:#1}}\newcommand{\see}[1]{(\cref{#1})}"
        r"\newcommand{\lab}[1]{\label{fig:#1}}\newcommand{\part@}[1]{}"
        r"\newcommand{\chap}[1]{\input{chapters/#1}}\newcommand{\bib}{\bibliography{refs}}"
        r"\newcommand{\fig}{Fig.~\ref}",
        r"\secref{a} \see{b} \lab{c} \chap{d} \bib \fig{e}",
    )
    names = [key for reference in file.references for key in reference.names]
    assert [(key.name, key.editable) for key in names] == [
        ("sec:a", False),
        ("b", True),
        ("e", True),
    ]
    assert [label.name.name for label in file.labels] == ["fig:c"]
    assert [include.target for include in file.includes] == ["chapters/d"]
    assert [use.target for use in file.bibliographies] == ["refs"]


def test_macros_around_texts() -> None:
    file = read(
        r"\newcommand{\fn}[1]{\footnote{Note: #1}}\newcommand{\sect}[2]{\section{#1}\label{#2}}"
        r"\newcommand{\cap}[1]{\caption{#1}}",
        r"\fn{a \cite{k}}\sect{B}{sec:b}\begin{figure}\cap{c}\end{figure}",
    )
    assert words(file, *(note.body for note in file.footnotes)) == [r"a \cite{k}"]
    assert words(file, *(heading.title for heading in file.headings)) == ["B"]
    assert [label.name.name for label in file.labels] == ["sec:b"]
    assert words(file, *file.floats[0].captions) == ["c"]
    assert [key.name for key in file.citations[0].keys] == ["k"]


def test_arguments_that_are_dropped_count_for_nothing() -> None:
    file = read(
        r"\newcommand{\hide}[1]{}\def\half#1#2{#2}\makeatletter\let\gone\@gobble",
        r"\hide{a \cite{no} \section{no}} \half{\cite{no}}{\cite{yes}} \gone{\cite{no}}",
    )
    assert [key.name for citation in file.citations for key in citation.keys] == ["yes"]
    assert file.headings == ()
    assert [part.kind for part in file.skipped] == ["discarded argument"] * 3


def test_an_argument_that_one_definition_keeps_counts() -> None:
    file = read(
        r"\ifx\a\b\newcommand{\todo}[1]{}\else\newcommand{\todo}[1]{[#1]}\fi", r"\todo{\cite{a}}"
    )
    assert len(file.citations) == 1


@pytest.mark.parametrize(
    ("definition", "name", "expected"),
    [
        (r"\newcommand{\eg}{e.g.\ }", "eg", "e.g. "),
        (r"\def\etal{\emph{et~al.}\xspace}", "etal", "et al."),
        (r"\newcommand{\figs}{./my_figs/}", "figs", "./my_figs/"),
        (r"\newcommand{\sys}{\textsc{Sys}\xspace}\newcommand{\x}{\sys{}-2}", "x", "Sys-2"),
        (r"\newcommand{\name}{M\"{u}ller \& S\'on}", "name", "Müller & Són"),
        (r"\newcommand{\R}{\mathbb{R}}", "R", None),
        (r"\newcommand{\m}{$x$}", "m", None),
        (r"\newcommand{\a}[1]{#1}", "a", None),
        (r"\def\a{\b}\def\b{\a}", "a", None),
        (r"\newcommand{\long}{" + "x" * 500 + "}", "long", None),
    ],
)
def test_text_macros(definition: str, name: str, expected: str | None) -> None:
    assert dialect(definition).texts.get(name) == expected


def test_texts_do_not_blow_up() -> None:
    definitions = r"\def\a{xxxxxxxxxx}" + "".join(
        f"\\def\\{b}{{\\{a}\\{a}\\{a}\\{a}}}" for a, b in zip("abcdefg", "bcdefgh", strict=True)
    )
    assert max(map(len, dialect(definitions).texts.values())) <= 200


def test_plain_words_drop_comments_and_fold_blanks() -> None:
    assert plain_words("a%\n  b\n c", {}) == "ab c"


@pytest.mark.parametrize(
    "definitions",
    [
        r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}",
        r"\def\be{\begin{align*}}\def\ee{\end{align*}}",
        r"\def\be#1\ee{\begin{equation}#1\end{equation}}",
        r"\newcommand{\be}{\[}\newcommand{\ee}{\]}",
    ],
)
def test_macros_that_open_and_close_mathematics(definitions: str) -> None:
    file = read(definitions, r"a \be x { y } \ee b $c$")
    assert words(file, *(math.at for math in file.math)) == [r"\be x { y } \ee", "$c$"]
    assert file.unparsed == ()


def test_environments_that_keep_or_hide_their_name() -> None:
    learnt = dialect(
        r"\newenvironment{abstract}{\begin{quote}}{\end{quote}}"
        r"\def\note{\begin{small}}\def\endnote{\end{small}}"
        r"\newenvironment{calc}{\[}{\]}"
    )
    assert learnt.environment("abstract") == "abstract"
    assert learnt.environment("note") == "small"
    assert learnt.environment("calc*") == "calc"
    assert learnt.environment("calc") == "displaymath"
    assert not learnt.lexicon.opens


def test_labels_that_a_style_sets_itself_are_not_asked_for() -> None:
    own = learn([Source("x.cls", r"\def\pages{\pageref{LastPage}}\def\fg#1{\ref{f:#1}}")])
    file = read_tex(Source("a.tex", r"\pages \fg{a}"), own)
    assert [key.name for ref in file.references for key in ref.names] == ["f:a"]


def test_own_environments() -> None:
    file = read(
        r"\newenvironment{fig}[1][t]{\begin{figure}[#1]\centering}{\end{figure}}"
        r"\newenvironment{eqn}{\begin{equation}}{\end{equation}}"
        r"\newenvironment{code}{\verbatim}{\endverbatim}"
        r"\NewEnviron{old}{}\newenvironment{outer}{\begin{fig}}{\end{fig}}",
        r"\begin{fig}\caption{c}\end{fig}\begin{eqn}x\end{eqn}\begin{code}\cite{no}\end{code}"
        r"\begin{old}\cite{no}\end{old}\begin{outer}\caption{d}\end{outer}",
    )
    assert [one.environment for one in file.floats] == ["fig", "outer"]
    assert words(file, *file.floats[0].captions) == ["c"]
    assert len(file.math) == 1
    assert file.citations == ()


def test_a_comment_environment_with_a_meaning_of_its_own_lives() -> None:
    file = read(
        r"\newenvironment{comment}{\begin{quote}}{\end{quote}}",
        r"\begin{comment}\cite{a}\end{comment}",
    )
    assert len(file.citations) == 1


def test_other_names_for_verbatims() -> None:
    file = read(
        r"\newcommand{\code}{\lstinline}\let\www\url\NewDocumentCommand{\raw}{v}{\texttt{#1}}",
        r"\code|${| \www{a%b} \raw|\cite{no}| \code{x$}",
    )
    assert len(list(file.scan.nodes(Kind.VERBATIM))) == 4
    assert file.unparsed == ()
    assert file.citations == ()


def test_style_files_know_at_names() -> None:
    learnt = dialect(r"\def\my@cite#1{\cite{#1}}\newcommand\mc[1]{\my@cite{#1}}", "own.sty")
    [citation] = read_tex(Source("a.tex", r"\mc{a}"), learnt).citations
    assert citation.via == "cite"


@pytest.mark.parametrize(
    "text",
    [
        r"\def\a{\a}\def\b#1{\b{#1}\cite{#1}}",
        r"\let\a\b\let\b\a\let\cite\a",
        r"\newcommand{\a}[9]{\cite{#9}}",
        r"\newenvironment{a}{\begin{a}}{\end{a}}",
        r"\newenvironment{a}{\begin{b}}{\end{b}}\newenvironment{b}{\begin{a}}{\end{a}}",
        r"\NewDocumentCommand{\a}{d<> D(){x} r|| e{^_} t+ m}{\cite{#6}}",
        r"\def\a#{\cite}\def\b#1#{#1}",
        r"\newcommand",
        r"\newcommand{\a}[",
        r"\def",
        "\\def\\a" + "#1" * 50 + "{}",
    ],
)
def test_odd_definitions_do_no_harm(text: str) -> None:
    read(text, text + r" \a{x}\b{y} \begin{a}z\end{a}\a")


def test_learning_is_linear() -> None:
    chain = "".join(f"\\newcommand{{\\x{a}{b}}}[1]{{\\cite{{#1}}}}"
                    for a in "abcdefghij" for b in "abcdefghijklmnopqrstuvwxyz")  # fmt: skip
    assert len(dialect(chain).commands) == 260
