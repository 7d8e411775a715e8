"""The difference of two texts: hunks of lines, a patch that git takes, and words within a line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
_PLAIN_PATH = re.compile(r"[A-Za-z0-9._/+@=,~-]+")
# Above this many words a pair of lines is compared only at its two ends: difflib is quadratic.
_MOST_WORDS = 4000


class Change(StrEnum):
    """What became of a piece of text; the values are the marks of a unified diff."""

    SAME = " "
    LOST = "-"
    GAINED = "+"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text and what became of it. A line keeps its line end, where it has one."""

    change: Change
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """A stretch of changed lines with its context. Line numbers are 1-based; counts include
    the context; a start is the line before where the count is 0, as in unified diffs."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    lines: tuple[Part, ...]

    @property
    def header(self) -> str:
        """The `@@ -old +new @@` line, without a line end."""
        old = _stretch(self.old_start, self.old_count)
        new = _stretch(self.new_start, self.new_count)
        return f"@@ -{old} +{new} @@"


def hunks(before: str, after: str, *, context: int = 3) -> tuple[Hunk, ...]:
    """The changed lines of two texts, with up to `context` lines around them.

    Lines end at "\\n" only, as git sees them: a "\\r" belongs to its line.
    """
    old, new = split_lines(before), split_lines(after)
    return tuple(_hunk(group, old, new) for group in _groups(old, new, context))


def patch(path: str, before: bytes, after: bytes) -> bytes:
    """A unified diff of one file that `git apply` takes from the project's root; empty if equal.

    Bytes in, bytes out: the encoding, the kind of line end and a missing last one are kept.
    """
    # Latin-1 gives every byte a character of its own and back, so that nothing is lost.
    changed = hunks(before.decode("latin-1"), after.decode("latin-1"))
    if not changed:
        return b""
    old, new = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    lines = [f"diff --git {old} {new}\n--- {old}\n+++ {new}\n"]
    for hunk in changed:
        lines.append(f"{hunk.header}\n")
        for part in hunk.lines:
            ended = part.text.endswith("\n")
            mark = "" if ended else "\n\\ No newline at end of file\n"
            lines.append(f"{part.change}{part.text}{mark}")
    return "".join(lines).encode("latin-1")


def words(before: str, after: str) -> tuple[Part, ...]:
    """Two versions of a line as one run of words kept, lost and gained, in reading order.

    The SAME and LOST parts joined are `before`, the SAME and GAINED parts joined are `after`.
    """
    old, new = _WORD.findall(before), _WORD.findall(after)
    parts: list[Part] = []
    for tag, i, j, k, m in compared(old, new, exact=len(old) + len(new) <= _MOST_WORDS):
        if tag == "equal":
            parts.append(Part(Change.SAME, "".join(old[i:j])))
            continue
        if j > i:
            parts.append(Part(Change.LOST, "".join(old[i:j])))
        if m > k:
            parts.append(Part(Change.GAINED, "".join(new[k:m])))
    return tuple(parts)


Opcode = tuple[str, int, int, int, int]


def split_lines(text: str) -> list[str]:
    """The lines of a text, each with its line end, which is "\\n" only, as git sees them."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def compared(old: Sequence[str], new: Sequence[str], *, exact: bool = True) -> list[Opcode]:
    """difflib's opcodes, with the common head and tail cut off first: an edit is small.

    Without `exact`, all between head and tail is one replacement.
    """
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    room = shorter - head
    tail = next((n for n in range(room) if old[-1 - n] != new[-1 - n]), room)
    old_stop, new_stop = len(old) - tail, len(new) - tail
    result: list[Opcode] = [("equal", 0, head, 0, head)] if head else []
    if exact:
        matcher = SequenceMatcher(None, old[head:old_stop], new[head:new_stop])
        for tag, i, j, k, m in matcher.get_opcodes():
            result.append((tag, i + head, j + head, k + head, m + head))
    elif head < old_stop or head < new_stop:
        result.append(("replace", head, old_stop, head, new_stop))
    if tail:
        result.append(("equal", old_stop, len(old), new_stop, len(new)))
    return result


def _groups(old: Sequence[str], new: Sequence[str], context: int) -> list[list[Opcode]]:
    """The opcodes in groups that lie more than twice the context apart, clipped to it."""
    groups: list[list[Opcode]] = []
    current: list[Opcode] = []
    lead: Opcode | None = None
    for opcode in compared(old, new):
        tag, i, j, k, m = opcode
        if tag != "equal":
            if not current and lead is not None:
                current.append(lead)
            current.append(opcode)
            continue
        if current and j - i <= 2 * context:
            current.append(opcode)
        elif current:
            current.append((tag, i, min(j, i + context), k, min(m, k + context)))
            groups.append(current)
            current = []
        lead = (tag, max(i, j - context), j, max(k, m - context), m)
    if current:
        if current[-1][0] == "equal":
            tag, i, j, k, m = current[-1]
            current[-1] = (tag, i, min(j, i + context), k, min(m, k + context))
        groups.append(current)
    return groups


def _hunk(group: Sequence[Opcode], old: Sequence[str], new: Sequence[str]) -> Hunk:
    parts: list[Part] = []
    for tag, i, j, k, m in group:
        if tag == "equal":
            parts += [Part(Change.SAME, line) for line in old[i:j]]
        else:
            parts += [Part(Change.LOST, line) for line in old[i:j]]
            parts += [Part(Change.GAINED, line) for line in new[k:m]]
    old_start, old_stop = group[0][1], group[-1][2]
    new_start, new_stop = group[0][3], group[-1][4]
    old_count, new_count = old_stop - old_start, new_stop - new_start
    return Hunk(
        old_start + (1 if old_count else 0),
        old_count,
        new_start + (1 if new_count else 0),
        new_count,
        tuple(parts),
    )


def _stretch(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"


def _quoted(path: str) -> str:
    """A path as git writes it in a diff: in C quotes as soon as it holds anything unusual."""
    if _PLAIN_PATH.fullmatch(path):
        return path
    special = {0x22: '\\"', 0x5C: "\\\\"}
    quoted = "".join(
        special.get(byte, chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}")
        for byte in path.encode("utf-8", "surrogateescape")
    )
    return f'"{quoted}"'
