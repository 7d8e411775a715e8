import base64
import json
import random
import zlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.deliver.ledger import Ledger, Point, Status, sketch
from reviser.deliver.state import LIMIT, decode, encode

HEX = "0123456789abcdef"
marks = st.text(HEX, min_size=12, max_size=12)
printable = st.text(max_size=60).filter(str.isprintable)
points = st.builds(
    Point,
    id=marks,
    rule=st.sampled_from(["citation-off-topic", "bib-year"]),
    path=st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    status=st.sampled_from(Status),
    subject=st.one_of(st.just(""), st.text(HEX, min_size=8, max_size=8)),
    sketch=st.lists(st.integers(0, 65535), max_size=12).map(tuple),
    old=st.one_of(st.just(""), marks),
    new=st.one_of(st.just(""), marks),
    old_lines=st.integers(0, 99),
    new_lines=st.integers(0, 99),
    inline=st.booleans(),
    commit=st.one_of(st.just(""), st.text(HEX, min_size=40, max_size=40)),
    who=printable,
    why=printable,
    was=st.lists(marks, max_size=3).map(tuple),
)
ledgers = st.builds(
    Ledger,
    st.lists(points, max_size=12, unique_by=lambda p: p.id).map(tuple),
    st.lists(st.text(HEX, min_size=40, max_size=40), max_size=5).map(tuple),
    barred=st.one_of(st.just(""), st.text(HEX, min_size=40, max_size=40)),
)


def crowd(count: int, seed: int = 1) -> Ledger:
    """A ledger of points that have nothing in common and so compress badly."""
    chance = random.Random(seed)  # noqa: S311 - literals for a test

    def mark() -> str:
        return f"{chance.getrandbits(48):012x}"

    statuses = list(Status)
    return Ledger(
        tuple(
            Point(
                mark(),
                "rule",
                "a.tex",
                statuses[n % len(statuses)],
                sketch=tuple(chance.getrandbits(16) for _ in range(12)),
                new=mark(),
                inline=n % 2 == 0,
                why=mark() if statuses[n % len(statuses)] is Status.DISMISSED else "",
            )
            for n in range(count)
        )
    )


@given(ledgers)
def test_what_is_written_is_read(ledger: Ledger) -> None:
    assert decode(f"Some text\n{encode(ledger)}\n") == ledger
    assert not decode(encode(ledger)).damaged


def test_the_block_is_hidden_and_has_no_end_of_comment_inside() -> None:
    block = encode(crowd(50))
    assert block.startswith("<!-- reviser:state v1 ")
    assert block.index("-->") == len(block) - 3


@pytest.mark.parametrize("count", [100, 300, 1500])
def test_the_block_stays_small_and_dismissed_points_go_last(count: int) -> None:
    ledger = crowd(count)
    block = encode(ledger)
    assert len(block) <= LIMIT
    kept = decode(block)
    assert not kept.damaged
    lost = {p.id for p in ledger.points} - {p.id for p in kept.points}
    if lost & {p.id for p in ledger.having(Status.DISMISSED)}:
        assert not kept.having(Status.RAISED, Status.STALE, Status.ACCEPTED, Status.SUGGESTED)
    if lost & {p.id for p in ledger.having(Status.RAISED)}:
        assert not kept.having(Status.STALE)
    order = [p.id for p in ledger.points]
    assert [p.id for p in kept.points] == [m for m in order if m not in lost]


def test_only_as_much_is_left_out_as_must_be() -> None:
    assert len(encode(crowd(1500))) > LIMIT - 500


def test_without_a_block_nothing_is_known_and_nothing_is_wrong() -> None:
    assert decode("") == Ledger()
    assert not decode("A summary without a state").damaged


def packed(value: object) -> str:
    data = base64.b64encode(zlib.compress(json.dumps(value).encode())).decode()
    return f"<!-- reviser:state v1 {data} -->"


GOOD: dict[str, object] = {
    "paths": ["a.tex"], "rules": ["r"], "reviewed": [], "points": [["0" * 12]]
}  # fmt: skip


def test_the_smallest_block_is_read() -> None:
    assert decode(packed(GOOD)).points == (Point("0" * 12, "r", "a.tex", Status.RAISED),)


@pytest.mark.parametrize(
    "value",
    [
        [],
        GOOD | {"more": 1},
        GOOD | {"paths": []},
        GOOD | {"paths": "a.tex"},
        GOOD | {"points": [["0" * 12], ["0" * 12]]},
        GOOD | {"points": [[]]},
        GOOD | {"points": [["0" * 12, -1]]},
        GOOD | {"points": [["0" * 12, True]]},
        GOOD | {"points": [["0" * 11]]},
        GOOD | {"points": [["0" * 12, 0, 0, 9]]},
        GOOD | {"points": [["0" * 12, 0, 0, 0, 0, "", [70000]]]},
        GOOD | {"points": [["0" * 12, 0, 0, 3, 0, "", [], "", "", 0, 0, "", "", "a\nb"]]},
        GOOD | {"points": [["0" * 12, *[0] * 20]]},
        GOOD | {"reviewed": ["--output=x"]},
    ],
)
def test_what_a_ledger_could_not_hold_is_not_believed(value: object) -> None:
    ledger = decode(packed(value))
    assert ledger.damaged
    assert not ledger.points


@pytest.mark.parametrize(
    "block",
    [
        "<!-- reviser:state v1 !!!! -->",
        "<!-- reviser:state v1 AAAA -->",
        "<!-- reviser:state v2 AAAA -->",
        "<!-- reviser:state v1 " + "A" * 30000 + " -->",
        "<!-- reviser:state",
        "<!-- reviser:state v1 " + base64.b64encode(b"x" * 99).decode() + " -->",
        packed(GOOD).replace("v1 eJ", "v1 eK"),
    ],
)
def test_a_damaged_block_is_told(block: str) -> None:
    assert decode(block).damaged


def test_a_block_that_would_unfold_to_much_is_refused() -> None:
    bomb = base64.b64encode(zlib.compress(b" " * 5_000_000, 9)).decode()
    assert len(bomb) < LIMIT
    assert decode(f"<!-- reviser:state v1 {bomb} -->").damaged


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    decode(f"<!-- reviser:state v1 {base64.b64encode(data).decode()} -->")
    decode(f"<!-- reviser:state v1 {base64.b64encode(zlib.compress(data)).decode()} -->")


def test_a_quoted_block_further_up_is_not_taken() -> None:
    mine = Ledger((Point("a" * 12, "r", "p", Status.RAISED),))
    other = Ledger((Point("b" * 12, "r", "p", Status.DISMISSED),))
    assert decode(f"> {encode(other)}\n{encode(mine)}") == mine


def test_words_that_cannot_be_written_down_do_not_spoil_the_rest() -> None:
    odd = Point("a" * 12, "r", "p\n\x00", Status.DISMISSED, who="a" * 200, why="one\ntwo\u202e")
    kept = decode(encode(Ledger((odd,))))
    assert kept.points == (replace(odd, who="a" * 100, why="one two "),)


def test_sketches_of_rephrased_sentences_share_more_than_those_of_others() -> None:
    one = sketch("Large models predict the stability of perovskite crystals well")
    near = sketch("Large language models predict stability of perovskite crystals quite well")
    far = sketch("Sea ice in the Arctic has been shrinking since satellites began to look")
    common = [sum(a == b for a, b in zip(one, s, strict=True)) for s in (near, far)]
    assert common[0] >= 6
    assert common[1] <= 1
    assert sketch("") == ()
