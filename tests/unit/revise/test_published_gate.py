"""The published gate: whole papers rated for each edit, and what is safe about it."""

from collections.abc import Callable
from dataclasses import replace

from small_paper import put, reading

from reviser.asking import Unusable
from reviser.manuscript.model import Manuscript
from reviser.revise.published_gate import RATING, Published, Ungated
from reviser.revise.verdict import Layer, Outcome
from reviser.text.edit import Edit, Purpose

PAPER = reading("Tides are not high. Winds are low.\n\nWaves are long.")


def point(old: str, new: str) -> Edit:
    return replace(put(PAPER.manuscript, old, new), purpose=Purpose.POINT, id=f"{old}-{new}")


def rated(rate: Callable[[str], float | Unusable]) -> Published:
    def of(manuscript: Manuscript, number: int) -> float | Unusable:
        return rate(manuscript.sources["main.tex"].text)

    return Published(of, PAPER.reread)


def test_an_equal_rating_is_enough_and_meaning_is_not_looked_at() -> None:
    gate = rated(lambda text: 6.0)
    edit = point("not high", "high")
    (verdict,), after = gate.certify(PAPER.manuscript, [edit])
    assert verdict.outcome is Outcome.ACCEPTED
    assert verdict.layer is Layer.RUBRIC
    assert [score.name for score in verdict.after] == [RATING]
    assert "Tides are high" in after.sources["main.tex"].text


def test_a_falling_rating_refuses_and_the_next_is_rated_without_it() -> None:
    gate = rated(lambda text: 5.0 if "Gales" in text else 6.0)
    edits = [point("Winds", "Gales"), point("long", "short")]
    verdicts, after = gate.certify(PAPER.manuscript, edits)
    assert [v.outcome for v in verdicts] == [Outcome.REJECTED, Outcome.ACCEPTED]
    assert after.sources["main.tex"].text == PAPER.manuscript.sources["main.tex"].text.replace(
        "long", "short"
    )
    assert gate.ratings == 4, "two whole papers for each edit"
    assert [v.edit for v in verdicts] == edits


def test_no_rating_is_no_acceptance() -> None:
    (verdict,), after = rated(lambda text: Unusable("it said nothing")).certify(
        PAPER.manuscript, [point("low", "high")]
    )
    assert verdict.outcome is Outcome.UNDECIDED
    assert "it said nothing" in verdict.reasons[0]
    assert after is PAPER.manuscript


def test_what_is_unsafe_is_refused_before_anybody_is_asked() -> None:
    gate = rated(lambda text: 10.0)
    edits = [
        point("Waves", r"\input{/etc/passwd}Waves"),
        point("long", "{long"),
        point("low", r"low~\cite{nobody}"),
    ]
    verdicts, after = gate.certify(PAPER.manuscript, edits)
    assert {v.outcome for v in verdicts} == {Outcome.REJECTED}
    assert {v.layer for v in verdicts} == {Layer.INVARIANTS}
    assert gate.ratings == 0
    assert after is PAPER.manuscript


def test_without_a_gate_only_safety_refuses() -> None:
    edits = [point("not high", "high"), point("long", r"\write18{id}")]
    verdicts, after = Ungated(PAPER.reread).certify(PAPER.manuscript, edits)
    assert [v.outcome for v in verdicts] == [Outcome.ACCEPTED, Outcome.REJECTED]
    assert "Tides are high" in after.sources["main.tex"].text


def test_edits_that_touch_are_stale_after_the_first() -> None:
    edits = [point("Winds are low", "Winds rise"), point("low", "mild")]
    verdicts, _ = Ungated(PAPER.reread).certify(PAPER.manuscript, edits)
    assert [v.layer for v in verdicts] == [Layer.INVARIANTS, Layer.STALE]
