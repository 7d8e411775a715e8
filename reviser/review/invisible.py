"""Characters that print nothing: zero-width, direction-changing, and the invisible tag alphabet.

Some writing systems need joiners and direction marks, and a few emoji are made of tags; they are
left alone beside such letters.
"""

import re
from collections.abc import Iterator

from reviser.findings import Severity
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised
from reviser.text.source import Place, Source, Span

_ZERO_WIDTH = re.compile(
    r"[\u200b\u2060-\u2064\ufeff\u180e][\u200b-\u200d\u2060-\u2064\ufeff\u180e]*"
    r"|(?<=[\x20-\u024f])[\u200c\u200d]+(?=[\x20-\u024f])"
)
_DIRECTION = re.compile(r"[\u202a-\u202e\u2066-\u2069]+")
_TAGS = re.compile(r"(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]+")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_AROUND = 12  # code points shown on both sides
_MESSAGE_IN_BITS = 16  # so many zero-width characters in a row spell something


def invisible_characters(manuscript: Manuscript) -> Iterator[Raised]:
    """One finding for each kind of invisible character in each file, at its first place."""
    for facts in manuscript.files:
        source = manuscript.sources.get(facts.path)
        if source is None or source.text.isascii():
            continue
        yield from _zero_width(manuscript, source)
        yield from _direction(manuscript, source)
        yield from _tags(manuscript, source)


def _zero_width(manuscript: Manuscript, source: Source) -> Iterator[Raised]:
    found = [match.span() for match in _ZERO_WIDTH.finditer(source.text) if match.start() > 0]
    if not found:
        return
    long = next((span for span in found if span[1] - span[0] >= _MESSAGE_IN_BITS), None)
    codes = sorted({f"U+{ord(source.text[start]):04X}" for start, _ in found})
    message = (
        f"{_times(found)} in this file, characters without width are in the text "
        f"({', '.join(codes[:4])}); they break searches and may not compile. Delete them: retyping "
        "the words around them is enough."
    )
    if long:
        message = f"A long row of characters without width may spell a hidden message. {message}"
    severity = Severity.WARNING if long else Severity.NOTE
    yield _found(manuscript, source, long or found[0], message, severity)


def _direction(manuscript: Manuscript, source: Source) -> Iterator[Raised]:
    found = [
        match.span()
        for match in _DIRECTION.finditer(source.text)
        if not _RIGHT_TO_LEFT.search(source[source.line_span(source.line(match.start()))])
    ]
    if found:
        message = (
            f"{_times(found)} in this file, characters that reverse the direction of writing "
            "stand in left-to-right text, so that it may read otherwise than it is. Delete them."
        )
        yield _found(manuscript, source, found[0], message, Severity.WARNING)


def _tags(manuscript: Manuscript, source: Source) -> Iterator[Raised]:
    found = [match.span() for match in _TAGS.finditer(source.text)]
    if found:
        start, stop = found[0]
        spelt = "".join(chr(ord(c) - 0xE0000) for c in source.text[start : min(stop, start + 120)])
        spelt = re.sub(r"[^\x20-\x7e]", "", spelt)
        message = (
            f"Invisible tag characters spell “{spelt}” here. No reader sees them and a language "
            "model does. Delete them."
        )
        yield _found(manuscript, source, (start, stop), message, Severity.WARNING)


def _found(
    manuscript: Manuscript, source: Source, span: tuple[int, int], message: str, severity: Severity
) -> Raised:
    start, stop = span
    shown = source.text[max(0, start - _AROUND) : min(start + _AROUND, stop)]
    shown += source.text[stop : stop + _AROUND]
    place = Place(source.path, Span(start, stop))
    return raised(manuscript, place, message, severity=severity, quote=" ".join(shown.split()))


def _times(found: list[tuple[int, int]]) -> str:
    return "Once" if len(found) == 1 else f"{len(found)} times"
