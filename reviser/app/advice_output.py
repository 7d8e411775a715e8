"""What models said of a paper and what became of it, for people: review, judge, points, cost."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from reviser.app.json_output import position
from reviser.app.page import Page, Piece, Style
from reviser.app.text_output import SEVERITY_STYLE, SHOWN_ID
from reviser.budget import Asked
from reviser.pipeline.improving import Improved
from reviser.review.model import Review
from reviser.review.point_rules import is_reviewed
from reviser.revise.outcomes import Became, Fate, fates
from reviser.revise.treatment import JudgeReport, Round
from reviser.revise.verdict import MEAN, Score, Verdict
from reviser.text.diff import Change, words
from reviser.text.edit import Replacement
from reviser.text.printable import many, printable, printable_line, shortened
from reviser.text.source import Source

_STYLE = {
    Fate.REVISED: Style.GOOD,
    Fate.REBUTTED: Style.NOTE,
    Fate.AUTHORS: Style.HEADING,
    Fate.REFUSED: Style.WARNING,
    Fate.UNDECIDED: Style.WARNING,
    Fate.NOT_DRAFTED: Style.WARNING,
    Fate.DROPPED: Style.FAINT,
    Fate.MERGED: Style.FAINT,
    Fate.OPEN: Style.WARNING,
}
_SHORT, _LONG = 300, 2_000
_BESIDE = 80  # characters beside a replacement that are shown
_BLANKS = re.compile(r"\s{2,}")
_AROUND = 40  # characters kept on each side of changed words
_MOST_SAID = 3  # kinds of useless answers that are told without -v


def add_advice(page: Page, improved: Improved, *, verbose: bool, prefix: str = "") -> None:
    """The rounds, each with its review in short and its points, then what is known of the judge."""
    advice = improved.advice
    if advice is None:
        return
    sources = improved.before.manuscript.sources
    for one, every in zip(advice.rounds, fates(advice, improved.verdicts), strict=True):
        points = [became for became in every if is_told(became)]
        _add_round(page, one, points, verbose=verbose)
        for became in points:
            _add_point(page, became, improved, sources, prefix, verbose=verbose)
        _add_unusable(page, one.unusable, verbose=verbose)
    page.gap()
    page.add(f"Reviewing ended: {printable(advice.ended)}.", hang=2)
    _add_judge(page, advice.judge)


def is_told(became: Became) -> bool:
    """Whether a point stands among its round: what a rule found and only the authors can mend is
    told among the findings."""
    return is_reviewed(became.point) or became.fate is not Fate.AUTHORS


def add_costs(page: Page, asked: Sequence[Asked], *, verbose: bool) -> None:
    """What each model was asked and what that cost; with `verbose` step by step."""
    for one in asked:
        said = printable(one.sentence)
        page.add(f"{said[0].upper()}{said[1:]}.", hang=2)
        if not verbose:
            continue
        steps: dict[str, list[int]] = {}
        for call in one.calls:
            row = steps.setdefault(call.prompt, [0, 0, 0])
            row[0] += 1
            row[1] += call.taped
            row[2] += 0 if call.taped else call.tokens_in + call.tokens_out
        for prompt, (calls, taped, tokens) in sorted(steps.items()):
            tape = f", {taped} from the tape" if taped else ""
            told = f"{printable(prompt)}: {many(calls, 'question')}, {tokens:,} tokens{tape}"
            page.add(Piece(told, Style.FAINT), indent=4, hang=6)


def _add_round(page: Page, one: Round, points: Sequence[Became], *, verbose: bool) -> None:
    counted = Counter(became.fate for became in points)
    told = ", ".join(f"{counted[fate]} {fate.value}" for fate in Fate if counted[fate])
    page.heading(
        f"Round {one.number}: {many(len(points), 'point')}" + (f" ({told})" if told else "")
    )
    if one.review is None:
        page.add(Piece("There is no review that could be used.", Style.WARNING), indent=2)
    else:
        _add_review(page, one.review, verbose=verbose)


def _add_review(page: Page, review: Review, *, verbose: bool) -> None:
    marks = ", ".join(
        f"{name} {mark.score:g}"
        for name, mark in (
            ("soundness", review.soundness),
            ("presentation", review.presentation),
            ("contribution", review.contribution),
        )
    )
    criteria = (
        f" by {many(len(review.criteria), 'criterion', 'criteria')}" if review.criteria else ""
    )
    page.add(
        Piece(f"{review.rating:g}/10", Style.HEADING),
        f" (confidence {review.confidence:g}/5; {marks} of 4), read by "
        f"{printable(review.model)}{criteria}: {shortened(printable(review.summary), _SHORT)}",
        indent=2,
        hang=4,
    )
    if verbose:
        for name, said in (
            ("Strength", review.strengths),
            ("Weakness", review.weaknesses),
            ("Question", review.questions),
        ):
            for text in said:
                page.add(Piece(f"{name}: ", Style.HEADING), printable(text), indent=4, hang=6)
    if review.left_out:
        hidden = "; ".join(map(printable, review.left_out)) if verbose else ""
        hidden = hidden or f"{many(len(review.left_out), 'passage')} (-v lists them)"
        page.add(Piece(f"Not shown to it: {hidden}.", Style.FAINT), indent=4, hang=6)


def _add_point(
    page: Page,
    became: Became,
    improved: Improved,
    sources: Mapping[str, Source],
    prefix: str,
    *,
    verbose: bool,
) -> None:
    point, advice = became.point, improved.advice
    place = advice.origins.get(point.id, point.place) if advice is not None else point.place
    line, column, _ = position(place, sources)
    page.add(
        Piece(printable(f"{prefix}{place.path}:{line}:{column}"), Style.PLACE),
        " ",
        Piece(point.severity.value, SEVERITY_STYLE[point.severity]),
        " ",
        Piece(f"{point.rule} {point.id[:SHOWN_ID]}", Style.FAINT),
        f" {printable(point.message)}",
        hang=4,
    )
    why = _why(became)
    if became.fate is not Fate.REVISED or verbose:
        why = shortened(why, _LONG if verbose else _SHORT)
    page.add(
        Piece(became.fate.value, _STYLE[became.fate]),
        f": {why}" if why else "",
        indent=4,
        hang=6,
    )
    if became.decision is not None and became.decision.rebuttal:
        answer = printable(became.decision.rebuttal)
        page.add(Piece(f'"{answer}"', Style.QUOTE), indent=4, hang=6)
    if became.verdict is not None and (became.fate is Fate.REVISED or verbose):
        for part in became.verdict.edit.replacements:
            page.add(*changed_words(page, part, sources), indent=4, hang=6)


def _why(became: Became) -> str:
    verdict = became.verdict
    if became.fate is Fate.AUTHORS:
        needs = became.point.needs
        return f"it takes {printable(needs)}" if needs else ""
    if verdict is None:
        return printable(became.why)
    if became.fate is Fate.REVISED:
        held = next((r for r in verdict.reasons if "taken up into" in r), "")
        gained = gain(verdict)
        return held or gained or printable(verdict.layer.value)
    return f"by the {verdict.layer.value}: {printable(became.why)}"


def gain(verdict: Verdict) -> str:
    """The judge's weighted mean before and after, else the first score that there is; "" where
    nothing was scored. The evidence's figures come first but say less: they may fall a little."""
    after = {score.name: score for score in verdict.after}
    for score in sorted(verdict.before, key=lambda score: score.name != MEAN):
        now = after.get(score.name)
        if now is not None and score.value is not None and now.value is not None:
            return f"{printable(score.name)} {score.value:.2f} -> {now.value:.2f}{_within(score)}"
    return ""


