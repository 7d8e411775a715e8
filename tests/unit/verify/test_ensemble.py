from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviser.ports import Entailed, Unjudged
from reviser.verify.ensemble import Ensemble, combined

CHANCES = st.floats(0, 1)
ANSWERS = st.builds(Entailed, CHANCES, st.none() | CHANCES) | st.just(Unjudged("no answer"))


class Says:
    def __init__(self, name: str, answer: Entailed | Unjudged) -> None:
        self.name = name
        self.answer = answer

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed | Unjudged]:
        return [self.answer] * len(pairs)


def test_members_are_asked_the_same_and_named() -> None:
    both = Ensemble([Says("a", Entailed(0.9, 0.1)), Says("b", Entailed(0.5, 0.3, "words"))])
    assert both.name == "a + b"
    judged = both.judge([("p", "h"), ("q", "h")])
    assert len(judged) == 2
    first = judged[0]
    assert isinstance(first, Entailed)
    assert first.entails == pytest.approx(0.75)  # odds of 9 and 1: their geometric mean is 3
    assert (first.contradicts, first.quote) == (0.1, "words")


def test_nobody_is_accused_where_one_member_is_silent_or_knows_no_denial() -> None:
    denies = Entailed(0.01, 0.99)
    for other in (Unjudged("no answer"), Entailed(0.01, None)):
        judged = combined([denies, other])
        assert isinstance(judged, Entailed)
        assert judged.contradicts is None


def test_no_answer_at_all_stays_none() -> None:
    assert combined([Unjudged("a"), Unjudged("a")]) == Unjudged("a")
    assert isinstance(combined([Unjudged("a"), Unjudged("b")]), Unjudged)


def test_an_ensemble_has_members() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Ensemble([])


@given(st.lists(ANSWERS, min_size=1, max_size=4))
def test_what_comes_out_lies_between_the_members(answers: list[Entailed | Unjudged]) -> None:
    judged = combined(answers)
    given_ = [a for a in answers if isinstance(a, Entailed)]
    if isinstance(judged, Unjudged):
        assert not given_
        return
    chances = [a.entails for a in given_]
    assert min(chances) - 1e-3 <= judged.entails <= max(chances) + 1e-3
    if judged.contradicts is not None:
        assert judged.contradicts == min(a.contradicts or 0.0 for a in given_)
    if len(set(answers)) == 1 and given_:
        assert judged.entails == pytest.approx(given_[0].entails, abs=2e-4)
