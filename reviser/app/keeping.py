"""Where results of the models are kept between runs: files in `.reviser/` beside the paper."""

import os
from pathlib import Path

import click

from reviser.adapters.cache import LIMIT, FileCache
from reviser.adapters.files import Folder, write_all
from reviser.adapters.git.changed import tracks
from reviser.app.opening import Opened
from reviser.app.own_folder import FOLDER
from reviser.errors import ReviserError, UsageError
from reviser.ports import Cache
from reviser.text.printable import printable

RESULTS = "results"
TAPE = "replies"
ANSWERS = "answers"
TREES = "trees"
FILE = f"{FOLDER}/cache/{RESULTS}"
_IGNORED = f"{FOLDER}/.gitignore"


def cache_of(opened: Opened) -> Cache | None:
    """The cache of this run, in the paper's folder or in the one that is named, None when it is
    not wanted; it is saved when the command ends.

    A folder that cannot be written, or a `.reviser` that leads elsewhere, gives a cache for this
    run alone. A cache that came with the repository is not read: its figures are somebody's word.
    """
    if not opened.settings.cache:
        return None
    cache = _kept(opened, RESULTS)
    context = click.get_current_context(silent=True)
    # A dry run writes nothing at all.
    if context is not None and not context.params.get("dry_run"):
        context.call_on_close(cache.save)
    return cache


def tape_of(opened: Opened) -> Cache:
    """Where replies of chat models are kept: beside the results, or for this run alone where no
    cache is wanted. It is saved after a dry run too, and after Ctrl-C: replies were paid for."""
    if not opened.settings.cache:
        return FileCache(lambda: None, lambda _: None, lambda _: None)
    return _saved(_kept(opened, TAPE))


def tape_in(folder: Path) -> Cache:
    """The same beside a file that is no paper's."""
    return _saved(_file_cache(folder, f"{FOLDER}/cache/{TAPE}"))


def _saved(tape: FileCache) -> Cache:
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(tape.save)
    return tape


def answers_of(opened: Opened) -> Cache:
    """Where answers of literature services are kept, as `tape_of`: asking them again would cost
    them, and us, time."""
    if not opened.settings.cache:
        return FileCache(lambda: None, lambda _: None, lambda _: None)
    answers = _kept(opened, ANSWERS)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(answers.save)
    return answers


def trees_of(opened: Opened) -> Cache:
    """Where the attribute trees of works are kept (`literature.kept_trees`), as `tape_of`: what
    needs them need not ask a model again, nor be told which one was asked."""
    if not opened.settings.cache:
        return FileCache(lambda: None, lambda _: None, lambda _: None)
    trees = _kept(opened, TREES)
    context = click.get_current_context(silent=True)
    if context is not None:
        context.call_on_close(trees.save)
    return trees


def _kept(opened: Opened, name: str) -> FileCache:
    """The cache in the file `name` of the folder that is meant for it."""
    named = opened.settings.cache_folder
    if named is None:
        return _file_cache(opened.project.root, f"{FOLDER}/cache/{name}")
    return _file_cache(_made(named), name, shown=printable(named))


def _file_cache(root: Path, file: str, *, shown: str = FOLDER) -> FileCache:
    """The cache in `file` of the folder `root`; one in `.reviser` is hidden from git."""
    folder = Folder(root, size_limit=2 * LIMIT)
    own = file.startswith(f"{FOLDER}/")

    def read() -> bytes | None:
        content = folder.read(file)
        if not isinstance(content, bytes):
            return None
        if tracks(root, file.partition("/")[0]):
            click.echo(f"warning: {shown} is under version control; its cache is not read",
                       err=True)  # fmt: skip
            return None
        return content

    def write(content: bytes) -> None:
        if not os.access(root, os.W_OK):
            return
        files = {file: content}
        if own and folder.read(_IGNORED) is None:
            files[_IGNORED] = b"*\n"
        try:
            write_all(root, files)
        except ReviserError:
            return  # the results are computed again next time

    def warn(said: str) -> None:
        click.echo(f"warning: {said}", err=True)

    return FileCache(read, write, warn)


def _made(named: str) -> Path:
    """The folder that was named for the results, made where it is not there yet."""
    folder = Path(named).expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return folder.resolve(strict=True)
    except OSError as error:
        raise UsageError(f"--cache-folder {named} cannot be used: {error.strerror}") from error
