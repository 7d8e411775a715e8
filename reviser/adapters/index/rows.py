"""What is written to the tables of a corpus and read from them, on one connection."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reviser.literature.closeness import embedded_text
from reviser.literature.index import Held
from reviser.literature.joining import title_key
from reviser.literature.paper import Paper
from reviser.literature.paper_json import held_json, held_of

TITLE_WEIGHT = 2.0
"""How much more a word counts in the title than in the abstract."""
_ASKED_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Row:
    """A work to be written; `key` is that of its text (`SqliteIndex`), and `vector` the vector of
    that text in the form it is kept in, where it is known already, else empty."""

    held: Held
    key: bytes
    vector: bytes = b""


class Writing:
    """All that is written inside is there afterwards, or nothing of it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._db.execute("COMMIT")
        elif self._db.in_transaction:
            self._db.execute("ROLLBACK")


def storable(text: str) -> str:
    """The text without lone surrogates, which SQLite cannot keep."""
    return text.encode("utf-8", "replace").decode("utf-8")


def write(db: sqlite3.Connection, rows: Iterable[Row]) -> None:
    """Put works in the place of all that has one of their names; a text that is there already has
    its vector, the others wait for theirs."""
    for row in rows:
        held = row.held
        sql = "SELECT numbers FROM vector WHERE of=? LIMIT 1"
        known = db.execute(sql, (row.key,)).fetchone()
        vector = row.vector if known is None else known[0]
        remove(db, ids(db, held.names))
        title, abstract = storable(held.paper.title), storable(held.paper.abstract)
        told = json.dumps(held_json(held))
        sql = "INSERT INTO work(identity, title_key, title, abstract, held) VALUES(?, ?, ?, ?, ?)"
        values = (storable(held.names[0]), storable(title_key(title)), title, abstract, told)
        id_ = db.execute(sql, values).lastrowid
        sql = "INSERT INTO words(rowid, title, abstract) VALUES(?, ?, ?)"
        db.execute(sql, (id_, title, abstract))
        names = {storable(name) for name in held.names}
        db.executemany("INSERT INTO name VALUES(?, ?)", [(name, id_) for name in names])
        if vector:
            db.execute("INSERT INTO vector VALUES(?, ?, ?)", (id_, row.key, vector))
        else:
            db.execute("INSERT INTO waiting VALUES(?)", (id_,))


def remove(db: sqlite3.Connection, works: Iterable[int]) -> None:
    """Remove works by their ids."""
    for id_ in works:
        # An index with foreign content must be told what it is to forget.
        db.execute(
            "INSERT INTO words(words, rowid, title, abstract) "
            "SELECT 'delete', id, title, abstract FROM work WHERE id=?",
            (id_,),
        )
        db.execute("DELETE FROM work WHERE id=?", (id_,))
        for table in ("name", "vector", "waiting"):
            db.execute(f"DELETE FROM {table} WHERE work=?", (id_,))  # noqa: S608 - our own names


def ids(db: sqlite3.Connection, names: Sequence[str]) -> list[int]:
    """The works with these names."""
    sql = "SELECT work FROM name WHERE name IN"
    found: list[tuple[int]] = among(db, sql, [storable(name) for name in names])
    return list(dict.fromkeys(id_ for (id_,) in found))


def keep_vector(db: sqlite3.Connection, id_: int, key: bytes, vector: bytes) -> None:
    """The vector of a work that waited for it. A work that was replaced meanwhile has another id,
    and waits for its own."""
    sql = "INSERT OR REPLACE INTO vector SELECT id, ?, ? FROM work WHERE id=?"
    db.execute(sql, (key, vector, id_))
    db.execute("DELETE FROM waiting WHERE work=?", (id_,))


def waiting(db: sqlite3.Connection, most: int) -> list[tuple[int, str]]:
    """At most so many works without a vector, with the text that is to be embedded."""
    sql = "SELECT id, title, abstract FROM waiting JOIN work ON work.id = waiting.work LIMIT ?"
    rows = db.execute(sql, (most,)).fetchall()
    return [(id_, embedded_text(Paper("", "", t, abstract=a))) for id_, t, a in rows]


def works_with(db: sqlite3.Connection, phrase: str, most: int) -> int:
    """In how many works a phrase of FTS5 stands, counted up to `most` and one more."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    return int(db.execute(sql, (phrase, most + 1)).fetchone()[0])


def by_words(db: sqlite3.Connection, asked: str, most: int) -> list[tuple[int, float]]:
    """Works by their BM25 scores for an expression of FTS5; the k1 of 1.2 and b of 0.75 are its."""
    sql = (
        "SELECT rowid, -bm25(words, ?, 1.0) AS score FROM words WHERE words MATCH ? "
        "ORDER BY score DESC, rowid LIMIT ?"
    )
    return db.execute(sql, (TITLE_WEIGHT, asked, most)).fetchall()


def among(
    db: sqlite3.Connection, sql: str, values: Sequence[str] | Sequence[int] | Sequence[bytes]
) -> list[Any]:
    """The rows of a query that ends in IN, for any number of values."""
    found: list[Any] = []
    for start in range(0, len(values), _ASKED_AT_ONCE):
        part = values[start : start + _ASKED_AT_ONCE]
        marks = ",".join("?" * len(part))
        found += db.execute(f"{sql} ({marks})", tuple(part)).fetchall()
    return found


def number(db: sqlite3.Connection, sql: str) -> int:
    """The one number that a query gives."""
    return int(db.execute(sql).fetchone()[0])


def as_held(text: str) -> Held | None:
    """The work that a row holds, None where it holds something else."""
    try:
        return held_of(json.loads(text))
    except (ValueError, RecursionError):
        return None
