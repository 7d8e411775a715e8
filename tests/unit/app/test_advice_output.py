"""Points and what became of them, as people read it; what models say steers no terminal."""

from dataclasses import replace

import pytest

from reviser.app.advice_output import add_advice, changed_words, gain
from reviser.app.page import Page
from reviser.findings import Severity
from reviser.review.model import Action, Dimension, Mark, Point, Remedy, Review
from reviser.revise.outcomes import Fate, fates
from reviser.revise.treatment import (
    Advice,
    Decision,
    JudgeReport,
    Proposal,
    Replanned,
    Round,
    Treated,
)
from reviser.revise.verdict import MEAN, Layer, Outcome, Score, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Source, Span

AT = Place("main.tex", Span(0, 4))
EVIL = "\x1b[2J\u202eevil"


def point(name: str, remedy: Remedy = Remedy.TOOL) -> Point:
    return Point(name, "review-synthesis", f"message {name}", "quote", AT, 0, (1, 1),
                 Dimension.SYNTHESIS, Severity.WARNING, remedy,
                 Action.REWRITE_SENTENCE)  # fmt: skip


def treated(name: str, outcome: Outcome | None, why: str = "because") -> Treated:
    decision = Decision(point(name), revise=True, why="yes", action=Action.REWRITE_SENTENCE)
    edit = Edit(f"e-{name}", "r", (Replacement(AT, "text", "word"),), Purpose.POINT, "why")
    if outcome is None:
        return Treated(decision, Proposal(decision, None, why))
    scores = (Score("mean", 3.0, 0.1),), (Score("mean", 3.5),)
    verdict = Verdict(edit, outcome, Layer.RUBRIC, (why,), *scores)
    return Treated(decision, Proposal(decision, edit), verdict)


def advice(*, said: str = "fine") -> Advice:
    mark = Mark(3, said)
    review = Review(said, mark, mark, mark, (said,), (said,), (said,), 6, 3, said)
    names = "revised refused undecided undrafted rebutted authors open dropped merged late"
    points = tuple(
        point(n, Remedy.AUTHOR if n == "authors" else Remedy.TOOL) for n in names.split()
    )
    done = (
        treated("revised", Outcome.ACCEPTED),
        treated("refused", Outcome.REJECTED, said),
        treated("undecided", Outcome.UNDECIDED),
        treated("undrafted", None, said),
        Treated(Decision(point("rebutted"), revise=False, why=said, rebuttal=said)),
        Treated(Decision(point("authors", Remedy.AUTHOR), revise=False, why="theirs")),
        Treated(Decision(point("open"), revise=False, why="it stays open")),
    )
    steps = (Replanned("dropped", "dropped", said), Replanned("merged", "merged", said))
    judge = JudgeReport(said, None, 0, (("shuffled", False),), sound=False, why=said)
    return Advice((Round(1, review, points, done, steps, (said, said)),), judge, said)


def test_every_fate_is_told_apart() -> None:
    told = {became.point.id: became.fate for became in fates(advice(), ())[0]}
    assert told == {
        "revised": Fate.REVISED,
        "refused": Fate.REFUSED,
        "undecided": Fate.UNDECIDED,
        "undrafted": Fate.NOT_DRAFTED,
        "rebutted": Fate.REBUTTED,
        "authors": Fate.AUTHORS,
        "open": Fate.OPEN,
        "dropped": Fate.DROPPED,
        "merged": Fate.MERGED,
        "late": Fate.OPEN,
    }


def test_the_last_word_on_an_edit_counts() -> None:
    first = treated("revised", Outcome.ACCEPTED).verdict
    assert first is not None
    left_out = replace(first, outcome=Outcome.REJECTED, layer=Layer.PERSON, reasons=("left out",))
    told = {became.point.id: became.fate for became in fates(advice(), (left_out,))[0]}
    assert told["revised"] is Fate.REFUSED
    taken_up = replace(first, outcome=Outcome.SUPERSEDED)
    told = {became.point.id: became.fate for became in fates(advice(), (taken_up,))[0]}
    assert told["revised"] is Fate.REVISED


@pytest.mark.parametrize("verbose", [False, True])
def test_what_models_say_steers_no_terminal(improved, verbose: bool) -> None:
    page = Page()
    add_advice(page, replace(improved, advice=advice(said=EVIL)), verbose=verbose)
    text = page.plain
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<U+001B>[2J<U+202E>evil" in text
    assert "revised: mean 3.00 -> 3.50 (spread 0.10)" in text
    assert "It may not accept on score alone" in text
    assert "(2 times)" in text


def test_changed_words_stand_among_their_neighbours() -> None:
    text = "It is a good and " + "very " * 30 + "long line that ends.\nNext."
    source = Source("main.tex", text)
    at = Place("main.tex", Span(text.index("good"), text.index("good") + 4))
    shown = changed_words(Page(), Replacement(at, "good", "bad"), {"main.tex": source})
    told = "".join(piece.text for piece in shown)
    assert told.startswith("It is a [-good-]{+bad+} and very")
    assert told.endswith(" ...")


def test_stretches_between_changed_words_are_cut_between_words() -> None:
    text = (
        "Typically systems work in two stages, and so on, until in the end much else is said there"
    )
    at = Place("main.tex", Span(0, len(text)))
    part = Replacement(at, text, f"Plainly, {text}\n\t\twith new words")
    told = "".join(piece.text for piece in changed_words(Page(), part, {}))
    start, _, rest = told.partition(" ... ")
    assert start == "{+Plainly, +}Typically systems work in two stages,"
    assert rest == "in the end much else is said there{+ with new words+}"


def test_a_revision_is_told_by_the_judge_s_mean_where_there_is_one() -> None:
    verdict = treated("revised", Outcome.ACCEPTED).verdict
    assert verdict is not None
    before = (Score("smith2020, topic fit", 0.15), Score(MEAN, 3.0, 0.1))
    after = (Score("smith2020, topic fit", 0.13), Score(MEAN, 3.6))
    assert gain(replace(verdict, before=before, after=after)) == (
        "weighted mean 3.00 -> 3.60 (spread 0.10)"
    )
    assert gain(replace(verdict, before=before[:1], after=after[:1])).startswith("smith2020")
