"""What asking a model may cost: estimates, hard limits, and a record of every call."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

from reviser.errors import BudgetUsedUp, SettingsError, Unanswered
from reviser.ports import ChatModel, ChatReply, ChatRequest, Tape

_PER_MESSAGE = 8
"""Tokens that a message costs besides its text."""
_SNAPSHOT = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What these tokens cost, in US dollars."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use at most: US dollars, tokens in and out together, requests, minutes from
    the first one. None is no limit."""

    money: float | None = None
    tokens: int | None = None
    calls: int | None = None
    minutes: float | None = None

    def said(self, *, priced: bool) -> str:
        """The limits in words; without a price that on money bounds nothing."""
        told = [
            dollars(self.money) if self.money is not None and priced else "",
            f"{self.tokens:,} tokens" if self.tokens is not None else "",
            f"{self.calls:,} calls" if self.calls is not None else "",
            f"{self.minutes:g} minutes" if self.minutes is not None else "",
        ]
        return ", ".join(part for part in told if part) or "no limit"


@dataclass(frozen=True, slots=True)
class Call:
    """One question. `cost` in US dollars is None where no price is known; `failed` says why there
    is no reply. A taped call was answered by the tape: its tokens are those it took at the time,
    and it costs nothing."""

    prompt: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float | None
    taped: bool = False
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is about to be asked: `calls` questions of at most so many tokens. `cost` is the most
    they should cost in US dollars, None where no price is known; `taped` more cost nothing. Others
    may follow from the answers, never above `limits`."""

    model: str
    calls: int
    tokens: int
    cost: float | None
    limits: Limits
    taped: int = 0

    @property
    def sentence(self) -> str:
        """For whoever is to allow it, without a capital or a full stop."""
        count = f"{self.calls} question" + ("" if self.calls == 1 else "s")
        cost = "price unknown" if self.cost is None else dollars(self.cost)
        said = f"asking {self.model} {count}: at most {self.tokens:,} tokens, {cost}"
        if self.taped:
            said += f"; {self.taped} more are answered from the tape"
        bounds = self.limits.said(priced=self.cost is not None)
        return f"{said}. Questions that follow from the answers stay within {bounds}"


@dataclass(frozen=True, slots=True)
class Asked:
    """All that a run asked one model. `requests` were sent, failed and repeated ones included."""

    model: str
    requests: int
    calls: tuple[Call, ...]

    @property
    def taped(self) -> int:
        """Questions that the tape answered."""
        return sum(call.taped for call in self.calls)

    @property
    def tokens(self) -> int:
        """Tokens in and out, those of the tape left out."""
        return sum(c.tokens_in + c.tokens_out for c in self.calls if not c.taped)

    @property
    def cost(self) -> float | None:
        """In US dollars; None where a call's is not known."""
        costs = [call.cost for call in self.calls]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def sentence(self) -> str:
        """For a report, without a capital or a full stop."""
        said = f"asked {self.model} {_times(self.requests)}"
        if self.requests:
            cost = "price unknown" if self.cost is None else f"about {dollars(self.cost)}"
            said += f", {self.tokens:,} tokens, {cost}"
        if self.taped:
            said += f"; {self.taped} {'answer' if self.taped == 1 else 'answers'} from the tape"
        return said


def _times(count: int) -> str:
    return {0: "nothing", 1: "once"}.get(count, f"{count} times")


def dollars(cost: float) -> str:
    """A sum as people write it: $1.20, $0.0031."""
    return f"${cost:.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def price_of(model: str, prices: Mapping[str, object]) -> Price | None:
    """The price of a model in a table of `name = {in = ..., out = ...}`, None where it is not.

    A dated snapshot costs what its model does, and `vendor/model` what `model` does. Raises
    SettingsError for a row that is no price.
    """
    name = model.lower()
    bare = name.rpartition("/")[2]
    for known in (name, bare, _SNAPSHOT.sub("", bare)):
        row = prices.get(known)
        if row is None:
            continue
        if isinstance(row, dict):
            rates = [row.get("in"), row.get("out")]
            if row.keys() == {"in", "out"} and all(_is_rate(rate) for rate in rates):
                return Price(float(row["in"]), float(row["out"]))
        raise SettingsError(f"prices: {known} = {row!r} is no price like {{in = 0.5, out = 2}}")
    return None


