"""What the gate says of an edit, and what a whole revision did."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reviser.text.edit import Edit
from reviser.text.source import Source


class Outcome(StrEnum):
    """Undecided means that a required layer could not run; it is never an acceptance."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"


class Layer(StrEnum):
    """The layers of the gate, cheapest first; PERSON is whoever was asked about an edit."""

    STALE = "stale"
    INVARIANTS = "invariants"
    COMPILE = "compile"
    EVIDENCE = "evidence"
    RUBRIC = "rubric"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Score:
    """A figure with its spread; `value` is None when it could not be had, and `why` says why."""

    name: str
    value: float | None
    spread: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's word on one edit. `layer` is the one that refused, or the last that passed."""

    edit: Edit
    outcome: Outcome
    layer: Layer
    reasons: tuple[str, ...] = ()
    before: tuple[Score, ...] = ()
    after: tuple[Score, ...] = ()


@dataclass(frozen=True)
class Revision:
    """What became of the paper: `after` holds only the files that changed."""

    before: Mapping[str, Source]
    after: Mapping[str, Source]
    verdicts: tuple[Verdict, ...]
