import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.deliver.commands import (
    Apply,
    Check,
    Command,
    Explain,
    Help,
    Ignore,
    Review,
    Unknown,
    find,
    parse,
)
from reviser.deliver.ledger import Ledger, Point, Status


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ("/reviser", Help()),
        ("/reviser help", Help()),
        ("/Reviser CHECK\r\nthank you", Check()),
        ("\n/reviser check", Check()),
        ("/reviser review", Review()),
        ("/reviser REVIEW ", Review()),
        ("/reviser review please", Unknown("review", "nothing may follow it")),
        ("/reviser apply abcd", Apply(("abcd",))),
        ("/reviser apply `ABCD1234`, 00ff abcd1234", Apply(("abcd1234", "00ff"))),
        ("/reviser apply all", Apply(everything=True)),
        ("/reviser ignore abcd  it is\tmeant ", Ignore("abcd", "it is meant")),
        ("/reviser ignore abcd", Ignore("abcd")),
        ("/reviser ignore abcd a\x00b\u202e", Ignore("abcd", "ab")),
        ("/reviser explain abcd1234", Explain("abcd1234")),
    ],
)
def test_what_can_be_asked_for(body: str, command: Command) -> None:
    assert parse(body) == command


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Please /reviser check",
        "> /reviser check",
        "    /reviser check",
        "\t/reviser check",
        "```\n/reviser check\n```",
        "Hello\n/reviser check",
        "/reviserbot check",
        "/reviser-check",
        "/reviser/check",
        "`/reviser check`",
    ],
)
def test_other_text_asks_for_nothing(body: str) -> None:
    assert parse(body) is None


@pytest.mark.parametrize(
    ("body", "verb"),
    [
        ("/reviser merge", "merge"),
        ("/reviser apply", "apply"),
        ("/reviser apply abc", "apply"),
        ("/reviser apply all abcd", "apply"),
        ("/reviser apply " + "abcd " * 51, "apply"),
        ("/reviser ignore because", "ignore"),
        ("/reviser explain abcd why", "explain"),
        ("/reviser explain ../../x", "explain"),
        ("/reviser check now", "check"),
        ("/reviser " + "x" * 100, "x" * 40),
        ("/reviser check" + " " * 3000, ""),
    ],
)
def test_what_cannot_be_understood_is_named(body: str, verb: str) -> None:
    found = parse(body)
    assert isinstance(found, Unknown)
    assert found.verb == verb


@given(st.text(max_size=300).map(lambda text: f"/reviser {text}"))
def test_any_text_is_read_without_a_line_break_or_control(body: str) -> None:
    match parse(body):
        case Ignore(name, reason):
            assert len(reason) <= 200
            assert reason.isprintable()
            assert name.isalnum()
        case Unknown(verb):
            assert len(verb) <= 40
            assert verb.isprintable()
        case found:
            assert found is not None


def test_an_id_is_found_by_its_beginning() -> None:
    points = (
        Point("abcd11112222", "r", "p", Status.RAISED, was=("9999aaaabbbb",)),
        Point("abcd22223333", "r", "p", Status.RAISED),
    )
    ledger = Ledger(points)
    assert find(ledger, None, "abcd1") == ("abcd11112222",)
    assert find(ledger, None, "9999") == ("abcd11112222",)
    assert find(ledger, None, "abcd") == ("abcd11112222", "abcd22223333")
    assert find(ledger, None, "0000") == ()
    assert find(ledger, None, "abc") == ()
