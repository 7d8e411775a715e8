"""What a run has to say about a pull request or a branch, as one value, before anything is sent.

A plan is made without a token that may write and carried out without a model or its key. It
holds facts in typed fields and no Markdown: whoever delivers it writes the words, and checks every
edit again on the files at `Target.head`, since a plan read from a file may be anybody's.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from reviser.deliver.advised import Advised, is_point
from reviser.findings import Finding
from reviser.revise.verdict import Outcome, Verdict
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure

SCHEMA = "reviser.plan/2"


@dataclass(frozen=True, slots=True)
class Target:
    """What the plan speaks of.

    `repository` is "owner/name"; `number` the pull request's, None where a branch is spoken of.
    `head` is the full hash of the commit whose files were read; `base` that of the merge base,
    "" where the whole paper is looked at. `branch` is the one `head` is on. `root` leads from the
    top of the repository to the project's root ("" or "x/y/"): every path in findings and edits
    is relative to that root. `paper` is the path that was asked for ("" for the top); it tells
    several papers of one repository apart.
    """

    repository: str
    number: int | None
    head: str
    base: str
    branch: str
    root: str = ""
    paper: str = ""


class Origin(StrEnum):
    """What the pull request has to do with a finding."""

    HERE = "on a changed line"
    CAUSED = "elsewhere, caused by the change"
    BEFORE = "not from this change"


@dataclass(frozen=True, slots=True)
class Noted:
    """A finding that nobody silenced. `subject` is what it is about besides its words (the cited
    key, the label), so that it is known again when its sentence is rephrased; "" where nothing
    is. `supplied` names what the verdict rests on that the author brought in this pull request
    ("abstract of smith2020"), empty when nothing is."""

    finding: Finding
    origin: Origin
    subject: str = ""
    supplied: tuple[str, ...] = ()

    @property
    def introduced(self) -> bool:
        """Whether the pull request brought it."""
        return self.origin is not Origin.BEFORE

    @property
    def opinion(self) -> bool:
        """Whether it is a point of a review: it is told, and never fails a check."""
        return is_point(self.finding.rule)


@dataclass(frozen=True, slots=True)
class Supplied:
    """Something verdicts rest on that the author brought or changed in this pull request.

    `kind` is "abstract", "source text", "verdict", "setting" or "suppression"; `name` the citation
    key, the setting or the rule; `path` the file it stands in.
    """

    kind: str
    name: str
    path: str


@dataclass(frozen=True)
class Plan:
    """The outcome of a run. `findings` are live ones, worst first; `verdicts` hold every edit that
    the gate judged, accepted ones in the order in which they were certified.

    `coverage` speaks of the changed lines (of everything without a pull request), `whole` of the
    paper; `open_questions` counts citations of the changed lines that could not be checked for
    want of evidence. `silenced` counts findings that somebody silenced. `judges` name the models
    that were asked. `notes` are sentences the reader must know (files not read, limits met).
    `secondhand`: the verdicts on citations were read from somebody else's plan, who may have kept
    silent about some. `advice` is what models that write were asked, None where none was. `handed`:
    what models said was read from the plan of another job of the same run, and not asked here.
    `services` are the literature services that cited works were looked up in.
    """

    target: Target
    version: str
    fail_on: str
    findings: tuple[Noted, ...]
    verdicts: tuple[Verdict, ...]
    coverage: Coverage
    whole: Coverage
    open_questions: int
    before: tuple[Figure, ...]
    after: tuple[Figure, ...]
    judges: tuple[str, ...]
    supplied: tuple[Supplied, ...] = ()
    silenced: int = 0
    notes: tuple[str, ...] = ()
    secondhand: bool = False
    advice: Advised | None = None
    handed: bool = False
    services: tuple[str, ...] = ()

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """The verdicts whose edit passed the gate."""
        return tuple(v for v in self.verdicts if v.outcome is Outcome.ACCEPTED)

    @property
    def refused(self) -> tuple[Verdict, ...]:
        """The verdicts whose edit did not pass; one that a later edit took up is none of them."""
        outcomes = (Outcome.REJECTED, Outcome.UNDECIDED)
        return tuple(v for v in self.verdicts if v.outcome in outcomes)


class Conclusion(StrEnum):
    """The three endings GitHub knows; neutral means that something could not be checked."""

    SUCCESS = "success"
    NEUTRAL = "neutral"
    FAILURE = "failure"


_WORST = {"error": 0, "warning": 1, "note": 2, "never": -1}


def conclude(plan: Plan, dismissed: Iterable[str] = ()) -> Conclusion:
    """Failure when the change brought a finding at or above `fail_on` that nobody dismissed (the
    points of a review are opinions, and fail nothing); else neutral when a citation it touches
    could not be checked or the verdicts on citations are secondhand; else success.

    `dismissed` are fingerprints.
    """
    gone = frozenset(dismissed)
    bad = any(
        noted.introduced
        and not noted.opinion
        and noted.finding.fingerprint not in gone
        and noted.finding.severity.rank <= _WORST[plan.fail_on]
        for noted in plan.findings
    )
    if bad:
        return Conclusion.FAILURE
    unsure = plan.open_questions or plan.secondhand
    return Conclusion.NEUTRAL if unsure else Conclusion.SUCCESS
