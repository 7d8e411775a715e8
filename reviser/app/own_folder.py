"""The folder `.reviser` beside a paper: ignored by git, never a link, one writer at a time."""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reviser.adapters.files import write_all
from reviser.errors import UsageError

FOLDER = ".reviser"
RUNS = f"{FOLDER}/runs"


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Be the only run that writes here; makes `.reviser` with its ignore file where needed."""
    no_links(root)
    if not (root / FOLDER / ".gitignore").exists():
        write_all(root, {f"{FOLDER}/.gitignore": b"*\n"})
    # The folder itself is locked, so that no lock file is left behind; a killed run frees it.
    handle = os.open(root / FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UsageError(
                "another reviser is writing to this paper; nothing was changed",
                hint="Wait until it has finished, and run again.",
            ) from error
        except OSError:  # a file system without locks: the check of each file's bytes remains
            pass
        yield
    finally:
        os.close(handle)


def no_links(root: Path) -> None:
    """Refuse a `.reviser` that leads elsewhere: a repository could have brought it along."""
    for name in (FOLDER, RUNS):
        try:
            mode = os.lstat(root / name).st_mode
        except OSError:
            return
        if not stat.S_ISDIR(mode):
            raise UsageError(
                f"{name} is not a folder, so no run can be kept there; nothing was changed",
                hint=f"Move {name} out of the way.",
            )
