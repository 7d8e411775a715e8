"""Run the whole job on a paper with injected faults, and see what was said and mended of each."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviser.evaluate.faults import Donor, FaultKind, Injection, Site, inject
from reviser.findings import Severity
from reviser.latex.elements import BibEntry
from reviser.manuscript.model import Manuscript
from reviser.pipeline import Checked, Judges, Options, check, improve
from reviser.text.edit import Edit, Purpose, apply
from reviser.text.source import Place, Source
from reviser.verify.evidence import works
from reviser.verify.repair import RULES as CITATION_RULES


@dataclass(frozen=True, slots=True)
class Observation:
    """What became of one citation key in one trial.

    `kind` is None for an untouched citation, `right` the key that belongs there (None: nothing
    does). `accused` means a warning or an error that a user sees at this key. `proposed` is the
    key of an accepted replacement, "" for an accepted pruning, None without one. `fit` is the
    verdict's score, higher for works that fit better; None where none was computed.
    """

    paper: str
    key: str
    kind: FaultKind | None
    right: str | None
    accused: bool
    proposed: str | None
    fit: float | None

    @property
    def mended(self) -> bool:
        """Whether an accepted edit brought the right key, or removed the one that was added."""
        return self.proposed is not None and self.proposed == (self.right or "")


@dataclass(frozen=True, slots=True)
class Trial:
    """One injection into one paper. `harmful` are accepted edits to citations that were right."""

    paper: str
    seed: int
    observations: tuple[Observation, ...]
    accepted: int
    harmful: int


def run_trial(
    paper: str,
    manuscript: Manuscript,
    donors: Sequence[Donor],
    judges: Judges,
    *,
    reread: Callable[[Mapping[str, Source]], Manuscript],
    share: float,
    seed: int,
) -> Trial:
    """Inject faults into about `share` of the citations, improve, and look at every key that has
    evidence. `reread` reads the paper again with some files changed."""
    known = works(manuscript, judges.sources)

    def has_evidence(entry: BibEntry) -> bool:
        work = known.get(entry.key.lower())
        return work is not None and bool(work.passages)

    injection = inject(manuscript, donors, has_evidence=has_evidence, share=share, seed=seed)
    changed = apply(manuscript.sources, [injection.edit])
    faulty = check(reread(changed), Options(), judges)
    improved = improve(faulty, Options(), judges, reread=lambda again: reread({**changed, **again}))
    passed = frozenset(verdict.edit.id for verdict in improved.accepted)
    observations = tuple(_observed(paper, injection, faulty, passed))
    harmful = sum(o.kind is None and o.proposed is not None for o in observations)
    return Trial(paper, seed, observations, len(improved.accepted), harmful)


def _observed(
    paper: str, injection: Injection, faulty: Checked, passed: Collection[str]
) -> Iterable[Observation]:
    accused = {
        finding.place
        for finding in faulty.live
        if finding.rule in CITATION_RULES and finding.severity is not Severity.NOTE
    }
    fits = _fits(faulty)
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
        yield Observation(
            paper=paper,
            key=site.wrong,
            kind=kind,
            right=site.right,
            accused=site.place in accused,
            proposed=proposals.get(site.place),
            fit=fits.get(site.place),
        )


def _fits(checked: Checked) -> Mapping[Place, float]:
    """The verdict's score by the place of the key it is about."""
    fits: dict[Place, float] = {}
    for support in checked.supports:
        if support.score is None:
            continue
        for number in checked.claims[support.claim].citations:
            for key in checked.manuscript.citations[number].keys:
                if key.name == support.key:
                    fits[key.at] = support.score
    return fits


def _cited_instead(edit: Edit) -> Iterable[tuple[Place, str]]:
    """The places of the keys an edit drops, with the key it brings ("" for none)."""
    if edit.purpose in (Purpose.PRUNE, Purpose.REPLACE):
        for allowed in edit.allows:
            yield allowed.at, allowed.gained or ""
