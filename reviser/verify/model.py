"""The values of citation checking: a claim, the passages read, and what they say of the claim."""

from dataclasses import dataclass
from enum import StrEnum

from reviser.text.source import Place


class Label(StrEnum):
    """What is known about a cited work and a claim; METHODS' labels, none of them a guess."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    SILENT = "silent"
    OFF_TOPIC = "off topic"
    ON_TOPIC = "on topic, not verified"
    NOT_CHECKABLE = "not checkable"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Claim:
    """What one citation group stands for. `text` is plain; `citations` are indices into
    `Manuscript.citations`; `keys` are distinct, in reading order; `sentence` is the index of the
    sentence it stands in. `exempt` says why it asserts nothing about its sources, else empty."""

    at: Place
    text: str
    sentence: int
    citations: tuple[int, ...]
    keys: tuple[str, ...]
    exempt: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a cited work. `where` is "abstract", "annote" or the source file's name;
    `start` and `stop` are offsets in that text."""

    key: str
    text: str
    where: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Lead:
    """Something of the claim that the evidence does not show: worth a look, never a verdict.

    `kind` is "number", "negation", "name" or "year".
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Support:
    """What one cited work says of one claim. `claim` is an index into the list of claims.

    `score` is the check's figure (see `check`), the higher the better the work fits the claim or,
    by a verifier, the surer the label; None where none was computed. `why` is
    a sentence a reader can follow; `passages` are best first.
    """

    claim: int
    key: str
    label: Label
    score: float | None
    check: str
    why: str
    leads: tuple[Lead, ...] = ()
    passages: tuple[Passage, ...] = ()
