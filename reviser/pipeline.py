"""The two jobs as functions between values: check a manuscript, and improve it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviser.findings import Finding, Severity
from reviser.manuscript.model import Manuscript
from reviser.ports import Embedder, Entailment, Progress
from reviser.review import rules as review_rules
from reviser.review.baseline import Baseline
from reviser.review.baseline import apply as accept_baseline
from reviser.review.suppress import META_RULES, Ignore, suppress
from reviser.revise.loop import revise
from reviser.revise.verdict import Outcome, Revision, Verdict
from reviser.text.diff import hunks
from reviser.text.edit import Edit
from reviser.text.source import Place, Source
from reviser.verify.claim import claims as read_claims
from reviser.verify.entail import verify
from reviser.verify.evidence import works as read_works
from reviser.verify.figures import Figure, figures
from reviser.verify.model import Claim, Label, Support
from reviser.verify.repair import repair

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, (first, last), 1-based, both included, ascending."""

Reread = Callable[[Mapping[str, Source]], Manuscript]

SWITCHED_OFF = "verification was switched off"
_UNANSWERED = frozenset({Label.NOT_CHECKABLE, Label.UNCHECKED})


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked for. `rules` are the ids to run, all when empty; `changed` the lines to
    speak of by file, None for the whole paper."""

    claims: str = "group"
    verify: bool = True
    prune: bool = True
    repair: str = "default"
    rules: tuple[str, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    baseline: Baseline | None = None
    changed: Mapping[str, Lines] | None = None


@dataclass(frozen=True, slots=True)
class Judges:
    """Who is asked about cited works. `sources` are texts by citation key."""

    embedder: Embedder
    entailment: Entailment | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many citations (a key in a claim) were checked, and why the others were not.

    `nli` names the verifier, None when there was none: then only the topic was checked.
    """

    total: int
    checked: int
    not_checked: tuple[tuple[str, int], ...] = ()
    nli: str | None = None

    @property
    def sentence(self) -> str:
        """The conclusion, without a capital or a full stop."""
        if not self.total:
            return "there are no citations to check"
        said = f"checked {self.checked} of {self.total} citations"
        if self.not_checked:
            reasons = "; ".join(f"{why} ({count})" for why, count in self.not_checked)
            said += f"; {self.total - self.checked} not checked because: {reasons}"
        return said


@dataclass(frozen=True)
class Checked:
    """What is known of a paper. `findings` are those of the lines asked about, silenced ones
    included; `outside` counts the others. `edits` are proposals of findings that count."""

    manuscript: Manuscript
    claims: tuple[Claim, ...]
    supports: tuple[Support, ...]
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    figures: tuple[Figure, ...]
    coverage: Coverage
    changed: Mapping[str, Lines] | None = None
    outside: int = 0

    @property
    def live(self) -> tuple[Finding, ...]:
        """The findings that nobody silenced."""
        return tuple(f for f in self.findings if f.suppressed is None)

    @property
    def shown_supports(self) -> tuple[Support, ...]:
        """The verdicts on the lines asked about."""
        return tuple(s for s in self.supports if self.shows(self.claims[s.claim].at))

    def shows(self, place: Place) -> bool:
        """Whether `place` lies on a line that was asked about."""
        return _shows(self.manuscript, place, self.changed)


@dataclass(frozen=True)
class Improved:
    """A paper before and after; `verdicts` hold every proposed edit, left-out ones excepted."""

    before: Checked
    revision: Revision
    after: Checked

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The gate's word on each proposed edit."""
        return self.revision.verdicts

    @property
    def accepted(self) -> tuple[Verdict, ...]:
        """Those whose edit is in the text now."""
        return tuple(v for v in self.verdicts if v.outcome is Outcome.ACCEPTED)


def known_rules() -> Mapping[str, tuple[Severity, str]]:
    """Every rule that can speak, with its severity and a summary."""
    known = {rule.id: (rule.severity, rule.summary) for rule in review_rules.RULES}
    for rule, severity, summary in (*VERIFY_RULES, *SUPPRESS_RULES, *BASELINE_RULES):
        known[rule] = (severity, summary)
    return dict(sorted(known.items()))


def check(manuscript: Manuscript, options: Options, judges: Judges) -> Checked:
    """Everything that can be said of the paper, and the edits that would mend some of it."""
    report = review_rules.run(manuscript)
    claims = read_claims(manuscript, options.claims)
    verified = _verify(manuscript, claims, options, judges)
    ran = frozenset(options.rules or known_rules())
    found = [f for f in (*report.findings, *verified.findings) if f.rule in ran]
    marked = suppress(manuscript, found, options.ignores, known_rules(), ran=ran)
    if options.baseline is not None:
        marked = accept_baseline(marked, options.baseline, main=manuscript.main, ran=ran)
    marked = tuple(sorted((f for f in marked if f.rule in ran), key=lambda f: (f.place, f.rule)))
    shown = tuple(f for f in marked if _shows(manuscript, f.place, options.changed))
    live = {f.fingerprint for f in shown if f.suppressed is None}
    return Checked(
        manuscript=manuscript,
        claims=claims,
        supports=verified.supports,
        findings=shown,
        edits=tuple(e for e in (*report.edits, *verified.edits) if live.intersection(e.answers)),
        figures=verified.figures,
        coverage=_coverage(manuscript, claims, verified.supports, options, judges),
        changed=options.changed,
        outside=sum(f.suppressed is None for f in marked) - len(live_of(shown)),
    )
