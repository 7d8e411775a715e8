"""Where one sentence of plain text ends and the next begins."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from reviser.latex import abbreviations as lists
from reviser.text.source import Span

OBJECT = "\ufffc"
"""Stands for a formula in text handed to `split`: a word of no case, never an initial."""

BINDING = "\u00a0"
"""A space that ties what follows to what stands before, such as LaTeX's tilde."""

_NO_CASE_STOPS = "。！？｡．।؟"
_CLOSERS = "\"'”’»)\\]）」』】"
# The first character alone decides where to stop, which the regex engine finds quickest.
_END = re.compile(
    rf"[.!?…{_NO_CASE_STOPS}](?:"
    rf"(?<=[.!?…])(?:[.!?…{_CLOSERS}]|[ \u00a0\u202f]»)*"
    rf"|(?<=[{_NO_CASE_STOPS}])[.!?…{_NO_CASE_STOPS}{_CLOSERS}]*)"
)
_PARAGRAPH = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\s*")
_NUMBERED = r"\[\d[\d,;–\- \u00a0]{0,60}\]"
_TIED_CITATION = re.compile(rf"(?:\u00a0?{_NUMBERED})+[{_CLOSERS}]*")
_LOOSE_CITATION = re.compile(rf"\s+(?:[,;]?\s?{_NUMBERED}){{1,20}}(?=\s|$)")
_OPENERS = re.compile(r"\s*[\"'“‘«„‚(\[¿¡（「『]*[ \u00a0\u202f]?")
_NEXT_WORD = re.compile(r"[^\W\d_](?:\.|[\w-]{0,30})")
_SMALL_NEXT = re.compile(
    r"[^\W\d_]{1,30}\s+(?!(?:et|and|und|y|e|de|da|von|van|in|from|has|have|et\.?)\b)[^\W\d_A-ZÀ-Þ]"
)
_ITEM_LABEL = re.compile(r"\((?:[a-z]|[ivx]{1,4})\) ")
_ELLIPSIS = re.compile(rf"(?:…|\.{{2,}})[.…]*[{_CLOSERS}]*")
_BRACKET = re.compile(r"[()]")
_LABELLED = re.compile(r"(?:\(?(?:\d{1,2}|[A-Za-z]|[ivxIVX]{1,5})\)?)$")
_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}[.-])*[^\W\d_]{1,2}$")
_MIXED_CASE = re.compile(r"[a-z]{1,3}[A-Z]|[a-z]-\w|[a-z]+\d|[a-z]+[A-Z][a-z]")
_WORD_REACH = 24
_ASIDE_REACH = 400
_LABEL_REACH = 12


_PARTICLES = frozenset("とのはがをにでもやへな的")


def split(plain: str) -> tuple[Span, ...]:
    """The sentences of `plain`, in order, without the white space around them.

    A numbered citation right after the final stop, tied to it or alone before the next
    sentence, belongs to the sentence it follows. Colons and semicolons never split. Time is
    linear in the length of `plain`.
    """
    return tuple(_trimmed(plain, _cuts(plain)))


def _cuts(plain: str) -> list[int]:
    text = _Text(plain)
    cuts: list[int] = []
    paragraphs = [match.start() for match in _PARAGRAPH.finditer(plain)]
    paragraphs.append(len(plain))
    passed = start = 0
    for match in _END.finditer(plain):
        while paragraphs[passed] <= match.start():
            start = paragraphs[passed]
            cuts.append(start)
            passed += 1
        if match.start() >= start:
            stop = text.end_of_sentence(match, start)
            if stop is not None:
                cuts.append(stop)
                start = stop
    return cuts + paragraphs[passed:]


def _trimmed(plain: str, cuts: list[int]) -> list[Span]:
    spans: list[Span] = []
    previous = 0
    for cut in cuts:
        piece = plain[previous:cut]
        body = piece.strip()
        if body:
            first = previous + len(piece) - len(piece.lstrip())
            spans.append(Span(first, first + len(body)))
        previous = max(cut, previous)
    return spans


