"""Read git's diff the way GitHub uses it: which lines can carry a comment, at which position.

Written for the fake alone: what it refuses must not depend on the code that it judges.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from tests.fakes.github.store import Store

Side = Literal["LEFT", "RIGHT"]
_HUNK = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)", re.DOTALL)
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
MOST_PATCH_LINES = 20_000
"""Past so many lines of one answer GitHub leaves the patches of further files out."""
MOST_FILES = 3_000
_MOST_PATCH_BYTES = 1_000_000


class Shown(NamedTuple):
    """A line of a hunk. `mark` is b" ", b"+" or b"-"; a number is 0 on the side that lacks it;
    `position` counts the lines below the file's first hunk header."""

    mark: bytes
    old: int
    new: int
    position: int
    hunk: int


@dataclass(frozen=True)
class FileDiff:
    """What a diff says of one file. `raw` are the lines from its first hunk header on."""

    path: str
    old_path: str
    status: Literal["added", "removed", "modified", "renamed"]
    sha: str
    shown: tuple[Shown, ...]
    raw: tuple[bytes, ...]
    binary: bool

    @property
    def additions(self) -> int:
        return sum(line.mark == b"+" for line in self.shown)

    @property
    def deletions(self) -> int:
        return sum(line.mark == b"-" for line in self.shown)

    @property
    def patch(self) -> str | None:
        """The hunks as text; None where GitHub shows none."""
        if not self.raw or sum(map(len, self.raw)) > _MOST_PATCH_BYTES:
            return None
        return b"".join(self.raw).removesuffix(b"\n").decode("utf-8", "replace")

    @cached_property
    def _places(self) -> dict[tuple[Side, int], Shown]:
        left = {("LEFT", s.old): s for s in self.shown if s.mark != b"+"}
        right = {("RIGHT", s.new): s for s in self.shown if s.mark != b"-"}
        return {**left, **right}  # type: ignore[dict-item]

    def at(self, side: Side, line: int) -> Shown | None:
        """The line of a hunk that this number means on that side, None outside the hunks."""
        return self._places.get((side, line))

    def by_position(self, position: int) -> Shown | None:
        """The line at a position, counted below the first hunk header."""
        return next((s for s in self.shown if s.position == position), None)

    def excerpt(self, shown: Shown) -> str:
        """The hunk from its header to this line, as a comment's `diff_hunk`."""
        start = next(n for n in range(shown.position, -1, -1) if self.raw[n].startswith(b"@@"))
        lines = b"".join(self.raw[start : shown.position + 1])
        return lines.removesuffix(b"\n").decode("utf-8", "replace")


def read_diff(data: bytes) -> tuple[FileDiff, ...]:
    """The files of a diff that `git diff --full-index` printed."""
    parts = re.split(rb"(?m)^(?=diff --git )", data)
    return tuple(_file(part) for part in parts if part)


def _file(part: bytes) -> FileDiff:
    match = re.search(rb"(?m)^@@ ", part)
    head = part if match is None else part[: match.start()]
    raw = () if match is None else tuple(re.findall(rb"[^\n]*\n|[^\n]+$", part[match.start() :]))
    told: dict[str, str] = {}
    for line in head.decode("utf-8", "surrogateescape").split("\n"):
        for key in ("rename from ", "rename to ", "--- ", "+++ ", "new file", "deleted", "index "):
            if line.startswith(key):
                told.setdefault(key.strip(), line[len(key) :])
    header = head.split(b"\n", 1)[0].decode("utf-8", "surrogateescape")
    old, new = _names(header.removeprefix("diff --git "), told)
    status: Literal["added", "removed", "modified", "renamed"] = "modified"
    if "new file" in told:
        status = "added"
    elif "deleted" in told:
        status = "removed"
    elif "rename from" in told:
        status = "renamed"
    hashes = re.match(r"([0-9a-f]+)\.\.([0-9a-f]+)", told.get("index", ""))
    sha = "" if hashes is None else hashes[1] if status == "removed" else hashes[2]
    binary = re.search(rb"(?m)^(Binary files |GIT binary patch)", head) is not None
    return FileDiff(new, old, status, sha, _lines(raw), raw, binary)


def _names(header: str, told: dict[str, str]) -> tuple[str, str]:
    """The old and the new path."""
    if "rename from" in told:
        return _unquoted(told["rename from"]), _unquoted(told["rename to"])
    for key in ("+++", "---"):
        name = _unquoted(told.get(key, "/dev/null").removesuffix("\t"))
        if name != "/dev/null":
            return name[2:], name[2:]
    # Without hunks and without a rename both names are the same: a/NAME b/NAME.
    half = _unquoted(header[: len(header) // 2])
    return half[2:], half[2:]


def _unquoted(name: str) -> str:
    if not name.startswith('"'):
        return name

    def plain(found: re.Match[str]) -> str:
        escape = found[1]
        return chr(int(escape, 8) if escape[0].isdigit() else _ESCAPES[escape])

    text = re.sub(r"\\([0-7]{3}|.)", plain, name[1:-1])
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def _lines(raw: tuple[bytes, ...]) -> tuple[Shown, ...]:
    result: list[Shown] = []
    old = new = hunk = 0
    for position, line in enumerate(raw):
        header = _HUNK.match(line)
        mark = line[:1]
        if header is not None:
            old, new, hunk = int(header[1]), int(header[3]), hunk + 1
        elif mark == b" ":
            result.append(Shown(mark, old, new, position, hunk))
            old, new = old + 1, new + 1
        elif mark == b"-":
            result.append(Shown(mark, old, 0, position, hunk))
            old += 1
        elif mark == b"+":
            result.append(Shown(mark, 0, new, position, hunk))
            new += 1
    return tuple(result)


@dataclass
class LineMap:
    """Where the lines of a file went between two of its versions."""

    starts: list[int] = field(default_factory=list)
    stops: list[int] = field(default_factory=list)
    shifts: list[int] = field(default_factory=list)

    def __call__(self, line: int) -> int | None:
        """The line's number in the new version, None if it was changed or removed."""
        at = bisect_right(self.starts, line) - 1
        if at < 0:
            return line
        return None if line < self.stops[at] else line + self.shifts[at]


def follow(store: Store, old: str, new: str, path: str) -> LineMap | None:
    """Where the lines of `path` went between two commits; None if the file is gone."""
    result = LineMap()
    if old == new:
        return result
    found = next(
        (f for f in read_diff(store.diff(old, new, context=0)) if f.old_path == path), None
    )
    if found is None:
        return result
    if found.status == "removed" or found.path != path or found.binary:
        return None
    for line in found.raw:
        header = _HUNK.match(line)
        if header is None:
            continue
        start, count = int(header[1]), int(header[2] or 1)
        new_start, new_count = int(header[3]), int(header[4] or 1)
        # With a count of 0 the start is the line before the gap.
        start += not count
        new_start += not new_count
        result.starts.append(start)
        result.stops.append(start + count)
        result.shifts.append(new_start + new_count - start - count)
    return result
