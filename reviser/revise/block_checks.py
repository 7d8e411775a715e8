"""Hard checks on blocks: what an edit puts in as a new section or table, read back in full.

A block is of one small grammar (`block_shape`), stands where a section or paragraph ends, moves
nothing, is named by words at hand, and its cells say what their quotations say. What it gains is
announced for it (`additions.announced`); whether its sentences are true is for the evidence to say.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from reviser.latex.elements import CitationForm
from reviser.manuscript.model import Manuscript, Section
from reviser.revise import atoms
from reviser.revise.block_places import place_fault
from reviser.revise.block_shape import (
    COMMANDS,
    YEAR,
    ReadRow,
    Shape,
    cited,
    is_block,
    shape_of,
    unescaped,
)
from reviser.revise.block_style import TABLES, heading_level, style_of
from reviser.revise.block_text import pointer
from reviser.revise.blocks import NO_CELL
from reviser.revise.cells import LEAST_FILLED, LEAST_ROWS, cell_fault, heading_fault
from reviser.revise.change import ADDING, Change, Difference
from reviser.revise.whole import is_whole
from reviser.text.edit import Replacement
from reviser.text.source import Place, Span
from reviser.verify.words import content_words

#: What a block may bring beside what new sentences may (`additions.MAY_COME`).
MAY_COME = frozenset({
    atoms.LABEL, atoms.FLOAT, atoms.ENVIRONMENT, atoms.SPECIAL, atoms.BREAK,
})  # fmt: skip

_ESCAPES = frozenset({"\\%", "\\&", "\\\\"})
_TEXT = frozenset({"body", "title", "caption", "cell"})
_MOST_TITLE = 14
"""Words of a title or a caption's."""


class _Placed(Protocol):
    @property
    def at(self) -> Place: ...


def blocks(change: Change) -> tuple[Replacement, ...]:
    """The replacements that put in a block; there are some in written edits only."""
    if change.edit.purpose not in ADDING:
        return ()
    return tuple(part for part in change.edit.replacements if is_block(part))


def block_fault(change: Change, part: Replacement) -> str | None:
    """What is wrong with a block by itself; None when it is one. Where it stands and what it says
    is asked by the other checks."""
    return _whole_fault(change, part) or None


def puts_blocks_in_whole(change: Change) -> str | None:
    """A block is of the grammar of blocks, and our reader finds in it just what stands there."""
    return _first(change, _whole_fault)


def puts_blocks_at_a_border(change: Change) -> str | None:
    """A block stands where a section or a paragraph ends, on the level that comes next, and nothing
    that was there is read otherwise or comes to stand under its heading."""
    return _first(change, _border_fault)


def names_blocks_by_words_at_hand(change: Change) -> str | None:
    """Titles, captions and heads of columns are made of words of the paper or of what is quoted."""
    return _first(change, _name_fault)


def fills_cells_from_quotes(change: Change) -> str | None:
    """Each cell says what its own work's quotation says, and a table has enough of them."""
    return _first(change, _cells_fault)


def block_may_come(found: Difference) -> bool:
    """Whether a sound block may bring this beside what sentences may."""
    atom = found.atom
    if found.lost:
        return False
    if atom.kind == atoms.SPECIAL:
        return atom.words == "&"
    if atom.kind == atoms.COMMAND:
        return atom.words in _ESCAPES or atom.words.strip("\\*") in COMMANDS
    if atom.kind == atoms.REFERENCE:
        return atom.words.partition(" ")[0] in {"ref", "Cref", "autoref"}
    return atom.kind in MAY_COME


def _first(change: Change, fault: "_Fault") -> str | None:
    found = (fault(change, part) for part in blocks(change))
    return next((one for one in found if one), None)


class _Fault(Protocol):
    def __call__(self, change: Change, part: Replacement, /) -> str: ...


# The text of a block, and what the reader makes of it.


def _whole_fault(change: Change, part: Replacement) -> str:
    shape = shape_of(part.after)
    if isinstance(shape, str):
        return shape
    others = [p for p in change.edit.replacements if p is not part]
    if any(other.before or other.at.path not in change.before.bibliography for other in others):
        return "a block is put in by itself"
    path, landed = part.at.path, change.landed(part)
    return (
        _reading_fault(change.after, shape, path, landed)
        or _sentence_fault(change.after, shape, path, landed)
        or _pointer_fault(change, part, shape)
    )


def _reading_fault(after: Manuscript, shape: Shape, path: str, landed: Span) -> str:
    headings = [s for s in after.sections if s.heading and _in(s.heading, path, landed)]
    titles = [" ".join(s.title.split()) for s in headings]
    if titles != ([" ".join(unescaped(shape.title).split())] if shape.command else []):
        return "the reader finds other headings in it"
    labels = [label.name.name for label in after.labels if _in(label, path, landed)]
    wanted = [shape.table.label] if shape.table else [shape.label] if shape.label else []
    if labels != wanted:
        return "the reader finds other labels in it"
    floats = [f.environment for f in after.floats if _in(f, path, landed)]
    if floats != ([shape.table.environment] if shape.table else []):
        return "the reader finds other floats in it"
    citations = [c for c in after.citations if _in(c, path, landed)]
    keys = [key.name for c in citations for key in c.keys]
    if keys != list(_keys(shape)) or any(c.notes or c.via for c in citations):
        return "the reader finds other citations in it"
    hidden: tuple[Sequence[_Placed], ...] = (
        after.footnotes, after.math, after.comments, after.skipped, after.macros,
    )  # fmt: skip
    if any(_in(one, path, landed) for some in hidden for one in some):
        return "it holds more than headings, sentences and tables"
    return ""


