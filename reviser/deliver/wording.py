"""The phrases that comments, summary and reports share: places, evidence, IDs."""

from collections.abc import Mapping

from reviser.deliver.markdown import clip, code, inline, link, permalink
from reviser.deliver.plan import Noted, Target
from reviser.findings import Finding
from reviser.text.source import Place, Source, Span

SHOWN_ID = 8
"""Digits of a fingerprint that people see and type."""
SUPPLIED = "author-supplied in this pull request"
_MESSAGE, _EVIDENCE, _WHERE = 1_500, 600, 200  # characters


def shown_id(fingerprint: str) -> str:
    """The part of a fingerprint that people see and type."""
    return fingerprint[:SHOWN_ID]


def lines_of(source: Source | None, span: Span) -> tuple[int, int]:
    """First and last line of a span, 1-based, as git counts lines: ended by "\\n" only. (1, 1)
    for a file that is not there; never behind the last line that holds anything."""
    if source is None:
        return 1, 1
    text = source.text
    last = max(text.count("\n") + (not text.endswith("\n")), 1)
    first = text.count("\n", 0, span.start) + 1
    end = first + text.count("\n", span.start, max(span.start, span.stop - 1))
    return min(first, last), min(end, last)


def place_link(
    place: Place, sources: Mapping[str, Source], target: Target, server: str, *, named: str = ""
) -> str:
    """Where something stands, as a link to the file as of the head; `named` stands for its name."""
    path = target.root + place.path
    first, last = lines_of(sources.get(place.path), place.span)
    label = code(named or f"{clip(path, 80)}:{first}")
    return link(label, permalink(server, target.repository, target.head, path, (first, last)))


def message_of(finding: Finding, most: int = _MESSAGE) -> str:
    """What is wrong, as a sentence."""
    return inline(clip(finding.message, most))


def measured_of(finding: Finding) -> str:
    """The figures that a finding rests on, in small print; "" where there are none."""
    if not finding.measured:
        return ""
    return f"<sub>Measured: {inline(clip(finding.measured, _EVIDENCE))}.</sub>"


def evidence_lines(noted: Noted, most: int = 3) -> list[str]:
    """The words a finding rests on, each as one line, with where they were read; what the author
    of the pull request brought is named so."""
    supplied = {where.casefold() for where in noted.supplied}
    told, seen = [], set()
    for item in noted.finding.evidence[:most]:
        words, where = inline(clip(item.text, _EVIDENCE)), inline(clip(item.where, _WHERE))
        mark = f" · *{SUPPLIED}*" if item.read.casefold() in supplied else ""
        seen.add(item.read.casefold())
        told.append(f"“{words}” ({where}){mark}")
    rest = [inline(clip(where, _WHERE)) for where in noted.supplied if where.casefold() not in seen]
    if rest:
        told.append(f"Rests on {', '.join(rest[:5])} · *{SUPPLIED}*")
    return told


def how_to_ignore(finding: Finding) -> str:
    """How to decline what a finding says, by command or in the source."""
    command = code(f"/reviser ignore {shown_id(finding.fingerprint)} reason")
    return f"{command}, or {code(f'% reviser: ignore[{finding.rule}] reason')} in the source"
