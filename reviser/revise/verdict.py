"""What the gate says of an edit, and what a whole revision did."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reviser.text.edit import Edit
from reviser.text.source import Source


class Outcome(StrEnum):
    """Undecided means that a required layer could not run; it is never an acceptance. Superseded
    is an accepted edit whose words a later one changed again, which holds it from then on."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"
    SUPERSEDED = "superseded"


class Layer(StrEnum):
    """The layers of the gate, cheapest first; PERSON is whoever was asked about an edit."""

    STALE = "stale"
    INVARIANTS = "invariants"
    COMPILE = "compile"
    EVIDENCE = "evidence"
    RUBRIC = "rubric"
    PERSON = "person"


#: The name of the score that is a judge's weighted mean (1 to 5), before and after an edit.
MEAN = "weighted mean"


@dataclass(frozen=True, slots=True)
class Score:
    """A figure with its spread; `value` is None when it could not be had, and `why` says why."""

    name: str
    value: float | None
    spread: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """A layer that was asked, in the order of the certificate: what it said, with its figures."""

    layer: Layer
    outcome: Outcome
    said: str


@dataclass(frozen=True, slots=True)
class Shadow:
    """What the published procedures would have decided (METHODS 8), on the scores at hand.

    `outcome` is undecided where there is no score that their rule could have used.
    """

    rule: str
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's word on one edit. `layer` is the one that refused, or the last that passed.

    `steps` is the certificate: every layer that was asked. `together` are the ids of the edits it
    was scored with, empty when by itself. `holds` are the ids of earlier edits that it took up.
    """

    edit: Edit
    outcome: Outcome
    layer: Layer
    reasons: tuple[str, ...] = ()
    before: tuple[Score, ...] = ()
    after: tuple[Score, ...] = ()
    steps: tuple[Step, ...] = ()
    shadow: Shadow | None = None
    together: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Revision:
    """What became of the paper: `after` holds only the files that changed."""

    before: Mapping[str, Source]
    after: Mapping[str, Source]
    verdicts: tuple[Verdict, ...]
