"""Run the rules on a paper whose bibliography was made faulty, and see what they say of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviser.evaluate.entry_faults import EntryFault, inject_entries
from reviser.evaluate.fault import FaultKind, mover
from reviser.evaluate.trial import Reread
from reviser.findings import Finding
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Checked, Judges, Options, check
from reviser.pipeline.improving import improve
from reviser.text.edit import apply
from reviser.text.source import Place, Span


@dataclass(frozen=True, slots=True)
class EntryObservation:
    """What became of one fault of the bibliography. `rules` are the rules with a finding there.

    `edited`: an accepted edit touches it; `right`: the entry, or the key, says again what it said
    before the fault.
    """

    paper: str
    key: str
    kind: FaultKind
    rules: tuple[str, ...]
    edited: bool
    right: bool


@dataclass(frozen=True, slots=True)
class EntryTrial:
    """One injection into one bibliography. `stray` are the rules of findings that the clean paper
    does not have and that speak of none of the faults; `entries` the entries left as they were."""

    paper: str
    seed: int
    observations: tuple[EntryObservation, ...]
    stray: tuple[str, ...]
    entries: int


def run_entry_trial(
    paper: str, manuscript: Manuscript, judges: Judges, *, reread: Reread, seed: int
) -> EntryTrial:
    """Inject one fault of every kind into the bibliography, let the rules mend what they can
    (citations are not compared with works), and compare with the clean paper."""
    options = Options(verify=False)
    injection = inject_entries(manuscript, seed=seed)
    changed = apply(manuscript.sources, [injection.edit])
    clean = check(manuscript, options, judges)
    faulty = check(reread(changed), options, judges)
    improved = improve(faulty, options, judges, reread=lambda again: reread({**changed, **again}))
    fresh = _fresh(clean, faulty)
    passed = {verdict.edit.id for verdict in improved.accepted}
    changes = [r for e in faulty.edits if e.id in passed for r in e.replacements]
    moved = mover(changes)
    touched = [change.at for change in changes]
    observations = []
    for fault in injection.faults:
        after = [
            Place(at.path, Span(moved(at.path, at.span.start), moved(at.path, at.span.stop)))
            for at in fault.regions
        ]
        about = [f for f in fresh if _speaks_of(f, fault)]
        edited = any(_within(at, fault.regions) for at in touched)
        observations.append(
            EntryObservation(
                paper=paper,
                key=fault.names[0],
                kind=fault.kind,
                rules=tuple(sorted({f.rule for f in about})),
                edited=edited,
                right=edited and _restored(fault, manuscript, improved.after.manuscript, after),
            )
        )
    stray = [f.rule for f in fresh if not any(_speaks_of(f, fault) for fault in injection.faults)]
    return EntryTrial(
        paper=paper,
        seed=seed,
        observations=tuple(observations),
        stray=tuple(sorted(stray)),
        entries=len(manuscript.entries) - len(injection.faults),
    )


def _fresh(clean: Checked, faulty: Checked) -> list[Finding]:
    """The findings of the faulty paper beyond those of the clean one."""
    known = Counter((f.rule, f.place.path, f.quote) for f in clean.live)
    found: list[Finding] = []
    for finding in faulty.live:
        identity = (finding.rule, finding.place.path, finding.quote)
        if known[identity] > 0:
            known[identity] -= 1
        else:
            found.append(finding)
    return found


def _within(place: Place, regions: Sequence[Place]) -> bool:
    return any(
        place.path == region.path
        and region.span.start <= place.span.start
        and place.span.stop <= region.span.stop + 1
        for region in regions
    )


def _speaks_of(finding: Finding, fault: EntryFault) -> bool:
    """Whether the finding stands at the fault or names one of its keys."""
    named = any(f"'{name}'" in finding.message for name in fault.names)
    return named or _within(finding.place, fault.regions)


def _restored(
    fault: EntryFault, clean: Manuscript, mended: Manuscript, regions: Sequence[Place]
) -> bool:
    """Whether what the fault was about reads as it did before."""
    if fault.kind is FaultKind.UNDEFINED_KEY:
        return all(mended.text(at) == fault.names[0] for at in regions)
    before, now = (_fields(m, fault.names[0]) for m in (clean, mended))
    return before == now


def _fields(manuscript: Manuscript, key: str) -> list[Mapping[str, str]]:
    """What the entries of that key say, field by field; "&" may stand for "and" or a space."""
    return [
        {f.name: f.text.replace(" & ", " ").replace(" and ", " ") for f in entry.fields}
        for entry in manuscript.entries
        if entry.key.lower() == key.lower()
    ]
