"""Where the corpus of a paper lies, and what it is opened with."""

import os
from dataclasses import dataclass
from pathlib import Path

import click

from reviser.adapters.embedding import MiniLM
from reviser.adapters.files import Folder, write_all
from reviser.adapters.git.changed import tracks
from reviser.adapters.index.kept_vectors import KeptVectors
from reviser.adapters.index.opensearch import OpenSearchIndex
from reviser.adapters.index.server import is_address, server_and_index
from reviser.adapters.index.sqlite import SqliteIndex
from reviser.adapters.workers import Threads
from reviser.app.choices import CORPUS, LOCK_FILE
from reviser.app.opening import Opened
from reviser.app.own_folder import FOLDER, no_links
from reviser.errors import UsageError
from reviser.literature.corpus import Corpus
from reviser.literature.index import Index, NoIndex
from reviser.literature.owned import BIBLIOGRAPHY, papers_of, told_apart
from reviser.ports import Progress, Vectors
from reviser.text.printable import many, printable

USER = "REVISER_CORPUS_USER"
PASSWORD = "REVISER_CORPUS_PASSWORD"  # noqa: S105 - the variable's name
_IGNORED = f"{FOLDER}/.gitignore"


@dataclass(frozen=True, slots=True)
class Library:
    """A corpus that is open, its name for people, and the vectors of its works and of other texts.
    `waiting` is how many works were not embedded yet; `file` is None where a server keeps it."""

    corpus: Corpus
    name: str
    vectors: Vectors
    waiting: int = 0
    file: Path | None = None

    @property
    def index(self) -> Index:
        """Where it is kept."""
        return self.corpus.index


def open_library(opened: Opened) -> Library:
    """The corpus of a paper, or the one that --corpus names, made where there is none yet; it is
    closed when the command ends.

    Raises UsageError for a `.reviser` that came with the repository: what is kept there is
    somebody's word.
    """
    named = opened.settings.corpus
    if named is not None:
        return _served(named) if is_address(named) else _library(_path(named), ours=False)
    root = opened.project.root
    if tracks(root, FOLDER):
        raise UsageError(
            f"{FOLDER} is under version control, so no corpus is read from it or put into it",
            hint=f"Run git rm -r --cached {FOLDER}, or name another place: --corpus FILE",
        )
    no_links(root)
    if Folder(root).read(_IGNORED) is None:
        write_all(root, {_IGNORED: b"*\n"})
    return _library(root / CORPUS, ours=True)


def library_of(opened: Opened) -> Library | None:
    """The corpus for a run that only reads it: None where there is none. Says so on the error
    stream where there is one that is not read."""
    named = opened.settings.corpus
    if named is not None and is_address(named):
        return _served(named)
    if named is not None:
        path = _path(named)
        if not path.exists():
            raise UsageError(
                f"--corpus: there is no file {printable(named)}",
                hint="Make it: reviser literature expand TOPIC --lookup all --corpus FILE",
            )
        return _library(path, ours=False)
    root = opened.project.root
    if not (root / CORPUS).is_file() or (root / FOLDER).is_symlink():
        return None
    if tracks(root, FOLDER):
        click.echo(f"warning: {FOLDER} is under version control; its corpus is not read", err=True)
        return None
    try:
        return _library(root / CORPUS, ours=True)
    except NoIndex as error:
        _warn(f"the corpus is not read: {error}")
        return None


def take_own(library: Library, opened: Opened, seen: Progress | None) -> None:
    """Put the works of the paper's bibliography, of its lockfile and of the exports that --sources
    names into its corpus, as far as they are new to it. Raises as `exports_of` and `read_lock`."""
    from reviser.app.locking import read_lock
    from reviser.app.own_texts import exports_of
    from reviser.verify.worklines import paper_of

    papers = papers_of(opened.manuscript.entries)
    library.corpus.add(papers, BIBLIOGRAPHY, told(seen, "reading the bibliography"))
    _, lock = read_lock(opened)
    kept = [paper_of(line.paper, line.words) for line in lock.works if line.paper is not None]
    library.corpus.add(kept, LOCK_FILE, told(seen, "reading the lockfile"))
    for export in exports_of(opened):
        library.corpus.add(
            told_apart(export.papers), export.name, told(seen, f"reading {export.name}")
        )


def told(seen: Progress | None, what: str) -> "Told | None":
    """How a long step says how far it is, None where nobody listens."""
    return None if seen is None else Told(seen, what)


@dataclass(frozen=True, slots=True)
class Told:
    """Tells a `Progress` of one step."""

    seen: Progress
    what: str

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` parts are finished."""
        self.seen.step(self.what, done, total)


def _library(path: Path, *, ours: bool) -> Library:
    model = MiniLM(workers=Threads(_cores()))
    index = SqliteIndex(path, model, _warn, ours=ours)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(index.close)
    waiting = index.waiting()
    if waiting:
        _warn(
            f"{many(waiting, 'work')} of {path.name} are found by words alone: the next "
            "'literature add' or 'literature expand' embeds them"
        )
    return Library(Corpus(index), str(path), KeptVectors(model, index.known_vectors), waiting, path)


def _served(address: str) -> Library:
    """The corpus on a search server. Raises UsageError for what is no such address."""
    server, index = server_and_index(
        address,
        user=os.environ.get(USER, "").strip(),
        password=os.environ.get(PASSWORD, "").strip(),
    )
    model = MiniLM(workers=Threads(_cores()))
    found = OpenSearchIndex(server, index, model)
    return Library(Corpus(found), found.name, KeptVectors(model, found.known_vectors))


def _path(named: str) -> Path:
    return Path(named).expanduser()


def _cores() -> int:
    """Texts that are embedded side by side: one for each core this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return min(8, len(os.sched_getaffinity(0)))
    return min(8, os.cpu_count() or 1)


def _warn(said: str) -> None:
    click.echo(f"warning: {printable(said)}", err=True)
