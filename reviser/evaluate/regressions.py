"""Findings that a user called wrong, kept so that they are judged again by today's limits.

One JSON object a line, schema `reviser.false-positive/1`: what was claimed, what the evidence
said, the verdict, and the figures it was made from. The paper itself is not needed to replay it.
"""

import json
from dataclasses import asdict, dataclass

from reviser.findings import Evidence
from reviser.verify.entail import is_off_topic
from reviser.verify.exempt import field_still_read
from reviser.verify.relevance import Fit, distance
from reviser.verify.repair import CONTRADICTED, OFF_TOPIC
from reviser.verify.strangers import is_strange
from reviser.verify.thresholds import DEFAULT, Thresholds

SCHEMA = "reviser.false-positive/1"
_TEXTS = ("id", "rule", "message", "quote", "key", "claim", "exempt", "label", "why", "check")
_FIGURES = ("closeness", "lag", "strangeness", "shared", "usual", "reach")


class NotARecord(ValueError):  # noqa: N818 - it says what the line is
    """A line does not hold a kept finding."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a topic verdict was made from; see `verify.relevance`. `others` counts the works the
    cited one was compared with, `claims` the paper's claims."""

    closeness: float
    lag: float
    strangeness: float
    shared: float
    usual: float
    reach: float
    others: int
    claims: int


@dataclass(frozen=True, slots=True)
class FalsePositive:
    """A finding that its reader calls wrong. `id` is its fingerprint.

    Findings of rules have no `key`, `claim` or verdict; `figures` is None where no topic was
    compared.
    """

    id: str
    rule: str
    message: str
    quote: str
    key: str = ""
    claim: str = ""
    exempt: str = ""
    label: str = ""
    why: str = ""
    check: str = ""
    score: float | None = None
    evidence: tuple[Evidence, ...] = ()
    figures: Figures | None = None


def still_accused(record: FalsePositive, thresholds: Thresholds = DEFAULT) -> bool | None:
    """Whether today's limits would give the verdict again; None where only the paper can tell
    (findings of rules, names and leads, which rest on no limit)."""
    figures = record.figures
    if figures is None:
        return None
    if record.rule == OFF_TOPIC and field_still_read(record.exempt):
        works = figures.others + 1
        return is_strange(figures.strangeness, figures.reach, claims=figures.claims, works=works)
    if record.rule == OFF_TOPIC:
        fit = Fit(
            closeness=figures.closeness,
            lag=figures.lag,
            strangeness=figures.strangeness,
            shared=figures.shared,
            distance=distance(
                figures.lag, figures.usual, strangeness=figures.strangeness, shared=figures.shared
            ),
            others=figures.others,
            best="",
        )
        return is_off_topic(fit, thresholds, pointer=bool(record.exempt))
    if record.rule == CONTRADICTED and record.score is not None:
        sure = record.score >= thresholds.contradicts
        return sure and figures.closeness >= thresholds.contradicts_closeness
    return None


def as_line(record: FalsePositive) -> str:
    """The record as one line of JSON, without its line end."""
    return json.dumps({"schema": SCHEMA, **asdict(record)}, ensure_ascii=True)


def from_line(line: str) -> FalsePositive:
    """Read a line back. Raises ValueError, with what is wrong, where it is not such a record."""
    data = json.loads(line)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise NotARecord(f"not a record of schema {SCHEMA}")
    texts = {name: _text(data, name) for name in _TEXTS}
    score = data.get("score")
    return FalsePositive(
        **texts,
        score=None if score is None else _number(data, "score"),
        evidence=tuple(_evidence(data.get("evidence"))),
        figures=_figures(data.get("figures")),
    )


def _text(data: dict[str, object], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise NotARecord(f"{name!r} must be a text")
    return value


def _number(data: dict[str, object], name: str) -> float:
    value = data.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotARecord(f"{name!r} must be a number")
    return float(value)


def _evidence(value: object) -> list[Evidence]:
    if not isinstance(value, list):
        raise NotARecord("'evidence' must be a list")
    found = []
    for item in value:
        if not isinstance(item, dict):
            raise NotARecord("'evidence' must hold objects")
        found.append(Evidence(_text(item, "text"), _text(item, "where")))
    return found


def _figures(value: object) -> Figures | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise NotARecord("'figures' must be an object or null")
    measured = {name: _number(value, name) for name in _FIGURES}
    others, claims = (int(_number(value, name)) for name in ("others", "claims"))
    return Figures(**measured, others=others, claims=claims)
