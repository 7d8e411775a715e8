"""A paragraph worked over with the literature: what goes, what comes, and who decides it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from desks import decision, desk, says
from tern_papers import reading
from test_block_evidence import judged, passed

from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.ports import Entailed
from reviser.review.model import Action
from reviser.revise.additions import announced
from reviser.revise.change import Change
from reviser.revise.checks import refusals
from reviser.revise.evidence import Known
from reviser.revise.treatment import Proposal
from reviser.revise.verdict import Layer, Outcome
from reviser.revise.writer import propose
from reviser.text.edit import Edit, apply
from reviser.verify.claim import claims
from reviser.verify.model import Label, Support

NOTHING: Mapping[str, Any] = {"sentences": [], "new": [], "joined": []}


def saying(labels: Mapping[str, Label]) -> Any:
    """Supports by key; supported where nothing is said."""

    def known(manuscript: Manuscript) -> Known:
        found = claims(manuscript)
        return Known(
            found,
            tuple(
                Support(n, key, labels.get(key, Label.SUPPORTED), 0.9, "stub", "said so")
                for n, claim in enumerate(found)
                for key in claim.keys
            ),
        )

    return known


def made(read: Reading, reply: Any, known: Known | None = None) -> Proposal:
    at = desk(read, {"rewrite-with-evidence": says(reply)}, known=known)
    m = replace(read.manuscript, language="en")
    what = decision(m, "Terns are small seabirds", Action.REWRITE_WITH_EVIDENCE)
    (proposal,) = propose(m, [what], at)
    return proposal


def after(read: Reading, edit: Edit) -> str:
    return apply(read.manuscript.sources, [edit])["main.tex"].text


def refused(read: Reading, edit: Edit) -> list[str]:
    before = replace(read.manuscript, language="en")
    now = read.reread({**before.sources, **apply(before.sources, [edit])})
    now = replace(now, language="en")
    told = announced(edit, before, now)
    return [refusal.check for refusal in refusals(Change(before, now, told))]


OFF = {"birch": Label.OFF_TOPIC}


def test_a_work_found_off_topic_goes_where_another_stays() -> None:
    read = reading()
    proposal = made(read, NOTHING, saying(OFF)(read.manuscript))
    assert proposal.edit is not None, proposal.why
    assert "how far they fly~\\cite{cedar}." in after(read, proposal.edit)
    assert [(a.kind, a.lost, a.gained) for a in proposal.edit.allows] == [
        ("citation key", "birch", None)
    ]
    assert refused(read, proposal.edit) == []
    yes = judged(read, proposal.edit, supports=saying(OFF))
    assert passed(yes), yes.reasons


@pytest.mark.parametrize("label", [Label.SILENT, Label.UNCHECKED, Label.ON_TOPIC, Label.SUPPORTED])
def test_no_other_verdict_takes_a_work_out(label: Label) -> None:
    read = reading()
    proposal = made(read, NOTHING, saying({"birch": label})(read.manuscript))
    assert proposal.edit is None
    # Not even where an edit says so: the gate asks for the verdict itself.
    edit = made(read, NOTHING, saying(OFF)(read.manuscript)).edit
    assert edit is not None
    verdict = judged(read, edit, supports=saying({"birch": label}))
    assert verdict.layer is Layer.EVIDENCE
    assert verdict.outcome is not Outcome.ACCEPTED


def test_the_last_work_of_a_citation_stays() -> None:
    read = reading()
    proposal = made(read, NOTHING, saying({"ash": Label.OFF_TOPIC})(read.manuscript))
    assert proposal.edit is None


def test_without_verdicts_nothing_goes() -> None:
    assert made(reading(), NOTHING).edit is None


def test_a_work_comes_to_a_citation_and_must_support_it() -> None:
    read = reading()
    reply = {**NOTHING, "joined": [{"number": 1, "key": "DOGWOOD"}]}
    proposal = made(read, reply, saying({})(read.manuscript))
    assert proposal.edit is not None, proposal.why
    assert "eat fish~\\cite{ash,dogwood}." in after(read, proposal.edit)
    assert refused(read, proposal.edit) == []
    assert passed(judged(read, proposal.edit, supports=saying({})))
    no = judged(read, proposal.edit, supports=saying({"dogwood": Label.SILENT}))
    assert (no.layer, no.outcome) == (Layer.EVIDENCE, Outcome.REJECTED)


def test_one_goes_one_comes_and_a_sentence_is_added() -> None:
    read = reading()
    reply = {
        "sentences": [],
        "new": [{"after": 2, "text": "Young terns eat sand eels there.", "cites": ["dogwood"]}],
        "joined": [{"number": 2, "key": "ash"}],
    }
    proposal = made(read, reply, saying(OFF)(read.manuscript))
    assert proposal.edit is not None, proposal.why
    text = " ".join(after(read, proposal.edit).split())
    assert "fly~\\cite{cedar,ash}. Young terns eat sand eels there~\\cite{dogwood}." in text
    assert refused(read, proposal.edit) == []
    good = judged(read, proposal.edit, supports=saying(OFF), grounded=lambda *_: Entailed(0.9, 0.0))
    assert passed(good), good.reasons


@pytest.mark.parametrize(
    ("joined", "why"),
    [
        ([{"number": 1, "key": "nobody"}], "'nobody' is not among"),
        ([{"number": 9, "key": "cedar"}], "there is no sentence 9"),
    ],
)
def test_a_work_that_cannot_come_is_asked_about_again(joined: Any, why: str) -> None:
    proposal = made(reading(), {**NOTHING, "joined": joined})
    assert proposal.edit is None
    assert why in proposal.why


def test_what_a_model_could_write_into_a_key_list_is_not_believed() -> None:
    read = reading()
    edit = made(read, NOTHING, saying(OFF)(read.manuscript)).edit
    assert edit is not None
    assert "keeps_citations" in refused(read, replace(edit, allows=()))
