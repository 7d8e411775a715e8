"""What the core asks of the world, in primitives only; adapters conform, tests bring fakes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that exists or was asked for, and that we will not or cannot read."""

    why: str


class ProjectFiles(Protocol):
    """The files of one paper's project. Names are POSIX paths relative to its root.

    An implementation never leaves the root: absolute paths, `..`, `.git`, symbolic links,
    devices and oversized files come back as `Refused`, whatever the paper asks for.
    """

    def names(self) -> Sequence[str]:
        """Every readable regular file, sorted; version-control and build folders left out."""
        ...

    def read(self, name: str) -> bytes | Refused | None:
        """The file's bytes, a refusal with its reason, or None when there is no such file."""
        ...


class Embedder(Protocol):
    """Compares texts by meaning."""

    @property
    def name(self) -> str:
        """Model and version, as printed beside every figure that rests on it."""
        ...

    def similarities(
        self, rows: Sequence[str], columns: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        """Cosines in [-1, 1], one row per text of `rows`, one column per text of `columns`."""
        ...


@dataclass(frozen=True, slots=True)
class Entailed:
    """Probabilities in [0, 1] that a premise entails, contradicts or leaves open a hypothesis.

    A binary model has no third class: it gives `contradicts=None`.
    """

    entails: float
    contradicts: float | None


class Entailment(Protocol):
    """A natural language inference or grounding model."""

    @property
    def name(self) -> str:
        """Model and version, as printed beside every verdict that rests on it."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed]:
        """One judgement per (premise, hypothesis)."""
        ...


class Cache(Protocol):
    """Results kept between runs. A key is a SHA-256 of all that a result follows from, so what is
    found under it is the result; nothing is ever only here."""

    def get(self, key: bytes) -> bytes | None:
        """What was kept under `key`, or None."""
        ...

    def put(self, key: bytes, value: bytes) -> None:
        """Keep `value` under `key`."""
        ...


class Progress(Protocol):
    """Where long steps say how far they are; the default implementation says nothing."""

    def step(self, what: str, done: int, total: int) -> None:
        """`done` of `total` parts of the step named `what` are finished."""
        ...
