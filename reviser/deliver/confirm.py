"""Whether a plan that came from a file is true: whatever its maker wrote, only what the files at
head bear out is delivered.

Rules are run again here, and their words and edits are ours. Verdicts on citations are made by
models that are not at hand: of those findings the place, the quoted sentence, the cited work and
the evidence are looked up, and their edits must pass every hard check again; that the work does not
fit the sentence is taken on trust, and said to be. A finding that the maker kept silent about
is not found here.

What models that write have brought (a review, its points, their edits), and what literature
services said of a reference, is nobody's to look up. It is kept where the forge itself says that
the plan's maker was a job of ours (see `event.is_ours`), as far as quotations stand, keys exist and
edits pass every hard check; from anybody else it goes.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviser.deliver.advised import is_point
from reviser.deliver.drafted import DRAFTED, borne_out, draft, left_out
from reviser.deliver.entered import brings_an_entry, entered
from reviser.deliver.plan import Noted, Plan, Supplied
from reviser.deliver.witness import LOOKED_UP, Unproven, Witness
from reviser.errors import ReviserError, StaleEdit
from reviser.findings import Finding
from reviser.literature.sources import Text
from reviser.manuscript.files import forbidden
from reviser.manuscript.model import Manuscript
from reviser.revise import claim_delta
from reviser.revise.additions import announced
from reviser.revise.change import Change
from reviser.revise.checks import refusals
from reviser.revise.gate import Reread
from reviser.revise.loop import rebased
from reviser.revise.verdict import Outcome, Score, Shadow, Verdict
from reviser.text.edit import Allowed, Edit, Purpose, Replacement, apply
from reviser.text.printable import many
from reviser.verify.coverage import Coverage
from reviser.verify.figures import Figure
from reviser.verify.references import SERVICES
from reviser.verify.repair import CONTRADICTED, OFF_TOPIC, SILENT
from reviser.verify.repair import RULES as VERIFY_RULES

ON_TRUST = (
    "The verdicts on citations come from the run that made the plan (a fork's own run, where the "
    "branch lies in a fork): here their quotations were looked up and their edits checked again, "
    "but what that run kept silent about is not known."
)
HANDED = (
    "What models said was read from the plan that the job with their key made in this run; here "
    "quotations, keys and checks were looked up again, and no model was asked."
)
_FIGURES = frozenset({
    "citation NLI", "recall (001)", "recall, checked", "full support (000, 002, 004)",
    "precision", "precision, checked", "F1", "on topic", "off topic", "not checkable", "unchecked",
})  # fmt: skip
_SUPPLIED = frozenset({"abstract", "source text", "verdict", "setting", "suppression"})
_REPAIRABLE = frozenset({OFF_TOPIC, CONTRADICTED, SILENT})
_MOST_CHECKED = 300
"""Accepted edits that are checked again: each means reading the paper once more."""
_MOST_TOLD = 20
_LINE = 300
_NAME = 100
_AROUND_KEY = re.compile(r"[\s,]*")


@dataclass(frozen=True)
class Confirmed:
    """The plan with what is true of it; `refused` are sentences on what was left out."""

    plan: Plan
    refused: tuple[str, ...]


def confirm(
    plan: Plan,
    manuscript: Manuscript,
    reread: Reread,
    sources: Mapping[str, Text] | None = None,
    *,
    ours: bool = False,
) -> Confirmed:
    """What `manuscript`, read at the plan's head, bears out of the plan.

    `reread` reads the paper with other files in place of its own; `sources` are the texts of
    cited works by key in lower case, as `verify` reads them. `ours`: the forge says that a job of
    ours made it. Nothing is asked of any model.
    """
    witness = Witness(manuscript, sources or {}, ours=ours)
    refused: list[str] = []
    if not ours:
        plan = _without_models(plan, refused)
    findings = _findings(plan.findings, witness, refused)
    known = {noted.finding.fingerprint: noted.finding for noted in findings}
    verdicts = _verdicts(plan.verdicts, known, witness, refused, ours=ours)
    verdicts = _checked(verdicts, manuscript, reread, refused)
    # Whatever the plan says: that nothing was found or checked may be what it hides.
    trusted = bool(manuscript.citations)
    notes = [line(note, _LINE) for note in plan.notes[:_MOST_TOLD]]
    if trusted and not ours:
        notes.append(ON_TRUST)
    confirmed = replace(
        plan,
        version=line(plan.version, 40),
        findings=findings,
        verdicts=verdicts,
        coverage=_coverage(plan.coverage),
        whole=_coverage(plan.whole),
        before=_figures(plan.before),
        after=_figures(plan.after),
        judges=tuple(line(judge, _NAME) for judge in plan.judges[:10]),
        supplied=_supplied(plan.supplied),
        notes=tuple(notes),
        secondhand=trusted and not ours,
        advice=None if plan.advice is None else borne_out(plan.advice, known, line),
        handed=ours,
        services=tuple(name for name in plan.services if name in SERVICES),
    )
    more = len(refused) - _MOST_TOLD
    if more > 0:
        refused = [*refused[:_MOST_TOLD], f"{more} more parts of the plan are left out likewise."]
    return Confirmed(confirmed, tuple(refused))


def _without_models(plan: Plan, refused: list[str]) -> Plan:
    """The plan without what only a model that writes, or a literature service, can have brought."""
    unheard = sum(n.finding.rule in LOOKED_UP for n in plan.findings)
    if unheard:
        refused.append(
            f"{many(unheard, 'finding')} on the word of literature services is left out: "
            "services are not asked here."
        )
    plan = replace(
        plan, findings=tuple(n for n in plan.findings if n.finding.rule not in LOOKED_UP)
    )
    findings = tuple(n for n in plan.findings if not is_point(n.finding.rule))
    verdicts = tuple(v for v in plan.verdicts if v.edit.purpose not in DRAFTED)
    gone = (len(plan.findings) - len(findings), len(plan.verdicts) - len(verdicts))
    if any(gone) or plan.advice is not None:
        refused.append(left_out(*gone))
    return replace(plan, findings=findings, verdicts=verdicts, advice=None, handed=False)


def line(text: str, longest: int) -> str:
    """A text of the plan's maker as one line of printable characters, at most `longest`."""
    folded = " ".join(text[: 4 * longest].split())
    shown = "".join(c for c in folded if c.isprintable())
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def _findings(told: Iterable[Noted], witness: Witness, refused: list[str]) -> tuple[Noted, ...]:
    found: dict[str, Noted] = {}
    for noted in told:
        name = noted.finding.fingerprint
        if name in found:
            refused.append(f"A second finding {name[:8]} is left out.")
            continue
        try:
            finding = witness.finding(noted.finding)
        except Unproven as why:
            refused.append(f"Finding {name[:8]} is left out: {why}.")
            continue
        lost = len(noted.finding.evidence) - len(finding.evidence)
        if lost > 0 and finding.rule in VERIFY_RULES:
            refused.append(
                f"Evidence of finding {name[:8]} is left out: it cannot be read in the files here."
            )
        found[name] = Noted(
            finding,
            noted.origin,
            line(noted.subject, _NAME),
            tuple(line(one, _NAME) for one in noted.supplied[:10]),
        )
    return tuple(found.values())


