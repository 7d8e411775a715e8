import pytest
from small_paper import evidence, prune, put, reading, swap

from reviser.errors import NoConclusion
from reviser.manuscript.model import Manuscript
from reviser.revise.evidence import Known
from reviser.revise.gate import Gate
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Allowed, Edit, Purpose
from reviser.text.source import Place, Span
from reviser.verify.model import Label

PAPER = reading("Words are plentiful~\\cite{a,b,c}. Letters are few~\\cite{d}.")
OFF = {"b": Label.OFF_TOPIC, "d": Label.OFF_TOPIC}
LOW = {"b": 0.1, "d": 0.1}


def verdict(edit: Edit, supports=None, **keywords) -> Verdict:
    return Gate(PAPER.reread, supports=supports, **keywords).judge(PAPER.manuscript, edit)


def test_a_sound_rule_fix_is_accepted_with_a_certificate() -> None:
    paper = reading("Letters are few~\\cite{D}.")
    at = paper.manuscript.citations[0].keys[0].at
    allowed = Allowed("citation key", at, "D", "d")
    edit = put(paper.manuscript, "D", "d", at="{D}", allows=[allowed])
    found = Gate(paper.reread).judge(paper.manuscript, edit)
    assert (found.outcome, found.layer) == (Outcome.ACCEPTED, Layer.INVARIANTS)
    assert "checks passed" in found.reasons[0]


def test_text_that_has_gone_is_stale() -> None:
    edit = put(PAPER.manuscript, "plentiful", "few")
    other = reading("Something else stands here.")
    found = Gate(other.reread).judge(other.manuscript, edit)
    assert (found.outcome, found.layer) == (Outcome.REJECTED, Layer.STALE)


def test_a_refused_edit_says_which_check_refuses() -> None:
    found = verdict(put(PAPER.manuscript, "plentiful", "not plentiful"))
    assert (found.outcome, found.layer) == (Outcome.REJECTED, Layer.INVARIANTS)
    assert found.reasons[0] == "keeps_negations: negation 'not' gained"


@pytest.mark.parametrize("purpose", [Purpose.POINT, Purpose.HUMAN, Purpose.OUTLINE])
def test_what_needs_a_rubric_is_undecided_without_one(purpose: Purpose) -> None:
    edit = put(PAPER.manuscript, "plentiful", "copious", purpose=purpose)
    found = verdict(edit, evidence({}))
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.RUBRIC)


def test_a_rewritten_claim_is_undecided_without_a_verifier() -> None:
    edit = put(PAPER.manuscript, "plentiful", "copious", purpose=Purpose.CLAIM_REWRITE)
    for supports in (None, evidence({})):
        found = verdict(edit, supports)
        assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.EVIDENCE)


@pytest.mark.parametrize(
    ("label", "outcome"),
    [(Label.SUPPORTED, Outcome.ACCEPTED), (Label.SILENT, Outcome.REJECTED)],
)
def test_a_rewritten_claim_is_judged_by_a_verifier(label: Label, outcome: Outcome) -> None:
    edit = put(PAPER.manuscript, "plentiful", "copious", purpose=Purpose.CLAIM_REWRITE)
    found = verdict(edit, evidence(dict.fromkeys("abcd", label)))
    assert found.outcome is outcome


def test_a_citation_repair_without_evidence_is_undecided() -> None:
    found = verdict(prune(PAPER.manuscript, 0, "b"))
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.EVIDENCE)


def test_an_outage_of_the_evidence_is_undecided() -> None:
    def outage(paper: Manuscript) -> Known:
        raise NoConclusion("the model is gone")

    found = verdict(prune(PAPER.manuscript, 0, "b"), outage)
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.EVIDENCE)
    assert "the model is gone" in found.reasons[0]


def test_a_paper_that_cannot_be_read_again_is_undecided() -> None:
    def broken(changed: object) -> Manuscript:
        raise NoConclusion("no main file")

    edit = put(PAPER.manuscript, "plentiful", "few")
    found = Gate(broken).judge(PAPER.manuscript, edit)
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.INVARIANTS)


