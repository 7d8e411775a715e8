"""Prose as a writer sees it: words stay words, and a numbered mark stands for what is protected.

`Gulls~\\cite{may1} \\emph{rarely} eat 3.5\\% of it` goes out as `Gulls [[1]] [[2]]rarely[[3]] eat
3.5% of it`. Every mark must come back once and in order; a reply is laid over the source piece by
piece, so that whatever the reply left alone keeps its exact characters, blanks and line ends.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reviser.manuscript.model import Manuscript
from reviser.revise.commands import FORMATTING
from reviser.revise.protected import UNSEEN, protected_spans
from reviser.text.source import Place, Span

MARK = re.compile(r"\[\[(\d{1,4})\]\]")
"""A mark; where the paper itself has such words, they are protected and get a mark of their own."""

_WORD = r"[^\W_]+(?:['’.,-](?=[^\W_])[^\W_]+)*"
_SOURCE = re.compile(
    r"(?P<gap>[\s~]+)"
    r"|(?P<mark>\[\[\d{1,4}\]\])"
    # A word with an accent in it: nobody should have to spell Schr\"odinger anew.
    r"|(?P<accent>[^\W_]*(?:\\(?:[\"'`^~=.]|[uvHtcdbrk](?![A-Za-z]))\s?(?:\{[^{}]{0,4}\}|\\?[A-Za-z])[^\W_]*)+)"
    r"|(?P<escape>\\[%&#_${}])"
    r"|(?P<command>\\[A-Za-z@]+\*?|\\[\s\S]?)"
    rf"|(?P<word>{_WORD})"
    r"|(?P<special>[{}$&#^_%])"
    r"|(?P<sign>-{1,3}|[\s\S])"
)
_SAID = re.compile(
    rf"(?P<gap>\s+)|(?P<mark>\[\[\d{{1,4}}\]\])|(?P<word>{_WORD})|(?P<sign>-{{1,3}}|[\s\S])"
)
_ARGUMENTS = re.compile(r"(?:\[[^\[\]{}\n]{0,200}\])?")
_NAMED = {"accent": "word", "mark": "words"}
_LEGEND = 120
"""Characters of a protected thing that its legend shows."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a sign or a protected atom: what is shown for it, what stands in the source from
    offset `start` on, and the blanks and ties before it. `what` is an atom's legend, "" for words;
    `number` its mark's. `leads` tells that it is the first of a sentence or of the stretch."""

    shown: str
    source: str
    start: int
    gap: str
    what: str = ""
    number: int = 0
    leads: bool = False

    @property
    def stop(self) -> int:
        """Where it ends in its file."""
        return self.start + len(self.source)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What is wrong with the marks of a reply, by their numbers."""

    lost: tuple[int, ...] = ()
    new: tuple[int, ...] = ()
    twice: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()

    def __str__(self) -> str:
        said = (
            ("is missing", "are missing", self.lost),
            ("was not given", "were not given", self.new),
            ("stands more than once", "stand more than once", self.twice),
            ("is out of order", "are out of order", self.moved),
        )
        return "; ".join(
            f"{', '.join(f'[[{n}]]' for n in numbers)} {one if len(numbers) == 1 else many}"
            for one, many, numbers in said
            if numbers
        )


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a reply. `kept` is the piece of the source that it repeats, None for new words;
    `spaced` whether a blank stands before it."""

    shown: str
    spaced: bool
    kept: Piece | None = None

    @property
    def source(self) -> str:
        """What it is in LaTeX."""
        return escaped(self.shown) if self.kept is None else self.kept.source


