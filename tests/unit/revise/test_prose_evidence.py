from collections.abc import Callable, Mapping, Sequence

import pytest
from small_paper import Paper, reading

from reviser.manuscript.model import Manuscript
from reviser.ports import Entailed, Unjudged
from reviser.revise.additions import announced
from reviser.revise.evidence import Known
from reviser.revise.gate import Gate
from reviser.revise.prose_evidence import Grounded
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span
from reviser.verify.claim import claims
from reviser.verify.model import Label, Support

BODY = "Words are plentiful in books~\\cite{a}. Letters are rare~\\cite{b,c}. They count."
PAPER = reading(BODY + "\n\\section{Two}\nNothing else is said.")


def said(labels: Mapping[str, Label], of: str = "") -> Callable[[Manuscript], Known]:
    """Supports by key, on topic else; `of` names words: where a claim has them, its labels are
    those of the keys in upper case."""

    def known(paper: Manuscript) -> Known:
        found = claims(paper)
        supports = []
        for number, claim in enumerate(found):
            for key in claim.keys:
                name = key.upper() if of and of in claim.text else key
                label = labels.get(name, labels.get(key, Label.ON_TOPIC))
                supports.append(Support(number, key, label, 0.5, "stub", "said so"))
        return Known(found, tuple(supports))

    return known


def edit(*changes: tuple[str, str], paper: Paper = PAPER, purpose: Purpose = Purpose.POINT) -> Edit:
    """Each change puts its second text for its first, which stands once; one that begins with the
    first only adds after it."""
    main = paper.manuscript.sources["main.tex"].text
    parts = []
    for old, new in changes:
        assert main.count(old) == 1
        start = main.index(old)
        added = new.startswith(old)
        span = Span(start + len(old) if added else start, start + len(old))
        parts.append(
            Replacement(
                Place("main.tex", span), "" if added else old, new[len(old) :] if added else new
            )
        )
    bare = Edit("e", "review-coverage", tuple(parts), purpose, "because")
    sources = paper.manuscript.sources
    return announced(bare, paper.manuscript, paper.reread({**sources, **apply(sources, [bare])}))


def judged(
    one: Edit,
    supports: Callable[[Manuscript], Known] | None = None,
    grounded: Grounded | None = None,
    paper: Paper = PAPER,
) -> Verdict:
    """The verdict without a rubric: what got past the evidence stands at the rubric."""
    return Gate(paper.reread, supports, grounded=grounded).judge(paper.manuscript, one)


def passed(verdict: Verdict) -> bool:
    return (verdict.layer, verdict.outcome) == (Layer.RUBRIC, Outcome.UNDECIDED)


REWORDED = edit(("plentiful in books", "copious in books"))
CITED = edit(("b,c}.", "b,c}. Few of them are read~\\cite{d,e}."))
UNCITED = edit(("b,c}.", "b,c}. So books hold words."))


@pytest.mark.parametrize(
    ("then", "now", "outcome"),
    [
        (Label.SUPPORTED, Label.SUPPORTED, None),
        (Label.ON_TOPIC, Label.ON_TOPIC, None),
        (Label.CONTRADICTED, Label.SUPPORTED, None),
        (Label.OFF_TOPIC, Label.OFF_TOPIC, None),
        (Label.SUPPORTED, Label.SILENT, Outcome.REJECTED),
        (Label.SUPPORTED, Label.ON_TOPIC, Outcome.REJECTED),
        (Label.ON_TOPIC, Label.OFF_TOPIC, Outcome.REJECTED),
        (Label.UNCHECKED, Label.CONTRADICTED, Outcome.REJECTED),
        (Label.SUPPORTED, Label.UNCHECKED, Outcome.UNDECIDED),
        (Label.UNCHECKED, Label.UNCHECKED, None),
    ],
)
def test_a_touched_claim_fares_no_worse(then: Label, now: Label, outcome: Outcome | None) -> None:
    found = judged(REWORDED, said({"a": then, "A": now}, of="copious"))
    assert passed(found) if outcome is None else found.outcome is outcome
    assert found.layer is (Layer.RUBRIC if outcome is None else Layer.EVIDENCE)


def test_a_claim_that_is_not_touched_does_not_count() -> None:
    calls = []

    def turning(paper: Manuscript) -> Known:
        calls.append(paper)
        return said({"b": Label.OFF_TOPIC if len(calls) > 1 else Label.ON_TOPIC})(paper)

    assert passed(judged(REWORDED, turning))


def test_claims_are_paired_over_an_added_citation() -> None:
    # The new citation stands before the touched claim and renumbers it.
    one = edit(
        ("plentiful in books~\\cite{a}.", "plentiful in books~\\cite{a}. Few are read~\\cite{d}."),
        ("Letters are rare", "Letters are scanty"),
    )
    fine = said({"d": Label.SUPPORTED, "b": Label.SUPPORTED})
    assert passed(judged(one, fine))
    worse = said({"d": Label.SUPPORTED, "b": Label.SUPPORTED, "B": Label.SILENT}, of="scanty")
    assert judged(one, worse).outcome is Outcome.REJECTED


