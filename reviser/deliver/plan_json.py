"""A plan as a file, and back: strictly typed and capped, since the file may be anybody's.

What can be read here is only well formed; whether it is true, `confirm` says.
"""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from reviser.deliver.advised import Advised, Opinion, Rebutted
from reviser.deliver.plan import SCHEMA, Noted, Plan, Target
from reviser.errors import ReviserError
from reviser.findings import Evidence, Finding
from reviser.manuscript.files import forbidden
from reviser.revise.treatment import JudgeReport
from reviser.revise.verdict import Outcome, Verdict
from reviser.text.edit import Edit
from reviser.text.printable import many
from reviser.text.source import Place

LARGEST = 8_000_000
"""Bytes of a plan."""
MOST_FINDINGS = 5_000
MOST_EDITS = 2_000
_MOST_PARTS = 50  # replacements or allowances of an edit
_MOST_LISTED = 5_000  # entries of any other list
_MOST_SAID = 50  # entries of any list of a review, its judge, or a certificate
_MOST_TOGETHER = 200  # edits that were weighed at once
_TEXT = 20_000  # characters of any text
_NAME = 200
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MARK = re.compile(r"[0-9a-f]{12}")
_BRANCH = re.compile(r"(?!-)[^\x00-\x20\x7f~^:?*\[\\]{1,250}")
_RULE = re.compile(r"[a-z][a-z0-9-]{0,59}")
_T = TypeVar("_T")
_LEFT_OUT = (
    "The plan's file leaves out {what}, the least weighty ones, because it may hold no more; the "
    "job summary of the run that made it tells all."
)
_FAIL_ON = frozenset({"error", "warning", "note", "never"})


class UnreadablePlan(ReviserError):  # noqa: N818 - it names the state of the plan
    """A plan's file is broken, of another version, or holds what no plan holds."""


@dataclass(frozen=True)
class _File:
    schema: Literal["reviser.plan/2"]
    plan: Plan


_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _adapter() -> TypeAdapter[tuple[_File]]:
    # pydantic takes settings for a tuple, and hands them on to the dataclasses within.
    return TypeAdapter(tuple[_File], config=_STRICT)


def write(plan: Plan) -> str:
    """The plan as JSON with a line end. `read` gives it back; only names of files that are no
    text (lone surrogates) come back with a question mark.

    What is more than `read` takes is left out: findings that were there before the change, then the
    least severe ones, and the edits that answer them. A note in the plan counts them.
    """
    most = MOST_FINDINGS
    while True:
        fitting = _fitting(plan, most)
        text = _written(fitting)
        size = len(text.encode())
        if size <= LARGEST or not fitting.findings:
            return text
        most = len(fitting.findings) * LARGEST // size * 9 // 10


def _written(plan: Plan) -> str:
    (told,) = _adapter().dump_python((_File("reviser.plan/2", plan),), mode="python")
    text = json.dumps(told, ensure_ascii=False, indent=1)
    return text.encode("utf-8", "replace").decode() + "\n"


def _fitting(plan: Plan, most: int) -> Plan:
    """The plan without what `read` would refuse, with `most` findings at most."""
    shortened = [_shortened(noted) for noted in plan.findings]
    sound = [n for n, noted in enumerate(shortened) if _holds(_finding, noted.finding)]
    sound.sort(key=lambda n: (not shortened[n].introduced, n))  # the worst come first already
    findings = tuple(shortened[n] for n in sorted(sound[:most]))
    told = {noted.finding.fingerprint for noted in findings}
    known = told | {point for v in plan.verdicts for point in v.edit.answers} - {
        noted.finding.fingerprint for noted in plan.findings
    }
    fits = [
        n
        for n, verdict in enumerate(plan.verdicts)
        if known.issuperset(verdict.edit.answers) and _holds(_verdict, verdict)
    ]
    fits.sort(key=lambda n: (plan.verdicts[n].outcome is not Outcome.ACCEPTED, n))
    verdicts = tuple(plan.verdicts[n] for n in sorted(fits[:MOST_EDITS]))
    notes = tuple(note[:_TEXT] for note in plan.notes)
    lost = (len(plan.findings) - len(findings), len(plan.verdicts) - len(verdicts))
    if any(lost):
        left = f"{many(lost[0], 'finding')} and {many(lost[1], 'edit')}"
        notes = (*notes[: _MOST_LISTED - 1], _LEFT_OUT.format(what=left))
    return replace(
        plan,
        findings=findings,
        verdicts=verdicts,
        supplied=plan.supplied[:_MOST_LISTED],
        notes=notes[:_MOST_LISTED],
        advice=None if plan.advice is None else _brief(plan.advice),
    )


