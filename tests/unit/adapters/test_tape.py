"""The tape gives back what was put in, for the very same question only."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.adapters.cache import FileCache
from reviser.adapters.tape import ReplyTape, packed, unpacked
from reviser.ports import ChatReply, ChatRequest, Message, Token

REQUEST = ChatRequest("p/1", (Message("system", "s"), Message("user", "u")), "{}", 0.0, 50, 5)
REPLY = ChatReply("said", "stop", "m", 10, 2, 0.25, 1, (Token("said", (("said", -0.1),)),))
HERE = {"host": "h", "model": "m"}


def memory() -> FileCache:
    return FileCache(lambda: None, lambda _: None, lambda _: None)


def test_the_same_question_has_the_same_answer() -> None:
    cache = memory()
    ReplyTape(cache, HERE).put(REQUEST, REPLY)
    assert ReplyTape(cache, dict(HERE)).get(REQUEST) == REPLY


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, prompt="p/2"),
        replace(REQUEST, messages=REQUEST.messages[:1]),
        replace(REQUEST, messages=(Message("user", "s"), Message("system", "u"))),
        replace(REQUEST, schema=""),
        replace(REQUEST, temperature=0.1),
        replace(REQUEST, max_tokens=51),
        replace(REQUEST, logprobs=0),
        replace(REQUEST, seed=1),
    ],
)
def test_any_difference_is_another_question(other: ChatRequest) -> None:
    tape = ReplyTape(memory(), HERE)
    tape.put(REQUEST, REPLY)
    assert tape.get(other) is None


def test_another_model_or_host_is_asked_anew() -> None:
    cache = memory()
    ReplyTape(cache, HERE).put(REQUEST, REPLY)
    assert ReplyTape(cache, {**HERE, "model": "n"}).get(REQUEST) is None
    assert ReplyTape(cache, {**HERE, "host": "i"}).get(REQUEST) is None


@given(
    st.builds(
        ChatReply,
        st.text(),
        st.text(),
        st.text(),
        st.integers(0, 10**9),
        st.integers(0, 10**9),
        st.floats(0, 1e6),
        st.integers(0, 9),
        st.lists(
            st.builds(
                Token,
                st.text(),
                st.lists(st.tuples(st.text(), st.floats(-1e4, 0))).map(tuple),
            )
        ).map(tuple),
        st.booleans(),
    )
)
def test_packing_loses_nothing(reply: ChatReply) -> None:
    assert unpacked(packed(reply)) == reply


@given(st.binary())
def test_no_bytes_are_too_odd(kept: bytes) -> None:
    assert unpacked(kept) is None


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_half_a_reply_is_none(cut: int) -> None:
    assert unpacked(packed(REPLY)[:-cut]) is None
