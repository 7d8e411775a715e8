"""What the core asks of the world, in primitives only; adapters conform, tests bring fakes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar, runtime_checkable

Item = TypeVar("Item")
Result = TypeVar("Result")


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


class Vectors(Protocol):
    """Gives each text the vector by which it is compared, to be kept by whoever asks."""

    @property
    def identity(self) -> str:
        """All that a vector follows from beside its text: vectors of two identities cannot be
        compared."""
        ...

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        ...

    def vectors(
        self, texts: Sequence[str], told: Callable[[int], None] | None = None
    ) -> Sequence[bytes]:
        """One vector per text, in their order: `size` little-endian numbers of single precision
        whose length is one, or that are all 0 for an empty text. `told` hears how many are done."""
        ...


@dataclass(frozen=True, slots=True)
class Entailed:
    """Probabilities in [0, 1] that a premise entails, contradicts or leaves open a hypothesis.

    A binary model has no third class: it gives `contradicts=None`. `quote` are the words of the
    premise that it rests on, as they stand there; empty where a model points at none.
    """

    entails: float
    contradicts: float | None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A pair on which there is no judgement, and why: no answer, none that can be used, no budget.

    It speaks neither for nor against anything. `why` is short, so that like cases can be counted.
    """

    why: str


class Entailment(Protocol):
    """A natural language inference or grounding model, or a chat model asked to be one."""

    @property
    def name(self) -> str:
        """Model and version, as printed beside every verdict that rests on it."""
        ...

    def judge(self, pairs: Sequence[tuple[str, str]]) -> "Sequence[Entailed | Unjudged]":
        """One judgement per (premise, hypothesis)."""
        ...


@runtime_checkable
class Versioned(Protocol):
    """An `Entailment` whose judgements follow from more than its name says."""

    @property
    def version(self) -> str:
        """All else that they follow from: weights, a prompt, a scale. The same for the same."""
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


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a chat model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What a chat model is asked. `prompt` names the template and its version, for the record.

    `schema` is a JSON Schema as JSON text, empty for a free text. `max_tokens` bounds the reply;
    `logprobs` is how many alternatives of each token are wanted, 0 for none. Requests that differ
    in `seed` alone ask for several samples of one answer; None is one answer, whichever.
    """

    prompt: str
    messages: tuple[Message, ...]
    schema: str = ""
    temperature: float = 0.0
    max_tokens: int = 1024
    logprobs: int = 0
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a reply; `top` are the likeliest at its place with their natural logarithms of
    probability, itself most often among them."""

    text: str
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a chat model said. `finish` is "stop", "length" (cut off) or "refusal", or whatever
    else the endpoint says.

    `model` is as the endpoint names it. The tokens are as it counted them, both 0 where it does
    not. `requests` is how many were sent to get the reply, `seconds` how long that took; `tokens`
    is empty where the endpoint gives no probabilities. `seeded` tells that the request's seed was
    sent and not refused: without it, samples at temperature 0 are one sample repeated.
    """

    text: str
    finish: str
    model: str
    tokens_in: int
    tokens_out: int
    seconds: float
    requests: int = 1
    tokens: tuple[Token, ...] = ()
    seeded: bool = False


class ChatModel(Protocol):
    """A chat model behind some endpoint. It has no tools: all it can do is say something."""

    @property
    def name(self) -> str:
        """Model and host, as printed beside everything that rests on it."""
        ...

    def complete(self, request: ChatRequest) -> ChatReply:
        """The reply. Raises Unanswered when this request had none, ReviserError when none will."""
        ...


class Tape(Protocol):
    """Replies kept between runs, by everything they follow from."""

    def get(self, request: ChatRequest) -> ChatReply | None:
        """The reply to this very request, or None."""
        ...

    def put(self, request: ChatRequest, reply: ChatReply) -> None:
        """Keep a reply."""
        ...


class Workers(Protocol):
    """Does things that wait for the network side by side."""

    def each(
        self,
        work: Callable[[Item], Result],
        items: Sequence[Item],
        told: Callable[[int], None] | None = None,
    ) -> Sequence[Result]:
        """`work` of every item, in their order; `told` hears how many are done. What `work`
        raises is raised here, and nothing more is begun."""
        ...


@dataclass(frozen=True, slots=True)
class Typeset:
    """What a TeX engine complained of. `faults` are its errors and undefined references and
    citations, without line numbers, each as often as it came; `why` says why nothing was typeset,
    "" when something was."""

    faults: tuple[str, ...]
    why: str = ""


class Typesetter(Protocol):
    """Runs a TeX engine on a paper, without shell escape and outside its folder."""

    @property
    def name(self) -> str:
        """Engine and version, as printed beside what rests on it."""
        ...

    def typeset(self, changed: Mapping[str, bytes]) -> Typeset:
        """What it complains of when these files stand in the place of the paper's own. A typesetter
        that cannot run says so in `why`; it raises nothing."""
        ...
