"""What each kind of mask blanks."""

import pytest

from reviser.latex.mask import DEAD, Blank, mask
from reviser.latex.scan import scan

TEXT = "a % b\n\\verb|c| \\url{d} $e$ \\iffalse f\\fi \\def\\g{h} \\begin{equation}i\\end{equation}"


@pytest.mark.parametrize(
    ("kinds", "gone"),
    [
        (DEAD, ["% b", "\\verb|c|", " f"]),
        ({Blank.ADDRESSES}, ["{d}"]),
        ({Blank.MATH}, ["$e$", "\\begin{equation}i\\end{equation}"]),
        ({Blank.DEFINITIONS}, ["h"]),
        (set(), []),
    ],
)
def test_what_is_blanked(kinds: set[Blank], gone: list[str]) -> None:
    expected = TEXT
    for words in gone:
        expected = expected.replace(words, " " * len(words))
    assert mask(scan(TEXT), kinds) == expected


def test_line_ends_stay_and_a_lone_comment_keeps_its_sign() -> None:
    assert mask(scan("a\r\n  % b\r\nc")) == "a\r\n  %  \r\nc"


def test_what_is_blanked_in_mathematics_becomes_ties() -> None:
    assert mask(scan("$a \\mbox{\\verb|b|} c$")) == "$a \\mbox{~~~~~~~~} c$"
