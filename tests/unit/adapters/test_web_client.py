"""How services are asked: pace, waits, limits, and what may become of a redirect."""

import json
import socket
import threading
import time
from collections.abc import Callable
from email.utils import formatdate
from urllib.request import getproxies

import pytest

from reviser.adapters.web import exchange as wire
from reviser.adapters.web.client import MISSING, Question, Service, Web, as_json
from reviser.adapters.web.exchange import Outgoing, Received, Unreached, exchange
from reviser.adapters.web.line import BUSY, FAILURES, Line, Meter
from reviser.adapters.web.waiting import CAP, asked_for, backoff
from reviser.literature.sources import Silent
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import Work

KITES = Work("Kites", doi="10.5555/kites", pdf=b"%PDF-1.4 kites", licence="cc-by")
ASKED = Question("/works", {"filter": "doi:10.5555/kites"})


class Clock:
    """A time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.time = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        if seconds:
            self.slept.append(seconds)


def web(clock: Clock, **more: float) -> Web:
    return Web(clock=clock, sleep=clock.sleep, now=clock, **more)  # type: ignore[arg-type]


def service(site: Scholar, name: str = "crossref", **more: object) -> Service:
    return Service("It", site.url(name), **more)  # type: ignore[arg-type]


def test_requests_keep_a_pace() -> None:
    clock = Clock()
    with scholar(KITES) as site:
        asking, it = web(clock), service(site, pace=3.0)
        for _ in range(3):
            assert isinstance(asking.ask(it, ASKED, as_json), dict)
    assert clock.slept == [3.0, 3.0]


def test_several_threads_keep_one_pace() -> None:
    clock = Clock()
    starts: list[float] = []
    line = Line(2.0, 4, clock)
    threads = [
        threading.Thread(target=lambda: starts.append(clock() + line.reserve())) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(starts) == [100.0 + 2 * n for n in range(8)]


@pytest.mark.parametrize(
    ("after", "slept"),
    [("4", [4.0]), ("", [1.0]), ("soon", [1.0]), (formatdate(109, usegmt=True), [9.0])],
)
def test_a_busy_service_is_left_alone_as_long_as_it_asks(after: str, slept: list[float]) -> None:
    clock = Clock()
    with scholar(KITES) as site:
        site.trouble("crossref", Trouble.BUSY, times=1, after=after)
        assert isinstance(web(clock).ask(service(site, pace=0.0), ASKED, as_json), dict)
    assert clock.slept == slept


def test_a_limit_that_is_told_as_a_refusal_is_waited_out() -> None:
    clock = Clock()
    with scholar(KITES) as site:
        site.trouble("openalex", Trouble.FORBIDDEN_FOR_NOW, times=2)
        it = service(site, "openalex", pace=0.0, keyed=True)
        assert isinstance(web(clock).ask(it, ASKED, as_json), dict)
    assert clock.slept == [1.0, 2.0]


def test_one_that_asks_for_too_long_is_not_asked_again() -> None:
    clock = Clock()
    with scholar(KITES) as site:
        site.trouble("crossref", Trouble.BUSY, times=1, after="3600")
        asking = web(clock)
        for _ in range(5):
            said = asking.ask(service(site), ASKED, as_json)
            assert said == Silent("It", "was asked too often")
        assert (site.asked["crossref"], clock.slept) == (1, [])


def test_a_service_that_fails_is_given_up_for_the_run() -> None:
    clock = Clock()
    with scholar(KITES) as site:
        site.trouble("crossref", Trouble.ERROR)
        asking = web(clock)
        for _ in range(20):
            said = asking.ask(service(site, pace=0.0), ASKED, as_json)
            assert said == Silent("It", "is out of order")
        assert site.asked["crossref"] == FAILURES
        site.mend()
        assert isinstance(asking.ask(service(site), ASKED, as_json), Silent)
        assert isinstance(web(clock).ask(service(site), ASKED, as_json), dict)
    assert clock.slept == [0.5, 1.0]


def test_a_success_in_between_starts_the_count_again() -> None:
    with scholar(KITES) as site:
        asking = web(Clock())
        for _ in range(6):
            site.trouble("crossref", Trouble.ERROR, times=FAILURES - 1)
            assert isinstance(asking.ask(service(site), ASKED, as_json), dict)


def test_another_service_goes_on() -> None:
    with scholar(KITES) as site:
        site.trouble("crossref", Trouble.ERROR)
        asking = web(Clock())
        assert isinstance(asking.ask(service(site), ASKED, as_json), Silent)
        assert isinstance(asking.ask(service(site, "openalex"), ASKED, as_json), dict)


def test_time_is_limited_for_all_together_but_counts_only_while_something_is_asked() -> None:
    clock = Clock()
    with scholar(KITES) as site:
        asking, it = web(clock, seconds=10.0), service(site, pace=4.0)
        said: list[object] = []
        for _ in range(5):
            said.append(asking.ask(it, ASKED, as_json))
            clock.time += 1000.0 if len(said) == 2 else 0.0
        out = Silent("It", "was not asked: out of time")
        assert [one == out for one in said] == [False, False, False, False, True]
        other = asking.ask(service(site, "openalex"), ASKED, as_json)
        assert isinstance(other, dict), "two seconds are left for those who need no wait"


def test_the_meter_counts_what_goes_on_side_by_side_once() -> None:
    clock = Clock()
    meter = Meter(10.0, clock)
    with meter:
        clock.time += 2
        with meter:
            clock.time += 3
    clock.time += 100
    assert meter.left == 5.0


def test_offline_nobody_is_asked() -> None:
    with scholar(KITES) as site:
        said = Web(offline=True).ask(service(site), ASKED, as_json)
        assert said == Silent("It", "was not asked: offline")
        assert not site.requests


def test_what_is_not_there_is_an_answer() -> None:
    with scholar(KITES) as site:
        asking = web(Clock())
        for _ in range(5):
            assert asking.ask(service(site), Question("/works/10.5555%2Fx"), as_json) is MISSING


@pytest.mark.parametrize(("keyed", "why"), [(False, "needs a key"), (True, "refused the key")])
def test_a_key_that_is_missing_or_wrong(keyed: bool, why: str) -> None:
    with scholar(KITES) as site:
        site.keys["openalex"] = "right"
        asking = web(Clock())
        for _ in range(3):
            it = service(site, "openalex", keyed=keyed)
            assert asking.ask(it, ASKED, as_json) == Silent("It", why)
        assert site.asked["openalex"] == 1


def test_a_question_that_is_refused_is_not_asked_again_and_again() -> None:
    with scholar(KITES) as site:
        asking = web(Clock())
        for _ in range(10):
            said = asking.ask(service(site), Question("/works", {"nonsense": "1"}), as_json)
            assert said == Silent("It", "refused the question")
        assert site.asked["crossref"] == FAILURES


def test_large_answers_are_cut_off() -> None:
    with scholar(KITES) as site:
        said = web(Clock()).ask(service(site, largest=100), ASKED, as_json)
        assert said == Silent("It", "gave an answer that is too large")


@pytest.mark.parametrize("trouble", [Trouble.MUTE, Trouble.DRIP])
def test_a_service_without_a_word_is_down_and_one_that_spoke_is_late(trouble: Trouble) -> None:
    with scholar(KITES) as site:
        asking = Web(first_word=0.3, sleep=lambda _: None)
        site.trouble("crossref", trouble)
        begun = time.monotonic()
        assert str(asking.ask(service(site), ASKED, as_json)) == "It did not answer in time"
        assert time.monotonic() - begun < 2
        it = service(site, "openalex", seconds=0.3, pace=0.0)
        assert isinstance(asking.ask(it, ASKED, as_json), dict)
        site.trouble("openalex", trouble, times=1)
        assert isinstance(asking.ask(it, ASKED, as_json), dict)
        site.trouble("openalex", trouble)
        assert str(asking.ask(it, ASKED, as_json)) == "It did not answer in time"


def _file(url: str) -> Question:
    return Question(url, kinds=("application/pdf",), elsewhere=True)


def test_files_are_fetched_from_where_the_operator_named() -> None:
    with scholar(KITES) as site:
        url = f"{site.base}/files/0.pdf"
        it = Service("host", site.base)
        assert Web(trusted=[site.base]).ask(it, _file(url), bytes) == KITES.pdf
        said = Web().ask(it, _file(url), bytes)
        assert said == Silent("host", "its address is not public")
        assert site.asked["files"] == 1


def test_a_redirect_to_this_machine_is_not_followed() -> None:
    with scholar(KITES) as site:
        site.trouble("files", Trouble.ELSEWHERE)
        it = Service("host", site.base)
        said = Web(trusted=[site.base]).ask(it, _file(f"{site.base}/files/0.pdf"), bytes)
        assert said == Silent("host", "its address is not public")


def test_secrets_do_not_go_with_a_question_elsewhere() -> None:
    with scholar(KITES) as site:
        it = Service("host", site.base, headers={"x-api-key": "K"}, secrets={"api_key": "K"})
        Web(trusted=[site.base]).ask(it, _file(f"{site.base}/files/0.pdf"), bytes)
        (request,) = site.requests
        assert "K" not in request.headers.values()
        assert not request.query


def test_a_name_that_turns_out_to_be_private_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def private(host: str, port: int, **_: object) -> list[object]:
        return [(0, 0, 0, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", private)
    if getproxies():
        monkeypatch.setenv("no_proxy", "*")
    it = Service("host", "http://example.org")
    assert Web().ask(it, _file("http://example.org/x"), bytes) == Silent(
        "host", "its address is not public"
    )


def test_a_body_that_is_sent_is_json() -> None:
    with scholar(KITES) as site:
        question = Question(
            "/paper/batch", {"fields": "title"}, json='{"ids": ["DOI:10.5555/kites"]}'
        )
        said = web(Clock()).ask(service(site, "semantic-scholar"), question, as_json)
        assert isinstance(said, list)
        assert json.loads(site.requests[0].body) == {"ids": ["DOI:10.5555/kites"]}
        assert site.requests[0].headers["Content-Type"] == "application/json"


def test_an_exchange_ends_when_its_time_is_over_and_leaves_nothing_behind() -> None:
    with scholar(KITES) as site:
        site.trouble("crossref", Trouble.DRIP)
        before = threading.active_count()
        with pytest.raises(Unreached, match="did not answer in time"):
            exchange(Outgoing(site.url("crossref"), {}), seconds=0.3)
        _until(lambda: threading.active_count() <= before + 1)


def _until(done: Callable[[], bool]) -> None:
    for _ in range(100):
        if done():
            return
        time.sleep(0.02)
    raise AssertionError("it never came about")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0), ("0", 0.0), ("-5", 0.0), ("2.5", 2.5), ("nan", None), ("inf", None), ("", None),
        ("x", None), (formatdate(1000, usegmt=True), 0.0), (formatdate(2000, usegmt=True), 400.0),
    ],
)  # fmt: skip
def test_what_a_server_asks_for(value: str, seconds: float | None) -> None:
    assert asked_for({"retry-after": value}, 1600.0) == seconds


def test_waits_grow_up_to_a_cap() -> None:
    waits = [backoff(n) for n in range(1, 40)]
    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (0.5, 1.0, CAP)


def test_no_key_is_in_what_is_printed_of_a_question() -> None:
    shown = repr(Outgoing("https://x.org/?api_key=K3Y", {"x-api-key": "K3Y"}, b"K3Y"))
    assert "K3Y" not in shown


class Wire:
    """Answers in the place of a server: the same for ever, or one after the other."""

    def __init__(self, clock: Clock, *answers: Received) -> None:
        self.clock = clock
        self.answers = answers
        self.asked: list[Outgoing] = []
        self.seconds: list[float] = []

    def __call__(self, outgoing: Outgoing, *, seconds: float) -> Received:
        assert len(self.asked) < 50, "it goes on for ever"
        self.asked.append(outgoing)
        self.seconds.append(seconds)
        self.clock.time += 3
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def _moved(where: str) -> Received:
    return Received(302, {"location": where}, b"")


OK = Received(200, {"content-type": "application/json"}, b"{}")
HERE = Service("It", "https://x.org", secrets={"api_key": "K3Y"}, headers={"x-api-key": "K3Y"})


def test_redirects_end_and_share_the_time_of_one_request(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    told = Wire(clock, _moved("/again"))
    monkeypatch.setattr(wire, "exchange", told)
    assert web(clock).ask(HERE, ASKED, as_json) == Silent("It", "sends elsewhere")
    assert len(told.asked) == 5
    assert told.seconds[0] - told.seconds[1] == 3


def test_what_was_sent_is_not_sent_once_more_to_where_a_redirect_leads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    told = Wire(clock, _moved("/again"), OK)
    monkeypatch.setattr(wire, "exchange", told)
    said = web(clock).ask(HERE, Question("/batch", json="{}"), as_json)
    assert said == Silent("It", "sends elsewhere")
    assert len(told.asked) == 1


@pytest.mark.parametrize(
    "where", ["https://y.org/a", "http://x.org/a", "//y.org/a", "https://[::1"]
)
def test_a_key_never_follows_a_redirect_to_another_place(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    told = Wire(clock, _moved(where), OK)
    monkeypatch.setattr(wire, "exchange", told)
    assert isinstance(web(clock).ask(HERE, ASKED, as_json), Silent)
    assert len(told.asked) == 1


def test_a_file_that_lies_elsewhere_is_fetched_without_keys_and_from_public_places_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    told = Wire(clock, _moved("https://y.org/a"), OK)
    monkeypatch.setattr(wire, "exchange", told)
    question = Question("https://x.org/a", elsewhere=True)
    asking = Web(trusted=["https://x.org"], clock=clock, sleep=clock.sleep)
    assert asking.ask(HERE, question, as_json) == {}
    assert [(o.url, o.public) for o in told.asked] == [
        ("https://x.org/a", False),
        ("https://y.org/a", True),
    ]
    assert not any("K3Y" in f"{o.url} {dict(o.headers)}" for o in told.asked)


@pytest.mark.parametrize(
    "answer",
    [
        Received(200, {"content-type": "text/html"}, b"{}"),
        Received(200, {}, b"{}"),
        Received(200, {"content-type": "application/json"}, b"{}", whole=False),
        Received(200, {"content-type": "application/json"}, b"[" * 100_000),
    ],
)
def test_what_is_not_whole_or_of_another_kind_is_not_read(
    answer: Received, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(wire, "exchange", Wire(clock, answer))
    said = web(clock).ask(HERE, ASKED, as_json)
    assert said == Silent("It", "gave an answer that cannot be read")


def _busy(after: str = "") -> Received:
    return Received(429, {"retry-after": after} if after else {}, b"")


def test_nobody_waits_longer_than_is_left_or_than_half_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seconds, after in ((1000.0, "40"), (10.0, "20")):
        clock = Clock()
        told = Wire(clock, _busy(after))
        monkeypatch.setattr(wire, "exchange", told)
        said = web(clock, seconds=seconds).ask(HERE, ASKED, as_json)
        assert said == Silent("It", "was asked too often")
        assert (len(told.asked), clock.slept) == (1, [])


def test_one_that_is_always_busy_is_left_alone_and_not_as_soon_as_one_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    monkeypatch.setattr(wire, "exchange", Wire(clock, _busy(), _busy(), _busy(), OK))
    assert web(clock).ask(HERE, ASKED, as_json) == {}
    clock = Clock()
    told = Wire(clock, _busy("0"))
    monkeypatch.setattr(wire, "exchange", told)
    said = web(clock).ask(HERE, ASKED, as_json)
    assert said == Silent("It", "was asked too often")
    assert len(told.asked) == BUSY


def test_who_waits_for_a_place_is_sent_away_when_time_is_over_or_the_service_is_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[object] = []
    asking = Web(seconds=0.2)
    asking._line(HERE).places.acquire()
    waiting = threading.Thread(
        target=lambda: said.append(asking.ask(HERE, ASKED, as_json)), daemon=True
    )
    waiting.start()
    waiting.join(10)
    assert said == [Silent("It", "was not asked: out of time")]

    class Place:
        """One that comes free when the service has been given up."""

        def acquire(self, timeout: float) -> bool:
            line.silence("is out of order")
            return True

        def release(self) -> None: ...

    clock = Clock()
    told = Wire(clock, OK)
    monkeypatch.setattr(wire, "exchange", told)
    later = web(clock)
    line = later._line(HERE)
    line.places = Place()  # type: ignore[assignment]
    assert later.ask(HERE, ASKED, as_json) == Silent("It", "is out of order")
    assert not told.asked


def test_the_meter_runs_while_something_is_under_way() -> None:
    clock = Clock()
    meter = Meter(10.0, clock)
    with meter:
        clock.time += 4
        assert meter.left == 6.0
    assert meter.left == 6.0


def test_no_more_is_read_than_is_wanted() -> None:
    with scholar(KITES) as site:
        url = f"{site.url('crossref')}/works?filter=doi:10.5555/kites"
        answer = exchange(Outgoing(url, {}, largest=100), seconds=5)
        assert (answer.large, len(answer.body)) == (True, 101)
