"""What the scanner makes of the constructs that trip readers of LaTeX."""

import pytest

from reviser.latex.scan import Scan, scan
from reviser.latex.structure import STYLE_FILE, Kind, Lexicon


def texts(scanned: Scan, *kinds: Kind) -> list[str]:
    return [scanned.text[n.span.start : n.span.stop] for n in scanned.nodes(*kinds)]


def names(scanned: Scan) -> list[str]:
    return [command.name for command in scanned.commands()]


@pytest.mark.parametrize(
    ("text", "verbatim"),
    [
        (r"a \verb|$x{| b", r"\verb|$x{|"),
        (r"a \verb+\cite{no}%+ b", r"\verb+\cite{no}%+"),
        (r"a \verb*!%{! b", r"\verb*!%{!"),
        (r"a \lstinline|if (a) {$| b", r"\lstinline|if (a) {$|"),
        (r"a \lstinline[language=C]!x{! b", r"\lstinline[language=C]!x{!"),
        (r"a \lstinline{a$b} c", r"\lstinline{a$b}"),
        (r"a \mintinline{py}|$| c", r"\mintinline{py}|$|"),
        (r"a \mintinline[opt]{py}{f($)} c", r"\mintinline[opt]{py}{f($)}"),
        ("\\begin{verbatim}\n\\cite{a} $ { %\n\\end{verbatim}", "\n\\cite{a} $ { %\n"),
        ("\\begin{alltt}$ {\\end{alltt}", "$ {"),
        ("\\begin{minted}[a=b]{py}\n$ {\\end{minted}", "\n$ {"),
        (r"\url{http://a/%7Eb#c_d}", r"{http://a/%7Eb#c_d}"),
        (r"\href{http://a/%7Eb#c}{words}", r"{http://a/%7Eb#c}"),
        (r"\path{a%b}", r"{a%b}"),
        (r"\url|http://a%b|", r"|http://a%b|"),
        (r"\MakeShortVerb{\|}a |$%{| b", r"|$%{|"),
        (r"\newminted{c}{} \begin{ccode}$ {\end{ccode}", "$ {"),
        (r"\lstnewenvironment{code}[1][]{}{} \begin{code}$ {\end{code}", "$ {"),
        (r"\DefineVerbatimEnvironment{raw}{Verbatim}{} \begin{raw}$ {\end{raw}", "$ {"),
        (r"\newmintinline{py}{} \pyinline|$ {|", r"\pyinline|$ {|"),
    ],
)
def test_verbatims_are_opaque_and_end_where_tex_ends_them(text: str, verbatim: str) -> None:
    scanned = scan(text)
    assert texts(scanned, Kind.VERBATIM) == [verbatim]
    assert not scanned.problems
    assert "cite" not in names(scanned)


@pytest.mark.parametrize(
    ("text", "skipped"),
    [
        (r"a \iffalse old } \cite{x} \fi b", r" old } \cite{x} "),
        (r"a \iffalse \ifx\a\b c \else d \fi e \fi b", r" \ifx\a\b c \else d \fi e "),
        (r"\iffalse a \else \cite{b} \fi", " a "),
        (r"\iftrue a \else \cite*{b} \fi c", r" \cite*{b} "),
        ("\\iffalse % \\fi\n x \\fi y", " % \\fi\n x "),
        ("\\if0\n old\\fi new", "0\n old"),
        ("\\begin{document}a\\end{document}\n\\cite{b} {", "\n\\cite{b} {"),
        ("\\begin{comment}\n$ { \\cite{a}\\end{comment} b", "\n$ { \\cite{a}"),
        ("text\n\\endinput\n } junk", "\n } junk"),
        (r"\excludecomment{old}\begin{old}${\end{old}", "${"),
    ],
)
def test_dead_text_is_skipped(text: str, skipped: str) -> None:
    scanned = scan(text)
    assert texts(scanned, Kind.SKIPPED) == [skipped]
    assert not scanned.problems


def test_the_branch_after_a_dead_one_lives() -> None:
    assert "cite" in names(scan(r"\iffalse a \else \cite{b} \fi"))


def test_a_comment_runs_to_its_line_end_and_hides_braces() -> None:
    scanned = scan("5\\% of } %a { $ \\cite{x}\r\nb")
    assert texts(scanned, Kind.COMMENT) == ["%a { $ \\cite{x}"]
    assert [p.why for p in scanned.problems] == ["closing brace without an opening one"]


@pytest.mark.parametrize(
    ("text", "math"),
    [
        ("$[0,1)$ and $(a]$", ["$[0,1)$", "$(a]$"]),
        ("$a$$b$", ["$a$", "$b$"]),
        ("$$a$$", ["$$a$$"]),
        (r"\(a\) \[b\\[2pt] c\]", [r"\(a\)", r"\[b\\[2pt] c\]"]),
        (r"\[a \text{if $b$ or \mbox{$c$}} d\]", [r"\[a \text{if $b$ or \mbox{$c$}} d\]"]),
        (r"$a_{\text{x \$ y}}$", [r"$a_{\text{x \$ y}}$"]),
        (r"\$5 and \$6", []),
        ("stray $ here\n\nnext $x$ par", ["$x$"]),
        (r"\begin{tabular}{>{$}c<{$}}$a$\end{tabular}", ["$a$"]),
        (r"\begin{tabular}{>{$\bf}c<{$}}a\end{tabular}", []),
    ],
)
def test_mathematics(text: str, math: list[str]) -> None:
    scanned = scan(text)
    outer = [n for n in scanned.nodes(Kind.MATH) if n.closed and not n.in_math]
    assert [scanned.text[n.span.start : n.span.stop] for n in outer] == math


