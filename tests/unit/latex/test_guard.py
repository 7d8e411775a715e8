import time

import pytest

from reviser.latex.guard import LONGEST, Opinion, opinion

CITES = frozenset({"cite", "citep", "ref"})


def test_lists_the_uses_with_their_words() -> None:
    found = opinion(
        "We \\citep[see][p.~3]{c,% why\n  d} and \\emph{so \\cite{a, b}}, \\ref{f}.", CITES
    )
    assert found == Opinion("", (("cite", ("a,b",)), ("citep", ("c,d",)), ("ref", ("f",))))


@pytest.mark.parametrize(
    "fragment",
    [
        "\\section[Short{Long} title.",
        "text {\\bf bold",
        "\\begin{itemize}\\item one",
        "a price of $5",
        "so \\(x + y",
    ],
)
def test_says_why_it_cannot_read(fragment: str) -> None:
    found = opinion(fragment, CITES)
    assert found is not None
    assert not found.parses
    assert len(found.why) < 200


@pytest.mark.parametrize("fragment", ["a " * LONGEST, "\\a" * 700, "{" * 100, "\\begin{a}" * 100])
def test_has_no_opinion_on_what_would_take_it_long(fragment: str) -> None:
    assert opinion(fragment, CITES) is None


@pytest.mark.parametrize(
    "piece",
    ["\\end{a}", "\\verb", "\\item ", "\\a{}[]", "$", "\\verb|x|", "%\n", "\\", "\\left(", "&"],
)
def test_comes_back_soon_on_hostile_text(piece: str) -> None:
    fragment = (piece * LONGEST)[:LONGEST]
    start = time.monotonic()
    opinion(fragment, CITES)
    assert time.monotonic() - start < 10
