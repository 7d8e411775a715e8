"""What of a chat model's reply is read: its verdict or its grade."""

import math

import pytest

from reviser.asking import Answered
from reviser.ports import ChatReply, Token
from reviser.verify.chat_entailment import Opinion, Scale, judgement

WORK = "Owls fly without a sound."


def answered(
    grade: int, supports: str, *, grades: dict[str, float] | None = None
) -> Answered[Opinion]:
    opinion = Opinion.model_validate(
        {"quote": "Owls fly without a", "grade": grade, "supports": supports}
    )
    tokens: tuple[Token, ...] = ()
    if grades:
        top = tuple((name, math.log(share)) for name, share in grades.items())
        tokens = (Token('{"grade":', ()), Token(str(grade), top), Token("}", ()))
    text = "".join(token.text for token in tokens)
    return Answered(opinion, ChatReply(text, "stop", "m", 1, 1, 0.0, 1, tokens))


@pytest.mark.parametrize("scale", ["verdict", "grade"])
def test_without_probabilities_both_scales_say_the_same(scale: Scale) -> None:
    found = judgement(answered(5, "yes"), WORK, scale)
    assert (found.entails, found.contradicts) == (pytest.approx(0.95), pytest.approx(0.01))
    assert found.quote == "Owls fly without a"


def test_grades_are_weighed_by_how_probable_they_are() -> None:
    unsure = answered(4, "yes", grades={"4": 0.5, "3": 0.5})
    found = judgement(unsure, WORK, "grade")
    assert found.entails == pytest.approx(0.5 * 0.75 + 0.5 * 0.05)
    assert found.contradicts == pytest.approx(0.5 * 0.02 + 0.5 * 0.05)


def test_a_denial_that_is_half_believed_is_none() -> None:
    found = judgement(answered(1, "no", grades={"1": 0.5, "3": 0.5}), WORK, "grade")
    assert found.contradicts is not None
    assert found.contradicts < 0.6
