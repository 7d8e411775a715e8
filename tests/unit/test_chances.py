"""Expected digits from token probabilities."""

import math

import pytest

from reviser.chances import expected
from reviser.ports import ChatReply, Token


def reply(*top: tuple[str, float], said: str = "4") -> ChatReply:
    tokens = (
        Token('{"structure": ', ()),
        Token(said, tuple((text, math.log(p)) for text, p in top)),
        Token("}", ()),
    )
    return ChatReply("".join(t.text for t in tokens), "stop", "m", 0, 0, 0.0, tokens=tokens)


def test_a_digit_is_what_is_to_be_expected_of_it() -> None:
    assert expected(reply(("4", 0.5), ("3", 0.25), ("five", 0.25)), "structure", range(1, 6)) == (
        pytest.approx(11 / 3)
    )


@pytest.mark.parametrize(
    "said",
    [
        reply(("four", 0.9), ("4", 0.1)),
        ChatReply('{"structure": 4}', "stop", "m", 0, 0, 0.0),
    ],
)
def test_nothing_is_expected_where_little_is_known(said: ChatReply) -> None:
    assert expected(said, "structure", range(1, 6)) is None
