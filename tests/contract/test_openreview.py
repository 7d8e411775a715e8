"""Fetching from OpenReview, over HTTP on loopback: pages, limits, faults, what is public."""

import json
from email.utils import formatdate

import pytest

from reviser.adapters.web.openreview import NotFetched, Site, of_forum, of_venue
from reviser.errors import UsageError
from reviser.review.corpus import gathered
from tests.fakes.openreview import VENUE, Fault, OpenReview, comment, paper, review

PAPERS = [
    paper(f"p{n}", reviews=[review(f"r{n}", f"p{n}"), comment(f"c{n}", f"p{n}")]) for n in range(7)
]


class Clock:
    """Waits without waiting."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def asking(server: OpenReview, clock: Clock, **more: float) -> Site:
    given: dict[str, float] = {"pace": 0.5, "patience": 100.0, "timeout": 10.0} | more
    return Site(
        server.base_url,
        pace=given["pace"],
        patience=given["patience"],
        timeout=given["timeout"],
        page=3,
        sleep=clock.sleep,
    )


def ids(lines: list[str]) -> list[str]:
    return [json.loads(line)["id"] for line in lines]


@pytest.mark.parametrize("counts", [True, False])
def test_a_venue_comes_page_by_page_at_a_pace(counts: bool) -> None:
    clock = Clock()
    with OpenReview(PAPERS) as server:
        server.count = counts
        lines = list(of_venue(asking(server, clock), VENUE, limit=100))
    assert ids(lines) == [f"p{n}" for n in range(7)]
    assert [(q["offset"], q["limit"]) for q in server.asked] == [("0", "3"), ("3", "3"), ("6", "3")]
    assert {q["invitation"] for q in server.asked} == {f"{VENUE}/-/Submission"}
    assert clock.waits == [0.5, 0.5]
    read = gathered(enumerate(lines), public_only=True)
    assert (len(read.corpus.papers), len(read.corpus.reviews), read.others) == (7, 7, 7)


@pytest.mark.parametrize(("limit", "pages"), [(1, 1), (3, 1), (4, 2)])
def test_no_more_than_the_limit_is_asked_for(limit: int, pages: int) -> None:
    with OpenReview(PAPERS) as server:
        lines = list(of_venue(asking(server, Clock()), VENUE, limit=limit))
    assert (len(lines), len(server.asked)) == (limit, pages)


def test_a_form_may_be_named_in_full() -> None:
    with OpenReview(PAPERS) as server:
        assert list(of_venue(asking(server, Clock()), f"{VENUE}/-/Edit", limit=2))
        assert server.asked[0]["invitation"] == f"{VENUE}/-/Edit"


def test_a_forum_gives_its_paper_and_all_its_notes() -> None:
    with OpenReview(PAPERS) as server:
        lines = list(of_forum(asking(server, Clock()), "p4"))
    assert ids(lines) == ["p4", "r4", "c4"]


def test_a_server_that_repeats_itself_ends_the_asking() -> None:
    with OpenReview(PAPERS) as server:
        server.deaf = True
        lines = list(of_venue(asking(server, Clock()), VENUE, limit=100))
    assert ids(lines) == ["p0", "p1", "p2"]
    assert len(server.asked) == 2


SAID = json.dumps(
    {"name": "RateLimitError", "message": "Too many requests: try again in 1 minute and 2 seconds"}
).encode()


@pytest.mark.parametrize(
    ("fault", "waited"),
    [
        (Fault(429, headers={"Retry-After": "7"}), 7.0),
        (Fault(429, headers={"Retry-After": formatdate(0, usegmt=True)}), 0.0),
        (Fault(429, headers={"Retry-After": "soon"}), 2.0),
        (Fault(429, body=SAID), 62.0),
        (Fault(500, body=b"<html>"), 2.0),
        (Fault(503), 2.0),
        (Fault(body=b'{"notes": [{"id": "p0", "for'), 2.0),
        (Fault(body=b'{"notes": []}', cut=True), 2.0),
        (Fault(body=b"\xff\xfe"), 2.0),
        (Fault(body=b"[" * 100_000), 2.0),
    ],
    ids=str,
)
def test_a_passing_fault_is_waited_out(fault: Fault, waited: float) -> None:
    clock = Clock()
    with OpenReview(PAPERS, [None, fault]) as server:
        lines = list(of_venue(asking(server, clock), VENUE, limit=100))
    assert ids(lines) == [f"p{n}" for n in range(7)]
    assert clock.waits == [0.5, waited, 0.5, 0.5]


def test_faults_that_do_not_pass_end_it_and_what_came_stands() -> None:
    clock, lines = Clock(), []
    with OpenReview(PAPERS, [None, *[Fault(502)] * 4]) as server:
        site = asking(server, clock, pace=0.0)
        with pytest.raises(NotFetched, match=r"did not answer: 502$"):
            lines += of_venue(site, VENUE, limit=100)
        got = of_venue(asking(server, clock), VENUE, limit=3)
        assert ids(list(got)) == ["p0", "p1", "p2"]
    assert clock.waits[:7] == [0.0, 2.0, 0.0, 4.0, 0.0, 8.0, 0.0]


def test_patience_has_an_end() -> None:
    clock = Clock()
    fault = Fault(429, headers={"Retry-After": "101"})
    with (
        OpenReview(PAPERS, [fault]) as server,
        pytest.raises(NotFetched, match="did not answer: 429"),
    ):
        list(of_venue(asking(server, clock), VENUE, limit=1))
    assert (clock.waits, len(server.asked)) == ([], 1)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (Fault(403, b'{"message": "no \\u001b[31mguests\\u202e"}'), r"403 \(no \[31mguests\)$"),
        (Fault(404), "refused: 404$"),
        (Fault(302, headers={"Location": "http://127.0.0.1:1/"}), "sends elsewhere"),
        (Fault(body=b'{"papers": []}'), "has no notes"),
        (Fault(body=b"[]"), "has no notes"),
    ],
    ids=str,
)
def test_what_will_not_pass_is_told_at_once(fault: Fault, why: str) -> None:
    with OpenReview(PAPERS, [fault]) as server:
        with pytest.raises(NotFetched, match=why) as raised:
            list(of_venue(asking(server, Clock()), VENUE, limit=1))
        assert len(server.asked) == 1
    assert raised.value.exit_code == 3


def test_nobody_listens() -> None:
    site = Site("http://127.0.0.1:9", pace=0.0, timeout=1.0, sleep=lambda _: None)
    with pytest.raises(NotFetched, match="the connection failed"):
        list(of_forum(site, "p1"))


@pytest.mark.parametrize(
    "url",
    [
        "http://api2.openreview.net",
        "ftp://api2.openreview.net",
        "file:///etc/passwd",
        "https://name:secret@api2.openreview.net",
        "https://api2.openreview.net/?token=secret",
        "https://[::1",
        "api2.openreview.net",
        "",
    ],
)
def test_an_address_that_is_no_https_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as raised:
        Site(url)
    assert "secret" not in f"{raised.value}{raised.value.hint}"


@pytest.mark.parametrize("venue", ["", "..", "a b", "x\n", "?q=1", "x" * 300])
def test_a_name_that_is_none_is_not_sent(venue: str) -> None:
    with OpenReview(PAPERS) as server:
        with pytest.raises(UsageError):
            list(of_venue(asking(server, Clock()), venue + "&", limit=1))
        assert server.asked == []


def test_only_what_everyone_may_read_is_kept() -> None:
    hidden = review("r9", "p9", readers=[f"{VENUE}/Area_Chairs"])
    silent = {k: v for k, v in review("r8", "p9").items() if k != "readers"}
    with OpenReview([paper("p9", reviews=[hidden, silent, review("r7", "p9")])]) as server:
        read = gathered(
            enumerate(of_venue(asking(server, Clock()), VENUE, limit=9)), public_only=True
        )
    assert [r.id for r in read.corpus.reviews] == ["r7"]
    assert [f.why for f in read.faults] == [
        "not everyone may read it",
        "it does not say who may read it",
    ]
