"""Findings as points: who can mend them."""

from dataclasses import replace

import pytest

from reviser.findings import Finding, Severity, fingerprinted
from reviser.pipeline.checking import Judges, Options, check, known_rules
from reviser.review.model import Action, Dimension, Remedy
from reviser.review.point_rules import RULES
from reviser.review.points import CLAIMS, findings_of, points_of
from reviser.review.suppress import Ignore
from tests.unit.review.small_review import BODY, at, manuscript, point

PAPER = manuscript()
SENTENCE = "They were studied for a hundred years \\cite{b}."


def found(rule: str, words: str, paper=PAPER, path="main.tex", **more) -> Finding:
    finding = Finding(rule, at(paper, words, path), words, f"{rule} here", Severity.WARNING, **more)
    return fingerprinted([finding])[0]


@pytest.mark.parametrize("rule", sorted(CLAIMS))
def test_a_claim_without_support_is_rewritten_with_its_whole_sentence(rule):
    finding = found(rule, "b}")
    (made,) = points_of(PAPER, [finding])
    assert made.id == finding.fingerprint
    assert (made.rule, made.message, made.severity) == (rule, f"{rule} here", Severity.WARNING)
    assert made.quote == SENTENCE
    assert made.place == at(PAPER, SENTENCE)
    assert (made.remedy, made.action) == (Remedy.TOOL, Action.REWRITE_CLAIM)
    assert findings_of([made]) == ()


@pytest.mark.parametrize(
    "rule", ["undefined-reference", "todo-in-prose", "placeholder-citation", "citation-lead",
             "citation-name-mismatch", "chatbot-leftover", "undefined-citation"],
)  # fmt: skip
def test_what_takes_a_fact_only_the_authors_know_is_theirs(rule):
    (made,) = points_of(PAPER, [found(rule, "b}")])
    assert (made.remedy, made.action, made.quote) == (Remedy.AUTHOR, None, "b}")


def test_a_claim_in_a_caption_or_in_another_language_is_the_authors():
    paper = manuscript(BODY.replace("that were tried.}", "that were tried \\cite{a,zz}.}"))
    assert points_of(paper, [found("citation-silent", "zz", paper)])[0].remedy is Remedy.AUTHOR
    german = replace(PAPER, language="de")
    assert points_of(german, [found("citation-silent", "b}")])[0].remedy is Remedy.AUTHOR


@pytest.mark.parametrize(
    "rule", ["injected-instruction", "hidden-text", "unused-suppression", "unused-entry",
             "unreadable", "stale-baseline"],
)  # fmt: skip
def test_orders_hidden_words_and_housekeeping_are_no_points(rule):
    assert points_of(PAPER, [found(rule, "b}")]) == ()


def test_neither_are_silenced_findings_and_those_outside_of_the_prose():
    assert points_of(PAPER, [found("todo-in-prose", "b}", suppressed="a draft")]) == ()
    assert points_of(PAPER, [found("citation-silent", "On a", path="refs.bib")]) == ()
    gone = replace(found("todo-in-prose", "b}"), place=replace(at(PAPER, "b}"), path="no.tex"))
    assert points_of(PAPER, [gone]) == ()


def test_every_rule_named_here_is_known_and_every_dimension_has_its_own():
    known = known_rules()
    assert known.keys() >= CLAIMS | RULES.keys()
    assert len(RULES) == len(Dimension)
    assert all(severity is not Severity.ERROR for severity, _ in RULES.values())


def test_points_of_a_review_are_findings_with_their_id_in_order_of_place():
    later, sooner = point(PAPER, "The rig was small."), point(PAPER, "Motors are cheap now.")
    assert [f.fingerprint for f in findings_of([later, sooner])] == [sooner.id, later.id]


class Nobody:
    name = "nobody"

    def similarities(self, rows, columns):
        return [[0.5 for _ in columns] for _ in rows]


def test_a_suppression_of_a_review_is_known_and_not_called_unused_where_nobody_reviews():
    paper = manuscript(
        BODY.replace("Motors", "% reviser: ignore[review-coverage] not here\nMotors")
    )
    ignore = Ignore("review-synthesis", "we know", "*")
    checked = check(paper, Options(verify=False, ignores=(ignore,)), Judges(Nobody()))
    assert "unused-suppression" not in {f.rule for f in checked.findings}
