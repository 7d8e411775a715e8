"""Two versions of a survey side by side."""

from reviser.evaluate.survey import NO_EVALUATOR, Measured, compared
from reviser.verify.figures import Figure


def version(keys: str, *, grades: dict[str, float] | None = None, recall: float | None = None):
    figure = Figure("recall (001)", recall, 0, 0, why="" if recall is not None else "not run")
    why = "" if grades else NO_EVALUATOR
    return Measured(
        100, 10, len(keys), frozenset(keys), 3, {figure.name: figure}, grades or {}, why
    )


def test_rows_tell_what_rose_and_why_something_is_not_known() -> None:
    before = version("abc", grades={"coverage": 3.0}, recall=0.5)
    after = version("abd", grades={"coverage": 3.5}, recall=0.75)
    found = compared(before, after, evaluator="e", verifier="v")
    rows = {row.name: row for row in found.rows}
    assert rows["coverage"].change == 0.5
    assert rows["structure"].change is None
    assert rows["recall (001)"].change == 0.25
    assert rows["works cited"].change == 0
    assert (found.iou, found.gained, found.lost) == (0.5, ("d",), ("c",))


def test_what_could_not_be_had_is_unknown_and_not_zero() -> None:
    found = compared(version(""), version(""), evaluator="", verifier="")
    rows = {row.name: row for row in found.rows}
    assert rows["coverage"].before is None
    assert rows["coverage"].why == NO_EVALUATOR
    assert rows["recall (001)"].why == "not run"
    assert found.iou is None, "no works on either side"
