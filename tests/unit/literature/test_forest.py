from reviser.budget import tokens_of
from reviser.literature.attributes import Leaf, Tree
from reviser.literature.forest import Forest, rendered


class Words:
    """Likeness by shared words."""

    name = "words"

    def similarities(self, rows, columns):
        def alike(one: str, other: str) -> float:
            a, b = set(one.lower().split()), set(other.lower().split())
            return len(a & b) / max(1, len(a | b))

        return [[alike(row, column) for column in columns] for row in rows]


def leaf(name: str, text: str) -> Leaf:
    return Leaf(tuple(name.split("/")), text, f"as the text has it: {text}")


DRIFT = Tree(
    "drift", "method", (leaf("idea/claim", "correct drift"), leaf("experiments/data", "EuRoC data"))
)
BATS = Tree("bats", "survey", (leaf("conclusion/results", "bats hear well"),))


def test_the_tree_with_the_nearest_leaf_comes_first_with_that_leaf_first():
    found = Forest([BATS, DRIFT], Words()).nearest("the EuRoC data", 5, least=0.1)
    assert [near.tree.work for near in found] == ["drift"]
    assert [one.text for one in found[0].leaves] == ["EuRoC data"]


def test_no_more_than_are_wanted_and_nothing_for_nothing():
    forest = Forest([BATS, DRIFT], Words())
    assert len(forest.nearest("correct drift bats hear well", 1, least=0.0)) == 1
    assert forest.nearest("  ", 3) == ()
    assert Forest([], Words()).nearest("bats", 3) == ()
    assert forest.nearest("bats", 0) == ()


def test_the_later_tree_of_a_work_stands():
    newer = Tree("drift", "theory", DRIFT.leaves)
    forest = Forest([DRIFT, BATS, newer], Words())
    assert forest.of("drift") == newer
    assert [tree.work for tree in forest.trees] == ["drift", "bats"]
    assert forest.of("nobody") is None


def test_a_tree_is_shown_with_the_words_it_rests_on_within_its_tokens():
    whole = rendered(DRIFT, 1000)
    assert whole.splitlines()[1] == (
        '- idea > claim: correct drift ("as the text has it: correct drift")'
    )
    for tokens in range(0, 120, 7):
        shown = rendered(DRIFT, tokens)
        assert not shown or tokens_of(shown) <= tokens + 2
    assert rendered(DRIFT, 5) == ""


def test_the_leaves_that_matter_are_shown_before_the_others():
    wanted = DRIFT.leaves[1]
    shown = rendered(DRIFT, 40, (wanted,))
    assert "EuRoC data" in shown
    assert "correct drift" not in shown
