"""Prose in papers with commands of their own."""

import pytest

from reviser.latex.macros import learn
from reviser.latex.prose import Block, blocks
from reviser.latex.tex import read_tex
from reviser.text.source import Source


def read(text: str) -> tuple[Block, ...]:
    source = Source("paper.tex", text)
    return blocks(read_tex(source, learn([source])), source)


def plains(text: str) -> list[str]:
    return [sentence.text for block in read(text) for sentence in block.sentences]


OWN_COMMANDS = [
    (r"\newcommand{\eg}{e.g.\ }", r"Trees, \eg Oaks, grow.", ["Trees, e.g. Oaks, grow."]),
    (
        r"\newcommand{\sys}{\textsc{Foo}\xspace}",
        r"It is new. \sys is fast.",
        ["It is new.", "Foo is fast."],
    ),
    (
        r"\newcommand{\rate}{\ensuremath{\lambda}}",
        r"It ended. \rate is low.",
        ["It ended.", "X is low."],
    ),
    (
        r"\newcommand{\mycite}[1]{\cite{#1}}",
        r"It works~\mycite{a}. Good.",
        ["It works [1].", "Good."],
    ),
    (
        r"\newcommand{\note}[1]{\footnote{#1}}",
        r"A fact\note{A note.} stands.",
        ["A fact stands.", "A note."],
    ),
    (r"\newcommand{\hide}[1]{}", r"A fact\hide{Not shown.} stands.", ["A fact stands."]),
    (
        r"\newcommand{\bi}{\begin{itemize}}\newcommand{\ei}{\end{itemize}}",
        r"We list: \bi\item One.\ei Done.",
        ["We list:", "One.", "Done."],
    ),
]


@pytest.mark.parametrize(("definition", "tex", "wanted"), OWN_COMMANDS)
def test_the_papers_own_commands(definition: str, tex: str, wanted: list[str]) -> None:
    assert plains(f"{definition}\n\n{tex}") == wanted


def test_a_long_word_stays_within_a_short_command() -> None:
    (sentence,) = read("\\newcommand{\\C}[1]{\\citet{#1}}\n\n\\C{a}.")[0].sentences
    assert sentence.text == "Authors."
    assert all(sentence.at.start <= start < sentence.at.stop for _, start in sentence.runs)


@pytest.mark.parametrize(
    ("tex", "wanted"),
    [
        (r"It serves NASA\@. Then more.", ["It serves NASA.", "Then more."]),
        (r"Trees, rocks, etc.\@ and more.", ["Trees, rocks, etc. and more."]),
        (r"A text.\IfFileExists{part.tex}{}{} It goes on.", ["A text.", "It goes on."]),
        (r"\defcitealias{smith2000}{Paper I} It goes on.", ["It goes on."]),
    ],
)
def test_commands_that_print_nothing(tex: str, wanted: list[str]) -> None:
    assert plains(tex) == wanted
