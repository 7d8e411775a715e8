"""The report as people read it: findings by file, evidence under them, and what was not checked."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from reviser.app.choices import LOCK_FILE, SERVICES
from reviser.app.json_output import position
from reviser.app.page import Page, Piece, Style
from reviser.findings import Evidence, Finding, Severity
from reviser.pipeline.checking import Checked
from reviser.text.printable import many, printable, shortened
from reviser.text.source import Source
from reviser.verify.figures import Figure
from reviser.verify.model import Label, Support

SEVERITY_STYLE = {
    Severity.ERROR: Style.ERROR,
    Severity.WARNING: Style.WARNING,
    Severity.NOTE: Style.NOTE,
}
_LABEL_STYLE = {
    Label.SUPPORTED: Style.GOOD,
    Label.CONTRADICTED: Style.ERROR,
    Label.SILENT: Style.WARNING,
    Label.OFF_TOPIC: Style.WARNING,
    Label.ON_TOPIC: Style.PLAIN,
    Label.NOT_CHECKABLE: Style.FAINT,
    Label.UNCHECKED: Style.FAINT,
}
SHOWN_ID = 6
"""Characters of a fingerprint that are shown: enough to name a finding of one paper."""
_QUOTE_WIDTH = 300
_MANY = 40  # findings from which on a baseline is worth a hint


def check_page(page: Page, checked: Checked, *, verbose: bool, prefix: str = "") -> None:
    """The report of `check`. `prefix` leads from the present folder to the paper's root."""
    add_findings(page, checked, verbose=verbose, prefix=prefix)
    if verbose:
        add_verdicts(page, checked, prefix=prefix)
    add_conclusion(page, checked, verbose=verbose)
    if checked.supports and (verbose or checked.live):
        page.heading("Figures")
        add_figures(page, checked.figures)
    add_hints(page, checked, verbose=verbose)


def add_findings(page: Page, checked: Checked, *, verbose: bool, prefix: str = "") -> None:
    """Every finding that counts, by file; notes only when `verbose`."""
    shown = [f for f in checked.live if verbose or f.severity is not Severity.NOTE]
    for path, group in groupby(shown, key=lambda finding: finding.place.path):
        findings = list(group)
        page.heading(f"{printable(prefix + path)} ({tally(findings)})")
        for finding in findings:
            _finding(page, finding, checked.manuscript.sources, prefix)


def _finding(page: Page, finding: Finding, sources: Mapping[str, Source], prefix: str) -> None:
    line, column, _ = position(finding.place, sources)
    page.add(
        Piece(printable(f"{prefix}{finding.place.path}:{line}:{column}"), Style.PLACE),
        " ",
        Piece(finding.severity.value, SEVERITY_STYLE[finding.severity]),
        " ",
        Piece(f"{finding.rule} {finding.fingerprint[:SHOWN_ID]}".rstrip(), Style.FAINT),
        f" {printable(finding.message)}",
        hang=4,
    )
    quote = printable(finding.quote)
    if quote and quote not in printable(finding.message):
        page.add(Piece("| ", Style.FAINT), shortened(quote, _QUOTE_WIDTH), indent=4, hang=6)
    add_evidence(page, finding.evidence, indent=4)
    if finding.measured:
        page.add(Piece(f"Measured: {printable(finding.measured)}.", Style.FAINT), indent=4, hang=6)


def add_evidence(page: Page, evidence: Iterable[Evidence], *, indent: int) -> None:
    """Quoted words and where they stand."""
    for item in evidence:
        page.add(
            Piece(f'"{shortened(printable(item.text), _QUOTE_WIDTH)}"', Style.QUOTE),
            Piece(f" ({printable(item.where)})", Style.FAINT),
            indent=indent,
            hang=indent + 2,
        )


def add_verdicts(
    page: Page, checked: Checked, *, labels: Sequence[Label] = tuple(Label), prefix: str = ""
) -> None:
    """Every claim with what its cited works say, each with the sentence it rests on."""
    by_claim: dict[int, list[Support]] = {}
    for support in checked.supports:
        if support.label in labels:
            by_claim.setdefault(support.claim, []).append(support)
    shown = [(c, s) for c, s in by_claim.items() if checked.shows(checked.claims[c].at)]
    if shown:
        page.heading("Verdicts")
    for number, supports in shown:
        claim = checked.claims[number]
        line, _, _ = position(claim.at, checked.manuscript.sources)
        page.add(
            Piece(printable(f"{prefix}{claim.at.path}:{line}"), Style.PLACE),
            f" {shortened(printable(claim.text), _QUOTE_WIDTH)}",
            hang=4,
        )
        for support in supports:
            _support(page, support)


def _support(page: Page, support: Support) -> None:
    read = support.label not in {Label.UNCHECKED, Label.NOT_CHECKABLE}
    # The model behind the check is named once, in the conclusion.
    check = printable(support.check.partition(" (")[0])
    score = "" if support.score is None else f" {support.score:.2f}"
    page.add(
        Piece(printable(support.key), Style.HEADING),
        ": ",
        Piece(support.label.value, _LABEL_STYLE[support.label]),
        Piece(f" [{check}{score}] " if read else " ", Style.FAINT),
        printable(support.why),
        indent=4,
        hang=8,
    )
    if read:
        best = support.passages[:1]
        add_evidence(page, (Evidence(p.text, p.told) for p in best), indent=8)
    if support.leads:
        leads = ", ".join(f"{lead.kind} {printable(lead.text)!r}" for lead in support.leads)
        page.add(Piece(f"not in the evidence: {leads}", Style.NOTE), indent=8, hang=10)


