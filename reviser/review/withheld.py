"""What of a paper's files is shown to no model: what no reader sees, and what gives orders.

Comments, dead text and hidden text are no part of the paper, and the list of references is no
prose. Words that tell whoever judges the paper what to do are withheld sentence by sentence, and
by the block where no single sentence is to blame.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from weakref import ref

from reviser.latex.orders import gives_orders
from reviser.manuscript.model import Manuscript
from reviser.review.hidden_rules import hidden_places
from reviser.review.typeset import Page, matches, pages, prints_nothing
from reviser.text.source import Place, Span
from reviser.text.visible import unseen, visible

COMMENT = "comment"
DEAD = "text that TeX skips"
HIDDEN = "text that readers of the PDF do not see"
UNSEEN = "characters that nobody sees"
REFERENCES = "list of references"
ORDERS = "words that give orders to whoever judges the paper"

_MARKED = frozenset({HIDDEN, ORDERS})
_SILENT_KINDS = frozenset({"iffalse", "comment environment", "after end"})
_LINE_END = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"[ \t]*")
_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)\s*")
_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?|[ ,;:!/~-])")
_GLUE = re.compile(r"[{}]")


@dataclass(frozen=True, slots=True, order=True)
class Cut:
    """A stretch of a file that is left out, and why; a marked one leaves a mark in its place."""

    start: int
    stop: int
    why: str

    @property
    def marked(self) -> bool:
        """Whether whoever reads should know that something stood here."""
        return self.why in _MARKED


Cuts = Mapping[str, Sequence[Cut]]


class _Known:
    """The cuts of the manuscripts that are still in use."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[ref[Manuscript], Cuts]] = {}

    def of(self, manuscript: Manuscript) -> Cuts:
        known = self._kept.get(id(manuscript))
        if known is not None and known[0]() is manuscript:
            return known[1]
        cuts = _cuts(manuscript)
        self._kept = {n: kept for n, kept in list(self._kept.items()) if kept[0]() is not None}
        self._kept[id(manuscript)] = (ref(manuscript), cuts)
        return cuts


_known = _Known()


def cuts(manuscript: Manuscript, path: str, span: Span) -> list[Cut]:
    """What is left out of a stretch of a file, in order, none overlapping, each within `span`."""
    everything = _known.of(manuscript).get(path, ())
    first = bisect_right(everything, span.start, key=lambda cut: cut.stop)
    found = []
    for cut in everything[first:]:
        if cut.start >= span.stop:
            break
        found.append(Cut(max(cut.start, span.start), min(cut.stop, span.stop), cut.why))
    return found


def marked(manuscript: Manuscript, place: Place) -> bool:
    """Whether some of a place is hidden from readers or gives orders."""
    here = cuts(manuscript, place.path, place.span)
    return any(cut.marked or cut.why == UNSEEN for cut in here)


def _cuts(manuscript: Manuscript) -> Cuts:
    found: dict[str, list[Cut]] = {}
    for comment in manuscript.comments:
        text = manuscript.sources[comment.at.path].text
        found.setdefault(comment.at.path, []).append(_whole_comment(text, comment.at.span))
    for skipped in manuscript.skipped:
        if skipped.kind in _SILENT_KINDS:
            span = skipped.at.span
            found.setdefault(skipped.at.path, []).append(Cut(span.start, span.stop, DEAD))
    for at in hidden_places(manuscript):
        found.setdefault(at.path, []).append(Cut(at.span.start, at.span.stop, HIDDEN))
    for entry in manuscript.entries:
        if entry.kind == "bibitem":
            span = entry.at.span
            found.setdefault(entry.at.path, []).append(Cut(span.start, span.stop, REFERENCES))
    everything = pages(manuscript)
    silent = {
        macro.name: macro.arguments
        for macro in manuscript.macros
        if macro.arguments and prints_nothing(manuscript, macro)
    }
    for page in everything:
        found.setdefault(page.path, []).extend(_silent_uses(page, silent))
    sentences: dict[str, list[Span]] = {}
    for sentence in manuscript.sentences:
        sentences.setdefault(sentence.at.path, []).append(sentence.at.span)
    result = {}
    for path, source in manuscript.sources.items():
        facts = manuscript.facts_of.get(path)
        if facts is not None and facts.role not in ("main", "input"):
            continue
        own = [
            *found.get(path, []),
            *(Cut(start, stop, UNSEEN) for start, stop in unseen(source.text)),
        ]
        apart = _apart(own)
        result[path] = _apart([*apart, *_orders(source.text, apart, sentences.get(path, []))])
    return result


