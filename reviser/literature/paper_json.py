"""Papers as JSON, and back: what is kept of them, and what programs are told."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields

from reviser.literature.index import Held
from reviser.literature.paper import Author, Notice, Paper

_TEXTS = tuple(f.name for f in fields(Paper) if f.type in ("str", str))
_NUMBERS = ("year", "cited_by")


def paper_json(paper: Paper) -> dict[str, object]:
    """What is known of a paper; unknown fields are left out."""
    found = {name: value for name, value in asdict(paper).items() if value not in ("", None, ())}
    return {**found, "source": paper.source, "id": paper.id, "title": paper.title}


def held_json(held: Held) -> dict[str, object]:
    """The same of a work in the corpus, with its names and what brought it."""
    return {**paper_json(held.paper), "names": list(held.names), "via": list(held.via)}


def paper_of(data: object) -> Paper | None:
    """The paper that `paper_json` wrote, None for anything else; members it has not are unknown."""
    if not isinstance(data, Mapping) or "title" not in data:
        return None
    texts = {name: data.get(name, "") for name in _TEXTS}
    year, cited_by = (data.get(name) for name in _NUMBERS)
    cites, authors = data.get("cites", ()), data.get("authors", ())
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    if not all(number is None or type(number) is int for number in (year, cited_by)):
        return None
    if not _are_texts(cites) or not isinstance(authors, Sequence) or isinstance(authors, str):
        return None
    people = [_texts_of(author, ("family", "given")) for author in authors]
    notice = data.get("notice")
    words = None if notice is None else _texts_of(notice, ("kind", "doi", "date"))
    if None in people or (notice is not None and words is None):
        return None
    return Paper(
        **texts,
        year=year,
        cited_by=cited_by,
        cites=tuple(cites),
        authors=tuple(Author(**person) for person in people if person is not None),
        notice=None if words is None else Notice(**words),
    )


def held_of(data: object) -> Held | None:
    """The work that `held_json` wrote, None for anything else."""
    paper = paper_of(data)
    if paper is None or not isinstance(data, Mapping):
        return None
    names, via = data.get("names", ()), data.get("via", ())
    if not _are_texts(names) or not _are_texts(via) or not names:
        return None
    return Held(paper, tuple(names), tuple(via))


def _are_texts(data: object) -> bool:
    return isinstance(data, (list, tuple)) and all(isinstance(one, str) for one in data)


def _texts_of(data: object, names: Sequence[str]) -> dict[str, str] | None:
    if not isinstance(data, Mapping):
        return None
    found = {name: data.get(name, "") for name in names}
    return found if all(isinstance(text, str) for text in found.values()) else None
