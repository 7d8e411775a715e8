"""Put the works of a bibliography to the sections of the paper, and tell of it."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from reviser.adapters.embedding import MiniLM
from reviser.app.gathering import evidence_of
from reviser.app.keeping import cache_of, trees_of
from reviser.app.opening import Opened
from reviser.app.page import Page, Piece, Style
from reviser.app.ticking import progress
from reviser.errors import NoConclusion
from reviser.literature.attributes import Reading, Tree
from reviser.literature.kept_trees import kept
from reviser.literature.mount import Mounted, Mounting, mount, parts_of
from reviser.text.printable import many, printable
from reviser.verify.evidence import works
from reviser.verify.readings import abstract_readings, full_readings

SCHEMA = "reviser.literature.mount/1"
SHOWN = 12
"""Works of a section that the text report names; the JSON names them all."""


@dataclass(frozen=True, slots=True)
class MountedPaper:
    """A paper's works by sections. `trees` is how many of the works had a kept tree, `bare` how
    many have a title and no abstract."""

    mounting: Mounting
    works: int
    trees: int
    bare: int
    embedder: str
    language: str


def mount_paper(opened: Opened) -> MountedPaper:
    """Every entry of the bibliography that has a title, put to a section or to none.

    Raises NoConclusion for a paper without sections or without such entries.
    """
    manuscript = opened.manuscript
    texts = evidence_of(opened, progress()).texts
    known = works(manuscript, texts)
    readings = abstract_readings(known)
    parts = parts_of(manuscript)
    if not parts or not readings:
        missing = "sections with text" if not parts else "bibliography entries with a title"
        raise NoConclusion(f"the paper has no {missing}, so no work can be put to one")
    embedder = MiniLM(cache=cache_of(opened))
    trees = _trees(opened, full_readings(known, texts))
    mounting = mount(parts, readings, embedder, trees)
    bare = sum(not reading.text for reading in readings)
    return MountedPaper(
        mounting, len(readings), len(trees), bare, embedder.name, manuscript.language
    )


def _trees(opened: Opened, readings: tuple[Reading, ...]) -> dict[str, Tree]:
    cache = trees_of(opened)
    found = ((reading.work, kept(cache, reading)) for reading in readings)
    return {work: tree for work, tree in found if tree is not None}


def mount_page(page: Page, found: MountedPaper, *, verbose: bool) -> None:
    """Each section with its works and clues; the words a clue rests on with `verbose`."""
    for mounted in found.mounting.sections:
        page.heading(printable(mounted.title) or "(without a title)")
        _works(page, mounted, verbose=verbose)
        for kind, clues in groupby(mounted.clues, key=lambda clue: clue.kind):
            page.add(Piece(f"{kind}", Style.FAINT), indent=2)
            for clue in clues:
                said = f"{printable(clue.text)} [{printable(clue.work)}]"
                page.add(said, indent=4, hang=6)
                if verbose and clue.quote != clue.text:
                    page.add(Piece(f'"{printable(clue.quote)}"', Style.QUOTE), indent=6, hang=8)
    left = found.mounting.unmounted
    if left:
        page.heading("Without a section")
        page.add(_named(left, verbose=verbose), indent=2, hang=4)
    page.gap()
    page.add(
        f"{many(found.works, 'work')}, {found.bare} of them by their title alone; "
        f"{found.works - len(left)} put to a section; {many(found.trees, 'tree')}; "
        f"{found.embedder}"
    )
    if found.language not in ("en", ""):
        page.add(
            "The embedded model is for English: in another language fewer works are put right.",
            hang=2,
        )


def _works(page: Page, mounted: Mounted, *, verbose: bool) -> None:
    said = f": {_named(mounted.keys, verbose=verbose)}" if mounted.keys else ""
    page.add(f"{many(len(mounted.keys), 'work')}{said}", indent=2, hang=4)


def _named(keys: tuple[str, ...], *, verbose: bool) -> str:
    shown = keys if verbose else keys[:SHOWN]
    more = len(keys) - len(shown)
    return ", ".join(map(printable, shown)) + (f" and {more} more" if more else "")


def mount_data(found: MountedPaper) -> dict[str, Any]:
    """The same as JSON data, versioned by `schema`."""
    return {
        "schema": SCHEMA,
        "embedder": found.embedder,
        "works": found.works,
        "title_only": found.bare,
        "trees": found.trees,
        "sections": [
            {
                "section": mounted.section,
                "title": mounted.title,
                "keys": list(mounted.keys),
                "clues": [
                    {
                        "kind": clue.kind.value,
                        "text": clue.text,
                        "work": clue.work,
                        "quote": clue.quote,
                        "from": "tree" if clue.noted else "text",
                    }
                    for clue in mounted.clues
                ],
            }
            for mounted in found.mounting.sections
        ],
        "placed": [
            {
                "work": one.work,
                "section": one.section,
                "likeness": round(one.likeness, 4),
                "ahead": round(one.ahead, 4),
            }
            for one in found.mounting.placed
        ],
        "unmounted": list(found.mounting.unmounted),
    }
