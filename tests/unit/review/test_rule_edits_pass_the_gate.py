"""What the rules mend in their golden cases, the gate lets through: they agree on what is safe."""

import pytest
from rule_cases import FOLDER, read_case

from reviser.manuscript.files import Memory
from reviser.manuscript.load import Reading
from reviser.review.rules import RULES, run
from reviser.revise.gate import Gate
from reviser.revise.loop import revise
from reviser.revise.verdict import Outcome

MENDED = sorted(path for path in FOLDER.glob("*.txt") if "\n=== fixed " in path.read_text())


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("path", MENDED, ids=lambda path: path.stem)
def test_every_edit_of_a_golden_case_is_accepted(path, newline: str) -> None:
    case = read_case(path.read_text())
    files = {name: text.replace("\n", newline).encode() for name, text in case.files.items()}
    reading = Reading(Memory(files))
    edits = run(reading.manuscript, [rule for rule in RULES if rule.id in case.rules]).edits
    assert edits
    revision = revise(reading.manuscript, edits, Gate(reading.reread))
    refused = [v.reasons for v in revision.verdicts if v.outcome is not Outcome.ACCEPTED]
    assert refused == []
    for name, text in case.fixed.items():
        assert revision.after[name].text == text.replace("\n", newline)