class _Text:
    """A text whose stops are judged one by one; every look around one has a bounded reach."""

    __slots__ = ("_asides", "_length", "_plain")

    def __init__(self, plain: str) -> None:
        self._plain = plain
        self._length = len(plain.rstrip())
        self._asides = _Asides(plain)

    def end_of_sentence(self, match: re.Match[str], start: int) -> int | None:
        """Where the sentence begun at `start` ends if the stop in `match` ends it, else None."""
        if self._inside_aside(match, start):
            return None
        if match.group()[0] in _NO_CASE_STOPS:
            return self._after_caseless(match)
        return self._after_stop(match, start)

    def _after_stop(self, match: re.Match[str], start: int) -> int | None:
        stop = match.end()
        tied = _TIED_CITATION.match(self._plain, stop)
        if tied:
            stop = tied.end()
        if stop >= self._length:
            return stop
        if not self._plain[stop].isspace():
            return stop if self._ends_unspaced(match, stop) else None
        if self._binds(match, start, stop):
            return None
        loose = _LOOSE_CITATION.match(self._plain, stop)
        if loose and (loose.end() >= self._length or self._starts(loose.end(), firm=False)):
            return loose.end()
        return stop if self._starts(stop, firm=self._is_firm(match)) else None

    def _inside_aside(self, match: re.Match[str], start: int) -> bool:
        """Whether brackets opened within the sentence are still open after the stop."""
        aside = self._asides.around(match.start())
        if aside is None or self._asides.around(match.end()) != aside:
            return False
        return aside - start > _LABEL_REACH or bool(self._plain[start:aside].strip())

    def _after_caseless(self, match: re.Match[str]) -> int | None:
        """A CJK stop ends a sentence unless a quotation it closes is part of a longer clause."""
        stop = match.end()
        following = self._plain[stop : stop + 1]
        if match.group() == "．" and following.isdigit():
            return None
        if match.group()[-1] in "」』）)" and following in _PARTICLES:
            return None
        tied = _TIED_CITATION.match(self._plain, stop)
        alone = tied is not None and not self._plain[tied.end() : tied.end() + 1].strip()
        return tied.end() if tied is not None and alone else stop

    def _ends_unspaced(self, match: re.Match[str], stop: int) -> bool:
        """Whether a stop with no space after it still ends its sentence."""
        following = self._plain[stop]
        if _is_caseless(following):
            return _is_caseless(self._plain[match.start() - 1 : match.start()])
        word = _NEXT_WORD.match(self._plain, stop)
        if word is None or not (following.isupper() and self._plain[stop + 1 : stop + 2].islower()):
            return False
        before = self._plain[max(0, match.start() - 1)]
        if before in "])" or self._plain[stop - 1] in "])":
            return True
        return word.group() in lists.STRICT_STARTERS and (before.islower() or before.isdigit())

    def _is_firm(self, match: re.Match[str]) -> bool:
        """Whether the stop ends a sentence even before a small letter: "see [3]. however".

        Only a lone full stop after a citation or after a long ordinary word is that firm: a
        shorter word may be an abbreviation that no list has.
        """
        if match.group() != ".":
            return False
        before = self._plain[max(0, match.start() - _WORD_REACH) : match.start()].split()
        word = before[-1] if before else ""
        return word.endswith("]") or (len(word) >= 5 and word.isalpha() and word.islower())

    def _starts(self, stop: int, *, firm: bool) -> bool:
        """Whether what follows `stop` looks like the start of a sentence."""
        opened = _OPENERS.match(self._plain, stop)
        begin = opened.end() if opened else stop
        char = self._plain[begin : begin + 1]
        if _ITEM_LABEL.match(self._plain, begin - 1):
            return True
        if char.islower():
            word = _NEXT_WORD.match(self._plain, begin)
            mixed = word is not None and _MIXED_CASE.match(word.group()) is not None
            return mixed or (firm and self._plain[begin - 1].isspace())
        if char == ".":
            char = self._plain[begin + 1 : begin + 2]
            return char.isupper()
        return bool(char) and (char.isalnum() or char in f"{OBJECT}$€£§")

    def _binds(self, match: re.Match[str], start: int, stop: int) -> bool:
        """Whether the stop belongs to an abbreviation, an initial, a list's label or a gap."""
        stops = match.group()
        before = self._plain[max(start, match.start() - _WORD_REACH) : match.start()]
        words = before.split()
        if _ELLIPSIS.fullmatch(stops):
            return before.rstrip()[-1:] in {",", ";", ""}
        following = self._following(stop)
        if stops[0] in "!?":
            named = bool(words) and words[-1] in lists.EXCLAIMED_NAMES
            return stops == "!" and named and following not in lists.STARTERS
        if any(char in ".!?…" for char in stops[1:]) or not words or before[-1].isspace():
            return False
        word = words[-1].lstrip("\"'“‘«„([{¿¡—–/")
        if len(word) > 3 and word not in lists.LISTED and word.isalpha() and word.islower():
            return False
        early = match.start() - start <= _LABEL_REACH and words[:-1] == []
        if early and len(stops) == 1 and _LABELLED.fullmatch(words[-1]):
            return True
        earlier = words[-2] if len(words) > 1 else ""
        closed, small = len(stops) > 1, self._small_next(stop)
        return _Shortening(word, earlier, following, closed=closed, small_next=small).goes_on()

    def _small_next(self, stop: int) -> bool:
        opened = _OPENERS.match(self._plain, stop)
        return _SMALL_NEXT.match(self._plain, opened.end() if opened else stop) is not None

    def _following(self, stop: int) -> str:
        """The next word, with its stop if it is a single letter; or the next character."""
        opened = _OPENERS.match(self._plain, stop)
        begin = opened.end() if opened else stop
        word = _NEXT_WORD.match(self._plain, begin)
        return word.group() if word else self._plain[begin : begin + 1]


