import pytest
from rule_cases import FOLDER, check_case, read_case

from reviser.review.rules import RULES

CASES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_golden_case(path) -> None:
    check_case(read_case(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_case_that_it_finds_and_one_that_it_passes(rule) -> None:
    own = [read_case(p.read_text(encoding="utf-8")) for p in CASES if p.name.startswith(rule.id)]
    assert any(rule.id in line for case in own for line in case.findings)
