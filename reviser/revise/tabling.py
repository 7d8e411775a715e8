"""A comparison table or a timeline: the question, and what becomes of an answer (SurveyX 3.2).

The model names columns and proposes cells, each with words that it quotes. A cell that its
quotation does not bear out, or whose quotation does not stand in its work, is left empty by our
code; what is left must still be a table.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from reviser.latex.orders import gives_orders
from reviser.latex.quoting import quoted_in
from reviser.revise.block_shape import MOST_ROWS, YEAR, is_plain
from reviser.revise.blocks import Block, Cell, Row, Table
from reviser.revise.cells import LEAST_FILLED, LEAST_ROWS, cell_fault, heading_fault
from reviser.text.visible import visible
from reviser.verify.model import Passage

PROMPTS = TABLE_PROMPT, TIMELINE_PROMPT = "write-table", "write-timeline"
EVENT = "Event"
MOST_ASKED = 8
"""Works that one question is about."""


class CellSaid(BaseModel):
    """A cell: the head of its column, its words, and the words quoted for it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    column: str = Field(max_length=60)
    text: str = Field(max_length=120)
    quote: str = Field(max_length=600)


class RowSaid(BaseModel):
    """What is said of one work."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(max_length=120)
    cells: tuple[CellSaid, ...] = Field(max_length=5)


class NewTable(BaseModel):
    """A reply: a table that sets works side by side."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    caption: str = Field(min_length=3, max_length=200)
    columns: tuple[str, ...] = Field(min_length=1, max_length=4)
    rows: tuple[RowSaid, ...] = Field(max_length=MOST_ROWS)


class EventSaid(BaseModel):
    """A step in a history: the work, what it brought, and the words quoted for that."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str = Field(max_length=120)
    event: str = Field(max_length=120)
    quote: str = Field(max_length=600)


class NewTimeline(BaseModel):
    """A reply: steps of a history. Their years are those of the bibliography."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    caption: str = Field(min_length=3, max_length=200)
    events: tuple[EventSaid, ...] = Field(max_length=MOST_ROWS)


@dataclass(frozen=True, slots=True)
class Matter:
    """What a table may rest on: the keys that were shown, the passages of each work, its year
    ("" where it is not known), and the stems of the paper's words."""

    keys: tuple[str, ...]
    passages: Callable[[str], Sequence[Passage]]
    year: Callable[[str], str]
    known: frozenset[str]


def read(reply: NewTable, matter: Matter) -> tuple[Block, str]:
    """The table of a reply without what is not borne out; and the first reason for what is left
    out, "" where nothing is."""
    spelt = {key.lower(): key for key in matter.keys}
    columns = tuple(dict.fromkeys(_capital(visible(one)) for one in reply.columns))
    rows: dict[str, Row] = {}
    first = ""
    for said in reply.rows:
        key = spelt.get(said.key.lower())
        if key is None or key in rows:
            first = first or f"the key {said.key[:60]!r} is not one of those given, or comes twice"
            continue
        cells = []
        for column in columns:
            of = [cell for cell in said.cells if _capital(visible(cell.column)) == column]
            cell, why = _cell(of[0], key, matter) if len(of) == 1 else (Cell(), "")
            first = first or why
            cells.append(cell)
        rows[key] = Row(key, tuple(cells))
    kept = [row for row in rows.values() if any(cell.text for cell in row.cells)]
    filled = [n for n in range(len(columns)) if any(row.cells[n].text for row in kept)]
    table = Table(
        visible(reply.caption).rstrip("."),
        tuple(columns[n] for n in filled),
        tuple(Row(row.key, tuple(row.cells[n] for n in filled)) for row in kept),
    )
    return Block(table=table), first


def read_timeline(reply: NewTimeline, matter: Matter) -> tuple[Block, str]:
    """The timeline of a reply, by years; likewise."""
    spelt = {key.lower(): key for key in matter.keys}
    rows: dict[str, Row] = {}
    first = ""
    for said in reply.events:
        key = spelt.get(said.key.lower())
        year = matter.year(key) if key is not None else ""
        if key is None or key in rows or not year:
            first = first or f"the work {said.key[:60]!r} is not one of those with a year"
            continue
        cell, why = _cell(CellSaid(column=EVENT, text=said.event, quote=said.quote), key, matter)
        if cell.text:
            rows[key] = Row(key, (Cell(year), cell))
        first = first or why
    ordered = sorted(rows.values(), key=lambda row: (row.cells[0].text, row.key))
    return Block(
        table=Table(visible(reply.caption).rstrip("."), (YEAR, EVENT), tuple(ordered))
    ), first


def fault(block: Block, first: str, known: frozenset[str]) -> str:
    """What is wrong with what is left of a table, or ""; `first` is why some of it was left out."""
    table = block.table
    if table is None:
        return "it is no table"
    why = f" ({first})" if first else ""
    cells = [cell for row in table.rows for cell in row.cells]
    if len(table.rows) < LEAST_ROWS:
        return f"fewer than {LEAST_ROWS} of its rows are borne out by what they quote{why}"
    if sum(bool(cell.text) for cell in cells) < LEAST_FILLED * len(cells):
        return f"too few of its cells are borne out by what they quote{why}"
    quotes = [cell.quote for cell in cells]
    for words, most in ((table.caption, 14), *((head, 4) for head in table.columns)):
        wrong = heading_fault(words, known, quotes)
        if not is_plain(words) or len(words.split()) > most or gives_orders(words):
            wrong = f"it is of at most {most} plain words"
        if wrong:
            return f"{words[:60]!r}: {wrong}"
    return ""


def _cell(said: CellSaid, key: str, matter: Matter) -> tuple[Cell, str]:
    """The cell, empty where its quotation does not stand or does not bear it out, and why."""
    text, quote = visible(said.text).rstrip("."), visible(said.quote)
    if not text or text in {"-", "--", "n/a"}:
        return Cell(), ""
    where = _where(quote, matter.passages(key))
    if where is None:
        return Cell(), f"{quote[:60]!r} does not stand in {key}"
    wrong = cell_fault(text, quote)
    if not is_plain(text) or gives_orders(text):
        wrong = "it is not of plain words"
    return (
        (Cell(), f"the cell {text!r} of {key}: {wrong}")
        if wrong
        else (Cell(text, quote, where), "")
    )


def _where(quote: str, passages: Sequence[Passage]) -> str | None:
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.where, []).append(passage.text)
    found = (w for w, parts in texts.items() if quoted_in(" ".join(parts), quote) is not None)
    return next(found, None)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
