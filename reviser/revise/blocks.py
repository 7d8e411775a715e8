"""A block: a heading with its paragraphs, or a float, that an edit puts in at one place (FIKSurvey
C.2: `insert_subsection`, `add_section`, `add_table`, `add_timeline`; METHODS 4).

A model gives data only. How that stands in the file, command by command, is ours: see
`block_style` for the paper's habits, `block_text` for the LaTeX, and `block_shape` for the grammar,
by which the gate reads it back.
"""

from dataclasses import dataclass

NO_CELL = "--"
"""What a cell shows that rests on nothing."""


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence in plain words, and the keys it cites."""

    text: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in plain words, with the exact words of its work that bear it out and where these
    stand; all three empty where nothing does."""

    text: str = ""
    quote: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What a table says of one work, cell by cell."""

    key: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`columns` name the cells of each row; the work itself stands in a column before them. A
    timeline is a table whose first column is the year, by which its rows are ordered."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Either a `title` and its paragraphs, or a table with the sentence that points to it."""

    title: str = ""
    paragraphs: tuple[tuple[Said, ...], ...] = ()
    table: Table | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The works it cites, each once, in their order."""
        said = [key for part in self.paragraphs for one in part for key in one.keys]
        rows = self.table.rows if self.table is not None else ()
        return tuple(dict.fromkeys([*said, *(row.key for row in rows)]))
