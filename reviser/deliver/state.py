"""The ledger as it travels in the summary comment: a hidden block, small, strict when read.

It is read only from a comment that GitHub says is ours; still, nothing in it is believed that a
ledger could not hold, since people with write access may edit any comment.
"""

import base64
import binascii
import json
import re
import zlib
from dataclasses import replace

from reviser.deliver.ledger import SKETCH, Ledger, Point, Status

LIMIT = 20_000
"""Characters of the block at most."""
REVIEWED = 50
"""The last commits that are remembered."""
_OPENING = "<!-- reviser:state v1 "
_BLOCK = re.compile(r"<!-- reviser:state v(\d{1,3}) ([A-Za-z0-9+/=]{0,20000}) -->")
_ANY = "<!-- reviser:state"
_MOST_BYTES = 400_000
_MOST_POINTS = 5_000
_WHO, _WHY = 100, 200  # characters
_MARK = re.compile(r"[0-9a-f]{12}")
_SUBJECT = re.compile(r"(?:[0-9a-f]{8})?")
_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})?")
_STATUSES = tuple(Status)
_KEYS = frozenset({"paths", "rules", "reviewed", "points"})


def encode(ledger: Ledger) -> str:
    """The hidden block that holds the ledger, at most `LIMIT` characters long.

    What does not fit is left out: stale points first, then the oldest accepted ones, then the
    sketches that know a rephrased sentence again, then reasons, then points that are only raised,
    then the others, dismissed ones last.
    """
    points = list(ledger.points)
    reviewed = ledger.reviewed[-REVIEWED:]
    barred = ledger.barred
    block = _block(points, reviewed, barred)
    if len(block) <= LIMIT:
        return block
    for step in (_without_stale, _without_accepted, _without_sketches, _without_reasons):
        points = step(points)
        block = _block(points, reviewed, barred)
        if len(block) <= LIMIT:
            return block
    return _fitting(points, reviewed, barred)


def _without_stale(points: list[Point]) -> list[Point]:
    return [p for p in points if p.status is not Status.STALE]


