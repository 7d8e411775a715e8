"""The model half of `improve`: who does each step of a round, and what is reported of its points.

The rounds themselves are in `revise.rounds`. Here its steps are made out of roles, judges and a
plan, so that a plan with other switches, or a bench with another step, is another procedure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from reviser.budget import Asked
from reviser.errors import StaleEdit
from reviser.findings import Finding
from reviser.literature.sources import Text
from reviser.manuscript.model import Manuscript
from reviser.pipeline.checking import (
    Checked,
    Judges,
    Options,
    check,
    known_claims,
    shows,
    silenced,
    supports_of,
)
from reviser.pipeline.moving import with_moved_lines
from reviser.pipeline.plan import Plan
from reviser.ports import Entailed, Entailment, Typeset, Unjudged
from reviser.review.corpus import Corpus
from reviser.review.imitate import distil
from reviser.review.model import Action, Point, Review
from reviser.review.points import Decomposed, decompose, findings_of, merged, points_of, ranked
from reviser.review.reviewer import Reviewed, review_paper
from reviser.review.rubric import ChatJudge
from reviser.revise.additions import announced
from reviser.revise.batch import certify_group
from reviser.revise.claims import Order, Strategy, ordered
from reviser.revise.decide import Decided, decide
from reviser.revise.desk import Desk
from reviser.revise.draft import Draft
from reviser.revise.evidence import Evidence, Known, remembering
from reviser.revise.gate import Gate, Reread, stale
from reviser.revise.loop import rebased
from reviser.revise.offers import offered, waits, within
from reviser.revise.relocating import relocated
from reviser.revise.replan import REWRITTEN, replan
from reviser.revise.rounds import Advised, Steps, advise
from reviser.revise.rubric import Rubric, prepare
from reviser.revise.treatment import Advice, Decision, JudgeReport, Proposal
from reviser.revise.verdict import Revision, Verdict
from reviser.revise.writer import propose
from reviser.roles import Roles
from reviser.text.edit import Edit, apply
from reviser.verify.evidence import works as read_works
from reviser.verify.model import Passage


@dataclass(frozen=True)
class Bench:
    """Who reviews and rewrites, and with what.

    `corpus` are public reviews to imitate. `verifier` judges what new sentences say, where no
    other verifier was named; it reads up to `sentences` of a work. `asked` is the record so far,
    one for each model; `used_up` says why nothing more may be asked.
    """

    roles: Roles
    plan: Plan = field(default_factory=Plan)
    corpus: Corpus | None = None
    verifier: Entailment | None = None
    sentences: int = 0
    asked: Callable[[], tuple[Asked, ...]] = tuple
    used_up: Callable[[], str] = str


@dataclass(frozen=True)
class Reviewing:
    """A paper that is being improved: what was checked of it, and what was asked for. `compiled`
    typesets a paper, None where that is not asked for. `brought` are the texts of works that edits
    bring into the bibliography, by key, as they come; the judges' `sources` see them as well."""

    before: Checked
    options: Options
    judges: Judges
    reread: Reread
    compiled: Callable[[Manuscript], Typeset] | None = None
    brought: dict[str, Text] = field(default_factory=dict)


def advised(work: Reviewing, plan: Plan, revision: Revision, steps: Steps) -> Advised:
    """Review and revise the paper as `revision` leaves it; its verdicts stay in the draft."""
    now = {**work.before.manuscript.sources, **revision.after}
    manuscript = work.reread(revision.after) if revision.after else work.before.manuscript
    draft = Draft(work.before.manuscript.sources, now, revision.verdicts)
    return advise(
        manuscript,
        draft,
        steps,
        rounds=plan.rounds,
        batch=plan.batch,
        progress=work.judges.progress,
    )


def order_of(before: Checked, strategy: Strategy) -> Order:
    """Which repairs of citations come before the rewriting of claims, and which after it."""
    return ordered(strategy, before.edits, points_of(before.manuscript, before.live))


def steps_of(work: Reviewing, bench: Bench) -> Steps:
    """The steps of a round, by the parts of a bench (I&E 3.2)."""
    maker = _Maker(work, bench)
    helper = bench.roles.helper
    return Steps(
        review=maker.review,
        decompose=maker.decompose,
        known=maker.known,
        chosen=maker.chosen,
        decide=maker.decide,
        propose=maker.propose,
        announced=maker.announced,
        certify=maker.certify,
        replan=lambda manuscript, waiting, seen: replan(manuscript, waiting, seen, helper),
        used_up=bench.used_up,
        judge=maker.report,
    )


