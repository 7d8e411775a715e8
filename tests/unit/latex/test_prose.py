"""Prose: what a file says, without its markup, and where each sentence stands."""

from bisect import bisect_right

import pytest

from reviser.latex.plain import Plain
from reviser.latex.prose import Block, blocks
from reviser.latex.tex import read_tex
from reviser.text.source import Source


def read(text: str) -> tuple[Block, ...]:
    source = Source("paper.tex", text)
    return blocks(read_tex(source), source)


def plains(text: str) -> list[str]:
    return [sentence.text for block in read(text) for sentence in block.sentences]


def kinds(text: str) -> list[tuple[str, list[str]]]:
    return [(block.kind, [s.text for s in block.sentences]) for block in read(text)]


def places(text: str) -> list[str]:
    return [text[s.at.start : s.at.stop] for block in read(text) for s in block.sentences]


def origin(sentence: Plain, offset: int) -> int:
    first, source = sentence.runs[bisect_right([r[0] for r in sentence.runs], offset) - 1]
    return source + offset - first


READS = [
    # citations
    (r"It works~\cite{a}. It is fast.", ["It works [1].", "It is fast."]),
    (r"It works \citep[see][p.~3]{a,b}, mostly.", ["It works [1], mostly."]),
    (r"\citet{a} show it. \citet{b} does not.", ["Authors show it.", "Authors does not."]),
    (r"As \citeauthor{a} said in \citeyear{a}, it works.", ["As Authors said in 2000, it works."]),
    (r"It works.~\cite{a} It is fast.", ["It works. [1]", "It is fast."]),
    (r"It works.\cite{a} It is fast.", ["It works.[1]", "It is fast."]),
    ("It works. \\cite{a}\nIt is fast.", ["It works. [1]", "It is fast."]),
    (r"All agree \nocite{a} here.", ["All agree here."]),
    (r"It is old$^{\cite{a}}$ news.", ["It is old[1] news."]),
    # references
    (r"See Fig.~\ref{f}. It is red.", ["See Fig. 1.", "It is red."]),
    (r"By \eqref{e} we are done.", ["By (1) we are done."]),
    (r"\Cref{fig:x} and \autoref{tab:y} agree.", ["Figure 1 and Table 1 agree."]),
    (r"See \hyperref[s]{the next part} now.", ["See the next part now."]),
    # formulas
    (r"Let $x$ be in $[0,1)$. Then $y$ is.", ["Let X be in X.", "Then X is."]),
    (r"We set $x=1.$ Then it ends.", ["We set X.", "Then it ends."]),
    (r"It is \(a+b,\) or less.", ["It is X, or less."]),
    (r"A gain of $3.2\%$ over $10{,}000$ runs.", ["A gain of 3.2% over 10,000 runs."]),
    (r"Some $\sim$20 cases and $>5$ more.", ["Some ~20 cases and >5 more."]),
    (r"The $k$-means step and the $10^{th}$ one.", ["The k-means step and the X one."]),
    (r"The 10$^{th}$ try in m$^2$ units.", ["The 10th try in m2 units."]),
    (r"If $f$ is odd, then $g$ is. $h$ is even.", ["If X is odd, then X is.", "X is even."]),
    ("We have \\[ a = b \\] where $a$ is small.", ["We have X where X is small."]),
    ("We have \\[ a = b. \\] Then it ends.", ["We have X.", "Then it ends."]),
    ("We have \\[ a = b \\] The end is near.", ["We have X", "The end is near."]),
    (
        "We have\n\\begin{equation}\n a = b,\\label{e}\n\\end{equation}\nwhere $a$ is small.",
        ["We have X, where X is small."],
    ),
    ("Half open $[0,1)$ and (so on. And on) here.", ["Half open X and (so on. And on) here."]),
    # markup
    (r"An \emph{odd} \textbf{bold \textit{word}} {\em here}.", ["An odd bold word here."]),
    (
        r"Red \textcolor{red}{apples} at \href{http://x.y/}{this page}.",
        ["Red apples at this page."],
    ),
    (r"See \url{http://x.y/a_b%20c#d} now.", ["See http://x.y/a_b%20c#d now."]),
    (r"We use \verb|a{b|. It is fine.", ["We use X.", "It is fine."]),
    (r"We use \verb+numpy+ here.", ["We use numpy here."]),
    (
        r"Caf\'e, na\"{\i}ve, G\"odel, \c{c}a, \v{S}koda, \O re, Stra\ss e.",
        ["Café, naïve, Gödel, ça, Škoda, Øre, Straße."],
    ),
    (r"{\'E}mile and {\"{O}}sten met. {\AA}se left.", ["Émile and Östen met.", "Åse left."]),
    (
        r"``Quoted'' text --- with -- dashes and `single' ones.",
        ["“Quoted” text — with – dashes and 'single' ones."],
    ),
    (r"R\&D costs 5\% or \$3 for \#1 a\_b \{c\}.", ["R&D costs 5% or $3 for #1 a_b {c}."]),
    (r"Use \LaTeX{} or \TeX\ for it.", ["Use LaTeX or TeX for it."]),
    (r"And so on \ldots{} It ended.", ["And so on ...", "It ended."]),
    (
        r"Trees, e.g.\ oaks, grow. See Fig.\ 3 and J.\,S.\ Bach.",
        ["Trees, e.g. oaks, grow.", "See Fig. 3 and J. S. Bach."],
    ),
    (r"Some 10\,000 of 5\,km.", ["Some 10000 of 5 km."]),
    (
        r"A co\-operative \mbox{non-stop} run\footnotemark{} ends.",
        ["A cooperative non-stop run ends."],
    ),
    (r"\noindent Start here.\vspace{2pt} \hspace*{1em}Next one.", ["Start here.", "Next one."]),
    (r"\vskip2ex\noindent Start. \parskip 0pt\hskip -1.5em plus 2pt End.", ["Start.", "End."]),
    (
        "So \\begin{subequations}\\begin{align} a \\end{align}\\end{subequations} where it is.",
        ["So X where it is."],
    ),
    (r"\vspace{-\baselineskip}Text \label{x}goes on \index{a!b}here.", ["Text goes on here."]),
    (
        r"The \unknownword\ isotope of \another. \third is\footnotemark{} rare.",
        ["The X isotope of X.", "X is rare."],
    ),
    (
        r"It is \DIFdelbegin\DIFdel{red}\DIFdelend \DIFaddbegin\DIFadd{blue}\DIFaddend.",
        ["It is blue."],
    ),
    (r"An \unknowncommand[opt]{kept text} stays.", ["An kept text stays."]),
    ("A line% with a comment. Not text.\n goes on.", ["A linegoes on."]),
    ("A line % with a comment\ngoes on.", ["A line goes on."]),
    ("A line.%\nAnother line.", ["A line.", "Another line."]),
    ("Tabs\tand\r\nline ends.", ["Tabs and line ends."]),
    ("Caf\u00e9 \u2014 \u65e5\u672c\u8a9e text.", ["Caf\u00e9 \u2014 \u65e5\u672c\u8a9e text."]),
    ("", []),
    ("$x$ \\[ y \\]", []),
    ("12.5 \\\\ 13", []),
]


