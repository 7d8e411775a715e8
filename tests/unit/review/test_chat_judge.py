"""A chat model as judge: what it is asked, and what its replies are worth."""

import json
import math
from dataclasses import dataclass

import pytest

from reviser.asking import Unusable
from reviser.errors import Unanswered
from reviser.manuscript.files import Memory
from reviser.manuscript.load import load
from reviser.manuscript.model import Manuscript
from reviser.ports import ChatReply, ChatRequest, Token
from reviser.review.evaluator import evaluate
from reviser.review.model import Dimension, Scorecard
from reviser.review.passages import member, order
from reviser.review.rubric import ChatJudge, scorecard
from tests.fakes.roles import Says, ScriptedModel, role

NAMES = [member(dimension) for dimension in Dimension]


@dataclass(frozen=True)
class Text:
    text: str
    digest: str = "A paper on dogs."


def judge(says: dict[str, Says]) -> tuple[ChatJudge, ScriptedModel]:
    helper = role(says)
    assert isinstance(helper.model, ScriptedModel)
    return ChatJudge(helper), helper.model


def digits(*values: int) -> str:
    return json.dumps(dict(zip(NAMES, values, strict=True)))


def paper(sections: int, sentences: int = 30) -> Manuscript:
    body = "\n\n".join(
        f"\\section{{Part {n}}}\n"
        + " ".join(f"Dog {n}.{k} barks at night." for k in range(sentences))
        for n in range(sections)
    )
    text = f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return load(Memory({"main.tex": text.encode()}))


def test_grades_are_the_digits_where_there_are_no_probabilities() -> None:
    asked, model = judge({"score-passage": lambda request: digits(5, 4, 3, 2, 1)})
    card = asked.scores([(Text("Dogs bark."), 0)])[0]
    assert isinstance(card, Scorecard)
    assert [grade.score for grade in card.grades] == [5, 4, 3, 2, 1]
    assert card.model == "scripted"
    (request,) = model.asked
    assert request.logprobs
    assert request.temperature > 0
    assert request.seed == 0
    assert model.expected == [request]


def test_grades_are_the_expected_levels_where_there_are_probabilities() -> None:
    def says(request: ChatRequest) -> ChatReply:
        tokens = [Token("{", ())]
        for number, name in enumerate(NAMES):
            tokens.append(Token(f'{", " if number else ""}"{name}": ', ()))
            tokens.append(Token("4", (("4", math.log(0.6)), ("3", math.log(0.4)))))
        tokens.append(Token("}", ()))
        text = "".join(token.text for token in tokens)
        return ChatReply(text, "stop", "m", 0, 0, 0.0, tokens=tuple(tokens))

    card = judge({"score-passage": says})[0].scores([(Text("Dogs bark."), 0)])[0]
    assert isinstance(card, Scorecard)
    assert [grade.score for grade in card.grades] == pytest.approx([3.6] * 5)


def test_each_sample_asks_for_another_order() -> None:
    asked, model = judge({"score-passage": lambda request: digits(3, 3, 3, 3, 3)})
    asked.scores([(Text("Dogs bark."), sample) for sample in range(10)])
    orders = [tuple(json.loads(request.schema)["properties"]) for request in model.asked]
    assert len(set(orders)) == 10
    assert [names[0] for names in orders[:5]] == NAMES
    assert orders == [tuple(member(d) for d in order(sample)) for sample in range(10)]
    assert [request.seed for request in model.asked] == list(range(10))


def test_what_is_asked_of_two_texts_differs_in_the_texts_alone() -> None:
    asked, model = judge({"score-passage": lambda request: digits(3, 3, 3, 3, 3)})
    asked.scores([(Text("The old text."), 1), (Text("The new text."), 1)])
    old, new = model.asked
    assert old.messages[0] == new.messages[0]
    assert old.schema == new.schema
    lines = zip(old.messages[1].text.splitlines(), new.messages[1].text.splitlines(), strict=True)
    differing = [pair for pair in lines if pair[0] != pair[1]]
    assert ("The old text.", "The new text.") in differing
    assert len(differing) == 3  # the fence carries the digest of what it holds


