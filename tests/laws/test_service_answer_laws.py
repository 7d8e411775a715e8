"""Whatever a literature service says, it is read as works in plain text or not at all."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.adapters.web import arxiv, crossref, openalex, semantic_scholar
from reviser.literature.paper import Paper
from tests.fakes.scholar import shapes
from tests.fakes.scholar.works import Update, Work

WORK = Work(
    "Kites", ("Ada Byron",), 2020, doi="10.5555/kites", arxiv="2001.00001", abstract="We fly.",
    cites=("10.5555/knots",), update=Update(), licence="cc-by", volume="3", pages="1-9",
)  # fmt: skip
PDF = "https://example.org/a.pdf"
RECORDS: dict[str, tuple[Callable[[Any], Paper | None], dict[str, Any]]] = {
    "openalex": (openalex.paper_of, shapes.openalex(WORK, 1, {}, PDF)),
    "scholar": (semantic_scholar.paper_of, shapes.scholar(WORK, PDF)),
    "crossref": (crossref.paper_of, shapes.crossref(WORK, PDF)),
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values within a record."""
    inside: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inside = [path for key, one in value.items() for path in paths(one, (*at, key))]
    elif isinstance(value, list):
        inside = [path for n, one in enumerate(value) for path in paths(one, (*at, n))]
    return [at, *inside] if at else inside


def changed(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(record))
    place: Any = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


def is_plain(paper: Paper) -> None:
    """Texts are texts, and lie on one line."""
    for name in ("title", "venue", "abstract", "doi", "arxiv", "pages", "publisher", "licence"):
        text = getattr(paper, name)
        assert isinstance(text, str)
        assert "\n" not in text
        assert text == " ".join(text.split())
    assert paper.year is None or isinstance(paper.year, int)
    assert paper.cited_by is None or paper.cited_by >= 0
    assert all(author.family for author in paper.authors)
    assert not paper.url or paper.url.startswith(("http://", "https://"))
    assert paper.title


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
def test_a_record_with_anything_in_any_place_is_read(name: str, data: st.DataObject) -> None:
    read, record = RECORDS[name]
    path = data.draw(st.sampled_from(paths(record)))
    paper = read(changed(record, path, data.draw(VALUES)))
    if paper is not None:
        is_plain(paper)


@pytest.mark.parametrize("name", RECORDS)
@given(value=st.dictionaries(st.text(max_size=8), VALUES, max_size=4))
def test_any_object_is_read(name: str, value: dict[str, Any]) -> None:
    RECORDS[name][0](value)


FEED = shapes.feed([shapes.arxiv(WORK)], "x")


@given(st.integers(0, len(FEED)), st.text(alphabet="<>&;/\"' abx\n", max_size=12))
def test_a_damaged_feed_is_read_or_refused(at: int, put: str) -> None:
    try:
        found = arxiv.papers_of((FEED[:at] + put + FEED[at + len(put) :]).encode())
    except ValueError:
        return
    for paper in found:
        is_plain(paper)


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "kites"><!ENTITY b "&a;&a;&a;">]>'
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&b;</title></entry></feed>'
)
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&a;</title></entry></feed>'
)


@pytest.mark.parametrize("body", [BOMB, OUTSIDE, "<html></html>", "", "Rate exceeded.", "\x00"])
def test_what_is_no_feed_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        arxiv.papers_of(body.encode())


def test_an_error_dressed_as_an_entry_is_refused() -> None:
    with pytest.raises(ValueError, match="an error"):
        arxiv.papers_of(shapes.feed([shapes.ERROR_ENTRY], "x").encode())
