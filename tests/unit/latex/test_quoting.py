import pytest

from reviser.latex.quoting import quoted_in

TEXT = "It reaches ``state\n  of the art'' — 38% lower — on the well-known data."


@pytest.mark.parametrize(
    "quote", ['"state of the art"', "38% lower", "the well‐known data", "It  reaches"]
)
def test_white_space_and_lookalikes_make_no_difference(quote: str):
    assert quoted_in(TEXT, quote) is not None


@pytest.mark.parametrize("quote", ["", " -- ", "tate of the art", "It Reaches", "8% lower", "39%"])
def test_nothing_else_is_forgiven(quote: str):
    assert quoted_in(TEXT, quote) is None


def test_the_place_is_that_of_the_text():
    at = quoted_in(TEXT, '"state of the art"')
    assert at is not None
    assert TEXT[at.start : at.stop] == "``state\n  of the art''"