def _brief(advice: Advised) -> Advised:
    """With lists and texts as long as may be: a model may have said anything."""
    opinion, judge = advice.opinion, advice.judge
    if opinion is not None:
        opinion = replace(
            opinion,
            summary=opinion.summary[:_TEXT],
            strengths=_some(opinion.strengths),
            weaknesses=_some(opinion.weaknesses),
            questions=_some(opinion.questions),
            model=opinion.model[:_NAME],
            left_out=_some(opinion.left_out),
        )
    if judge is not None:
        controls = tuple((done[:_NAME], seen) for done, seen in judge.controls[:_MOST_SAID])
        judge = replace(judge, model=judge.model[:_NAME], controls=controls, why=judge.why[:_TEXT])
    rebutted = tuple(
        replace(one, message=one.message[:_TEXT], why=one.why[:_TEXT], answer=one.answer[:_TEXT])
        for one in advice.rebutted[:MOST_EDITS]
    )
    spent = tuple(replace(one, model=one.model[:_NAME]) for one in advice.spent[:_MOST_SAID])
    unusable = tuple(text[:_TEXT] for text in advice.unusable[:_MOST_LISTED])
    return Advised(opinion, rebutted, unusable, spent, judge)


def _some(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text[:_TEXT] for text in texts[:_MOST_SAID])


def _shortened(noted: Noted) -> Noted:
    """With texts as long as may be; the fingerprint is that of the whole quotation."""
    finding = noted.finding
    texts = [finding.quote, finding.message, finding.measured, finding.suppressed or ""]
    texts += [text for one in finding.evidence for text in (one.text, one.where)]
    if len(noted.subject) <= _NAME and all(len(text) <= _TEXT for text in texts):
        return noted
    evidence = tuple(Evidence(e.text[:_TEXT], e.where[:_TEXT]) for e in finding.evidence)
    short = replace(
        finding,
        quote=finding.quote[:_TEXT],
        message=finding.message[:_TEXT],
        measured=finding.measured[:_TEXT],
        evidence=evidence,
    )
    return replace(noted, finding=short, subject=noted.subject[:_NAME])


def _holds(check: Callable[[_T], None], value: _T) -> bool:
    try:
        check(value)
    except UnreadablePlan:
        return False
    return True


def read(data: bytes) -> Plan:
    """The plan in `data`. Raises UnreadablePlan when it is none, or exceeds the limits."""
    if len(data) > LARGEST:
        raise UnreadablePlan(f"the plan is larger than {LARGEST:,} bytes")
    _version(data)
    try:
        (file,) = _adapter().validate_json(b"[" + data + b"]")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise _wrong(f"{where[:200]}: {first['msg'][:200]}") from None
    _check(file.plan)
    return file.plan


def _version(data: bytes) -> None:
    """Say so first where the file is of another version: nothing else would be understood."""
    try:
        told: object = json.loads(data)
    except (ValueError, RecursionError):
        raise _wrong("it is not JSON") from None
    schema = told.get("schema") if isinstance(told, dict) else None
    if schema != SCHEMA:
        said = schema[:40] if isinstance(schema, str) else "none"
        raise UnreadablePlan(
            f"the plan's schema is {said!r}, and this is the reader of {SCHEMA!r}",
            hint="Make and deliver a plan with the same version of reviser.",
        )


def _wrong(why: str) -> UnreadablePlan:
    return UnreadablePlan(f"this is no plan: {why}", hint="`reviser plan --out` writes one.")


def _check(plan: Plan) -> None:
    """What types cannot say. Raises UnreadablePlan."""
    _target(plan.target)
    _limit("findings", len(plan.findings), MOST_FINDINGS)
    _limit("edits", len(plan.verdicts), MOST_EDITS)
    if plan.fail_on not in _FAIL_ON:
        raise _wrong(f"fail_on is {plan.fail_on[:40]!r}")
    for noted in plan.findings:
        _finding(noted.finding)
        _texts("subject", [noted.subject, *noted.supplied], _NAME)
    for verdict in plan.verdicts:
        _verdict(verdict)
    for coverage in (plan.coverage, plan.whole):
        _texts("not_checked", [why for why, _ in coverage.not_checked], _TEXT)
        counts = [coverage.total, coverage.checked, *(n for _, n in coverage.not_checked)]
        if min(counts) < 0 or coverage.checked > coverage.total:
            raise _wrong("a coverage counts wrongly")
    for figure in (*plan.before, *plan.after):
        _texts("figures", [figure.name, figure.why], _NAME)
        if figure.count < 0 or figure.of < 0 or not _share(figure.value, figure.unknown):
            raise _wrong(f"the figure {figure.name[:40]!r} counts wrongly")
    for one in plan.supplied:
        _texts("supplied", [one.kind, one.name], _NAME)
        _path(one.path)
    _texts("judges", plan.judges, _NAME)
    _texts("services", plan.services, _NAME)
    _texts("notes", plan.notes, _TEXT)
    _texts("version", [plan.version], _NAME)
    if plan.silenced < 0 or plan.open_questions < 0:
        raise _wrong("a count is negative")
    if plan.advice is not None:
        _advice(plan.advice)


def _advice(advice: Advised) -> None:
    _limit("rebuttals", len(advice.rebutted), MOST_EDITS)
    for one in advice.rebutted:
        _rebuttal(one)
    _texts("unusable", advice.unusable, _TEXT)
    _limit("parts of what was spent", len(advice.spent), _MOST_SAID)
    for spent in advice.spent:
        _texts("spent", [spent.part, spent.model], _NAME)
        if min(spent.requests, spent.taped, spent.tokens, spent.cost or 0) < 0:
            raise _wrong("what was spent is negative")
    if advice.opinion is not None:
        _opinion(advice.opinion)
    if advice.judge is not None:
        _judge(advice.judge)


