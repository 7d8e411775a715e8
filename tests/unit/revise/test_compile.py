"""What typesetting says before and after."""

from collections.abc import Mapping
from dataclasses import replace

from reviser.ports import Typeset
from reviser.revise.compile import compiled, differs
from reviser.text.source import Source
from tests.unit.review.reading import manuscript_of

PAPER = manuscript_of({"a.tex": "\\documentclass{article}\\begin{document}Salt.\\end{document}"})


class Engine:
    """Counts how often it runs."""

    name = "engine"

    def __init__(self) -> None:
        self.given: list[Mapping[str, bytes]] = []

    def typeset(self, changed: Mapping[str, bytes]) -> Typeset:
        self.given.append(changed)
        return Typeset((str(len(self.given)),))


def test_a_text_is_typeset_once() -> None:
    engine = Engine()
    ask = compiled(engine)
    assert ask(PAPER) == ask(replace(PAPER)) == Typeset(("1",))
    other = replace(PAPER, sources={"a.tex": Source("a.tex", "Ice.")})
    assert ask(other) == Typeset(("2",))
    assert engine.given[1] == {"a.tex": b"Ice."}
    assert ask(PAPER) == Typeset(("1",))


def test_few_papers_are_remembered() -> None:
    engine = Engine()
    ask = compiled(engine)
    papers = [replace(PAPER, sources={"a.tex": Source("a.tex", str(n))}) for n in range(40)]
    for paper in papers:
        ask(paper)
    ask(papers[-1])
    assert len(engine.given) == 40
    ask(papers[0])
    assert len(engine.given) == 41


def test_what_cannot_be_written_is_told_and_not_typeset() -> None:
    engine = Engine()
    odd = replace(PAPER, sources={"a.tex": Source("a.tex", "漢", "latin-1")})
    assert "latin-1" in compiled(engine)(odd).why
    assert engine.given == []


def test_only_more_of_a_complaint_is_a_difference() -> None:
    before = Typeset(("a", "b", "b"))
    assert differs(before, Typeset(("b", "a"))) == ()
    assert differs(before, before) == ()
    assert differs(before, Typeset(("c", "b", "b", "b", "c", "a"))) == ("c", "b")
    assert differs(Typeset(()), Typeset(("a",))) == ("a",)
