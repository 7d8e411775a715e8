"""What each run did to the paper, kept beside it, so that every byte can be put back.

The records live in `.reviser/runs/<time>-<number>/` under the project's root: `record.json`
(schema below) and, for each changed file, its exact bytes before (`before/0`, `before/1` …) and
after (`after/0` …). `.reviser/.gitignore` keeps all of it out of git, and no word of the paper
is written anywhere else.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from reviser.adapters.files import Folder, write_all
from reviser.app.choices import LOCK_FILE
from reviser.app.own_folder import RUNS, alone, no_links
from reviser.app.recorded_edit import Json, edit_data
from reviser.errors import ReviserError, UsageError
from reviser.manuscript.files import forbidden, normal
from reviser.revise.verdict import Revision
from reviser.text.diff import patch
from reviser.text.merge import carried

SCHEMA = "reviser.run/1"
KEPT_RUNS = 20
KEPT_BYTES = 100_000_000

_RUN_NAME = re.compile(r"\d{8}T\d{6}Z-(\d{1,9})")
_LARGEST = 1_000_000_000  # bytes of a kept file that are read back


class FileRecord(TypedDict):
    """A changed file: its path, and the SHA-256 of its bytes before and after the run; `before` is
    "" for a file that was not there."""

    path: str
    before: str
    after: str


class RunRecord(TypedDict):
    """`record.json`. `state` is "pending" while files are written, then "applied" or "undone".

    `settings` is a digest, `findings` are fingerprints; `edits` hold every edit that was judged,
    with its verdict; `figures` are as the run printed them; `advice` is what a review brought
    (see `advice_json`), None where there was none.
    """

    schema: str
    time: str
    state: str
    settings: str
    files: list[FileRecord]
    findings: list[str]
    edits: list[dict[str, Json]]
    figures: dict[str, Json]
    advice: dict[str, Json] | None


class ChangedSince(UsageError):  # noqa: N818 - it names the state of the files
    """A file was edited after the run, so nothing was undone.

    `back` holds, for each file that has something to take back, its bytes now and its bytes
    without the run's changes but with everything that was written since. `missed` counts changes
    of the run that were edited over or whose file is gone: they are in no `back`.
    """

    def __init__(
        self, paths: Sequence[str], back: Mapping[str, tuple[bytes, bytes]], missed: int
    ) -> None:
        if back:
            hint = "`reviser undo --patch FILE` writes a patch that takes the run's changes back "
            hint += "and keeps yours."
        else:
            hint = "None of the run's changes stands there as it was made: undo them by hand."
        if back and missed:
            hint += f"\nLeft out of it, because you edited there: {missed} of the run's changes."
        super().__init__(f"edited since the run: {', '.join(paths)}; nothing was undone", hint=hint)
        self.paths = tuple(paths)
        self.back = dict(back)
        self.missed = missed

    def patch(self, prefix: str = "") -> bytes:
        """A unified diff for `git apply`, its paths below `prefix`."""
        return b"".join(patch(prefix + path, *pair) for path, pair in sorted(self.back.items()))


class CorruptRecord(ReviserError):  # noqa: N818 - it names the state of the record
    """A record under `.reviser/` cannot be read, so nothing can be undone with it."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What `undo` did. `run` is its name; `untouched` were already as before the run; `removed`
    were not there before it; `left` is the lockfile where it was changed since."""

    run: str
    restored: tuple[str, ...]
    untouched: tuple[str, ...]
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def apply_revision(
    root: Path,
    revision: Revision,
    *,
    when: datetime,
    settings: str = "",
    findings: Sequence[str] = (),
    figures: Mapping[str, Json] | None = None,
    advice: Mapping[str, Json] | None = None,
    lock: tuple[bytes | None, bytes] | None = None,
) -> str:
    """Record the run, write the changed files (all or none), and return the run's name. `lock` is
    the evidence lockfile as it was, None where there was none, and as it is to be.

    The record with the original bytes is on disk before the first file changes. Raises
    StaleEdit when a file is not what was read any more, UsageError when it cannot be written or
    the record cannot be kept; the files are then as they were. `when` must know its time zone.
    """
    paths = sorted(revision.after)
    before: dict[str, bytes | None] = {p: revision.before[p].encode() for p in paths}
    after = {path: revision.after[path].encode() for path in paths}
    if lock is not None:
        before[LOCK_FILE], after[LOCK_FILE] = lock
        paths = sorted(after)
    if when.tzinfo is None:
        raise ValueError("the time of a run must know its time zone")
    record: RunRecord = {
        "schema": SCHEMA,
        "time": when.astimezone(UTC).isoformat(),
        "state": "pending",
        "settings": settings,
        "files": [
            {"path": path, "before": _digest_of(before[path]), "after": _digest(after[path])}
            for path in paths
        ],
        "findings": list(findings),
        "edits": [edit_data(verdict) for verdict in revision.verdicts],
        "figures": dict(figures or {}),
        "advice": None if advice is None else dict(advice),
    }
    with alone(root):
        return _applied(root, record, before, after, when)


def _applied(
    root: Path,
    record: RunRecord,
    before: Mapping[str, bytes | None],
    after: Mapping[str, bytes],
    when: datetime,
) -> str:
    """Keep the record, write the files, and return the run's name."""
    name = _new_run(root, when)
    complete = False
    try:
        kept = {f"{RUNS}/{name}/record.json": _encoded(record)}
        for number, path in enumerate(sorted(after)):
            kept[f"{RUNS}/{name}/before/{number}"] = before[path] or b""
            kept[f"{RUNS}/{name}/after/{number}"] = after[path]
        write_all(root, kept)
        write_all(root, after, expected={p: was for p, was in before.items() if was is not None})
        complete = True
    finally:
        if not complete:
            shutil.rmtree(root / RUNS / name, ignore_errors=True)
    _set_state(root, name, record, "applied")
    _forget_old(root, keep=name)
    return name