def _verdicts(
    told: Iterable[Verdict],
    known: Mapping[str, Finding],
    witness: Witness,
    refused: list[str],
    *,
    ours: bool,
) -> tuple[Verdict, ...]:
    """The verdicts whose edit is one that we would offer, with words of ours."""
    found: dict[str, Verdict] = {}
    for verdict in told:
        try:
            edit = _edit(verdict.edit, known, witness, ours=ours)
        except Unproven as why:
            refused.append(f"{_name(verdict)} is left out: {why}.")
            continue
        if edit.id in found:
            refused.append(f"{_name(verdict)} is left out: another one settles the same finding.")
            continue
        found[edit.id] = replace(
            verdict,
            edit=edit,
            reasons=tuple(line(reason, _LINE) for reason in verdict.reasons[:_MOST_TOLD]),
            before=_scores(verdict.before),
            after=_scores(verdict.after),
            steps=tuple(
                replace(step, said=line(step.said, _LINE)) for step in verdict.steps[:_MOST_TOLD]
            ),
            shadow=_shadow(verdict.shadow),
            together=tuple(line(one, _NAME) for one in verdict.together[:_MOST_TOLD]),
            holds=tuple(line(one, _NAME) for one in verdict.holds[:_MOST_TOLD]),
        )
    return tuple(found.values())


def _shadow(told: Shadow | None) -> Shadow | None:
    if told is None:
        return None
    return replace(told, rule=line(told.rule, _NAME), why=line(told.why, _LINE))


def _name(verdict: Verdict) -> str:
    answers = verdict.edit.answers
    return f"The edit for {answers[0][:8]}" if answers else "An edit"


def _edit(told: Edit, known: Mapping[str, Finding], witness: Witness, *, ours: bool) -> Edit:
    standing = [known[one] for one in told.answers if one in known]
    if standing and brings_an_entry(told):
        if any(finding.rule not in _REPAIRABLE for finding in standing):
            raise Unproven("no citation repair settles its finding")
        return entered(told, standing, witness, ours=ours)
    if not standing or (len(told.answers) != 1 and told.purpose not in DRAFTED):
        raise Unproven("it answers no finding that stands")
    finding = standing[0]
    if told.purpose is Purpose.RULE_FIX:
        offered = witness.offered(finding.rule, finding.fingerprint)
        if (told.replacements, told.allows) != (offered.replacements, offered.allows):
            raise Unproven("its rule offers another edit")
        return offered
    if told.purpose is Purpose.PRUNE or told.purpose is Purpose.REPLACE:
        return _repair(told, finding, witness)
    if told.purpose in DRAFTED:
        read = tuple(text for text in told.evidence[:_MOST_TOLD] if witness.reads(text))
        return draft(told, standing, read)
    raise Unproven(f"a {told.purpose.value} is not delivered from a plan")


