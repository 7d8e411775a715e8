"""The user's own file of public reviews: where it lies, what is put into it, what is in it.

It is the operator's, named by flag or variable alone, and lies outside of every paper by default:
what a pull request brings along never tells a reviewer what to look at.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from reviser.adapters.files import Folder, write_all
from reviser.errors import UsageError
from reviser.ports import Refused
from reviser.review.corpus import Corpus, PublicPaper, Read, as_line, read_corpus

NAME = "reviews.jsonl"
LARGEST = 300_000_000
"""Bytes of a file of reviews."""


@dataclass(frozen=True, slots=True)
class Added:
    """How many papers and reviews were put into a file, how many of them in the place of an older
    version, how many were there already as they are; and what the file holds now."""

    papers: int
    reviews: int
    changed: int
    known: int
    corpus: Corpus


def reviews_file(named: str | None) -> Path:
    """The file that is `named`, else the one in the user's data folder."""
    if named:
        return Path(named).expanduser()
    data = os.environ.get("XDG_DATA_HOME", "")
    folder = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    return folder / "reviser" / NAME


def open_reviews(named: str | None) -> Corpus | None:
    """The corpus that a review imitates: that in the file `named`, else in the user's data folder,
    None where nothing was ever put there. Raises UsageError for a named file that is not there."""
    path = reviews_file(named)
    content = read_file(path)
    if content is None:
        if named:
            raise UsageError(
                f"--reviews: there is no file {path}",
                hint="Make it: reviser reviews import FILE, or reviser reviews fetch --venue ID",
            )
        return None
    return _corpus(content)


def read_file(path: Path) -> bytes | None:
    """The bytes of a file of reviews, None where there is none. Raises UsageError where it cannot
    be read, or is too large."""
    path = _resolved(path)
    content = Folder(path.parent, size_limit=LARGEST).read(path.name)
    if isinstance(content, Refused):
        raise UsageError(f"{path} cannot be read: {content.why}")
    return content


def read_notes(content: bytes, *, public_only: bool = False) -> Read:
    """What a file of reviews holds; bytes that are no UTF-8 spoil no more than their line."""
    text = content.decode("utf-8-sig", errors="replace")
    return read_corpus(text, public_only=public_only)


def add(path: Path, corpus: Corpus) -> Added:
    """Put what is new or changed into the file, whole or not at all; every line of it stays.

    Doing it again changes nothing. Raises UsageError or StaleEdit when it cannot be written.
    """
    path = _resolved(path)
    before = read_file(path)
    held = _corpus(before or b"")
    known = {noted.id: noted for noted in held.notes}
    new = [noted for noted in corpus.notes if known.get(noted.id) != noted]
    fresh = [noted for noted in new if noted.id not in known]
    papers = sum(isinstance(noted, PublicPaper) for noted in fresh)
    if new:
        start = before or b""
        if start and not start.endswith(b"\n"):
            start += b"\n"
        lines = "".join(f"{as_line(noted)}\n" for noted in new).encode("ascii")
        if len(start) + len(lines) > LARGEST:
            raise UsageError(f"{path} would have more than {LARGEST:,} bytes; nothing was added")
        _make(path.parent)
        expected = {} if before is None else {path.name: before}
        write_all(path.parent, {path.name: start + lines}, expected=expected)
        held = _corpus(start + lines)
    changed, same = len(new) - len(fresh), len(corpus.notes) - len(new)
    return Added(papers, len(fresh) - papers, changed, same, held)


def _corpus(content: bytes) -> Corpus:
    return read_notes(content).corpus


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"{path} is no file of reviews") from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be made: {error.strerror}") from error
