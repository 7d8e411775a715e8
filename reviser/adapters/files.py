"""A paper's folder on disk: read without ever leaving it, written all or nothing."""

import errno
import os
import secrets
import stat
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from reviser.errors import StaleEdit, UsageError
from reviser.manuscript.files import folder_of, forbidden, normal
from reviser.ports import Refused

SIZE_LIMIT = 20_000_000
COUNT_LIMIT = 20_000

_SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", ".reviser", "node_modules", "__pycache__", "venv", ".venv", ".tox"}
)
_TEMPORARY = ".reviser-"  # prefix of files that `write_all` makes and renames
_MARKERS = ("reviser.toml", ".git")
_CLIMB_LIMIT = 4
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Project:
    """Where a paper lives: its root, and what was named inside it (POSIX, relative to the root).

    `named` is the .tex file that was asked for, or None; `folder` is the folder asked for (or
    that of the file), "" for the root itself.
    """

    root: Path
    named: str | None
    folder: str


def locate(path: Path) -> Project:
    """The project around a .tex file or a folder.

    The root is the nearest enclosing folder with a `reviser.toml`, a `pyproject.toml` that has
    a `[tool.reviser]` table, or a `.git`, so that a paper may use what stands beside its folder.
    Without any of these it is the folder itself, or for a .tex file the highest of at most four
    folders above it that hold .tex files one above the other. Raises UsageError when `path`
    does not exist or is neither a folder nor a .tex file.
    """
    try:
        found = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"{path}: there is no such file or folder") from error
    if not found.is_dir() and not (found.is_file() and found.suffix.lower() in {".tex", ".ltx"}):
        raise UsageError(
            f"{path}: not a .tex file", hint="Name the paper's main .tex file or its folder."
        )
    folder = found if found.is_dir() else found.parent
    root = next((f for f in (folder, *folder.parents) if _marked(f)), None)
    if root is None:
        root = folder if found.is_dir() else _highest_with_tex(folder)
    named = found.relative_to(root).as_posix() if folder != found else None
    inside = folder.relative_to(root).as_posix()
    return Project(root, named, "" if inside == "." else inside)


def below_repository(root: Path) -> str:
    """Where `root` lies in its git repository ("" or "x/y/"): `git apply` counts from the top."""
    for folder in (root, *root.parents):
        with suppress(OSError):
            if (folder / ".git").exists():
                inside = root.relative_to(folder).as_posix()
                return "" if inside == "." else f"{inside}/"
    return ""


def _marked(folder: Path) -> bool:
    with suppress(OSError):
        if any((folder / marker).exists() for marker in _MARKERS):
            return True
        settings = folder / "pyproject.toml"
        return settings.is_file() and b"[tool.reviser" in settings.read_bytes()
    return False


def _highest_with_tex(folder: Path) -> Path:
    for _ in range(_CLIMB_LIMIT):
        above = folder.parent
        if above in {folder, above.parent} or not _holds_tex(above):
            return folder
        folder = above
    return folder


def _holds_tex(folder: Path) -> bool:
    with suppress(OSError), os.scandir(folder) as entries:
        return any(e.name.endswith(".tex") and e.is_file(follow_symlinks=False) for e in entries)
    return False


@dataclass(frozen=True, slots=True)
class Folder:
    """The files under `root`, as ports.ProjectFiles asks.

    Every component is opened without following links, relative to the one before it, so that
    no rename or link made meanwhile leads outside. `first` is a folder inside `root` whose files
    are listed before all others when there are more than `count_limit`; `size_limit` is in bytes.
    """

    root: Path
    first: str = ""
    size_limit: int = SIZE_LIMIT
    count_limit: int = COUNT_LIMIT
    _names: list[tuple[str, ...]] = field(default_factory=list, init=False, repr=False)

    def names(self) -> Sequence[str]:
        """Every readable regular file, sorted; at most `count_limit`; listed once and kept."""
        if not self._names:
            self._names.append(tuple(sorted(self._listed())))
        return self._names[0]

    def _listed(self) -> set[str]:
        found: set[str] = set()
        waiting = deque([self.first, ""] if self.first else [""])
        visited: set[str] = set()
        while waiting and len(found) < self.count_limit and len(visited) < self.count_limit:
            folder = waiting.popleft()
            if folder in visited:
                continue
            visited.add(folder)
            with suppress(OSError, ValueError), _opened(self.root, folder) as handle:
                for name, is_folder in _children(handle):
                    path = f"{folder}/{name}" if folder else name
                    if is_folder:
                        waiting.append(path)
                    elif len(found) < self.count_limit:
                        found.add(path)
        return found

    def read(self, name: str) -> bytes | Refused | None:
        """The file's bytes, a refusal with its reason, or None when there is no such file."""
        why = forbidden(name)
        if why:
            return Refused(why)
        try:
            with _opened(self.root, folder_of(name)) as folder:
                return _content(folder, name.rpartition("/")[2], self.size_limit)
        except _Linked:
            return Refused("it is reached through a symbolic link")
        except (UnicodeEncodeError, ValueError):
            return None
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}:
                return None
            return Refused(f"it cannot be read ({error.strerror or 'input/output error'})")


