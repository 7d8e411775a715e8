"""Which accepted edits can be committed with one click, and exactly which lines that replaces."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviser.deliver.markdown import fence
from reviser.errors import StaleEdit
from reviser.revise.verdict import Verdict
from reviser.text.diff import Change, split_lines
from reviser.text.edit import apply
from reviser.text.patch import FilePatch
from reviser.text.source import Source

SEVERAL_FILES = "it changes more than one file"
NOT_IN_DIFF = "its file is not part of this pull request"
NOT_SHOWN = "its lines are not among those that the pull request's diff shows"
SEVERAL_HUNKS = "its lines stand in different parts of the diff"
UNENDED = "it touches the last line of the file, which has no line end"
CARRIAGE_RETURNS = "the file ends its lines with CR characters, which suggestions do not keep"
NOT_UTF8 = "the file is not UTF-8, which suggestions do not keep"
POINTER = "the file is kept in Git LFS"
ONLY_BLANK = "only blank lines would be left, which a suggestion cannot say"
CONTROL = "its lines hold characters that a suggestion does not keep"
TOO_LONG = "it is too long for a comment"
OVERLAP = "it changes the same lines as another edit"
STALE = "the text has changed under it"
NO_CHANGE = "it changes nothing"
OTHER_DIFF = "the diff tells other lines than the file holds"
INEXACT = "a suggestion would not make exactly this change"

_MOST = 30_000  # characters of the block; a comment must hold its words besides
_POINTER = "version https://git-lfs.github.com/spec/"
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The head's lines `first` to `last` of `path` (from the repository's top) and what comes in
    their place. `old` and `new` are lines without line ends; no new line deletes the old ones.
    Edits whose lines touch are one suggestion, so that no two suggestions overlap."""

    path: str
    first: int
    last: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def points(self) -> tuple[str, ...]:
        """The fingerprints of the findings that it settles, without repeats."""
        return tuple(dict.fromkeys(p for v in self.verdicts for p in v.edit.answers))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An accepted edit that cannot be a suggestion, and why: a clause for the reader."""

    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """Every accepted edit, in one of the two forms."""

    suggestions: tuple[Suggestion, ...]
    elsewhere: tuple[Elsewhere, ...]


class _NotOne(Exception):  # noqa: N818 - it names an outcome
    """The edits are no suggestion; the message says why."""


def suggest(
    verdicts: Iterable[Verdict],
    sources: Mapping[str, Source],
    patches: Iterable[FilePatch],
    root: str,
) -> Suggested:
    """Each accepted edit as the smallest range of the head's lines, where the diff shows them.

    `sources` are the files at the head, by path from the project's root; `root` ("" or "x/y/")
    leads there from the repository's top, where the paths in `patches` begin. Edits are never
    split; those whose lines touch become one. Suggestions come by path and line, ascending;
    putting one's new lines in the place of the old gives exactly what `apply` gives.
    """
    shown = {patch.path: patch for patch in patches if patch.status != "removed"}
    elsewhere: list[Elsewhere] = []
    single: list[Suggestion] = []
    for verdict in verdicts:
        try:
            single.append(_suggestion((verdict,), sources, shown, root))
        except _NotOne as reason:
            elsewhere.append(Elsewhere(verdict, str(reason)))
    merged: list[Suggestion] = []
    for suggestion in sorted(single, key=lambda s: (s.path, s.first, s.last)):
        grown, refused = _joined(merged, suggestion, sources, shown, root)
        merged = grown
        elsewhere += refused
    return Suggested(tuple(merged), tuple(elsewhere))


def _joined(
    merged: Sequence[Suggestion],
    suggestion: Suggestion,
    sources: Mapping[str, Source],
    shown: Mapping[str, FilePatch],
    root: str,
) -> tuple[list[Suggestion], list[Elsewhere]]:
    """`suggestion` behind the others, or one with those before it that it touches."""
    kept = list(merged)
    while kept and _touch(kept[-1], suggestion):
        former = kept[-1]
        try:
            verdicts = (*former.verdicts, *suggestion.verdicts)
            suggestion = _suggestion(verdicts, sources, shown, root)
        except _NotOne as reason:
            if former.last < suggestion.first:
                break  # they only stand side by side, and may stay two
            why = OVERLAP if str(reason) == STALE else str(reason)
            return kept, [Elsewhere(verdict, why) for verdict in suggestion.verdicts]
        kept.pop()
    return [*kept, suggestion], []


def _touch(former: Suggestion, latter: Suggestion) -> bool:
    return former.path == latter.path and latter.first <= former.last + 1


def _suggestion(
    verdicts: tuple[Verdict, ...],
    sources: Mapping[str, Source],
    shown: Mapping[str, FilePatch],
    root: str,
) -> Suggestion:
    """The edits as one suggestion. Raises _NotOne."""
    paths = {path for verdict in verdicts for path in verdict.edit.paths}
    if len(paths) != 1:
        raise _NotOne(SEVERAL_FILES if paths else NO_CHANGE)
    path = paths.pop()
    source = sources.get(path)
    patch = shown.get(root + path)
    if source is None or patch is None:
        raise _NotOne(NOT_IN_DIFF)
    _refuse_file(source)
    try:
        after = apply(sources, (verdict.edit for verdict in verdicts))[path].text
    except StaleEdit as error:
        raise _NotOne(STALE) from error
    old, new = split_lines(source.text), split_lines(after)
    start, stop = _range(old, new, *_changed(old, new), patch)
    gained = new[start : len(new) - len(old) + stop]
    _refuse_lines(gained)
    if _told(patch, start + 1, stop) != old[start:stop]:
        raise _NotOne(OTHER_DIFF)
    if "".join([*old[:start], *gained, *old[stop:]]) != after:
        raise _NotOne(INEXACT)
    return Suggestion(root + path, start + 1, stop, _bare(old[start:stop]), _bare(gained), verdicts)


def _refuse_file(source: Source) -> None:
    if source.text.startswith(_POINTER):
        raise _NotOne(POINTER)
    if source.encoding != "utf-8":
        raise _NotOne(NOT_UTF8)
    if "\r" in source.text:
        raise _NotOne(CARRIAGE_RETURNS)


def _refuse_lines(gained: Sequence[str]) -> None:
    if len(fence(_bare(gained), "suggestion")) > _MOST:
        raise _NotOne(TOO_LONG)
    # Markdown drops or replaces some of these; that it keeps the others is nowhere promised.
    for character in {c for line in gained for c in line if not c.isprintable()} - {"\t", "\n"}:
        if unicodedata.category(character) == "Cc" or character == _BYTE_ORDER_MARK:
            raise _NotOne(CONTROL)


def _changed(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Start and stop of the old lines between what both begin and end with."""
    shorter = min(len(old), len(new))
    head = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    if head == len(old) == len(new):
        raise _NotOne(NO_CHANGE)
    room = shorter - head
    tail = next((n for n in range(room) if old[-1 - n] != new[-1 - n]), room)
    return head, len(old) - tail


