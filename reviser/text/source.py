"""The exact text of one file, and positions in it.

Offsets are code points of the decoded text, half-open. Lines and columns are 1-based and appear
only at the edge, where people read them.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one file's text: `start` is the first code point, `stop` one past the last."""

    start: int
    stop: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.stop:
            raise ValueError(f"not a span: {self.start}..{self.stop}")

    def __len__(self) -> int:
        return self.stop - self.start

    def __bool__(self) -> bool:
        """Always true: an empty span is still a position."""
        return True

    def covers(self, other: "Span") -> bool:
        """Whether every code point (and both ends) of `other` lies in this span."""
        return self.start <= other.start and other.stop <= self.stop

    def overlaps(self, other: "Span") -> bool:
        """Whether the two share a code point, or an empty one lies strictly inside the other."""
        return self.start < other.stop and other.start < self.stop


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span of a named file."""

    path: str
    span: Span


@dataclass(frozen=True)
class Source:
    """One file: its exact text, and the encoding that turns that text back into its bytes.

    `path` is POSIX and relative to the project's root. A byte-order mark stays in the text as
    U+FEFF. `Source.decode(path, data).encode() == data` for every `data`.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    _line_starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        object.__setattr__(self, "_line_starts", starts)

    @classmethod
    def decode(cls, path: str, data: bytes, *, declared: str | None = None) -> "Source":
        """Decode as UTF-8, else as `declared` (a Python codec name), else byte for byte.

        Detectors guess wrongly on short files, so none is asked: Latin-1 maps every byte to one
        character and back, which keeps the file exact even where its letters read wrongly.
        """
        for encoding in ("utf-8", declared):
            if encoding is None:
                continue
            try:
                text = data.decode(encoding)
                if text.encode(encoding) == data:
                    return cls(path, text, encoding)
            except (UnicodeError, LookupError):
                continue
        return cls(path, data.decode("latin-1"), "latin-1")

    def encode(self) -> bytes:
        """The file's bytes. Raises UnicodeEncodeError if an edit brought a foreign character."""
        return self.text.encode(self.encoding)

    def __getitem__(self, span: Span) -> str:
        return self.text[span.start : span.stop]

    @property
    def newline(self) -> str:
        """`lf`, `crlf`, `cr`, `mixed`, or `none` for a file of one unended line."""
        crlf = self.text.count("\r\n")
        kinds = {
            "crlf": crlf,
            "lf": self.text.count("\n") - crlf,
            "cr": self.text.count("\r") - crlf,
        }
        present = [kind for kind, count in kinds.items() if count]
        return "none" if not present else present[0] if len(present) == 1 else "mixed"

    def line(self, offset: int) -> int:
        """The 1-based line on which `offset` stands."""
        return bisect_right(self._line_starts, offset)

    def column(self, offset: int) -> int:
        """The 1-based column of `offset`, in code points."""
        return offset - self._line_starts[self.line(offset) - 1] + 1

    def lines(self, span: Span) -> tuple[int, int]:
        """First and last line touched, 1-based; an empty span touches the line it sits on."""
        return self.line(span.start), self.line(max(span.start, span.stop - 1))

    def line_span(self, number: int) -> Span:
        """The 1-based line `number`, its line end included."""
        start = self._line_starts[number - 1]
        following = self._line_starts[number : number + 1]
        return Span(start, following[0] if following else len(self.text))

    @property
    def line_count(self) -> int:
        """How many lines there are; a final line end opens an empty last line."""
        return len(self._line_starts)