class _Linked(Exception):  # noqa: N818 - a state met on the way, never shown
    """A component of the path is a symbolic link."""


def _children(handle: int) -> Iterator[tuple[str, bool]]:
    with os.scandir(handle) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name.casefold() not in _SKIPPED_FOLDERS and not _is_environment(
                    handle, entry.name
                ):
                    yield entry.name, True
            elif entry.is_file(follow_symlinks=False) and not entry.name.startswith(_TEMPORARY):
                yield entry.name, False


def _is_environment(handle: int, name: str) -> bool:
    """Whether the folder is a Python virtual environment, whatever it is called."""
    try:
        os.stat(f"{name}/pyvenv.cfg", dir_fd=handle, follow_symlinks=False)
    except OSError:
        return False
    return True


@contextmanager
def _opened(root: Path, folder: str, *, make: list[str] | None = None) -> Iterator[int]:
    """A handle of the folder, reached link-free from `root`; `make` collects folders created."""
    if os.open not in os.supports_dir_fd or not hasattr(os, "O_NOFOLLOW"):
        raise UsageError(
            "this system cannot open files without following links, so no paper is read on it",
            hint="On Windows, run reviser inside WSL.",
        )
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        done = ""
        for part in folder.split("/") if folder else ():
            done = f"{done}/{part}" if done else part
            if make is not None:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=handle)
                    make.append(done)
            deeper = _step(handle, part)
            os.close(handle)
            handle = deeper
        yield handle
    finally:
        os.close(handle)


def _step(handle: int, part: str) -> int:
    try:
        return os.open(
            part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=handle
        )
    except OSError:
        if stat.S_ISLNK(os.stat(part, dir_fd=handle, follow_symlinks=False).st_mode):
            raise _Linked from None
        raise


def _content(folder: int, name: str, limit: int) -> bytes | Refused | None:
    facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISLNK(facts.st_mode):
        raise _Linked
    if not stat.S_ISREG(facts.st_mode):
        return None if stat.S_ISDIR(facts.st_mode) else Refused("it is not a regular file")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with open(os.open(name, flags, dir_fd=folder), "rb") as stream:  # noqa: PTH123 - by handle
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return Refused("it is not a regular file")
        data = stream.read(limit + 1)
    if len(data) > limit:
        return Refused(f"it is larger than {limit // 1_000_000 or limit} {_unit(limit)}")
    return data


def _unit(limit: int) -> str:
    return "MB" if limit >= 1_000_000 else "bytes"


@dataclass(slots=True)
class _Pending:
    """One file on its way: its new bytes wait in `temporary` beside it."""

    path: str
    temporary: str
    original: bytes | None
    renamed: bool = False


def write_all(
    root: Path, files: Mapping[str, bytes], *, expected: Mapping[str, bytes] | None = None
) -> None:
    """Write every file or none: temporary files first, then renames in the same folders.

    Mode bits (and the owner, where allowed) of existing files are kept; missing folders are
    made. If anything fails, files already replaced get their old bytes back. Names are refused
    as in `Folder.read`. Where `expected` names a file, its bytes on disk must still be these.
    Raises StaleEdit when they are not, UsageError when a file cannot be written.
    """
    pending: list[_Pending] = []
    made: list[str] = []
    complete = False
    try:
        for path in sorted(files):
            item = _prepared(root, path, files[path], made, expected or {})
            pending.append(item)  # at once, so that a failure on the next one clears it away
        for item in pending:
            _rename(root, item)
        complete = True
    except _Linked as error:
        raise UsageError(f"a symbolic link lies on the way to {_asked(files, pending)}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(
            f"{_asked(files, pending)} cannot be written ({reason}); nothing was changed",
            hint="Look at the folder's permissions and at the free space.",
        ) from error
    finally:
        if not complete:
            _roll_back(root, pending, made)


