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
    """A sentence of a cited work. `where` is "abstract", "annote", "note" or "source text"; `start`
    and `stop` are offsets in that text (in `Text.whole` of a source text in sections). `section` is
    the heading it stands under, "" where unknown; `origin` who gave the text ("OpenAlex",
    "smith2020.pdf"), "" for the bibliography and for texts named by key."""

    key: str
    text: str
    where: str
    start: int
    stop: int
    section: str = ""
    origin: str = ""

    @property
    def place(self) -> str:
        """Where it was read: "abstract of lee2020, OpenAlex"."""
        return self._told(f"{self.where} of {self.key}")

    @property
    def told(self) -> str:
        """The same where the work is known: "abstract, OpenAlex"."""
        return self._told(self.where)

    def _told(self, what: str) -> str:
        section = f'section "{self.section}"' if self.section else ""
        return ", ".join(filter(None, (what, self.origin, section)))


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
