"""What asking may cost: estimates above what comes, limits that hold, a record of everything."""

import threading

import pytest

from reviser.budget import (
    Account,
    Asked,
    Call,
    Limits,
    Metered,
    Price,
    Purse,
    dollars,
    price_of,
    tokens_in,
    tokens_of,
)
from reviser.errors import BudgetUsedUp, SettingsError, Unanswered
from reviser.ports import ChatReply, ChatRequest, Message

PRICE = Price(1.0, 10.0)


def request(text: str = "x" * 300, most: int = 100) -> ChatRequest:
    return ChatRequest("p/1", (Message("user", text),), max_tokens=most)


class Model:
    """Counts what it is asked; raises what it is told to."""

    name = "m at h"

    def __init__(
        self, account: Account, error: Exception | None = None, counted: bool = True
    ) -> None:
        self.account = account
        self.error = error
        self.counted = counted
        self.asked: list[ChatRequest] = []

    def complete(self, request: ChatRequest) -> ChatReply:
        self.account.admit()
        self.asked.append(request)
        if self.error is not None:
            raise self.error
        into, out = (80, 20) if self.counted else (0, 0)
        return ChatReply("word " * 6, "stop", "m-1", into, out, 0.5)


class Memory(dict[ChatRequest, ChatReply]):
    """A tape."""

    def put(self, request: ChatRequest, reply: ChatReply) -> None:
        self[request] = reply


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def metered(
    limits: Limits, *, price: Price | None = PRICE, **model: object
) -> tuple[Metered, Model, list[object]]:
    account = Purse(limits, Clock()).account("m at h", price)
    made = Model(account, **model)  # type: ignore[arg-type]
    told: list[object] = []
    return Metered(made, account, Memory(), told.append), made, told


def asked_of(meter: Metered) -> Asked:
    (asked,) = meter._account.purse.asked()
    return asked


def test_a_second_time_it_is_the_tape_that_answers_and_nothing_is_paid() -> None:
    meter, model, told = metered(Limits())
    first, again = meter.complete(request()), meter.complete(request())
    assert first == again
    assert len(model.asked) == 1
    asked = asked_of(meter)
    assert [call.taped for call in asked.calls] == [False, True]
    assert (asked.requests, asked.taped, asked.tokens) == (1, 1, 100)
    assert asked.cost == pytest.approx(80e-6 + 200e-6)
    assert len(told) == 1


def test_what_is_coming_is_told_once_and_only_what_the_tape_lacks() -> None:
    meter, _, told = metered(Limits(money=2.0))
    meter.complete(request("known"))
    told.clear()
    meter._permitted = False
    meter.expect([request("known"), request("new", most=50)])
    (estimate,) = told
    assert (estimate.calls, estimate.taped) == (1, 1)  # type: ignore[attr-defined]
    assert estimate.tokens == tokens_in(request("new")) + 50  # type: ignore[attr-defined]
    assert "$2.00" in estimate.sentence  # type: ignore[attr-defined]
    meter.expect([request("newer")])
    assert len(told) == 1


def test_nothing_is_told_where_the_tape_knows_all() -> None:
    meter, _, told = metered(Limits())
    meter.expect([])
    assert told == []


def test_nothing_is_sent_that_was_not_permitted() -> None:
    account = Purse(Limits(), Clock()).account("m at h", PRICE)
    model = Model(account)

    def never(_: object) -> None:
        raise PermissionError

    meter = Metered(model, account, Memory(), never)
    with pytest.raises(PermissionError):
        meter.complete(request())
    with pytest.raises(PermissionError):
        meter.complete(request())
    assert model.asked == []
    assert asked_of(meter).calls == ()


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (Limits(calls=3), "3 calls"),
        (Limits(tokens=420), "420 tokens"),
        (Limits(money=0.0018), r"\$0.0018"),
        (Limits(minutes=0), "0 minutes"),
        (Limits(calls=0), "0 calls"),
    ],
)
def test_a_limit_holds(limits: Limits, said: str) -> None:
    meter, model, _ = metered(limits)

    def all_of_it() -> None:
        for number in range(50):
            meter.complete(request(f"{number:04}" * 70))

    with pytest.raises(BudgetUsedUp, match=f"the budget of {said} was used up"):
        all_of_it()
    asked = asked_of(meter)
    assert len(asked.calls) == len(model.asked) == asked.requests
    assert asked.requests <= 3
    assert asked.tokens <= (limits.tokens or 10_000)
    assert (asked.cost or 0) <= (limits.money or 1)


def test_minutes_count_from_the_first_request() -> None:
    clock = Clock()
    purse = Purse(Limits(minutes=2), clock).account("m", None)
    clock.now = 1000.0
    purse.admit()
    clock.now = 1119.0
    purse.admit()
    clock.now = 1120.0
    with pytest.raises(BudgetUsedUp, match="2 minutes"):
        purse.admit()


def test_without_a_price_money_is_unknown_and_not_zero() -> None:
    meter, _, _ = metered(Limits(money=0.0), price=None)
    meter.complete(request())
    assert asked_of(meter).cost is None
    assert "price unknown" in asked_of(meter).sentence


