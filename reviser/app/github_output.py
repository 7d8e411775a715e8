"""Findings as GitHub workflow commands, which become annotations on the changed lines."""

from collections import Counter
from collections.abc import Mapping

from reviser.adapters.actions import MOST, Level, annotation
from reviser.app.json_output import position
from reviser.app.text_output import tally
from reviser.findings import Finding, Severity
from reviser.pipeline.checking import Checked
from reviser.text.printable import printable

_LEVEL: Mapping[Severity, Level] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def github(checked: Checked, *, prefix: str = "") -> str:
    """One command per finding, at most ten of a level, and a plain last line that counts all.

    `prefix` leads from the present folder (the checkout, in a workflow) to the paper's root.
    """
    lines = []
    given: Counter[Severity] = Counter()
    for finding in sorted(checked.live, key=lambda f: (f.severity.rank, f.place)):
        given[finding.severity] += 1
        if given[finding.severity] <= MOST:
            lines.append(_command(finding, checked, prefix))
    dropped = sum(count - MOST for count in given.values() if count > MOST)
    summary = f"reviser: {tally(checked.live) or 'no findings'}; {checked.conclusion}"
    if dropped:
        summary += f"; {dropped} more than GitHub shows as annotations (use --format text or sarif)"
    # Never at the start of the line: a paper's words could otherwise be taken for a command.
    lines.append(printable(summary))
    return "".join(f"{line}\n" for line in lines)


def _command(finding: Finding, checked: Checked, prefix: str) -> str:
    line, column, last = position(finding.place, checked.manuscript.sources)
    said = [printable(finding.message)]
    said += [f'"{printable(e.text)}" ({printable(e.where)})' for e in finding.evidence]
    if finding.measured:
        said.append(f"Measured: {printable(finding.measured)}.")
    return annotation(
        _LEVEL[finding.severity],
        "\n".join(said),
        title=f"reviser: {finding.rule}",
        path=prefix + finding.place.path,
        lines=(line, last),
        column=column,
    )
