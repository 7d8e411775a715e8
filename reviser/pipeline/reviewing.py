"""Review a paper, change nothing: the review, the points to work off, and what to do about each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from reviser.asking import Unusable
from reviser.budget import Asked
from reviser.pipeline.checking import Checked, Judges, Options, silenced
from reviser.review.corpus import Corpus
from reviser.review.imitate import distil
from reviser.review.model import PRESETS, Criterion, Point, Remedy, Review, Weights
from reviser.review.points import decompose, findings_of, merged, points_of, ranked
from reviser.review.reviewer import review_paper
from reviser.review.rubric import scorecard
from reviser.revise.decide import decide
from reviser.revise.treatment import Decision
from reviser.roles import Role


class Course(StrEnum):
    """What is to become of a point."""

    REVISE = "revise"
    REBUT = "rebut"
    EDIT = "mended by a rule's edit"
    AUTHOR = "the author's"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Who reviews, and how. `corpus` are public reviews to imitate, where `imitate` is set; without
    `rebut` every point that an edit can mend is followed. `asked` is the record so far, one for
    each model."""

    helper: Role
    corpus: Corpus | None = None
    imitate: bool = True
    rebut: bool = True
    weights: Weights = field(default_factory=lambda: PRESETS["equal"])
    asked: Callable[[], tuple[Asked, ...]] = tuple


@dataclass(frozen=True, slots=True)
class Listed:
    """A point of the list, what is to become of it, and the decision that says so; None where
    nothing had to be decided, since a rule's edit mends it."""

    point: Point
    course: Course
    decision: Decision | None = None


@dataclass(frozen=True)
class ReviewedPaper:
    """A paper and its review, None where there is none that can be used.

    `listed` are the points of the review and the findings that stand in the prose, the first to be
    worked off first. `elsewhere` counts the findings that are no points, `silent` the points that
    nobody wants to hear of. `unusable` tells what was asked and came to nothing.
    """

    checked: Checked
    review: Review | None
    listed: tuple[Listed, ...]
    elsewhere: int
    silent: int
    unusable: tuple[str, ...]
    asked: tuple[Asked, ...] = ()


def review(checked: Checked, options: Options, judges: Judges, reviewer: Reviewer) -> ReviewedPaper:
    """Review a checked paper. Raises ReviserError when the endpoint answers nobody."""
    helper = reviewer.helper
    said, unusable = _review(checked, judges, reviewer)
    found = list(points_of(checked.manuscript, checked.live))
    elsewhere = len(checked.live) - len(found)
    silent = 0
    if said is not None:
        _tell(judges, "taking the review apart")
        taken = decompose(checked.manuscript, said, helper)
        unusable += taken.unusable
        wanted = _wanted(checked, options, taken.points)
        silent = len(taken.points) - len(wanted)
        found += wanted
    points = ranked(merged(found, judges.embedder), reviewer.weights)
    mended = {answer for edit in checked.edits for answer in edit.answers}
    _tell(judges, "deciding what to do")
    decided = decide(
        checked.manuscript,
        [point for point in points if point.id not in mended],
        helper,
        rebut=reviewer.rebut,
    )
    decisions = {decision.point.id: decision for decision in decided.decisions}
    _tell(judges, "deciding what to do", 1)
    return ReviewedPaper(
        checked=checked,
        review=said,
        listed=tuple(_listed(point, decisions.get(point.id)) for point in points),
        elsewhere=elsewhere,
        silent=silent,
        unusable=(*unusable, *decided.unusable),
        asked=reviewer.asked(),
    )


def _review(
    checked: Checked, judges: Judges, reviewer: Reviewer
) -> tuple[Review | None, list[str]]:
    """The review with its scorecard, and what was asked for it in vain."""
    manuscript, helper = checked.manuscript, reviewer.helper
    criteria: Sequence[Criterion] = ()
    unusable: list[str] = []
    if reviewer.imitate:
        _tell(judges, "reading reviews of like papers")
        distilled = distil(manuscript, reviewer.corpus, helper, judges.embedder)
        criteria = distilled.criteria
        unusable += [*distilled.unusable, *distilled.left_out]
    _tell(judges, "reviewing the paper")
    reviewed = review_paper(manuscript, helper, criteria)
    unusable += reviewed.unusable
    if reviewed.review is None:
        return None, unusable
    _tell(judges, "grading the paper")
    card = scorecard(manuscript, helper)
    if isinstance(card, Unusable):
        unusable.append(f"the scorecard: {card.why}")
        return reviewed.review, unusable
    return replace(reviewed.review, scorecard=card), unusable


def _wanted(checked: Checked, options: Options, points: Sequence[Point]) -> list[Point]:
    """The points of the lines and rules asked about that nobody has silenced."""
    marked = silenced(checked.manuscript, findings_of(points), options)
    silent = {f.fingerprint for f in marked if f.suppressed is not None}
    return [
        point
        for point in points
        if point.id not in silent
        and (not options.rules or point.rule in options.rules)
        and checked.shows(point.place)
    ]


def _listed(point: Point, decision: Decision | None) -> Listed:
    if decision is None:
        return Listed(point, Course.EDIT)
    if decision.revise:
        return Listed(point, Course.REVISE, decision)
    if decision.rebuttal:
        return Listed(point, Course.REBUT, decision)
    course = Course.AUTHOR if point.remedy is Remedy.AUTHOR else Course.OPEN
    return Listed(point, course, decision)


def _tell(judges: Judges, step: str, done: int = 0) -> None:
    """A step that cannot be counted begins (0) or is over (1)."""
    if judges.progress is not None:
        judges.progress.step(step, done, 1)
