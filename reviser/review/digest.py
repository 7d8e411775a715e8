"""A paper in few tokens, and a paper in parts that each fit into a prompt.

Nothing is cut in silence: what a digest or the parts have no room for is told beside them.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reviser.manuscript.model import Manuscript
from reviser.review.shown import Shown, body, front_places, section_places, shown
from reviser.text.source import Place, Span
from reviser.text.visible import visible

_BYTES_A_TOKEN = 3  # as `budget.tokens_of` counts
_JOIN = "\n\n"
_PROSE = frozenset({"body", "item"})


@dataclass(frozen=True, slots=True)
class Digest:
    """A paper in few words; `left_out` tells what there was no room for, or was withheld."""

    text: str
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Some of a paper in reading order: what is shown of it, and the numbers of its sections.

    `text` is that of all in `shown`, one after the other.
    """

    shown: tuple[Shown, ...]
    sections: tuple[int, ...]
    text: str

    def find(self, quote: str) -> Place | None:
        """The place of words that stand exactly once in this part, None else."""
        found = [place for one in self.shown for place in one.places(quote)]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a digest; the lower `rank`, the sooner it is taken in."""

    rank: int
    text: str
    what: str


def digest(manuscript: Manuscript, tokens: int, *, without: Collection[int] = ()) -> Digest:
    """Title, abstract, headings and the first sentence of each paragraph, within `tokens`.

    Of the sections in `without`, which are shown elsewhere, the headings alone. Where room is
    short, sentences of later paragraphs go first, then first paragraphs, the abstract, headings.
    """
    withheld: dict[str, None] = {}
    lines = list(_lines(manuscript, frozenset(without), withheld))
    room = max(0, tokens) * _BYTES_A_TOKEN
    taken: set[int] = set()
    missing: dict[str, int] = {}
    for index in sorted(range(len(lines)), key=lambda n: lines[n].rank):
        size = len(lines[index].text.encode("utf-8", "replace")) + bool(taken)
        if size <= room:
            room -= size
            taken.add(index)
        else:
            missing[lines[index].what] = missing.get(lines[index].what, 0) + 1
    told = [f"no room in the digest for {n} of its {what}" for what, n in missing.items()]
    text = "\n".join(line.text for n, line in enumerate(lines) if n in taken)
    return Digest(text, (*withheld, *told))


def _lines(
    manuscript: Manuscript, without: Collection[int], withheld: dict[str, None]
) -> Iterator[_Line]:
    first_sentences: dict[int, int] = {}
    for index, sentence in enumerate(manuscript.sentences):
        first_sentences.setdefault(sentence.paragraph, index)

    def said(place: Place) -> str:
        one = shown(manuscript, place)
        withheld.update(dict.fromkeys(one.withheld))
        return visible(one.text)

    by_section: dict[int, list[int]] = {}
    for number, paragraph in enumerate(manuscript.paragraphs):
        by_section.setdefault(paragraph.section, []).append(number)
    for number, section in enumerate(manuscript.sections):
        if section.heading is not None:
            title = said(section.heading.title)
            depth = "#" * max(1, min(section.level, 6))
            yield _Line(1, f"{depth} {title}", "headings")
        opened = False
        for index in by_section.get(number, ()):
            paragraph = manuscript.paragraphs[index]
            if paragraph.kind == "title" and number == 0:
                yield _Line(0, f"Title: {said(paragraph.at)}", "titles")
            elif paragraph.kind == "abstract" and number not in without:
                yield _Line(2, f"Abstract: {said(paragraph.at)}", "abstracts")
            elif paragraph.kind in _PROSE and number not in without and index in first_sentences:
                text = said(manuscript.sentences[first_sentences[index]].at)
                if text:
                    rank = 4 if opened else 3
                    opened = True
                    yield _Line(rank, text, "first sentences of paragraphs")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a section that is not cut further, and how many bytes are shown of it."""

    section: int
    place: Place
    size: int


def parts(manuscript: Manuscript, tokens: int) -> tuple[Part, ...]:
    """The paper in reading order in parts of at most `tokens`, cut along sections; a section that
    is too long is cut at paragraphs, a paragraph at sentences. `left_out` tells what fits nowhere.
    """
    room = max(0, tokens) * _BYTES_A_TOKEN
    result: list[Part] = []
    current: list[_Piece] = []
    used = 0
    for group in _groups(manuscript, room):
        size = sum(piece.size for piece in group)
        if current and used + size > room:
            result.append(_part(manuscript, current))
            current, used = [], 0
        if size <= room:
            current += group
            used += size
    if current:
        result.append(_part(manuscript, current))
    return tuple(part for part in result if part.text)