def _sentence_fault(after: Manuscript, shape: Shape, path: str, landed: Span) -> str:
    inside = [s for s in after.sentences if _in(s, path, landed)]
    body = [s for s in inside if s.kind == "body"]
    if any(s.kind not in _TEXT for s in inside) or not body:
        return "it has no running text"
    odd = next((s for s in body if not is_whole(s)), None)
    if odd is not None:
        return f"{odd.plain[:40]!r} is no whole sentence"
    if shape.table is None and any(s.kind in {"caption", "cell"} for s in inside):
        return "a section of it holds a table"
    text = after.sources[path].text
    said = "".join("".join(text[s.at.span.start : s.at.span.stop].split()) for s in body)
    if said != "".join("".join(one.split()) for one in shape.paragraphs):
        return "the reader finds other sentences in it"
    return ""


def _pointer_fault(change: Change, part: Replacement, shape: Shape) -> str:
    """A table is pointed to by a sentence of ours, a section by none."""
    path, landed = part.at.path, change.landed(part)
    referred = [r for r in change.after.references if _in(r, path, landed)]
    if shape.table is None:
        return "a section of a block refers to nothing" if referred else ""
    point = style_of(change.before, path).point
    columns = [unescaped(column) for column in shape.table.columns]
    ours = pointer(point, shape.table.label, columns)
    # Sentences may follow it, which are then judged as all others are.
    said = " ".join(shape.paragraphs[0].split())
    if not f"{said} ".startswith(f"{ours} ") or len(referred) != 1:
        return f"the sentence that points to the table is not {ours!r}"
    return ""


def _keys(shape: Shape) -> Iterator[str]:
    for one in shape.paragraphs:
        yield from cited(one)
    if shape.table is not None:
        yield from (row.key for row in shape.table.rows)


# Where it stands, and that nothing else moves.


def _border_fault(change: Change, part: Replacement) -> str:
    shape = shape_of(part.after)
    if isinstance(shape, str):
        return ""
    landed = change.landed(part)
    wrong = place_fault(change.before, part.at, part.after)
    if wrong:
        return wrong
    new = [
        number
        for number, s in enumerate(change.after.sections)
        if s.heading is not None and _in(s.heading, part.at.path, landed)
    ]
    if len(change.after.sections) != len(change.before.sections) + len(new) or len(new) > 1:
        return "the paper would be divided in another way"
    moved = _Moved(change, part, new[0] if new else None)
    return moved.sections() or moved.text() or moved.elements() or moved.level()


class _Moved:
    """What becomes of the old text's parts when a block is put in."""

    def __init__(self, change: Change, part: Replacement, new: int | None) -> None:
        self._change = change
        self._part = part
        self._new = new
        self._landed = change.landed(part)

    def _now(self, section: int | None) -> int | None:
        """The number afterwards of a section before."""
        if section is None or self._new is None or section < self._new:
            return section
        return section + 1

    def _there(self, at: Place) -> Place | None:
        """A place before as it is afterwards, None where the block stands in it."""
        ends = self._change.shifted(at.path, at.span.start, at.span.stop)
        return Place(at.path, Span(*ends)) if ends else None

    def _old(self, at: Place) -> bool:
        return not (at.path == self._part.at.path and self._landed.covers(at.span))

    def sections(self) -> str:
        before, after = self._change.before.sections, self._change.after.sections
        for number, old in enumerate(before):
            now = self._now(number)
            new: Section = after[number if now is None else now]
            same = (old.title, old.level, self._now(old.parent))
            if (new.title, new.level, new.parent) != same:
                return f"the section {old.title[:40]!r} would have another place in the paper"
        return ""

    def text(self) -> str:
        before, after = self._change.before, self._change.after
        kept = [s for s in after.sentences if self._old(s.at)]
        if len(kept) != len(before.sentences):
            return "sentences that were there would be read in another way"
        for old, new in zip(before.sentences, kept, strict=True):
            same = (old.plain, old.kind, self._now(old.section), self._there(old.at))
            if (new.plain, new.kind, new.section, new.at) != same:
                return f"{old.plain[:40]!r} would be read in another way"
        rows = [p for p in after.paragraphs if self._old(p.at)]
        said = [(p.kind, self._now(p.section), self._there(p.at)) for p in before.paragraphs]
        if [(p.kind, p.section, p.at) for p in rows] != said:
            return "a paragraph that was there would be read in another way"
        return ""

    def elements(self) -> str:
        before, after = _elements(self._change.before), _elements(self._change.after)
        for (kind, old), (_, new) in zip(before, after, strict=True):
            kept = [one.at for one in new if self._old(one.at)]
            if kept != [self._there(one.at) for one in old]:
                return f"the {kind} that were there would be read in another way"
            if self._new is None:
                continue
            section = self._change.after.sections[self._new].at
            under = Span(self._landed.stop, max(self._landed.stop, section.span.stop))
            if any(at.path == section.path and under.overlaps(at.span) for at in kept):
                return f"{kind} that were there would come to stand under the new heading"
        return ""

    def level(self) -> str:
        """A new heading stands one level below the one around it, or beside one of its own."""
        after = self._change.after.sections
        if self._new is None:
            return ""
        mine = after[self._new]
        around = after[mine.parent].level if mine.parent is not None else None
        beside = any(
            s.level == mine.level and s.parent == mine.parent
            for number, s in enumerate(after)
            if number != self._new
        )
        if beside or (around is not None and mine.level == around + 1):
            return ""
        return f"no heading of the level of {mine.title[:40]!r} belongs there"


