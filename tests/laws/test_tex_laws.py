"""Laws of reading: no text makes it fail, and what it finds stands where it says."""

from hypothesis import given, settings

from reviser.latex.tex import read_tex
from reviser.text.source import Source
from tests.laws.test_scan_laws import latex


@given(latex)
@settings(max_examples=500, deadline=None)
def test_every_part_stands_where_it_says(text: str) -> None:
    source = Source("a.tex", text)
    read = read_tex(source)
    names = [
        *(key for citation in read.citations for key in citation.keys),
        *(key for reference in read.references for key in reference.names),
        *(label.name for label in read.labels),
    ]
    for key in names:
        assert key.name
        if key.editable:
            assert source[key.at.span] == key.name
    parts = [*read.citations, *read.references, *read.headings, *read.footnotes, *read.unparsed]
    for part in parts:
        assert 0 <= part.at.span.start < part.at.span.stop <= len(text)
    for skipped in read.skipped:
        for citation in read.citations:
            for key in citation.keys:
                assert not (key.editable and skipped.at.span.overlaps(key.at.span))