def _asked(files: Mapping[str, bytes], pending: Sequence[_Pending]) -> str:
    """The file that was being worked on when something failed."""
    if len(pending) < len(files):
        return sorted(files)[len(pending)]
    return next((p.path for p in pending if not p.renamed), "the paper")


def _prepared(
    root: Path, path: str, data: bytes, made: list[str], expected: Mapping[str, bytes]
) -> _Pending:
    why = forbidden(path)
    if why is None and path != normal(path):
        why = "it is not a normalised path"
    if why:
        raise UsageError(f"{path}: never written, because {why}")
    name = path.rpartition("/")[2]
    with _opened(root, folder_of(path), make=made) as folder:
        original, facts = _present(folder, path, name)
        if path in expected and original != expected[path]:
            raise StaleEdit(
                f"{path}: the file has changed since it was read; nothing was written",
                hint="Run reviser again on the file as it is now.",
            )
        temporary = f"{_TEMPORARY}{secrets.token_hex(8)}.tmp"
        _fill(folder, temporary, data, facts)
    return _Pending(path, temporary, original)


def _present(folder: int, path: str, name: str) -> tuple[bytes | None, os.stat_result | None]:
    try:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None, None
    if not stat.S_ISREG(facts.st_mode):
        raise UsageError(f"{path}: never written, because it is not a regular file")
    if not facts.st_mode & _WRITABLE:
        # A rename would go over it all the same, but whoever set these bits meant something.
        raise UsageError(
            f"{path}: not written, because it is read-only; nothing was changed",
            hint="Make it writable first, or take the edits as a patch (--patch).",
        )
    content = _content(folder, name, max(facts.st_size, SIZE_LIMIT))
    if not isinstance(content, bytes):
        raise UsageError(f"{path}: never written, because it cannot be read first")
    return content, facts


def _fill(folder: int, name: str, data: bytes, facts: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(name, flags, 0o666 if facts is None else 0o600, dir_fd=folder)
    try:
        with open(handle, "wb") as stream:  # noqa: PTH123 - by handle
            stream.write(data)
            stream.flush()
            if facts is not None:
                with suppress(PermissionError):
                    os.fchown(stream.fileno(), facts.st_uid, facts.st_gid)
                os.fchmod(stream.fileno(), stat.S_IMODE(facts.st_mode))
            os.fsync(stream.fileno())
    except BaseException:
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        raise


def _rename(root: Path, item: _Pending) -> None:
    with _opened(root, folder_of(item.path)) as folder:
        name = item.path.rpartition("/")[2]
        os.rename(item.temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        item.renamed = True
        os.fsync(folder)


def _roll_back(root: Path, pending: Sequence[_Pending], made: Sequence[str]) -> None:
    """Undo a half-done write; what cannot be undone is named in the error that goes up."""
    lost = []
    for item in reversed(pending):
        try:
            with _opened(root, folder_of(item.path)) as folder:
                _restore(folder, item)
        except (OSError, _Linked):
            if item.renamed:
                lost.append(item.path)
    for folder_name in reversed(made):
        with suppress(OSError, _Linked), _opened(root, folder_of(folder_name)) as above:
            os.rmdir(folder_name.rpartition("/")[2], dir_fd=above)
    if lost:
        raise UsageError(
            f"writing failed half-way and these files kept their new text: {', '.join(lost)}",
            hint="`reviser undo` or your version control brings the old text back.",
        )


def _restore(folder: int, item: _Pending) -> None:
    name = item.path.rpartition("/")[2]
    if not item.renamed:
        with suppress(FileNotFoundError):
            os.unlink(item.temporary, dir_fd=folder)
    elif item.original is None:
        os.unlink(name, dir_fd=folder)
    else:
        facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
        _fill(folder, item.temporary, item.original, facts)
        os.rename(item.temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