def _elements(manuscript: Manuscript) -> tuple[tuple[str, Sequence[_Placed]], ...]:
    seen = [c for c in manuscript.citations if c.form is not CitationForm.UNSEEN]
    return (
        ("citations", seen),
        ("labels", manuscript.labels),
        ("references", manuscript.references),
        ("floats", manuscript.floats),
        ("footnotes", manuscript.footnotes),
        ("formulas", manuscript.math),
    )


# What its headings and cells say.


def _name_fault(change: Change, part: Replacement) -> str:
    shape = shape_of(part.after)
    if isinstance(shape, str):
        return ""
    known = frozenset(w for s in change.before.sentences for w in content_words(s.plain))
    quotes = [ground.quote for ground in change.edit.grounds]
    if shape.table is None:
        title = unescaped(shape.title)
        if heading_level(shape.command) is None or not title[:1].isupper() or title[-1:] in ".!?:":
            return f"{title[:60]!r} is no title of a section"
        return _named(title, known, [unescaped(one) for one in shape.paragraphs])
    heads = [unescaped(head) for head in shape.table.columns]
    if len(set(heads)) < len(heads) or not all(0 < len(head.split()) <= 4 for head in heads):
        return "its columns are not told apart by a few words each"
    if shape.table.environment not in TABLES:
        return "it is no table"
    caption = unescaped(shape.table.caption)
    faults = (_named(one, known, quotes) for one in (caption, *heads))
    return next((fault for fault in faults if fault), "")


def _named(words: str, known: frozenset[str], given: Sequence[str]) -> str:
    if len(words.split()) > _MOST_TITLE:
        return f"{words[:60]!r} has more than {_MOST_TITLE} words"
    return heading_fault(words, known, given)


def _cells_fault(change: Change, part: Replacement) -> str:
    shape = shape_of(part.after)
    if isinstance(shape, str) or shape.table is None:
        return ""
    table = shape.table
    for row in table.rows:
        wrong = _row_fault(change, row)
        if wrong:
            return wrong
    keys = [row.key.lower() for row in table.rows]
    filled = sum(cell != NO_CELL for row in table.rows for cell in row.cells)
    if len(set(keys)) < len(keys) and YEAR not in table.columns:
        return "a work stands in two rows"
    if len(keys) < LEAST_ROWS:
        return f"a table of fewer than {LEAST_ROWS} rows is none"
    if filled < LEAST_FILLED * len(keys) * len(table.columns):
        return "too few of its cells are filled"
    return ""


def _row_fault(change: Change, row: ReadRow) -> str:
    wrong = _row_name_fault(change.after, row.key, unescaped(row.name))
    said = [unescaped(cell) for cell in row.cells if cell != NO_CELL]
    if wrong or not said:
        return wrong or f"the row of {row.key} says nothing"
    for cell in said:
        wrong = _ground_fault(change, row.key, cell)
        if wrong:
            return f"the cell {cell[:60]!r} of {row.key}: {wrong}"
    return ""


def _ground_fault(change: Change, key: str, cell: str) -> str:
    """What is wrong with a cell's quotation: it must be one of the work of its row."""
    entry = change.after.entry_of.get(key.lower())
    if entry is not None and cell.isdigit() and cell in {entry.get("year"), entry.get("date")[:4]}:
        return ""
    here = [ground for ground in change.edit.grounds if ground.said == cell]
    own = [ground for ground in here if ground.key.lower() == key.lower()]
    if not own:
        return "its quotation is of another work" if here else "nothing is quoted for it"
    faults = [cell_fault(cell, ground.quote) for ground in own]
    return "" if "" in faults else faults[0]


def _row_name_fault(after: Manuscript, key: str, name: str) -> str:
    """A row is named by its work's author, or by nothing but the citation."""
    entry = after.entry_of.get(key.lower())
    if entry is None:
        return f"no entry has the key {key!r}"
    known = (entry.get("author") or entry.get("editor")).lower()
    bare = name.lower().removesuffix(" et al.").strip()
    return "" if bare in known else f"{name[:40]!r} is not who wrote {key!r}"


def _in(one: _Placed, path: str, landed: Span) -> bool:
    return one.at.path == path and landed.covers(one.at.span)