def add_conclusion(page: Page, checked: Checked, *, verbose: bool) -> None:
    """How much was found, how much was checked, and why the rest was not."""
    notes = sum(f.severity is Severity.NOTE for f in checked.live)
    silenced = sum(f.suppressed is not None for f in checked.findings)
    page.gap()
    total = tally(checked.live) or "no findings"
    extra = [f"{silenced} silenced by suppressions, settings or the baseline"] if silenced else []
    if checked.outside:
        extra.append(f"{checked.outside} outside the change")
    style = Style.GOOD if not checked.live else Style.HEADING
    page.add(
        Piece(total[0].upper() + total[1:], style),
        f" in {many(len(checked.manuscript.files), 'file')}"
        + (f" ({'; '.join(extra)})." if extra else "."),
        hang=2,
    )
    sentence = checked.coverage.sentence
    page.add(f"{sentence[0].upper()}{sentence[1:]}.", hang=2)
    if checked.holdings is not None:
        held = printable(checked.holdings.sentence)
        page.add(f"{held[0].upper()}{held[1:]}.", hang=2)
    if checked.supports:
        labels = Counter(s.label for s in checked.shown_supports)
        said = "; ".join(f"{labels[label]} {label.value}" for label in Label if labels[label])
        page.add(f"Verdicts: {said}.", hang=2)
        model = checked.coverage.nli
        page.add(f"Citation NLI: {printable(model) if model else 'not run'}.", hang=2)
    if checked.recalled:
        page.add(f"{many(checked.recalled, 'verdict')} from {LOCK_FILE}.", hang=2)
    if checked.spent is not None:
        spent = printable(checked.spent.sentence)
        page.add(f"{spent[0].upper()}{spent[1:]}.", hang=2)
    if notes and not verbose:
        page.add(Piece(f"{many(notes, 'note')} not shown: -v shows them.", Style.FAINT), hang=2)


def add_figures(
    page: Page, before: Sequence[Figure], after: Sequence[Figure] | None = None
) -> None:
    """A table of figures; with `after`, what they were and what they are.

    A figure of something that was not run is left out: the conclusion says so in words.
    """
    later = {figure.name: figure for figure in after or ()}
    told = [figure for figure in before if figure.value is not None or not figure.of]
    width = max((len(figure.name) for figure in told), default=0)
    for figure in told:
        now = later.get(figure.name, figure)
        texts = [_value(figure)] if after is None else [_value(figure), "->", _value(now)]
        page.add(
            f"{figure.name:<{width}}  {' '.join(texts)}",
            Piece(_beside(now), Style.FAINT),
            indent=2,
            hang=6,
        )


def _value(figure: Figure) -> str:
    if figure.value is None:
        return "unknown"
    return f"{figure.value:.3f}" + (f" ({figure.count} of {figure.of})" if figure.of else "")


def _beside(figure: Figure) -> str:
    if figure.value is None:
        return f"  {printable(figure.why)}" if figure.why else ""
    return f"  {figure.unknown:.0%} unknown" if figure.unknown else ""


def add_hints(page: Page, checked: Checked, *, verbose: bool, improving: bool = False) -> None:
    """What to do next, at most three things, none of them on a clean paper."""
    hints = []
    if checked.edits and not improving:
        hints.append(
            f"reviser improve --dry-run shows {many(len(checked.edits), 'proposed edit')}; "
            "reviser improve applies those that pass every check."
        )
    labels = Counter(s.label for s in checked.supports)
    textless = sum(s.label is Label.UNCHECKED and not s.passages for s in checked.supports)
    if textless * 2 > len(checked.supports):
        hints.append(f"Most cited works have no text to check against: {_more_texts(checked)}.")
    if len(checked.live) > _MANY:
        hints.append("reviser baseline accepts today's findings, so that only new ones are shown.")
    if verbose and labels[Label.ON_TOPIC] and checked.coverage.nli is None:
        hints.append(
            "--nli MODEL or --verifier llm lets a verifier say which claims are supported."
        )
    if hints:
        page.heading("Next")
        for hint in hints[:3]:
            page.add(hint, indent=2, hang=4)


def _more_texts(checked: Checked) -> str:
    """Where texts may be had that nobody has looked for yet."""
    own = "--sources takes your own texts and exports"
    asked = () if checked.holdings is None else checked.holdings.asked
    if len(asked) >= len(SERVICES):
        return own
    others = "other literature services as well" if asked else "literature services for abstracts"
    return f"--lookup all asks {others}; {own}"


def tally(findings: Iterable[Finding]) -> str:
    """ "2 errors, 1 warning", empty when there is nothing."""
    counted = Counter(f.severity for f in findings)
    return ", ".join(many(counted[s], s.value) for s in Severity if counted[s])
