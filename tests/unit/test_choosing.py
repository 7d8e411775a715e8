"""A person's choice among the edits of a draft."""

from collections.abc import Sequence

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.manuscript.model import Manuscript
from reviser.pipeline.choosing import LEFT_OUT, chosen_of_draft
from reviser.revise.draft import Draft
from reviser.revise.verdict import Layer, Outcome, Revision, Verdict
from reviser.text.edit import Edit, Purpose, Replacement, apply
from reviser.text.source import Place, Span

TEXT = "\\documentclass{article}\n\\begin{document}\nOne is red. Two is blue.\n\\end{document}\n"
READING = Reading(Memory({"main.tex": TEXT.encode()}))
START = READING.manuscript.sources


def change(draft: Draft, name: str, old: str, new: str, purpose: Purpose) -> Verdict:
    first = draft.now["main.tex"].text.index(old)
    part = Replacement(Place("main.tex", Span(first, first + len(old))), old, new)
    return Verdict(Edit(name, "r", (part,), purpose, name), Outcome.ACCEPTED, Layer.RUBRIC)


def drafted() -> tuple[Draft, Revision]:
    """A rule's edit, one of a model that takes it up, and another."""
    draft = Draft(START, START)
    draft = draft.taken(change(draft, "rule", "red", "green", Purpose.RULE_FIX))
    first = Revision(START, draft.changed, draft.verdicts)
    draft = draft.taken(change(draft, "up", "is green", "is dark green", Purpose.POINT))
    return draft.taken(change(draft, "other", "blue", "grey", Purpose.POINT)), first


def certify(paper: Manuscript, edits: Sequence[Edit]) -> tuple[Sequence[Verdict], Manuscript]:
    after = READING.reread({**paper.sources, **apply(paper.sources, edits)})
    return [Verdict(e, Outcome.ACCEPTED, Layer.RUBRIC, ("again",)) for e in edits], after


def chosen(*names: str) -> Draft:
    draft, first = drafted()

    def choose(edits: Sequence[Edit]) -> Sequence[Edit]:
        assert [e.id for e in edits] == ["up", "other"]
        return [e for e in edits if e.id in names]

    return chosen_of_draft(draft, first, certify, READING.reread, choose)


def outcomes(draft: Draft) -> dict[str, str]:
    return {v.edit.id: v.outcome.value for v in draft.verdicts}


def test_all_wanted_is_the_draft_as_it_was() -> None:
    assert chosen("up", "other") == drafted()[0]


def test_what_a_left_out_edit_had_taken_up_comes_back() -> None:
    draft = chosen("other")
    assert outcomes(draft) == {"rule": "accepted", "up": "rejected", "other": "accepted"}
    assert "One is green. Two is grey." in draft.now["main.tex"].text
    assert next(v for v in draft.verdicts if v.edit.id == "up").reasons == (LEFT_OUT,)


def test_what_a_wanted_edit_has_taken_up_stays_part_of_it() -> None:
    draft = chosen("up")
    assert outcomes(draft) == {"up": "accepted", "rule": "superseded", "other": "rejected"}
    assert "One is dark green. Two is blue." in draft.now["main.tex"].text
    assert apply(START, draft.accepted)["main.tex"].text == draft.now["main.tex"].text


def test_nothing_wanted_leaves_the_first_half() -> None:
    draft = chosen()
    assert "One is green. Two is blue." in draft.now["main.tex"].text
