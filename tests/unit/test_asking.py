"""Replies of every sort become a checked value, or a reason."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from reviser.asking import Answered, Sampling, Unusable, ask, asked_for, read_reply
from reviser.errors import BudgetUsedUp, ReviserError, Unanswered
from reviser.ports import ChatReply, ChatRequest
from reviser.prompts import Rendered


class Fruit(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    colour: Literal["red", "green"]


GOOD = '{"name": "apple", "colour": "red"}'
OTHER = '{"name": "pear", "colour": "green"}'
REQUEST = asked_for(Rendered("fruit/1", "Name a fruit.", "Now."), Fruit, Sampling())


def said(text: str, finish: str = "stop") -> ChatReply:
    return ChatReply(text, finish, "m", 1, 1, 0.0)


class Scripted:
    """A `ChatModel` that gives its replies in order and keeps the requests."""

    name = "m"

    def __init__(self, *replies: ChatReply | Exception) -> None:
        self.replies = list(replies)
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nI hope this helps.",
        f"Here you are: {GOOD}. Anything else?",
        f"<think>Or {OTHER}?</think>\n{GOOD}",
        f"Or {OTHER}?</think>{GOOD}",
        f"{GOOD}\n\nThat is: {GOOD}",
        f'{{"draft": 1}} {GOOD}',
        f"{{not json}} {GOOD}",
        '{"name": "a {b} \\" c", "colour": "red"}',
    ],
)
def test_one_answer_is_found_wherever_it_stands(text: str) -> None:
    value = read_reply(said(text), Fruit)
    assert isinstance(value, Fruit)
    assert value.colour == "red"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n", "empty"),
        ("<think>hm</think>", "empty"),
        ("An apple, red.", "form"),
        ("null", "form"),
        ("[1, 2]", "form"),
        ('{"name": "apple"}', "form"),
        ('{"name": "apple", "colour": "rouge"}', "form"),
        ('{"name": "apple", "colour": "red", "note": "x"}', "form"),
        ('{"name": "apple", "colour": "green", "colour": "red"}', "form"),
        (GOOD[:-1], "form"),
        ('{"name": NaN, "colour": "red"}', "form"),
        (f"{GOOD} or {OTHER}", "several"),
        ("{" * 5000, "form"),
        ('{"a":' * 5000, "form"),
    ],
)
def test_anything_else_is_not_an_answer(text: str, why: str) -> None:
    value = read_reply(said(text), Fruit)
    assert isinstance(value, Unusable)
    assert why in value.why
    assert value.detail


def test_what_was_cut_off_is_not_read_even_if_it_looks_whole() -> None:
    value = read_reply(said(GOOD, "length"), Fruit)
    assert isinstance(value, Unusable)
    assert "cut off" in value.why


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    value = read_reply(said(text), Fruit)
    assert isinstance(value, Unusable | Fruit)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_json_is_too_odd(data: object) -> None:
    value = read_reply(said(json.dumps(data)), Fruit)
    assert isinstance(value, Unusable)


def test_one_more_try_with_the_reason() -> None:
    model = Scripted(said('{"name": "apple", "colour": "rouge"}'), said(GOOD))
    answer = ask(model, REQUEST, Fruit)
    assert isinstance(answer, Answered)
    assert answer.value.name == "apple"
    first, second = model.asked
    assert second.messages[: len(first.messages)] == first.messages
    *_, mine, complaint = second.messages
    assert (mine.role, complaint.role) == ("assistant", "user")
    assert "colour" in complaint.text
    assert "'red' or 'green'" in complaint.text
    assert "rouge" not in complaint.text


def test_two_tries_are_enough() -> None:
    model = Scripted(said("no"), said(""))
    assert ask(model, REQUEST, Fruit) == Unusable("the reply was empty", "It was empty.")
    assert model.asked[1].messages[-2].text == "no"
    assert model.replies == []


def test_a_refusal_is_taken_for_an_answer() -> None:
    model = Scripted(said("I cannot.", "refusal"))
    answer = ask(model, REQUEST, Fruit)
    assert isinstance(answer, Unusable)
    assert "refused" in answer.why


def test_the_callers_own_check_counts() -> None:
    def no_apples(fruit: Fruit) -> str:
        return "apples are out" if fruit.name == "apple" else ""

    model = Scripted(said(GOOD), said(OTHER))
    answer = ask(model, REQUEST, Fruit, no_apples)
    assert isinstance(answer, Answered)
    assert answer.value.name == "pear"
    assert "apples are out" in model.asked[1].messages[-1].text
    answer = ask(Scripted(said(GOOD), said(GOOD)), REQUEST, Fruit, no_apples)
    assert isinstance(answer, Unusable)
    assert answer.why == "apples are out"


@pytest.mark.parametrize("error", [Unanswered("too late"), BudgetUsedUp("too dear")])
def test_a_question_without_an_answer_is_unusable(error: Exception) -> None:
    assert ask(Scripted(error), REQUEST, Fruit) == Unusable(str(error))
    assert ask(Scripted(said("?"), error), REQUEST, Fruit) == Unusable(str(error))


def test_an_endpoint_that_answers_nobody_is_not_a_bad_reply() -> None:
    with pytest.raises(ReviserError, match="no key"):
        ask(Scripted(ReviserError("no key")), REQUEST, Fruit)


def test_the_request_carries_the_form() -> None:
    assert REQUEST.prompt == "fruit/1"
    assert [m.role for m in REQUEST.messages] == ["system", "user"]
    schema = json.loads(REQUEST.schema)
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["name", "colour"]
