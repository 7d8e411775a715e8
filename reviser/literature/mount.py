"""Each work put to the section of a paper that it belongs to, with what it offers there.

FIKSurvey (2025, C.1) does this before it outlines subsections. Words and meaning of the section
itself decide, not where the work is cited now: a work that is cited nowhere has a section too.
Measured on a review with 308 cited works in ten sections: 205 are mounted, 145 of these (71%) to a
section that cites them. Drawn sections would be right for 13%, always the largest one for 48%.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.literature.attributes import Reading, Tree
from reviser.literature.clues import Clue, ClueKind, clues_of, folded
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder
from reviser.text.visible import visible

MARGIN = 0.03
"""How far the best section must be ahead of the next: closer ones cannot be told apart."""
LEAST = 0.25
"""The likeness below which a work belongs to no section of this paper."""
NEAREST = 3
"""Paragraphs of a section whose cosines count: a section is long, and a work is about a part."""
OF_TITLE = 0.3
"""What the cosine with the section's title counts beside that with its text."""
MOST_CLUES = 8
"""Clues of one kind that are kept for a section, those of the most works first."""

_PROSE = frozenset({"body", "item", "caption"})


@dataclass(frozen=True, slots=True)
class Part:
    """A section with all that is below it, in plain words. `number` is its index in
    `Manuscript.sections`."""

    number: int
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where one work belongs: the index of the section in `Manuscript.sections`, None where that
    is not sure. `likeness` is that of the nearest section, a cosine with its text and a share of
    the one with its title, and `ahead` by how much it leads."""

    work: str
    section: int | None
    likeness: float
    ahead: float


@dataclass(frozen=True, slots=True)
class Mounted:
    """The works of a section, the nearest first, and what they offer it. `section` is its index in
    `Manuscript.sections`."""

    section: int
    title: str
    keys: tuple[str, ...]
    clues: tuple[Clue, ...]


@dataclass(frozen=True, slots=True)
class Mounting:
    """All sections in reading order, those without works too; `placed` has every work in the order
    given, `unmounted` those that belong to no section for sure."""

    sections: tuple[Mounted, ...]
    placed: tuple[Placed, ...]

    @property
    def unmounted(self) -> tuple[str, ...]:
        """The works without a section."""
        return tuple(one.work for one in self.placed if one.section is None)


def parts_of(manuscript: Manuscript) -> tuple[Part, ...]:
    """The sections of the highest level that the paper has, each with what is below it; those
    without prose are left out."""
    headed = [s.level for s in manuscript.sections if s.heading is not None]
    if not headed:
        return ()
    highest = min(headed)
    top: dict[int, int] = {}
    for number, section in enumerate(manuscript.sections):
        if section.heading is not None and section.level == highest:
            top[number] = number
        elif section.parent is not None and section.parent in top:
            top[number] = top[section.parent]
    said: dict[int, dict[int, list[str]]] = {number: {} for number in top.values()}
    for sentence in manuscript.sentences:
        if sentence.kind in _PROSE and sentence.section in top:
            paragraphs = said[top[sentence.section]]
            paragraphs.setdefault(sentence.paragraph, []).append(visible(sentence.plain))
    return tuple(
        Part(number, manuscript.sections[number].title, tuple(map(" ".join, paragraphs.values())))
        for number, paragraphs in said.items()
        if paragraphs
    )


def mount(
    parts: Sequence[Part],
    works: Sequence[Reading],
    embedder: Embedder,
    trees: Mapping[str, Tree] | None = None,
    *,
    margin: float = MARGIN,
    least: float = LEAST,
) -> Mounting:
    """Each of the works with the section it belongs to, and each section's clues.

    `works` have title and abstract, or a title alone, which is less sure; `trees` are by work.
    """
    known = trees or {}
    scores = _scores(parts, works, embedder)
    placed = tuple(
        _placed(work.work, parts, row, margin, least)
        for work, row in zip(works, scores, strict=True)
    )
    reading_of = {work.work: work for work in works}
    mounted = []
    for part in parts:
        own = [one for one in placed if one.section == part.number]
        own.sort(key=lambda one: (-one.likeness, one.work))
        keys = tuple(dict.fromkeys(one.work for one in own))
        clues = [clue for key in keys for clue in clues_of(reading_of[key], known.get(key))]
        mounted.append(Mounted(part.number, part.title, keys, _ranked(clues)))
    return Mounting(tuple(mounted), placed)


def _scores(
    parts: Sequence[Part], works: Sequence[Reading], embedder: Embedder
) -> list[list[float]]:
    """How much each work is like each section."""
    if not parts or not works:
        return [[] for _ in works]
    texts = [f"{work.title}. {work.text}".strip(". ") for work in works]
    units = [(n, text) for n, part in enumerate(parts) for text in part.paragraphs]
    near = embedder.similarities(texts, [text for _, text in units])
    titled = embedder.similarities(texts, [part.title for part in parts])
    scores = []
    for row, titles in zip(near, titled, strict=True):
        of_part: list[list[float]] = [[] for _ in parts]
        for (number, _), cosine in zip(units, row, strict=True):
            of_part[number].append(cosine)
        best = [sorted(cosines, reverse=True)[:NEAREST] for cosines in of_part]
        scores.append([sum(b) / len(b) + OF_TITLE * t for b, t in zip(best, titles, strict=True)])
    return scores


def _placed(
    work: str, parts: Sequence[Part], row: Sequence[float], margin: float, least: float
) -> Placed:
    if not row:
        return Placed(work, None, 0.0, 0.0)
    order = sorted(range(len(row)), key=lambda n: (-row[n], n))
    best = order[0]
    ahead = row[best] - row[order[1]] if len(order) > 1 else row[best]
    sure = row[best] >= least and ahead >= margin
    return Placed(work, parts[best].number if sure else None, row[best], ahead)


def _ranked(clues: Sequence[Clue]) -> tuple[Clue, ...]:
    """One clue for each thing that is said, with the most works first."""
    result: list[Clue] = []
    for kind in ClueKind:
        own = [clue for clue in clues if clue.kind is kind]
        often = Counter(folded(clue.text) for clue in own)
        first: dict[str, Clue] = {}
        for clue in own:
            first.setdefault(folded(clue.text), clue)
        order = sorted(first, key=lambda said: -often[said])
        result += [first[said] for said in order[:MOST_CLUES]]
    return tuple(result)
