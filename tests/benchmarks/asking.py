"""What reviser itself costs beside a chat model, and what asking side by side saves.

A scripted server on this machine is asked through the real client. The overhead of a call is the
processor time of the thread that asks: prompt, limits, tape, client, the checks of the reply, but
no waiting. Serial and side by side are wall times of the same calls, on a server that takes a fixed
while for each.
"""

import time
from statistics import median

from reviser.adapters.cache import FileCache
from reviser.adapters.openai_chat.client import OpenAIChat
from reviser.adapters.openai_chat.endpoint import Endpoint
from reviser.adapters.tape import ReplyTape
from reviser.adapters.workers import Threads
from reviser.app.own_prompts import prompts_of
from reviser.asking import Answered
from reviser.budget import Limits, Metered, Price, Purse
from reviser.roles import Question, Role
from reviser.verify.chat_entailment import Opinion
from tests.benchmarks.bars import Bar, at_most
from tests.fakes.openai_server import OpenAIServer, Say, opinion
from tests.fakes.roles import OneByOne

CALLS = 24
AFTER = 0.25
"""Seconds that the server takes for an answer; real ones take longer."""
WORK = "Salt melts in water, and floats on brine. " * 60


def measure() -> list[Bar]:
    """Both bars of the issue."""
    return [overhead(), parallel()]


def overhead() -> Bar:
    """The processor time of one call."""
    with OpenAIServer(lambda _: Say(opinion(3))) as server:
        ask, close = asker(server, 1)
        ask(0, 1)  # loads the client
        spent = []
        for number in range(1, CALLS + 1):
            began = time.thread_time()
            ask(number, number + 1)
            spent.append(time.thread_time() - began)
        close()
    milliseconds = 1000 * median(spent)
    worst = f"at most {1000 * max(spent):.1f} ms in {CALLS} calls"
    return at_most("reviser's own time a call, ms", milliseconds, 50, worst)


def parallel() -> Bar:
    """Eight at a time beside one at a time."""
    with OpenAIServer(lambda _: Say(opinion(3), after=AFTER)) as server:
        seconds = []
        for workers in (1, 8):
            ask, close = asker(server, workers)
            ask(0, 1)
            began = time.monotonic()
            ask(1, CALLS + 1)
            seconds.append(time.monotonic() - began)
            close()
    serial, together = seconds
    detail = f"{together:.2f} s beside {serial:.2f} s for {CALLS} calls of {AFTER:g} s"
    return at_most("8 calls at a time, share of serial time", together / serial, 1 / 3, detail)


def asker(server: OpenAIServer, workers: int):  # type: ignore[no-untyped-def]
    """Asks the questions with the numbers from `first` to before `stop`; and how to end."""
    account = Purse(Limits(10.0, 10**9, 10**6, 60.0), time.monotonic).account("m", Price(1, 2))
    door = OpenAIChat(Endpoint(model="m", base_url=server.base_url), admit=account.admit)
    cache = FileCache(lambda: None, lambda _: None, lambda _: None)
    tape = ReplyTape(cache, {"host": "h", "model": "m"})
    meter = Metered(door, account, tape, lambda _: None)
    # One at a time stays in this thread, whose processor time is measured.
    side_by_side = OneByOne() if workers == 1 else Threads(workers)
    helper = Role("helper", meter, prompts_of(None), side_by_side, 32_000)

    def ask(first: int, stop: int) -> None:
        questions = [
            Question("verify-support", {"work": WORK, "claim": f"Salt melts {n} times."}, Opinion)
            for n in range(first, stop)
        ]
        answers = helper.ask_each(questions)
        assert all(isinstance(answer, Answered) for answer in answers)

    return ask, door.close
