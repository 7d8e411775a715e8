"""A folder of the cited works' own texts, one file a work, named by citation key."""

import os
import re
import stat
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reviser.errors import UsageError

EXTENSIONS = (".txt", ".md", ".pdf")
"""In order of preference, when a key has several files."""
MAX_TEXT_BYTES = 4 * 1024**2
MAX_PDF_BYTES = 40 * 1024**2
MAX_FILES = 20_000
PDF_SECONDS = 30.0
FIRST_PAGES = 2
"""Of a PDF, in which a title and its authors stand."""
_UNSAFE = re.compile(r"[^\w.+\-]")
_HYPHENATED = re.compile(r"([a-z])-\n([a-z])")


@dataclass(frozen=True, slots=True)
class Sources:
    """What a folder gave: `texts` by key, and for each file that could not be used the reason."""

    texts: Mapping[str, str]
    refused: Mapping[str, str]


def file_stem(key: str) -> str:
    """The file name, without extension, that a key has where it cannot be one itself.

    Everything but letters, digits, `_`, `.`, `+` and `-` becomes `_`, and a leading dot too:
    `doi:10.1/x` lies in `doi_10.1_x.txt`.
    """
    stem = _UNSAFE.sub("_", unicodedata.normalize("NFC", key))
    return f"_{stem[1:]}" if stem.startswith(".") else stem


def read_sources(folder: Path, keys: Iterable[str], *, pdf_seconds: float = PDF_SECONDS) -> Sources:
    """The texts of those `keys` that have a file in `folder`; letter case does not matter.

    Symbolic links, devices and files above the limits are refused with their reason, as is a PDF
    that cannot be read within `pdf_seconds`. Raises UsageError when there is no such folder.
    """
    files = _files(folder)
    wanted = tuple(dict.fromkeys(keys))
    shared = Counter(file_stem(key).casefold() for key in wanted)
    texts: dict[str, str] = {}
    refused: dict[str, str] = {}
    for key in wanted:
        stem = file_stem(key).casefold()
        path = _first(files.get(_folded(key)))
        if path is None:
            path = _first(files.get(stem))
            if path is not None and shared[stem] > 1:
                refused[key] = f"{path.name} could belong to several keys"
                continue
        if path is None:
            continue
        text, why = _read(path, pdf_seconds)
        if why:
            refused[key] = f"{path.name}: {why}"
        else:
            texts[key] = text
    return Sources(texts, refused)


def unnamed_files(folder: Path, keys: Iterable[str]) -> tuple[Path, ...]:
    """The texts and PDFs of a folder that are named by none of the `keys`, in order of their names.

    Raises UsageError when there is no such folder.
    """
    named = {form for key in keys for form in (_folded(key), file_stem(key).casefold())}
    return tuple(
        path
        for stem, paths in sorted(_files(folder).items())
        if stem not in named
        for path in paths
    )


def beginning_of(path: Path, pdf_seconds: float = PDF_SECONDS) -> tuple[str, str]:
    """The text of the first pages of a file and "", or "" and why there is none."""
    return _read(path, pdf_seconds, FIRST_PAGES)


def read_text(path: Path, pdf_seconds: float = PDF_SECONDS) -> tuple[str, str]:
    """The text of a file and "", or "" and why there is none."""
    return _read(path, pdf_seconds)


def _folded(key: str) -> str:
    return unicodedata.normalize("NFC", key).casefold()


def _files(folder: Path) -> dict[str, list[Path]]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for _, entry in zip(range(MAX_FILES), entries, strict=False))
    except OSError as error:
        raise UsageError(
            f"the folder of sources {folder} cannot be read: {error.strerror}",
            hint="Give a folder with one .txt, .md or .pdf file per citation key.",
        ) from error
    found: dict[str, list[Path]] = {}
    for name in names:
        path = folder / name
        if path.suffix.lower() in EXTENSIONS:
            found.setdefault(_folded(path.stem), []).append(path)
    return found


def _first(paths: Sequence[Path] | None) -> Path | None:
    if not paths:
        return None
    return min(paths, key=lambda path: (EXTENSIONS.index(path.suffix.lower()), path.name))


def _read(path: Path, pdf_seconds: float, pages: int = 0) -> tuple[str, str]:
    """The text and "", or "" and why there is none."""
    pdf = path.suffix.lower() == ".pdf"
    data = read_bytes(path, MAX_PDF_BYTES if pdf else MAX_TEXT_BYTES)
    if isinstance(data, str):
        return "", data
    if data.startswith(b"version https://git-lfs"):
        return "", "a Git LFS pointer, not the file itself"
    if pdf:
        text, why = pdf_text(data, pdf_seconds, pages)
        if why:
            return "", why
    elif b"\0" in data:
        return "", "not a text file"
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    return (text, "") if text.strip() else ("", "no text in it")


def read_bytes(path: Path, most: int) -> bytes | str:
    """The file's bytes, or why they are not read: symbolic links, devices and files of more than
    `most` bytes are not."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if path.is_symlink():
            return "a symbolic link"
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        return error.strerror or "cannot be opened"
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file"
        if status.st_size > most:
            return f"larger than {most // 1024**2} MB"
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(most)
    except OSError as error:
        return error.strerror or "cannot be read"
    finally:
        os.close(handle)


def pdf_text(data: bytes, seconds: float = PDF_SECONDS, pages: int = 0) -> tuple[str, str]:
    """The text of a PDF and "", or "" and why there is none; it is read in another process, as many
    pages as are said, all for 0. Words that were divided at the end of a line are whole again."""
    program = str(Path(__file__).with_name("pdf_text.py"))
    try:
        done = subprocess.run(  # noqa: S603 - our own program, its input on a pipe
            [sys.executable, "-I", program, *([str(pages)] if pages else [])],
            input=data,
            capture_output=True,
            timeout=seconds,
            check=False,
            env={"PYTHONIOENCODING": "utf-8", "PATH": os.defpath},
        )
    except subprocess.TimeoutExpired:
        return "", f"the PDF could not be read within {seconds:g} seconds"
    except OSError as error:
        return "", f"the PDF reader could not be started: {error.strerror}"
    if done.returncode != 0:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "", f"the PDF could not be read ({lines[-1][:200] if lines else 'it was stopped'})"
    return _HYPHENATED.sub(r"\1\2", done.stdout.decode("utf-8", "replace")), ""
