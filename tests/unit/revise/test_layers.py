from collections.abc import Sequence

import pytest
from judged_group import Judging
from small_paper import evidence, prune, put, reading, swap

from reviser.errors import NoConclusion
from reviser.manuscript.model import Manuscript
from reviser.ports import Typeset
from reviser.revise.gate import Gate
from reviser.revise.published import shadow
from reviser.revise.verdict import MEAN, Layer, Outcome, Score, Verdict
from reviser.text.edit import Allowed, Edit, Purpose
from reviser.verify.model import Label

PAPER = reading("Words are plentiful~\\cite{a,b}. Letters are few~\\cite{D}.")
AT = PAPER.manuscript.citations[1].keys[0].at
FIX = put(PAPER.manuscript, "D", "d", at="{D}", allows=[Allowed("citation key", AT, "D", "d")])
POINT = put(PAPER.manuscript, "plentiful", "copious", purpose=Purpose.POINT)


def typesetting(before: Typeset, after: Typeset):
    return lambda paper: before if paper is PAPER.manuscript else after


def judged(edit: Edit, **layers: object) -> Verdict:
    return Gate(PAPER.reread, evidence({}), **layers).judge(PAPER.manuscript, edit)  # type: ignore[arg-type]


def scoring(gain: float | Outcome) -> Judging:
    return Judging(lambda _: gain)


def test_every_edit_must_compile_no_worse_where_that_is_asked_for() -> None:
    for edit in (FIX, POINT):
        good = typesetting(Typeset(("a", "a", "b")), Typeset(("a", "b")))
        found = judged(edit, compiled=good, rubric=scoring(1.0))
        assert found.outcome is Outcome.ACCEPTED
        assert Layer.COMPILE in {step.layer for step in found.steps}
        bad = typesetting(Typeset(("a", "b")), Typeset(("a", "a", "b")))
        found = judged(edit, compiled=bad, rubric=scoring(1.0))
        assert (found.outcome, found.layer) == (Outcome.REJECTED, Layer.COMPILE)
        assert found.reasons == ("typesetting: a",)


@pytest.mark.parametrize("which", [0, 1])
def test_a_typesetter_that_cannot_run_leaves_it_undecided(which: int) -> None:
    gone, fine = Typeset((), "no TeX here"), Typeset(())
    found = judged(FIX, compiled=typesetting(*((gone, fine) if which else (fine, gone))))
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.COMPILE)
    assert "no TeX here" in found.reasons[0]


def test_the_rubric_has_the_last_word_on_points() -> None:
    assert judged(POINT, rubric=scoring(0.3)).outcome is Outcome.ACCEPTED
    assert judged(POINT, rubric=scoring(-0.3)).outcome is Outcome.REJECTED
    assert judged(POINT, rubric=scoring(Outcome.UNDECIDED)).outcome is Outcome.UNDECIDED
    rubric = scoring(0.3)
    assert judged(FIX, rubric=rubric).outcome is Outcome.ACCEPTED
    assert rubric.asked == [], "a rule's edit is not scored"


def test_a_rubric_that_breaks_down_is_undecided() -> None:
    def gone(names: Sequence[str]) -> Outcome:
        raise NoConclusion("the endpoint is gone")

    found = judged(POINT, rubric=Judging(gone))
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.RUBRIC)


def test_the_certificate_names_every_layer_with_its_figures() -> None:
    fine = typesetting(Typeset(("x",)), Typeset(("x",)))
    found = judged(POINT, compiled=fine, rubric=scoring(0.3))
    assert [(step.layer, step.outcome) for step in found.steps] == [
        (layer, Outcome.ACCEPTED)
        for layer in (
            Layer.STALE, Layer.INVARIANTS, Layer.COMPILE, Layer.EVIDENCE, Layer.RUBRIC,
        )
    ]  # fmt: skip
    said = [step.said for step in found.steps]
    assert "checks passed" in said[1]
    assert "complaints: 1, none" in said[2]
    assert "no claim is touched" in said[3]
    assert "+0.30" in said[4]
    assert Score(MEAN, 3.3) in found.after


