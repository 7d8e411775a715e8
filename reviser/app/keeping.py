"""Where results of the models are kept between runs: one file in `.reviser/` beside the paper."""

import os

import click

from reviser.adapters.cache import LIMIT, FileCache
from reviser.adapters.files import Folder, write_all
from reviser.adapters.git.changed import tracks
from reviser.app.opening import Opened
from reviser.app.own_folder import FOLDER
from reviser.errors import ReviserError
from reviser.ports import Cache

FILE = f"{FOLDER}/cache/results"
_IGNORED = f"{FOLDER}/.gitignore"


def cache_of(opened: Opened) -> Cache | None:
    """The paper's cache, None when it is not wanted; it is saved when the command ends.

    A folder that cannot be written, or a `.reviser` that leads elsewhere, gives a cache for this
    run alone. A cache that came with the repository is not read: its figures are somebody's word.
    """
    if not opened.settings.cache:
        return None
    root = opened.project.root
    folder = Folder(root, size_limit=2 * LIMIT)

    def read() -> bytes | None:
        content = folder.read(FILE)
        if not isinstance(content, bytes):
            return None
        if tracks(root, FOLDER):
            click.echo(f"warning: {FOLDER} is under version control; its cache is not read",
                       err=True)  # fmt: skip
            return None
        return content

    def write(content: bytes) -> None:
        if not os.access(root, os.W_OK):
            return
        files = {FILE: content}
        if folder.read(_IGNORED) is None:
            files[_IGNORED] = b"*\n"
        try:
            write_all(root, files)
        except ReviserError:
            return  # the results are computed again next time

    def warn(said: str) -> None:
        click.echo(f"warning: {said}", err=True)

    cache = FileCache(read, write, warn)
    context = click.get_current_context(silent=True)
    # A dry run writes nothing at all.
    if context is not None and not context.params.get("dry_run"):
        context.call_on_close(cache.save)
    return cache
