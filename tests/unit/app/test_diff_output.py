import pytest

from reviser.app.diff_output import add_diff
from reviser.app.page import Page, Style
from reviser.text.source import Source

BEFORE = "short before\n" + "word " * 400 + "\\cite{a,b} " + "more " * 400 + "\nshort after\n"
AFTER = BEFORE.replace("{a,b}", "{a}")


def page_of(before, after, width):
    page = Page(width=width)
    add_diff(page, Source("a.tex", before), Source("a.tex", after), prefix="x/")
    return page


@pytest.mark.parametrize("width", [60, 100])
def test_a_long_line_shows_what_changed_and_little_else(width):
    page = page_of(BEFORE, AFTER, width)
    changed = [line for line in page.lines if line.plain.startswith(("-", "+"))][2:]
    assert [any(p.text == ",b" for p in line.pieces) for line in changed] == [True, False]
    for line in changed:
        assert len(line.plain) < 120
        assert "\\cite{a" in line.plain
    (lost,) = [p for line in page.lines for p in line.pieces if p.style is Style.LOST_WORD]
    assert lost.text == ",b"


def test_context_fits_the_terminal():
    page = page_of("x" * 300 + "\nold\n", "x" * 300 + "\nnew\n", 60)
    assert max(len(line.plain) for line in page.lines) <= 60


def test_in_a_pipe_lines_are_whole_and_safe():
    page = page_of(BEFORE + "a\x1b[0m\n", AFTER + "a\x1b[0m\n", None)
    lines = page.plain.splitlines()
    assert lines[:3] == ["--- x/a.tex", "+++ x/a.tex", "@@ -1,4 +1,4 @@"]
    assert "-" + BEFORE.splitlines()[1].rstrip() in lines
    assert " a<U+001B>[0m" in lines


def test_lines_without_a_partner_are_shown_as_they_are():
    page = page_of("a\nb\nc\n", "a\nc\n", 80)
    assert [line.plain for line in page.lines][2:] == ["@@ -1,3 +1,2 @@", " a", "-b", " c"]


def test_equal_texts_show_nothing():
    assert page_of("a\n", "a\n", 80).lines == []
