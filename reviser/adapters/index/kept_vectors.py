"""Vectors that are asked for again and again, of texts that an index has embedded or not."""

from collections.abc import Callable, Mapping, Sequence

from reviser.ports import Vectors


class KeptVectors:
    """`Vectors` that asks the model only for what neither `known` gives nor came before in the life
    of the object: the papers of a corpus are not embedded a second time to be sorted."""

    def __init__(
        self, vectors: Vectors, known: Callable[[Sequence[str]], Mapping[str, bytes]]
    ) -> None:
        self._vectors = vectors
        self._ask = known
        self._kept: dict[str, bytes] = {}

    @property
    def identity(self) -> str:
        """The model's."""
        return self._vectors.identity

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return self._vectors.size

    def vectors(
        self, texts: Sequence[str], told: Callable[[int], None] | None = None
    ) -> Sequence[bytes]:
        """See `Vectors.vectors`."""
        for ask in (self._ask, self._made):
            new = [text for text in dict.fromkeys(texts) if text not in self._kept]
            if new:
                self._kept.update(ask(new))
        if told is not None:
            told(len(texts))
        return [self._kept[text] for text in texts]

    def _made(self, texts: Sequence[str]) -> Mapping[str, bytes]:
        return dict(zip(texts, self._vectors.vectors(texts), strict=True))
