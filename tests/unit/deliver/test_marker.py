import base64

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options
from hypothesis import given
from hypothesis import strategies as st

from reviser.deliver.marker import Mark, mark, read_marks

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4), st.text(max_size=20))
def test_what_was_written_is_read(data, around):
    text = mark("comment", data)
    assert read_marks(f"{around}\n{text}{around}") == (Mark("comment", data),)
    assert text.count("--") == 2
    html = cmarkgfm.github_flavored_markdown_to_html(f"a\n\n{text}\n", Options.CMARK_OPT_UNSAFE)
    assert html == f"<p>a</p>\n{text}\n"


def test_several_marks_are_read_in_order():
    body = mark("summary", {"paper": "x/"}) + "\n" + mark("answer", {"to": 3})
    assert [(m.kind, dict(m.data)) for m in read_marks(body)] == [
        ("summary", {"paper": "x/"}),
        ("answer", {"to": 3}),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<!-- reviser:comment v2 e30= -->",
        "<!-- reviser:comment v1 e30 -->",
        "<!-- reviser:comment v1 W10= -->",  # a list
        "<!-- reviser:comment v1 e30=  -->",
        "<!-- reviser:state v1 e30= -->",
        f"<!-- reviser:comment v1 {base64.b64encode(b'[' * 5000).decode()} -->",
        f"<!-- reviser:comment v1 {base64.b64encode(bytes([255, 254])).decode()} -->",
    ],
)
def test_what_is_no_mark_is_left_out(body):
    assert read_marks(body) == ()


def test_a_mark_that_nobody_could_read_is_not_written():
    with pytest.raises(ValueError, match="longer"):
        mark("comment", {"points": ["f" * 12] * 1000})
    with pytest.raises(ValueError, match="kind"):
        mark("state", {})
    with pytest.raises(ValueError, match="kind"):
        mark("a b", {})
