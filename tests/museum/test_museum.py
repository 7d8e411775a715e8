"""Every wrong edit is refused by the check meant for it, with all evidence in its favour."""

import pytest
from exhibits import Exhibit, names, perfect, read

from reviser.ports import Entailed
from reviser.revise.change import Change
from reviser.revise.checks import CHECKS, GROUND, refusals
from reviser.revise.gate import Gate
from reviser.revise.text_checks import STRICT
from reviser.revise.verdict import Layer, Outcome
from reviser.text.edit import Purpose, apply
from reviser.verify.model import Passage

REFUSED = names("refused")
PASSED = names("passed")


def test_the_museum_is_well_stocked() -> None:
    assert len(REFUSED) >= 50
    assert len(PASSED) >= 20


def all_in_favour(exhibit: Exhibit) -> Gate:
    return Gate(
        exhibit.reread,
        perfect(exhibit.edit),
        grounded=lambda *_: Entailed(1.0, 0.0, "yes"),
        passages=lambda _, key: [
            Passage(key, ground.quote, ground.where, 0, len(ground.quote))
            for ground in exhibit.edit.grounds
            if ground.key == key
        ],
    )


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str) -> None:
    exhibit = read("refused", name)
    verdict = all_in_favour(exhibit).judge(exhibit.manuscript, exhibit.edit)
    assert verdict.outcome is Outcome.REJECTED
    assert verdict.layer is Layer.INVARIANTS
    checks = [reason.partition(":")[0] for reason in verdict.reasons]
    assert exhibit.refused_by in checks
    if exhibit.alone:
        assert checks == [exhibit.refused_by]


@pytest.mark.parametrize("name", PASSED)
def test_passes(name: str) -> None:
    exhibit = read("passed", name)
    verdict = all_in_favour(exhibit).judge(exhibit.manuscript, exhibit.edit)
    if exhibit.edit.purpose in STRICT | {Purpose.CLAIM_REWRITE}:
        assert (verdict.outcome, verdict.layer, verdict.reasons)[0] is Outcome.ACCEPTED
    else:
        # Rewritten prose needs a rubric, which is no hard check: it got past all of these.
        assert verdict.layer is Layer.RUBRIC, verdict.reasons
        assert verdict.outcome is Outcome.UNDECIDED


def test_every_check_has_an_exhibit_of_its_own() -> None:
    shown = {read("refused", name).refused_by for name in REFUSED}
    assert shown == {check.__name__ for check in (*GROUND, *CHECKS)}


TEXSOUP = "is_read_alike_by_texsoup"


@pytest.mark.parametrize("name", [n for n in REFUSED if read("refused", n).refused_by == TEXSOUP])
def test_without_the_second_parser_our_own_checks_would_accept(name: str) -> None:
    exhibit = read("refused", name)
    changed = apply(exhibit.manuscript.sources, [exhibit.edit])
    after = exhibit.reread({**exhibit.manuscript.sources, **changed})
    change = Change(exhibit.manuscript, after, exhibit.edit)
    ours = [check for check in CHECKS if check.__name__ != TEXSOUP]
    assert refusals(change, ours) == ()