def test_a_stray_dollar_spoils_its_paragraph_only() -> None:
    scanned = scan("a $ b\n\n\\section{c} $x$")
    assert [p.why for p in scanned.problems] == ["mathematics is never closed"]
    assert scanned.text[scanned.problems[0].span.start :].startswith("$ b")
    [section] = scanned.commands("section")
    assert section.parent == 0


@pytest.mark.parametrize(
    "text",
    [
        r"{\bf[} $[0,1)$",
        r"\newcommand{\be}{\begin{equation}} \newcommand{\ee}{\end{equation}}",
        r"\newenvironment{x}{\begin{center}\begin{small}}{\end{small}\end{center}}",
        "\\newenvironment{x}[1][a]\n%c }\n{\\begin{center}}\n{\\end{center}}",
        r"\NewDocumentCommand{\x}{O{a} m}{$#1} \def\y#1{#1$}",
        r"\def\y[#1]#2\end{$#1}",
        r"\catcode`\{=12 \char`}",
        r"a\ b\\[2pt]c \' \{ \}",
        "\ufeff\\documentclass{a}\r\n\\begin{document}\r\n\\end{document}\r\n",
        r"\DeclareCiteCommand{\x}[\f]{\a}{\begin{b}}{\multicitedelim}{\end{b}}",
    ],
)
def test_odd_but_sound_text_raises_no_problem(text: str) -> None:
    assert scan(text).problems == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{ a", "group is never closed"),
        (r"\begin{a} b", "environment is never closed"),
        (r"\begin{a}\begin{b}\end{a}", "environment is never closed"),
        (r"a\end{b}", "end of b, which is not open"),
        (r"a\] b", r"\] without \["),
        ("a } b", "closing brace without an opening one"),
        (r"\verb|a", r"\verb is never closed on its line"),
        (r"\iffalse a", "conditional is never closed"),
        (r"\[ a", "mathematics is never closed"),
    ],
)
def test_what_does_not_close_is_named_and_the_rest_is_read(text: str, why: str) -> None:
    scanned = scan(text + r" \par\section{x}")
    assert [p.why for p in scanned.problems] == [why]
    assert "section" in names(scanned)


def test_an_unclosed_group_ends_with_its_environment() -> None:
    scanned = scan(r"\begin{a}{b\end{a} c \cite{d}")
    [a] = scanned.environments("a")
    assert a.closed
    [cite] = scanned.commands("cite")
    assert cite.parent == 0


def test_names_with_an_at_sign() -> None:
    assert names(scan(r"\a@b \makeatletter\a@b\makeatother\a@b")) == [
        "a", "makeatletter", "a@b", "makeatother", "a",
    ]  # fmt: skip
    assert names(scan(r"\a@b", STYLE_FILE)) == ["a@b"]
    assert names(scan(r"\ExplSyntaxOn\a_b:n\ExplSyntaxOff\a_b")) == [
        "ExplSyntaxOn", "a_b:n", "ExplSyntaxOff", "a",
    ]  # fmt: skip


def test_macros_that_open_and_close_environments() -> None:
    lexicon = Lexicon(opens={"be": "equation"}, closes={"ee": "equation"})
    scanned = scan(r"a \be x \cite{b} \ee c", lexicon)
    [equation] = scanned.environments("equation")
    assert scanned.text[equation.span.start : equation.span.stop] == r"\be x \cite{b} \ee"
    assert scanned.text[equation.inner.start : equation.inner.stop] == r" x \cite{b} "


def test_inner_spans_leave_the_delimiters_out() -> None:
    scanned = scan("\\begin {a}[b] c\\end{a} {d} $e$ \\[f\\]")
    inner = [scanned.text[n.inner.start : n.inner.stop] for n in scanned.nodes()][1:]
    assert inner == ["[b] c", "d", "e", "f"]


def test_arguments_across_gaps_comments_and_nested_brackets() -> None:
    text = "\\cite% why\n  [{Sec.~2, [p.~3]}]\n {a,%b\n c}{d}"
    scanned = scan(text)
    [cite] = scanned.commands("cite")
    found = scanned.arguments(cite.span.stop)
    assert [text[a.inner.start : a.inner.stop] for a in found] == [
        "{Sec.~2, [p.~3]}",
        "a,%b\n c",
        "d",
    ]


@pytest.mark.parametrize("text", ["\\cite\n\n{a}", "\\cite [a\n\nb]{c}", r"{\cite[a}]{b}"])
def test_no_argument_is_read_across_a_paragraph_or_out_of_a_group(text: str) -> None:
    scanned = scan(text)
    [cite] = scanned.commands("cite")
    assert scanned.arguments(cite.span.stop) == ()


def test_labels_in_the_options_of_a_listing_are_live() -> None:
    text = r"\begin{lstlisting}[caption={A \cite{a}},label=l]" "\n\\cite{no}\n" r"\end{lstlisting}"
    assert names(scan(text)) == ["begin", "cite"]


@pytest.mark.parametrize(
    "text",
    [
        "{" * 200_000,
        "}" * 200_000,
        "$" * 200_000,
        "\\begin{a}" * 50_000 + "}" * 50_000,
        "\\begin{verbatim}" * 50_000,
        "\\verb|" * 50_000 + "x",
        "\\iffalse " * 50_000,
        "\\if" * 100_000,
        "\\[{" * 50_000 + "\\]" * 50_000,
        "\\newcommand{\\a}[1][" * 30_000,
        "\\url{" * 50_000,
        "\\lstinline[" * 50_000,
        "\n" * 200_000 + " " * 200_000,
        "%" * 200_000,
        "\\def\\a#1" * 30_000,
        "a " * 500_000,
    ],
    ids=range(16),
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    scanned = scan(text)
    assert len(scanned.problems) <= 1001
