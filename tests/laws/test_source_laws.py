import re

from hypothesis import given
from hypothesis import strategies as st

from reviser.manuscript.files import forbidden, normal
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Source, Span

CODECS = st.sampled_from([None, "utf-8", "latin-1", "cp1251", "cp1252", "utf-16", "cp932", "bogus"])
TEXTS = st.text(alphabet=st.sampled_from("ab\r\n\t é漢\u2028\x0c"), max_size=60)


@given(st.binary(max_size=200), CODECS)
def test_decoding_loses_no_byte(data: bytes, declared: str | None) -> None:
    assert Source.decode("x", data, declared=declared).encode() == data


@given(TEXTS)
def test_lines_tile_the_text_and_agree_with_counting(text: str) -> None:
    source = Source("x", text)
    lines = [source[source.line_span(n)] for n in range(1, source.line_count + 1)]
    assert "".join(lines) == text
    for offset in range(len(text) + 1):
        ended = len(re.findall(r"\r\n|\r|\n", text[:offset]))
        # inside CRLF the line has not ended yet
        ended -= text[max(offset - 1, 0) : offset + 1] == "\r\n"
        assert source.line(offset) == ended + 1
        assert source.line_span(source.line(offset)).start + source.column(offset) - 1 == offset


@given(TEXTS, st.data())
def test_undoing_an_edit_restores_every_byte(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    after = data.draw(TEXTS)
    source = Source("x", text)
    there = Replacement(Place("x", Span(start, stop)), text[start:stop], after)
    back = Replacement(Place("x", Span(start, start + len(after))), after, text[start:stop])
    edited = apply({"x": source}, [Edit("e", "r", (there,), Purpose.HUMAN, "")])["x"]
    assert edited.text == text[:start] + after + text[stop:]
    assert apply({"x": edited}, [Edit("e", "r", (back,), Purpose.HUMAN, "")])["x"] == source


@given(st.text(alphabet=st.sampled_from("a./\\~gitGIT: "), max_size=20))
def test_names_that_pass_stay_inside(name: str) -> None:
    folded = normal(name)
    assert normal(folded) == folded
    if forbidden(folded) is None:
        parts = folded.split("/")
        assert ".." not in parts
        assert ".git" not in [p.lower() for p in parts]
        assert not folded.startswith("/")