def test_a_prune_needs_an_accused_key_and_a_good_sibling() -> None:
    edit = prune(PAPER.manuscript, 0, "b")
    assert verdict(edit, evidence(OFF, LOW)).outcome is Outcome.ACCEPTED
    assert verdict(edit, evidence({})).outcome is Outcome.REJECTED
    alone = {"a": Label.UNCHECKED, "b": Label.OFF_TOPIC, "c": Label.NOT_CHECKABLE}
    assert verdict(edit, evidence(alone)).outcome is Outcome.REJECTED
    assert verdict(edit, evidence({"b": Label.UNCHECKED})).outcome is Outcome.UNDECIDED
    silent = {"a": Label.SUPPORTED, "b": Label.SILENT}
    assert verdict(edit, evidence(silent)).outcome is Outcome.REJECTED


def test_without_a_verifier_the_certificate_says_topic_only() -> None:
    edit = prune(PAPER.manuscript, 0, "b")
    found = verdict(edit, evidence(OFF, LOW))
    assert "topic evidence only" in found.reasons
    found = verdict(edit, evidence({"a": Label.SUPPORTED, "b": Label.CONTRADICTED}))
    assert found.outcome is Outcome.ACCEPTED
    assert "topic evidence only" not in found.reasons
    assert found.before[0].why == "contradicted"


def test_a_replacement_needs_a_new_key_well_ahead() -> None:
    edit = swap(PAPER.manuscript, 1, "d", "e")
    assert verdict(edit, evidence(OFF, LOW)).outcome is Outcome.ACCEPTED
    close = verdict(edit, evidence(OFF, {"d": 0.45}))
    assert close.outcome is Outcome.REJECTED
    assert "by 0.05 only" in close.reasons[0]
    assert verdict(edit, evidence(OFF, {"d": 0.45}), margin=0.01).outcome is Outcome.ACCEPTED
    both = {"d": Label.OFF_TOPIC, "e": Label.OFF_TOPIC}
    assert verdict(edit, evidence(both, LOW)).outcome is Outcome.REJECTED
    unknown = {"d": Label.OFF_TOPIC, "e": Label.UNCHECKED}
    assert verdict(edit, evidence(unknown, LOW)).outcome is Outcome.UNDECIDED
    assert verdict(edit, evidence({})).outcome is Outcome.REJECTED


def test_a_contradicted_key_is_replaced_by_a_supporting_one_only() -> None:
    edit = swap(PAPER.manuscript, 1, "d", "e")
    found = verdict(edit, evidence({"d": Label.CONTRADICTED}, LOW))
    assert found.outcome is Outcome.REJECTED
    found = verdict(edit, evidence({"d": Label.CONTRADICTED, "e": Label.SUPPORTED}, LOW))
    assert found.outcome is Outcome.ACCEPTED


def test_no_other_claim_may_fare_worse() -> None:
    calls: list[Manuscript] = []

    def turning(paper: Manuscript) -> Known:
        calls.append(paper)
        worse = {**OFF, "c": Label.OFF_TOPIC} if len(calls) > 1 else OFF
        return evidence(worse, LOW)(paper)

    found = verdict(prune(PAPER.manuscript, 0, "b"), turning)
    assert found.outcome is Outcome.REJECTED
    assert "fare worse" in found.reasons[0]


def test_a_path_outside_the_paper_is_refused() -> None:
    edit = put(PAPER.manuscript, "plentiful", "few")
    stranger = Place("../other.tex", Span(0, 4))
    part = edit.replacements[0]
    moved = Edit("x", "test", (type(part)(stranger, "plentiful", "few"),), Purpose.RULE_FIX, "")
    assert verdict(moved).outcome is Outcome.REJECTED


def test_an_empty_edit_is_refused() -> None:
    assert verdict(Edit("x", "test", (), Purpose.RULE_FIX, "")).outcome is Outcome.REJECTED