class _Maker:
    """The steps that keep something from one round to the next."""

    def __init__(self, work: Reviewing, bench: Bench) -> None:
        self._work = work
        self._bench = bench
        self._rubric: Rubric | None = None
        order = order_of(work.before, bench.plan.strategy)
        claims = points_of(work.before.manuscript, work.before.live)
        wanted = {point.id for point in order.rewrite}
        # Claims that the strategy leaves to the repair of their references.
        self._left = {
            p.id for p in claims if p.action is Action.REWRITE_CLAIM and p.id not in wanted
        }
        supports = evidence_of(work, bench)
        self._supports = None if supports is None else remembering(supports)
        self._review: Callable[[Manuscript], Reviewed] | None = None

    def review(self, manuscript: Manuscript) -> Reviewed:
        """A review by criteria that are distilled once, before the first round."""
        if self._review is not None:
            return self._review(manuscript)
        bench, helper = self._bench, self._bench.roles.helper
        if not bench.plan.imitate:
            self._review = partial(review_paper, helper=helper, criteria=())
            return self._review(manuscript)
        found = distil(manuscript, bench.corpus, helper, self._work.judges.embedder)
        self._review = partial(review_paper, helper=helper, criteria=found.criteria)
        reviewed = self._review(manuscript)
        return replace(reviewed, unusable=(*found.unusable, *reviewed.unusable))

    def decompose(self, manuscript: Manuscript, review: Review) -> Decomposed:
        """The points of a review, which may ask for what the literature at hand allows."""
        judges = self._work.judges
        offers = offered(
            manuscript, judges.sources, judges.embedder, judges.beyond, self._bench.plan.blocks
        )
        return decompose(manuscript, review, self._bench.roles.helper, offers)

    def decide(self, manuscript: Manuscript, points: Sequence[Point]) -> Decided:
        """Revise or rebut, for as many new blocks as a round may put in; further ones wait."""
        plan = self._bench.plan
        kept = within(points, plan.blocks)
        decided = decide(manuscript, kept, self._bench.roles.helper, rebut=plan.rebut)
        made = dict(zip((point.id for point in kept), decided.decisions, strict=True))
        return Decided(
            tuple(made.get(point.id) or waits(point, plan.blocks) for point in points),
            decided.unusable,
        )

    def known(self, manuscript: Manuscript) -> Sequence[Point]:
        """The findings of rules and verifier that stand in the prose, as points."""
        first = self._work.before.manuscript
        if manuscript is first:
            found = points_of(manuscript, self._work.before.live)
            return [point for point in found if point.id not in self._left]
        after = {p: s for p, s in manuscript.sources.items() if s is not first.sources.get(p)}
        options = with_moved_lines(self._work.options, Revision(first.sources, after, ()))
        found = points_of(manuscript, check(manuscript, options, self._work.judges).live)
        return [point for point in found if point.id not in self._left]

    def chosen(
        self, draft: Draft, manuscript: Manuscript, points: Sequence[Point]
    ) -> Sequence[Point]:
        """The points of the lines asked about that nobody silenced, merged and in order."""
        work = self._work
        marked = silenced(manuscript, findings_of(points), work.options)
        silent = {finding.fingerprint for finding in marked if finding.suppressed is not None}
        wanted = frozenset(work.options.rules)
        first, changed = work.before.manuscript, work.options.changed
        live = [
            point
            for point in points
            if point.id not in silent
            and (not wanted or point.rule in wanted)
            and shows(first, draft.origin(point.place), changed)
        ]
        return ranked(merged(live, work.judges.embedder), self._bench.plan.weights)

    def propose(self, manuscript: Manuscript, decisions: Sequence[Decision]) -> Sequence[Proposal]:
        """Edits for a batch of decisions."""
        work = self._work
        desk = Desk(
            writer=self._bench.roles.writer,
            helper=self._bench.roles.helper,
            embedder=work.judges.embedder,
            reread=work.reread,
            sources=work.judges.sources,
            known=None if self._supports is None else self._supports(manuscript),
            beyond=work.judges.beyond,
        )
        made = propose(manuscript, decisions, desk)
        for proposal in made:
            for one in proposal.brought:
                work.brought[one.key.lower()] = one.text_of
        return made

    def announced(self, manuscript: Manuscript, edit: Edit) -> Edit:
        """The edit with all that its new sentences gain."""
        after = {**manuscript.sources, **apply(manuscript.sources, [edit])}
        return announced(edit, manuscript, self._work.reread(after))

    def certify(
        self, manuscript: Manuscript, edits: Sequence[Edit]
    ) -> tuple[Sequence[Verdict], Manuscript]:
        """The gate, whose judge is put to the test before it judges anything."""
        plan = self._bench.plan
        if self._rubric is None:
            judge = ChatJudge(self._bench.roles.helper)
            self._rubric = prepare(manuscript, judge, weights=plan.weights, ties=plan.ties)
        gate = gate_of(self._work, self._bench.verifier, self._supports, self._rubric)
        return certify_group(gate, manuscript, edits, size=plan.batch)

    def report(self) -> JudgeReport | None:
        """What is known of the judge, None where it was never needed."""
        return None if self._rubric is None else self._rubric.report


