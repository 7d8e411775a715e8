"""Put works of files into the corpus of a paper."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reviser.adapters.files import Folder
from reviser.app.corpus import open_library, told
from reviser.app.opening import Opened
from reviser.app.ticking import progress
from reviser.errors import UsageError
from reviser.latex.bib import read_bib
from reviser.literature.corpus import Added
from reviser.literature.owned import papers_of
from reviser.literature.paper import Paper
from reviser.literature.paper_json import paper_of
from reviser.ports import Refused
from reviser.text.source import Source

LARGEST = 300_000_000
"""Bytes of a file of works."""
KINDS = (".bib", ".json", ".jsonl")


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
    read = [(name, _papers(Path(name))) for name in files]
    library = open_library(opened)
    step = told(progress(), "embedding")
    found = []
    for name, papers in read:
        found.append((name, library.corpus.add(papers, Path(name).name, step)))
    embedded = sum(added.embedded for _, added in found) + library.index.put(())
    return Collected(library.name, tuple(found), embedded, library.index.size())


def _papers(path: Path) -> Sequence[Paper]:
    kind = path.suffix.lower()
    if kind not in KINDS:
        raise UsageError(
            f"{path}: works are read of files that end in {', '.join(KINDS)}",
            hint="Export a .bib with abstracts from your reference manager, or write what "
            "another corpus has: reviser literature search TOPIC --format json",
        )
    content = Folder(path.parent, size_limit=LARGEST).read(path.name)
    if content is None:
        raise UsageError(f"there is no file {path}")
    if isinstance(content, Refused):
        raise UsageError(f"{path} is not read: {content.why}")
    if kind == ".bib":
        return papers_of(read_bib(Source.decode(path.name, content)).entries)
    return _works(path, content.decode("utf-8-sig", "replace"))


def _works(path: Path, text: str) -> Sequence[Paper]:
    """The works of a JSON file that we wrote, or of one with a work on each line."""
    try:
        if path.suffix.lower() == ".jsonl":
            works = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            data = json.loads(text)
            works = data["works"] if isinstance(data, dict) else data
    except (ValueError, KeyError, RecursionError) as error:
        raise UsageError(
            f"{path} holds no works", hint="It should be as --format json writes it."
        ) from error
    papers = [paper_of(work) for work in works] if isinstance(works, list) else []
    found = [paper for paper in papers if paper is not None]
    if not found:
        raise UsageError(f"{path} holds no works", hint="It should be as --format json writes it.")
    return found
