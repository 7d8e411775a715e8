"""Whatever a writer answers, there is an edit that leaves the rest as it was, or a reason."""

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.review.model import Action
from reviser.revise.claim_delta import claim_delta
from reviser.revise.placeholders import MARK, Mismatch, protect, restore
from reviser.revise.sheet import sheet_of
from reviser.revise.writer import propose
from reviser.text.edit import apply
from reviser.text.source import Place, Span

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "revise"))
from desks import decision, desk, says
from gull_papers import reading

PASSAGE = r"""Gulls live on \emph{rocky} shores of the north~\cite{may1}. It is a fact that the fish
which is eaten by the gulls of $N$ is caught by themselves, as ``they say'' there~\cite{may1}. They
may eat 12\% refuse. % a note
The winter is hard for birds~\cite{roe_2}, see Section~\ref{sec:end}."""
READ = reading(PASSAGE)
CRLF = reading(PASSAGE, newline="\r\n")

FRAGMENTS = st.sampled_from([
    *("word", "Word.", "a b", " ", "\n", "\r\n", "\t", "~", "\\%", "%", "% c\n", "\\&", "\\_"),
    *("$x$", "$", "\\$5", "\\emph{", "}", "{", "\\gull{}", "\\gull", "~\\cite{may1}", "[[1]]"),
    *("\\citep[p.~3]{roe_2}", "\\ref{sec:end}", "``q w''", "\\footnote{It is.}", "]]"),
    *("3.5", "--", "\\\"odinger", "\\'e", "Schr\\\"o", "\\,", "\\ ", "\\url{http://a_b.c}", "&"),
    *("\\verb|x y|", "\\begin{quote}x\\end{quote}", "\\textbf{a b}", "it's", "e.g.,", "\\item"),
    *("\\\\", "_", "^", "#", "[[12]]", "[["),
])  # fmt: skip


def manuscript(passage: str) -> Manuscript:
    text = (
        "\\documentclass{article}\\begin{document}\nStart.\n\n" + passage + "\n\n\\end{document}\n"
    )
    return Reading(Memory({"main.tex": text.encode()})).manuscript


@given(st.lists(FRAGMENTS, max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_what_goes_out_comes_back_byte_for_byte(passage: str) -> None:
    m = manuscript(passage)
    start = m.sources["main.tex"].text.index("Start.") + 8
    at = Place("main.tex", Span(start, start + len(passage)))
    protected = protect(m, at)
    assert restore(protected, protected.text) == passage
    assert restore(protected, " ".join(protected.text.split())) == passage
    for paragraph in range(len(m.paragraphs)):
        for line in sheet_of(m, paragraph).lines:
            assert len(MARK.findall(line.text)) == sum(bool(p.what) for p in line.pieces)


@given(st.permutations([1, 2, 3, 4]), st.lists(st.integers(1, 6), max_size=5))
def test_what_is_wrong_with_the_marks_is_said_exactly(order: list[int], more: list[int]) -> None:
    m = manuscript(r"A $a$ and $b$ or $c$ by $d$.")
    start = m.sources["main.tex"].text.index("A $a$")
    protected = protect(m, Place("main.tex", Span(start, start + 29)))
    found = order[:3] + more
    said = protected.mismatch(" and ".join(f"[[{n}]]" for n in found))
    if found == [1, 2, 3, 4]:
        assert said is None
        return
    assert isinstance(said, Mismatch)
    assert set(said.lost) == {1, 2, 3, 4} - set(found)
    assert set(said.new) == set(found) - {1, 2, 3, 4}
    assert set(said.twice) == {n for n in found if n < 5 and found.count(n) > 1}
    firsts = [n for n in dict.fromkeys(found) if n < 5]
    assert bool(said.moved) == (firsts != sorted(firsts))


ODD = [
    *("Gulls", "live", "on", "[[1]]", "[[2]]", "[[3]]", "[[4]]", "[[5]]", "[[6]]", "not", "may"),
    *("12%", "refuse", "fish", "\\input{x}", "}", "$", "\u202e", "“", ".", "them", "\x00", "and"),
    *("the", "winter", "[[7]]", "[[8]]", "hard", "~", "{{ 7 }}", "\n\n"),
]
NOISE = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(ODD), max_size=30).map(" ".join))
LINES = sheet_of(READ.manuscript, 1).lines
OLD = [line.text for line in LINES]
MILD = ["indeed", "these", "birds", "in fact", "thus", "moreover", "rocky"]