def test_a_certificate_ends_with_the_layer_that_refused() -> None:
    found = judged(put(PAPER.manuscript, "plentiful", "not plentiful", purpose=Purpose.POINT))
    assert [step.layer for step in found.steps] == [Layer.STALE, Layer.INVARIANTS]
    assert found.steps[-1].outcome is Outcome.REJECTED
    other = reading("Something else stands here.")
    stale = Gate(other.reread).judge(other.manuscript, POINT)
    assert [step.layer for step in stale.steps] == [Layer.STALE]


def test_the_same_paper_is_typeset_and_verified_once() -> None:
    asked: list[tuple[str, Manuscript]] = []

    def typeset(paper: Manuscript) -> Typeset:
        asked.append(("typeset", paper))
        return Typeset(())

    def known(paper: Manuscript):
        asked.append(("verified", paper))
        return evidence({})(paper)

    gate = Gate(PAPER.reread, known, compiled=typeset, rubric=scoring(-1.0)).remembering()
    gate.judge(PAPER.manuscript, POINT)
    gate.judge(PAPER.manuscript, POINT)
    assert [what for what, paper in asked if paper is PAPER.manuscript] == ["typeset", "verified"]


@pytest.mark.parametrize(
    ("purpose", "gain", "outcome"),
    [
        (Purpose.POINT, 0.0, Outcome.ACCEPTED),
        (Purpose.POINT, 0.2, Outcome.ACCEPTED),
        (Purpose.POINT, -0.2, Outcome.REJECTED),
        (Purpose.HUMAN, 0.0, Outcome.ACCEPTED),
        (Purpose.HUMAN, -0.2, Outcome.REJECTED),
        (Purpose.OUTLINE, 0.0, Outcome.REJECTED),
        (Purpose.OUTLINE, 0.2, Outcome.ACCEPTED),
    ],
)
def test_the_published_rules_go_by_the_mean(
    purpose: Purpose, gain: float, outcome: Outcome
) -> None:
    edit = put(PAPER.manuscript, "plentiful", "copious", purpose=purpose)
    found = shadow(edit, [Score(MEAN, 3.0)], [Score("structure", 5.0), Score(MEAN, 3.0 + gain)])
    assert found is not None
    assert found.outcome is outcome
    if purpose is Purpose.POINT and gain == 0.0:
        assert found.why.endswith("reject"), "a round of content feedback is held to more"


def test_a_refusal_still_says_what_was_published() -> None:
    found = judged(POINT, rubric=scoring(-0.0))
    assert found.outcome is Outcome.REJECTED
    assert found.shadow is not None
    assert found.shadow.outcome is Outcome.ACCEPTED
    unscored = judged(POINT)
    assert unscored.shadow is not None
    assert unscored.shadow.outcome is Outcome.UNDECIDED
    assert judged(FIX).shadow is None


def test_citations_are_published_by_yes_or_no() -> None:
    def said(edit: Edit, labels: dict[str, Label]) -> Outcome:
        found = Gate(PAPER.reread, evidence(labels)).judge(PAPER.manuscript, edit).shadow
        assert found is not None
        return found.outcome

    gone = {"b": Label.OFF_TOPIC}
    one = prune(PAPER.manuscript, 0, "b")
    assert said(one, {**gone, "a": Label.SUPPORTED}) is Outcome.ACCEPTED
    assert said(one, gone) is Outcome.UNDECIDED
    assert said(one, {"b": Label.SUPPORTED}) is Outcome.REJECTED
    other = swap(PAPER.manuscript, 0, "b", "e")
    assert said(other, {**gone, "e": Label.SUPPORTED}) is Outcome.ACCEPTED
    assert said(other, {**gone, "e": Label.SILENT}) is Outcome.REJECTED
    claim = put(PAPER.manuscript, "plentiful", "copious", purpose=Purpose.CLAIM_REWRITE)
    assert said(claim, dict.fromkeys("abD", Label.SUPPORTED)) is Outcome.ACCEPTED
    assert said(claim, dict.fromkeys("abD", Label.SILENT)) is Outcome.REJECTED