@pytest.mark.parametrize(("tex", "wanted"), READS)
def test_how_text_reads(tex: str, wanted: list[str]) -> None:
    assert plains(tex) == wanted


BLOCKS = [
    ("One.\n\nTwo.", [("body", ["One."]), ("body", ["Two."])]),
    ("One.\r\n\r\nTwo.", [("body", ["One."]), ("body", ["Two."])]),
    ("One %\n\nTwo.", [("body", ["One"]), ("body", ["Two."])]),
    (
        "One \\par Two.\\\\[2pt] Three.",
        [("body", ["One"]), ("body", ["Two."]), ("body", ["Three."])],
    ),
    (
        "\\section{On \\emph{trees}}\nText.\\subsection*{More}Text again.",
        [
            ("title", ["On trees"]),
            ("body", ["Text."]),
            ("title", ["More"]),
            ("body", ["Text again."]),
        ],
    ),
    (
        "We list:\n\\begin{itemize}\\item One thing.\n\\item[Two:] Another.\\end{itemize}\nDone.",
        [
            ("body", ["We list:"]),
            ("item", ["One thing."]),
            ("item", ["Two:"]),
            ("item", ["Another."]),
            ("body", ["Done."]),
        ],
    ),
    (
        "We ask \\begin{inparaenum}[(1)] \\item why, and \\item how \\end{inparaenum} it works.",
        [("body", ["We ask why, and how it works."])],
    ),
    (
        "A fact\\footnote{A note~\\cite{a}. More.} stands. Next.",
        [("body", ["A fact stands.", "Next."]), ("footnote", ["A note [1].", "More."])],
    ),
    (
        (
            "Text.\n\\begin{figure}\\includegraphics[a=1]{a}\\caption[B]{A tree. It grows."
            "}\\label{f}\\end{figure}\nText."
        ),
        [("body", ["Text."]), ("caption", ["A tree.", "It grows."]), ("body", ["Text."])],
    ),
    (
        (
            "\\begin{table}\\caption{All.}\\begin{tabular}{l|r}Name & Size \\\\ \\hline Oak~"
            "\\cite{a} & 12.5 \\\\ \\end{tabular}\\end{table}"
        ),
        [("caption", ["All."]), ("cell", ["Name"]), ("cell", ["Size"]), ("cell", ["Oak [1]"])],
    ),
    (
        "\\begin{abstract}We do it. It works.\\end{abstract}\nBody.",
        [("abstract", ["We do it.", "It works."]), ("body", ["Body."])],
    ),
    ("\\abstract{We do it.} Body.", [("abstract", ["We do it."]), ("body", ["Body."])]),
    (
        (
            "\\documentclass{article}\nNot read.\\title[T]{The \\\\ Title\\thanks{Us.}}\n"
            "\\begin{document}\\maketitle Body.\\end{document} After."
        ),
        [("title", ["The Title"]), ("footnote", ["Us."]), ("body", ["Body."])],
    ),
    (
        "Before.\\begin{tikzpicture}\\node {No text.};\\end{tikzpicture}After.",
        [("body", ["Before."]), ("body", ["After."])],
    ),
    (
        "Before.\\begin{algorithm}\\caption{The steps.}\\If{a}{b}\\end{algorithm}After.",
        [("body", ["Before."]), ("caption", ["The steps."]), ("body", ["After."])],
    ),
    (
        "Before.\n\\begin{verbatim}\nNo text. At all.\n\\end{verbatim}\nAfter.",
        [("body", ["Before."]), ("body", ["After."])],
    ),
    ("One.\\iffalse Not this. \\fi Two.", [("body", ["One.", "Two."])]),
    (
        "One.\n\\begin{thebibliography}{9}\\bibitem{a} A. Author. Title.\\end{thebibliography}",
        [("body", ["One."])],
    ),
    ("One.\n\\input{next}\nTwo.", [("body", ["One."]), ("body", ["Two."])]),
    ("A rate of \\input{rate}, or less.", [("body", ["A rate of X, or less."])]),
    (
        "\\begin{theorem}[see \\cite{a}]\nIt holds.\\end{theorem}",
        [("caption", ["see [1]"]), ("body", ["It holds."])],
    ),
    (
        "\\begin{tikzpicture} never closed\n\\section{Next}\nText.",
        [("title", ["Next"]), ("body", ["Text."])],
    ),
]