def undo(root: Path) -> Undone:
    """Put back every byte that the latest run not yet undone has changed.

    Raises UsageError when there is no such run, ChangedSince when a file is neither as the run
    left it nor as it found it, CorruptRecord when the record or a kept file is damaged.
    """
    for name in reversed(runs(root)):
        record = read_record(root, name)
        if record["state"] != "undone" and record["files"]:
            with alone(root):
                return _undo(root, name, record)
    raise UsageError(
        "there is no run to undo here",
        hint="Runs are kept in .reviser/ at the paper's root; name that folder.",
    )


def runs(root: Path) -> tuple[str, ...]:
    """The names of the kept runs, oldest first."""
    no_links(root)
    try:
        names = [entry.name for entry in os.scandir(root / RUNS) if _is_folder(entry)]
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise CorruptRecord(f"{RUNS} cannot be listed ({error.strerror})") from error
    numbered = [(int(match[1]), match[0]) for n in names if (match := _RUN_NAME.fullmatch(n))]
    return tuple(name for _, name in sorted(numbered))


def read_record(root: Path, name: str) -> RunRecord:
    """The record of the run `name`. Raises CorruptRecord when it is damaged or of another make."""
    where = f"{RUNS}/{name}/record.json"
    content = Folder(root, size_limit=_LARGEST).read(where)
    if not isinstance(content, bytes):
        raise _corrupt(where, "it is missing" if content is None else content.why)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _corrupt(where, "it is not JSON") from error
    if not isinstance(found, dict):
        raise _corrupt(where, "it is not an object")
    if found.get("schema") != SCHEMA:
        raise _corrupt(where, f"its schema is {str(found.get('schema'))[:40]!r}, not {SCHEMA!r}")
    return _checked(where, found)


def _checked(where: str, found: Mapping[str, object]) -> RunRecord:
    """The record, once every part that undoing rests on has the right shape."""
    files: list[FileRecord] = []
    listed = found.get("files")
    if not isinstance(listed, list):
        raise _corrupt(where, "its list of files is missing")
    for item in listed:
        parts = item if isinstance(item, dict) else {}
        path, before, after = (parts.get(part) for part in ("path", "before", "after"))
        if not before and path != LOCK_FILE:
            before = None
        if not (isinstance(path, str) and isinstance(before, str) and isinstance(after, str)):
            raise _corrupt(where, "a file's path or digest is missing")
        if forbidden(path) or path != normal(path):
            raise _corrupt(where, f"{path[:80]!r} is not a file of the paper")
        files.append({"path": path, "before": before, "after": after})
    if found.get("state") not in {"pending", "applied", "undone"}:
        raise _corrupt(where, "its state is unknown")
    edits, findings, figures = found.get("edits"), found.get("findings"), found.get("figures")
    advice = found.get("advice")
    return {
        "schema": SCHEMA,
        "time": str(found.get("time", "")),
        "state": str(found["state"]),
        "settings": str(found.get("settings", "")),
        "files": files,
        "findings": [str(f) for f in findings] if isinstance(findings, list) else [],
        "edits": [e for e in edits if isinstance(e, dict)] if isinstance(edits, list) else [],
        "figures": figures if isinstance(figures, dict) else {},
        "advice": advice if isinstance(advice, dict) else None,
    }


