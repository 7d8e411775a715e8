"""What the authors do not want to hear: suppressions in comments and settings, each with a reason.

    % reviser: ignore[rule, rule] reason         this line, or the next one that is no comment
    % reviser: ignore-start[rule] reason         from here ...
    % reviser: ignore-end                        ... to here
    % reviser: ignore-file[rule] reason          the whole file

In a .bib the lines stand between entries, and the one above an entry speaks of the whole entry.
Nothing vanishes: a silenced finding keeps its place in the list with the reason beside it.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase

from reviser.findings import Finding, Severity, fingerprinted
from reviser.manuscript.model import Manuscript
from reviser.text.source import Place, Source, Span

UNUSED = "unused-suppression"
NO_REASON = "suppression-without-reason"
SAFETY = "suppressed-safety-rule"

# The rules of this module, as (id, severity, summary).
META_RULES = (
    (UNUSED, Severity.NOTE, "a suppression that silences nothing, or that cannot be understood"),
    (NO_REASON, Severity.NOTE, "a suppression that gives no reason"),
    (SAFETY, Severity.NOTE, "hidden text or instructions to reviewers were silenced"),
)

# These may be silenced like any other, but never unseen: they guard the paper's readers, and the
# one who writes the suppression may be the one who hid the text.
_SAFETY_RULES = frozenset({"hidden-text", "injected-instruction"})

_DIRECTIVE = re.compile(
    r"%[%\s]{0,20}reviser:[ \t]{0,20}(ignore(?:-[a-z]{1,20})?)\b[ \t]{0,20}"
    r"(?:\[([^\]\r\n]{0,400})\])?([^\r\n]{0,1000})",
    re.IGNORECASE,
)
_ONLY_COMMENT = re.compile(r"[ \t\ufeff]*(?:%[^\r\n]*)?[\r\n]*")
_KINDS = ("ignore", "ignore-start", "ignore-end", "ignore-file")
_LAST_LINE = 1 << 60
_LIMIT = 2_000  # directives heard in one file


@dataclass(frozen=True, slots=True)
class Ignore:
    """A suppression from the settings: `path` is a glob over the project's names (`*` crosses
    folders)."""

    rule: str
    reason: str
    path: str = "*"


@dataclass(slots=True)
class _Suppression:
    """One directive while it is being matched; lines are 1-based, both ends included."""

    rules: tuple[str, ...]
    reason: str
    at: Place
    quote: str
    lines: tuple[int, int]
    glob: str | None = None  # for one from the settings; it then holds for whole files
    used: dict[str, int] = field(default_factory=dict)

    def silences(self, finding: Finding, lines: tuple[int, int]) -> bool:
        if finding.rule not in self.rules:
            return False
        if self.glob is not None:
            return fnmatchcase(finding.place.path, self.glob)
        first, last = self.lines
        return finding.place.path == self.at.path and lines[0] <= last and first <= lines[1]


def suppress(
    manuscript: Manuscript,
    findings: Sequence[Finding],
    settings_ignores: Iterable[Ignore],
    known_rules: Collection[str],
    *,
    ran: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """The findings, those that a suppression names with their reason, and what is odd about the
    suppressions themselves as findings of `META_RULES`.

    `ran` are the rules that were run (all known ones by default): a suppression of a rule that
    was not run is not called unused.
    """
    odd: list[Finding] = []
    found = [s for path in sorted(manuscript.sources) for s in _in_file(manuscript, path, odd)]
    found += [_from_settings(manuscript, ignore) for ignore in settings_ignores]
    by_rule: dict[str, list[_Suppression]] = {}
    for suppression in found:
        for rule in suppression.rules:
            by_rule.setdefault(rule, []).append(suppression)
    marked = [_marked(manuscript, f, by_rule.get(f.rule, ())) for f in findings]
    # Suppressions of the notes made here are met only after this, so they are never called unused.
    executed = frozenset(known_rules if ran is None else ran) - {rule for rule, *_ in META_RULES}
    for suppression in found:
        odd += _oddities(suppression, frozenset(known_rules), executed)
    meta = [_marked(manuscript, f, _settings_only(by_rule, f.rule)) for f in fingerprinted(odd)]
    return tuple(sorted([*marked, *meta], key=lambda f: (f.place, f.rule, f.message)))


def directives(manuscript: Manuscript) -> tuple[tuple[Place, tuple[str, ...]], ...]:
    """Where the paper's own text silences rules, and which: `ignore-end` left out."""
    return tuple(
        (at, tuple(rule for rule in re.split(r"[\s,]+", match[2] or "") if rule))
        for path in sorted(manuscript.sources)
        if "reviser:" in manuscript.sources[path].text.lower()
        for at, match in _directives(manuscript, manuscript.sources[path])
        if match[1].lower() in _KINDS and match[1].lower() != "ignore-end"
    )


def _settings_only(by_rule: dict[str, list[_Suppression]], rule: str) -> list[_Suppression]:
    return [s for s in by_rule.get(rule, ()) if s.glob is not None]


def _from_settings(manuscript: Manuscript, ignore: Ignore) -> _Suppression:
    quote = f"ignore {ignore.rule} in {ignore.path}"
    at = Place(manuscript.main, Span(0, 0))
    return _Suppression((ignore.rule,), ignore.reason.strip(), at, quote, (1, 1), ignore.path)


def _marked(
    manuscript: Manuscript, finding: Finding, suppressions: Iterable[_Suppression]
) -> Finding:
    source = manuscript.sources.get(finding.place.path)
    lines = source.lines(finding.place.span) if source is not None else (0, 0)
    reason = finding.suppressed
    for suppression in suppressions:
        if suppression.silences(finding, lines):
            suppression.used[finding.rule] = suppression.used.get(finding.rule, 0) + 1
            reason = reason or suppression.reason or "no reason given"
    return finding if reason is None else replace(finding, suppressed=reason)


