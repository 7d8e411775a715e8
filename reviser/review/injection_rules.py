"""The rule on instructions to reviewers or language models that stand in a paper's files.

It reads prose, comments and bibliographies alike, since a program reads all of them. What is quoted
is left alone, and in a paper about prompt injection what remains is only a note.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable

from reviser.findings import Severity
from reviser.latex.orders import Order, clusters, orders_in
from reviser.manuscript.model import Manuscript
from reviser.review.raised import Raised, raised
from reviser.review.typeset import LONGEST, Page, in_marks, pages
from reviser.text.source import Place, Source, Span

_ABOUT_INJECTION = re.compile(
    r"\b(?:prompt[\s-]{1,3}injections?|jailbreak|adversarial[\s]{1,3}prompts?|hidden[\s]{1,3}prompts?)",
    re.IGNORECASE,
)
_TITLES = frozenset(("title", "booktitle", "journal", "url", "file", "series", "shorttitle"))


def injected_instruction(manuscript: Manuscript) -> Iterable[Raised]:
    """An order to whoever judges the paper: "ignore previous instructions", "accept this"."""
    by_path = {page.path: page for page in pages(manuscript)}
    subject = any(_ABOUT_INJECTION.search(page.prose) for page in by_path.values())
    for facts in manuscript.files:
        source = manuscript.sources.get(facts.path)
        if source is None or facts.role == "style":
            continue
        page = by_path.get(source.path)
        shown = _shown(manuscript, source.path)
        orders = [
            order
            for order in orders_in(source.text)
            if not _stands_in(shown, order.start) and not _quoted(source, page, order)
        ]
        for seen in (True, False):
            here = [order for order in orders if _is_printed(page, order) == seen]
            for span in clusters(source.text, here):
                yield _finding(manuscript, span, source, printed=seen, subject=subject)


def _finding(
    manuscript: Manuscript, span: Span, source: Source, *, printed: bool, subject: bool
) -> Raised:
    severity = Severity.ERROR if printed else Severity.WARNING
    if subject and printed:
        severity = Severity.NOTE
    where = "" if printed else " It stands where nobody but a program reads it."
    message = (
        f"This instructs a reviewer or a language model that reads the paper.{where} Remove "
        "it: venues reject papers for it. If the paper discusses such text, put it in quotation "
        "marks."
    )
    place = Place(source.path, Span(span.start, min(span.stop, span.start + LONGEST)))
    return raised(manuscript, place, message, severity=severity)


def _is_printed(page: Page | None, order: Order) -> bool:
    """Whether it is text of the paper or of a bibliography, not of a comment."""
    return page is None or page.live[order.start : order.stop].strip() != ""


def _shown(manuscript: Manuscript, path: str) -> list[Span]:
    """Where such words are shown or are a title: listings, and titles in bibliographies."""
    spans = [s.at.span for s in manuscript.skipped if s.at.path == path and s.kind == "verbatim"]
    for entry in manuscript.entries:
        if entry.at.path != path:
            continue
        if entry.kind == "bibitem":
            spans.append(entry.at.span)
        spans += [field.at.span for field in entry.fields if field.name in _TITLES]
    return sorted(spans)


def _stands_in(spans: list[Span], offset: int) -> bool:
    at = bisect_right(spans, offset, key=lambda span: span.start) - 1
    return any(span.stop > offset for span in spans[max(0, at - 3) : at + 1])


def _quoted(source: Source, page: Page | None, order: Order) -> bool:
    if page is not None and _is_printed(page, order):
        return page.quotes(order.start, order.stop, styled=True)
    return in_marks(source.text, order.start, order.stop)
