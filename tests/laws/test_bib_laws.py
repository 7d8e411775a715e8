"""Laws of reading .bib files: any text can be read, places are exact, removals remove only."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reviser.latex.bib import BibFile, field_removal, insertion, read_bib, removal
from reviser.latex.elements import BibEntry
from reviser.text.source import Source

_FRAGMENTS = st.sampled_from(
    [
        *'@{}(),="#%\\ \n\r\t1',
        "@article{",
        "@string(",
        "@comment",
        "\n@misc{k,",
        "\n title = {",
        "\nyear = ",
        "jan",
        "\r\n",
        "\ufeff",
        "é",
        "\\'e",
    ]
)
_ANY = st.lists(_FRAGMENTS, max_size=40).map("".join) | st.text(max_size=60)
_WORD = st.text("abcé-:", min_size=1, max_size=6)
_VALUE = st.sampled_from(["{A {B} c}", '"Q {"} q"', "1999", "jan", '"x" # jan # {y}', "{}"])


@st.composite
def _files(draw: st.DrawFn) -> str:
    """Well-formed files in many layouts."""
    gap = st.sampled_from(["", " ", "\n", "\r\n", "\n  "])
    blocks = []
    for _ in range(draw(st.integers(1, 5))):
        fields = draw(st.lists(st.tuples(_WORD, _VALUE), max_size=4, unique_by=lambda f: f[0]))
        open_, close = draw(st.sampled_from(["{}", "()"]))
        body = ("," + draw(gap)).join(f"{name}{draw(gap)}={value}" for name, value in fields)
        tail = draw(st.sampled_from(["", ",", "\n", ",\n"])) if fields else ""
        blocks.append(f"@misc{open_}{draw(_WORD)},{draw(gap)}{body}{tail}{close}")
        blocks.append(draw(st.sampled_from(["\n", "\n\n", "\r\n\r\n", " ", "\nwords\n", ""])))
    return "".join(blocks)


def _told(entry: BibEntry) -> tuple[str, str, tuple[tuple[str, str, str], ...]]:
    return entry.key, entry.kind, tuple((f.name, f.raw, f.text) for f in entry.fields)


def _read(text: str) -> BibFile:
    return read_bib(Source("a.bib", text))


@settings(max_examples=60)
@given(_ANY)
def test_any_text_is_read_with_exact_places(text: str) -> None:
    bib = _read(text)
    source = Source("a.bib", text)
    cursor = 0
    for entry in bib.entries:
        assert cursor <= entry.at.span.start < entry.at.span.stop
        cursor = entry.at.span.stop
        assert source[entry.at.span].startswith("@")
        assert source[entry.key_at.span] == entry.key
        for field in entry.fields:
            assert entry.at.span.covers(field.at.span)
            assert source[field.at.span] == field.raw
    for fault in bib.faults:
        assert fault.at.span.stop <= len(text)


@settings(max_examples=60)
@given(_files())
def test_well_formed_files_have_no_fault(text: str) -> None:
    assert _read(text).faults == ()


@settings(max_examples=60)
@given(_files() | _ANY)
def test_removing_an_entry_leaves_the_others_as_they_are(text: str) -> None:
    bib = _read(text)
    for index, entry in enumerate(bib.entries):
        span = removal(Source("a.bib", text), entry, bib)
        if span is None:
            continue
        after = _read(text[: span.start] + text[span.stop :])
        others = [_told(e) for n, e in enumerate(bib.entries) if n != index]
        assert [_told(e) for e in after.entries] == others


@settings(max_examples=60)
@given(_files() | _ANY)
def test_removing_a_field_leaves_the_others_as_they_are(text: str) -> None:
    bib = _read(text)
    for index, entry in enumerate(bib.entries):
        for position, field in enumerate(entry.fields):
            span = field_removal(Source("a.bib", text), entry, field, bib)
            if span is None:
                continue
            after = _read(text[: span.start] + text[span.stop :])
            expected = [_told(e) for e in bib.entries]
            key, kind, fields = expected[index]
            expected[index] = (key, kind, fields[:position] + fields[position + 1 :])
            assert [_told(e) for e in after.entries] == expected


@settings(max_examples=60)
@given(_files() | _ANY)
def test_an_added_entry_is_read_and_changes_no_other(text: str) -> None:
    bib = _read(text)
    place = insertion(Source("a.bib", text), bib)
    if place is None:
        return
    offset, gap = place
    after = _read(text[:offset] + gap + "@misc{brandnew, year = {2020}}\n" + text[offset:])
    assert [_told(e) for e in after.entries[:-1]] == [_told(e) for e in bib.entries]
    assert after.entries[-1].key == "brandnew"
