"""Write the files of one commit that reviser reads into a plain folder; git never checks them out.

A checkout of somebody's commit makes links, runs filters and puts `.git/config` beside the paper.
Here blobs are read one by one, and only regular files with harmless names are written.
"""

import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from reviser.adapters.git.history import commit_of
from reviser.adapters.git.run import command, run, streamed, text
from reviser.errors import NoConclusion, UsageError
from reviser.manuscript.files import forbidden, normal

FILE_LIMIT = 20_000_000  # bytes, as much as is read of a file in a folder
OTHER_LIMIT = 1_000_000  # bytes of a file whose kind is not known
TOTAL_LIMIT = 500_000_000
COUNT_LIMIT = 20_000
_TREE_LIMIT = 200_000  # entries of a tree
_SECONDS = 120.0

_TEXT = frozenset(
    {".tex", ".ltx", ".bib", ".bbl", ".sty", ".cls", ".bst", ".toml", ".txt", ".md", ".json"}
)
_PAGES = frozenset({".pdf"})
# Never read by us and seldom small; everything else that is text may be somebody's \input.
_PICTURES = frozenset(
    {
        ".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp", ".ico", ".eps",
        ".ps", ".ai", ".psd", ".svg", ".svgz", ".heic", ".zip", ".gz", ".tgz", ".bz2",
        ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".mp3", ".mp4", ".mov", ".avi",
        ".mkv", ".wav", ".ttf", ".otf", ".woff", ".woff2", ".pfb", ".tfm", ".docx", ".doc",
        ".xlsx", ".xls", ".pptx", ".ppt", ".odt", ".npy", ".npz", ".pkl", ".pt", ".pth",
        ".h5", ".parquet", ".so", ".dll", ".exe", ".bin", ".pyc", ".class", ".o", ".a",
        ".sqlite", ".db",
    }
)  # fmt: skip
_SAMPLE = 8_000  # bytes in which a zero byte tells that a file is not text, as git has it


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a commit: git's mode ("100644", "120000" for a link, "160000" for a submodule),
    the hash of its contents, and their size in bytes, None where they are not here."""

    path: str
    mode: str
    hash: str
    size: int | None

    @property
    def regular(self) -> bool:
        """Whether it is a file with contents, and neither a link nor another repository."""
        return self.mode in {"100644", "100755"}


@dataclass(frozen=True, slots=True)
class Exported:
    """The paths that were written, sorted, and why others that look like a paper's were not."""

    files: tuple[str, ...]
    refused: Mapping[str, str]


def tree(repository: Path, commit: str) -> tuple[Entry, ...]:
    """Every file of `commit`, in git's order. Raises UsageError when it is none of the
    repository's, NoConclusion when there are more than 200,000 files."""
    commit = commit_of(repository, commit)
    told = run(command(repository, "ls-tree", "-r", "-z", "--full-tree", commit), repository)
    if told.returncode != 0:
        raise UsageError(f"git cannot list the files of {commit[:12]}")
    lines = told.stdout.split(b"\0")[:-1]
    if len(lines) > _TREE_LIMIT:
        raise NoConclusion(f"{commit[:12]} has more than {_TREE_LIMIT} files")
    found = []
    for line in lines:
        facts, _, name = line.partition(b"\t")
        mode, _, held = text(facts).split(" ")
        found.append((text(name), mode, held))
    sizes = _sizes(repository, [held for _, mode, held in found if mode != "160000"])
    return tuple(Entry(name, mode, held, sizes.get(held)) for name, mode, held in found)


def reads(path: str) -> bool:
    """Whether reviser could read a file of this name: a paper's own, the text or pages of a cited
    work, settings, or a file of unknown kind, which may be text that the paper inputs."""
    parts = path.casefold().split("/")
    return _kind(path) not in _PICTURES and ".reviser" not in parts


