"""The findings an old paper starts with: accepted once, so that only new ones are heard.

The file is JSON, made for a repository: sorted, one line a rule, and without a word of the paper
(fingerprints are digests). See `make` for its shape.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from reviser.errors import SettingsError
from reviser.findings import Finding, Severity, fingerprinted
from reviser.text.source import Place, Span

SCHEMA = "reviser.baseline/1"
STALE = "stale-baseline"

# The rule of this module, as (id, severity, summary).
META_RULES = ((STALE, Severity.NOTE, "the baseline accepts findings that are gone"),)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was accepted: fingerprints by path and rule. `where` names the file it came from."""

    accepted: Mapping[str, Mapping[str, frozenset[str]]]
    where: str = "the baseline"


def make(findings: Iterable[Finding]) -> str:
    """The baseline file that accepts every finding not silenced already.

    `{"schema": ..., "accepted": {path: {rule: [fingerprint, ...]}}}`, in UTF-8 with escapes.
    """
    table: dict[str, dict[str, set[str]]] = {}
    for finding in findings:
        if finding.suppressed is None and finding.rule != STALE:
            rules = table.setdefault(finding.place.path, {})
            rules.setdefault(finding.rule, set()).add(finding.fingerprint)
    rows = ",\n".join(
        f"    {json.dumps(path)}: {{\n"
        + ",\n".join(
            f"      {json.dumps(rule)}: {json.dumps(sorted(prints))}"
            for rule, prints in sorted(rules.items())
        )
        + "\n    }"
        for path, rules in sorted(table.items())
    )
    body = f"{{\n{rows}\n  }}" if rows else "{}"
    return f'{{\n  "schema": "{SCHEMA}",\n  "accepted": {body}\n}}\n'


def read(text: str, *, where: str = "the baseline") -> Baseline:
    """The baseline in `text`. Raises SettingsError, naming `where`, when it is not one."""
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _wrong(where, f"it is not JSON ({error})") from error
    if not isinstance(data, dict):
        raise _wrong(where, "it is not a JSON object")
    if data.get("schema") != SCHEMA:
        raise _wrong(where, f"its schema is {data.get('schema')!r}, not {SCHEMA!r}")
    accepted = data.get("accepted")
    if not isinstance(accepted, dict):
        raise _wrong(where, "'accepted' is missing or not an object")
    return Baseline({path: _rules(rules, path, where) for path, rules in accepted.items()}, where)


def _rules(rules: object, path: str, where: str) -> dict[str, frozenset[str]]:
    if not isinstance(rules, dict):
        raise _wrong(where, f"what it accepts in {path!r} is not an object")
    result = {}
    for rule, prints in rules.items():
        if not isinstance(prints, list) or not all(isinstance(p, str) for p in prints):
            raise _wrong(where, f"{rule!r} in {path!r} is not a list of fingerprints")
        result[rule] = frozenset(prints)
    return result


def _wrong(where: str, why: str) -> SettingsError:
    return SettingsError(
        f"{where}: this is no baseline: {why}", hint="`reviser baseline` writes a new one."
    )


def apply(
    findings: Iterable[Finding],
    baseline: Baseline,
    *,
    main: str,
    ran: Collection[str] | None = None,
) -> tuple[Finding, ...]:
    """The findings, accepted ones silenced, with a note on what the baseline accepts in vain.

    The note stands at the beginning of `main`, since its own file may be gone. Rules that are
    not in `ran` (all, by default) were not run, so that nothing is known of theirs.
    """
    result = []
    met: set[tuple[str, str, str]] = set()
    for finding in findings:
        path, rule = finding.place.path, finding.rule
        if finding.fingerprint in baseline.accepted.get(path, {}).get(rule, ()):
            met.add((path, rule, finding.fingerprint))
            if finding.suppressed is None:
                finding = replace(finding, suppressed=f"accepted in {baseline.where}")  # noqa: PLW2901
        result.append(finding)
    stale = Counter(
        (path, rule)
        for path, rules in baseline.accepted.items()
        for rule, prints in rules.items()
        for fingerprint in prints
        if (path, rule, fingerprint) not in met and (ran is None or rule in ran)
    )
    return (*result, *_stale(stale, baseline.where, main))


def _stale(stale: Mapping[tuple[str, str], int], where: str, main: str) -> tuple[Finding, ...]:
    """One note for all that is stale: it is good news and asks for one command."""
    if not stale:
        return ()
    parts = [f"{count} of {rule} in {path}" for (path, rule), count in sorted(stale.items())]
    shown = "; ".join(parts[:5]) + (f"; and {len(parts) - 5} more" if len(parts) > 5 else "")
    message = (
        f"{where} accepts findings that are gone: {shown}. "
        "Run `reviser baseline` again, so that they cannot come back unheard."
    )
    return fingerprinted([Finding(STALE, Place(main, Span(0, 0)), "", message, Severity.NOTE)])
