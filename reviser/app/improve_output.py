"""What `improve` did, for people: the edits, the diff, what was refused and why, the figures."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest

from reviser.app.advice_output import add_advice, add_costs, treated_ids
from reviser.app.diff_output import add_diff
from reviser.app.json_output import position
from reviser.app.page import Page, Piece, Style
from reviser.app.text_output import add_conclusion, add_figures, add_findings, add_hints
from reviser.findings import Severity
from reviser.pipeline.checking import Checked
from reviser.pipeline.improving import Improved
from reviser.review.point_rules import RULES as POINT_RULES
from reviser.revise.verdict import Outcome, Verdict
from reviser.text.edit import Edit, Replacement
from reviser.text.printable import many, printable, printable_line, shortened
from reviser.text.source import Source

_WIDTH = 60


def improve_page(
    page: Page, improved: Improved, *, done: str, verbose: bool, prefix: str = ""
) -> None:
    """The report of `improve`. `done` says what became of the accepted edits."""
    sources = improved.before.manuscript.sources
    accepted = improved.accepted
    beside = treated_ids(improved)
    if accepted:
        page.heading(f"{many(len(accepted), 'edit')} {done}")
        for verdict in accepted:
            if verdict.edit.id not in beside:
                add_edit(page, verdict.edit, sources, prefix=prefix)
    add_advice(page, improved, verbose=verbose, prefix=prefix)
    if accepted and (verbose or improved.advice is None):
        page.heading("Diff")
        add_revision(page, improved, prefix=prefix)
    add_refused(page, improved, prefix=prefix)
    remaining = _told_elsewhere(improved)
    if any(verbose or finding.severity is not Severity.NOTE for finding in remaining.live):
        page.heading("What remains" if accepted else "Findings")
    add_findings(page, remaining, verbose=verbose, prefix=prefix)
    if improved.before.supports:
        page.heading("Figures, before -> after")
        add_figures(page, improved.before.figures, improved.after.figures)
    if not accepted:
        page.gap()
        page.add(
            Piece(
                "Nothing was changed." if improved.verdicts else "Nothing to change.", Style.HEADING
            )
        )
    told = replace(improved.after, spent=None) if improved.asked else improved.after
    add_conclusion(page, told, verbose=verbose)
    add_costs(page, improved.asked, verbose=verbose)
    add_hints(page, improved.after, verbose=verbose, improving=True)


def _told_elsewhere(improved: Improved) -> Checked:
    """What is left of the paper's faults, without the points that stand among their rounds."""
    if improved.advice is None:
        return improved.after
    told = {point.id for one in improved.advice.rounds for point in one.points}
    rest = tuple(
        f for f in improved.after.findings if f.fingerprint not in told or f.rule not in POINT_RULES
    )
    return replace(improved.after, findings=rest)


def add_revision(page: Page, improved: Improved, *, prefix: str = "") -> None:
    """The whole diff, file after file."""
    for path in sorted(improved.revision.after):
        before = improved.revision.before[path]
        add_diff(page, before, improved.revision.after[path], prefix=prefix)


def add_edit(page: Page, edit: Edit, sources: Mapping[str, Source], *, prefix: str = "") -> None:
    """One edit: where, what, why, and the words it rests on."""
    first = edit.replacements[0]
    line, column, _ = position(first.at, sources)
    page.add(
        Piece(printable(f"{prefix}{first.at.path}:{line}:{column}"), Style.PLACE),
        f" {edit.purpose.value}: ",
        *_change(first),
        Piece(_elsewhere(edit), Style.FAINT),
        hang=4,
    )
    page.add(printable(edit.why), indent=4)
    _add_entries(page, edit)
    for words, key in zip_longest(edit.evidence, _quoted_keys(edit)):
        quote = Piece(f'"{shortened(printable(words), 300)}"', Style.QUOTE)
        said = (quote, Piece(f" ({printable(key)})", Style.FAINT)) if key else (quote,)
        page.add(*said, indent=4, hang=6)
    for ground in edit.grounds:
        page.add(
            f"{shortened(printable(ground.said), 60)} ({printable(ground.key)}, "
            f"{printable(ground.where)}): ",
            Piece(f'"{shortened(printable(ground.quote), 200)}"', Style.QUOTE),
            indent=4,
            hang=6,
        )


def _add_entries(page: Page, edit: Edit) -> None:
    """The new entries of the bibliography, whole."""
    entered = {allowed.at for allowed in edit.allows if allowed.kind == "entry" and allowed.gained}
    for part in edit.replacements:
        if part.at not in entered or part.before:
            continue
        page.add(f"new in {printable(part.at.path)}:", indent=4)
        for line in part.after.strip().splitlines():
            page.add(Piece(printable_line(line), Style.GAINED), indent=6, hang=8)


def _quoted_keys(edit: Edit) -> tuple[str, ...]:
    """Whose words the evidence is, where there is one quote for each key that goes or comes."""
    keys = tuple(
        key
        for allowed in edit.allows
        if allowed.kind == "citation key"
        for key in (allowed.lost, allowed.gained)
        if key
    )
    return keys if len(keys) == len(edit.evidence) else ()


def add_refused(page: Page, improved: Improved, *, prefix: str = "") -> None:
    """Every edit the gate did not let through, with the layer that spoke and its reasons."""
    beside = treated_ids(improved)
    made = {Outcome.ACCEPTED, Outcome.SUPERSEDED}
    refused = [v for v in improved.verdicts if v.outcome not in made and v.edit.id not in beside]
    if not refused:
        if improved.verdicts and improved.advice is None:
            page.gap()
            page.add("Every proposed edit passed the gate; none was refused.")
        return
    counted = Counter(v.outcome for v in refused)
    said = ", ".join(f"{count} {outcome.value}" for outcome, count in sorted(counted.items()))
    page.heading(f"{many(len(refused), 'edit')} not made ({said})")
    for verdict in refused:
        add_edit(page, verdict.edit, improved.before.manuscript.sources, prefix=prefix)
        add_reasons(page, verdict)


def add_reasons(page: Page, verdict: Verdict) -> None:
    """What the gate said of an edit, after the layer that spoke."""
    said = "; ".join(printable(reason) for reason in verdict.reasons) or "no reason given"
    page.add(
        Piece(f"{verdict.outcome.value} ({verdict.layer.value})", Style.WARNING),
        f": {said}",
        indent=4,
        hang=6,
    )


def _change(replacement: Replacement) -> tuple[Piece, ...]:
    before = shortened(printable(replacement.before), _WIDTH)
    after = shortened(printable(replacement.after), _WIDTH)
    if not before:
        return (Piece("insert "), Piece(after or "a space", Style.GAINED))
    if not after:
        return (Piece("remove "), Piece(before, Style.LOST))
    return (Piece(before, Style.LOST), Piece(" -> "), Piece(after, Style.GAINED))


def _elsewhere(edit: Edit) -> str:
    more = len(edit.replacements) - 1
    return f" (and {many(more, 'other place')})" if more else ""
