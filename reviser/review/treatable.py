"""Which places a writer's edit may touch: running prose in English, in files that may be edited."""

from reviser.manuscript.model import Manuscript
from reviser.review.raised import editable
from reviser.text.source import Place

PROSE = frozenset({"body", "abstract", "item"})
"""The kinds of paragraphs that are running prose: captions and cells belong to their floats, titles
to their headings, and footnotes interrupt somebody else's sentence."""
_WRITTEN_IN = "en"


def paragraph_at(manuscript: Manuscript, place: Place) -> int | None:
    """The index of the smallest paragraph that covers `place`, None where there is none."""
    found = [
        (len(paragraph.at.span), number)
        for number, paragraph in enumerate(manuscript.paragraphs)
        if paragraph.at.path == place.path and paragraph.at.span.covers(place.span)
    ]
    return min(found)[1] if found else None


def section_at(manuscript: Manuscript, place: Place) -> int:
    """The index of the innermost section around `place`; 0 where no heading stands before it.

    A file that is included in the middle of a section belongs to it, so the paragraph knows best.
    """
    number = paragraph_at(manuscript, place)
    if number is not None:
        return manuscript.paragraphs[number].section
    within = [
        (len(section.at.span), index)
        for index, section in enumerate(manuscript.sections)
        if section.at.path == place.path and section.at.span.covers(place.span)
    ]
    return min(within)[1] if within else 0


def untreatable(manuscript: Manuscript, place: Place) -> str:
    """Why no writer's edit may touch the words at `place`, or "" where one may."""
    if manuscript.language != _WRITTEN_IN:
        return "the paper is not known to be in English"
    if not editable(manuscript, place.path):
        return "its file must not be edited"
    number = paragraph_at(manuscript, place)
    if number is None:
        return "it does not stand in one paragraph"
    kind = manuscript.paragraphs[number].kind
    if kind not in PROSE:
        return f"it stands in a {kind}, not in running prose"
    return _set_apart(manuscript, place)


def _set_apart(manuscript: Manuscript, place: Place) -> str:
    """What is no prose although it stands in a paragraph, or ""."""
    if any(f.at.path == place.path and f.at.span.overlaps(place.span) for f in manuscript.floats):
        return "it stands in a float"
    if any(m.at.path == place.path and m.at.span.covers(place.span) for m in manuscript.math):
        return "it is a formula"
    return ""
