"""What a model wrote, as it is read from a plan: kept as far as it can be checked without one."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from reviser.deliver.advised import Advised, Opinion, Rebutted, is_point
from reviser.deliver.witness import Unproven
from reviser.findings import Finding
from reviser.text.edit import Edit, Purpose
from reviser.text.printable import many
from reviser.verify.repair import CONTRADICTED, OFF_TOPIC, SILENT

DRAFTED = frozenset({Purpose.POINT, Purpose.CLAIM_REWRITE, Purpose.HUMAN, Purpose.OUTLINE})
"""Purposes of edits that only a model can have written."""
_DELIVERED = frozenset({Purpose.POINT, Purpose.CLAIM_REWRITE})
_CLAIMS = frozenset({OFF_TOPIC, CONTRADICTED, SILENT})
_TEXT, _SENTENCE, _NAME = 2_000, 600, 100  # characters
_MOST = 12  # entries of each list of a review
_MOST_REBUTTED = 50
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._ -]{0,99}")
_PARTS = frozenset({"writer", "helper", "evaluator", "verifier"})

Line = Callable[[str, int], str]
"""A text as one line of printable characters, of at most so many."""


def left_out(points: int, edits: int) -> str:
    """That what models brought is not taken from a plan whose maker is not known."""
    return (
        f"What models wrote ({many(points, 'point')} of a review, {many(edits, 'edit')}) is left "
        "out: the plan was not made by a job of this repository's own."
    )


def draft(told: Edit, findings: Sequence[Finding], evidence: tuple[str, ...]) -> Edit:
    """An edit by a model that settles some findings (at least one), without what it announces, and
    with no more evidence than can be read here.
    Raises Unproven where no writer makes one like it; whether it passes the hard checks is asked
    elsewhere."""
    if told.purpose not in _DELIVERED:
        raise Unproven(f"a {told.purpose.value} is not delivered from a plan")
    rules = [finding.rule for finding in findings]
    if told.purpose is Purpose.CLAIM_REWRITE and _CLAIMS.isdisjoint(rules):
        raise Unproven("no claim is rewritten for its finding")
    if told.rule not in rules or not _ID.fullmatch(told.id):
        raise Unproven("it does not say what it is for")
    if len(told.paths) != 1 or told.paths[0].lower().endswith(".bib"):
        raise Unproven("a model's edit changes the prose of one file")
    why = next(finding.message for finding in findings if finding.rule == told.rule)
    answers = tuple(finding.fingerprint for finding in findings)
    return replace(told, why=why, evidence=evidence, allows=(), answers=answers)


def borne_out(advice: Advised, known: Mapping[str, Finding], line: Line) -> Advised:
    """What a plan tells of its models, its texts made fit to be shown. Rebuttals of findings that
    do not stand are left out; `known` are those that do, by fingerprint."""
    rebutted = tuple(
        Rebutted(
            one.point,
            one.rule,
            line(one.message, _SENTENCE),
            line(one.why, _SENTENCE),
            line(one.answer, _TEXT),
        )
        for one in advice.rebutted[:_MOST_REBUTTED]
        if (one.point in known and known[one.point].rule == one.rule) or is_point(one.rule)
    )
    judge = advice.judge
    if judge is not None:
        controls = tuple((line(done, _NAME), seen) for done, seen in judge.controls[:_MOST])
        judge = replace(
            judge,
            model=line(judge.model, _NAME),
            controls=controls,
            why=line(judge.why, _SENTENCE),
        )
    return Advised(
        opinion=None if advice.opinion is None else _opinion(advice.opinion, line),
        rebutted=rebutted,
        unusable=tuple(line(one, _SENTENCE) for one in advice.unusable[:_MOST]),
        spent=tuple(
            replace(one, model=line(one.model, _NAME))
            for one in advice.spent[:_MOST]
            if _PARTS.issuperset(one.part.split(" and "))
        ),
        judge=judge,
    )


def _opinion(told: Opinion, line: Line) -> Opinion:
    def some(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(line(text, _SENTENCE) for text in texts[:_MOST])

    return replace(
        told,
        summary=line(told.summary, _TEXT),
        strengths=some(told.strengths),
        weaknesses=some(told.weaknesses),
        questions=some(told.questions),
        model=line(told.model, _NAME),
        left_out=some(told.left_out),
    )