class _Asides:
    """Which short bracketed asides an offset lies in, for stops that end nothing."""

    __slots__ = ("_closed", "_opened")

    def __init__(self, plain: str) -> None:
        self._opened: list[int] = []
        self._closed: list[int] = []
        for opened, closed in sorted(_short_brackets(plain)):
            if not self._closed or opened > self._closed[-1]:
                self._opened.append(opened)
                self._closed.append(closed)

    def around(self, offset: int) -> int | None:
        """Where the outermost aside that `offset` lies in opens, or None."""
        found = bisect_right(self._opened, offset) - 1
        return self._opened[found] if found >= 0 and offset <= self._closed[found] else None


def _short_brackets(plain: str) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    opened: list[int] = []
    for match in _BRACKET.finditer(plain):
        if match.group() == "(":
            opened.append(match.start())
        elif opened:
            first = opened.pop()
            if match.start() - first <= _ASIDE_REACH:
                pairs.append((first, match.start()))
    return pairs


def _is_caseless(char: str) -> bool:
    return char.isalpha() and not char.isupper() and not char.islower()


@dataclass(frozen=True, slots=True)
class _Shortening:
    """A word before a full stop that may be shortened, and the words around it.

    `closed` says that a bracket or quotation mark closes between the stop and what follows,
    `small_next` that the word after `following` is written small.
    """

    word: str
    earlier: str
    following: str
    closed: bool
    small_next: bool

    def goes_on(self) -> bool:
        """Whether the sentence goes on after the stop."""
        listed = self._is_listed(self._folded())
        if listed is not None:
            return listed
        if self.word.isdigit():
            return len(self.word) <= 2 and self.following in lists.GERMAN_AFTER_ORDINAL
        return not self.closed and self._is_initial()

    @property
    def _spaced(self) -> bool:
        """Whether another single letter with its stop stands before: "i. e.", "A. Yu."."""
        letter = self.earlier.lstrip("([")
        return len(letter) == 2 and letter[1] == "." and letter[0].isalpha()

    @property
    def _plain_next(self) -> bool:
        """Whether a small abbreviation stands before a common word and no name or number."""
        return self.word.islower() and len(self.following) > 3 and self.following.istitle()

    def _folded(self) -> str:
        word = self.word
        if word.count("-") == 1 and len(word) > 6:
            word = word.rsplit("-", 1)[1]
        if self._spaced and len(word) == 1 and word.islower():
            return f"{self.earlier.lstrip('([').casefold()}{word}"
        return word.casefold()

    def _is_listed(self, folded: str) -> bool | None:
        """What the lists say; None when they do not know the word."""
        following = self.following
        goes_on: bool | None = None
        if folded in lists.ALSO_WORDS and self.word.islower():
            goes_on = following[:1].isdigit() or following in lists.COUNTED or following == OBJECT
        elif folded == "al" and self.earlier.casefold() not in lists.BEFORE_AL:
            goes_on = False
        elif folded in lists.NEVER_LAST or self.word in lists.CAPITAL_NEVER_LAST:
            goes_on = True
        elif folded in lists.TAKES_NUMBER:
            goes_on = following == "A" or not (
                following in lists.STRICT_STARTERS or self._plain_next
            )
        elif folded in lists.ENDS_BEFORE_CAPITAL:
            goes_on = self.closed or not following[:1].isupper()
        elif folded in lists.MAY_END or self.word in lists.IN_TITLES:
            goes_on = self.closed or following not in lists.STARTERS
        return goes_on

    def _is_initial(self) -> bool:
        word, following = self.word, self.following
        if len(word) == 1 and word.islower():
            return self._spaced or following.endswith(".")
        if len(word) == 1:
            name = following in lists.SURNAME_LIKE and not self.small_next
            return word.isalpha() and (name or following not in lists.STRICT_STARTERS)
        if len(word) == 2 and word.istitle():
            return self._spaced
        if "." not in word or not _INITIALS.match(word):
            return False
        return following not in (lists.STARTERS if word[0].isupper() else lists.STRICT_STARTERS)
