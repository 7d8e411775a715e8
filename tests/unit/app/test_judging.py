import io

from reviser.app.page import Page, show
from reviser.app.ticking import Ticker, progress


def test_a_ticker_counts_names_and_clears():
    stream = io.StringIO()
    ticker = Ticker(stream)
    ticker.step("reading", 0, 1)
    ticker.step("reading", 1, 1)
    ticker.step("edits", 0, 9)
    for done in range(1, 9):
        ticker.step("edits", done, 9)
    ticker.step("edits", 9, 9)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown[:4] == ["", "reading ...", "", "edits: 0/9"]
    assert shown[-1] == ""
    assert len(shown) < 8, "at most ten times a second"


def test_nobody_looks_at_a_pipe(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress() is None


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_dumb_terminal_gets_no_ticker(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert progress() is None
    monkeypatch.setenv("TERM", "xterm")
    assert progress() is not None


def test_a_report_stands_on_no_line_of_a_ticker():
    stream = io.StringIO()
    Ticker(stream).step("revising", 3, 5)
    page = Page()
    page.add("Reviewing ended: interrupted.")
    show(page, stream)
    show(page, stream)
    report = "Reviewing ended: interrupted.\n"
    assert stream.getvalue() == f"\r\x1b[Krevising: 3/5\r\x1b[K{report}{report}"
