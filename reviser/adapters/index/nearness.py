"""Vectors of works side by side in memory, and the nearest to another: exact, by usearch."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MORE = 50
"""Works compared again in single precision, beyond those wanted: half precision finds them, and
may change places that are closer than it can tell."""


def packed(vector: bytes) -> bytes:
    """A vector of single precision in half precision, as it is kept: half the file and memory."""
    import numpy as np  # noqa: PLC0415 - heavy, and not needed for the command line to start

    return np.frombuffer(vector, dtype="<f4").astype("<f2").tobytes()


def unpacked(kept: bytes) -> bytes:
    """The vector in single precision again."""
    import numpy as np  # noqa: PLC0415

    return np.frombuffer(kept, dtype="<f2").astype("<f4").tobytes()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Works by their ids, ascending, and a vector of length one for each in half precision.

    No graph is built: of 100,000 vectors the exact search takes 8 ms on one core and 77 MB, an
    HNSW graph takes 15 seconds to build or as many megabytes again to keep in step with the file,
    and saves what a search by words takes anyway.
    """

    ids: "NDArray[np.int64]"
    matrix: "NDArray[np.float16]"

    def nearest(self, vector: bytes, most: int) -> Sequence[tuple[int, float]]:
        """At most so many works with their cosines in [-1, 1], the nearest first; works at the
        same distance by id."""
        import numpy as np  # noqa: PLC0415
        from usearch.compiled import MetricKind  # noqa: PLC0415
        from usearch.index import search  # noqa: PLC0415

        asked = np.frombuffer(vector, dtype="<f4")
        wanted = min(len(self.ids), most + MORE)
        if most < 1 or not wanted or not asked.any():
            return ()
        found = search(
            self.matrix, asked.astype(np.float16), wanted, MetricKind.IP, exact=True, threads=1
        )
        places = np.sort(np.asarray(found.keys, dtype=np.int64))
        cosines = np.clip(self.matrix[places].astype(np.float32) @ asked, -1.0, 1.0)
        order = np.argsort(-cosines, kind="stable")[:most]
        return [(int(self.ids[places[i]]), float(cosines[i])) for i in order]


def neighbours(rows: Iterable[tuple[int, bytes]], size: int, most: int) -> Neighbours:
    """The vectors of `most` rows at the utmost, each of `size` numbers. A row whose vector is not
    one of length one is left out: somebody's bytes may have come in between."""
    import numpy as np  # noqa: PLC0415

    ids = np.empty(most, dtype=np.int64)
    matrix = np.empty((most, size), dtype=np.float16)
    count = 0
    for work, kept in rows:
        if len(kept) == 2 * size and count < most:
            ids[count] = work
            matrix[count] = np.frombuffer(kept, dtype="<f2")
            count += 1
    ids, matrix = ids[:count], matrix[:count]
    sound = np.ones(count, dtype=bool)
    for start in range(0, count, 8192):
        part = matrix[start : start + 8192].astype(np.float32)
        with np.errstate(all="ignore"):
            lengths = np.einsum("ij,ij->i", part, part)
        sound[start : start + 8192] = np.abs(lengths - 1.0) < 0.02
    if not sound.all():
        ids, matrix = ids[sound], np.ascontiguousarray(matrix[sound])
    return Neighbours(ids, matrix)
