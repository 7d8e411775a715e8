"""Run the whole job on a paper with injected faults, and see what was said and mended of each."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviser.evaluate.fault import KEY_KINDS, Donor, FaultKind, Injection, Site
from reviser.evaluate.faults import inject
from reviser.findings import Severity
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import Checked, Judges, Options, check
from reviser.pipeline.improving import improve
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.source import Place, Source
from reviser.verify.evidence import works
from reviser.verify.model import Label, Support
from reviser.verify.repair import RULES as CITATION_RULES

Reread = Callable[[Mapping[str, Source]], Manuscript]
"""Reads the paper again with some files changed."""

_UNREAD = frozenset({Label.NOT_CHECKABLE, Label.UNCHECKED})


@dataclass(frozen=True, slots=True)
class Observation:
    """What became of one citation key in one trial.

    `kind` is None for an untouched citation, `right` the key that belongs there (None: nothing
    does). `accused` means a warning or an error that a user sees at this key; `rules` are the
    citation rules that speak there, notes included. `checked` tells whether its verdict is more
    than "unchecked" or "not checkable". `proposed` is the key of an accepted replacement, "" for
    an accepted pruning, None without one. `fit` is the verdict's score, higher for works that
    fit better; None where none was computed.
    """

    paper: str
    key: str
    kind: FaultKind | None
    right: str | None
    accused: bool
    proposed: str | None
    fit: float | None
    checked: bool = True
    rules: tuple[str, ...] = ()

    @property
    def mended(self) -> bool:
        """Whether an accepted edit brought the right key, or took a wrong one away."""
        wrong_key = self.kind in KEY_KINDS
        return wrong_key and self.proposed is not None and self.proposed in {self.right, ""}


@dataclass(frozen=True, slots=True)
class Trial:
    """One injection into one paper. `harmful` are accepted edits to citations that were right;
    `intact` tells whether labels, references, mathematics and headings are as before the edits,
    and every cited key that had an entry has one."""

    paper: str
    seed: int
    observations: tuple[Observation, ...]
    accepted: int
    harmful: int
    intact: bool = True


def run_trial(
    paper: str,
    manuscript: Manuscript,
    donors: Sequence[Donor],
    judges: Judges,
    *,
    reread: Reread,
    share: float,
    seed: int,
) -> Trial:
    """Inject faults into about `share` of the citations, improve, and look at every key that has
    evidence."""
    known = works(manuscript, judges.sources)
    evidence = {key: [p.text for p in work.passages] for key, work in known.items()}

    def has_evidence(entry: BibEntry) -> bool:
        return bool(evidence.get(entry.key.lower()))

    injection = inject(
        manuscript, donors, has_evidence=has_evidence, share=share, seed=seed, evidence=evidence
    )
    changed = apply(manuscript.sources, [injection.edit])
    faulty = check(reread(changed), Options(), judges)
    improved = improve(faulty, Options(), judges, reread=lambda again: reread({**changed, **again}))
    passed = frozenset(verdict.edit.id for verdict in improved.accepted)
    observations = tuple(_observed(paper, injection, faulty, passed))
    harmful = sum(o.kind not in KEY_KINDS and o.proposed is not None for o in observations)
    intact = _protected(faulty.manuscript) == _protected(improved.after.manuscript)
    return Trial(paper, seed, observations, len(improved.accepted), harmful, intact)


def _protected(manuscript: Manuscript) -> tuple[object, ...]:
    """What no edit of a citation may change, read afresh."""
    cited = {key.name.lower() for c in manuscript.citations for key in c.keys}
    return (
        [label.name.name for label in manuscript.labels],
        [[name.name for name in reference.names] for reference in manuscript.references],
        [manuscript.text(math.at) for math in manuscript.math],
        [section.title for section in manuscript.sections],
        sorted(cited - set(manuscript.entry_of) - {"*"}),
    )


def _observed(
    paper: str, injection: Injection, faulty: Checked, passed: Collection[str]
) -> Iterable[Observation]:
    spoken: dict[Place, list[tuple[str, Severity]]] = {}
    for finding in faulty.live:
        if finding.rule in CITATION_RULES:
            spoken.setdefault(finding.place, []).append((finding.rule, finding.severity))
    verdicts = _verdicts(faulty)
    proposals = {
        place: key
        for edit in faulty.edits  # as proposed: the gate moves an edit's places along
        if edit.id in passed
        for place, key in _cited_instead(edit)
    }
    touched = [(fault.kind, site) for fault in injection.faults for site in fault.sites]
    everything: list[tuple[FaultKind | None, Site]] = [*touched]
    everything += [(None, site) for site in injection.untouched]
    for kind, site in everything:
        said = spoken.get(site.place, [])
        verdict = verdicts.get(site.place)
        yield Observation(
            paper=paper,
            key=site.wrong,
            kind=kind,
            right=site.right,
            accused=any(severity is not Severity.NOTE for _, severity in said),
            proposed=proposals.get(site.place),
            fit=verdict.score if verdict is not None else None,
            checked=verdict is not None and verdict.label not in _UNREAD,
            rules=tuple(sorted({rule for rule, _ in said})),
        )


def _verdicts(checked: Checked) -> Mapping[Place, Support]:
    """The verdict by the place of the key it is about."""
    verdicts: dict[Place, Support] = {}
    for support in checked.supports:
        for number in checked.claims[support.claim].citations:
            for key in checked.manuscript.citations[number].keys:
                if key.name == support.key:
                    verdicts[key.at] = support
    return verdicts


def _cited_instead(edit: Edit) -> Iterable[tuple[Place, str]]:
    """The places of the keys an edit drops, with the key it brings ("" for none)."""
    if edit.purpose in (Purpose.PRUNE, Purpose.REPLACE):
        for allowed in edit.allows:
            yield allowed.at, allowed.gained or ""
