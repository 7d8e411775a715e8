"""What became of the points of a review: decided, drafted, judged, planned anew."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reviser.review.model import Action, Point, Review
from reviser.revise.verdict import Verdict
from reviser.text.edit import Edit
from reviser.text.source import Place
from reviser.verify.bringing import Brought


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the text is to be revised for a point, or the point rebutted (I&E 3.2).

    To revise there are an `action` and an `instruction` for the writer. Else `rebuttal` is a text
    for the authors' answer, "" where the point is simply theirs to decide. `why` is the reason.
    """

    point: Point
    revise: bool
    why: str
    action: Action | None = None
    instruction: str = ""
    rebuttal: str = ""

    @property
    def asked(self) -> str:
        """What the editor asks, in words."""
        point = self.point
        said = [self.instruction, f"The reviewer said: {point.message}"]
        if point.needs:
            said.append(f"Evidence to look for: {point.needs}")
        return " ".join(part.strip() for part in said if part.strip())


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a writer made of a decision: an edit of the text as it then was, or why there is none.

    `drafts` is how many drafts the cycle took; `grounds` name the passages they rest on;
    `diagnosis` says why a rewritten claim was not held up; `brought` are the works that it cites
    and the bibliography did not have.
    """

    decision: Decision
    edit: Edit | None
    why: str = ""
    drafts: int = 0
    grounds: tuple[str, ...] = ()
    diagnosis: str = ""
    brought: tuple[Brought, ...] = ()


@dataclass(frozen=True, slots=True)
class Treated:
    """A point with all that was done for it; `verdict` is None where no edit came to the gate."""

    decision: Decision
    proposal: Proposal | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Replanned:
    """What re-planning did to a waiting point after an outcome was seen: `step` is "rewritten",
    "merged" or "dropped"; a point that is kept leaves no trace."""

    point: str
    step: str
    why: str


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """What is known of the judge of this run before it judged anything.

    `spread` is the standard deviation of its mean score on unchanged text, None where it could not
    be measured; `trials` is in how many scorings. `controls` are (what was done to the text,
    whether the judge noticed). `sound` tells whether it may accept on score alone; `why` says what
    it may not do and for what reason, "" where it may do all. With `samples` scorings before and
    after an edit each, the mean must rise by more than `margin`, in grades.
    """

    model: str
    spread: float | None
    trials: int
    controls: tuple[tuple[str, bool], ...]
    sound: bool
    why: str = ""
    samples: int = 0
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """One round: a review of the text as it then was, its points, and what became of them.

    `unusable` tells what was asked of a model and came to nothing, and why. `raised` are all points
    of the review, `points` those that were chosen to be treated.
    """

    number: int
    review: Review | None
    points: tuple[Point, ...]
    treated: tuple[Treated, ...]
    replanned: tuple[Replanned, ...] = ()
    unusable: tuple[str, ...] = ()
    raised: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """All that reviewing brought. `ended` says why no further round was made. `origins` tell, by
    the id of a point, where its words stood before the first edit of the run."""

    rounds: tuple[Round, ...]
    judge: JudgeReport | None
    ended: str
    origins: Mapping[str, Place] = field(default_factory=dict)
