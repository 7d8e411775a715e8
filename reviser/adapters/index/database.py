"""The file of a corpus: its tables, whether it is one of ours, and what a damaged one still has."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from reviser.adapters.index.rows import Row, as_held
from reviser.literature.index import NoIndex

FORM = "2"
"""Of the tables below: raise it with any change of them."""
APPLICATION = 0x72767372
"""Written into the head of our files: "rvsr"."""
_HEAD = 100
BUSY_SECONDS = 30.0
"""For how long another process may be writing."""

# A work is the text that is searched and the JSON of all that is held. Ids are never given twice,
# so that a vector which comes late finds its own work or none. The words' index has its own copy of
# nothing: it reads the work's columns.
TABLES = (
    "CREATE TABLE about(name TEXT PRIMARY KEY, said TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE note(name TEXT PRIMARY KEY, said TEXT NOT NULL) WITHOUT ROWID",
    (
        "CREATE TABLE work(id INTEGER PRIMARY KEY AUTOINCREMENT, identity TEXT NOT NULL, "
        "title_key TEXT NOT NULL, title TEXT NOT NULL, abstract TEXT NOT NULL, held TEXT NOT NULL)"
    ),
    "CREATE INDEX work_by_title ON work(title_key)",
    "CREATE TABLE name(name TEXT PRIMARY KEY, work INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX name_by_work ON name(work)",
    "CREATE TABLE vector(work INTEGER PRIMARY KEY, of BLOB NOT NULL, numbers BLOB NOT NULL)",
    "CREATE INDEX vector_by_text ON vector(of)",
    "CREATE TABLE waiting(work INTEGER PRIMARY KEY)",
    (
        "CREATE VIRTUAL TABLE words USING fts5(title, abstract, content='work', "
        "content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')"
    ),
)


def opened(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is made where there is none.

    Raises NoIndex when it cannot be opened or made, and sqlite3.DatabaseError when it is damaged
    or another program's.
    """
    try:
        db = sqlite3.connect(
            path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
    except sqlite3.OperationalError as error:
        raise unusable(path, error) from error
    try:
        _made_ready(db)
    except sqlite3.OperationalError as error:
        db.close()
        raise unusable(path, error) from error
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _made_ready(db: sqlite3.Connection) -> None:
    # The file may have been brought along by anybody: nothing in it is run.
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")
    if not _schema(db):
        db.execute("BEGIN IMMEDIATE")
        # Another process may have made them while we waited.
        if not _schema(db):
            db.execute(f"PRAGMA application_id={APPLICATION}")
            for table in TABLES:
                db.execute(table)
            db.execute("INSERT INTO about VALUES('form', ?)", (FORM,))
        db.execute("COMMIT")
    found = _schema(db)
    strange = [sql for sql in found if not _known(sql)]
    if strange or not found.issuperset(TABLES):
        raise sqlite3.DatabaseError("it was not written by this version of reviser")
    if db.execute("SELECT said FROM about WHERE name='form'").fetchone() != (FORM,):
        raise sqlite3.DatabaseError("it was written by another version of reviser")


def _schema(db: sqlite3.Connection) -> frozenset[str]:
    return frozenset(r[0] for r in db.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL"))


def recognised(path: Path) -> bool:
    """Whether the head of a file says that it is a corpus, or there is nothing in it."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return not head or head[68:72] == APPLICATION.to_bytes(4, "big")


def _known(sql: str) -> bool:
    # FTS5 and AUTOINCREMENT make tables of their own, all of them plain.
    shadows = ("words_data", "words_idx", "words_docsize", "words_config", "words_content")
    ours = (*(f"CREATE TABLE '{name}'(" for name in shadows), "CREATE TABLE sqlite_sequence(")
    return sql in TABLES or sql.startswith(ours)


def unusable(path: Path, error: sqlite3.Error) -> NoIndex:
    """What to say where the file is sound and yet cannot be used."""
    said = str(error)
    if "locked" in said:
        return NoIndex(
            "busy",
            message=f"another program has been writing to {path} for {BUSY_SECONDS:.0f} seconds",
            hint="Wait until it has finished, and run again.",
        )
    if "fts5" in said:
        return NoIndex(
            "not searchable here",
            message="this Python's SQLite cannot search texts (it lacks FTS5)",
            hint="Use a Python from python.org, your distribution or conda.",
        )
    return NoIndex(
        "unusable", message=f"the corpus {path} cannot be used: {said}",
        hint="See that its folder is there and can be written to, or name another: --corpus FILE",
    )  # fmt: skip


def salvaged(path: Path, at_once: int) -> Iterator[Sequence[Row]]:
    """The works that can still be read from a damaged file, so many at once, with their vectors."""
    with suppress(sqlite3.Error), closing(_reading(path)) as db:
        last = db.execute("SELECT max(id) FROM work").fetchone()[0] or 0
        for start in range(1, last + 1, at_once):
            found = (_salvaged(db, id_) for id_ in range(start, start + at_once))
            yield [row for row in found if row is not None]


def _salvaged(db: sqlite3.Connection, id_: int) -> Row | None:
    held = None
    with suppress(sqlite3.Error):
        row = db.execute("SELECT held FROM work WHERE id=?", (id_,)).fetchone()
        held = None if row is None else as_held(row[0])
    if held is None:
        return None
    with suppress(sqlite3.Error):
        row = db.execute("SELECT of, numbers FROM vector WHERE work=?", (id_,)).fetchone()
        if row is not None and all(isinstance(part, bytes) for part in row):
            return Row(held, *row)
    return Row(held, b"")


def _reading(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
    db.execute("PRAGMA trusted_schema=OFF")
    return db


def set_aside(path: Path, seen: int) -> Path | None:
    """Rename the damaged file, which has the inode `seen`; None when another process has already
    put a sound one in its place. Raises NoIndex when it cannot be renamed."""
    aside = path.with_name(f"{path.name}.damaged")
    try:
        if path.stat().st_ino != seen:
            return None
        path.replace(aside)
        for tail in ("-journal", "-wal", "-shm"):
            path.with_name(f"{path.name}{tail}").unlink(missing_ok=True)
    except OSError as error:
        raise NoIndex(
            "damaged",
            message=f"the corpus {path} is damaged and cannot be set aside: {error.strerror}",
            hint="Remove it; it will be made again.",
        ) from error
    return aside
