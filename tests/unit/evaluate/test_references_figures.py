import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.evaluate.references import each_once, judged, overlap, semantic
from reviser.literature.paper import Author, Paper

TITLES = (
    "Correcting the drift of cheap gyroscopes",
    "How bats hear the echo of their calls",
    "Valves and the losses of throttled pumps",
    "A survey of calibration in the field",
    "Monetary policy after the crisis of 2008",
    "Recurrent networks for noisy signals",
)


def paper(number: int, source: str = "a", **more: object) -> Paper:
    values: dict[str, object] = {"authors": (Author("Miller"),), "year": 2019, **more}
    return Paper(source, f"{source}{number}", TITLES[number], **values)  # type: ignore[arg-type]


class Words:
    """Likeness by shared words."""

    name = "words"

    def similarities(self, rows, columns):
        def alike(one: str, other: str) -> float:
            a, b = set(one.lower().split()), set(other.lower().split())
            return len(a & b) / max(1, len(a | b))

        return [[alike(row, column) for column in columns] for row in rows]


def test_iou_is_the_shared_works_over_all_of_them():
    found = overlap([paper(0), paper(1), paper(2)], [paper(n, "b") for n in (1, 2, 3, 4)])
    assert [(one.found, one.human, one.how) for one in found.shared] == [
        (1, 0, "title"),
        (2, 1, "title"),
    ]
    assert found.iou.value == pytest.approx(2 / 5)
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 4)
    assert found.iou.low is not None
    assert found.iou.low <= 2 / 5 <= found.iou.high


def test_an_identifier_outweighs_titles_and_another_year_is_another_work():
    ours = [paper(0, doi="10.5555/x"), paper(1, year=2010)]
    theirs = [paper(3, "b", doi="10.5555/x"), paper(1, "b")]
    found = overlap(ours, theirs)
    assert [(one.found, one.human, one.how) for one in found.shared] == [(0, 0, "identifier")]


def test_two_found_works_do_not_share_one():
    both = paper(5, "b", doi="10.5555/x", arxiv="2001.00001")
    found = overlap([paper(0, doi="10.5555/x"), paper(1, arxiv="2001.00001")], [both])
    assert len(found.shared) == 1
    assert found.iou.value == pytest.approx(1 / 2)


def test_a_work_that_stands_twice_counts_once():
    kept, doubled = each_once([paper(0), paper(0, "b"), paper(1, doi="10.5555/x"),
                               paper(2, doi="10.5555/x")])  # fmt: skip
    assert (len(kept), doubled) == (2, 2)
    found = overlap([paper(0), paper(0, "b")], [paper(0, "c")])
    assert (found.iou.value, found.doubled) == (1.0, (1, 0))


def test_without_references_there_is_no_figure():
    found = overlap([], [])
    assert found.iou.value is None
    assert found.recall.value is None
    assert overlap([paper(0)], []).recall.value is None
    assert overlap([paper(0)], []).precision.value == 0.0


@settings(deadline=None)
@given(st.lists(st.sampled_from(range(len(TITLES)))), st.lists(st.sampled_from(range(len(TITLES)))))
def test_the_overlap_is_that_of_sets_and_symmetric(ours: list[int], theirs: list[int]):
    found = overlap([paper(n) for n in ours], [paper(n, "b") for n in theirs])
    back = overlap([paper(n, "b") for n in theirs], [paper(n) for n in ours])
    common = set(ours) & set(theirs)
    assert len(found.shared) == len(back.shared) == len(common)
    union = set(ours) | set(theirs)
    if union:
        assert found.iou.value == pytest.approx(len(common) / len(union))
    assert found.precision.value == back.recall.value


def test_relevance_is_the_mean_over_all_with_those_without_abstract_told():
    some = [paper(0, abstract="drift of gyroscopes"), paper(4)]
    row = semantic("found", some, "drift of gyroscopes", Words())
    assert (row.works, row.bare) == (2, 1)
    assert row.semantic.value is not None
    assert 0 < row.semantic.value < 1
    assert semantic("found", [], "drift", Words()).semantic.value is None


def test_what_stayed_open_is_counted_beside_the_share():
    row = semantic("found", [paper(n) for n in range(4)], "drift", Words())
    said = judged(row, [True, True, False, None], {"the model refused": 1})
    assert said.judged is not None
    assert said.judged.value == pytest.approx(2 / 3)
    assert (said.open, said.why_open) == (1, (("the model refused", 1),))
    nothing = judged(row, [None] * 4, {"no": 4})
    assert nothing.judged is not None
    assert nothing.judged.value is None
