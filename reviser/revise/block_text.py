"""A block as LaTeX in the style of its paper: our code writes every command of it."""

import re
from collections.abc import Mapping, Sequence

from reviser.manuscript.model import Manuscript
from reviser.revise.block_shape import YEAR
from reviser.revise.block_style import Style, fresh_label
from reviser.revise.blocks import NO_CELL, Block, Row, Said, Table
from reviser.revise.layout import Layout
from reviser.revise.placeholders import escaped
from reviser.text.visible import visible

WORK = "Work"
_NARROW, _WIDE = 58, 100
"""Characters of a line of cells up to which no column is wrapped, in one column and in both."""
_SHORT = 14
"""Characters of a cell that never needs wrapping."""
_INDENT = "  "


def latex_of(
    manuscript: Manuscript,
    block: Block,
    style: Style,
    layout: Layout,
    *,
    level: int,
    names: Mapping[str, str],
    frame: tuple[str, str] = ("\n\n", ""),
) -> str:
    """The text of a block.

    `level` is that of its heading; `names` are how readers know the works of a table, by key, ""
    where a citation alone must do; `frame` are the line ends before and behind it.
    """
    parts: list[str] = []
    if block.table is None:
        parts.append(_heading(manuscript, block.title, style, level))
        parts += [paragraph(style, layout, one) for one in block.paragraphs]
    else:
        label = fresh_label(manuscript, style, style.table, block.table.caption)
        parts.append(pointer(style.point, label, block.table.columns))
        parts.append(_float(block.table, label, style, names))
    text = "\n\n".join(parts).join(frame)
    return text.replace("\n", style.newline)


def paragraph(style: Style, layout: Layout, said: Sequence[Said]) -> str:
    """A paragraph of sentences, each with its citations in the way of the paper."""
    lines = []
    for one in said:
        text = escaped(visible(one.text))
        lines.append(style.habit.cited(text, one.keys) if style.habit else text)
    if layout.per_sentence:
        return "\n".join(lines)
    words = " ".join(lines).split(" ")
    if not layout.width:
        return " ".join(words)
    rows = [words[0]]
    for word in words[1:]:
        if len(rows[-1]) + 1 + len(word) > layout.width:
            rows.append(word)
        else:
            rows[-1] += f" {word}"
    return "\n".join(rows)


def pointer(command: str, label: str, columns: Sequence[str]) -> str:
    """The sentence that points to a table: ours, so that it claims nothing but what is there."""
    what = "\\ref" if command == "ref" else f"\\{command}"
    named = f"Table~{what}{{{label}}}" if command == "ref" else f"{what}{{{label}}}"
    heads = [escaped(column) for column in columns]
    heads = [head[:1].lower() + head[1:] if head[1:2].islower() else head for head in heads]
    listed = heads[0] if len(heads) == 1 else f"{', '.join(heads[:-1])} and {heads[-1]}"
    return f"{named} sets works side by side by {listed}."


def _heading(manuscript: Manuscript, title: str, style: Style, level: int) -> str:
    head = f"\\{style.command(level)}{{{escaped(visible(title))}}}"
    if style.heading is None:
        return head
    label = fresh_label(manuscript, style, style.heading, title)
    below = "\n" if style.heading_below else ""
    return f"{head}{below}\\label{{{label}}}"


def _float(table: Table, label: str, style: Style, names: Mapping[str, str]) -> str:
    environment = "table*" if style.wide and _length(table) > _NARROW else "table"
    named = [f"\\caption{{{escaped(visible(table.caption))}}}", f"\\label{{{label}}}"]
    top, middle, bottom = (
        ("\\toprule", "\\midrule", "\\bottomrule") if style.booktabs else ("\\hline",) * 3
    )
    parts = _parts(table, style, environment)
    wrapped = "X" in parts
    kind = "tabularx" if wrapped else "tabular"
    opened = "\\begin{tabularx}{\\linewidth}" if wrapped else "\\begin{tabular}"
    timeline = table.columns[0] == YEAR
    head = [escaped(column) for column in table.columns]
    head.insert(1 if timeline else 0, WORK)
    rows = [_row(row, style, names, timeline=timeline) for row in table.rows]
    inner = [f"{' & '.join(cells)} \\\\" for cells in (head, *rows)]
    tabular = [
        f"{opened}{{{parts}}}",
        *(f"{_INDENT}{line}" for line in (top, inner[0], middle, *inner[1:], bottom)),
        f"\\end{{{kind}}}",
    ]
    body = [*named, *tabular] if style.caption_above else [*tabular, *named]
    lines = ["\\centering", *body]
    return "\n".join(
        [f"\\begin{{{environment}}}[t]", *(_INDENT + line for line in lines),
         f"\\end{{{environment}}}"]
    )  # fmt: skip


def _row(row: Row, style: Style, names: Mapping[str, str], *, timeline: bool) -> list[str]:
    cells = [escaped(visible(cell.text)) if cell.text else NO_CELL for cell in row.cells]
    cells.insert(1 if timeline else 0, named(row.key, style, names.get(row.key, "")))
    return cells


def named(key: str, style: Style, name: str) -> str:
    """The cell that names a work: as the paper cites works in its sentences, else by its name."""
    if style.textual:
        return f"\\{style.textual}{{{key}}}"
    command = style.habit.command if style.habit else "cite"
    return f"{escaped(visible(name))}~\\{command}{{{key}}}" if name else f"\\{command}{{{key}}}"


def _length(table: Table) -> int:
    return sum(_longest(table, number) + 2 for number in range(len(table.columns))) + 16


def _longest(table: Table, column: int) -> int:
    return max(len(table.columns[column]), *(len(row.cells[column].text) for row in table.rows))


def _parts(table: Table, style: Style, environment: str) -> str:
    """The columns: as wide as their cells where the line has room, else wrapped."""
    room = _WIDE if environment.endswith("*") else _NARROW
    longest = [_longest(table, number) for number in range(len(table.columns))]
    timeline = table.columns[0] == YEAR
    if _length(table) <= room:
        parts = ["l"] * len(longest)
    elif style.tabularx:
        parts = ["l" if size <= _SHORT else "X" for size in longest]
    else:
        long = [size for size in longest if size > _SHORT]
        share = 0.9 - 0.2 - 0.14 * (len(longest) - len(long))
        widths = [max(0.1, share * size / max(1, sum(long))) for size in longest]
        total = sum(w for w, size in zip(widths, longest, strict=True) if size > _SHORT)
        scale = min(1.0, share / total) if total else 1.0
        parts = [
            "l" if size <= _SHORT else f"p{{{max(0.1, width * scale):.2f}\\linewidth}}"
            for size, width in zip(longest, widths, strict=True)
        ]
    parts.insert(1 if timeline else 0, "l")
    return "".join(parts)


def plain_name(author: str, others: bool) -> str:
    """How a reader knows a work by its first author, "" where the name is not of plain letters:
    TeX would need accents that the bibliography has and a cell has not."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z' -]{0,40}", author):
        return ""
    return f"{author} et al." if others else author