def left_out(manuscript: Manuscript, shown_parts: Sequence[Part]) -> tuple[str, ...]:
    """What of the paper stands in none of the parts, and why, each with its lines."""
    told: dict[str, None] = {}
    covered: dict[str, list[Span]] = {}
    for part in shown_parts:
        for one in part.shown:
            told.update(dict.fromkeys(one.withheld))
            covered.setdefault(one.place.path, []).append(one.place.span)
    for number in range(len(manuscript.sections)):
        for place in section_places(manuscript, number, own=True):
            for rest in _rest(place.span, covered.get(place.path, ())):
                one = shown(manuscript, Place(place.path, rest))
                told.update(dict.fromkeys(one.withheld))
                if visible(one.text):
                    first, last = manuscript.lines(_trimmed(manuscript, one.place))
                    lines = f"{first}" if first == last else f"{first}-{last}"
                    told[f"{place.path}:{lines}: too long to be shown whole"] = None
    return tuple(told)


def _trimmed(manuscript: Manuscript, place: Place) -> Place:
    text = manuscript.text(place)
    start = place.span.start + len(text) - len(text.lstrip())
    return Place(
        place.path, Span(start, max(start, place.span.stop - len(text) + len(text.rstrip())))
    )


def _rest(span: Span, covered: Sequence[Span]) -> Iterator[Span]:
    cursor = span.start
    for other in sorted(covered):
        if other.stop <= cursor or other.start >= span.stop:
            continue
        if other.start > cursor:
            yield Span(cursor, other.start)
        cursor = max(cursor, other.stop)
    if cursor < span.stop:
        yield Span(cursor, span.stop)


def _groups(manuscript: Manuscript, room: int) -> Iterator[list[_Piece]]:
    """What is not torn apart without need: a section with all below it, else a section's own
    text, else its blocks, else their sentences."""
    own: dict[int, list[Place]] = {}
    order: list[int] = []
    for number, place in [*((0, p) for p in front_places(manuscript)), *body(manuscript)]:
        if number not in own:
            order.append(number)
        own.setdefault(number, []).append(place)
    top = {number: _top(manuscript, number) for number in order}
    pieces = {n: [_piece(manuscript, n, place) for place in own[n]] for n in order}
    done: set[int] = set()
    for number in order:
        if number in done:
            continue
        whole = [piece for n in order if top[n] == top[number] for piece in pieces[n]]
        if number == top[number] and sum(piece.size for piece in whole) <= room:
            done.update(n for n in order if top[n] == number)
            yield whole
        elif sum(piece.size for piece in pieces[number]) <= room:
            yield pieces[number]
        else:
            for piece in pieces[number]:
                yield from ([fine] for fine in _finer(manuscript, piece, room))


def _top(manuscript: Manuscript, number: int) -> int:
    parent = manuscript.sections[number].parent
    while parent is not None:
        number, parent = parent, manuscript.sections[parent].parent
    return number


def _piece(manuscript: Manuscript, section: int, place: Place) -> _Piece:
    text = shown(manuscript, place).text
    return _Piece(section, place, len(text.encode("utf-8", "replace")) + len(_JOIN))


def _finer(manuscript: Manuscript, piece: _Piece, room: int) -> Iterator[_Piece]:
    """The pieces of a piece that is too long, first at the ends of paragraphs, then of sentences;
    one that is still too long comes out as it is."""
    if piece.size <= room:
        yield piece
        return
    path, span = piece.place.path, piece.place.span
    paragraphs = [p.at.span for p in manuscript.paragraphs if p.at.path == path]
    floats = [f.at.span for f in manuscript.floats if f.at.path == path]
    sentences = [s.at.span for s in manuscript.sentences if s.at.path == path]
    for part in _cut_at(span, _edges([*paragraphs, *floats])):
        block = _piece(manuscript, piece.section, Place(path, part))
        if block.size <= room:
            yield block
        else:
            for smaller in _cut_at(part, _edges(sentences)):
                yield _piece(manuscript, piece.section, Place(path, smaller))


def _edges(spans: Sequence[Span]) -> list[int]:
    """Where spans begin and end; those that overlap count as one."""
    edges: list[int] = []
    for span in sorted(spans):
        if edges and span.start < edges[-1]:
            edges[-1] = max(edges[-1], span.stop)
        else:
            edges += [span.start, span.stop]
    return edges


def _cut_at(span: Span, offsets: Sequence[int]) -> Iterator[Span]:
    start = span.start
    for offset in sorted(set(offsets)):
        if start < offset < span.stop:
            yield Span(start, offset)
            start = offset
    yield Span(start, span.stop)


def _part(manuscript: Manuscript, pieces: Sequence[_Piece]) -> Part:
    places: list[Place] = []
    for piece in pieces:
        last = places[-1] if places else None
        if last and last.path == piece.place.path and last.span.stop == piece.place.span.start:
            places[-1] = Place(last.path, Span(last.span.start, piece.place.span.stop))
        else:
            places.append(piece.place)
    found = tuple(shown(manuscript, place) for place in places)
    text = _JOIN.join(one.text.strip() for one in found if one.text.strip())
    sections = tuple(dict.fromkeys(piece.section for piece in pieces))
    return Part(found, sections, text)
