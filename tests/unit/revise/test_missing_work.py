"""A work that the paper may lack, from the finding to the edit that brings it in."""

from dataclasses import replace

from desks import desk, says
from tern_papers import FOUND, reading

from reviser.pipeline.relating import Handful
from reviser.review.points import points_of
from reviser.review.related import Known, findings_of, missing_works
from reviser.revise.treatment import Decision
from reviser.revise.writer import propose
from reviser.text.edit import apply


class Near:
    """Everything is near everything."""

    name = "near"

    def similarities(self, rows, columns):
        return [[0.9 for _ in columns] for _ in rows]


def test_a_writer_can_take_up_a_work_that_the_paper_lacks() -> None:
    read = reading()
    manuscript = replace(read.manuscript, language="en")
    known = Known(FOUND, ("ash", "birch", "cedar"), 4)
    missing = missing_works(manuscript, [known], [], [], Near())
    (point,) = points_of(manuscript, findings_of(manuscript, missing, Near()))
    assert point.quote.startswith("Terns are small seabirds")
    reply = {
        "sentences": [],
        "new": [{"after": 2, "text": "Storms wash their nests away.", "cites": ["elm"]}],
        "joined": [],
    }
    at = desk(read, {"rewrite-with-evidence": says(reply)})
    at = replace(at, embedder=Near(), beyond=(Handful("works cited together", [FOUND]),))
    decision = Decision(point, True, "it belongs there", instruction="Add it.")
    (proposal,) = propose(manuscript, [decision], at)
    assert proposal.edit is not None, proposal.why
    text = apply(manuscript.sources, [proposal.edit])
    assert "Storms wash their nests away~\\cite{elm}." in " ".join(text["main.tex"].text.split())
    assert "Terns and Storms" in text["refs.bib"].text