@pytest.mark.parametrize(
    ("label", "outcome"),
    [
        (Label.SUPPORTED, None),
        (Label.SILENT, Outcome.REJECTED),
        (Label.CONTRADICTED, Outcome.REJECTED),
        (Label.OFF_TOPIC, Outcome.REJECTED),
        (Label.ON_TOPIC, Outcome.UNDECIDED),
        (Label.UNCHECKED, Outcome.UNDECIDED),
        (Label.NOT_CHECKABLE, Outcome.UNDECIDED),
    ],
)
def test_each_added_key_must_be_supported(label: Label, outcome: Outcome | None) -> None:
    found = judged(CITED, said({"d": Label.SUPPORTED, "e": label}))
    assert passed(found) if outcome is None else found.outcome is outcome
    if label is Label.ON_TOPIC:
        assert "a verifier is needed" in found.reasons[0]
    if outcome is None:
        assert {s.name for s in found.after} == {"d, stub", "e, stub"}


def test_an_added_key_without_any_verdict_is_undecided() -> None:
    def silent(paper: Manuscript) -> Known:
        return Known(claims(paper), ())

    assert judged(CITED, silent).outcome is Outcome.UNDECIDED


def test_without_evidence_only_what_touches_no_claim_gets_past() -> None:
    assert judged(REWORDED).outcome is Outcome.UNDECIDED
    assert judged(CITED).layer is Layer.EVIDENCE
    assert passed(judged(edit(("They count", "They matter"))))


def saying(entails: float, contradicts: float | None, asked: list[tuple[str, str]]) -> Grounded:
    def grounded(premise: str, hypothesis: str) -> Entailed:
        asked.append((premise, hypothesis))
        return Entailed(entails, contradicts)

    return grounded


@pytest.mark.parametrize(
    ("entails", "contradicts", "outcome"),
    [
        (0.9, 0.0, None),
        (0.9, None, None),
        (0.5, 0.1, Outcome.REJECTED),
        (0.1, 0.9, Outcome.REJECTED),
        (0.7, 0.8, Outcome.REJECTED),
    ],
)
def test_an_added_sentence_without_citation_follows_from_its_section(
    entails: float, contradicts: float | None, outcome: Outcome | None
) -> None:
    asked: list[tuple[str, str]] = []
    found = judged(UNCITED, said({}), saying(entails, contradicts, asked))
    assert passed(found) if outcome is None else found.outcome is outcome
    (pair,) = asked
    assert pair[1] == "So books hold words."
    assert "Letters are rare" in pair[0]
    assert "They count." in pair[0]
    assert "So books" not in pair[0], "nothing bears itself out"
    assert "Nothing else" not in pair[0], "only its own section"
    assert "[1]" not in pair[0]


def test_nobody_to_ask_and_no_answer_leave_it_undecided() -> None:
    found = judged(UNCITED, said({}))
    assert found.outcome is Outcome.UNDECIDED
    assert "verifier is needed" in found.reasons[0]
    found = judged(UNCITED, said({}), lambda *_: Unjudged("no budget"))
    assert found.outcome is Outcome.UNDECIDED
    assert "no budget" in found.reasons[0]


@pytest.mark.parametrize(
    "changes",
    [
        [("They count.", "They count. Readers enjoy poems happily.")],  # put in after it
        [("They count.", "Readers enjoy poems happily.")],  # in the place of another
        [("They count", "Counting goes on. Readers enjoy poems happily")],
    ],
)
def test_a_sentence_does_not_slip_in_as_rewording(changes: Sequence[tuple[str, str]]) -> None:
    found = judged(edit(*changes), said({}))
    assert (found.outcome, found.layer) == (Outcome.UNDECIDED, Layer.EVIDENCE)


def test_what_is_reworded_is_not_asked_about() -> None:
    asked: list[tuple[str, str]] = []
    one = edit(("They count", "Letters and words count"))
    assert passed(judged(one, said({}), saying(0.0, 1.0, asked)))
    assert asked == []


def test_a_refusal_outweighs_what_could_not_be_asked() -> None:
    both = edit(
        ("b,c}.", "b,c}. Few of them are read~\\cite{d}."),
        ("They count.", "They count. Books are old."),
    )
    found = judged(both, said({"d": Label.SILENT}))
    assert found.outcome is Outcome.REJECTED


def test_the_reason_says_when_only_the_topic_was_compared() -> None:
    found = judged(REWORDED, said({}))
    assert any("topic evidence only" in step.said for step in found.steps)
    found = judged(REWORDED, said({"a": Label.SUPPORTED}))
    assert not any("topic evidence only" in step.said for step in found.steps)
