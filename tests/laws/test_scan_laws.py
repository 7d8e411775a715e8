"""The scanner's laws: whatever the text, tokens tile it and spans nest."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.scan import Scan, scan
from reviser.latex.structure import Kind

PIECES = [
    *"{}[]()$%#&~^_\\|+ \n\r\t'\"`-.,;:<>=*@0aZé中",
    "\r\n",
    "\n\n",
    "$$",
    r"\(",
    r"\)",
    r"\[",
    r"\]",
    r"\\",
    r"\%",
    r"\begin{a}",
    r"\end{a}",
    r"\begin{equation}",
    r"\end{equation}",
    r"\begin{verbatim}",
    r"\end{verbatim}",
    r"\begin{lstlisting}[caption={a",
    r"\end{lstlisting}",
    r"\begin{comment}",
    r"\end{comment}",
    r"\begin{document}",
    r"\end{document}",
    r"\verb",
    r"\lstinline",
    r"\mintinline{c}",
    r"\url{a%b}",
    r"\href",
    r"\iffalse",
    r"\iftrue",
    r"\ifx",
    r"\else",
    r"\fi",
    r"\newcommand{\x}[2][d]{",
    r"\def\y#1#2{",
    r"\newenvironment{e}{",
    r"\let\a=\b",
    r"\makeatletter",
    r"\makeatother",
    r"\ExplSyntaxOn",
    r"\MakeShortVerb{\|}",
    r"\DeleteShortVerb{\|}",
    r"\cite",
    r"\cite[p.~3]{a, b}",
    r"\section{",
    r"\endinput",
    r"\catcode`\%=12",
    r"\newminted{c}{}",
    r"\begin{ccode}",
    r"\end{ccode}",
    "\ufeff",
    "\ud800",
    "\x00",
]
latex = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60)


def check(scanned: Scan) -> None:
    at = 0
    for token in scanned.tokens():
        assert token.start == at
        assert token.stop > at
        at = token.stop
    assert at == len(scanned.text)
    last = 0
    for node in scanned.nodes():
        assert node.span.start >= last
        last = node.span.start
        assert node.span.covers(node.inner)
        if node.index:
            parent = scanned.node(node.parent)
            assert parent.index < node.index
            assert parent.span.covers(node.span)
            assert parent.kind not in (Kind.COMMENT, Kind.VERBATIM, Kind.SKIPPED)
    for command in scanned.commands():
        assert scanned.text.startswith("\\" + command.name, command.span.start)
        assert scanned.node(command.parent).span.covers(command.span)
        for argument in scanned.arguments(command.span.stop):
            assert argument.span.covers(argument.inner)


@given(latex)
@settings(max_examples=1500, deadline=None)
def test_tokens_tile_and_spans_nest(text: str) -> None:
    check(scan(text))


@given(latex)
@settings(max_examples=300, deadline=None)
def test_siblings_do_not_overlap(text: str) -> None:
    scanned = scan(text)
    ends: dict[int, int] = {}
    for node in scanned.nodes():
        assert node.span.start >= ends.get(node.parent, 0)
        ends[node.parent] = node.span.stop


@given(latex, st.integers(0, 200))
@settings(max_examples=300, deadline=None)
def test_the_enclosing_node_holds_the_offset(text: str, offset: int) -> None:
    scanned = scan(text)
    node = scanned.enclosing(offset)
    assert node is not None
    if node.index:
        assert node.span.start <= offset < node.span.stop
    inside = [n for n in scanned.nodes() if n.index and n.span.start <= offset < n.span.stop]
    assert (inside[-1].index if inside else 0) == node.index