def _without_accepted(points: list[Point]) -> list[Point]:
    """Without the older half of those accepted; the rest may go with `_fitting`."""
    accepted = [p.id for p in points if p.status is Status.ACCEPTED]
    gone = frozenset(accepted[: (len(accepted) + 1) // 2])
    return [p for p in points if p.id not in gone]


def _without_sketches(points: list[Point]) -> list[Point]:
    return [replace(p, sketch=()) for p in points]


def _without_reasons(points: list[Point]) -> list[Point]:
    return [replace(p, why=p.why[:20], was=()) for p in points]


_WORTH = {
    Status.STALE: 0,
    Status.ACCEPTED: 1,
    Status.RAISED: 2,
    Status.SUGGESTED: 3,
    Status.DISMISSED: 4,
}


def _fitting(points: list[Point], reviewed: tuple[str, ...], barred: str) -> str:
    """The block with as many points as fit: the most worth and newest, in their order."""
    ranked = sorted(
        range(len(points)), key=lambda n: (_WORTH[points[n].status], points[n].inline, n)
    )

    def kept(numbers: list[int]) -> str:
        return _block([points[n] for n in sorted(numbers)], reviewed, barred)

    low, high = 0, len(ranked)  # how many go
    while low < high:
        middle = (low + high) // 2
        if len(kept(ranked[middle:])) <= LIMIT:
            high = middle
        else:
            low = middle + 1
    return kept(ranked[low:])


def _block(points: list[Point], reviewed: tuple[str, ...], barred: str) -> str:
    paths = list(dict.fromkeys(p.path for p in points))
    rules = list(dict.fromkeys(p.rule for p in points))
    data: dict[str, object] = {
        "paths": paths,
        "rules": rules,
        "reviewed": reviewed,
        "points": [_row(p, paths.index(p.path), rules.index(p.rule)) for p in points],
    }
    if barred:
        data["barred"] = barred
    text = json.dumps(data, separators=(",", ":"))
    packed = base64.b64encode(zlib.compress(text.encode(), 9)).decode()
    return f"{_OPENING}{packed} -->"


def _row(p: Point, path: int, rule: int) -> list[object]:
    row: list[object] = [
        p.id, rule, path, _STATUSES.index(p.status), int(p.inline), p.subject, p.sketch, p.old,
        p.new, p.old_lines, p.new_lines, p.commit, _shown(p.who, _WHO), _shown(p.why, _WHY), p.was,
    ]  # fmt: skip
    while row[-1] in ("", (), 0):
        row.pop()
    return row


def _shown(text: str, longest: int) -> str:
    """A text as `decode` takes it: printable, and not too long."""
    return "".join(c if c.isprintable() else " " for c in text)[:longest]


def decode(body: str) -> Ledger:
    """The ledger in the text of a summary comment of ours; an empty one where there is none.

    A block that is there and cannot be believed gives an empty ledger that is `damaged`.
    """
    if _ANY not in body:
        return Ledger()
    # The block stands at the end; one further up would be a quotation of somebody's text.
    found = list(_BLOCK.finditer(body))
    if not found or found[-1][1] != "1":
        return Ledger(damaged=True)
    try:
        return _ledger(_unpacked(found[-1][2]))
    except (ValueError, zlib.error, binascii.Error, RecursionError):
        return Ledger(damaged=True)


def _unpacked(packed: str) -> object:
    stream = zlib.decompressobj()
    data = stream.decompress(base64.b64decode(packed, validate=True), _MOST_BYTES)
    if not stream.eof or stream.unused_data:
        raise ValueError("too large, or cut off")
    value: object = json.loads(data)
    return value


def _ledger(data: object) -> Ledger:
    if not isinstance(data, dict) or set(data) - {"barred"} != _KEYS:
        raise ValueError("not a ledger")
    paths, rules = _texts(data["paths"], 1000), _texts(data["rules"], 60)
    rows = data["points"]
    if not isinstance(rows, list) or len(rows) > _MOST_POINTS:
        raise ValueError("not a list of points")
    points = tuple(_point(row, paths, rules) for row in rows)
    if len({p.id for p in points}) != len(points):
        raise ValueError("a point is there twice")
    reviewed = _texts(data["reviewed"], 64)
    if len(reviewed) > REVIEWED or not all(c and _COMMIT.fullmatch(c) for c in reviewed):
        raise ValueError("not commits")
    return Ledger(points, reviewed, barred=_text(data.get("barred", ""), _COMMIT))


_EMPTY: tuple[object, ...] = ("", 0, 0, 0, 0, "", [], "", "", 0, 0, "", "", "", [])


def _point(row: object, paths: tuple[str, ...], rules: tuple[str, ...]) -> Point:
    if not isinstance(row, list) or not 1 <= len(row) <= len(_EMPTY):
        raise ValueError("not a point")
    cells: list[object] = [*row, *_EMPTY[len(row) :]]
    name, rule, path, status, inline, subject, words, old, new = cells[:9]
    old_lines, new_lines, commit, who, why, was = cells[9:]
    return Point(
        id=_text(name, _MARK),
        rule=rules[_number(rule, len(rules))],
        path=paths[_number(path, len(paths))],
        status=_STATUSES[_number(status, len(_STATUSES))],
        subject=_text(subject, _SUBJECT),
        sketch=_sketch(words),
        old=_mark_or_none(old),
        new=_mark_or_none(new),
        old_lines=_number(old_lines, 100_000),
        new_lines=_number(new_lines, 100_000),
        inline=bool(_number(inline, 2)),
        commit=_text(commit, _COMMIT),
        who=_plain(who, _WHO),
        why=_plain(why, _WHY),
        was=tuple(_text(mark, _MARK) for mark in _texts(was, 12)),
    )


def _number(value: object, limit: int) -> int:
    if type(value) is not int or not 0 <= value < limit:
        raise ValueError("not such a number")
    return value


def _text(value: object, shape: re.Pattern[str]) -> str:
    if not isinstance(value, str) or not shape.fullmatch(value):
        raise ValueError("not such a text")
    return value


def _mark_or_none(value: object) -> str:
    return "" if value == "" else _text(value, _MARK)


def _plain(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or not value.isprintable():
        raise ValueError("not such a text")
    return value


def _texts(value: object, longest: int) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST_POINTS:
        raise ValueError("not a list")
    if not all(isinstance(one, str) and len(one) <= longest for one in value):
        raise ValueError("not texts")
    return tuple(value)


def _sketch(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > SKETCH:
        raise ValueError("not a sketch")
    return tuple(_number(one, 1 << 16) for one in value)
