from dataclasses import replace

import pytest

from reviser.evaluate.regressions import (
    FalsePositive,
    Figures,
    NotARecord,
    as_line,
    from_line,
    still_accused,
)
from reviser.findings import Evidence

FAR = Figures(
    closeness=0.1, lag=0.5, strangeness=0.4, shared=0.0, usual=0.0, reach=0.1, others=40, claims=60
)
NEAR = replace(FAR, closeness=0.6, lag=0.0, strangeness=0.0, reach=0.6)
RECORD = FalsePositive(
    id="89960ed4bdf6",
    rule="citation-off-topic",
    message="It seems to be about something else.",
    quote="Cats sleep \\citep{bread}",
    key="bread",
    claim="Cats sleep",
    label="off topic",
    why="far",
    check="topic fit (small)",
    score=-0.2,
    evidence=(Evidence("Bread rises – slowly.", "abstract of bread"),),
    figures=FAR,
)


@pytest.mark.parametrize("record", [RECORD, replace(RECORD, figures=None, score=None)])
def test_a_record_survives_its_line(record: FalsePositive) -> None:
    line = as_line(record)
    assert "\n" not in line
    assert from_line(line) == record


@pytest.mark.parametrize(
    ("record", "answer"),
    [
        (RECORD, True),
        (replace(RECORD, figures=NEAR), False),
        (replace(RECORD, exempt="a table cell, not a sentence"), True),
        (replace(RECORD, exempt="a table cell, not a sentence", figures=NEAR), False),
        (replace(RECORD, rule="citation-contradicted", score=0.99, figures=NEAR), True),
        (replace(RECORD, rule="citation-contradicted", score=0.5, figures=NEAR), False),
        (replace(RECORD, rule="citation-contradicted", score=0.99, figures=FAR), False),
        (replace(RECORD, rule="citation-name-mismatch"), None),
        (replace(RECORD, figures=None), None),
    ],
)
def test_todays_limits_decide(record: FalsePositive, answer: bool | None) -> None:
    assert still_accused(record) is answer


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        "nonsense",
        as_line(RECORD).replace('"score": -0.2', '"score": "much"'),
        as_line(RECORD).replace('"lag": 0.5', '"lag": true'),
        as_line(RECORD).replace('"key": "bread"', '"key": 3'),
    ],
)
def test_what_is_no_record_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        from_line(line)


def test_the_refusal_names_the_field() -> None:
    with pytest.raises(NotARecord, match="'claim' must be a text"):
        from_line(as_line(RECORD).replace('"claim": "Cats sleep"', '"claim": null'))
