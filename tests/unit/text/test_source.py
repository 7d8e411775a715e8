import pytest

from reviser.text.source import Place, Source, Span


@pytest.mark.parametrize(
    ("data", "declared", "encoding", "text"),
    [
        (b"plain", None, "utf-8", "plain"),
        ("naïve".encode(), "cp1251", "utf-8", "naïve"),
        ("\ufeffbom".encode(), None, "utf-8", "\ufeffbom"),
        ("прилив".encode("cp1251"), "cp1251", "cp1251", "прилив"),
        (b"caf\xe9", "latin-1", "latin-1", "café"),
        (b"caf\xe9", None, "latin-1", "café"),
        (b"caf\xe9", "no-such-codec", "latin-1", "café"),
        (b"\xff\xfe\x00", "utf-16", "latin-1", "\xff\xfe\x00"),
        (b"zip\xe9", "zlib_codec", "latin-1", "zipé"),
        (b"\x98", "cp1251", "latin-1", "\x98"),  # a byte that cp1251 does not have
        (b"", None, "utf-8", ""),
    ],
)
def test_bytes_come_back_whatever_the_encoding(
    data: bytes, declared: str | None, encoding: str, text: str
) -> None:
    source = Source.decode("x.tex", data, declared=declared)
    assert (source.encoding, source.text) == (encoding, text)
    assert source.encode() == data


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a\nb\n", "lf"),
        ("a\r\nb", "crlf"),
        ("a\rb", "cr"),
        ("a\r\nb\n", "mixed"),
        ("a\n\rb", "mixed"),
        ("a", "none"),
        ("", "none"),
    ],
)
def test_newline_kinds(text: str, kind: str) -> None:
    assert Source("x", text).newline == kind


def test_lines_and_columns_are_counted_from_one() -> None:
    source = Source("x", "ab\r\ncd\n\nef")
    assert [source.line(n) for n in (0, 3, 4, 6, 7, 8, 10)] == [1, 1, 2, 2, 3, 4, 4]
    assert [source.column(n) for n in (0, 1, 4, 9)] == [1, 2, 1, 2]
    assert source.line_count == 4
    assert [source[source.line_span(n)] for n in range(1, 5)] == ["ab\r\n", "cd\n", "\n", "ef"]


def test_lines_of_a_span_stop_at_its_last_character() -> None:
    source = Source("x", "one\ntwo\nthree")
    assert source.lines(Span(0, 4)) == (1, 1)
    assert source.lines(Span(0, 5)) == (1, 2)
    assert source.lines(Span(4, 4)) == (2, 2)


def test_form_feeds_and_unicode_separators_end_no_line() -> None:
    assert Source("x", "a\x0cb\u2028c\x85d").line_count == 1


def test_sources_are_values() -> None:
    assert Source("x", "a") == Source("x", "a")
    assert hash(Source("x", "a")) == hash(Source("x", "a"))
    assert Source("x", "a") != Source("x", "a", "latin-1")


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (3, 2)])
def test_what_is_no_span_is_refused(start: int, stop: int) -> None:
    with pytest.raises(ValueError, match="not a span"):
        Span(start, stop)


def test_covering_and_overlapping() -> None:
    assert Span(2, 6).covers(Span(2, 6))
    assert not Span(2, 6).covers(Span(1, 3))
    assert Span(2, 6).overlaps(Span(5, 9))
    assert not Span(2, 6).overlaps(Span(6, 9))
    assert Span(2, 6).overlaps(Span(4, 4))
    assert not Span(2, 6).overlaps(Span(6, 6))
    assert bool(Span(3, 3))
    assert len(Span(3, 5)) == 2


def test_places_sort_by_file_then_position() -> None:
    places = [Place("b", Span(0, 1)), Place("a", Span(5, 6)), Place("a", Span(0, 9))]
    assert [p.path for p in sorted(places)] == ["a", "a", "b"]
    assert min(places).span.start == 0