def _rebuttal(one: Rebutted) -> None:
    _matches("rule", one.rule, _RULE.fullmatch)
    _matches("point", one.point, _MARK.fullmatch)
    _texts("rebuttal", [one.message, one.why, one.answer], _TEXT)


def _opinion(told: Opinion) -> None:
    for said in (told.strengths, told.weaknesses, told.questions, told.left_out):
        _limit("parts of a review", len(said), _MOST_SAID)
        _texts("review", said, _TEXT)
    _texts("review", [told.summary], _TEXT)
    _texts("review", [told.model], _NAME)
    if not (1 <= told.rating <= 10 and 1 <= told.confidence <= 5 and told.criteria >= 0):
        raise _wrong("the review's marks are out of range")


def _judge(told: JudgeReport) -> None:
    _texts("judge", [told.model, *(done for done, _ in told.controls)], _NAME)
    _texts("judge", [told.why], _TEXT)
    _limit("controls", len(told.controls), _MOST_SAID)
    figures = (told.spread or 0, told.margin or 0)
    if min(told.trials, told.samples) < 0 or not all(0 <= one <= 10 for one in figures):
        raise _wrong("the judge's spread is out of range")


def _share(*values: float | None) -> bool:
    return all(value is None or 0 <= value <= 1 for value in values)


def _target(target: Target) -> None:
    _matches("target.repository", target.repository, _REPOSITORY.fullmatch)
    _matches("target.head", target.head, _COMMIT.fullmatch)
    _matches("target.branch", target.branch, _BRANCH.fullmatch)
    if target.base:
        _matches("target.base", target.base, _COMMIT.fullmatch)
    if target.number is not None and not 0 < target.number < 10**9:
        raise _wrong("target.number is no pull request's")
    if target.root and not target.root.endswith("/"):
        raise _wrong("target.root does not end in a slash")
    for folder in (target.root.removesuffix("/"), target.paper):
        if folder:
            _path(folder)


def _finding(finding: Finding) -> None:
    _matches("rule", finding.rule, _RULE.fullmatch)
    _matches("fingerprint", finding.fingerprint, _MARK.fullmatch)
    _place(finding.place)
    texts = [finding.quote, finding.message, finding.measured, finding.suppressed or ""]
    texts += [text for one in finding.evidence for text in (one.text, one.where)]
    _texts("finding", texts, _TEXT)


def _verdict(verdict: Verdict) -> None:
    edit: Edit = verdict.edit
    _matches("rule", edit.rule, _RULE.fullmatch)
    _limit("parts of an edit", max(len(edit.replacements), len(edit.allows)), _MOST_PARTS)
    for part in edit.replacements:
        _place(part.at)
        _texts("replacement", [part.before, part.after], _TEXT)
    for allowed in edit.allows:
        _place(allowed.at)
        _texts("allowed", [allowed.kind, allowed.lost or "", allowed.gained or ""], _TEXT)
    for answer in edit.answers:
        _matches("answers", answer, _MARK.fullmatch)
    _texts("edit", [edit.id, edit.why, *edit.evidence, *verdict.reasons], _TEXT)
    _limit("answers", len(edit.answers), _MOST_PARTS)
    for ground in edit.grounds:
        _texts("ground", [ground.said, ground.key, ground.where, ground.quote], _TEXT)
    _limit("grounds", len(edit.grounds), _MOST_PARTS)
    _limit("parts of a certificate", len(verdict.steps), _MOST_SAID)
    _texts("certificate", [step.said for step in verdict.steps], _TEXT)
    if verdict.shadow is not None:
        _texts("certificate", [verdict.shadow.rule, verdict.shadow.why], _TEXT)
    _limit("edits weighed together", len(verdict.together), _MOST_TOGETHER)
    _limit("edits taken up", len(verdict.holds), _MOST_TOGETHER)
    _texts("certificate", [*verdict.together, *verdict.holds], _NAME)
    for score in (*verdict.before, *verdict.after):
        _texts("score", [score.name, score.why], _TEXT)


def _place(place: Place) -> None:
    _path(place.path)


def _path(path: str) -> None:
    why = forbidden(path)
    if why:
        raise _wrong(f"the path {path[:100]!r} is refused, because {why}")


def _matches(name: str, text: str, test: Callable[[str], object]) -> None:
    if not test(text):
        raise _wrong(f"{name} is {text[:80]!r}")


def _texts(name: str, texts: Iterable[str], longest: int) -> None:
    count = 0
    for text in texts:
        count += 1
        if len(text) > longest:
            raise _wrong(f"a text in {name} is longer than {longest:,} characters")
    _limit(name, count, _MOST_LISTED)


def _limit(name: str, count: int, most: int) -> None:
    if count > most:
        raise _wrong(f"there are {count:,} {name}, more than {most:,}")
