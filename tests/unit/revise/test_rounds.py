"""Rounds of review and revision, played with literals in the place of models."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from reviser.errors import NoConclusion
from reviser.findings import Severity
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.review.model import Action, Dimension, Mark, Point, Remedy, Review
from reviser.review.points import Decomposed
from reviser.review.reviewer import Reviewed
from reviser.revise.decide import Decided
from reviser.revise.draft import Draft
from reviser.revise.replan import Replan, replan
from reviser.revise.rounds import (
    ALL_DONE,
    INTERRUPTED,
    NOTHING_ACCEPTED,
    NOTHING_NEW,
    Advised,
    Steps,
    advise,
    apart,
    parted,
)
from reviser.revise.treatment import Decision, Proposal, Treated
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span

TEXT = r"""\documentclass{article}
\begin{document}
\section{One}
Alpha models are good. Beta models are bad.

Gamma models are large.

\section{Two}
Delta models are small.

Epsilon models are open.
\end{document}
"""
FILES = Memory({"main.tex": TEXT.encode()})
READING = Reading(FILES)
PAPER = READING.manuscript


def place(paper: Manuscript, words: str) -> Place:
    start = paper.sources["main.tex"].text.index(words)
    return Place("main.tex", Span(start, start + len(words)))


def point(words: str, *, paper: Manuscript = PAPER, remedy: Remedy = Remedy.TOOL) -> Point:
    at = place(paper, words)
    action = Action.REWRITE_SENTENCE if remedy is Remedy.TOOL else None
    return Point(
        f"p-{words}", "review-synthesis", f"{words} is unclear", words, at, 1,
        paper.lines(at), Dimension.SYNTHESIS, Severity.WARNING, remedy, action,
    )  # fmt: skip


def review() -> Review:
    mark = Mark(3, "it is fine")
    return Review("a summary", mark, mark, mark, (), ("weak",), (), 6, 3, "scripted")


@dataclass
class Play:
    """Steps that say what a test tells them: which words are raised in which round, what becomes
    of them, and which edits the gate refuses."""

    raised: Sequence[Sequence[str]]
    rebut: frozenset[str] = frozenset()
    refuse: frozenset[str] = frozenset()
    after: Callable[[str], str] = str.upper
    authors: frozenset[str] = frozenset()
    said: list[str] = field(default_factory=list)
    used_up: str = ""
    unusable: tuple[str, ...] = ()

    def review(self, paper: Manuscript) -> Reviewed:
        self.said.append("review")
        return Reviewed(review(), self.unusable)

    def decompose(self, paper: Manuscript, _: Review) -> Decomposed:
        number = self.said.count("review") - 1
        words = self.raised[number] if number < len(self.raised) else ()
        found = [
            point(w, paper=paper, remedy=Remedy.AUTHOR if w in self.authors else Remedy.TOOL)
            for w in words
        ]
        return Decomposed(tuple(found), ())

    def decide(self, paper: Manuscript, points: Sequence[Point]) -> Decided:
        self.said.append("decide")
        decisions = [
            Decision(p, revise=False, why="theirs")
            if p.remedy is Remedy.AUTHOR
            else Decision(p, revise=False, why="no", rebuttal="we disagree")
            if p.quote in self.rebut
            else Decision(p, revise=True, why="yes", action=p.action, instruction="shout")
            for p in points
        ]
        return Decided(tuple(decisions), ())

    def propose(self, paper: Manuscript, decisions: Sequence[Decision]) -> Sequence[Proposal]:
        self.said.append("propose " + ", ".join(d.point.quote for d in decisions))
        return [self.proposal(decision) for decision in decisions]

    def proposal(self, decision: Decision) -> Proposal:
        p = decision.point
        part = Replacement(p.place, p.quote, self.after(p.quote))
        return Proposal(
            decision, Edit(f"e-{p.quote}", p.rule, (part,), Purpose.POINT, "why", (), (), (p.id,))
        )

    def certify(
        self, paper: Manuscript, edits: Sequence[Edit]
    ) -> tuple[Sequence[Verdict], Manuscript]:
        verdicts = [
            Verdict(e, Outcome.REJECTED, Layer.RUBRIC, ("worse",))
            if e.replacements[0].before in self.refuse
            else Verdict(e, Outcome.ACCEPTED, Layer.RUBRIC, ("better",))
            for e in edits
        ]
        taken = [v.edit for v in verdicts if v.outcome is Outcome.ACCEPTED]
        return verdicts, READING.reread({**paper.sources, **apply(paper.sources, taken)})

    def replan(
        self, paper: Manuscript, waiting: Sequence[Decision], seen: Sequence[Treated]
    ) -> Replan:
        self.said.append("replan")
        return replan(paper, waiting, seen, None)

    def steps(self) -> Steps:
        return Steps(
            review=self.review,
            decompose=self.decompose,
            known=lambda paper: (),
            chosen=lambda draft, paper, points: points,
            decide=self.decide,
            propose=self.propose,
            announced=lambda paper, edit: edit,
            certify=self.certify,
            replan=self.replan,
            used_up=lambda: self.used_up,
        )


def played(play: Play, *, steps: Steps | None = None, rounds: int = 2, batch: int = 8) -> Advised:
    draft = Draft(PAPER.sources, PAPER.sources)
    return advise(PAPER, draft, steps or play.steps(), rounds=rounds, batch=batch)


def became(advised: Advised) -> dict[str, str]:
    """What became of each point, by its words."""
    return {
        t.decision.point.quote: "rebutted"
        if t.decision.rebuttal
        else t.verdict.outcome.value
        if t.verdict
        else "open"
        for one in advised.advice.rounds
        for t in one.treated
    }


def test_every_point_is_revised_rebutted_or_left_to_its_author() -> None:
    play = Play(
        [["Alpha", "Gamma", "Delta", "Epsilon"]],
        rebut=frozenset({"Gamma"}),
        refuse=frozenset({"Delta"}),
        authors=frozenset({"Epsilon"}),
    )
    advised = played(play)
    assert became(advised) == {
        "Gamma": "rebutted",
        "Epsilon": "open",
        "Alpha": "accepted",
        "Delta": "rejected",
    }
    assert "ALPHA" in advised.manuscript.sources["main.tex"].text
    assert [e.id for e in advised.draft.accepted] == ["e-Alpha"]


def test_a_second_round_reviews_the_new_text_and_raises_nothing_twice() -> None:
    play = Play([["Alpha", "Gamma"], ["Gamma", "Delta"]], rebut=frozenset({"Gamma"}))
    advised = played(play)
    assert [[p.quote for p in one.points] for one in advised.advice.rounds] == [
        ["Alpha", "Gamma"],
        ["Delta"],
    ]
    assert advised.advice.ended == ALL_DONE
    text = advised.manuscript.sources["main.tex"].text
    assert "ALPHA" in text
    assert "DELTA" in text


def test_a_round_that_accepts_nothing_is_the_last() -> None:
    advised = played(Play([["Alpha"], ["Beta"]], refuse=frozenset({"Alpha"})))
    assert len(advised.advice.rounds) == 1
    assert advised.advice.ended == NOTHING_ACCEPTED
    assert advised.draft.changed == {}
    assert advised.manuscript.sources == PAPER.sources


def test_a_review_without_new_points_is_the_last() -> None:
    advised = played(Play([["Alpha"], ["Alpha"]], after=lambda w: f"{w}s"), rounds=4)
    assert len(advised.advice.rounds) == 2
    assert advised.advice.ended == NOTHING_NEW


def test_no_two_of_one_paragraph_are_in_a_batch_and_each_batch_is_planned_anew() -> None:
    play = Play([["Alpha", "Beta", "Gamma", "Delta"]])
    advised = played(play, batch=2)
    assert play.said[2:] == [
        "propose Alpha, Gamma",
        "replan",
        "propose Beta, Delta",
        "review",
        "decide",
    ]
    assert set(became(advised).values()) == {"accepted"}


def test_a_point_whose_words_an_edit_changed_is_dropped_and_says_so() -> None:
    play = Play([["Alpha models", "models are good"]])
    advised = played(play)
    (first, *_) = advised.advice.rounds
    assert [step.point for step in first.replanned] == ["p-models are good"]
    assert became(advised) == {"Alpha models": "accepted"}


def test_a_later_edit_of_the_same_words_takes_up_the_first() -> None:
    play = Play([["Alpha"], ["ALPHA"]], after=lambda w: w.upper() if w == "Alpha" else "Omega")
    advised = played(play)
    (edit,) = advised.draft.accepted
    assert edit.replacements[0].before == "Alpha"
    assert edit.replacements[0].after == "Omega"
    assert set(edit.answers) == {"p-Alpha", "p-ALPHA"}
    assert advised.advice.origins["p-ALPHA"] == place(PAPER, "Alpha")


def test_edits_of_two_rounds_that_share_a_name_are_told_apart() -> None:
    class Namesake(Play):
        def proposal(self, decision: Decision) -> Proposal:
            proposal = super().proposal(decision)
            assert proposal.edit is not None
            return replace(proposal, edit=replace(proposal.edit, id="same"))

    advised = played(Namesake([["Alpha"], ["Gamma"]]))
    names = [edit.id for edit in advised.draft.accepted]
    assert len(set(names)) == 2
    assert apply(PAPER.sources, advised.draft.accepted)["main.tex"].text.count("GAMMA") == 1


def test_what_is_used_up_ends_the_run_with_what_was_accepted() -> None:
    play = Play([["Alpha", "Gamma", "Delta"]])
    steps = play.steps()
    left = iter(["", "the budget of $1.00 was used up"])
    steps = replace(steps, used_up=lambda: next(left))
    advised = played(play, steps=steps, batch=1)
    assert advised.advice.ended == "the budget of $1.00 was used up"
    assert became(advised) == {"Alpha": "accepted", "Gamma": "open", "Delta": "open"}
    waiting = [t.proposal.why for t in advised.advice.rounds[0].treated if t.proposal][1:]
    assert waiting == ["the budget of $1.00 was used up"] * 2


@pytest.mark.parametrize("step", ["propose", "certify", "replan", "decide"])
def test_an_interruption_keeps_what_was_accepted(step: str) -> None:
    play = Play([["Alpha", "Gamma", "Delta"]])
    steps = play.steps()
    calls = iter(range(9))

    def interrupted(*given: object) -> object:
        if step == "decide" or next(calls) == 1:
            raise KeyboardInterrupt
        return getattr(play, step)(*given)

    advised = played(play, steps=replace(steps, **{step: interrupted}), batch=1)
    assert advised.advice.ended == INTERRUPTED
    kept = {"propose": 1, "certify": 1, "replan": 2, "decide": 0}[step]
    assert len(advised.draft.accepted) == kept
    text = apply(PAPER.sources, advised.draft.accepted).get("main.tex", PAPER.sources["main.tex"])
    assert advised.manuscript.sources["main.tex"].text == text.text


def test_an_endpoint_that_dies_later_ends_the_run_and_one_that_is_dead_is_an_error() -> None:
    play = Play([["Alpha"], ["Gamma"]])

    def dead(paper: Manuscript) -> Reviewed:
        raise NoConclusion("nobody answers")

    with pytest.raises(NoConclusion):
        played(play, steps=replace(play.steps(), review=dead))

    def dies(paper: Manuscript) -> Reviewed:
        return dead(paper) if "review" in play.said else play.review(paper)

    advised = played(play, steps=replace(play.steps(), review=dies))
    assert advised.advice.ended == "nobody answers"
    assert [e.id for e in advised.draft.accepted] == ["e-Alpha"]


def test_what_came_to_nothing_is_told() -> None:
    advised = played(Play([["Alpha"]], unusable=("the reply was empty",)), rounds=1)
    assert advised.advice.rounds[0].unusable == ("the reply was empty",)


def test_a_gate_that_gives_other_bytes_is_not_believed() -> None:
    class Forger(Play):
        def certify(
            self, paper: Manuscript, edits: Sequence[Edit]
        ) -> tuple[Sequence[Verdict], Manuscript]:
            verdicts, _ = super().certify(paper, edits)
            return verdicts, paper

    advised = played(Forger([["Alpha"]]))
    assert advised.draft.accepted == ()
    assert advised.manuscript is PAPER
    assert became(advised) == {"Alpha": "undecided"}


def test_a_batch_is_parted_by_paragraphs() -> None:
    decisions = [
        Decision(point(w), revise=True, why="", action=Action.REWRITE_SENTENCE)
        for w in ("Alpha", "Beta", "Gamma", "section", "Delta")
    ]
    batch, rest = parted(PAPER, decisions, 8)
    assert [d.point.quote for d in batch] == ["Alpha", "Gamma", "Delta"]
    assert [d.point.quote for d in rest] == ["Beta", "section"]
    batch, rest = parted(PAPER, rest[1:], 8)
    assert [d.point.quote for d in batch] == ["section"]


def test_edits_that_touch_each_other_are_not_judged_together() -> None:
    play = Play([])
    decisions = [
        Decision(point(w), revise=True, why="", action=Action.REWRITE_SENTENCE)
        for w in ("Alpha models", "models are", "Delta")
    ]
    kept, late = apart([play.proposal(decision) for decision in decisions])
    assert [p.decision.point.quote for p in kept] == ["Alpha models", "Delta"]
    assert [d.point.quote for d in late] == ["models are"]
