"""Sections, paragraphs and sentences of a paper, put together over its files."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.latex.elements import Citation, CitationForm, Heading
from reviser.latex.prose import Block
from reviser.manuscript.model import OffsetMap, Paragraph, Section, Sentence
from reviser.manuscript.order import ReadingOrder
from reviser.text.source import Place, Source, Span

FRONT = -1  # the level of section 0, above every heading
_DEEPEST = 50  # nested text blocks looked through for the one that holds a citation
_MARKUP = re.compile(r"\\[A-Za-z@]+\*?|[{}\\]")


@dataclass(frozen=True, slots=True)
class Outline:
    """The text of a paper by sections, paragraphs and sentences, in reading order."""

    sections: tuple[Section, ...]
    paragraphs: tuple[Paragraph, ...]
    sentences: tuple[Sentence, ...]


def outline(
    order: ReadingOrder,
    sources: Mapping[str, Source],
    headings: Sequence[Heading],
    blocks: Mapping[str, Sequence[Block]],
    citations: Sequence[Citation],
    *,
    main: str,
    ends: Mapping[str, int],
) -> Outline:
    """Put headings and blocks of prose together; headings and citations come in reading order.

    `ends` says where the text of each file ends, at \\end{document} for instance.
    """
    ordered = order.merged(
        [[(path, b) for b in found] for path, found in blocks.items()],
        lambda item: Place(item[0], item[1].at),
    )
    titles: dict[str, list[tuple[int, str]]] = {}
    for path, block in ordered:
        if block.kind == "title":
            words = " ".join(sentence.text for sentence in block.sentences)
            titles.setdefault(path, []).append((block.at.start, words))
    sections = _sections(sources, headings, titles, main, ends)
    starts = [order.key(heading.at) for heading in headings]
    paragraphs: list[Paragraph] = []
    drafts = []
    for path, block in ordered:
        section = bisect_right(starts, order.key(Place(path, block.at)))
        number = len(paragraphs)
        drafts += [(Place(path, p.at), p, number, section, block.kind) for p in block.sentences]
        paragraphs.append(Paragraph(Place(path, block.at), section, block.kind))
    held = _held([place for place, *_ in drafts], citations)
    sentences = tuple(
        Sentence(
            place, plain.text, OffsetMap(plain.runs), paragraph, section, kind, held.get(index, ())
        )
        for index, (place, plain, paragraph, section, kind) in enumerate(drafts)
    )
    return Outline(sections, tuple(paragraphs), sentences)


def _sections(
    sources: Mapping[str, Source],
    headings: Sequence[Heading],
    titles: Mapping[str, Sequence[tuple[int, str]]],
    main: str,
    ends: Mapping[str, int],
) -> tuple[Section, ...]:
    first = next((h.at.span.start for h in headings if h.at.path == main), None)
    front = Place(main, Span(0, ends[main] if first is None else first))
    sections = [Section("", FRONT, front, None, None)]
    stops = _stops(headings, ends)
    above: list[int] = []  # indices of the sections that are still open
    for number, heading in enumerate(headings, start=1):
        while above and sections[above[-1]].level >= heading.level:
            above.pop()
        title = _title(heading, sources, titles)
        at = Place(heading.at.path, Span(heading.at.span.start, stops[number - 1]))
        parent = above[-1] if above else None
        sections.append(Section(title, heading.level, at, heading, parent))
        above.append(number)
    return tuple(sections)


def _stops(headings: Sequence[Heading], ends: Mapping[str, int]) -> list[int]:
    """Where each heading's section ends in its file."""
    stops = [max(ends[h.at.path], h.at.span.stop) for h in headings]
    open_in: dict[str, list[int]] = {}
    by_place = sorted(range(len(headings)), key=lambda n: headings[n].at)
    for number in by_place:
        heading = headings[number]
        waiting = open_in.setdefault(heading.at.path, [])
        while waiting and headings[waiting[-1]].level >= heading.level:
            stops[waiting.pop()] = heading.at.span.start
        waiting.append(number)
    return stops


def _title(
    heading: Heading, sources: Mapping[str, Source], titles: Mapping[str, Sequence[tuple[int, str]]]
) -> str:
    span = heading.title.span
    here = titles.get(heading.title.path, ())
    first = bisect_left(here, span.start, key=lambda title: title[0])
    if first < len(here) and here[first][0] < span.stop:
        return here[first][1]
    written = sources[heading.title.path][heading.title.span]
    return " ".join(_MARKUP.sub(" ", written.replace("~", " ")).split())


def _held(places: Sequence[Place], citations: Sequence[Citation]) -> dict[int, tuple[int, ...]]:
    """For each sentence the citations in it, each given to the innermost sentence around it."""
    by_file: dict[str, list[tuple[Span, int]]] = {}
    for index, place in enumerate(places):
        by_file.setdefault(place.path, []).append((place.span, index))
    cited: dict[str, list[tuple[Span, int]]] = {}
    for index, citation in enumerate(citations):
        if citation.form is not CitationForm.UNSEEN:
            cited.setdefault(citation.at.path, []).append((citation.at.span, index))
    held: dict[int, list[int]] = {}
    for path, uses in cited.items():
        for sentence, citation_index in _innermost(by_file.get(path, []), uses):
            held.setdefault(sentence, []).append(citation_index)
    return {sentence: tuple(sorted(found)) for sentence, found in held.items()}


def _innermost(
    sentences: list[tuple[Span, int]], uses: list[tuple[Span, int]]
) -> list[tuple[int, int]]:
    waiting = sorted(sentences, key=lambda item: (-item[0].start, item[0].stop))
    around: list[tuple[Span, int]] = []
    result = []
    for span, citation in sorted(uses):
        while waiting and waiting[-1][0].start <= span.start:
            around.append(waiting.pop())
        while around and around[-1][0].stop <= span.start:
            around.pop()
        for sentence_span, sentence in reversed(around[-_DEEPEST:]):
            if sentence_span.covers(span):
                result.append((sentence, citation))
                break
    return result