def _is_rate(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0 <= float(str(value)) < 1_000_000


def tokens_of(text: str) -> int:
    """About how many tokens a text has, rather too many: some 3 bytes make one."""
    return -(-len(text.encode("utf-8", "replace")) // 3)


def tokens_in(request: ChatRequest) -> int:
    """About how many tokens a request has, its schema included, rather too many."""
    texts = [message.text for message in request.messages]
    return sum(tokens_of(text) + _PER_MESSAGE for text in [*texts, request.schema])


@dataclass(frozen=True, slots=True)
class _Held:
    """What is under way: a request, and the most it can cost."""

    request: ChatRequest
    money: float


class Purse:
    """What a run has used and may still use, over all its models; safe to share between threads.

    `clock` gives seconds. A question is let out only if the most it can cost still fits, so money
    and tokens go over their limits at most by what a prompt's size was underestimated. `refused`
    says why the last question that was not let out was not, "" while all were.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.refused = ""
        self._clock = clock
        self._lock = Lock()
        self._began: float | None = None
        self._sent: dict[str, int] = {}
        self._held: list[_Held] = []
        self._calls: list[tuple[str, Call]] = []

    def account(self, model: str, price: Price | None) -> "Account":
        """The part of the purse that a model is paid from, by its name."""
        with self._lock:
            self._sent.setdefault(model, 0)
        return Account(self, model, price)

    def asked(self) -> tuple[Asked, ...]:
        """The record so far, one for each model, in the order in which they got their accounts.
        Side by side calls end in any order, so they are sorted."""
        with self._lock:
            return tuple(
                Asked(
                    model, sent, tuple(sorted((c for m, c in self._calls if m == model), key=_by))
                )
                for model, sent in self._sent.items()
            )

    def admit(self, model: str) -> None:
        """Count one request just before it is sent. Raises BudgetUsedUp when it may not be."""
        with self._lock:
            now = self._clock()
            if self._began is None:
                self._began = now
            minutes, calls = self.limits.minutes, self.limits.calls
            if minutes is not None and now - self._began >= 60 * minutes:
                raise self._used_up(f"{minutes:g} minutes")
            if calls is not None and sum(self._sent.values()) >= calls:
                raise self._used_up(f"{calls} calls")
            self._sent[model] = self._sent.get(model, 0) + 1

    def hold(self, request: ChatRequest, most: float) -> None:
        """Set aside what a request costs at most, in US dollars and tokens. Raises BudgetUsedUp
        when that is not left."""
        with self._lock:
            new = _Held(request, most)
            tokens = sum(c.tokens_in + c.tokens_out for _, c in self._calls if not c.taped)
            money = sum(c.cost or 0.0 for _, c in self._calls)
            tokens += sum(_most_tokens(held.request) for held in (*self._held, new))
            money += sum(held.money for held in (*self._held, new))
            if self.limits.tokens is not None and tokens > self.limits.tokens:
                raise self._used_up(f"{self.limits.tokens:,} tokens")
            if self.limits.money is not None and money > self.limits.money:
                raise self._used_up(dollars(self.limits.money))
            self._held.append(new)

    def settle(self, model: str, request: ChatRequest, most: float, call: Call | None) -> None:
        """Put what a request did cost in the place of what was set aside; None: never sent."""
        with self._lock:
            self._held.remove(_Held(request, most))
            if call is not None:
                self._calls.append((model, call))

    def note(self, model: str, call: Call) -> None:
        """Record a call for which nothing was set aside."""
        with self._lock:
            self._calls.append((model, call))

    def _used_up(self, what: str) -> BudgetUsedUp:
        self.refused = f"the budget of {what} was used up"
        return BudgetUsedUp(self.refused)


def _by(call: Call) -> tuple[str, bool, int, int, float]:
    return call.prompt, call.taped, call.tokens_in, call.tokens_out, call.seconds


def _most_tokens(request: ChatRequest) -> int:
    return tokens_in(request) + request.max_tokens


@dataclass(frozen=True, slots=True)
class Account:
    """What one model is paid from a purse that it shares with others, at its own price."""

    purse: Purse
    model: str
    price: Price | None

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """In US dollars; None where no price is known."""
        return None if self.price is None else self.price.of(tokens_in, tokens_out)

    def admit(self) -> None:
        """See `Purse.admit`."""
        self.purse.admit(self.model)

    def hold(self, request: ChatRequest) -> None:
        """See `Purse.hold`."""
        self.purse.hold(request, self._most(request))

    def settle(self, request: ChatRequest, call: Call | None) -> None:
        """See `Purse.settle`."""
        self.purse.settle(self.model, request, self._most(request), call)

    def note(self, call: Call) -> None:
        """See `Purse.note`."""
        self.purse.note(self.model, call)

    def _most(self, request: ChatRequest) -> float:
        return self.cost(tokens_in(request), request.max_tokens) or 0.0


class Metered:
    """A `ChatModel` that asks its tape first, keeps to a budget, and records every call.

    `permit` is told the first time, before anything is sent, what is about to be; it raises
    when that is not allowed.
    """

    def __init__(
        self, model: ChatModel, account: Account, tape: Tape, permit: Callable[[Estimate], None]
    ) -> None:
        self._model = model
        self._account = account
        self._tape = tape
        self._permit = permit
        self._permitted = False
        self._lock = Lock()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def expect(self, requests: Sequence[ChatRequest]) -> None:
        """Have the requests that the tape cannot answer permitted, before the first is sent."""
        with self._lock:
            if self._permitted:
                return
            new = [request for request in requests if self._tape.get(request) is None]
            if not new:
                return
            into = sum(tokens_in(request) for request in new)
            out = sum(request.max_tokens for request in new)
            cost = self._account.cost(into, out)
            tape = len(requests) - len(new)
            limits = self._account.purse.limits
            self._permit(Estimate(self.name, len(new), into + out, cost, limits, tape))
            self._permitted = True

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply, from the tape where it is there. Raises as `ChatModel` does, and
        BudgetUsedUp."""
        kept = self._tape.get(request)
        if kept is not None:
            self._account.note(self._call(request, kept, taped=True))
            return kept
        self.expect([request])
        self._account.hold(request)
        # Whatever ends the request, what was set aside for it is freed.
        call: Call | None = self._failed(request, "interrupted", paid=True)
        try:
            reply = self._model.complete(request)
            call = self._call(request, reply)
        except BudgetUsedUp:
            call = None
            raise
        except Unanswered as error:
            call = self._failed(request, str(error), paid=error.paid)
            raise
        finally:
            self._account.settle(request, call)
        self._tape.put(request, reply)
        return reply

    def _call(self, request: ChatRequest, reply: ChatReply, *, taped: bool = False) -> Call:
        into, out = reply.tokens_in, reply.tokens_out
        if not into and not out:
            into, out = tokens_in(request), tokens_of(reply.text)
        cost = 0.0 if taped else self._account.cost(into, out)
        seconds = 0.0 if taped else reply.seconds
        return Call(request.prompt, reply.model, into, out, seconds, cost, taped)

    def _failed(self, request: ChatRequest, why: str, *, paid: bool) -> Call:
        into, out = (tokens_in(request), request.max_tokens) if paid else (0, 0)
        cost = self._account.cost(into, out)
        return Call(request.prompt, self.name, into, out, 0.0, cost, failed=why)
