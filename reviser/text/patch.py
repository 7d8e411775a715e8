"""Read a unified diff as git prints it: which files changed, and which of their lines it shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from reviser.errors import ReviserError
from reviser.text.diff import Change, Hunk, Part

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, (first, last), 1-based, both included, ascending."""

Status = Literal["added", "removed", "modified", "renamed"]

_HUNK = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@")
_ESCAPE = re.compile(r'\\([0-7]{3}|[abtnvfr"\\])')
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_TWO_QUOTED = re.compile(rf"({_QUOTED}) ({_QUOTED})")
_MODE = re.compile(r"(?:new file|deleted file|old|new) mode ([0-7]{6})|index \S+ ([0-7]{6})$")
# What these modes hold is no text of the paper: where a link leads to, a submodule's commit.
_NO_TEXT = frozenset({"120000", "160000"})
_MARKS = {" ": Change.SAME, "-": Change.LOST, "+": Change.GAINED, "": Change.SAME}


class UnreadablePatch(ReviserError):  # noqa: N818 - it names the state of the patch
    """A diff is cut off or is none."""

    exit_code: ClassVar[int] = 3


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What a diff says of one file. Paths are as in the diff without `a/` and `b/`; bytes that
    are no UTF-8 are surrogate escapes, in paths and lines.

    `path` is the new name (the old one where it was removed), `old_path` the old one (equal to
    `path` unless renamed or copied, also for an added file; a copy has status "added").
    `binary`: it has changed and no lines are told, as with links and submodules. A change of its
    mode alone, or of its name, brings no hunks.
    """

    path: str
    old_path: str
    status: Status
    hunks: tuple[Hunk, ...] = ()
    binary: bool = False

    def shows(self, first: int, last: int) -> bool:
        """Whether one hunk shows all lines from `first` to `last` of the new file: only such
        lines can carry a comment."""
        return 1 <= first <= last and any(
            hunk.new_start <= first and last < hunk.new_start + hunk.new_count
            for hunk in self.hunks
        )

    @property
    def touched(self) -> Lines:
        """The lines of the new file that were added or changed. Where lines were only removed,
        the line before the gap and the one after it count, since the sentence around them is new
        (the one after may lie behind the file's end)."""
        if self.status == "removed":
            return ()
        return tuple(span for hunk in self.hunks for span in _runs(hunk))


def _runs(hunk: Hunk) -> Lines:
    spans: list[tuple[int, int]] = []
    line = hunk.new_start + (hunk.new_count == 0)
    gained = lost = 0
    for part in (*hunk.lines, Part(Change.SAME, "")):
        match part.change:
            case Change.GAINED:
                gained += 1
                line += 1
            case Change.LOST:
                lost += 1
            case Change.SAME:
                if gained:
                    spans.append((line - gained, line - 1))
                elif lost:
                    spans.append((max(line - 1, 1), line))
                gained = lost = 0
                line += 1
    return tuple(spans)


def read_patch(raw: bytes) -> tuple[FilePatch, ...]:
    """The files of a diff made by `git diff` (any context, renames found or not), in its order.

    A file that became a link, or the other way round, stands there twice: removed, then added.
    Raises UnreadablePatch when a hunk is cut off or a name cannot be read.
    """
    lines = raw.decode("utf-8", "surrogateescape").split("\n")
    files: list[FilePatch] = []
    at = 0
    while at < len(lines):
        if not lines[at].startswith("diff --git "):
            at += 1
            continue
        header = _Header(lines[at].removeprefix("diff --git "))
        at += 1
        while at < len(lines) and not lines[at].startswith(("diff --git ", "@@ ")):
            header.read(lines[at])
            at += 1
        found, at = _hunks(lines, at)
        files.append(header.patch(found))
    return tuple(files)


def parse_hunks(text: str) -> tuple[Hunk, ...]:
    """The hunks of one file without its headers, as in the `patch` field of GitHub's list of a
    pull request's files (whose last line has no line end).

    Raises UnreadablePatch when a hunk is cut off.
    """
    found, _ = _hunks(text.split("\n"), 0)
    if text and not found:
        raise UnreadablePatch(f"this does not begin a hunk: {text[:40]!r}")
    return found


@dataclass(slots=True)
class _Header:
    """What the lines between `diff --git` and the first hunk say."""

    names: str
    old: str | None = None
    new: str | None = None
    status: Status = "modified"
    binary: bool = False
    modes: set[str] = field(default_factory=set)

    def read(self, line: str) -> None:
        mode = _MODE.match(line)
        if mode is not None:
            self.modes.add(mode[1] or mode[2])
        word, _, rest = line.partition(" ")
        if line.startswith("new file mode "):
            self.status = "added"
        elif line.startswith("deleted file mode "):
            self.status = "removed"
        elif line.startswith(("rename from ", "copy from ")):
            self.old = _name(rest.partition(" ")[2])
            self.status = "renamed" if word == "rename" else "added"
        elif line.startswith(("rename to ", "copy to ")):
            self.new = _name(rest.partition(" ")[2])
        elif line.startswith(("Binary files ", "GIT binary patch")):
            self.binary = True
        elif word == "---" and rest != "/dev/null":
            self.old = _side(rest, "a/")
        elif word == "+++" and rest != "/dev/null":
            self.new = _side(rest, "b/")

    def patch(self, found: tuple[Hunk, ...]) -> FilePatch:
        if self.old is None and self.new is None:
            self.old, self.new = _both(self.names)
        # An added or removed file is named on one side only.
        path = self.old if self.new is None else self.new
        old_path = path if self.old is None else self.old
        assert path is not None  # noqa: S101 - one of the two was just found
        assert old_path is not None  # noqa: S101
        binary = self.binary or not self.modes.isdisjoint(_NO_TEXT)
        return FilePatch(path, old_path, self.status, () if binary else found, binary)


def _both(names: str) -> tuple[str, str]:
    """Old and new name from `diff --git`, where nothing else tells them: they are the same."""
    quoted = _TWO_QUOTED.fullmatch(names)
    if quoted is not None:
        return _side(quoted[1], "a/"), _side(quoted[2], "b/")
    half = len(names) // 2
    old, new = names[:half], names[half + 1 :]
    if len(names) % 2 == 0 or names[half] != " " or old[2:] != new[2:]:
        raise UnreadablePatch(f"a diff names a file in a way that cannot be read: {names[:80]!r}")
    return _side(old, "a/"), _side(new, "b/")


def _side(raw: str, prefix: str) -> str:
    # Git puts a tab behind a name with spaces in it, so that patch(1) sees where it ends.
    return _name(raw.removesuffix("\t")).removeprefix(prefix)


def _name(raw: str) -> str:
    """A name as it is, out of the C quotes that git puts round an unusual one."""
    if not (len(raw) > 1 and raw.startswith('"') and raw.endswith('"')):
        return raw

    def byte(match: re.Match[str]) -> str:
        return chr(int(match[1], 8) & 0xFF if match[1].isdigit() else _ESCAPES[match[1]])

    inner = raw[1:-1].encode("utf-8", "surrogateescape").decode("latin-1")
    return _ESCAPE.sub(byte, inner).encode("latin-1").decode("utf-8", "surrogateescape")


def _hunks(lines: Sequence[str], at: int) -> tuple[tuple[Hunk, ...], int]:
    """The hunks from line `at` on, and where they end."""
    found: list[Hunk] = []
    while at < len(lines) and (header := _HUNK.match(lines[at])) is not None:
        old_start, old_count, new_start, new_count = (
            1 if number is None else int(number) for number in header.groups()
        )
        parts, at = _body(lines, at + 1, old_count, new_count)
        found.append(Hunk(old_start, old_count, new_start, new_count, parts))
    return tuple(found), at


def _body(
    lines: Sequence[str], at: int, old_left: int, new_left: int
) -> tuple[tuple[Part, ...], int]:
    """The lines of one hunk, told by their number alone: any of them may look like a header."""
    parts: list[Part] = []
    while at < len(lines):
        line = lines[at]
        if line.startswith("\\") and parts:
            parts[-1] = replace(parts[-1], text=parts[-1].text.removesuffix("\n"))
            at += 1
            continue
        if not old_left and not new_left:
            return tuple(parts), at
        change = _MARKS.get(line[:1])
        if change is None or (not line and at == len(lines) - 1):
            break
        old_left -= change is not Change.GAINED
        new_left -= change is not Change.LOST
        if old_left < 0 or new_left < 0:
            break
        parts.append(Part(change, f"{line[1:]}\n"))
        at += 1
    if old_left or new_left:
        raise UnreadablePatch("a diff's hunk holds fewer or other lines than its header says")
    return tuple(parts), at