def _undo(root: Path, name: str, record: RunRecord) -> Undone:
    folder = Folder(root, size_limit=_LARGEST)
    back: dict[str, bytes] = {}
    current: dict[str, bytes] = {}
    new: list[str] = []
    left: list[str] = []
    changed: list[str] = []
    missed = 0
    reverse: dict[str, tuple[bytes, bytes]] = {}
    for number, facts in enumerate(record["files"]):
        path = facts["path"]
        content = folder.read(path)
        found = _digest_of(content if isinstance(content, bytes) else None)
        if found == facts["before"]:
            continue
        if path == LOCK_FILE and found != facts["after"]:
            left.append(path)  # whoever wrote it since knew what this run found
            continue
        if not facts["before"]:
            new.append(path)
            continue
        before = _kept(folder, f"{RUNS}/{name}/before/{number}", facts["before"])
        after = _kept(folder, f"{RUNS}/{name}/after/{number}", facts["after"])
        if isinstance(content, bytes) and found == facts["after"]:
            back[path], current[path] = before, content
        else:
            changed.append(path)
        merged = carried(after, before, content if isinstance(content, bytes) else b"")
        missed += merged.missed
        if isinstance(content, bytes) and merged.content != content:
            reverse[path] = (content, merged.content)
    if changed:
        raise ChangedSince(changed, reverse, missed)
    write_all(root, back, expected=current)
    for path in new:
        (root / path).unlink(missing_ok=True)
    _set_state(root, name, record, "undone")
    done = {*back, *new, *left}
    untouched = tuple(f["path"] for f in record["files"] if f["path"] not in done)
    return Undone(name, tuple(sorted(back)), untouched, tuple(new), tuple(left))


def _kept(folder: Folder, where: str, digest: str) -> bytes:
    content = folder.read(where)
    if not isinstance(content, bytes):
        raise _corrupt(where, "it is missing" if content is None else content.why)
    if _digest(content) != digest:
        raise _corrupt(where, "its bytes are not those that were kept")
    return content


def _corrupt(where: str, why: str) -> CorruptRecord:
    return CorruptRecord(
        f"{where}: {why}; nothing was undone",
        hint="Use `git checkout` or your editor's history; delete the run's folder to go on.",
    )


def _new_run(root: Path, when: datetime) -> str:
    """A fresh, empty folder for a run, whose number is one above all others."""
    known = runs(root)
    number = 1 + max((int(name.rpartition("-")[2]) for name in known), default=0)
    time = when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    try:
        (root / RUNS).mkdir(exist_ok=True)
        (root / RUNS / f"{time}-{number:04}").mkdir()
    except OSError as error:
        raise UsageError(
            f"the run cannot be recorded in {RUNS} ({error.strerror}); nothing was changed",
            hint="Look at the folder's permissions and at the free space.",
        ) from error
    return f"{time}-{number:04}"


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False)


def _set_state(root: Path, name: str, record: RunRecord, state: str) -> None:
    record["state"] = state
    write_all(root, {f"{RUNS}/{name}/record.json": _encoded(record)})


def _forget_old(root: Path, *, keep: str) -> None:
    """Remove the oldest runs beyond the limits, in number and in bytes; never the run `keep`."""
    held = 0
    for age, name in enumerate(reversed(runs(root))):
        folder = root / RUNS / name
        held += sum(p.lstat().st_size for p in folder.rglob("*") if not p.is_dir())
        if name != keep and (age >= KEPT_RUNS or held > KEPT_BYTES):
            shutil.rmtree(folder, ignore_errors=True)


def _encoded(record: RunRecord) -> bytes:
    # ASCII only: a lone surrogate of a file read byte for byte has no UTF-8 form.
    return json.dumps(record, ensure_ascii=True, indent=1).encode("ascii") + b"\n"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _digest_of(content: bytes | None) -> str:
    """The digest of a file, "" where there is none."""
    return "" if content is None else _digest(content)