def export(
    repository: Path,
    commit: str,
    folder: Path,
    *,
    wanted: Callable[[str], bool] = reads,
    total: int = TOTAL_LIMIT,
    count: int = COUNT_LIMIT,
) -> Exported:
    """Write those files of `commit` that are `wanted` into `folder`, which is made, or is empty.

    Links, submodules, names that `manuscript.files.forbidden` refuses, names that some file
    system takes for one another, files above the limits (`total` in bytes, `count` in files) and
    files that were not fetched are refused. Files of unknown kind are written up to 1 MB when
    they look like text. Bytes are as committed: no line ends converted, no filters. Raises
    UsageError when the folder holds something already or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty")
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}") from error
    refused: dict[str, str] = {}
    chosen = _chosen(tree(repository, commit), wanted, refused, total=total, count=count)
    written = []
    for entry, content in _contents(repository, chosen):
        if _kind(entry.path) not in _TEXT | _PAGES and b"\0" in content[:_SAMPLE]:
            continue
        why = _written(folder, entry.path, content)
        if why:
            refused[entry.path] = why
        else:
            written.append(entry.path)
    return Exported(tuple(sorted(written)), refused)


def _chosen(
    entries: Sequence[Entry],
    wanted: Callable[[str], bool],
    refused: dict[str, str],
    *,
    total: int,
    count: int,
) -> list[Entry]:
    """What is to be written. The paper's own files and those near the top come first, so that
    limits cut off figures and appendices, not the main file."""
    names = _Names()
    chosen: list[Entry] = []
    for entry in sorted(entries, key=_order):
        if not wanted(entry.path):
            continue
        why = _why_not(entry)
        if why is None and len(chosen) == count:
            why = f"there are more than {count} files"
        if why is None and entry.size is not None and entry.size > total:
            why = "the files are too large together"
        why = why or names.taken(entry.path)
        if why:
            refused[entry.path] = why
        elif entry.size is not None:
            total -= entry.size
            chosen.append(entry)
    return chosen


def _order(entry: Entry) -> tuple[bool, int, str]:
    return (_kind(entry.path) not in _TEXT, entry.path.count("/"), entry.path)


def _why_not(entry: Entry) -> str | None:
    if entry.mode == "120000":
        return "a symbolic link"
    if entry.mode == "160000":
        return "another repository (a submodule)"
    if not entry.regular:
        return "not a regular file"
    why = forbidden(entry.path)
    if why is None and (entry.path != normal(entry.path) or "\\" in entry.path):
        why = "it is not a plain name"
    if why:
        return why
    if entry.size is None:
        return "it is too large to fetch"
    known = _kind(entry.path) in _TEXT | _PAGES
    limit = FILE_LIMIT if known else OTHER_LIMIT
    return f"larger than {limit // 10**6} MB" if entry.size > limit else None


class _Names:
    """The names that were given out, as a file system would see them that knows no letter case
    and one Unicode form."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: set[str] = set()

    def taken(self, path: str) -> str | None:
        """Why `path` cannot be written beside the others; it is noted if it can."""
        name = unicodedata.normalize("NFC", path).casefold()
        parts = name.split("/")
        above = {"/".join(parts[:n]) for n in range(1, len(parts))}
        other = self._files.get(name) or next(
            (self._files[a] for a in above & set(self._files)), ""
        )
        if other or name in self._folders:
            return f"its name collides with {other}" if other else "its name collides with a folder"
        self._files[name] = path
        self._folders |= above
        return None


def _kind(path: str) -> str:
    return PurePosixPath(path).suffix.casefold()


def _written(folder: Path, path: str, content: bytes) -> str | None:
    """Write a new file; why it could not be written, or None."""
    where = folder.joinpath(*path.split("/"))
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        with where.open("xb") as file:
            file.write(content)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        return f"it cannot be written here: {why or 'its name is not possible'}"
    return None


def _sizes(repository: Path, hashes: Sequence[str]) -> dict[str, int]:
    """The size of each blob that is here."""
    sizes = {}
    with _batch(repository, hashes, "--batch-check") as output:
        for line in output:
            facts = line.split()
            if len(facts) == 3 and facts[1] == b"blob":
                sizes[text(facts[0])] = int(facts[2])
    return sizes


def _contents(repository: Path, entries: Sequence[Entry]) -> Iterator[tuple[Entry, bytes]]:
    """Each entry's bytes, in the same order."""
    with _batch(repository, [entry.hash for entry in entries], "--batch") as output:
        for entry in entries:
            facts = output.readline().split()
            if len(facts) != 3 or facts[1] != b"blob" or int(facts[2]) != entry.size:
                raise UsageError(f"git cannot read {entry.path}: the repository is damaged")
            yield entry, _exactly(output, int(facts[2]))
            output.read(1)  # the line end after every blob


@contextmanager
def _batch(repository: Path, hashes: Sequence[str], how: str) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as given:
        given.write("".join(f"{each}\n" for each in hashes).encode())
        given.seek(0)
        line = command(repository, "cat-file", how, "--buffer")
        with streamed(line, repository, given=given, seconds=_SECONDS) as output:
            yield output


def _exactly(output: IO[bytes], size: int) -> bytes:
    content = output.read(size)
    if len(content) != size:
        raise UsageError("git stopped in the middle of a file")
    return content
