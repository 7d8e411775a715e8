"""Citations by macros that look for a star or a bracket first."""

import pytest

from reviser.latex.choices import choice
from reviser.latex.macros import learn
from reviser.latex.tex import read_tex
from reviser.text.source import Source


def keys(definitions: str, use: str) -> list[str]:
    source = Source("paper.tex", f"\\makeatletter{definitions}\\makeatother\n{use}")
    read = read_tex(source, learn([source]))
    return [key.name for citation in read.citations for key in citation.keys]


@pytest.mark.parametrize("use", [r"\my{a} \my*{b}", r"\my{a} \my* {b}"])
@pytest.mark.parametrize(
    "definitions",
    [
        r"\newcommand{\my}{\@ifstar{\citet}{\citep}}",
        r"\def\my{\@ifstar\my@star\my@plain}\def\my@star#1{\citet{#1}}\def\my@plain#1{\citep{#1}}",
        r"\newcommand\my{\null\@ifstar\@a\@b}\def\@a#1{[\cite{#1}]}\def\@b#1{(\cite{#1})}",
    ],
)
def test_a_star_leaves_the_keys_where_they_are(definitions: str, use: str) -> None:
    assert keys(definitions, use) == ["a", "b"]


@pytest.mark.parametrize(
    ("opening", "use"), [("[", r"\my{a} \my[p.~2]{b}"), ("(", r"\my{a} \my(p.~2){b}")]
)
def test_an_option_leaves_the_keys_where_they_are(opening: str, use: str) -> None:
    closing = {"[": "]", "(": ")"}[opening]
    definitions = (
        rf"\newcommand{{\my}}{{\@ifnextchar{opening}{{\my@with}}{{\my@bare}}}}"
        rf"\def\my@with{opening}#1{closing}#2{{\cite[#1]{{#2}}}}\def\my@bare#1{{\cite{{#1}}}}"
    )
    assert keys(definitions, use) == ["a", "b"]


def test_a_macro_around_such_a_macro_cites() -> None:
    definitions = (
        r"\newcommand{\my}{\@ifstar\my@a\my@b}\def\my@a#1{\citet{#1}}\def\my@b#1{\citep{#1}}"
        r"\newcommand{\see}[1]{(see \my{#1})}"
    )
    assert keys(definitions, r"\see{a}") == ["a"]


@pytest.mark.parametrize("body", ["", r"\@ifstar", r"\@ifstar{\a}", r"\@ifstar{x}{y}", "text"])
def test_other_bodies_choose_nothing(body: str) -> None:
    assert choice(body) is None
