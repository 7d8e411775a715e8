"""The paper as the rest of the program sees it: frozen, and every part knows its place."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from reviser.latex.elements import (
    BibEntry,
    Citation,
    Comment,
    Float,
    Footnote,
    Heading,
    Label,
    Macro,
    Math,
    Reference,
    Skipped,
    Unparsed,
)
from reviser.text.source import Place, Source, Span


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """From offsets in a sentence's plain text to offsets in its file.

    Runs of (first plain offset, first source offset), ascending; inside a run both advance
    together.
    """

    runs: tuple[tuple[int, int], ...]

    def source(self, plain: int) -> int:
        """The source offset of the plain offset `plain`."""
        position = bisect_right(self.runs, plain, key=lambda run: run[0]) - 1
        first_plain, first_source = self.runs[max(position, 0)]
        return first_source + plain - first_plain


@dataclass(frozen=True, slots=True)
class Section:
    """A numbered or starred section; `at` runs to the next heading of its level or above in its
    file; `title` is plain text; `parent` an index into `Manuscript.sections`. Section 0 has no
    heading: it is what stands before the first one."""

    title: str
    level: int
    at: Place
    heading: Heading | None
    parent: int | None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of prose. `kind` is "body", "abstract", "caption", "footnote", "title", "item"
    or "cell"."""

    at: Place
    section: int
    kind: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence. In `plain`, markup is gone, parenthetical citations read "[1]", textual ones
    as names, inline math as "X"; `offsets` maps back. `citations` are indices into
    `Manuscript.citations`; `paragraph` and `section` into their lists."""

    at: Place
    plain: str
    offsets: OffsetMap
    paragraph: int
    section: int
    kind: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What is known of a file besides its text. `untouchable` says why it must never be edited
    (generated, an LFS pointer, outside the paper), empty when it may be."""

    path: str
    encoding: str
    newline: str
    role: str  # "main", "input", "bibliography", "bbl", "style"
    untouchable: str = ""


@dataclass(frozen=True)
class Manuscript:
    """One paper, read once. Lists are in reading order: includes are followed where they stand.

    `bibliography` names the .bib and .bbl files that were found; `citations` includes \\nocite
    (a key "*" stands for every entry). `language` is an ISO 639-1 code, or "" when unsure.
    `stretches` are the parts of the files that are read without interruption, in reading order:
    the body of the paper, without the commands that include other files.
    """

    main: str
    sources: Mapping[str, Source]
    files: tuple[FileFacts, ...]
    sections: tuple[Section, ...]
    paragraphs: tuple[Paragraph, ...]
    sentences: tuple[Sentence, ...]
    citations: tuple[Citation, ...]
    labels: tuple[Label, ...]
    references: tuple[Reference, ...]
    floats: tuple[Float, ...]
    footnotes: tuple[Footnote, ...]
    math: tuple[Math, ...]
    comments: tuple[Comment, ...]
    skipped: tuple[Skipped, ...]
    macros: tuple[Macro, ...]
    bibliography: tuple[str, ...]
    entries: tuple[BibEntry, ...]
    unparsed: tuple[Unparsed, ...]
    language: str
    stretches: tuple[Place, ...] = ()

    def text(self, place: Place) -> str:
        """The exact text at `place`."""
        return self.sources[place.path][place.span]

    @cached_property
    def entry_of(self) -> Mapping[str, BibEntry]:
        """The first entry of each key; BibTeX folds case, so look up with `key.lower()`."""
        found: dict[str, BibEntry] = {}
        for entry in self.entries:
            found.setdefault(entry.key.lower(), entry)
        return found

    @cached_property
    def facts_of(self) -> Mapping[str, FileFacts]:
        """The facts of each file, by path."""
        return {facts.path: facts for facts in self.files}

    @cached_property
    def sentence_of(self) -> Mapping[int, int]:
        """The index of the sentence that holds each citation, by the citation's index."""
        return {c: s for s, sentence in enumerate(self.sentences) for c in sentence.citations}

    def lines(self, place: Place) -> tuple[int, int]:
        """First and last line of `place`, 1-based."""
        return self.sources[place.path].lines(place.span)


def whole(source: Source) -> Place:
    """The place that is all of `source`."""
    return Place(source.path, Span(0, len(source.text)))
