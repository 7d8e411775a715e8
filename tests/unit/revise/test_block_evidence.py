"""What the evidence says of sections and tables: quotations looked up, sentences judged."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tern_papers import SECTION, TABLE, reading
from test_block_writer import made

from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.ports import Entailed
from reviser.review.model import Action
from reviser.revise.additions import announced
from reviser.revise.evidence import Known
from reviser.revise.gate import Gate
from reviser.revise.verdict import Layer, Outcome, Verdict
from reviser.text.edit import Edit, apply
from reviser.verify.claim import claims
from reviser.verify.evidence import works
from reviser.verify.model import Label, Passage, Support


def passages(manuscript: Manuscript, key: str) -> Sequence[Passage]:
    work = works(manuscript, {}).get(key.lower())
    return () if work is None else work.passages


def saying(label: Label) -> Any:
    def known(manuscript: Manuscript) -> Known:
        found = claims(manuscript)
        return Known(
            found,
            tuple(
                Support(number, key, label, 0.9, "stub", "said so")
                for number, claim in enumerate(found)
                for key in claim.keys
            ),
        )

    return known


def judged(read: Reading, edit: Edit, **more: Any) -> Verdict:
    def reread(changed: Any) -> Manuscript:
        return replace(read.reread(changed), language="en")

    before = replace(read.manuscript, language="en")
    after = reread({**before.sources, **apply(before.sources, [edit])})
    told = announced(edit, before, after)
    return Gate(reread, **more).judge(before, told)


def passed(verdict: Verdict) -> bool:
    return (verdict.layer, verdict.outcome) == (Layer.RUBRIC, Outcome.UNDECIDED)


def table() -> tuple[Reading, Edit]:
    read = reading()
    edit = made(read, Action.ADD_TABLE, TABLE).edit
    assert edit is not None
    return read, edit


def test_a_table_rests_on_quotations_that_stand_in_the_works() -> None:
    read, edit = table()
    verdict = judged(read, edit, supports=saying(Label.SILENT), passages=passages)
    assert passed(verdict), verdict.reasons
    assert any("cells rest on words of 3 works" in reason for reason in verdict.reasons) or any(
        "cells rest on words of 3 works" in step.said for step in verdict.steps
    )


def test_a_quotation_that_stands_nowhere_refuses_the_table() -> None:
    read, edit = table()
    first, *others = edit.grounds
    false = replace(first, quote="Terns often breed on wide sandy beaches of the south.")
    verdict = judged(
        read,
        replace(edit, grounds=(false, *others)),
        supports=saying(Label.SUPPORTED),
        passages=passages,
    )
    assert (verdict.layer, verdict.outcome) == (Layer.EVIDENCE, Outcome.REJECTED)
    assert "does not stand in what is at hand of ash" in verdict.reasons[0]


def test_without_the_works_texts_a_table_stays_undecided() -> None:
    read, edit = table()
    for more in ({}, {"passages": lambda *_: ()}):
        verdict = judged(read, edit, supports=saying(Label.SUPPORTED), **more)
        assert (verdict.layer, verdict.outcome) == (Layer.EVIDENCE, Outcome.UNDECIDED)


def section() -> tuple[Reading, Edit]:
    read = reading()
    edit = made(read, Action.INSERT_SUBSECTION, SECTION).edit
    assert edit is not None
    return read, edit


def test_each_work_that_a_section_cites_must_support_its_sentence() -> None:
    read, edit = section()
    yes = judged(
        read, edit, supports=saying(Label.SUPPORTED), grounded=lambda *_: Entailed(0.9, 0.0)
    )
    assert passed(yes), yes.reasons
    no = judged(read, edit, supports=saying(Label.SILENT), grounded=lambda *_: Entailed(0.9, 0.0))
    assert (no.layer, no.outcome) == (Layer.EVIDENCE, Outcome.REJECTED)
    unknown = judged(read, edit, grounded=lambda *_: Entailed(0.9, 0.0))
    assert (unknown.layer, unknown.outcome) == (Layer.EVIDENCE, Outcome.UNDECIDED)


def test_a_sentence_without_works_follows_from_the_section_before_and_the_cited_ones() -> None:
    read, edit = section()
    asked: list[tuple[str, str]] = []

    def grounded(premise: str, hypothesis: str) -> Entailed:
        asked.append((premise, hypothesis))
        return Entailed(0.1, 0.0)

    verdict = judged(read, edit, supports=saying(Label.SUPPORTED), grounded=grounded)
    assert (verdict.layer, verdict.outcome) == (Layer.EVIDENCE, Outcome.REJECTED)
    ((premise, hypothesis),) = asked
    assert hypothesis == "Beaches and dunes both hold their nests."
    assert "We study the terns of two islands." in premise  # the section behind which it stands
    assert "They also nest in the dunes behind beaches" in premise
    assert "narrow and wet" not in premise
    assert hypothesis not in premise
