import pytest

from reviser.adapters.github.faults import AGAIN, Absent, Fault, error, wait
from reviser.deliver.forge import Forbidden, Limited, Moved, Unavailable, Unprocessable

NOW = 1_800_000_000.0


def limit(**headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fault(403, "API rate limit exceeded for installation", named)


# fault, seconds before a read is repeated, before a write is, and what is told in the end
TABLE = {
    "no answer": (Fault(0, "ConnectTimeout"), 1, None, Unavailable),
    "500": (Fault(500), 1, None, Unavailable),
    "502 after it may have happened": (Fault(502, "Server Error"), 1, None, Unavailable),
    "503 that asks to come back": (Fault(503, "", {"retry-after": "7"}), 1, None, Unavailable),
    "429": (Fault(429, "", {"retry-after": "7"}), 7, 7, Limited),
    "429 without a time": (Fault(429), 60, 60, Limited),
    "403 with a time": (Fault(403, "slow down", {"retry-after": "3"}), 3, 3, Limited),
    "403 with a wrong time": (Fault(403, "", {"retry-after": "soon"}), 60, 60, Limited),
    "403 with a time gone by": (Fault(403, "", {"retry-after": "-5"}), 0, 0, Limited),
    "primary limit": (
        limit(x_ratelimit_remaining="0", x_ratelimit_reset=str(NOW + 40)), 41, 41, Limited
    ),
    "primary limit that is over": (
        limit(x_ratelimit_remaining="0", x_ratelimit_reset=str(NOW - 40)), 1, 1, Limited
    ),
    "secondary limit": (
        Fault(403, "You have exceeded a secondary rate limit. Please wait a few minutes"),
        60, 60, Limited,
    ),
    "secondary limit with requests left": (
        limit(x_ratelimit_remaining="4000", x_ratelimit_reset=str(NOW + 999)), 60, 60, Limited
    ),
    "GraphQL limit": (Fault(200, "too much", {}, ("RATE_LIMITED",)), 60, 60, Limited),
    "403": (Fault(403, "Resource not accessible by integration"), None, None, Forbidden),
    "403 with requests left": (
        Fault(403, "Must have admin rights", {"x-ratelimit-remaining": "12"}),
        None, None, Forbidden,
    ),
    "401": (Fault(401, "Bad credentials"), None, None, Forbidden),
    "404": (Fault(404, "Not Found"), None, None, Absent),
    "307 to a new name": (Fault(307, "Temporary Redirect"), None, None, Forbidden),
    "410": (Fault(410, "Issues are disabled"), None, None, Forbidden),
    "422": (Fault(422, "Validation Failed; line must be part of the diff"), None, None,
            Unprocessable),
    "409": (Fault(409, "Git Repository is empty."), None, None, Unprocessable),
    "413": (Fault(413), None, None, Unprocessable),
    "GraphQL: moved": (Fault(200, "Expected branch", {}, ("STALE_DATA",)), None, None, Moved),
    "GraphQL: forbidden": (Fault(200, "no", {}, ("FORBIDDEN",)), None, None, Forbidden),
    "GraphQL: gone": (Fault(200, "no", {}, ("NOT_FOUND",)), None, None, Absent),
    "GraphQL: refused": (Fault(200, "rule violations", {}, ("UNPROCESSABLE",)), None, None,
                         Unprocessable),
    "GraphQL: broke off": (
        Fault(200, "Something went wrong while executing your query."), 1, None, Unavailable
    ),
    "GraphQL: no service": (Fault(200, "", {}, ("SERVICE_UNAVAILABLE",)), 1, None, Unavailable),
    "GraphQL: bad gateway": (Fault(502, "", {}, ("X",)), 1, None, Unavailable),
    "GraphQL: wrong document": (Fault(200, "Field 'x' doesn't exist"), None, None, Unprocessable),
}  # fmt: skip


@pytest.mark.parametrize(("fault", "read", "write", "told"), TABLE.values(), ids=TABLE)
def test_what_a_fault_means(fault, read, write, told):
    assert wait(fault, 0, write=False, now=NOW, pause=1.0) == read
    assert wait(fault, 0, write=True, now=NOW, pause=1.0) == write
    assert type(error(fault, "take a comment")) is told


def test_waits_grow_and_end():
    waits = [wait(Fault(502), n, write=False, now=NOW, pause=0.5) for n in range(AGAIN + 1)]
    assert waits == [0.5, 1.0, 2.0, None]
    limits = [wait(Fault(429), n, write=True, now=NOW, pause=1.0) for n in range(9)]
    assert limits[:3] == [60, 120, 240]
    assert limits[-1] is None


def test_what_is_told():
    told = error(Fault(422, "Validation Failed;\n line  is wrong" + "x" * 900), "take a review")
    assert str(told).startswith("GitHub did not take a review: Validation Failed; line is wrongx")
    assert str(told).endswith("(422)")
    assert len(str(told)) < 500
    assert "40 seconds" in error(Fault(429), "x", seconds=40.2).hint
    assert "expired" in error(Fault(401), "x").hint
    assert "pull-requests: write" in error(Fault(403), "x").hint
    assert error(Fault(404), "x").exit_code == 3