def _repair(told: Edit, finding: Finding, witness: Witness) -> Edit:
    """The prune or replacement of the one key that the finding speaks of."""
    if finding.rule not in _REPAIRABLE or len(told.replacements) != 1:
        raise Unproven("no citation repair settles its finding")
    key = witness.key(finding.place)
    (part,) = told.replacements
    pruned = told.purpose is Purpose.PRUNE
    if pruned:
        gained, why = None, f"'{key.name}' goes; another key of this citation stays."
        fits = _cuts_one_key(part, key.name) and part.at.span.covers(key.at.span)
    else:
        gained = part.after
        why = f"'{gained}' in the place of '{key.name}'."
        work = witness.works.get(gained.lower())
        fits = (part.at, part.before) == (key.at, key.name)
        fits = fits and work is not None and work.key == gained
    if not fits or part.at.path != key.at.path:
        raise Unproven("it changes more than the key that its finding speaks of")
    if told.allows != (Allowed("citation key", key.at, key.name, gained),):
        raise Unproven("it announces something else than the change of that key")
    return Edit(
        id=f"{'prune' if pruned else 'replace'}-{finding.fingerprint}",
        rule=finding.rule,
        replacements=told.replacements,
        purpose=told.purpose,
        why=why,
        allows=told.allows,
        evidence=tuple(text for text in told.evidence[:5] if witness.reads(text)),
        answers=told.answers,
    )


def _cuts_one_key(part: Replacement, name: str) -> bool:
    before, found, after = part.before.partition(name)
    return bool(
        found and not part.after and _AROUND_KEY.fullmatch(before) and _AROUND_KEY.fullmatch(after)
    )


def _checked(
    verdicts: Sequence[Verdict], manuscript: Manuscript, reread: Reread, refused: list[str]
) -> tuple[Verdict, ...]:
    """The verdicts without accepted edits that fail a hard check here, each in the text as it is
    after those before it."""
    current, kept = manuscript, list[Edit]()
    result = []
    for verdict in verdicts:
        if verdict.outcome is Outcome.ACCEPTED:
            try:
                current = _passed(verdict.edit, kept, manuscript, current, reread)
            except Unproven as why:
                refused.append(f"{_name(verdict)} is left out: {why}.")
                continue
            kept.append(verdict.edit)
        elif any(
            part.at.path not in manuscript.sources or manuscript.text(part.at) != part.before
            for part in verdict.edit.replacements
        ):
            refused.append(f"{_name(verdict)} is left out: its text does not stand there.")
            continue
        result.append(verdict)
    return tuple(result)


def _passed(
    edit: Edit, kept: Sequence[Edit], first: Manuscript, current: Manuscript, reread: Reread
) -> Manuscript:
    """The paper with one more edit. Raises Unproven where it must not be made."""
    if len(kept) >= _MOST_CHECKED:
        raise Unproven(f"more than {_MOST_CHECKED} edits are not checked")
    try:
        moved = rebased(edit, kept)
        at_once = {**first.sources, **apply(first.sources, [*kept, edit])}
        after = reread({**current.sources, **apply(current.sources, [moved])})
    except StaleEdit as error:
        raise Unproven("its text does not stand there") from error
    except ReviserError as error:
        raise Unproven("the paper cannot be read with it") from error
    if edit.purpose in DRAFTED:
        moved = _announced(replace(moved, allows=()), current, after)
    found = refusals(Change(current, after, moved))
    if found:
        raise Unproven(f"it fails the check {found[0].check}")
    if any(at_once[p].text != after.sources[p].text for p in edit.paths if p in after.sources):
        raise Unproven("beside the other edits it gives another text")
    return after


def _announced(edit: Edit, before: Manuscript, after: Manuscript) -> Edit:
    """A model's edit with what it may change: read off the paper, for neither a model nor a plan
    announces anything. Raises Unproven where the evidence at hand does not say it."""
    if edit.purpose is not Purpose.CLAIM_REWRITE:
        return announced(edit, before, after)
    edit = replace(edit, allows=claim_delta.announced(Change(before, after, edit)))
    why = claim_delta.unproven(Change(before, after, edit))
    if why:
        raise Unproven("what it says of the cited work cannot be read in the files here")
    return edit


def _scores(scores: Sequence[Score]) -> tuple[Score, ...]:
    return tuple(
        Score(line(s.name, _NAME), s.value, s.spread, line(s.why, _LINE)) for s in scores[:10]
    )


def _coverage(told: Coverage) -> Coverage:
    reasons = tuple((line(why, _LINE), count) for why, count in told.not_checked[:_MOST_TOLD])
    nli = None if told.nli is None else line(told.nli, _NAME)
    return Coverage(told.total, told.checked, reasons, nli)


def _figures(told: Sequence[Figure]) -> tuple[Figure, ...]:
    known = {figure.name: figure for figure in told if figure.name in _FIGURES}
    return tuple(replace(figure, why=line(figure.why, _LINE)) for figure in known.values())


def _supplied(told: Sequence[Supplied]) -> tuple[Supplied, ...]:
    return tuple(
        replace(one, name=line(one.name, _NAME))
        for one in told[:200]
        if one.kind in _SUPPLIED and not forbidden(one.path)
    )