def _whole_comment(text: str, span: Span) -> Cut:
    """A comment with what TeX skips after it: its line's end and the next one's indentation."""
    end = _LINE_END.match(text, span.stop)
    if end is None:
        return Cut(span.start, span.stop, COMMENT)
    rest = _INDENT.match(text, end.end())
    stop = rest.end() if rest else end.end()
    line = max(text.rfind("\n", 0, span.start), text.rfind("\r", 0, span.start)) + 1
    opens = not text[line : span.start].strip(" \t")
    blank_follows = _LINE_END.match(text, stop) is not None or stop == len(text)
    if blank_follows and not opens:
        return Cut(span.start, span.stop, COMMENT)
    return Cut(span.start, end.end() if blank_follows else stop, COMMENT)


def _silent_uses(page: Page, silent: Mapping[str, int]) -> Iterator[Cut]:
    """The uses of macros whose arguments are never printed."""
    if not silent:
        return
    names = "|".join(re.escape(name) for name in sorted(silent))
    for match in matches(re.compile(rf"\\({names})(?![A-Za-z@])"), page.live, page.body):
        stop = match.end()
        for _ in range(silent[match[1]]):
            stop = _argument_end(page, stop)
        if stop > match.end():
            yield Cut(match.start(), stop, HIDDEN)


def _argument_end(page: Page, start: int) -> int:
    at = start
    while at < len(page.live) and page.live[at].isspace():
        at += 1
    if page.live.startswith("[", at):
        close = page.live.find("]", at)
        return close + 1 if close >= 0 else start
    if page.live.startswith("{", at):
        return min(page.group_end(at) + 1, len(page.live))
    return start


def _apart(cuts: Iterable[Cut]) -> list[Cut]:
    """The same stretches without overlaps; where two meet, the one that leaves a mark stands."""
    result: list[Cut] = []
    for cut in sorted(cuts, key=lambda c: (c.start, not c.marked, -c.stop)):
        if not result or cut.start >= result[-1].stop:
            if cut.stop > cut.start:
                result.append(cut)
            continue
        last = result[-1]
        why = cut.why if cut.marked and not last.marked else last.why
        result[-1] = Cut(last.start, max(last.stop, cut.stop), why)
    return result


def kept(text: str, span: Span, left_out: Sequence[Cut]) -> str:
    """The stretch without what is left out of it."""
    pieces: list[str] = []
    cursor = span.start
    for cut in left_out:
        pieces.append(text[cursor : max(cursor, min(cut.start, span.stop))])
        cursor = max(cursor, cut.stop)
    return "".join([*pieces, text[cursor : span.stop]])


def _orders(text: str, left_out: Sequence[Cut], sentences: Sequence[Span]) -> list[Cut]:
    """The sentences that give orders, and the blocks where several do so only together."""
    if not _tells(kept(text, Span(0, len(text)), left_out)):
        return []
    cuts: list[Cut] = []
    blocks = _blocks(text)
    for start, stop in blocks:
        if _tells(_between(text, start, stop, left_out)):
            inside = [s for s in sentences if start <= s.start and s.stop <= stop]
            cuts += [
                Cut(s.start, s.stop, ORDERS)
                for s in inside
                if _tells(_between(text, s.start, s.stop, left_out))
            ]
            now = _apart([*left_out, *cuts])
            if _tells(_between(text, start, stop, now)):
                cuts.append(Cut(start, stop, ORDERS))
    # An order may begin in one block and end in the next.
    now = _apart([*left_out, *cuts])
    if _tells(kept(text, Span(0, len(text)), now)):
        for (start, middle), (_, stop) in pairwise(blocks):
            if _tells(_between(text, start, stop, now)) and middle < stop:
                cuts.append(Cut(start, stop, ORDERS))
                now = _apart([*left_out, *cuts])
    if _tells(kept(text, Span(0, len(text)), now)):
        cuts.append(Cut(0, len(text), ORDERS))
    return cuts


def _between(text: str, start: int, stop: int, left_out: Sequence[Cut]) -> str:
    first = bisect_right(left_out, start, key=lambda cut: cut.stop)
    last = bisect_left(left_out, stop, key=lambda cut: cut.start)
    return kept(text, Span(start, stop), left_out[first:last])


def _blocks(text: str) -> list[tuple[int, int]]:
    """The stretches between blank lines."""
    starts = [0, *(match.end() for match in _BLANK_LINE.finditer(text))]
    stops = [*(match.start() for match in _BLANK_LINE.finditer(text)), len(text)]
    return list(zip(starts, stops, strict=True))


@lru_cache(maxsize=4096)
def _tells(text: str) -> bool:
    """Whether it gives orders, as it is written or without its markup."""
    shown = visible(text)
    if gives_orders(shown):
        return True
    bare = visible(_GLUE.sub("", _COMMAND.sub(" ", shown.replace("~", " "))))
    return bare != shown and gives_orders(bare)
