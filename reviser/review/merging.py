"""Points that say the same of the same text become one, and the list gets its order."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from reviser.ports import Embedder
from reviser.review.model import PRESETS, Point, Weights
from reviser.review.point_rules import is_reviewed

SAME_WORDS, SAME_LINES, SAME_SECTION = 0.60, 0.75, 0.85
"""Cosines from which two messages say the same, by what they share: some of the words they quote,
a line, a section. Of 22 pairs made by hand, ten rewordings lay at .33 to .90 and twelve different
wishes for one paragraph at .38 to .71: likeness alone tells little, so it takes much of it where
the place does not speak too. To join two wishes does little harm, since the joined point says both.
"""
_JOINED = " It was also said: "
_LONGEST = 1_200
"""Characters of a merged message; what is not said any more is what came last."""


def merged(points: Sequence[Point], embedder: Embedder) -> tuple[Point, ...]:
    """The points without near-duplicates, in order of place.

    Two are near-duplicates when their messages are alike and they speak of the same words; the
    less close their places, the more alike they must be, and they share a section at least. The
    one that stays says both, and has the worse severity; it is the finding of a rule rather than a
    point of a review, then the worse, then one that an edit can mend, then the first. Two findings
    of rules are never merged.

    The order of `points` makes no difference, and merging what is merged changes nothing.
    """
    current = sorted(dict.fromkeys(points), key=_standing)
    while True:
        following = _once(current, embedder)
        if len(following) == len(current):
            return tuple(following)
        current = following


def ranked(points: Sequence[Point], weights: Weights = PRESETS["equal"]) -> tuple[Point, ...]:
    """The points in the order they are worked off: the worse first, then findings and what a
    person asked for before points of a review, then the dimension that counts more, then as
    they stand in the text, section by section in reading order."""
    return tuple(
        sorted(
            points,
            key=lambda p: (
                p.severity.rank,
                is_reviewed(p),
                -weights[p.dimension],
                p.section,
                *_standing(p),
            ),
        )
    )


def _standing(point: Point) -> tuple[object, ...]:
    return point.place, point.rule, point.id, point.message


def _keeps(point: Point) -> tuple[object, ...]:
    """The smallest of a group is the one that stays."""
    return is_reviewed(point), point.severity.rank, point.action is None, *_standing(point)


def _once(points: Sequence[Point], embedder: Embedder) -> list[Point]:
    """The closest pair is merged first, then the next, as long as every pair within a group is
    near: a chain of likenesses does not make its two ends alike."""
    near = _near(points, embedder)
    groups = {number: [number] for number in range(len(points))}
    of = list(range(len(points)))
    for one, other in sorted(near, key=lambda pair: (-near[pair], pair)):
        first, second = sorted((of[one], of[other]))
        if first == second or not all(
            (min(a, b), max(a, b)) in near for a in groups[first] for b in groups[second]
        ):
            continue
        groups[first] += groups.pop(second)
        for number in groups[first]:
            of[number] = first
    return sorted((joined([points[n] for n in group]) for group in groups.values()), key=_standing)


def _near(points: Sequence[Point], embedder: Embedder) -> Mapping[tuple[int, int], float]:
    """The cosine of each pair that says the same of the same text, by their numbers, ascending."""
    pairs = {
        (one, other): least
        for one, other in combinations(range(len(points)), 2)
        if (least := _needed(points[one], points[other])) is not None
    }
    if not pairs:
        return {}
    # A merged message is compared part by part, else it would grow alike to ever more.
    parts = [point.message.split(_JOINED) for point in points]
    texts = sorted({text for part in parts for text in part})
    number = {text: position for position, text in enumerate(texts)}
    cosines = embedder.similarities(texts, texts)
    near: dict[tuple[int, int], float] = {}
    for (one, other), least in pairs.items():
        alike = min(cosines[number[a]][number[b]] for a in parts[one] for b in parts[other])
        if alike >= least:
            near[one, other] = alike
    return near


def _needed(one: Point, other: Point) -> float | None:
    """The cosine from which two points are one, None where they never are."""
    if not (is_reviewed(one) or is_reviewed(other)) or one.place.path != other.place.path:
        return None
    if one.place.span.overlaps(other.place.span):
        return SAME_WORDS
    if one.lines[0] <= other.lines[1] and other.lines[0] <= one.lines[1]:
        return SAME_LINES
    return SAME_SECTION if one.section == other.section else None


def joined(group: Sequence[Point]) -> Point:
    """A group of points as one that says what all of them say; see `merged`."""
    kept, *others = sorted(group, key=_keeps)
    message, needs = kept.message, kept.needs
    for other in others:
        longer = f"{message}{_JOINED}{other.message}"
        if other.message not in message and len(longer) <= _LONGEST:
            message = longer
        if other.needs and other.needs not in needs:
            needs = f"{needs}; {other.needs}" if needs else other.needs
    worst = min((point.severity for point in group), key=lambda severity: severity.rank)
    return replace(kept, message=message, needs=needs[:_LONGEST], severity=worst)
