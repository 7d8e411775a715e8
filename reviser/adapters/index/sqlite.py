"""A corpus in one SQLite file: words by FTS5, vectors kept by content, both found again at once."""

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import TypeVar

from reviser.adapters.index.asked_words import expression
from reviser.adapters.index.database import opened, recognised, salvaged, set_aside, unusable
from reviser.adapters.index.nearness import Neighbours, neighbours, packed, unpacked
from reviser.adapters.index.rows import (
    Row,
    Writing,
    among,
    as_held,
    by_words,
    ids,
    keep_vector,
    number,
    remove,
    storable,
    waiting,
    works_with,
    write,
)
from reviser.literature.closeness import embedded_text
from reviser.literature.index import Held, Hit, NoIndex
from reviser.ports import Vectors

AT_ONCE = 64
"""Texts that are embedded between two writes."""
_MODEL = "vectors"

Result = TypeVar("Result")


class SqliteIndex:
    """An `Index` in one file, which is made when something is first put into it.

    Several processes may use it at once, and several threads one object. A corpus that is damaged
    or of another version is set aside (as FILE.damaged), what can be read of it is put into a new
    one, and `warn` is told; a file that is no corpus is left alone. `ours` says that what lies
    there can be nothing else. Vectors of another model are not compared with this one's: their
    texts are embedded again (`embed`).
    """

    def __init__(
        self, path: Path, vectors: Vectors, warn: Callable[[str], None], *, ours: bool = False
    ) -> None:
        self._path = path
        self._vectors = vectors
        self._warn = warn
        self._ours = ours
        self._db: sqlite3.Connection | None = None
        self._inode = 0
        self._lock = RLock()
        self._near: tuple[tuple[int, int], Neighbours] | None = None

    @property
    def name(self) -> str:
        """The file."""
        return str(self._path)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None
                self._near = None

    def put(self, works: Sequence[Held], told: Callable[[int, int], None] | None = None) -> int:
        """See `Index.put`. Should it be interrupted while texts are embedded, all works are found
        by words, and those that have been embedded by meaning."""
        if works:
            rows = [Row(held, self._key(embedded_text(held.paper))) for held in works]
            self._do(lambda db: _written(db, rows))
        return self.embed(told)

    def embed(self, told: Callable[[int, int], None] | None = None) -> int:
        """Give a vector to every work that has none yet; how many there were."""
        done = 0
        total = self.waiting()
        while rows := self._rows(lambda db: waiting(db, AT_ONCE)):
            vectors = self._vectors.vectors([text for _, text in rows])
            self._keep(rows, vectors)
            done += len(rows)
            if told is not None:
                told(done, max(done, total))
        return done

    def waiting(self) -> int:
        """How many works have no vector yet, and are not found by meaning."""
        return self._count(lambda db: number(db, "SELECT count(*) FROM waiting"))

    def known_vectors(self, texts: Sequence[str]) -> Mapping[str, bytes]:
        """Those of the texts that are embedded already, as `Vectors` gives them, to within half
        precision."""
        keys = {self._key(text): text for text in dict.fromkeys(texts)}
        sql = "SELECT of, numbers FROM vector WHERE of IN"
        rows = self._rows(lambda db: among(db, sql, list(keys)))
        return {keys[key]: unpacked(numbers) for key, numbers in rows}

    def forget(self, names: Sequence[str]) -> int:
        """See `Index.forget`."""

        def removed(db: sqlite3.Connection) -> int:
            with Writing(db):
                found = ids(db, names)
                remove(db, found)
            return len(found)

        return self._count(removed)

    def get(self, names: Sequence[str]) -> Mapping[str, Held]:
        """See `Index.get`."""
        sql = "SELECT name, held FROM name JOIN work ON work.id = name.work WHERE name IN"
        asked = {storable(name): name for name in names}
        rows = self._rows(lambda db: among(db, sql, list(asked)))
        pairs = ((asked[name], as_held(text)) for name, text in rows)
        return {name: held for name, held in pairs if held is not None}

    def titled(self, keys: Sequence[str]) -> Mapping[str, tuple[Held, ...]]:
        """See `Index.titled`."""
        sql = "SELECT title_key, held FROM work WHERE title_key IN"
        asked = [storable(key) for key in keys]
        found: dict[str, tuple[Held, ...]] = {}
        for key, text in self._rows(lambda db: among(db, sql, asked)):
            if (held := as_held(text)) is not None:
                found[key] = (*found.get(key, ()), held)
        return found

    def nearest(self, text: str, most: int) -> Sequence[Hit]:
        """See `Index.nearest`."""
        if most < 1 or not text.strip() or not self._there():
            return ()
        (vector,) = self._vectors.vectors([text])
        near = self._do(self._neighbours)
        return self._hits(near.nearest(vector, most))

    def matching(self, text: str, most: int) -> Sequence[Hit]:
        """See `Index.matching`."""

        def found(db: sqlite3.Connection) -> list[tuple[int, float]]:
            asked = expression(text, lambda phrase, limit: works_with(db, phrase, limit))
            return by_words(db, asked, most) if asked else []

        return self._hits(self._rows(found)) if most > 0 else ()

    def all(self) -> Iterator[Held]:
        """See `Index.all`: in the order in which they came."""
        last = 0
        sql = "SELECT id, held FROM work WHERE id > ? ORDER BY id LIMIT 500"

        def after(db: sqlite3.Connection) -> list[tuple[int, str]]:
            return db.execute(sql, (last,)).fetchall()

        while rows := self._rows(after):
            last = rows[-1][0]
            yield from (held for _, text in rows if (held := as_held(text)) is not None)

    def size(self) -> int:
        """See `Index.size`."""
        return self._count(lambda db: number(db, "SELECT count(*) FROM work"))

    def note(self, name: str) -> str:
        """See `Index.note`."""
        sql = "SELECT said FROM note WHERE name=?"
        rows = self._rows(lambda db: db.execute(sql, (name,)).fetchall())
        return str(rows[0][0]) if rows else ""

    def keep_note(self, name: str, text: str) -> None:
        """See `Index.keep_note`."""
        row = (name, storable(text))
        self._do(lambda db: db.execute("REPLACE INTO note VALUES(?, ?)", row))

    def _keep(self, rows: Sequence[tuple[int, str]], vectors: Sequence[bytes]) -> None:
        def kept(db: sqlite3.Connection) -> None:
            with Writing(db):
                for (id_, text), vector in zip(rows, vectors, strict=True):
                    keep_vector(db, id_, self._key(text), packed(vector))

        self._do(kept)

    def _key(self, text: str) -> bytes:
        told = f"{self._vectors.identity}\n{text}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).digest()

    def _as_ours(self, row: Row) -> Row:
        """A salvaged work with its vector, if that is of its text and by this model."""
        key = self._key(embedded_text(row.held.paper))
        return row if row.key == key else Row(row.held, key)

    def _neighbours(self, db: sqlite3.Connection) -> Neighbours:
        version = (number(db, "PRAGMA data_version"), db.total_changes)
        if self._near is None or self._near[0] != version:
            self._near = None  # never two of them in memory
            most = number(db, "SELECT count(*) FROM vector")
            rows = db.execute("SELECT work, numbers FROM vector ORDER BY work")
            self._near = (version, neighbours(rows, self._vectors.size, most))
        return self._near[1]

    def _hits(self, found: Sequence[tuple[int, float]]) -> Sequence[Hit]:
        sql = "SELECT id, identity FROM work WHERE id IN"
        names = dict(self._rows(lambda db: among(db, sql, [id_ for id_, _ in found])))
        # One that another process has removed in between is gone.
        return [Hit(names[id_], score) for id_, score in found if id_ in names]

    def _rows(self, work: Callable[[sqlite3.Connection], list[Result]]) -> list[Result]:
        return self._do(work) if self._there() else []

    def _count(self, work: Callable[[sqlite3.Connection], int]) -> int:
        return self._do(work) if self._there() else 0

    def _do(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        with self._lock:
            try:
                return work(self._connection())
            except sqlite3.OperationalError as error:
                raise unusable(self._path, error) from error
            except sqlite3.DatabaseError as error:
                self._made_anew(error)
            try:
                return work(self._connection())
            except sqlite3.Error as error:
                raise unusable(self._path, error) from error

    def _there(self) -> bool:
        return self._db is not None or self._path.exists() or self._path.is_symlink()

    def _connection(self) -> sqlite3.Connection:
        if self._db is None:
            if self._path.is_symlink():
                raise NoIndex(
                    "unusable",
                    message=f"the corpus {self._path} is a symbolic link",
                    hint="Name the file that it leads to: --corpus FILE",
                )
            self._inode = self._path.stat().st_ino if self._path.exists() else 0
            self._db = opened(self._path)
            self._inode = self._path.stat().st_ino
            self._see_to_the_model(self._db)
        return self._db

    def _see_to_the_model(self, db: sqlite3.Connection) -> None:
        identity = self._vectors.identity
        sql = "SELECT said FROM about WHERE name=?"
        before = db.execute(sql, (_MODEL,)).fetchone()
        if before == (identity,):
            return
        with Writing(db):
            db.execute("REPLACE INTO about VALUES(?, ?)", (_MODEL, identity))
            db.execute("DELETE FROM vector")
            db.execute("INSERT OR IGNORE INTO waiting SELECT id FROM work")
        if before:
            self._warn(
                f"{self._path.name} has vectors of another model: its works are found by words "
                "alone until they are embedded again"
            )

    def _made_anew(self, error: sqlite3.Error) -> None:
        """Set the damaged file aside and make a sound one of what can still be read."""
        seen = self._inode
        self.close()
        if not (self._ours or recognised(self._path)):
            raise NoIndex(
                "unusable",
                message=f"{self._path} is no corpus ({error})",
                hint="Name another file: --corpus FILE",
            ) from error
        aside = set_aside(self._path, seen)
        if aside is None:
            return  # another process was quicker
        count = 0
        db = self._connection()
        for rows in salvaged(aside, AT_ONCE):
            _written(db, [self._as_ours(row) for row in rows])
            count += len(rows)
        self._warn(
            f"{self._path.name} was not sound ({error}) and was made anew with {count:,} works "
            f"that could be read; the old one is {aside.name}"
        )


def _written(db: sqlite3.Connection, rows: Sequence[Row]) -> None:
    with Writing(db):
        write(db, rows)
