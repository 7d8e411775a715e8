import io

import pytest

from reviser.app.page import Page, Piece, Style, is_terminal, page_for, show
from reviser.text.printable import printable, printable_line, shortened


class Terminal(io.StringIO):
    def isatty(self):
        return True


def sample(width):
    page = Page(width=width)
    page.gap()
    page.heading("main.tex (1 error)")
    page.add(Piece("main.tex:1:1", Style.PLACE), " ", Piece("error", Style.ERROR),
             " [bold]not markup[/bold] and quite a few more words to wrap", hang=4)  # fmt: skip
    page.gap()
    page.gap()
    page.add("end", indent=2)
    return page


def test_in_a_pipe_nothing_is_wrapped_or_coloured():
    stream = io.StringIO()
    show(sample(None), stream)
    assert stream.getvalue() == (
        "main.tex (1 error)\n"
        "main.tex:1:1 error [bold]not markup[/bold] and quite a few more words to wrap\n"
        "\n"
        "  end\n"
    )


def test_on_a_terminal_lines_wrap_with_a_hanging_indent(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    show(sample(40), stream)
    text = stream.getvalue()
    assert "\x1b[" in text
    assert "[bold]not markup[/bold]" in text.replace("\n    ", " ")


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal()
    show(sample(40), stream)
    assert "\x1b" not in stream.getvalue()
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[2].startswith("    ")


@pytest.mark.parametrize(
    ("environment", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_when_colour_is_wanted(environment, colour):
    assert is_terminal(Terminal(), environment) is colour
    assert not is_terminal(io.StringIO(), environment)


def test_page_width_follows_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    assert page_for(Terminal()).width == 72
    assert page_for(io.StringIO()).width is None


def test_nothing_in_a_paper_steers_a_terminal():
    assert printable("a\x1b[31mb\u202ec\u200bd\udcffe\n f\x00") == (
        "a<U+001B>[31mb<U+202E>c<U+200B>d<U+DCFF>e f<U+0000>"
    )
    assert printable("für 中文 “x”") == "für 中文 “x”"
    assert printable_line("\tx  y\x07\r\n") == "    x  y<U+0007>"


def test_shortened_keeps_both_ends():
    assert shortened("abc", 10) == "abc"
    cut = shortened("a" * 50 + "z" * 50, 30)
    assert len(cut) <= 30
    assert cut.startswith("aaa")
    assert cut.endswith("zzz")
    assert " ... " in cut