def _within(score: Score) -> str:
    return "" if score.spread is None else f" (spread {score.spread:.2f})"


def changed_words(page: Page, part: Replacement, sources: Mapping[str, Source]) -> Sequence[Piece]:
    """Old and new words of a replacement in one line, as `git diff --word-diff` shows them where
    there are no colours, with some words around; unchanged stretches are cut short."""
    plain = page.width is None
    pieces: list[Piece] = []
    found = words(*_with_surroundings(part, sources))
    for number, piece in enumerate(found):
        text = _BLANKS.sub(" ", " ".join(printable_line(line) for line in piece.text.split("\n")))
        match piece.change:
            case Change.SAME:
                pieces.append(Piece(_middle(text, number == 0, number == len(found) - 1)))
            case Change.LOST:
                pieces.append(Piece(f"[-{text}-]" if plain else text, Style.LOST_WORD))
            case Change.GAINED:
                pieces.append(Piece(f"{{+{text}+}}" if plain else text, Style.GAINED_WORD))
    return pieces


def _with_surroundings(part: Replacement, sources: Mapping[str, Source]) -> tuple[str, str]:
    """Old and new words with those that stand beside them on the same lines."""
    source, span = sources.get(part.at.path), part.at.span
    if source is None or source[span] != part.before:
        return part.before, part.after
    lead = source.text[: span.start].rpartition("\n")[2]
    tail = source.text[span.stop :].partition("\n")[0]
    if len(lead) > _BESIDE:
        lead = f"... {lead[-_BESIDE:].partition(' ')[2]}"
    if len(tail) > _BESIDE:
        tail = f"{tail[:_BESIDE].rpartition(' ')[0]} ..."
    return f"{lead}{part.before}{tail}", f"{lead}{part.after}{tail}"


