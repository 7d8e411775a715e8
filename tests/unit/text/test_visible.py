"""What a reader sees of a text, on one line or on several."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.text.visible import visible, visible_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb", "a\nb"),
        ("\n\na\r\n\r\n \n\tb  c\n\n", "a\n\nb c"),
        ("a\u200b\u202e\n\u200b\nb\x00", "a\n\nb"),
        ("", ""),
        ("\u2028\u200b\n", ""),
    ],
)
def test_lines_stay_and_what_nobody_sees_does_not(text: str, lines: str) -> None:
    assert visible_lines(text) == lines


@given(st.text())
def test_both_show_the_same_words(text: str) -> None:
    assert visible(visible_lines(text)) == visible(text)
    assert visible_lines(visible_lines(text)) == visible_lines(text)
    assert "\n\n\n" not in visible_lines(text)
