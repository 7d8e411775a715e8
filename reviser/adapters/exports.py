"""A reader's own exports of works: .bib, .ris and CSL-JSON files, and folders of them."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviser.errors import UsageError
from reviser.literature.collection import Collection
from reviser.literature.exported import NO_EXPORTS, of_bib, of_csl, of_ris
from reviser.literature.paper import Paper

EXTENSIONS = (".bib", ".ris", ".json")
MAX_BYTES = 48 * 1024**2
"""Of one export: some 20,000 works with their abstracts."""
MAX_FILES = 200
"""Exports of one folder."""

Read = Callable[[Path, int], bytes | str]
"""Reads a file of at most so many bytes, or says why it does not."""


@dataclass(frozen=True, slots=True)
class Exports:
    """`collections` hold the works, one per file that has any; `refused` says by file name why
    others could not be used."""

    collections: tuple[Collection, ...]
    refused: Mapping[str, str]


def read_exports(places: Sequence[Path], read: Read) -> Exports:
    """The works of these files, and of the exports that lie in these folders, not below them.

    `read` opens the files: it refuses symbolic links, devices and files that are too large. Raises
    UsageError when a place is not there.
    """
    collections: list[Collection] = []
    refused: dict[str, str] = {}
    names: set[str] = set()
    for place in places:
        for path in _files(place):
            name = path.name if path.name not in names else str(path)
            names.add(path.name)
            papers = _papers(path, name, read)
            if isinstance(papers, str):
                # Any program keeps some JSON in a folder: only what is named must be an export.
                if path == place or papers not in NO_EXPORTS:
                    refused[name] = papers
            elif papers:
                collections.append(Collection(name, papers))
            else:
                refused[name] = "no works in it"
    return Exports(tuple(collections), refused)


def _files(place: Path) -> list[Path]:
    """The exports of a folder, or the file itself."""
    if place.suffix.lower() in EXTENSIONS and not place.is_dir():
        if not os.path.lexists(place):
            raise _absent(place, "there is no such file")
        return [place]
    try:
        with os.scandir(place) as entries:
            found = sorted(entry.name for entry in entries)
    except OSError as error:
        raise _absent(place, error.strerror or "it cannot be read") from error
    return [place / name for name in found if Path(name).suffix.lower() in EXTENSIONS][:MAX_FILES]


def _absent(place: Path, why: str) -> UsageError:
    return UsageError(
        f"the sources {place} cannot be read: {why}",
        hint="Give a folder of texts named by citation key, or an export: .bib, .ris or .json.",
    )


def _papers(path: Path, name: str, read: Read) -> tuple[Paper, ...] | str:
    data = read(path, MAX_BYTES)
    if isinstance(data, str):
        return data
    if data.startswith(b"version https://git-lfs"):
        return "a Git LFS pointer, not the file itself"
    if b"\0" in data:
        return "not a text file"
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    kind = path.suffix.lower()
    if kind == ".json":
        return of_csl(text, name)
    return of_bib(text, name) if kind == ".bib" else of_ris(text, name)