def _middle(text: str, first: bool, last: bool) -> str:
    if len(text) <= 2 * _AROUND + 5:
        return text
    head, tail = text[:_AROUND], text[-_AROUND:]
    head, tail = head.rpartition(" ")[0] or head, tail.partition(" ")[2] or tail
    if first:
        return f"... {tail}"
    return f"{head} ..." if last else f"{head} ... {tail}"


def _add_unusable(page: Page, unusable: Sequence[str], *, verbose: bool) -> None:
    if not unusable:
        return
    counted = Counter(unusable)
    page.add(
        Piece(f"Asked in vain ({len(unusable)}): ", Style.WARNING),
        "; ".join(
            printable(why) + (f" ({count} times)" if count > 1 else "")
            for why, count in counted.most_common(None if verbose else _MOST_SAID)
        )
        + ("; ..." if len(counted) > _MOST_SAID and not verbose else "."),
        indent=2,
        hang=4,
    )


def _add_judge(page: Page, judge: JudgeReport | None) -> None:
    if judge is None:
        return
    spread = (
        "not measured"
        if judge.spread is None
        else f"{judge.spread:.2f} in {many(judge.trials, 'scoring')} of unchanged text"
    )
    noticed = [name for name, seen in judge.controls if seen]
    missed = [name for name, seen in judge.controls if not seen]
    said = f"Judge: {printable(judge.model)}; spread {spread}"
    if judge.controls:
        said += f"; told apart: {', '.join(map(printable, noticed)) or 'nothing'}"
    if missed:
        said += f"; not: {', '.join(map(printable, missed))}"
    page.add(f"{said}.", hang=2)
    if not judge.sound:
        page.add(
            Piece(f"It may not accept on score alone: {printable(judge.why)}.", Style.WARNING),
            hang=2,
        )


def treated_ids(improved: Improved) -> frozenset[str]:
    """The ids of edits that are told beside their points."""
    if improved.advice is None:
        return frozenset()
    return frozenset(
        t.proposal.edit.id
        for one in improved.advice.rounds
        for t in one.treated
        if t.proposal is not None and t.proposal.edit is not None
    )
