"""A review as Markdown, for a file or an issue. What models and papers say shows as it is and does
nothing there."""

from collections.abc import Iterable, Iterator, Sequence

from reviser.app.json_output import position
from reviser.app.review_text import QUOTE_WIDTH, TOLD, conclusion, counted, reason, remedy, sources
from reviser.app.text_output import SHOWN_ID
from reviser.deliver.markdown import clip, code, inline
from reviser.pipeline.reviewing import Listed, ReviewedPaper
from reviser.review.model import Criterion, Review, Scorecard
from reviser.text.printable import printable


def review_markdown(reviewed: ReviewedPaper, *, prefix: str = "") -> str:
    """The whole report. `prefix` leads from the present folder to the paper's root."""
    said = reviewed.review
    main = code(prefix + reviewed.checked.manuscript.main)
    if said is None:
        blocks = [f"# No review of {main} could be had"]
    else:
        blocks = [f"# Review of {main}", f"By {inline(said.model)}.", *_review(said)]
    blocks += _points(reviewed, prefix)
    if said is not None:
        blocks += _section("Criteria followed", map(_criterion, said.criteria))
        blocks += _section("Not shown to the model", map(inline, said.left_out))
    blocks += _section("What came to nothing", map(inline, reviewed.unusable))
    blocks += [inline(sentence) for sentence in conclusion(reviewed)]
    return "\n\n".join(blocks) + "\n"


def _review(said: Review) -> Iterator[str]:
    yield "## Summary"
    yield inline(said.summary)
    yield "## Marks"
    rows = [
        ("rating", f"{said.rating:g} of 10", ""),
        ("confidence", f"{said.confidence:g} of 5", ""),
        ("soundness", f"{said.soundness.score:g} of 4", said.soundness.why),
        ("presentation", f"{said.presentation.score:g} of 4", said.presentation.why),
        ("contribution", f"{said.contribution.score:g} of 4", said.contribution.why),
    ]
    yield _table(("", "mark", "why"), rows)
    if said.scorecard is not None:
        yield "## Scorecard"
        yield _scorecard(said.scorecard)
    yield from _section("Strengths", map(inline, said.strengths))
    yield from _section("Weaknesses", map(inline, said.weaknesses))
    yield from _section("Questions", map(inline, said.questions))


def _scorecard(card: Scorecard) -> str:
    rows = [(g.dimension.value, f"{g.score:.1f} of 5", g.why, g.plan) for g in card.grades]
    return _table(("dimension", "score", "why", "to do better"), rows)


def _points(reviewed: ReviewedPaper, prefix: str) -> Iterator[str]:
    if not reviewed.listed:
        yield "## No points"
        return
    yield f"## Points ({counted(reviewed)})"
    for number, listed in enumerate(reviewed.listed, 1):
        yield _point(number, listed, reviewed, prefix)


def _point(number: int, listed: Listed, reviewed: ReviewedPaper, prefix: str) -> str:
    point, decision, why = listed.point, listed.decision, reason(listed)
    line = position(point.place, reviewed.checked.manuscript.sources)[0]
    pad = " " * len(f"{number}. ")
    head = f"{code(f'{prefix}{point.place.path}:{line}')} **{point.severity.value}**"
    told = [
        f"{head} {inline(point.message)}",
        f"> {code(clip(printable(point.quote), QUOTE_WIDTH))}",
        f"{inline(remedy(listed))}; {code(f'{point.rule} {point.id[:SHOWN_ID]}')}",
        f"**{TOLD[listed.course]}**" + (f": {inline(why)}" if why else "."),
    ]
    if decision is not None and decision.instruction:
        told.append(f"To do: {inline(decision.instruction)}")
    if decision is not None and decision.rebuttal:
        told.append(f"Answer: {inline(decision.rebuttal)}")
    first, *rest = told
    return "\n\n".join([f"{number}. {first}", *(f"{pad}{line}" for line in rest)])


def _criterion(criterion: Criterion) -> str:
    learnt = f" ({inline(sources(criterion))})" if criterion.sources else ""
    return f"**{inline(criterion.name)}**: {inline(criterion.instruction)}{learnt}"


def _section(heading: str, items: Iterable[str]) -> list[str]:
    """A heading and a list of Markdown of ours; nothing where there are no items."""
    rows = [f"- {item}" for item in items]
    return [f"## {heading}", "\n".join(rows)] if rows else []


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    lines += [f"| {' | '.join(inline(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)
