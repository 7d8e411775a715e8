"""Labelled pairs of a claim and a source: read them, and hear what the shipped verdicts say."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from reviser.latex.elements import BibEntry
from reviser.latex.language import detect
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailed, Entailment, Progress, Unjudged
from reviser.text.source import Place, Span
from reviser.verify.entail import verify
from reviser.verify.evidence import ABSTRACT, Work
from reviser.verify.hearing import READ
from reviser.verify.model import Claim, Label, Passage, Support

TRUTHS = ("supported", "contradicted", "silent", "unsupported")
"""What is known of a pair. Sets with two labels do not tell silence from denial: "unsupported"."""
_KEY = "work"
_NOWHERE = Place("", Span(0, 0))
_NO_PAPER = Manuscript(
    main="", sources={}, files=(), sections=(), paragraphs=(), sentences=(), citations=(),
    labels=(), references=(), floats=(), footnotes=(), math=(), comments=(), skipped=(), macros=(),
    bibliography=(), entries=(), unparsed=(), language="",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, the title and sentences of what it cites, and one of `TRUTHS` about the two."""

    id: str
    claim: str
    title: str
    passages: tuple[str, ...]
    truth: str

    @property
    def source(self) -> str:
        """A digest of the cited text: pairs that share it are not independent."""
        parts = "\0".join((self.title, *self.passages))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class WrongRow:
    """A line of the file (1-based) that is no pair, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair with the verdict on it.

    `closeness` is the topic's figure, None where nothing was compared; `entails` and `contradicts`
    are the verifier's probabilities, None where it was not asked (or has no such class).
    """

    pair: Pair
    said: Label
    closeness: float | None
    entails: float | None = None
    contradicts: float | None = None


def read_pairs(lines: Iterable[bytes]) -> tuple[tuple[Pair, ...], tuple[WrongRow, ...]]:
    """The pairs of a JSON Lines file, and the rows that are none; blank lines do not count.

    A pair is an object with `claim` and `passages` (a list of texts), `label` (one of `TRUTHS`),
    and if known `id` and `title`; anything else in it is ignored.
    """
    pairs: dict[str, Pair] = {}
    wrong: list[WrongRow] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _pair(line, f"line {number}")
        if isinstance(found, Pair) and found.id in pairs:
            found = f"its id {found.id[:60]!r} has been seen before"
        if isinstance(found, Pair):
            pairs[found.id] = found
        else:
            wrong.append(WrongRow(number, found))
    return tuple(pairs.values()), tuple(wrong)


def _pair(line: bytes, name: str) -> Pair | str:
    """The pair of one line, or why there is none."""
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return "not UTF-8"
    except (ValueError, RecursionError):
        return "not JSON"
    why = _fault(row)
    if why or not isinstance(row, dict):
        return why
    passages = tuple(text for text in row["passages"] if text.strip())
    name = str(row.get("id") or name)
    return Pair(name, row["claim"], row.get("title") or "", passages, row["label"])


def _fault(row: object) -> str:
    """Why `row` is no pair; empty when it is one."""
    if not isinstance(row, dict):
        return "not a JSON object"
    claim, passages, label = row.get("claim"), row.get("passages"), row.get("label")
    if not isinstance(claim, str) or not claim.strip():
        return "its claim is not a text with words in it"
    if not isinstance(row.get("title") or "", str):
        return "its title is not a text"
    if not isinstance(passages, list) or not all(isinstance(text, str) for text in passages):
        return "its passages are not a list of texts"
    if label not in TRUTHS:
        return f"its label is {str(label)[:40]!r}, not {', '.join(TRUTHS[:-1])} or {TRUTHS[-1]}"
    return ""


def judge_pairs(
    pairs: Sequence[Pair],
    embedder: Embedder,
    entailment: Entailment | None = None,
    progress: Progress | None = None,
    *,
    sentences: int = READ,
) -> tuple[JudgedPair, ...]:
    """What `check` would say of each pair at the shipped thresholds, alone in its paper.

    There are no other cited works to compare with, so the topic is held to the limits for papers
    with too few of them. A verifier reads up to `sentences` of a work, and is asked all at once.
    """
    topics: list[Support] = []
    asked = _Asked()
    for number, pair in enumerate(pairs):
        if progress is not None:
            progress.step("pairs", number, len(pairs))
        topics.append(_verdict(pair, embedder))
        if entailment is not None:
            _verdict(pair, embedder, asked, sentences)
    if entailment is None:
        judged = [
            JudgedPair(pair, topic.label, topic.score)
            for pair, topic in zip(pairs, topics, strict=True)
        ]
    else:
        asked.answers = dict(
            zip(asked.questions, entailment.judge(list(asked.questions)), strict=True)
        )
        judged = [
            _judged(pair, topic, embedder, asked, sentences)
            for pair, topic in zip(pairs, topics, strict=True)
        ]
    if progress is not None:
        progress.step("pairs", len(pairs), len(pairs))
    return tuple(judged)


class _Asked:
    """An `Entailment` that first notes what it is asked, then gives the answers it was given."""

    name = ""

    def __init__(self) -> None:
        self.questions: dict[tuple[str, str], None] = {}
        self.answers: dict[tuple[str, str], Entailed | Unjudged] = {}
        self.last: Entailed | Unjudged | None = None

    def forget(self) -> None:
        """Nothing has been asked last."""
        self.last = None

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        self.questions |= dict.fromkeys(pairs)
        found = [self.answers.get(pair, Unjudged("not asked yet")) for pair in pairs]
        self.last = found[0] if found else None
        return found


def _verdict(
    pair: Pair, embedder: Embedder, entailment: Entailment | None = None, sentences: int = READ
) -> Support:
    claims = (Claim(_NOWHERE, pair.claim, 0, (), (_KEY,)),)
    (verdict,) = verify(
        _NO_PAPER,
        claims,
        {_KEY: _work(pair)},
        embedder=embedder,
        entailment=entailment,
        sentences=sentences,
    )
    return verdict


def _judged(
    pair: Pair, topic: Support, embedder: Embedder, asked: _Asked, sentences: int
) -> JudgedPair:
    asked.forget()
    verdict = _verdict(pair, embedder, asked, sentences)
    answer = asked.last
    if not isinstance(answer, Entailed):
        return JudgedPair(pair, verdict.label, topic.score)
    return JudgedPair(pair, verdict.label, topic.score, answer.entails, answer.contradicts)


def _work(pair: Pair) -> Work:
    ends = tuple(accumulate(len(text) + 1 for text in pair.passages))
    passages = tuple(
        Passage(_KEY, text, ABSTRACT, end - 1 - len(text), end - 1)
        for text, end in zip(pair.passages, ends, strict=True)
    )
    return Work(
        key=_KEY,
        entry=BibEntry(_KEY, "misc", (), _NOWHERE, _NOWHERE),
        title=pair.title,
        authors=(),
        year="",
        keywords="",
        passages=passages,
        language=detect(" ".join(pair.passages)) if passages else "",
        why_none="" if passages else "the pair has no passages",
    )