@dataclass(frozen=True, slots=True)
class Protected:
    """A stretch of a file, cut into pieces; `tail` are the blanks behind the last."""

    at: Place
    pieces: tuple[Piece, ...]
    tail: str = ""

    @property
    def text(self) -> str:
        """What the writer is shown."""
        return "".join((" " if p.gap and n else "") + p.shown for n, p in enumerate(self.pieces))

    @property
    def legend(self) -> tuple[tuple[str, str], ...]:
        """What each mark stands for, in order."""
        return tuple((p.shown, p.what) for p in self.pieces if p.what)

    def part(self, span: Span) -> "Protected":
        """The pieces that begin within `span`, under their numbers."""
        inside = tuple(p for p in self.pieces if span.start <= p.start < span.stop)
        return Protected(Place(self.at.path, span), inside)

    def mismatch(self, said: str) -> Mismatch | None:
        """What is wrong with the marks of a reply; None when each is there once and in order."""
        return compared([piece.number for piece in self.pieces if piece.what], said)

    def woven(self, said: str) -> tuple[Token, ...]:
        """The reply over the source. Raises ValueError when its marks do not match."""
        wrong = self.mismatch(said)
        if wrong is not None:
            raise ValueError(str(wrong))
        return woven(self.pieces, list(tokens(said)))


def compared(given: Sequence[int], said: str) -> Mismatch | None:
    """What is wrong with the marks of a reply that was given these numbers, in this order."""
    found = [int(match[1]) for match in MARK.finditer(said)]
    if found == list(given):
        return None
    lost = tuple(n for n in given if n not in found)
    new = tuple(dict.fromkeys(n for n in found if n not in given))
    twice = tuple(dict.fromkeys(n for n in found if n in given and found.count(n) > 1))
    known = [n for n in dict.fromkeys(found) if n in given]
    wanted = [n for n in given if n in known]
    moved: tuple[int, ...] = ()
    if known != wanted:
        same = SequenceMatcher(None, wanted, known, autojunk=False).get_matching_blocks()
        stay = {wanted[i] for block in same for i in range(block.a, block.a + block.size)}
        moved = tuple(n for n in wanted if n not in stay)
    return Mismatch(lost, new, twice, moved)


def tokens(said: str) -> Iterator[Token]:
    """The words, signs and marks of a reply."""
    spaced = False
    for match in _SAID.finditer(said):
        if match.lastgroup == "gap":
            spaced = True
            continue
        yield Token(match[0], spaced)
        spaced = False


def protect(
    manuscript: Manuscript, at: Place, first: int = 1, starts: Collection[int] = ()
) -> Protected:
    """The text at `at`, in which marks from number `first` on stand for what is protected.

    `starts` are the offsets at which its sentences begin.
    """
    text = manuscript.sources[at.path].text
    pieces: list[Piece] = []
    gap = ""
    for start, stop, what in _cut(manuscript, at, text):
        if what is None:
            gap += text[start:stop]
            continue
        source = text[start:stop]
        number = first + sum(bool(piece.what) for piece in pieces) if what else 0
        shown = f"[[{number}]]" if what else source.removeprefix("\\")
        leads = not pieces or start in starts
        pieces.append(Piece(shown, source, start, gap, what, number, leads))
        gap = ""
    return Protected(at, tuple(pieces), gap)


def restore(protected: Protected, said: str) -> str | Mismatch:
    """The source of a reply, as far as it repeats what it was given; new words come out escaped."""
    wrong = protected.mismatch(said)
    if wrong is not None:
        return wrong
    lead = protected.pieces[0].gap if protected.pieces else ""
    laid = protected.woven(said)
    gaps = (gap_before(laid, n) if n else "" for n in range(len(laid)))
    words = (
        (" " if gap is None else gap) + token.source for gap, token in zip(gaps, laid, strict=True)
    )
    return lead + "".join(words) + protected.tail


def gap_before(laid: Sequence[Token], number: int) -> str | None:
    """What stands before a token that is not the first; None for a new blank.

    Neighbours in the source stay as they stood, and a mark keeps to the word before it as it did
    (a tie, nothing, a blank), whatever blanks the reply has.
    """
    last, token = laid[number - 1].kept, laid[number]
    kept = token.kept
    if kept is not None and last is not None and last.stop + len(kept.gap) == kept.start:
        return kept.gap
    if last is not None and last.what and last.source.endswith("{"):
        return ""
    blank = None if token.spaced else ""
    if kept is None or kept.leads:
        return blank
    if kept.what:
        return kept.gap
    return (kept.gap or None) if token.spaced else ""


_ESCAPES = {
    **{sign: f"\\{sign}" for sign in "%&#_${}"},
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "\\": "\\textbackslash{}",
    "’": "'",
    "‘": "`",
    "–": "--",
    "—": "---",
    "…": "\\ldots{}",
}