def gate_of(
    work: Reviewing,
    verifier: Entailment | None,
    supports: Evidence | None,
    rubric: Rubric | None,
) -> Gate:
    """The full gate. Where no other verifier was named, `verifier` judges new sentences."""
    verifier = work.judges.entailment or verifier

    def grounded(premise: str, hypothesis: str) -> Entailed | Unjudged:
        return verifier.judge([(premise, hypothesis)])[0] if verifier else Unjudged("no verifier")

    return Gate(
        work.reread,
        supports,
        compiled=work.compiled,
        rubric=rubric,
        grounded=grounded if verifier is not None else None,
        passages=partial(_passages, work.judges),
    )


def _passages(judges: Judges, manuscript: Manuscript, key: str) -> Sequence[Passage]:
    """What is at hand of the work with a key, in a paper."""
    work = read_works(manuscript, judges.sources).get(key.lower())
    return () if work is None else work.passages


def evidence_of(work: Reviewing, bench: Bench) -> Evidence | None:
    """What the gate knows of claims. Where no verifier was named, the helper is one for the claims
    that an edit brings or words anew, and topics are compared for all others."""
    if not work.options.verify:
        return None
    supports = known_claims(work.before, work.options, work.judges)
    verifier = bench.verifier
    if work.judges.entailment is not None or verifier is None:
        return supports
    old = {claim.text for claim in work.before.claims}
    sentences = bench.sentences or work.judges.sentences
    asking = replace(work.judges, entailment=verifier, sentences=sentences)

    def known(manuscript: Manuscript) -> Known:
        topical = supports(manuscript)
        new = frozenset(n for n, claim in enumerate(topical.claims) if claim.text not in old)
        if not new:
            return topical
        spared = frozenset(range(len(topical.claims))) - new
        verified = supports_of(manuscript, topical.claims, asking, spared)[1]
        pairs = zip(topical.supports, verified, strict=True)
        return Known(topical.claims, tuple(v if v.claim in new else t for t, v in pairs))

    return known


def repaired_late(
    draft: Draft, edits: Sequence[Edit], gate: Gate, reread: Reread
) -> tuple[Draft, Manuscript]:
    """The draft after repairs that waited for the rewriting of their claims, all in positions of
    the start; one whose words were changed since is stale."""
    manuscript = reread(draft.changed)
    for edit in edits:
        try:
            moved = rebased(edit, draft.accepted)
        except StaleEdit as error:
            draft = replace(draft, verdicts=(*draft.verdicts, stale(edit, error)))
            continue
        verdict, manuscript = gate.certify(manuscript, moved)
        draft = draft.judged([verdict])
    return draft, manuscript


def open_points(advice: Advice, accepted: Sequence[Edit]) -> tuple[Point, ...]:
    """The points that nothing has settled: no accepted edit answers them, they were not rebutted,
    and re-planning neither dropped nor merged them."""
    settled = {answer for edit in accepted for answer in edit.answers}
    points: dict[str, Point] = {}
    for one in advice.rounds:
        points |= {point.id: point for point in one.points}
        settled |= {t.decision.point.id for t in one.treated if t.decision.rebuttal}
        settled |= {step.point for step in one.replanned if step.step != REWRITTEN}
    return tuple(point for point in points.values() if point.id not in settled)


def first_findings(advice: Advice) -> tuple[Finding, ...]:
    """The points of all reviews as findings of the paper as it was before the first edit."""
    points = {p.id: p for one in advice.rounds for p in one.points}
    return findings_of(
        [replace(p, place=advice.origins.get(p.id, p.place)) for p in points.values()]
    )


def last_findings(advice: Advice, draft: Draft, manuscript: Manuscript) -> tuple[Finding, ...]:
    """The open points of all reviews as findings of the paper as it is now, those whose words were
    changed left out."""
    found = []
    for point in open_points(advice, draft.accepted):
        first = replace(point, place=advice.origins.get(point.id, point.place))
        now = relocated(manuscript, first, draft.accepted)
        if not isinstance(now, str):
            found.append(now)
    return findings_of(found)
