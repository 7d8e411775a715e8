"""What a writer must leave as it is in a stretch of a file: the gate's atoms that are no words."""

from collections.abc import Iterator

from reviser.latex.elements import Citation
from reviser.manuscript.model import Manuscript
from reviser.revise import atoms
from reviser.revise.atoms import text_atoms
from reviser.text.source import Place, Span

_OF_TEXT = {
    atoms.URL: "address",
    atoms.QUOTATION: "quotation",
    atoms.ENVIRONMENT: "environment",
}

UNSEEN = frozenset({"comment", "text that is not typeset", "definition"})
"""What is there for TeX or for the authors, and not for readers."""


def protected_spans(manuscript: Manuscript, at: Place) -> tuple[tuple[Span, str], ...]:
    """The protected stretches within `at`, in order and disjoint, each with what it is.

    What lies around all of `at` (a footnote around its own text) is none; what only reaches into
    it is cut at its border. Of two that overlap the outer one counts.
    """
    found: list[tuple[Span, str]] = []
    for place, what in (*_of_reader(manuscript), *_of_text(manuscript, at)):
        inside = _within(place, at)
        if inside is not None:
            found.append((inside, what))
    disjoint: list[tuple[Span, str]] = []
    for span, what in sorted(found, key=lambda item: (item[0].start, -item[0].stop)):
        if not disjoint or span.start >= disjoint[-1][0].stop:
            disjoint.append((span, what))
        elif span.stop > disjoint[-1][0].stop:
            last, said = disjoint.pop()
            disjoint.append((Span(last.start, span.stop), said))
    return tuple(disjoint)


def _within(place: Place, at: Place) -> Span | None:
    span = place.span
    if place.path != at.path or not len(span):
        return None
    start, stop = max(span.start, at.span.start), min(span.stop, at.span.stop)
    around = span.start <= at.span.start and at.span.stop <= span.stop and span != at.span
    return None if start >= stop or around else Span(start, stop)


def _of_reader(manuscript: Manuscript) -> Iterator[tuple[Place, str]]:
    for what, elements in (
        ("formula", manuscript.math),
        ("reference", manuscript.references),
        ("label", manuscript.labels),
        ("footnote", manuscript.footnotes),
        ("float", manuscript.floats),
        ("comment", manuscript.comments),
        ("text that is not typeset", manuscript.skipped),
        ("definition", manuscript.macros),
    ):
        for element in elements:
            yield element.at, what
    for citation in manuscript.citations:
        yield citation.at, _cited(citation)


def _cited(citation: Citation) -> str:
    return f"{citation.form} citation"


def _of_text(manuscript: Manuscript, at: Place) -> Iterator[tuple[Place, str]]:
    for atom in text_atoms(manuscript, at.path, at.span):
        what = _OF_TEXT.get(atom.kind, "")
        if atom.kind == atoms.NUMBER and atom.words.startswith("\\"):
            what = "quantity"
        if what:
            yield Place(at.path, Span(atom.start, atom.stop)), what