def _in_file(manuscript: Manuscript, path: str, odd: list[Finding]) -> Iterator[_Suppression]:
    """The suppressions of one file; what cannot be understood goes to `odd`."""
    if "reviser:" not in manuscript.sources[path].text.lower():
        return
    lines = _Lines(manuscript, path)
    opened: list[_Suppression] = []
    for at, match in _directives(manuscript, lines.source):
        kind = match[1].lower()
        rules = tuple(rule for rule in re.split(r"[\s,]+", match[2] or "") if rule)
        if kind == "ignore-end":
            closed = _last_opened(opened, rules)
            if closed is None:
                odd.append(_odd(at, match[0], "This ignore-end closes nothing: remove it."))
            else:
                opened.remove(closed)
                closed.lines = (closed.lines[0], lines.source.line(at.span.start))
                yield closed
        elif kind not in _KINDS or not rules:
            missing = "names no rule" if kind in _KINDS else f"has an unknown word, {match[1]!r}"
            says = f"This suppression {missing}. Write % reviser: ignore[rule] reason."
            odd.append(_odd(at, match[0], says))
        else:
            meant = lines.meant(at, kind)
            suppression = _Suppression(rules, match[3].strip(), at, match[0], meant)
            if kind == "ignore-start":
                opened.append(suppression)
            else:
                yield suppression
    for suppression in opened:
        says = "This ignore-start has no ignore-end, so it holds to the end of the file."
        odd.append(_odd(suppression.at, suppression.quote, says))
        yield suppression


def _last_opened(opened: Sequence[_Suppression], rules: tuple[str, ...]) -> _Suppression | None:
    fitting = (s for s in reversed(opened) if not rules or set(s.rules) == set(rules))
    return next(fitting, None)


def _directives(manuscript: Manuscript, source: Source) -> Iterator[tuple[Place, re.Match[str]]]:
    """The directives that stand where a comment may stand, in order, at most `_LIMIT`."""
    if source.path.lower().endswith(".bib"):
        inside = sorted(e.at.span for e in manuscript.entries if e.at.path == source.path)
        starts = [span.start for span in inside]
        marks = (Span(*match.span()) for match in re.finditer(r"%[^\r\n]*", source.text))
        comments = [m for m in marks if not _in_any(m.start, starts, inside)]
    else:
        comments = [c.at.span for c in manuscript.comments if c.at.path == source.path]
    found = 0
    for span in sorted(comments):
        match = _DIRECTIVE.match(source.text, span.start, span.stop)
        if match and found < _LIMIT:
            found += 1
            yield Place(source.path, Span(span.start, match.end())), match


def _in_any(offset: int, starts: Sequence[int], spans: Sequence[Span]) -> bool:
    before = bisect_right(starts, offset) - 1
    return before >= 0 and offset < spans[before].stop


class _Lines:
    """Which lines of one file a directive speaks of."""

    def __init__(self, manuscript: Manuscript, path: str) -> None:
        self.source = manuscript.sources[path]
        self._entry_ends: dict[int, int] = {}
        for entry in manuscript.entries:
            if entry.at.path == path:
                first, last = self.source.lines(entry.at.span)
                self._entry_ends[first] = max(last, self._entry_ends.get(first, 0))
        self._next = self._next_lines()

    def _next_lines(self) -> list[int]:
        """For each line (index 0 unused) the next one that is neither comment nor blank."""
        count = self.source.line_count
        result = [count] * (count + 1)
        for line in range(count - 1, 0, -1):
            span = self.source.line_span(line + 1)
            is_text = not _ONLY_COMMENT.fullmatch(self.source.text, span.start, span.stop)
            result[line] = line + 1 if is_text else result[line + 1]
        return result

    def meant(self, at: Place, kind: str) -> tuple[int, int]:
        """First and last line that a directive of `kind` at `at` speaks of."""
        line = self.source.line(at.span.start)
        if kind == "ignore-file":
            return 1, _LAST_LINE
        if kind == "ignore-start":
            return line, _LAST_LINE
        before = self.source.text[self.source.line_span(line).start : at.span.start]
        if not before.strip(" \t\ufeff"):
            line = self._next[line]
        return line, self._entry_ends.get(line, line)


def _oddities(
    suppression: _Suppression, known: Collection[str], ran: Collection[str]
) -> Iterator[Finding]:
    at, quote = suppression.at, suppression.quote
    unknown = [rule for rule in suppression.rules if rule not in known]
    if unknown:
        says = f"There is no rule {', '.join(unknown)}; `reviser rules` lists them."
        yield _odd(at, quote, says)
    idle = [r for r in suppression.rules if r in ran and r in known and r not in suppression.used]
    if idle:
        says = f"This suppression of {', '.join(idle)} silences nothing now: remove it."
        yield _odd(at, quote, says, Severity.NOTE)
    if not suppression.reason:
        says = "This suppression gives no reason: add one, for whoever reads it next."
        yield Finding(NO_REASON, at, quote, says, Severity.NOTE)
    for rule, count in suppression.used.items():
        if rule in _SAFETY_RULES:
            places = "one place" if count == 1 else f"{count} places"
            says = f"{rule} is silenced in {places} by this suppression: see that it is meant."
            yield Finding(SAFETY, at, quote, says, Severity.NOTE)


def _odd(at: Place, quote: str, says: str, severity: Severity = Severity.WARNING) -> Finding:
    return Finding(UNUSED, at, quote.strip(), says, severity)