def _range(
    old: Sequence[str], new: Sequence[str], start: int, stop: int, patch: FilePatch
) -> tuple[int, int]:
    """The lines to replace: these, or one more at either end where a suggestion needs a line to
    stand on, or would be all blank (GitHub may take that for a deletion). Raises _NotOne."""
    refused: list[str] = []
    for first, last in ((start, stop), (start - 1, stop), (start, stop + 1)):
        if not 0 <= first < last <= len(old):
            continue
        gained = new[first : len(new) - len(old) + last]
        if not patch.shows(first + 1, last):
            ends = patch.shows(first + 1, first + 1) and patch.shows(last, last)
            refused.append(SEVERAL_HUNKS if ends else NOT_SHOWN)
        elif not all(line.endswith("\n") for line in (*old[first:last], *gained)):
            refused.append(UNENDED)
        elif gained and not any(line.strip() for line in gained):
            refused.append(ONLY_BLANK)
        else:
            return first, last
    raise _NotOne(refused[0] if refused else NOT_SHOWN)


def _told(patch: FilePatch, first: int, last: int) -> list[str]:
    """The new file's lines from `first` to `last`, as the diff tells them."""
    for hunk in patch.hunks:
        if hunk.new_start <= first and last < hunk.new_start + hunk.new_count:
            lines = [part.text for part in hunk.lines if part.change is not Change.LOST]
            return lines[first - hunk.new_start : last + 1 - hunk.new_start]
    return []


def _bare(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.removesuffix("\n") for line in lines)
