"""The cycle of locating and drafting: when it goes on, and when it ends."""

from collections.abc import Sequence

from reviser.asking import Unusable
from reviser.draft.hub import LIMIT, NOTHING_NEW, ONE, SETTLED, Turn, cycle, rouge1

Asked = Sequence[tuple[str, str | None]]
Turns = Sequence[Turn[str, str, str]]


def fresh(asked: Asked) -> list[str]:
    return [f"found for {item} beside {draft}" for item, draft in asked]


def words(draft: str) -> str:
    return draft


def test_rouge_counts_shared_words_and_not_their_order() -> None:
    assert rouge1("a b c d", "d c b a") == 1.0
    assert rouge1("a b c d", "a b x y") == 0.5
    assert rouge1("", "") == 1.0
    assert rouge1("one", "") == 0.0


def test_it_ends_when_two_drafts_hardly_differ() -> None:
    texts = iter(["one two three", "one two four", "one two four"])
    (done,) = cycle(["x"], fresh, lambda turns: [next(texts) for _ in turns], words)
    assert (done.draft, done.drafts, done.stopped) == ("one two four", 3, SETTLED)


def test_it_ends_at_the_limit() -> None:
    numbers: list[int] = []

    def other(turns: Turns) -> list[str]:
        numbers.append(turns[0].number)
        return [f"draft{turns[0].number}" for _ in turns]

    (done,) = cycle(["x"], fresh, other, words)
    assert numbers == [0, 1, 2, 3, 4]
    assert (done.draft, done.drafts, done.stopped) == ("draft4", 5, LIMIT)


def test_nothing_new_asks_for_no_other_draft() -> None:
    (done,) = cycle(["x"], lambda asked: ["same"] * len(asked), lambda t: ["draft"], words)
    assert (done.drafts, done.stopped, done.found) == (1, NOTHING_NEW, "same")


def test_evidence_is_located_against_the_draft_before() -> None:
    seen: list[str | None] = []

    def locate(asked: Asked) -> list[str]:
        seen.extend(draft for _, draft in asked)
        return fresh(asked)

    texts = iter(["one two", "three four", "three four"])
    cycle(["x"], locate, lambda turns: [next(texts)], words)
    assert seen == [None, "one two", "three four"]


def test_an_unusable_draft_leaves_the_one_before() -> None:
    answers = iter([["first", "only"], [Unusable("no form"), "only"]])
    one, other = cycle(["x", "y"], fresh, lambda turns: next(answers), words)
    assert (one.draft, one.drafts, one.stopped) == ("first", 1, "no form")
    assert (other.draft, other.stopped) == ("only", SETTLED)


def test_a_first_draft_that_is_unusable_is_none() -> None:
    (done,) = cycle(["x"], fresh, lambda turns: [Unusable("empty")], words)
    assert (done.draft, done.drafts, done.stopped) == (None, 0, "empty")
    assert done.found == "found for x beside None"


def test_items_go_step_by_step_together_and_each_as_long_as_it_needs() -> None:
    steps: list[list[str]] = []

    def draft(turns: Turns) -> list[str]:
        steps.append([turn.item for turn in turns])
        return [turn.item if turn.item != "z" else f"z{turn.number}" for turn in turns]

    done = cycle(["x", "y", "z"], fresh, draft, words, most=2, once=lambda item: item == "x")
    assert steps == [["x", "y", "z"], ["y", "z"], ["z"]]
    assert [one.stopped for one in done] == [ONE, SETTLED, LIMIT]


def test_nothing_to_do_asks_nobody() -> None:
    assert cycle([], fresh, lambda turns: [], words) == ()
