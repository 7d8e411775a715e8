"""Read what the reader has of the cited works: texts and PDFs in folders, and exports of works."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from reviser.adapters.exports import EXTENSIONS as EXPORTS
from reviser.adapters.exports import read_exports
from reviser.adapters.source_folder import (
    beginning_of,
    read_bytes,
    read_sources,
    read_text,
    unnamed_files,
)
from reviser.adapters.workers import Threads
from reviser.app.opening import Opened, sources_of
from reviser.literature.collection import Collection
from reviser.literature.own_texts import owners
from reviser.literature.sections import sections_of
from reviser.literature.sources import Text, Wanted
from reviser.literature.wanted import wanted_of
from reviser.pipeline.gathering import cited_entries, lent
from reviser.ports import Progress
from reviser.text.printable import printable

MOST_UNNAMED = 2_000
"""Files of a folder whose beginning is read to find out whose texts they are."""
LOOKING = "looking through the folders of texts"


def exports_of(opened: Opened) -> tuple[Collection, ...]:
    """The works in the exports that are named, or lie in folders that are; says on the error stream
    which could not be used. Raises UsageError when a place is not there."""
    found = read_exports(sources_of(opened), read_bytes)
    for name, why in found.refused.items():
        click.echo(f"warning: no works from {printable(name)}: {printable(why)}", err=True)
    return found.collections


def texts_of(opened: Opened, seen: Progress | None = None) -> Mapping[str, Text]:
    """The texts of cited works in the folders that are named for them, by key in lower case; says
    on the error stream which could not be used.

    A file that is named by a key is that work's; another one is where title and author at its head
    are those of a cited work. Raises UsageError when a folder is not there.
    """
    keys = [entry.key for entry in opened.manuscript.entries]
    texts: dict[str, Text] = {}
    folders = [p for p in sources_of(opened) if p.suffix.lower() not in EXPORTS or p.is_dir()]
    for folder in folders:
        found = read_sources(folder, keys)
        for key, why in found.refused.items():
            _warn(key, why)
        for key, words in found.texts.items():
            texts.setdefault(key.lower(), Text(sections=sections_of(words)))
    open_still = [
        wanted_of(entry, lent(opened.manuscript, entry))
        for key, entry in cited_entries(opened.manuscript).items()
        if key not in texts
    ]
    for folder in folders:
        for key, text in _recognised(unnamed_files(folder, keys), open_still, seen).items():
            texts.setdefault(key.lower(), text)
    return texts


def _recognised(
    files: Sequence[Path], wanted: Sequence[Wanted], seen: Progress | None
) -> Mapping[str, Text]:
    """The texts of works among files that are named otherwise, by key."""
    files = files[:MOST_UNNAMED]
    if not wanted or not files:
        return {}

    def told(done: int) -> None:
        if seen is not None:
            seen.step(LOOKING, done, len(files))

    read = Threads(2).each(beginning_of, files, told)
    heads = {path.name: words for path, (words, _) in zip(files, read, strict=True) if words}
    whose = owners(heads, wanted)
    named = {path.name: path for path in files}
    found: dict[str, Text] = {}
    for key, name in whose.items():
        words, why = read_text(named[name])
        if why:
            _warn(key, f"{name}: {why}")
        else:
            found[key] = Text(sections=sections_of(words), full_from=name)
    return found


def _warn(key: str, why: str) -> None:
    click.echo(f"warning: no text for {printable(key)}: {printable(why)}", err=True)