def test_a_comparison_turned_round_asks_the_same_of_the_texts_turned_round() -> None:
    asked, model = judge({"compare-passages": lambda request: '{"better": "neither"}'})
    assert asked.prefers(Text("The old text."), Text("The new text.")) == "neither"
    asked.prefers(Text("The new text."), Text("The old text."), 3)
    one, other = (request.messages[1].text for request in model.asked)
    assert one.index("The old text.") < one.index("The new text.")
    assert other.index("The new text.") < other.index("The old text.")
    assert [request.seed for request in model.asked] == [0, 3]


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Five out of five.",
        '{"coverage": 5}',
        digits(5, 5, 5, 5, 6),
        digits(5, 5, 5, 5, 5).replace("}", ', "bonus": 1}'),
        f"{digits(5, 5, 5, 5, 5)} {digits(1, 1, 1, 1, 1)}",
    ],
)
def test_a_reply_that_is_no_grade_is_unusable(said: str) -> None:
    asked, model = judge({"score-passage": lambda request: said})
    assert isinstance(asked.scores([(Text("Dogs bark."), 0)])[0], Unusable)
    assert len(model.asked) == 2


def test_one_unusable_reply_leaves_the_others() -> None:
    def says(request: ChatRequest) -> str | Unanswered:
        return Unanswered("no answer in time") if request.seed == 1 else digits(3, 3, 3, 3, 3)

    cards = judge({"score-passage": says})[0].scores([(Text("Dogs bark."), n) for n in range(3)])
    assert [isinstance(card, Unusable) for card in cards] == [False, True, False]


def reasoned(score: float, why: str = "It says little.") -> str:
    part = {"reason": why, "plan": "Say more.", "score": score}
    return json.dumps(dict.fromkeys(NAMES, part))


def test_a_short_paper_is_graded_in_one_question() -> None:
    helper = role({"grade-paper": lambda request: reasoned(3.5)})
    card = scorecard(paper(2), helper)
    assert isinstance(card, Scorecard)
    assert {(g.score, g.why, g.plan) for g in card.grades} == {
        (3.5, "It says little.", "Say more.")
    }
    assert len(helper.model.asked) == 1  # type: ignore[attr-defined]


def test_a_long_paper_is_graded_in_parts_and_the_worst_gives_the_reason() -> None:
    def says(request: ChatRequest) -> str:
        worst = "Dog 3.0 barks" in request.messages[1].text.split("<<<text")[1]
        return reasoned(1.0, "The worst.") if worst else reasoned(4.0)

    helper = role({"grade-paper": says}, context=5_000)
    card = scorecard(paper(8, 120), helper)
    assert isinstance(card, Scorecard)
    asked = helper.model.asked  # type: ignore[attr-defined]
    assert len(asked) > 2
    assert all("Part 7" in request.messages[1].text for request in asked)
    for grade in card.grades:
        assert 1 < grade.score < 4
        assert grade.why == "The worst."


def test_a_part_without_a_grade_leaves_the_paper_without() -> None:
    def says(request: ChatRequest) -> str:
        return "" if "Dog 3.0 barks" in request.messages[1].text else reasoned(4.0)

    assert isinstance(
        scorecard(paper(8, 120), role({"grade-paper": says}, context=5_000)), Unusable
    )


def test_no_grade_where_the_context_has_no_room() -> None:
    helper = role({"grade-paper": lambda request: reasoned(3)}, context=1_500)
    assert isinstance(scorecard(paper(8, 120), helper), Unusable)
    assert not helper.model.asked  # type: ignore[attr-defined]


def test_the_evaluator_grades_without_reasons() -> None:
    evaluator = role({"evaluate-survey": lambda request: digits(5, 4, 3, 2, 1)}, part="evaluator")
    card = evaluate(paper(2), evaluator)
    assert isinstance(card, Scorecard)
    assert [(g.score, g.why) for g in card.grades] == [(5, ""), (4, ""), (3, ""), (2, ""), (1, "")]
