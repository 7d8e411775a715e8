"""How much there is of everything, and what there was to check against, as data."""

from collections import Counter
from typing import TypedDict

from reviser.findings import Severity
from reviser.pipeline.checking import Checked


class HoldingsData(TypedDict):
    """How many of the cited works have text, from whom, and which sources did not answer."""

    cited: int
    held: int
    by: dict[str, int]
    silent: list[str]


class CountsData(TypedDict):
    """How much there is of everything; `not_checked` counts citations by reason."""

    files: int
    claims: int
    citations: int
    checked: int
    not_checked: dict[str, int]
    labels: dict[str, int]
    error: int
    warning: int
    note: int
    suppressed: int


def counts(checked: Checked) -> CountsData:
    """How much there is of everything."""
    live = Counter(f.severity for f in checked.findings if f.suppressed is None)
    return {
        "files": len(checked.manuscript.files),
        "claims": sum(checked.shows(claim.at) for claim in checked.claims),
        "citations": checked.coverage.total,
        "checked": checked.coverage.checked,
        "not_checked": dict(checked.coverage.not_checked),
        "labels": dict(sorted(Counter(s.label.value for s in checked.shown_supports).items())),
        "error": live[Severity.ERROR],
        "warning": live[Severity.WARNING],
        "note": live[Severity.NOTE],
        "suppressed": sum(f.suppressed is not None for f in checked.findings),
    }


def holdings_data(checked: Checked) -> HoldingsData | None:
    """What there was to check against, null where nobody looked for it."""
    held = checked.holdings
    if held is None:
        return None
    return {
        "cited": held.cited,
        "held": held.held,
        "by": dict(held.by),
        "silent": [str(one) for one in held.silent],
    }
