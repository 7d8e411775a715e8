"""Put works of files into the corpus of a paper."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from reviser.adapters.exports import MAX_BYTES, read_exports
from reviser.adapters.source_folder import read_bytes
from reviser.app.corpus import open_library, told
from reviser.app.opening import Opened
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.literature.corpus import Added
from reviser.literature.owned import told_apart
from reviser.literature.paper import Paper
from reviser.literature.paper_json import paper_of
from reviser.text.printable import printable

OURS = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Collected:
    """What became of the works of each file, by its name; and how many the corpus has now.
    `embedded` texts went through the model, those that waited from before among them."""

    corpus: str
    files: tuple[tuple[str, Added], ...]
    embedded: int
    size: int


def collect(opened: Opened, files: Sequence[str]) -> Collected:
    """Read the works of these files into the corpus, file by file; what was read stays when a
    later one cannot be.

    Raises UsageError for a file that is not there or of another kind, and NoIndex.
    """
    read = [part for name in files for part in _read(Path(name))]
    library = open_library(opened)
    step = told(progress(), "embedding")
    found = [(name, library.corpus.add(papers, name, step)) for name, papers in read]
    embedded = sum(added.embedded for _, added in found) + library.index.put(())
    return Collected(library.name, tuple(found), embedded, library.index.size())


def _read(path: Path) -> Sequence[tuple[str, Sequence[Paper]]]:
    """The works of an export, of each export of a folder, or of what a search wrote, by its name;
    says on the error stream which files of a folder could not be used."""
    if path.suffix.lower() in OURS and path.is_file():
        content = read_bytes(path, MAX_BYTES)
        if isinstance(content, str):
            raise UsageError(f"{path} is not read: {content}")
        works = _ours(content.decode("utf-8-sig", "replace"))
        if works:
            return [(path.name, works)]
    found = read_exports([path], read_bytes)
    for name, why in found.refused.items():
        if not found.collections:
            raise UsageError(f"{path} is not read: {why}", hint=_HINT)
        click.echo(f"warning: no works from {printable(name)}: {printable(why)}", err=True)
    if not found.collections:
        raise UsageError(f"{path} holds no exports of works", hint=_HINT)
    return [(one.name, told_apart(one.papers)) for one in found.collections]


_HINT = (
    "Works are read of .bib, .ris and CSL-JSON files, of folders of them, and of what "
    "'literature search --format json' wrote."
)


def _ours(text: str) -> Sequence[Paper]:
    """The works of a JSON file that we wrote, or of one with a work on each line."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    try:
        works = whole["works"] if isinstance(whole, dict) else _lines(text)
    except (ValueError, KeyError, RecursionError):
        return ()
    papers = [paper_of(work) for work in works] if isinstance(works, list) else []
    return [paper for paper in papers if paper is not None]


def _lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
