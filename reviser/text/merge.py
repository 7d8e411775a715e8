"""Make one change in a text that has changed otherwise since, wherever the two do not touch."""

from dataclasses import dataclass

from reviser.text.diff import compared, split_lines


@dataclass(frozen=True, slots=True)
class Merged:
    """A text with a change carried over; `missed` counts its parts that had no place any more."""

    content: bytes
    missed: int


def carried(base: bytes, wanted: bytes, current: bytes) -> Merged:
    """Make in `current` what turns `base` into `wanted`, where `current` still has base's lines.

    Line by line: a stretch of lines to be replaced must stand in `current` unchanged and in one
    piece; lines to be put in go behind the line they followed in `base`, or before the one they
    preceded. Everything else in `current` is kept.
    """
    old, new = (split_lines(data.decode("latin-1")) for data in (base, wanted))
    now = split_lines(current.decode("latin-1"))
    kept: dict[int, int] = {}
    for tag, i, j, k, _ in compared(old, now):
        if tag == "equal":
            kept.update(zip(range(i, j), range(k, k + j - i), strict=True))
    parts: list[str] = []
    done = missed = 0
    for tag, i, j, k, m in compared(old, new):
        if tag == "equal":
            continue
        place = _place(kept, i, j, last=len(old))
        if place is None or place[0] < done:
            missed += 1
            continue
        parts += [*now[done : place[0]], *new[k:m]]
        done = place[1]
    content = "".join([*parts, *now[done:]]).encode("latin-1")
    return Merged(content, missed)


def _place(kept: dict[int, int], start: int, stop: int, *, last: int) -> tuple[int, int] | None:
    """Where the lines from `start` to `stop` now stand, None when they are not all there."""
    if start < stop:
        first = kept.get(start)
        whole = first is not None and all(
            kept.get(line) == first + line - start for line in range(start, stop)
        )
        return (first, first + stop - start) if first is not None and whole else None
    if start - 1 in kept:
        return kept[start - 1] + 1, kept[start - 1] + 1
    if start == 0 and (last == 0 or 0 in kept):
        return 0, 0
    return (kept[start], kept[start]) if start in kept else None