@st.composite
def mild(draw: st.DrawFn, text: str) -> str:
    """The text with a few harmless words put in, taken out or exchanged."""
    words = text.split(" ")
    for _ in range(draw(st.integers(1, 3))):
        spot = draw(st.integers(0, len(words) - 1))
        new = draw(st.sampled_from(MILD))
        plain = words[spot].isalpha()
        kind = draw(st.sampled_from(["in", "out", "other"]))
        words[spot : spot + (plain and kind != "in")] = [] if plain and kind == "out" else [new]
    return " ".join(words)


def anew(number: int) -> st.SearchStrategy[str]:
    """New words for the sentence with that number: often harmless, else anything."""
    if not 1 <= number <= len(OLD):
        return NOISE
    old = OLD[number - 1]
    return st.one_of(mild(old), mild(old), mild(old), st.just(old), NOISE)


NUMBERS = st.one_of(st.integers(1, 4), st.integers(1, 4), st.integers(-1, 6))
ANEW = NUMBERS.flatmap(
    lambda number: st.fixed_dictionaries({"number": st.just(number), "text": anew(number)})
)
SHAPED = NUMBERS.flatmap(
    lambda number: st.one_of(
        st.fixed_dictionaries({"of": st.just([number]), "text": anew(number)}),
        st.just(
            {
                "of": [number, number + 1],
                "text": " and ".join(OLD[max(number - 1, 0) : number + 1]).replace(". and", " and"),
            }
        ),
        st.fixed_dictionaries({"of": st.lists(NUMBERS, min_size=1, max_size=3), "text": NOISE}),
    )
)
ADDED = st.fixed_dictionaries(
    {
        "after": NUMBERS,
        "text": st.one_of(NOISE, st.just("Seabirds change their food in winter.")),
        "cites": st.lists(st.sampled_from(["may1", "roe_2", "x}", "poe3"]), max_size=2),
    }
)
REPLIES = {
    Action.REWRITE_SENTENCE: (
        "write-sentence",
        st.fixed_dictionaries({"sentence": anew(3)}),
    ),
    Action.ENHANCE_PARAGRAPH: (
        "write-paragraph",
        st.fixed_dictionaries({
            "sentences": st.lists(ANEW, max_size=2), "new": st.lists(ADDED, max_size=2)
        }),
    ),
    Action.RESTRUCTURE_PARAGRAPH: (
        "restructure-paragraph",
        st.fixed_dictionaries({
            "sentences": st.lists(SHAPED, max_size=3).map(
                lambda found: sorted(found, key=lambda one: one["of"][0])
            )
        }),
    ),
}  # fmt: skip


@pytest.mark.parametrize("read", [READ, CRLF], ids=["lf", "crlf"])
@pytest.mark.parametrize("action", REPLIES)
@given(data=st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_answer_is_an_edit_or_a_reason(
    read: Reading, action: Action, data: st.DataObject
) -> None:
    prompt, replies = REPLIES[action]
    m = read.manuscript
    reply = data.draw(st.one_of(*[replies.map(json.dumps)] * 9, st.text(max_size=40)))
    what = decision(m, "They", action)
    (made,) = propose(m, [what], desk(read, {prompt: says(reply)}))
    assert (made.edit is None) == bool(made.why)
    if made.edit is None:
        return
    after = {**m.sources, **apply(m.sources, [made.edit])}
    old, new = m.sources["main.tex"], after["main.tex"]
    paragraph = m.paragraphs[1].at.span
    grown = len(new.text) - len(old.text)
    assert new.text[: paragraph.start] == old.text[: paragraph.start]
    assert new.text[paragraph.stop + grown :] == old.text[paragraph.stop :]
    assert new.newline == old.newline
    atoms = re.compile(r"\\(?:cite|ref|emph|%)|\$N\$|``they say''|% a note")
    adds = any(not part.before for part in made.edit.replacements)
    assert adds or atoms.findall(old.text) == atoms.findall(new.text)


@given(NOISE, NOISE, st.lists(NOISE, max_size=2))
@settings(max_examples=100, deadline=None)
def test_a_claim_that_stays_needs_no_proof(one: str, other: str, evidence: list[str]) -> None:
    assert claim_delta(one, one, evidence) == ((), "")
    delta = claim_delta(one, other, evidence)
    assert not delta.refused or delta.shifts
