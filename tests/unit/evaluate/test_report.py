from dataclasses import replace

from reviser.evaluate.entry_trial import EntryObservation, EntryTrial
from reviser.evaluate.fault import FaultKind
from reviser.evaluate.report import (
    FALSE,
    OFFERED,
    RIGHT_EDITS,
    RIGHT_REPLACED,
    STRAY,
    detected,
    summarise,
)
from reviser.evaluate.trial import Observation, Trial

FINE = Observation("p", "a", None, "a", accused=False, proposed=None, fit=0.4)
WRONG = Observation(
    "p",
    "far",
    FaultKind.OTHER_FIELD,
    "b",
    accused=True,
    proposed="b",
    fit=-0.2,
    rules=("citation-off-topic",),
)
PRUNED = replace(WRONG, right="c", proposed="")
UNREAD = replace(WRONG, right="d", accused=False, proposed=None, fit=None, checked=False, rules=())
TRIAL = Trial("p", 0, (FINE, FINE, WRONG, PRUNED, UNREAD), accepted=2, harmful=0)
COMMA = EntryObservation(
    "p", "a", FaultKind.MISSING_COMMA, ("bib-missing-comma",), edited=True, right=True
)
ENTRIES = EntryTrial("p", 0, (COMMA,), stray=("unused-entry",), entries=10)


def test_each_figure_counts_what_its_name_says() -> None:
    report = summarise([TRIAL], seed=0, entry_trials=[ENTRIES])
    figures = {rate.name: (rate.interval.value, rate.count) for rate in report.rates}
    kind = FaultKind.OTHER_FIELD
    assert figures[FALSE] == (0.0, 2)
    assert figures[detected(kind)] == (2 / 3, 3)
    assert figures[f"  among those that can be checked: {kind}"] == (1.0, 2)
    assert figures[RIGHT_EDITS] == (1.0, 2)
    assert figures[RIGHT_REPLACED] == (1.0, 1)
    assert figures[OFFERED] == (1 / 3, 3)
    assert figures[detected(FaultKind.MISSING_COMMA)] == (1.0, 1)
    assert figures[STRAY] == (0.1, 10)
    assert figures[detected(FaultKind.SWAPPED)] == (None, 0)
    assert report.stray == (("unused-entry", 1),)


def test_a_wrong_replacement_is_not_right_and_an_edit_of_a_right_key_never_is() -> None:
    assert not replace(WRONG, proposed="x").mended
    assert replace(WRONG, right=None, proposed="").mended
    assert not replace(FINE, proposed="").mended
    assert not replace(FINE, kind=FaultKind.NAME, proposed="a").mended
    figures = {
        rate.name: rate.interval.value
        for rate in summarise([Trial("p", 0, (replace(WRONG, proposed="x"),), 1, 0)], seed=0).rates
    }
    assert figures[RIGHT_REPLACED] == 0.0


def test_the_rules_that_spoke_are_named_with_their_counts() -> None:
    report = summarise([TRIAL], seed=0)
    rate = next(r for r in report.rates if r.name == detected(FaultKind.OTHER_FIELD))
    assert rate.detail == "citation-off-topic 2"
