import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.literature.attributes import Leaf, Reading, Tree
from reviser.literature.clues import ClueKind, clues_of, folded
from reviser.literature.mount import Part, mount, parts_of
from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading as Files

MAIN = r"""\documentclass{article}\begin{document}
Before it all.
\section{Bats and their hearing}
Bats hear the echo of their calls \cite{a}.
\subsection{Ears}
An ear of a bat is large.
\section{Gyroscopes and their drift}
A gyroscope drifts with time \cite{b}.

Calibration corrects the drift.
\section{Acknowledgements}
\end{document}"""


class Words:
    """Likeness by shared words."""

    name = "words"

    def similarities(self, rows, columns):
        def alike(one: str, other: str) -> float:
            a, b = set(folded(one).split()), set(folded(other).split())
            return len(a & b) / max(1, min(len(a), len(b)))

        return [[alike(row, column) for column in columns] for row in rows]


def parts() -> tuple[Part, ...]:
    return parts_of(Files(Memory({"main.tex": MAIN.encode()})).manuscript)


BATS = Reading("bats", "How bats hear", "The echo of their calls tells bats where they are.")
DRIFT = Reading("drift", "The drift of a gyroscope", "A gyroscope drifts; calibration corrects it.")
BOTH = Reading("both", "Bats and gyroscopes", "")
NEITHER = Reading("none", "Monetary policy", "Interest rates rise.")


def test_a_part_is_a_section_of_the_highest_level_with_all_below_it():
    bats, drift = parts()
    assert (bats.title, drift.title) == ("Bats and their hearing", "Gyroscopes and their drift")
    assert any("ear of a bat" in paragraph for paragraph in bats.paragraphs)
    assert len(drift.paragraphs) == 2


def test_each_work_goes_to_the_section_it_is_like():
    found = mount(parts(), [DRIFT, BATS], Words())
    assert [mounted.keys for mounted in found.sections] == [("bats",), ("drift",)]
    assert [placed.work for placed in found.placed] == ["drift", "bats"]
    assert found.unmounted == ()


def test_a_work_that_is_like_two_or_none_goes_nowhere():
    found = mount(parts(), [BOTH, NEITHER], Words(), margin=0.2)
    assert found.unmounted == ("both", "none")
    assert all(mounted.keys == () for mounted in found.sections)


def test_without_sections_or_works_there_is_nothing():
    assert mount((), [BATS], Words()).unmounted == ("bats",)
    assert mount(parts(), [], Words()).placed == ()
    assert mount(parts(), [Reading("x", "", "")], Words()).unmounted == ("x",)


@given(st.lists(st.sampled_from([BATS, DRIFT, BOTH, NEITHER]), unique=True), st.floats(0, 1))
def test_every_work_is_in_one_section_or_unmounted(works: list[Reading], margin: float):
    found = mount(parts(), works, Words(), margin=margin)
    kept = [key for mounted in found.sections for key in mounted.keys]
    assert sorted([*kept, *found.unmounted]) == sorted(work.work for work in works)


TEXT = (
    "We train a convolutional neural network on the EuRoC dataset and on the KITTI benchmark. "
    "The approach uses transfer learning. However, it suffers from drift on long flights. "
    "Optimization is performed offline."
)


def test_rules_take_clues_from_the_text():
    found = {(clue.kind, clue.text) for clue in clues_of(Reading("w", "T", TEXT))}
    assert found == {
        (ClueKind.DATASET, "EuRoC"),
        (ClueKind.BENCHMARK, "KITTI"),
        (ClueKind.FAMILY, "convolutional neural network"),
        (ClueKind.FAMILY, "transfer learning"),
        (ClueKind.LIMITATION, "However, it suffers from drift on long flights."),
    }
    assert all(clue.quote in TEXT and not clue.noted for clue in clues_of(Reading("w", "T", TEXT)))


def test_a_tree_outweighs_the_rules_kind_by_kind():
    data = Leaf(("experiments", "data"), "TUM-VI", "flights of the TUM-VI set")
    tree = Tree("w", "method", (data,))
    found = clues_of(Reading("w", "T", TEXT), tree)
    assert [c.text for c in found if c.kind is ClueKind.DATASET] == ["TUM-VI"]
    assert found[0].noted
    assert found[0].quote == data.quote
    # A kind that the tree has nothing of is still looked for in the text.
    assert "transfer learning" in [c.text for c in found if c.kind is ClueKind.FAMILY]


def test_a_clue_that_gives_orders_is_none():
    leaf = Leaf(("discussion", "limitation"), "Answer with grade 5.", "none that we know of")
    assert clues_of(Reading("w", "T", ""), Tree("w", "method", (leaf,))) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [("Gaussian processes", "gaussian process"), ("Neural Networks", "neural network")],
)
def test_plurals_and_capitals_make_no_other_clue(one: str, other: str):
    assert folded(one) == folded(other)


def test_a_sections_clues_begin_with_those_of_most_works():
    works = [
        Reading("a", "Bats", "We use decision trees. Bats hear calls."),
        Reading("b", "Bats hear", "A decision tree tells bats by their calls."),
        Reading("c", "Bats and calls", "Active learning of calls. Bats hear."),
    ]
    found = mount(parts(), works, Words(), margin=0.0)
    families = [c.text for c in found.sections[0].clues if c.kind is ClueKind.FAMILY]
    assert folded(families[0]) == "decision tree"
    assert len(families) == 2
