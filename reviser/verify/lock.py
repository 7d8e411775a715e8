"""The evidence lockfile: what earlier runs read of the cited works and what came of it, as lines.

`reviser.lock` lies at the paper's root and is meant to be committed. It holds one JSON object a
line, sorted, none of them longer or dependent on another, so that a merge touches the lines that
differ. Whoever can commit can write it: it is read strictly, what is odd is left out and told, and
nothing in it becomes a path or a command.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from reviser.verify.model import Label

VERSION = 1
HEADER = json.dumps({"reviser-lock": VERSION}, separators=(",", ":"))
MOST_BYTES = 20_000_000
MOST_LINES = 100_000
LONGEST_LINE = 100_000
ACCUSING = frozenset({Label.OFF_TOPIC, Label.CONTRADICTED, Label.SILENT})
"""Labels that a finding may rest on: such a verdict must quote what it rests on."""

_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |$)")
_MOST_DAMAGE = 50


def _plain(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds a character that cannot be printed")
    return text


def plain(text: str, most: int) -> str:
    """A text as a line may hold it: one line of printable characters, at most so many."""
    kept = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(kept.split())[:most].rstrip()


_Digest = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{64})?$")]
_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Key = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_plain)]
_Words = Annotated[str, Field(max_length=300), AfterValidator(_plain)]
_Said = Annotated[str, Field(max_length=2_000), AfterValidator(_plain)]
_Name = Annotated[str, Field(max_length=600), AfterValidator(_plain)]
_Text = Annotated[str, Field(max_length=20_000), AfterValidator(_plain)]
_Score = Annotated[float, Field(ge=-1_000, le=1_000, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0, le=10_000)]
_Offset = Annotated[int, Field(ge=0, le=10**9)]


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class NoticeLine(_Value):
    """What was published about a work after it appeared; see `literature.paper.Notice`."""

    kind: _Words
    doi: _Words = ""
    date: _Words = ""


class PaperLine(_Value):
    """A work as its source describes it, with what an entry of a bibliography is written from."""

    source: _Words
    id: _Name
    title: _Name
    authors: Annotated[tuple[tuple[_Words, _Words], ...], Field(max_length=300)] = ()
    year: Annotated[int, Field(ge=0, le=9_999)] | None = None
    venue: _Name = ""
    kind: _Words = ""
    doi: _Words = ""
    arxiv: _Words = ""
    notice: NoticeLine | None = None
    licence: _Words = ""
    volume: _Words = ""
    number: _Words = ""
    pages: _Words = ""
    publisher: _Name = ""
    url: _Name = ""


class QuoteLine(_Value):
    """Words of a work: where they were read (see `verify.model.Passage`), and the words
    themselves."""

    words: Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_plain)]
    where: _Words
    start: _Offset = 0
    stop: _Offset = 0
    section: _Name = ""
    origin: _Words = ""


class FoundLine(_Value):
    """How a work was found (see `literature.resolve`): `how` is "" where it was not. `answered` are
    the services that had nothing, `near` what they had instead; `disputed` as in `Resolved`."""

    how: _Words = ""
    said: Annotated[tuple[tuple[_Words, _Words], ...], Field(max_length=50)] = ()
    disputed: Annotated[tuple[_Words, ...], Field(max_length=10)] = ()
    answered: Annotated[tuple[_Words, ...], Field(max_length=50)] = ()
    near: Annotated[tuple[PaperLine, ...], Field(max_length=5)] = ()
    misled: PaperLine | None = None


class WorkLine(_Value):
    """A work of the bibliography. `title` and `doi` are what its entry says, by which it is known
    again; `abstract` and `full` digests of the sentences read; `none` says why there were none.
    `words` is the abstract itself, where it may be kept."""

    KIND: ClassVar[str] = "work"

    work: _Key
    title: _Name = ""
    doi: _Words = ""
    abstract: _Digest = ""
    abstract_from: _Words = ""
    full: _Digest = ""
    full_from: _Words = ""
    none: _Words = ""
    paper: PaperLine | None = None
    found: FoundLine | None = None
    words: _Text = ""

    @property
    def id(self) -> tuple[str, ...]:
        """By what it is told from other lines."""
        return (self.work.lower(),)


class VerdictLine(_Value):
    """What a work says of a claim. `claim` is the digest of its words, `text` that of what was
    read, `topic` and `verifier` name the check."""

    KIND: ClassVar[str] = "claim"

    claim: _Sha
    key: _Key
    begins: _Words = ""
    label: Label
    score: _Score | None = None
    check: _Words
    topic: _Words
    verifier: _Words = ""
    reads: _Count = 0
    version: _Words = ""
    read: Literal["abstract", "full text"]
    text: _Sha
    why: _Said
    leads: Annotated[tuple[tuple[_Words, _Said], ...], Field(max_length=50)] = ()
    quote: QuoteLine | None = None

    @property
    def id(self) -> tuple[str, ...]:
        """By what it is told from other lines."""
        return (self.claim, self.key.lower())

    @model_validator(mode="after")
    def _bears_out(self) -> "VerdictLine":
        if self.label is Label.UNCHECKED:
            raise ValueError("is no verdict")
        if self.label in ACCUSING and self.quote is None:
            raise ValueError("accuses without a quotation")
        return self


class CandidateLine(_Value):
    """A work that might be cited instead of another; `paper` describes one from outside the
    bibliography."""

    key: _Key
    rank: _Score
    why: _Said
    quote: QuoteLine
    paper: PaperLine | None = None


_Window = Annotated[tuple[_Key, ...], Field(max_length=1_000)]


class TierLine(_Value):
    """A place behind the bibliography that was searched; see `verify.trials.Tier`."""

    name: _Words
    windows: Annotated[tuple[_Window, ...], Field(max_length=200)] = ()
    shown: Annotated[tuple[CandidateLine, ...], Field(max_length=10)] = ()
    silent: _Words = ""
    left: Annotated[tuple[_Said, ...], Field(max_length=50)] = ()


class SearchLine(_Value):
    """A search for works to cite instead of one; `limits` says how far it goes. `beyond` are the
    places that were searched behind the bibliography."""

    KIND: ClassVar[str] = "search"

    search: _Sha
    key: _Key
    limits: _Words
    topic: _Words
    verifier: _Words = ""
    reads: _Count = 0
    version: _Words = ""
    windows: Annotated[tuple[_Window, ...], Field(max_length=200)] = ()
    shown: Annotated[tuple[CandidateLine, ...], Field(max_length=10)] = ()
    chosen: CandidateLine | None = None
    beyond: Annotated[tuple[TierLine, ...], Field(max_length=20)] = ()

    @property
    def id(self) -> tuple[str, ...]:
        """By what it is told from other lines."""
        return (self.search, self.key.lower())


class TogetherLine(_Value):
    """Whether works that are read together entail a claim."""

    KIND: ClassVar[str] = "together"

    together: _Sha
    keys: Annotated[tuple[_Key, ...], Field(min_length=1, max_length=100)]
    topic: _Words
    verifier: _Words
    reads: _Count = 0
    version: _Words = ""
    text: _Sha
    entailed: bool

    @property
    def id(self) -> tuple[str, ...]:
        """By what it is told from other lines."""
        return (self.together, *(key.lower() for key in self.keys))


Line = WorkLine | VerdictLine | SearchLine | TogetherLine
_Kind = TypeVar("_Kind", WorkLine, VerdictLine, SearchLine, TogetherLine)
_KINDS: tuple[type[Line], ...] = (VerdictLine, SearchLine, TogetherLine, WorkLine)


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that is not used, by its number from 1 (0: the file as a whole), and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class Lock:
    """What a lockfile says. `conflict` is the number of the first line with a merge conflict's
    mark, 0 where there is none; nothing is read of such a file."""

    works: tuple[WorkLine, ...] = ()
    verdicts: tuple[VerdictLine, ...] = ()
    searches: tuple[SearchLine, ...] = ()
    together: tuple[TogetherLine, ...] = ()
    damage: tuple[Damage, ...] = ()
    conflict: int = 0

    @property
    def lines(self) -> tuple[Line, ...]:
        """All of it, in no order that means anything."""
        return (*self.works, *self.verdicts, *self.searches, *self.together)


def write(lines: Iterable[Line]) -> bytes:
    """The file that holds these lines: the same bytes for the same lines, in whatever order."""
    ordered = sorted(lines, key=lambda line: (_KINDS.index(type(line)), line.id, written(line)))
    return "".join(f"{text}\n" for text in (HEADER, *map(written, ordered))).encode()


def written(line: Line) -> str:
    """One line, without its end."""
    data = line.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def read(data: bytes) -> Lock:
    """What a lockfile says. Lines may stand in any order, as a merge leaves them; where two speak
    differently of one matter, neither is used. Raises nothing."""
    if len(data) > MOST_BYTES:
        return Lock(damage=(Damage(0, f"it has more than {MOST_BYTES:,} bytes"),))
    rows = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    for number, row in enumerate(rows, 1):
        if _CONFLICT.match(row):
            return Lock(conflict=number)
    damage: list[Damage] = []
    found: dict[tuple[str, ...], tuple[int, Line]] = {}
    twice: set[tuple[str, ...]] = set()
    if len(rows) > MOST_LINES:
        damage.append(Damage(0, f"only its first {MOST_LINES:,} lines are used"))
    for number, row in enumerate(rows[:MOST_LINES], 1):
        text = row.rstrip("\r")
        if not text.strip() or text == HEADER:
            continue
        line = _read_line(text)
        if isinstance(line, str):
            damage.append(Damage(number, line))
            continue
        mark = (line.KIND, *line.id)
        before = found.setdefault(mark, (number, line))
        if before[1] != line:
            twice.add(mark)
            damage.append(Damage(number, f"it contradicts line {before[0]}; neither is used"))
    lines = [line for mark, (_, line) in found.items() if mark not in twice]
    return Lock(
        works=_of(WorkLine, lines),
        verdicts=_of(VerdictLine, lines),
        searches=_of(SearchLine, lines),
        together=_of(TogetherLine, lines),
        damage=tuple(damage[:_MOST_DAMAGE]),
    )


def _of(kind: type[_Kind], lines: Sequence[Line]) -> tuple[_Kind, ...]:
    return tuple(line for line in lines if isinstance(line, kind))


def _read_line(text: str) -> Line | str:
    """The line, or why it cannot be used."""
    if len(text) > LONGEST_LINE:
        return "it is too long"
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return "it is not a JSON object"
    if "reviser-lock" in data:
        return f"it is of version {str(data['reviser-lock'])[:20]}, this is {VERSION}"
    kind = next((one for one in _KINDS if one.KIND in data), None)
    return "it speaks of nothing that is known" if kind is None else _as_line(kind, text)


def _as_line(kind: type[Line], text: str) -> Line | str:
    try:
        # From the text and not as parsed: in strict mode only JSON's arrays are taken as tuples.
        return kind.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        return f"{where[:60]}: {first['msg']}" if where else first["msg"]