def escaped(words: str) -> str:
    """Plain words as LaTeX, sign by sign."""
    return "".join(_ESCAPES.get(sign, sign) for sign in words)


def _cut(manuscript: Manuscript, at: Place, text: str) -> Iterator[tuple[int, int, str | None]]:
    """The stretch in pieces: start, stop, and None for blanks, "" for words, else a legend."""
    cursor = at.span.start
    for span, what in protected_spans(manuscript, at):
        yield from _plain(text, cursor, span.start)
        # What no reader sees is no writer's business either.
        seen = what not in UNSEEN
        yield (
            span.start,
            span.stop,
            _short(f"{what} {text[span.start : span.stop]}") if seen else what,
        )
        cursor = span.stop
    yield from _plain(text, cursor, at.span.stop)


def _plain(text: str, start: int, stop: int) -> Iterator[tuple[int, int, str | None]]:
    at = start
    while at < stop:
        match = _SOURCE.match(text, at, stop)
        if match is None:  # cannot be: the last alternative takes any character
            raise AssertionError(f"nothing can be read at {at}")
        end, what = match.end(), ""
        kind = match.lastgroup
        if kind == "gap":
            yield at, end, None
            at = end
            continue
        if kind == "command":
            end, what = _command(text, match, stop)
        elif kind in {"mark", "accent", "special"}:
            what = (
                "closes it" if match[0] == "}" else _short(f"{_NAMED.get(kind, 'sign')} {match[0]}")
            )
        yield at, end, what
        at = end


def _command(text: str, match: re.Match[str], stop: int) -> tuple[int, str]:
    """Where a command's mark ends: plain formatting leaves its words to be read, and any other
    command takes its arguments along, as far as they close within the stretch."""
    name = match[0].lstrip("\\").rstrip("*")
    end = match.end()
    if not name[:1].isalpha():
        return end, _short(f"command {match[0]}")
    if name in FORMATTING:
        if text.startswith("{", end, stop) and not text.startswith("{}", end, stop):
            return end + 1, _short(f"opens {match[0]}{{")
        end += 2 * text.startswith("{}", end, stop)
        return end, _short(f"command {match[0]}")
    while True:
        option = _ARGUMENTS.match(text, end, stop)
        after = option.end() if option else end
        close = _group(text, after, stop)
        if close is None:
            return end, _short(f"command {text[match.start() : end]}")
        end = close


def _group(text: str, start: int, stop: int) -> int | None:
    """Where the group that opens at `start` ends, None when none opens or it does not close."""
    if not text.startswith("{", start, stop):
        return None
    depth = 0
    at = start
    while at < stop:
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        depth += (sign == "{") - (sign == "}")
        at += 1
        if not depth:
            return at
    return None


def _short(words: str) -> str:
    words = " ".join(words.split())
    return words if len(words) <= _LEGEND else f"{words[: _LEGEND - 3]}..."


def woven(pieces: Sequence[Piece], said: Sequence[Token]) -> tuple[Token, ...]:
    """A reply over the pieces, aligned between neighbouring marks; the marks must match."""
    result: list[Token] = []
    old = new = 0
    while old < len(pieces) or new < len(said):
        old_end = next((i for i in range(old, len(pieces)) if pieces[i].what), len(pieces))
        new_end = next(
            (i for i in range(new, len(said)) if MARK.fullmatch(said[i].shown)), len(said)
        )
        result += _aligned(pieces[old:old_end], said[new:new_end])
        if old_end < len(pieces) and new_end < len(said):
            result.append(Token(said[new_end].shown, said[new_end].spaced, pieces[old_end]))
        old, new = old_end + 1, new_end + 1
    return tuple(result)


def _aligned(pieces: Sequence[Piece], said: Sequence[Token]) -> list[Token]:
    result: list[Token] = []
    same = SequenceMatcher(None, [p.shown for p in pieces], [t.shown for t in said], autojunk=False)
    done = 0
    for block in same.get_matching_blocks():
        result += said[done : block.b]
        for step in range(block.size):
            token = said[block.b + step]
            result.append(Token(token.shown, token.spaced, pieces[block.a + step]))
        done = block.b + block.size
    return result