def test_what_is_under_way_counts_with_the_most_it_can_cost() -> None:
    one = tokens_in(request()) + 100
    purse = Purse(Limits(tokens=2 * one - 1), Clock()).account("m", PRICE)
    purse.hold(request())
    with pytest.raises(BudgetUsedUp):
        purse.hold(request())
    purse.settle(request(), Call("p/1", "m", 5, 5, 0.1, 0.0))
    purse.hold(request())


def test_side_by_side_the_limit_on_money_still_holds() -> None:
    limit = 0.02
    account = Purse(Limits(money=limit), Clock()).account("m", PRICE)
    meter = Metered(Model(account), account, Memory(), lambda _: None)
    together = threading.Barrier(16)

    def ask(number: int) -> None:
        together.wait()
        for step in range(20):
            try:
                meter.complete(request(f"{number:02} {step:02}" * 30))
            except BudgetUsedUp:
                return

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cost = asked_of(meter).cost
    assert cost is not None
    assert limit / 2 < cost <= limit


def test_models_of_one_run_share_its_limits_and_keep_their_prices() -> None:
    purse = Purse(Limits(calls=3, money=0.01), Clock())
    dear = purse.account("dear", Price(10.0, 100.0))
    cheap = purse.account("cheap", Price(0.0, 0.0))
    costly = Metered(Model(dear), dear, Memory(), lambda _: None)
    free = Metered(Model(cheap), cheap, Memory(), lambda _: None)
    with pytest.raises(BudgetUsedUp, match=r"\$0.01"):
        costly.complete(request(most=101))
    free.complete(request("a", most=101))
    free.complete(request("b", most=101))
    costly.complete(request("c", most=10))
    with pytest.raises(BudgetUsedUp, match="3 calls"):
        free.complete(request("d"))
    assert [(a.model, a.requests, len(a.calls)) for a in purse.asked()] == [
        ("dear", 1, 1),
        ("cheap", 2, 2),
    ]
    assert [a.cost for a in purse.asked()] == [pytest.approx(80e-5 + 20e-4), 0.0]


def test_two_ways_to_ask_one_model_are_one_record() -> None:
    purse = Purse(Limits(), Clock())
    first, second = purse.account("m", PRICE), purse.account("m", Price(2.0, 20.0))
    Metered(Model(first), first, Memory(), lambda _: None).complete(request("a"))
    Metered(Model(second), second, Memory(), lambda _: None).complete(request("b"))
    (asked,) = purse.asked()
    assert asked.requests == 2
    assert asked.cost == pytest.approx(3 * (80e-6 + 200e-6))


@pytest.mark.parametrize(("paid", "tokens"), [(False, 0), (True, tokens_in(request()) + 100)])
def test_a_failed_call_is_recorded_and_may_have_cost_something(paid: bool, tokens: int) -> None:
    meter, _, _ = metered(Limits(), error=Unanswered("no answer", paid=paid))
    with pytest.raises(Unanswered):
        meter.complete(request())
    (call,) = asked_of(meter).calls
    assert call.failed == "no answer"
    assert call.tokens_in + call.tokens_out == tokens
    assert meter._account.purse._held == []


def test_tokens_that_an_endpoint_does_not_count_are_estimated() -> None:
    meter, _, _ = metered(Limits(), counted=False)
    meter.complete(request())
    (call,) = asked_of(meter).calls
    assert call.tokens_in == tokens_in(request())
    assert call.tokens_out == tokens_of("word " * 6)


def test_estimates_are_rather_too_high() -> None:
    assert tokens_of("") == 0
    assert tokens_of("four words of English") >= 4
    assert tokens_of("漢字") == 2
    assert tokens_in(request("abc")) > tokens_of("abc")


TABLE = {"gpt-4o": {"in": 2.5, "out": 10}, "free": {"in": 0, "out": 0}}


@pytest.mark.parametrize("name", ["gpt-4o", "GPT-4o", "openai/gpt-4o", "gpt-4o-2024-08-06"])
def test_a_price_is_found_under_the_names_of_a_model(name: str) -> None:
    assert price_of(name, TABLE) == Price(2.5, 10.0)


def test_a_price_is_not_guessed() -> None:
    assert price_of("gpt-4o-audio", TABLE) is None
    assert price_of("free", TABLE) == Price(0.0, 0.0)


@pytest.mark.parametrize(
    "row", [3, {"in": 1}, {"in": 1, "out": -1}, {"in": True, "out": 1}, {"in": 1, "out": "2"}]
)
def test_a_row_that_is_no_price_is_an_error(row: object) -> None:
    with pytest.raises(SettingsError, match="odd"):
        price_of("odd", {"odd": row})


def test_sentences() -> None:
    call = Call("p/1", "m", 1000, 234, 1.0, 0.00123)
    taped = Call("p/1", "m", 5, 5, 0.0, 0.0, taped=True)
    assert Asked("m at h", 2, (call, taped)).sentence == (
        "asked m at h 2 times, 1,234 tokens, about $0.0012; 1 answer from the tape"
    )
    assert Asked("m at h", 0, (taped, taped)).sentence == (
        "asked m at h nothing; 2 answers from the tape"
    )
    assert Asked("m", 1, ()).sentence == "asked m once, 0 tokens, about $0.00"
    assert dollars(1.5) == "$1.50"
