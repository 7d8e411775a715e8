"""A review as people read it on a terminal: what is said, the points by rank, what it cost."""

from collections import Counter
from collections.abc import Iterable, Sequence

from reviser.app.json_output import position
from reviser.app.page import Page, Piece, Style
from reviser.app.text_output import SEVERITY_STYLE, SHOWN_ID
from reviser.findings import Severity
from reviser.pipeline.reviewing import Course, Listed, ReviewedPaper
from reviser.review.model import Criterion, Remedy, Review, Scorecard
from reviser.revise.decide import AUTHORS
from reviser.text.printable import many, printable, shortened

QUOTE_WIDTH = 300
COURSE_STYLE = {
    Course.REVISE: Style.GOOD,
    Course.REBUT: Style.WARNING,
    Course.EDIT: Style.GOOD,
    Course.AUTHOR: Style.NOTE,
    Course.OPEN: Style.FAINT,
}
TOLD = {
    Course.REVISE: "Revise",
    Course.REBUT: "Rebut",
    Course.EDIT: "'reviser improve' offers an edit",
    Course.AUTHOR: "For you to decide",
    Course.OPEN: "Open",
}
"""How each course is told, before its reason."""


def review_page(page: Page, reviewed: ReviewedPaper, *, verbose: bool, prefix: str = "") -> None:
    """The report of `review`. `prefix` leads from the present folder to the paper's root."""
    said = reviewed.review
    main = printable(prefix + reviewed.checked.manuscript.main)
    if said is None:
        page.heading(f"No review of {main} could be had")
    else:
        page.heading(f"Review of {main} by {printable(said.model)}")
        _review(page, said)
    _points(page, reviewed, prefix)
    if said is not None and said.criteria:
        page.heading("Criteria followed")
        _criteria(page, said.criteria, verbose=verbose)
    if said is not None:
        _list(page, "Not shown to the model", said.left_out)
    _list(page, "What came to nothing", reviewed.unusable)
    page.gap()
    for line in conclusion(reviewed):
        page.add(line, hang=2)


def conclusion(reviewed: ReviewedPaper) -> list[str]:
    """What else there is, and what was asked, as sentences that are safe to print."""
    said: list[str] = []
    if reviewed.silent:
        said.append(
            f"{many(reviewed.silent, 'point')} of the review left out: silenced, or not of the "
            "lines and rules asked for."
        )
    if reviewed.elsewhere:
        what = many(reviewed.elsewhere, "finding")
        said.append(f"{what} on the bibliography and other matters: see 'reviser check'.")
    if reviewed.checked.holdings is not None:
        held = printable(reviewed.checked.holdings.sentence)
        said.append(f"{held[0].upper()}{held[1:]}.")
    for asked in reviewed.asked:
        sentence = printable(asked.sentence)
        said.append(f"{sentence[0].upper()}{sentence[1:]}.")
    return said


def _review(page: Page, said: Review) -> None:
    page.add(printable(said.summary), indent=2, hang=2)
    page.heading("Marks")
    page.add(f"rating {said.rating:g} of 10, confidence {said.confidence:g} of 5", indent=2)
    for name, mark in (
        ("soundness", said.soundness),
        ("presentation", said.presentation),
        ("contribution", said.contribution),
    ):
        page.add(f"{name} {mark.score:g} of 4: {printable(mark.why)}", indent=2, hang=4)
    if said.scorecard is not None:
        _scorecard(page, said.scorecard)
    _list(page, "Strengths", said.strengths)
    _list(page, "Weaknesses", said.weaknesses)
    _list(page, "Questions", said.questions)


def _scorecard(page: Page, card: Scorecard) -> None:
    page.heading("Scorecard (1 to 5)")
    for grade in card.grades:
        spread = "" if grade.spread is None else f" (spread {grade.spread:.2f})"
        page.add(
            f"{grade.dimension.value} ",
            Piece(f"{grade.score:.1f}", Style.HEADING),
            f"{spread}: {printable(grade.why)}",
            indent=2,
            hang=4,
        )
        if grade.plan:
            page.add(Piece("To do better: ", Style.FAINT), printable(grade.plan), indent=4, hang=6)


def _points(page: Page, reviewed: ReviewedPaper, prefix: str) -> None:
    if not reviewed.listed:
        page.heading("No points")
        return
    page.heading(f"Points ({counted(reviewed)})")
    for listed in reviewed.listed:
        _point(page, listed, reviewed, prefix)


def counted(reviewed: ReviewedPaper) -> str:
    """How many points there are of each severity."""
    found = Counter(listed.point.severity for listed in reviewed.listed)
    return ", ".join(many(found[s], s.value) for s in Severity if found[s])


def _point(page: Page, listed: Listed, reviewed: ReviewedPaper, prefix: str) -> None:
    point = listed.point
    line, column, _ = position(point.place, reviewed.checked.manuscript.sources)
    page.add(
        Piece(printable(f"{prefix}{point.place.path}:{line}:{column}"), Style.PLACE),
        " ",
        Piece(point.severity.value, SEVERITY_STYLE[point.severity]),
        " ",
        Piece(f"{point.rule} {point.id[:SHOWN_ID]}", Style.FAINT),
        f" {printable(point.message)}",
        hang=4,
    )
    page.add(
        Piece("| ", Style.FAINT), shortened(printable(point.quote), QUOTE_WIDTH), indent=4, hang=6
    )
    page.add(Piece(printable(remedy(listed)), Style.FAINT), indent=4, hang=6)
    page.add(
        Piece(TOLD[listed.course], COURSE_STYLE[listed.course]),
        *_reason(listed),
        indent=4,
        hang=6,
    )


def remedy(listed: Listed) -> str:
    """The dimension of a point, who can mend it and how, and what that takes."""
    point = listed.point
    how = f" ({point.action.value})" if point.action is not None else ""
    who = "an edit could mend it" if point.remedy is Remedy.TOOL else "only an author can mend it"
    needs = f"; it takes: {point.needs}" if point.needs else ""
    return f"{point.dimension.value}; {who}{how}{needs}"


def reason(listed: Listed) -> str:
    """Why it takes this course; "" where the course says all there is."""
    why = "" if listed.decision is None else listed.decision.why
    if listed.course is Course.AUTHOR:
        why = why.removeprefix(AUTHORS).removeprefix(": ")
    return why


def _reason(listed: Listed) -> Sequence[str | Piece]:
    why, decision = reason(listed), listed.decision
    said: list[str | Piece] = [f": {printable(why)}" if why else "."]
    if decision is None:
        return said
    for label, text in (("To do: ", decision.instruction), ("Answer: ", decision.rebuttal)):
        if text:
            said += [" ", Piece(label, Style.FAINT), printable(text)]
    return said


def _criteria(page: Page, criteria: Sequence[Criterion], *, verbose: bool) -> None:
    if not verbose:
        names = "; ".join(printable(criterion.name) for criterion in criteria)
        page.add(f"{names} (-v tells them in full)", indent=2, hang=4)
        return
    for criterion in criteria:
        page.add(
            Piece(printable(criterion.name), Style.HEADING),
            f": {printable(criterion.instruction)}",
            Piece(f" ({sources(criterion)})" if criterion.sources else "", Style.FAINT),
            indent=2,
            hang=4,
        )


def sources(criterion: Criterion) -> str:
    """What a criterion was learnt from."""
    return f"from {printable(', '.join(criterion.sources))}"


def _list(page: Page, heading: str, texts: Iterable[str]) -> None:
    told = [printable(text) for text in texts]
    if told:
        page.heading(heading)
    for text in told:
        page.add(f"- {text}", indent=2, hang=4)
