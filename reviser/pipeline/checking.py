"""Check a manuscript: everything that can be said of it, and the edits that would mend some."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviser.budget import Asked
from reviser.findings import Finding, Severity
from reviser.latex.elements import CitationForm
from reviser.literature.sources import Searchable, Text
from reviser.manuscript.model import Manuscript
from reviser.pipeline.gathering import Gathered, cited_entries
from reviser.pipeline.relating import missing_from
from reviser.ports import Embedder, Entailment, Progress
from reviser.review import related
from reviser.review import rules as review_rules
from reviser.review.baseline import META_RULES as BASELINE_RULES
from reviser.review.baseline import Baseline
from reviser.review.baseline import apply as accept
from reviser.review.hidden_rules import hidden_places
from reviser.review.point_rules import RULES as POINT_RULES
from reviser.review.suppress import META_RULES as SUPPRESS_RULES
from reviser.review.suppress import Ignore, suppress
from reviser.revise.evidence import Evidence, Known
from reviser.text.edit import Edit
from reviser.text.source import Place
from reviser.verify.bringing import Brought
from reviser.verify.claim import Per
from reviser.verify.claim import claims as read_claims
from reviser.verify.coverage import Coverage
from reviser.verify.evidence import Work
from reviser.verify.evidence import works as read_works
from reviser.verify.figures import Figure, figures
from reviser.verify.hearing import READ, More
from reviser.verify.holdings import Holdings, holdings
from reviser.verify.kept import Kept
from reviser.verify.model import Claim, Label, Support
from reviser.verify.recall import check_by, verify_once
from reviser.verify.references import RULES as REFERENCE_RULES
from reviser.verify.references import references
from reviser.verify.repair import RULES as REPAIR_RULES
from reviser.verify.repair import Mode, repair
from reviser.verify.repair import Settings as RepairSettings
from reviser.verify.repair_edits import entered_once
from reviser.verify.together import fully_supported

Lines = tuple[tuple[int, int], ...]
"""Ranges of lines, (first, last), 1-based, both included, ascending."""

SWITCHED_OFF = "verification was switched off"
NOT_ASKED_FOR = "none of the rules asked for needs it"
NO_SENTENCE = "it stands in no sentence"
_UNANSWERED = frozenset({Label.NOT_CHECKABLE, Label.UNCHECKED})


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked for. `rules` are the ids to run, all when empty; `changed` the lines to
    speak of by file, None for the whole paper. `asked` are the lines whose claims a verifier that
    costs something is asked about, where those are fewer."""

    claims: Per = "group"
    verify: bool = True
    prune: bool = True
    repair: Mode = "default"
    rules: tuple[str, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    baseline: Baseline | None = None
    changed: Mapping[str, Lines] | None = None
    asked: Mapping[str, Lines] | None = None


@dataclass(frozen=True, slots=True)
class Judges:
    """Who is asked about cited works. `sources` are texts by citation key in lower case; `beyond`
    are the places, in their order, where works are searched that the bibliography does not have;
    `more` brings the full text of a work whose abstract a verifier finds silent; `gathered` is
    what came of looking for the cited works, None where nobody did;
    `rivals` are keys that stay in the comparison although nothing cites them any more;
    `sentences` is how many of a work the verifier reads; `asked` tells what a model that costs
    something was asked so far; `kept` are the verdicts of earlier runs, which are not
    asked for again."""

    embedder: Embedder
    entailment: Entailment | None = None
    sources: Mapping[str, Text] = field(default_factory=dict)
    beyond: tuple[Searchable, ...] = ()
    more: More | None = None
    gathered: Gathered | None = None
    progress: Progress | None = None
    rivals: frozenset[str] = frozenset()
    sentences: int = READ
    asked: Callable[[], Asked] | None = None
    kept: Kept | None = None

    @property
    def verifier(self) -> str:
        """The verifier that verdicts rest on, "" where there is none: of this run, or of those
        whose verdicts are kept."""
        if self.entailment is not None:
            return self.entailment.name
        return self.kept.verifier if self.kept is not None else ""


@dataclass(frozen=True)
class Checked:
    """What is known of a paper. `findings` are those of the lines asked about, silenced ones
    included; `outside` counts the others. `edits` are proposals of findings that count. `unasked`
    says why nobody was asked about the cited works, "" where somebody was. `spent` is what a model
    that costs something had been asked by the end of it, None where there is none. `holdings` is
    what is at hand of the cited works, None where nobody was to look for them. `recalled` is
    how many verdicts of earlier runs were told again, None where none are kept. `brought` are the
    works that edits bring into the bibliography."""

    manuscript: Manuscript
    claims: tuple[Claim, ...]
    supports: tuple[Support, ...]
    findings: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    figures: tuple[Figure, ...]
    coverage: Coverage
    changed: Mapping[str, Lines] | None = None
    outside: int = 0
    unasked: str = ""
    spent: Asked | None = None
    recalled: int | None = None
    holdings: Holdings | None = None
    brought: tuple[Brought, ...] = ()

    @property
    def conclusion(self) -> str:
        """What was checked, and what there was to check against, without a capital or full stop."""
        said = self.coverage.sentence
        return said if self.holdings is None else f"{said}; {self.holdings.sentence}"

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
        return shows(self.manuscript, place, self.changed)


def known_rules() -> Mapping[str, tuple[Severity, str]]:
    """Every rule that can speak, with its severity and a summary."""
    known = {rule.id: (rule.severity, rule.summary) for rule in review_rules.RULES}
    known |= REPAIR_RULES
    known |= REFERENCE_RULES
    known |= POINT_RULES
    known |= related.RULES
    for rule, severity, summary in (*SUPPRESS_RULES, *BASELINE_RULES):
        known[rule] = (severity, summary)
    return dict(sorted(known.items()))


def check(
    manuscript: Manuscript, options: Options, judges: Judges, *, points: Sequence[Finding] = ()
) -> Checked:
    """Everything that can be said of the paper, and the edits that would mend some of it.

    `points` are findings of a review, which are reported as all others are.
    """
    # A review is no rule that ran: what silences its points is not called stale.
    ran = frozenset(options.rules or known_rules()) - POINT_RULES.keys()
    report = review_rules.run(manuscript, [r for r in review_rules.RULES if r.id in ran])
    verified = _verified(manuscript, options, judges, ran)
    looked_up = references(manuscript, judges.gathered.outcomes) if judges.gathered else ()
    missing = missing_from(manuscript, judges.gathered, judges.embedder)
    proposed = (*verified.findings, *looked_up, *missing)
    found = [*report.findings, *(f for f in proposed if f.rule in ran), *points]
    marked = silenced(manuscript, found, options, ran - _unlooked(judges.gathered))
    told = ran | {point.rule for point in points}
    shown = tuple(
        f for f in marked if f.rule in told and shows(manuscript, f.place, options.changed)
    )
    live = {f.fingerprint for f in shown if f.suppressed is None}
    unasked = "" if verified.asked else NOT_ASKED_FOR if options.verify else SWITCHED_OFF
    nli = (judges.verifier or None) if verified.asked else None
    checked = Checked(
        manuscript=manuscript,
        claims=verified.claims,
        supports=verified.supports,
        findings=shown,
        edits=entered_once(
            [e for e in (*report.edits, *verified.edits) if live.intersection(e.answers)]
        ),
        figures=verified.figures,
        coverage=Coverage(0, 0, nli=nli),
        changed=options.changed,
        outside=sum(f.suppressed is None and f.rule in told for f in marked) - len(live),
        unasked=unasked,
        spent=None if judges.asked is None else judges.asked(),
        recalled=None if judges.kept is None else judges.kept.recalled,
        holdings=verified.holdings,
        brought=verified.brought,
    )
    return replace(checked, coverage=coverage(checked, options.changed))


def _unlooked(gathered: Gathered | None) -> frozenset[str]:
    """The rules that could not speak of every cited work, so that what silences them may wait."""
    whole = gathered is not None and not gathered.silent and not gathered.stopped
    related_too = whole and gathered is not None and gathered.related
    return frozenset({*(() if whole else REFERENCE_RULES), *(() if related_too else related.RULES)})


def silenced(
    manuscript: Manuscript,
    findings: Sequence[Finding],
    options: Options,
    ran: frozenset[str] = frozenset(),
) -> tuple[Finding, ...]:
    """The findings, marked where a suppression, a setting or the baseline silences them; with what
    is odd about those that speak of rules that were `ran`."""
    marked = suppress(manuscript, findings, options.ignores, known_rules(), ran=ran)
    if options.baseline is None:
        return marked
    return accept(marked, options.baseline, main=manuscript.main, ran=ran)


def with_brought(judges: Judges, brought: Sequence[Brought]) -> Judges:
    """The judges, who know the texts of the works that edits bring into the bibliography."""
    if not brought:
        return judges
    texts = {one.key.lower(): one.text_of for one in brought}
    gathered = judges.gathered
    if gathered is not None:
        named = {one.key.lower(): one.paper.source for one in brought}
        gathered = replace(gathered, earlier={**gathered.earlier, **named})
    return replace(judges, sources={**judges.sources, **texts}, gathered=gathered)


def known_claims(before: Checked, options: Options, judges: Judges) -> Evidence:
    """What is known of the claims of a draft of `before`: claims that nobody asked about keep
    their words from one draft to the next."""
    spared = spared_claims(before.manuscript, before.claims, options, judges)
    words = {before.claims[number].text for number in spared}

    def known(manuscript: Manuscript) -> Known:
        claims = read_claims(manuscript, options.claims)
        left = frozenset(n for n, claim in enumerate(claims) if claim.text in words)
        return Known(claims, supports_of(manuscript, claims, judges, left)[1])

    return known


def spared_claims(
    manuscript: Manuscript, claims: Sequence[Claim], options: Options, judges: Judges
) -> frozenset[int]:
    """The claims of lines that were not asked about, where asking a verifier costs something."""
    if judges.asked is None:
        return frozenset()
    lines = options.changed if options.asked is None else options.asked
    return frozenset(n for n, claim in enumerate(claims) if not shows(manuscript, claim.at, lines))


def tell(judges: Judges, step: str, done: int) -> None:
    """A step that cannot be counted begins (0) or is over (1)."""
    if judges.progress is not None:
        judges.progress.step(step, done, 1)


def supports_of(
    manuscript: Manuscript, claims: Sequence[Claim], judges: Judges, spared: frozenset[int]
) -> tuple[Mapping[str, Work], tuple[Support, ...]]:
    """The texts of the cited works, and what they say of the claims; nobody is asked about those
    that are spared."""
    works = read_works(manuscript, judges.sources)
    supports = verify_once(
        manuscript,
        claims,
        works,
        kept=judges.kept,
        embedder=judges.embedder,
        entailment=judges.entailment,
        rivals=judges.rivals,
        sentences=judges.sentences,
        hidden=() if judges.entailment is None else hidden_places(manuscript),
        asked=frozenset(range(len(claims))) - spared,
        more=judges.more,
    )
    return works, supports


@dataclass(frozen=True, slots=True)
class _Verified:
    """`asked` is False where nobody was asked about the cited works."""

    claims: tuple[Claim, ...]
    asked: bool = False
    supports: tuple[Support, ...] = ()
    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()
    figures: tuple[Figure, ...] = ()
    holdings: Holdings | None = None
    brought: tuple[Brought, ...] = ()


def _verified(
    manuscript: Manuscript, options: Options, judges: Judges, ran: frozenset[str]
) -> _Verified:
    claims = read_claims(manuscript, options.claims)
    if not options.verify or ran.isdisjoint(REPAIR_RULES):
        return _Verified(claims)
    tell(judges, "comparing claims with the works they cite", 0)
    spared = spared_claims(manuscript, claims, options, judges)
    works, supports = supports_of(manuscript, claims, judges, spared)
    counted = tuple(s for s in supports if s.claim not in spared)
    tell(judges, "looking for repairs", 0)
    repairs = repair(
        manuscript,
        claims,
        works,
        counted,
        embedder=judges.embedder,
        entailment=judges.entailment,
        sentences=judges.sentences,
        settings=RepairSettings(prune=options.prune, repair=options.repair),
        kept=judges.kept,
        beyond=judges.beyond,
    )
    tell(judges, "looking for repairs", 1)
    verifier = judges.verifier
    together = None
    if verifier:
        check = check_by(judges.embedder, judges.entailment, judges.sentences)
        together = fully_supported(
            claims, works, counted, judges.entailment, kept=judges.kept, check=check
        )
    told = figures(claims, counted, verifier=verifier, together=together)
    held = _holdings(manuscript, works, judges.gathered)
    return _Verified(
        claims, True, supports, repairs.findings, repairs.edits, told, held, repairs.brought
    )


def _holdings(
    manuscript: Manuscript, works: Mapping[str, Work], gathered: Gathered | None
) -> Holdings | None:
    if gathered is None:
        return None
    return holdings(
        works,
        cited_entries(manuscript),
        gathered.asked,
        gathered.silent,
        places=gathered.more.places if gathered.more is not None else (),
        earlier=gathered.earlier,
    )


def coverage(checked: Checked, changed: Mapping[str, Lines] | None) -> Coverage:
    """How many citations of the lines `changed` (of all, where None) were checked; those that
    stand in no sentence count too."""
    manuscript, claims, nli = checked.manuscript, checked.claims, checked.coverage.nli
    shown = {n for n, c in enumerate(claims) if shows(manuscript, c.at, changed)}
    claimed = {citation for claim in claims for citation in claim.citations}
    reasons: Counter[str] = Counter()
    for number, citation in enumerate(manuscript.citations):
        seen = citation.form is not CitationForm.UNSEEN and number not in claimed
        if seen and shows(manuscript, citation.at, changed):
            reasons[NO_SENTENCE] += len(citation.keys)
    total = sum(reasons.values()) + sum(len(claims[number].keys) for number in shown)
    if checked.unasked:
        return Coverage(total, 0, ((checked.unasked, total),) if total else ())
    for support in checked.supports:
        if support.claim in shown and support.label in _UNANSWERED:
            reasons[support.why] += 1
    return Coverage(total, total - sum(reasons.values()), tuple(reasons.most_common()), nli)


def shows(manuscript: Manuscript, place: Place, changed: Mapping[str, Lines] | None) -> bool:
    """Whether `place` lies on one of the lines, or all are meant."""
    if changed is None:
        return True
    source = manuscript.sources.get(place.path)
    ranges = changed.get(place.path, ())
    if source is None:
        return bool(ranges)
    first, last = source.lines(place.span)
    return any(start <= last and first <= stop for start, stop in ranges)