@pytest.mark.parametrize(("tex", "wanted"), BLOCKS)
def test_blocks_and_their_kinds(tex: str, wanted: list[tuple[str, list[str]]]) -> None:
    assert kinds(tex) == wanted


PLACES = [
    (r"One~\cite{a}. \emph{Two.} Three.", [r"One~\cite{a}.", "Two.", "Three."]),
    (r"\emph{One. Two.} Three.", ["One.", "Two.", "Three."]),
    (r"\textbf{One} is here. {\em Two} too.", [r"\textbf{One} is here.", r"{\em Two} too."]),
    (r"It ends.~\cite{a} Next $x$.", [r"It ends.~\cite{a}", "Next $x$."]),
    ("We have \\[ a. \\] Then.", ["We have \\[ a. \\]", "Then."]),
    (r"A\footnote{Note. More.} b.", [r"A\footnote{Note. More.} b.", "Note.", "More."]),
    (r"\'Etude {\'E}t\'e.", [r"\'Etude {\'E}t\'e."]),
    (
        r"$5$ cats. $k$-means is. See \url{x.y/z}.",
        ["$5$ cats.", "$k$-means is.", r"See \url{x.y/z}."],
    ),
    (r"\url{x.y/z} is. \href{a}{B} too.", [r"\url{x.y/z} is.", r"\href{a}{B} too."]),
    (r"A gain of $5\%$. Next.", [r"A gain of $5\%$.", "Next."]),
]


@pytest.mark.parametrize(("tex", "wanted"), PLACES)
def test_a_sentence_stands_where_its_markup_does(tex: str, wanted: list[str]) -> None:
    assert places(tex) == wanted
    assert all(s.balanced for block in read(tex) for s in block.sentences)


def test_a_sentence_that_tears_a_group_is_marked() -> None:
    tex = r"One \emph{is here. Two is} there."
    assert [s.balanced for block in read(tex) for s in block.sentences] == [False, False]


def test_a_sentence_that_tears_an_inline_list_is_marked() -> None:
    tex = r"We ask: \begin{inparaenum}\item Why? Then \item how.\end{inparaenum}"
    assert [s.balanced for block in read(tex) for s in block.sentences] == [False, True]


def test_every_letter_maps_to_itself() -> None:
    tex = "An \\emph{odd}  word~\\cite{a} and\n 10\\% of $k$-means -- caf\\'e \\citet{b}."
    (sentence,) = read(tex)[0].sentences
    for offset, char in enumerate(sentence.text):
        source = origin(sentence, offset)
        assert sentence.at.start <= source < sentence.at.stop
        if char in "Anoddwrkme" and offset < sentence.text.index("Authors"):
            assert tex[source] == char
    assert tex[origin(sentence, sentence.text.index("[1]"))] == "\\"
    assert tex[origin(sentence, sentence.text.index("means"))] == "m"


def test_blocks_are_in_order_of_where_they_start() -> None:
    found = read("A\\footnote{B.} c.\n\nD \\footnote{E.} f.")
    assert [block.kind for block in found] == ["body", "footnote", "body", "footnote"]
    assert sorted(found, key=lambda block: block.at) == list(found)
