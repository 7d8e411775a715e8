"""Attribute trees for people and for programs."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from reviser.app.attributing import Attributed
from reviser.app.page import Page, Piece, Style
from reviser.app.spent_output import spent_data
from reviser.literature.attributes import Tree
from reviser.text.printable import many, printable

SCHEMA = "reviser.literature.attributes/1"


def attributes_page(page: Page, found: Attributed, *, verbose: bool) -> None:
    """Each tree with its notes, with `verbose` the words they rest on; then what has no tree."""
    for reading, tree in found.found:
        if not isinstance(tree, Tree):
            continue
        page.heading(f"{printable(reading.work)}  {printable(tree.title)}")
        page.add(f"{tree.kind}, by its {printable(tree.where)}", indent=2)
        above: tuple[str, ...] = ()
        for leaf in tree.leaves:
            for depth, name in enumerate(leaf.path):
                if leaf.path[: depth + 1] != above[: depth + 1]:
                    page.add(Piece(name, Style.FAINT), indent=2 + 2 * depth)
            above = leaf.path
            indent = 2 + 2 * len(leaf.path)
            page.add(printable(leaf.text), indent=indent, hang=indent + 2)
            if verbose:
                quote = Piece(f'"{printable(leaf.quote)}"', Style.QUOTE)
                page.add(quote, indent=indent + 2, hang=indent + 4)
        for line in _left_out(tree):
            page.add(Piece(line, Style.FAINT), indent=2, hang=4)
    _nothing(page, found)
    page.gap()
    trees = sum(isinstance(tree, Tree) for _, tree in found.found)
    page.add(f"{many(trees, 'tree')} of {many(len(found.found), 'work')}; {found.asked.sentence}")


def _left_out(tree: Tree) -> list[str]:
    told = [_counted("note", "left out", tree.dropped)] if tree.dropped else []
    return [*told, *([_counted("part", "without notes", tree.unread)] if tree.unread else [])]


def _counted(what: str, fate: str, reasons: Sequence[str]) -> str:
    counts = Counter(reasons)
    said = "; ".join(
        f"{printable(why)} ({count} times)" if count > 1 else printable(why)
        for why, count in counts.items()
    )
    return f"{many(len(reasons), what)} {fate}: {said}"


def _nothing(page: Page, found: Attributed) -> None:
    failed = [(r.work, tree.why) for r, tree in found.found if not isinstance(tree, Tree)]
    if failed or found.silent:
        page.heading("Without a tree")
    for work, why in failed:
        page.add(f"{printable(work)}: {printable(why)}", indent=2, hang=4)
    if found.silent:
        keys = ", ".join(map(printable, found.silent))
        page.add(f"no abstract and no text: {keys}", indent=2, hang=4)


def attributes_data(found: Attributed) -> dict[str, Any]:
    """The same as JSON data, versioned by `schema`."""
    return {
        "schema": SCHEMA,
        "works": [
            {
                "work": tree.work,
                "title": tree.title,
                "kind": tree.kind,
                "template": tree.template,
                "read": tree.where,
                "notes": [
                    {"path": list(leaf.path), "text": leaf.text, "quote": leaf.quote}
                    for leaf in tree.leaves
                ],
                "dropped": list(tree.dropped),
                "unread": list(tree.unread),
            }
            for _, tree in found.found
            if isinstance(tree, Tree)
        ],
        "unusable": [
            {"work": reading.work, "why": tree.why, "detail": tree.detail}
            for reading, tree in found.found
            if not isinstance(tree, Tree)
        ],
        "nothing_to_read": list(found.silent),
        "asked": spent_data(found.asked),
    }
