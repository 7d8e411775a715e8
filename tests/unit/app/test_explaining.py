"""The certificate of an edit, out of the record of a run on disk."""

from datetime import UTC, datetime

import pytest

from reviser.app.explaining import explain
from reviser.app.page import Page
from reviser.app.record import apply_revision
from reviser.errors import UsageError
from reviser.revise.verdict import Layer, Outcome, Revision, Score, Shadow, Step, Verdict
from reviser.text.edit import Edit, Purpose, Replacement
from reviser.text.source import Place, Source, Span


@pytest.fixture
def root(tmp_path):
    (tmp_path / "main.tex").write_text("It is good.\n")
    before = {"main.tex": Source("main.tex", "It is good.\n")}
    part = Replacement(Place("main.tex", Span(6, 10)), "good", "\x1b[2Jbad")
    edit = Edit("write-1a2b", "review-synthesis", (part,), Purpose.POINT, "say why",
                answers=("feedbeef0123",))  # fmt: skip
    verdict = Verdict(
        edit, Outcome.REJECTED, Layer.RUBRIC, ("no gain",),
        (Score("mean", 3.0, 0.1),), (Score("mean", 2.9),),
        (Step(Layer.INVARIANTS, Outcome.ACCEPTED, "37 checks passed"),
         Step(Layer.RUBRIC, Outcome.REJECTED, "no gain")),
        Shadow("equation 4", Outcome.REJECTED, "it fell"), ("write-9",),
    )  # fmt: skip
    point = {"id": "feedbeef0123", "fate": "refused", "why": "no gain", "path": "main.tex",
             "line": 1, "rule": "review-synthesis", "message": "Why?", "quote": "good",
             "certificate": {"edit": "write-1a2b"}}  # fmt: skip
    advice = {"rounds": [{"number": 1, "points": [point]}]}
    apply_revision(tmp_path, Revision(before, {}, (verdict,)), when=datetime.now(UTC),
                   advice=advice)  # fmt: skip
    return tmp_path


def told(root, name):
    page = Page()
    explain(page, root, name)
    return page.plain


@pytest.mark.parametrize("name", ["feed", "write-1a"])
def test_an_edit_is_explained_layer_by_layer(root, name):
    text = told(root, name)
    assert "rejected by rubric" in text
    assert "invariants accepted: 37 checks passed" in text
    assert "mean: 3.00 (spread 0.10) -> 2.90" in text
    assert "Scored with: write-9" in text
    assert "The published rule (equation 4): rejected; it fell" in text
    assert "\x1b" not in text


def test_a_point_is_told_with_what_became_of_it(root):
    text = told(root, "feedb")
    assert text.index("Point feedbeef0123, round 1") < text.index("Edit write-1a2b")
    assert "refused: no gain" in text


@pytest.mark.parametrize(("name", "why"), [("fee", "too short"), ("cafe", "nothing in the last")])
def test_what_is_not_there_is_no_answer(root, name, why):
    with pytest.raises(UsageError, match=why):
        told(root, name)


def test_without_a_run_there_is_nothing_to_explain(tmp_path):
    with pytest.raises(UsageError, match="no run"):
        told(tmp_path, "feed")
